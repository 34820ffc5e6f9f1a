"""Data sets of questions with known evidence, in the three layouts that people have them in.

- ours: ``corpus.jsonl`` (``_id``, ``title``, ``text``) and ``queries.jsonl`` (``_id``,
  ``text``, ``type``, ``gold``, and any of ``spans``, ``gold_sentences``, ``answer``);
- BEIR: ``corpus.jsonl``, ``queries.jsonl``, ``qrels/*.tsv`` (Thakur et al. 2021);
- HippoRAG: ``NAME.json`` and ``NAME_corpus.json`` (Gutiérrez et al. 2024), with MuSiQue's,
  HotpotQA's or 2WikiMultihopQA's own records.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import AliasChoices, BaseModel, ConfigDict, Field, RootModel

from hlg.errors import InputError
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question, Span
from hlg.evaluation.data.records import json_lines, read_text, validated, write_json_lines

_CORPUS_SUFFIX = "_corpus.json"
_HOPS = re.compile(r"\d+hop")
_SPACE = re.compile(r"\s+")


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
        documents = read_corpus(corpus)
        if judgements:
            questions = read_beir_questions(queries, judgements)
        else:
            questions = read_questions(queries, documents)
        return _checked(path.resolve().name, documents, questions, corpus)
    pair = hipporag_files(path)
    if pair is None:
        raise InputError(
            f"{path}: no data set found; looked for corpus.jsonl with queries.jsonl (and "
            "qrels/*.tsv for BEIR), and for NAME.json with NAME_corpus.json (HippoRAG)"
        )
    name = pair[0].stem
    documents, questions = read_hipporag(name, *pair)
    return _checked(name, documents, questions, None)


def write_dataset(dataset: Dataset, folder: Path) -> None:
    """Write ``corpus.jsonl`` and ``queries.jsonl`` into a folder, which is made.

    :raises UsageError: it can't be written.
    """
    write_corpus(dataset, folder / "corpus.jsonl")
    write_json_lines(folder / "queries.jsonl", map(_record, dataset.questions))


def write_corpus(dataset: Dataset, path: Path) -> None:
    """Write the documents alone, a line each.

    :raises UsageError: it can't be written.
    """
    records = ({"_id": x.id, "title": x.title, "text": x.text} for x in dataset.documents)
    write_json_lines(path, records)


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
    return Dataset(name, tuple(documents), tuple(questions), corpus_file)


class _Record(BaseModel):
    """What comes from a file; ids may be written as numbers, other fields are left alone."""

    model_config = ConfigDict(coerce_numbers_to_str=True, populate_by_name=True)


class _Passage(_Record):
    """A document, or of HippoRAG's what a question came with; MuSiQue calls its text otherwise."""

    id: str = Field("", alias="_id")
    title: str | None = ""
    text: str = Field(validation_alias=AliasChoices("text", "paragraph_text"))
    is_supporting: bool = True


class _Document(_Passage):
    id: str = Field(alias="_id")


class _Span(_Record):
    """Offsets in a document that is named, or whose words there are told."""

    doc: str | None = None
    content: str | None = None
    start: int = Field(ge=0, validation_alias=AliasChoices("start", "start_index"))
    end: int = Field(ge=0, validation_alias=AliasChoices("end", "end_index"))


class _Query(_Record):
    id: str = Field(alias="_id")
    text: str
    type: str | None = ""


class _GoldQuery(_Query):
    gold: list[str]
    spans: list[_Span] | None = None
    gold_sentences: list[tuple[str, str]] | None = None
    answer: str | list[str] | None = None
    aliases: list[str] | None = None


class _Sample(_Record):
    """A question of HippoRAG's files: MuSiQue, HotpotQA and 2WikiMultihopQA differ."""

    id: str = Field("", validation_alias=AliasChoices("id", "_id"))
    question: str
    type: str | None = ""
    answer: str | list[str] | None = None
    answer_aliases: list[str] = []
    paragraphs: list[_Passage] = []
    contexts: list[_Passage] = []
    context: list[tuple[str, list[str]]] = []
    supporting_facts: list[tuple[str, int]] = []


_Corpus = RootModel[list[_Passage] | dict[str, list[str]]]


def read_corpus(path: Path) -> list[DatasetDocument]:
    """The documents of a ``corpus.jsonl``, in its order."""
    return [
        DatasetDocument(record.id, record.title or "", record.text)
        for record in json_lines(path, _Document)
    ]


def read_questions(path: Path, documents: Sequence[DatasetDocument]) -> list[Question]:
    """The questions of our own ``queries.jsonl``."""
    texts = {document.id: document.text for document in documents}
    return [
        Question(
            record.id,
            record.text,
            record.type or "",
            tuple(dict.fromkeys(record.gold)),
            spans=tuple(_spans(path, record, texts)),
            answers=_answers(record.answer, record.aliases or ()),
        )
        for record in json_lines(path, _GoldQuery)
    ]


def _spans(path: Path, record: _GoldQuery, texts: Mapping[str, str]) -> Iterable[Span]:
    """Those that are marked; else where the gold sentences stand in their documents."""
    if record.spans:
        return (_located(path, record, span, texts) for span in record.spans)
    found = (
        (id_, texts.get(id_, "").find(text), text) for id_, text in record.gold_sentences or ()
    )
    return sorted({Span(id_, at, at + len(text)) for id_, at, text in found if text and at >= 0})


