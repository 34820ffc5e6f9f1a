"""Files of what people marked, a line each: set, document, what was marked, and the mark."""

import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hlg.errors import InputError

__all__ = ["FACT_MARKS", "NAME_MARKS", "Key", "Marks", "lines_of", "read_marks"]

FACT_MARKS = {mark: at for at, mark in enumerate(("r", "wc", "wg", "wn", "ws", "wv"))}
"""Of a fact: right; or wrong: cut short, no grammar, a denial or condition lost, the wrong
subject or object, or saying nothing."""
NAME_MARKS = {letter: at for at, letter in enumerate("PLOWEGCAX")} | {"D": 6, "T": 6}
"""The class of each letter: person, place, organisation, work, event, group of people, term
(also D, a product, and T, any other name), animal, and no name at all."""
Key = tuple[str, str, str]
"""Set, id of the document, and what was marked as it is shown."""


@dataclass(frozen=True, slots=True)
class Marks:
    """What people said of facts and of names."""

    facts: Mapping[Key, str]
    names: Mapping[Key, str]

    def documents(self) -> set[tuple[str, str]]:
        """Set and id of every document that something was marked in."""
        return {key[:2] for key in (*self.facts, *self.names)}


def read_marks(facts: Path, names: Path) -> Marks:
    """The marks of two TSV files.

    :raises InputError: a line is none; says which.
    """
    return Marks(_read(facts, "fact", FACT_MARKS), _read(names, "name", NAME_MARKS))


def lines_of(path: Path) -> list[str]:
    """The lines of a text that may be compressed (``.xz``)."""
    if path.suffix == ".xz":
        return lzma.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return path.read_text("utf-8").splitlines()


def _read(path: Path, marked: str, marks: Mapping[str, int]) -> dict[Key, str]:
    found: dict[Key, str] = {}
    for number, line in enumerate(lines_of(path), 1):
        fields = line.split("\t")
        if len(fields) != 4 or fields[3] not in marks:
            raise InputError(
                f"{path}:{number}: not set, document, {marked} and one of {sorted(marks)}"
            )
        found[fields[0], fields[1], fields[2]] = fields[3]
    return found
