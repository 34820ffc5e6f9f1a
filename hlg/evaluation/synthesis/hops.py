"""The thesis's question sets (§4.1): one segment, two of a file, or two of two files, and answers
that stand in the text letter by letter."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

import numpy as np
from pydantic import BaseModel
from scipy.sparse import csr_array

from hlg.errors import ModelError
from hlg.evaluation.corpus import sources_of
from hlg.evaluation.data.questions import DatasetDocument, Span
from hlg.evaluation.metrics.answers import token_f1
from hlg.evaluation.synthesis.making import (
    Draft,
    Made,
    Maker,
    is_name,
    make,
    names_others,
    question_of,
    unfit,
)
from hlg.graph import LexicalGraph
from hlg.ingest.text.blocks import Block, split_blocks
from hlg.ingest.text.sentences import sentence_spans
from hlg.names import is_part
from hlg.records import SourceGraph
from hlg.retrieval.answers.words import keys

SAME_ANSWER = 0.5
"""Token F1 of the answer from one passage alone, from which on the other is not needed."""
MOST_ASKED = 3
"""Questions of a segment or pair (thesis §4.1: one to three)."""
NAMING = frozenset(("person", "organization", "product", "work", "thing"))
"""The classes of what two segments can share (thesis §4.1: PERSON, ORG, PRODUCT, WORK_OF_ART);
extraction calls what it can't place a thing: BM25, GraphRAG."""
NAMED = 5
"""Names of a segment below which a model is asked for more (thesis §4.1: five a segment)."""
OTHERS = "the question names what the text does not"
SUFFICES = "one passage suffices"
_WORD = re.compile(r"\S+")
_CITED = re.compile(r"(?: and \w+)?(?: et al\b| and others\b|(?:, | \()(?:19|20)\d\d\b)")
"""What follows a name that is cited and not told of: "[Edge et al., 2025]"."""


@dataclass(frozen=True, slots=True)
class SegmentOptions:
    """How a text is cut and paired; the thesis leaves the last four open.

    :param words: words of a segment at most.
    :param least: a segment is left out below so many, and below half of ``words``.
    :param shared: names that two segments share at least.
    :param each: pairs of one segment at most.
    :param fill: have the model name more where the graph knows fewer than five names of a
        segment: a call for each, before the first pair.
    :param tags: metadata field of which two files must share a value; empty for none.
    """

    words: int = 1000
    least: int = 500
    shared: int = 1
    each: int = 3
    fill: bool = True
    tags: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """The characters ``[start, end)`` of a document, and the names that stand for it."""

    document: DatasetDocument
    start: int
    end: int
    names: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return self.document.text[self.start : self.end]

    def located(self, text: str) -> Span | None:
        """Where a text stands in it, letter by letter but for white space; None where it
        doesn't."""
        words = r"\s+".join(map(re.escape, text.split()))
        found = re.search(words, self.text) if words else None
        return found and Span(
            self.document.id, self.start + found.start(), self.start + found.end()
        )


class _Asked(BaseModel):
    question: str
    answer: str
    evidence: list[str]


class _Questions(BaseModel):
    questions: list[_Asked]


class _Names(BaseModel):
    names: list[str]


class _Alone(BaseModel):
    answer: str


def single(maker: Maker, options: SegmentOptions) -> Made:
    """SF1H: questions of one segment each, in an order drawn from the whole corpus."""
    documents, found = _cut(maker, options, named=False)
    order = sorted(found, key=lambda each: (each.start, each.document.id))

    def draft(segment: Segment) -> list[Draft]:
        texts = {"passage": _titled(segment)}
        asked = maker.door.ask_json("make-one-hop", _Questions, texts, most=MOST_ASKED).value
        return [_of_one(segment, each) for each in asked.questions[:MOST_ASKED]]

    return make(maker, "sf1h", documents, order, draft, {"segments": len(found)})


