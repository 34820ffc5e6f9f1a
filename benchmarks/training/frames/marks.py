"""Sentences with every fact that they state, as people marked them."""

import csv
import json
import lzma
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Piece = tuple[int, int]
"""Offsets into the sentence's text."""
BE = frozenset(("is", "was", "are", "were", "be", "been", "being"))
HAVE = frozenset(("has", "have", "had"))


@dataclass(frozen=True, slots=True)
class MarkedFrame:
    """One predicate with its arguments; ``predicate`` is empty where no word states it.

    ``subjects`` and each argument, ``(role, pieces)``, are coordinated items.
    """

    kind: str
    predicate: tuple[Piece, ...]
    subjects: tuple[Piece, ...]
    arguments: tuple[tuple[str, Piece], ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """A sentence: where it is from, its frames, and its names ``(start, end, class)``, None where
    they were not marked; ``terms``: concepts are among them.

    ``style`` is 0 where tuples are cut our way, 1 where CaRB's.
    """

    genre: str
    document: str
    text: str
    frames: tuple[MarkedFrame, ...]
    names: tuple[tuple[int, int, str], ...] | None = ()
    style: int = 0
    terms: bool = True


def read_marks(path: Path, data: Path) -> list[Marked]:
    """The sentences of a file of marks, one a line of JSON.

    :param data: has a folder for each corpus of which sentences are marked; their words are
        read there.
    """
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows: list[dict[str, Any]] = [json.loads(line) for line in file]
    texts = corpus_texts(data, {row["set"] for row in rows if "text" not in row})
    return [_marked(row, texts) for row in rows]


def corpus_texts(data: Path, names: Iterable[str]) -> dict[str, dict[str, str]]:
    """The texts of corpora by their names and ids; ``data`` has a folder for each."""
    texts: dict[str, dict[str, str]] = {}
    for name in names:
        with (data / name / "corpus.jsonl").open(encoding="utf-8") as file:
            texts[name] = {each["_id"]: each["text"] for each in map(json.loads, file)}
    return texts


def _marked(row: dict[str, Any], texts: dict[str, dict[str, str]]) -> Marked:
    text = row.get("text") or " ".join(
        texts[row["set"]][row["document"]][row["start"] : row["end"]].split()
    )
    frames = tuple(
        MarkedFrame(
            kind,
            tuple((start, end) for start, end in predicate),
            tuple((start, end) for start, end in subjects),
            tuple((role, (start, end)) for role, (start, end) in arguments),
        )
        for kind, predicate, subjects, arguments in row["frames"]
    )
    names = tuple(map(tuple, row["names"])) if "names" in row else None
    source = f"{row['set']} {row['document']}"
    return Marked(row["genre"], source, text, frames, names, terms=row.get("terms", True))


def carb(path: Path) -> list[Marked]:
    """The sentences of CaRB's ``dev.tsv``: sentence, predicate, subject, object and more."""
    rows: dict[str, list[list[str]]] = {}
    with path.open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            rows.setdefault(row[0], []).append(row[1:])
    found = []
    for sentence, tuples in rows.items():
        frames = [frame for each in tuples if (frame := _carb_frame(sentence, each))]
        found.append(Marked("carb", sentence, sentence, tuple(frames), style=1))
    return found


def _carb_frame(text: str, columns: Sequence[str]) -> MarkedFrame | None:
    predicate, subject, *rest = columns
    words = predicate.split()
    pieces = tuple(_pieces(text, list(words)))
    kind = "stated"
    if not pieces or not any(word.lower() not in BE | HAVE for word in words):
        stated = [piece for piece in pieces if text[slice(*piece)].lower() in BE | HAVE]
        if not stated and words and words[0].lower() in BE:
            kind, pieces = "is", ()
        elif not stated and words and words[0].lower() in HAVE:
            kind, pieces = "has", ()
    if kind == "stated" and not pieces:
        return None
    subjects = tuple(_pieces(text, subject.split()))
    arguments = tuple(
        ("argument" if at == 0 else "any", piece)
        for at, column in enumerate(rest)
        for piece in _pieces(text, column.split())
    )
    if kind != "stated" and not arguments:
        return None
    return MarkedFrame(kind, pieces, subjects, arguments)


def _pieces(text: str, words: list[str]) -> Iterator[Piece]:
    """Where a column's words stand: whole if it can be, else by its longest runs."""
    while words:
        for length in range(len(words), 0, -1):
            wanted = " ".join(words[:length])
            place = re.search(rf"(?<!\S){re.escape(wanted)}(?!\S)", text)
            if place:
                yield place.span()
                break
        words = words[max(length, 1) :]