def _located(path: Path, record: _GoldQuery, span: _Span, texts: Mapping[str, str]) -> Span:
    if span.doc is not None:
        return Span(span.doc, span.start, span.end)
    for gold in record.gold:
        if texts.get(gold, "")[span.start : span.end] == span.content:
            return Span(gold, span.start, span.end)
    raise InputError(
        f"{path}: question {record.id!r} has a span {span.start}-{span.end} whose "
        "content is in none of its gold documents there; correct the offsets"
    )


def read_beir_questions(queries: Path, judgements: Sequence[Path]) -> list[Question]:
    """The judged questions of a BEIR data set: of ``test.tsv`` where there is one, else of all.

    A judgement of 0 is not relevant. A question without a relevant document is null.
    """
    chosen = [path for path in judgements if path.name == "test.tsv"] or list(judgements)
    relevance: dict[str, dict[str, int]] = defaultdict(dict)
    for path in chosen:
        for query_id, document_id, grade in _judgements(path):
            relevance[query_id].update({document_id: grade} if grade > 0 else {})
    return [
        Question(
            record.id,
            record.text,
            record.type or "",
            tuple(relevance[record.id]),
            tuple(relevance[record.id].values()),
        )
        for record in json_lines(queries, _Query)
        if record.id in relevance
    ]


def _judgements(path: Path) -> Iterator[tuple[str, str, int]]:
    """Rows ``query-id  corpus-id  score``; the first line is a heading where it has no score."""
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        fields = line.split("\t")
        if len(fields) == 3 and fields[2].strip().lstrip("-").isdecimal():
            yield fields[0], fields[1], int(fields[2])
        elif line.strip() and number > 1:
            raise InputError(
                f"{path}:{number}: expected query-id, corpus-id and score, tabs between"
            )


def hipporag_files(path: Path) -> tuple[Path, Path] | None:
    """The questions' and the corpus's file of HippoRAG's layout; None where there are none.

    :raises InputError: a folder holds several data sets.
    """
    if path.is_file():
        pairs = [(path, path.with_name(path.stem + _CORPUS_SUFFIX))]
    else:
        pairs = [
            (corpus.with_name(corpus.name.removesuffix(_CORPUS_SUFFIX) + ".json"), corpus)
            for corpus in sorted(path.glob("*" + _CORPUS_SUFFIX))
        ]
    pairs = [pair for pair in pairs if pair[0].is_file() and pair[1].is_file()]
    if len(pairs) > 1:
        names = ", ".join(str(questions) for questions, _ in pairs)
        raise InputError(f"{path}: several data sets; name one of {names}")
    return pairs[0] if pairs else None


def read_hipporag(
    name: str, questions_file: Path, corpus_file: Path
) -> tuple[list[DatasetDocument], list[Question]]:
    """Documents and questions of HippoRAG's JSON; document ids are ``NAME-<position>``.

    Gold is matched to the corpus by title and text, white space aside, as HippoRAG's own
    evaluation does, or by title where only one document has it.
    """
    documents = [
        DatasetDocument(f"{name}-{position}", passage.title or "", passage.text)
        for position, passage in enumerate(_passages(corpus_file))
    ]
    by_text = {_key(document.title, document.text): document.id for document in documents}
    by_title: dict[tuple[str, str], list[str]] = defaultdict(list)
    for document in documents:
        by_title[_key(document.title, "")].append(document.id)
    questions: list[Question] = []
    for sample in validated(questions_file, list[_Sample], read_text(questions_file)):
        gold: dict[str, None] = {}
        for title, text in _supporting(sample):
            same_title = by_title[_key(title, "")]
            only = same_title[0] if len(same_title) == 1 else f"not in the corpus: {title}"
            gold[by_text.get(_key(title, text), only)] = None
        questions.append(
            Question(
                sample.id or f"{name}-question-{len(questions)}",
                sample.question,
                sample.type or _hops(sample.id),
                tuple(gold),
                answers=_answers(sample.answer, sample.answer_aliases),
            )
        )
    return documents, questions


def _passages(path: Path) -> list[_Passage]:
    """HippoRAG 2 lists passages; HippoRAG 1 maps HotpotQA's titles to their sentences."""
    corpus = validated(path, _Corpus, read_text(path)).root
    if isinstance(corpus, dict):
        return [
            _Passage(_id="", title=title, text="".join(parts)) for title, parts in corpus.items()
        ]
    return corpus


def _supporting(sample: _Sample) -> list[tuple[str, str]]:
    """Title and text of the passages that hold the evidence."""
    if sample.supporting_facts:
        titles = {title for title, _ in sample.supporting_facts}
        return [(title, " ".join(parts)) for title, parts in sample.context if title in titles]
    return [
        (each.title or "", each.text)
        for each in (*sample.contexts, *sample.paragraphs)
        if each.is_supporting
    ]


def _hops(id_: str) -> str:
    """MuSiQue's ids begin with the number of hops: ``2hop__482757_12019``."""
    head = id_.partition("__")[0]
    return head if _HOPS.match(head) else ""


def _key(title: str, text: str) -> tuple[str, str]:
    return _SPACE.sub("", title), _SPACE.sub("", text)


def _answers(answer: str | list[str] | None, aliases: Sequence[str]) -> tuple[str, ...]:
    first = [answer] if isinstance(answer, str) else answer or []
    return tuple(dict.fromkeys(text for text in (*first, *aliases) if text))