def _of_pairs(maker: Maker, options: SegmentOptions, *, of_one_file: bool) -> Made:
    documents, found = _cut(maker, options, named=True)
    chosen = pairs(found, of_one_file=of_one_file, shared=options.shared, each=options.each)
    if options.tags and not of_one_file:
        tags = _tags(maker.graph, options.tags)
        files = [tags[segment.document.id] for segment in found]
        chosen = [(one, other) for one, other in chosen if files[one] & files[other]]
    name = "sf2h" if of_one_file else "mf2h"

    def draft(pair: tuple[int, int]) -> list[Draft]:
        one, other = (found[at] for at in pair)
        known = {name.casefold() for name in other.names}
        shared = [name for name in one.names if name.casefold() in known]
        texts = {"first": _titled(one), "second": _titled(other), "names": "\n".join(shared)}
        asked = maker.door.ask_json("make-two-hop", _Questions, texts, most=MOST_ASKED).value
        return [_of_two(maker, name, one, other, x) for x in asked.questions[:MOST_ASKED]]

    stages = {"segments": len(found), "pairs": len(chosen)}
    return make(maker, name, documents, chosen, draft, stages)


double = partial(_of_pairs, of_one_file=True)
"""SF2H: questions that need two segments of one file."""
across = partial(_of_pairs, of_one_file=False)
"""MF2H: questions that need segments of two files."""


def _of_one(segment: Segment, asked: _Asked) -> Draft:
    spans, why = _marked(asked, segment)
    if why or names_others(asked.question.strip(), _titled(segment)):
        return why or OTHERS
    return question_of(asked.question.strip(), asked.answer.strip(), "sf1h", spans)


def _of_two(maker: Maker, kind: str, one: Segment, other: Segment, asked: _Asked) -> Draft:
    """With evidence in both segments, the answer in one of them."""
    answer = asked.answer.strip()
    spans, why = _marked(asked, one, other)
    if why := why or unfit(asked.question, answer):
        return why
    if names_others(asked.question.strip(), f"{_titled(one)}\n{_titled(other)}"):
        return OTHERS
    holding = (set(keys(text)) for text in asked.evidence if answer in text)
    if any(told.issuperset(keys(asked.question)) for told in holding):
        return SUFFICES  # it says all that the question does: no model need be asked
    for each in sorted((one, other), key=lambda passage: passage.located(answer) is None):
        texts = {"question": asked.question, "passage": _titled(each)}
        alone = maker.judge.ask_json("answer-alone", _Alone, texts).value.answer
        if token_f1(alone, answer) >= SAME_ANSWER:
            return SUFFICES
    return question_of(asked.question.strip(), answer, kind, spans)


def _marked(asked: _Asked, *segments: Segment) -> tuple[list[Span], str]:
    """Where the evidence stands, which each of the segments has to have a part of; and why it
    can't be used."""
    answer = asked.answer.strip()
    if not answer or not asked.question.strip() or not any(answer in x for x in asked.evidence):
        return [], "the answer stands nowhere in its evidence"
    found = [[each.located(text) for text in asked.evidence] for each in segments]
    if not all(map(any, found)) or not all(map(any, zip(*found, strict=True))):
        return [], "its evidence stands nowhere in the text"
    return [span for spans in found for span in spans if span], ""


def _cut(
    maker: Maker, options: SegmentOptions, *, named: bool
) -> tuple[list[DatasetDocument], list[Segment]]:
    documents: list[DatasetDocument] = []
    found: list[Segment] = []
    for document, graph in sources_of(maker.graph.store):
        documents.append(document)
        cut = segments(document, options.words, options.least)
        found += [replace(each, names=names_in(graph, each)) if named else each for each in cut]
    if named and options.fill:
        found = list(maker.door.map(lambda each: _filled(maker, each), found))
    return documents, found


def _filled(maker: Maker, segment: Segment) -> Segment:
    """With names by the model where the graph knows fewer than five (thesis §4.1)."""
    missing = NAMED - len(segment.names)
    if missing <= 0:
        return segment
    texts = {"passage": segment.text, "known": "\n".join(segment.names)}
    try:
        said = maker.door.ask_json("name-entities", _Names, texts, most=missing).value.names
    except ModelError:
        return segment
    said = [name.strip() for name in said]
    more = [name for name in said if segment.located(name) and not is_part(name)]
    return replace(segment, names=tuple(dict.fromkeys((*segment.names, *more))))


