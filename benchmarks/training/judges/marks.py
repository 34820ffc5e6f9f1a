"""Files of names that people marked, a line each: set, document, name, and the mark."""

import lzma
from collections.abc import Mapping
from pathlib import Path

from hlg.errors import InputError

NAME_MARKS = {letter: at for at, letter in enumerate("PLOWEGCAX")} | {"D": 6, "T": 6}
"""The class of each letter: person, place, organisation, work, event, group of people, term
(also D, a product, and T, any other name), animal, and no name at all."""
Marks = Mapping[tuple[str, str, str], str]
"""Letters by set, id of the document, and the name as it is shown."""


def read_marks(path: Path) -> Marks:
    """The marks of a TSV file.

    :raises InputError: a line is none; says which.
    """
    found: dict[tuple[str, str, str], str] = {}
    for number, line in enumerate(lines_of(path), 1):
        fields = line.split("\t")
        if len(fields) != 4 or fields[3] not in NAME_MARKS:
            raise InputError(
                f"{path}:{number}: not set, document, name and one of {sorted(NAME_MARKS)}"
            )
        found[fields[0], fields[1], fields[2]] = fields[3]
    return found


def lines_of(path: Path) -> list[str]:
    """The lines of a text that may be compressed (``.xz``)."""
    if path.suffix == ".xz":
        return lzma.decompress(path.read_bytes()).decode("utf-8").splitlines()
    return path.read_text("utf-8").splitlines()
