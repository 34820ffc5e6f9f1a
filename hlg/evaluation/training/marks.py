"""Files of what people marked, a line each: set, document, what was marked, and the mark."""

from collections.abc import Collection, Iterator
from pathlib import Path

from hlg.errors import InputError

__all__ = ["mark_lines"]


def mark_lines(path: Path, marked: str, marks: Collection[str]) -> Iterator[list[str]]:
    """The four fields of each line of a TSV file.

    :param marked: what the third field is called.
    :param marks: what the last may be.
    :raises InputError: a line is none; says which.
    """
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        fields = line.split("\t")
        if len(fields) != 4 or fields[3] not in marks:
            raise InputError(
                f"{path}:{number}: not set, document, {marked} and one of {sorted(marks)}"
            )
        yield fields