def _tags(graph: LexicalGraph, field: str) -> dict[str, set[str]]:
    """The values of a metadata field by source: a list's, or those between commas."""
    found: dict[str, set[str]] = {}
    for source in graph.sources():
        value = source.metadata.get(field) or ""
        several = value if isinstance(value, list | tuple) else str(value).split(",")
        found[source.uri] = {str(each).strip().casefold() for each in several} - {""}
    return found


def _titled(segment: Segment) -> str:
    return f"{segment.document.title}\n\n{segment.text}"


def segments(document: DatasetDocument, words: int, least: int) -> Iterator[Segment]:
    """A document in runs of whole sentences of at most so many words, without its references;
    those too short are left out (thesis §4.1)."""
    for is_entry, told in groupby(split_blocks(document.text), lambda block: block.kind == "entry"):
        blocks = list(told)
        ends = {each for block in blocks for each in _ends(document.text, block)}
        places = _WORD.finditer(document.text, blocks[0].start, blocks[-1].end)
        left = [] if is_entry else [match.span() for match in places]
        while left:
            run = left[:words]
            if len(left) > words:
                whole = (n for n in range(words, 0, -1) if run[n - 1][1] in ends)
                run = run[: next(whole, words)]
            if len(run) >= min(least, words / 2):
                yield Segment(document, run[0][0], run[-1][1])
            left = left[len(run) :]


def _ends(text: str, block: Block) -> list[int]:
    """Where sentences end; none in a heading or number, which belong to what follows them."""
    told = text[block.start : block.end]
    spans = [] if block.kind == "heading" else sentence_spans(told)
    return [block.start + end for start, end in spans if " " in told[start:end]]


def names_in(graph: SourceGraph, segment: Segment) -> tuple[str, ...]:
    """The names in a segment that statements wholly in it are about, those of most first."""
    named = (x for x in graph.entities if x.entity_class.casefold() in NAMING and is_name(x))
    names = {x.id: x.name for x in named if tells_of(segment.text, x.name)}
    counts = Counter(
        names[id_]
        for statement in graph.statements
        if segment.start <= statement.start and statement.end <= segment.end
        for id_ in statement.entity_ids
        if id_ in names
    )
    return tuple(sorted(counts, key=lambda name: (-counts[name], name)))


def tells_of(text: str, name: str) -> bool:
    """Whether a name stands in a text, and not as that of whom it cites."""
    at = text.find(name)
    return at >= 0 and not _CITED.match(text, at + len(name))


def pairs(
    found: Sequence[Segment], *, of_one_file: bool, shared: int, each: int
) -> list[tuple[int, int]]:
    """Positions of two segments that share names, those first that share the rarest.

    The thesis (§4.1) pairs segments "sharing the same entities"; how many is ``shared``. A
    name counts by its rarity, log(n / segments that have it).

    :param of_one_file: pairs within a document, or else of two documents.
    :param each: a segment is in so many pairs at most.
    """
    keys = [{name.casefold() for name in segment.names} for segment in found]
    rows = [at for at, names in enumerate(keys) for _ in names]
    order = {name: number for number, name in enumerate(sorted(set().union(*keys)))}
    columns = [order[name] for names in keys for name in names]
    has = csr_array((np.ones(len(rows)), (rows, columns)), (len(found), max(1, len(order))))
    rarity = np.log(max(2, len(found)) / np.maximum(1, has.sum(axis=0)))
    counts, weights = (has @ has.T).tocoo(), (has.multiply(rarity) @ has.T).tocsr()
    files = [segment.document.id for segment in found]
    candidates = [
        (one, other)
        for one, other, count in zip(counts.row, counts.col, counts.data, strict=True)
        if one < other and count >= shared and (files[one] == files[other]) == of_one_file
    ]
    candidates.sort(key=lambda pair: (-weights[pair], pair))
    used, chosen = Counter[int](), list[tuple[int, int]]()
    for one, other in candidates:
        if used[one] < each and used[other] < each:
            used.update((one, other))
            chosen.append((int(one), int(other)))
    return chosen
