"""Data sets of questions with known evidence, in the three layouts that people have them in.

- ours: ``corpus.jsonl`` (``_id``, ``title``, ``text``) and ``queries.jsonl`` (``_id``,
  ``text``, ``type``, ``gold``, and any of ``spans``, ``gold_sentences``, ``answer``);
- BEIR: ``corpus.jsonl``, ``queries.jsonl``, ``qrels/*.tsv`` (Thakur et al. 2021);
- HippoRAG: ``NAME.json`` and ``NAME_corpus.json`` (Gutiérrez et al. 2024), with MuSiQue's,
  HotpotQA's or 2WikiMultihopQA's own records.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hlg.errors import InputError
from hlg.evaluation.data import layouts
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question, Span
from hlg.evaluation.data.records import write_json_lines


def load_dataset(directory: str | Path) -> Dataset:
    """Read the data set in a folder, or of a HippoRAG ``NAME.json``, whatever its layout.

    Gold sentences become spans where the sentence is in its document and the data set has
    no spans of its own.

    :raises InputError: there is none, or a record of it can't be understood.
    """
    path = Path(directory)
    corpus, queries = path / "corpus.jsonl", path / "queries.jsonl"
    judgements = sorted((path / "qrels").glob("*.tsv"))
    if corpus.is_file() and queries.is_file():
        documents = layouts.read_corpus(corpus)
        if judgements:
            questions = layouts.read_beir_questions(queries, judgements)
        else:
            questions = layouts.read_questions(queries, documents)
        return _checked(path.resolve().name, documents, questions, corpus)
    pair = layouts.hipporag_files(path)
    if pair is None:
        raise InputError(
            f"{path}: no data set found; looked for corpus.jsonl with queries.jsonl (and "
            "qrels/*.tsv for BEIR), and for NAME.json with NAME_corpus.json (HippoRAG)"
        )
    name = pair[0].stem
    documents, questions = layouts.read_hipporag(name, *pair)
    return _checked(name, documents, questions, None)


def write_dataset(dataset: Dataset, folder: Path) -> None:
    """Write ``corpus.jsonl`` and ``queries.jsonl`` into a folder, which is made.

    :raises UsageError: it can't be written.
    """
    write_corpus(dataset, folder / "corpus.jsonl")
    write_json_lines(folder / "queries.jsonl", map(_record, dataset.questions))


def write_corpus(dataset: Dataset, path: Path) -> Path:
    """Write the documents alone, a line each; gives the path.

    :raises UsageError: it can't be written.
    """
    records = ({"_id": x.id, "title": x.title, "text": x.text} for x in dataset.documents)
    write_json_lines(path, records)
    return path


def _record(question: Question) -> Mapping[str, object]:
    spans = [{"doc": at.document_id, "start": at.start, "end": at.end} for at in question.spans]
    record: dict[str, object] = {"_id": question.id, "text": question.text, "type": question.type}
    record |= {"gold": list(question.gold), "spans": spans}
    return record | ({"answer": list(question.answers)} if question.answers else {})


def _checked(
    name: str,
    documents: Sequence[DatasetDocument],
    questions: Sequence[Question],
    corpus_file: Path | None,
) -> Dataset:
    for what, ids in (
        ("document", [document.id for document in documents]),
        ("question", [question.id for question in questions]),
    ):
        if not ids:
            raise InputError(f"data set {name}: there is no {what} in it")
        repeated, times = Counter(ids).most_common(1)[0]
        if times > 1:
            raise InputError(f"data set {name}: {what} id {repeated!r} is there more than once")
    texts = {document.id: document.text for document in documents}
    located = tuple(_with_located_spans(question, texts) for question in questions)
    return Dataset(name, tuple(documents), located, corpus_file)


def _with_located_spans(question: Question, texts: Mapping[str, str]) -> Question:
    if question.spans or not question.gold_sentences:
        return question
    spans = []
    for document_id, sentence in question.gold_sentences:
        start = texts.get(document_id, "").find(sentence)
        if sentence and start >= 0:
            spans.append(Span(document_id, start, start + len(sentence)))
    return replace(question, spans=tuple(sorted(set(spans))))
