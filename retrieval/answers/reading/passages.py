"""The passages that are read: what stands together of the evidence, and a sentence to go by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.answers.evidence import EvidenceStatement

CHARACTERS = 420
"""Of a passage that is read at once."""
PASSAGES = 8
"""So many are read for a question."""
A_RANK = 0.02
"""The likeness to the question that one rank of its hit outweighs."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of a passage: characters ``[start, end)`` of it are those of a statement's text from
    ``offset`` on; ``before`` is what is read before it, as a cell's header."""

    start: int
    end: int
    place: int
    offset: int
    before: str


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage as it is read, under its title, and what another source says that leads on."""

    text: str
    pieces: tuple[Piece, ...]
    hint: str


def read_passages(
    evidence: Sequence[EvidenceStatement], cosines: NDArray[np.floating], places: Sequence[int]
) -> list[ReadPassage]:
    """The passages that are worth reading, the best first.

    :param cosines: of each statement and the question, shape (len(evidence),).
    :param places: of the statements that may be read.
    """
    worth = [float(c) - A_RANK * each.rank for each, c in zip(evidence, cosines, strict=True)]
    runs = [run for each in _by_source(evidence, places) for run in _runs(each, evidence)]
    runs.sort(key=lambda run: -max(worth[piece.place] for piece in run))
    order = sorted(places, key=lambda place: -worth[place])
    return [_passage(run, evidence, order) for run in runs[:PASSAGES]]


def _by_source(evidence: Sequence[EvidenceStatement], places: Sequence[int]) -> Iterator[list[int]]:
    """Places of the statements of each source, in the order of its text."""
    sources: dict[str, list[int]] = {}
    for place in places:
        sources.setdefault(evidence[place].passage.source.id, []).append(place)
    for found in sources.values():
        yield sorted(found, key=lambda place: evidence[place].passage.start)


def _runs(places: Sequence[int], evidence: Sequence[EvidenceStatement]) -> Iterator[list[Piece]]:
    """Statements one after another as far as a passage has room, long ones in parts, each under
    the heading that it stands under."""
    run: list[Piece] = []
    at = 0
    under = ""
    for place in places:
        heading = _heading(evidence[place])
        for part in _parts(evidence[place]):
            length = sum(len(before) + end - start for before, start, end in part)
            if run and at + length + len(heading) > CHARACTERS:
                yield run
                run, at, under = [], 0, ""
            for number, (before, start, end) in enumerate(part):
                said = before if number or not run else f" {before}"
                if heading != under:
                    said, under = f"{said}{heading}: " if heading else said, heading
                at += len(said)
                run.append(Piece(at, at + end - start, place, start, said))
                at += end - start
    if run:
        yield run


def _heading(statement: EvidenceStatement) -> str:
    """The nearest heading over a statement, unless it is the source's title."""
    heading = statement.part.heading.rpartition(" > ")[2] if statement.part else ""
    return heading if heading != statement.passage.source.title else ""


def _parts(statement: EvidenceStatement) -> Iterator[list[tuple[str, int, int]]]:
    """What of a statement's text is read together, each piece with what is read before it: a row
    by its cells, each behind its header."""
    text = statement.passage.text
    if cells := statement.part.cells if statement.part else ():
        yield list(_cells(text, cells))
        return
    start = 0
    while len(text) - start > CHARACTERS:
        space = text.rfind(" ", start, start + CHARACTERS)
        end = space if space > start else start + CHARACTERS
        yield [("", start, end)]
        start = end
    yield [("", start, len(text))]


def _cells(text: str, cells: Sequence[tuple[str, str]]) -> Iterator[tuple[str, int, int]]:
    at = 0
    for number, (header, value) in enumerate(cells):
        at = text.find(value, at)
        yield ("; " if number else "") + (f"{header}: " if header else ""), at, at + len(value)
        at += len(value)


def _passage(
    run: Sequence[Piece], evidence: Sequence[EvidenceStatement], order: Sequence[int]
) -> ReadPassage:
    source = evidence[run[0].place].passage.source
    title = f"{source.title}: " if source.title else ""
    shift = len(title)
    pieces = tuple(replace(each, start=each.start + shift, end=each.end + shift) for each in run)
    texts = [
        each.before
        + evidence[each.place].passage.text[each.offset : each.offset + each.end - each.start]
        for each in run
    ]
    leads = (place for place in order if evidence[place].passage.source.id != source.id)
    hint = next((_told(evidence[place]) for place in leads), "")
    return ReadPassage(title + "".join(texts), pieces, hint)


def _told(statement: EvidenceStatement) -> str:
    title, text = statement.passage.source.title, statement.passage.text
    return f"{title}: {text}" if title and title not in text else text
