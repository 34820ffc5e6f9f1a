"""How much a build has to read, and how much of it is done, in bytes of files."""

import re
from collections.abc import Mapping


class Extent:
    """The files of a build with their sizes; what is done of each is added up.

    A file of one document is done with it. A file of records is done by the characters of
    its records, and wholly once another file is passed: how many records it holds is known
    only at its end.
    """

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self.files = len(sizes)
        self._left = dict(sizes)
        self._total = sum(sizes.values())
        self._done = 0
        self._records = ""

    @property
    def share(self) -> float:
        """The part of all bytes that is done, from 0 to 1."""
        return self._done / self._total if self._total else 1.0

    def pass_by(self, uri: str, characters: int) -> None:
        """A document is done: all of its file, or ``characters`` of it where it is a record."""
        is_record = uri not in self._left
        file = file_of(uri) if is_record else uri
        if self._records not in ("", file):
            self._take(self._records, self._total)
        self._take(file, characters if is_record else self._total)
        self._records = file if is_record else ""

    def _take(self, file: str, size: int) -> None:
        left = self._left.get(file, 0)
        self._left[file] = max(0, left - size)
        self._done += min(left, size)


def file_of(uri: str) -> str:
    """The file of ``FILE``, of a record ``FILE#ID``, and of a bad line ``FILE:LINE``."""
    return re.sub(r"(?:#.*|:\d+)$", "", uri, flags=re.DOTALL)
