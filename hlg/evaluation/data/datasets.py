"""Data sets of questions with known evidence, in the three layouts that people have them in.

- ours: ``corpus.jsonl`` (``_id``, ``title``, ``text``) and ``queries.jsonl`` (``_id``,
  ``text``, ``type``, ``gold``, and any of ``spans``, ``gold_sentences``, ``answer``);
- BEIR: ``corpus.jsonl``, ``queries.jsonl``, ``qrels/*.tsv`` (Thakur et al. 2021);
- HippoRAG: ``NAME.json`` and ``NAME_corpus.json`` (Gutiérrez et al. 2024), with MuSiQue's,
  HotpotQA's or 2WikiMultihopQA's own records.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from hlg.errors import InputError

__all__ = ["Dataset", "DatasetDocument", "Question", "Span", "load_dataset"]


class DatasetDocument(NamedTuple):
    """One item of a corpus, with the id that questions name it by."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The characters ``[start, end)`` of a document's text."""

    document_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what is known of its evidence.

    ``gold`` names the documents that together hold the evidence; it is empty where the
    corpus has no answer (a null question). ``grades`` are their relevance, 1 unless the
    data set says otherwise. ``gold_sentences`` are pairs of document id and sentence.
    """

    id: str
    text: str
    type: str = ""
    gold: tuple[str, ...] = ()
    grades: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    gold_sentences: tuple[tuple[str, str], ...] = ()
    answers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dataset:
    """A corpus with questions; ``corpus_file`` is its JSONL file, None where it has none."""

    name: str
    documents: tuple[DatasetDocument, ...]
    questions: tuple[Question, ...]
    corpus_file: Path | None = None

    def answerable(self) -> tuple[Question, ...]:
        """The questions whose evidence is known; null questions are left out."""
        return tuple(question for question in self.questions if question.gold)

    def missing_gold(self) -> int:
        """How many gold ids name no document: no retriever can find those."""
        known = {document.id for document in self.documents}
        return sum(gold not in known for question in self.questions for gold in question.gold)

    def fingerprint(self) -> str:
        """Digest of all documents and questions; it moves when any of them does."""
        digest = blake2b(digest_size=16)
        for record in (*self.documents, *self.questions):
            digest.update(repr(record).encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()


def load_dataset(directory: str | Path) -> Dataset:
    """Read the data set in a folder, or of a HippoRAG ``NAME.json``, whatever its layout.

    Gold sentences become spans where the sentence is in its document and the data set has
    no spans of its own.

    :raises InputError: there is none, or a record of it can't be understood.
    """
    from hlg.evaluation.data import layouts

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
        if repeated := _first_repeated(ids):
            raise InputError(f"data set {name}: {what} id {repeated!r} is there more than once")
    texts = {document.id: document.text for document in documents}
    located = tuple(_with_located_spans(question, texts) for question in questions)
    return Dataset(name, tuple(documents), located, corpus_file)


def _first_repeated(ids: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for id_ in ids:
        if id_ in seen:
            return id_
        seen.add(id_)
    return None


def _with_located_spans(question: Question, texts: Mapping[str, str]) -> Question:
    if question.spans or not question.gold_sentences:
        return question
    spans = []
    for document_id, sentence in question.gold_sentences:
        start = texts.get(document_id, "").find(sentence)
        if sentence and start >= 0:
            spans.append(Span(document_id, start, start + len(sentence)))
    return replace(question, spans=tuple(sorted(set(spans))))
