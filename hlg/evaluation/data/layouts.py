"""Readers of the data sets' layouts: each record is validated once, here, at the border."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, RootModel

from hlg.errors import InputError
from hlg.evaluation.data.questions import DatasetDocument, Question, Span
from hlg.evaluation.data.records import json_lines, read_text, validated

_CORPUS_SUFFIX = "_corpus.json"
_HOPS = re.compile(r"\d+hop")
_SPACE = re.compile(r"\s+")


class _Record(BaseModel):
    """What comes from a file; ids may be written as numbers, other fields are left alone."""

    model_config = ConfigDict(coerce_numbers_to_str=True, populate_by_name=True)


class _Document(_Record):
    id: str = Field(alias="_id")
    title: str | None = ""
    text: str


class _DocumentSpan(_Record):
    doc: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class _ContentSpan(_Record):
    content: str
    start_index: int = Field(ge=0)
    end_index: int = Field(ge=0)


class _Query(_Record):
    id: str = Field(alias="_id")
    text: str
    type: str | None = ""


class _GoldQuery(_Query):
    gold: list[str]
    spans: list[_DocumentSpan | _ContentSpan] | None = None
    gold_sentences: list[tuple[str, str]] | None = None
    answer: str | list[str] | None = None
    aliases: list[str] | None = None


class _Paragraph(_Record):
    title: str = ""
    text: str = ""
    paragraph_text: str = ""
    is_supporting: bool = True


class _Sample(_Record):
    """A question of HippoRAG's files: MuSiQue, HotpotQA and 2WikiMultihopQA differ."""

    id: str = ""
    hotpot_id: str = Field("", alias="_id")
    question: str
    type: str | None = ""
    answer: str | list[str] | None = None
    answer_aliases: list[str] = []
    paragraphs: list[_Paragraph] = []
    contexts: list[_Paragraph] = []
    context: list[tuple[str, list[str]]] = []
    supporting_facts: list[tuple[str, int]] = []


class _Passage(_Record):
    title: str = ""
    text: str


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
            gold := tuple(dict.fromkeys(record.gold)),
            (1,) * len(gold),
            tuple(_span(path, record, span, texts) for span in record.spans or ()),
            tuple(record.gold_sentences or ()),
            _answers(record.answer, record.aliases or ()),
        )
        for record in json_lines(path, _GoldQuery)
    ]


def _span(
    path: Path, record: _GoldQuery, span: _DocumentSpan | _ContentSpan, texts: Mapping[str, str]
) -> Span:
    if isinstance(span, _DocumentSpan):
        return Span(span.doc, span.start, span.end)
    for gold in record.gold:
        if texts.get(gold, "")[span.start_index : span.end_index] == span.content:
            return Span(gold, span.start_index, span.end_index)
    raise InputError(
        f"{path}: question {record.id!r} has a span {span.start_index}-{span.end_index} whose "
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
        DatasetDocument(f"{name}-{position}", passage.title, passage.text)
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
                sample.id or sample.hotpot_id or f"{name}-question-{len(questions)}",
                sample.question,
                sample.type or _hops(sample.id),
                tuple(gold),
                (1,) * len(gold),
                answers=_answers(sample.answer, sample.answer_aliases),
            )
        )
    return documents, questions


def _passages(path: Path) -> list[_Passage]:
    """HippoRAG 2 lists passages; HippoRAG 1 maps HotpotQA's titles to their sentences."""
    corpus = validated(path, _Corpus, read_text(path)).root
    if isinstance(corpus, dict):
        return [_Passage(title=title, text="".join(parts)) for title, parts in corpus.items()]
    return corpus


def _supporting(sample: _Sample) -> list[tuple[str, str]]:
    """Title and text of the passages that hold the evidence."""
    if sample.supporting_facts:
        titles = {title for title, _ in sample.supporting_facts}
        return [(title, " ".join(parts)) for title, parts in sample.context if title in titles]
    return [
        (paragraph.title, paragraph.text or paragraph.paragraph_text)
        for paragraph in (*sample.contexts, *sample.paragraphs)
        if paragraph.is_supporting
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
