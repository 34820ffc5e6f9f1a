"""The Georgetown University Multilayer corpus (GUM): the things that a proper noun names."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.training.frames.names import ABSTRACT, JOINTS, Gold, NameText
from hlg.words.lexicon import ANIMAL, CONCEPT, EVENT, ORGANIZATION, PERSON, PLACE, THING

OF_GUM = {
    "person": PERSON,
    "place": PLACE,
    "organization": ORGANIZATION,
    "animal": ANIMAL,
    "event": EVENT,
    "object": THING,
    "plant": CONCEPT,
    "substance": CONCEPT,
    "abstract": ABSTRACT,
}
FREE_GENRES = frozenset(("academic", "bio", "court", "interview", "news", "voyage"))
"""Genres of GUM whose licence lets what learned from them ship."""


def gum(path: Path, *, free: bool) -> Iterator[NameText]:
    """The sentences of a file of GUM with the things that a proper noun names.

    :param free: only of genres that may be learned from.
    """
    genre = document = text = ""
    rows: list[list[str]] = []
    for line in path.open(encoding="utf-8"):
        if line.startswith("# newdoc id"):
            document = line.split("=", 1)[1].strip()
        elif line.startswith("# meta::genre"):
            genre = line.split("=", 1)[1].strip()
        elif line.startswith("# text ="):
            text = line.split("=", 1)[1].strip()
        elif line[:1].isdigit():
            columns = line.rstrip("\n").split("\t")
            if columns[0].isdigit():
                rows.append(columns)
        elif not line.strip() and rows:
            if not free or genre in FREE_GENRES:
                yield NameText(genre, document, text, tuple(_gum_names(text, rows)))
            rows = []


def _gum_names(text: str, rows: Sequence[Sequence[str]]) -> Iterator[Gold]:
    places = list(_tokens(text, rows))
    found: dict[tuple[int, int], str] = {}
    for first, end, class_ in _gum_spans(rows):
        if class_ not in OF_GUM:
            continue  # a time
        name = _named(rows, first, end)
        if name and name not in found:
            found[name] = OF_GUM[class_]
    outer = [
        span
        for span in found
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in found)
    ]
    for first, end in sorted(outer):
        yield Gold(places[first][0], places[end - 1][1], found[first, end])


def _tokens(text: str, rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    at = 0
    for row in rows:
        start = text.find(row[1], at)
        start = at if start < 0 else start
        at = start + len(row[1])
        yield start, at


def _gum_spans(rows: Sequence[Sequence[str]]) -> Iterator[tuple[int, int, str]]:
    """Tokens ``[first, end)`` and the type of each entity."""
    opened: dict[str, list[tuple[int, str]]] = {}
    for at, row in enumerate(rows):
        entity = next((each[7:] for each in row[9].split("|") if each.startswith("Entity=")), "")
        for piece in re.findall(r"\([^()]*\)?|\d+(?:\[[^\]]*\])?\)", entity):
            if piece.startswith("("):
                number, class_, *_ = piece.strip("()").split("-")
                if piece.endswith(")"):
                    yield at, at + 1, class_
                else:
                    opened.setdefault(number, []).append((at, class_))
            else:
                number = piece.rstrip(")")
                if opened.get(number):
                    first, class_ = opened[number].pop()
                    yield first, at + 1, class_


def _named(rows: Sequence[Sequence[str]], first: int, end: int) -> tuple[int, int] | None:
    """The part of an entity that names it: words with capitals around its head."""
    inside = {row[0] for row in rows[first:end]}
    heads = [at for at in range(first, end) if rows[at][6] not in inside]
    head = heads[0] if heads else end - 1
    if rows[head][3] != "PROPN" or not any(c.isupper() for c in rows[head][1]):
        return None
    low, high = head, head + 1
    while high < end:
        if _is_name_word(rows[high]):
            high += 1
            continue
        ahead = high
        while ahead < end and rows[ahead][1] in JOINTS:
            ahead += 1
        if high < ahead < end and ahead - high <= 2 and _is_name_word(rows[ahead]):
            high = ahead + 1
            continue
        break
    while low > first:
        if _is_name_word(rows[low - 1]):
            low -= 1
            continue
        behind = low - 1
        while behind > first and rows[behind][1] in JOINTS:
            behind -= 1
        if behind < low - 1 and low - behind <= 3 and _is_name_word(rows[behind]):
            low = behind
            continue
        break
    return low, high


def _is_name_word(row: Sequence[str]) -> bool:
    word = row[1]
    return row[3] in ("PROPN", "NOUN", "ADJ", "NUM", "X", "VERB") and (
        word[0].isupper() or word[0].isdigit()
    )
