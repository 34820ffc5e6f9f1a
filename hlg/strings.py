"""A column of strings as two arrays, so that it is mapped from disk and searched in place."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Strings:
    """A column of strings as one UTF-8 block; string i is ``data[offsets[i]:offsets[i + 1]]``."""

    offsets: NDArray[np.int64]
    data: NDArray[np.uint8]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Strings":
        """The column of these texts, in their order; what UTF-8 can't hold becomes ``?``."""
        encoded = [text.encode("utf-8", "replace") for text in texts]
        offsets = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(text) for text in encoded], out=offsets[1:])
        return cls(offsets, np.frombuffer(b"".join(encoded), np.uint8))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, i: int) -> str:
        return self._bytes(i).decode()

    def take(self, rows: Iterable[int]) -> "Strings":
        """The column of some rows, in their order."""
        return Strings.of(self[row] for row in rows)

    def find(self, key: str, within: tuple[int, int] | None = None) -> int:
        """Row of a string in a column sorted by its UTF-8 bytes; -1 where it is absent.

        :param within: the rows to look at, where they are known to be the only ones.
        """
        wanted = key.encode("utf-8", "replace")
        low, high = within or (0, len(self))
        row = self._first_from(wanted, low, high)
        return row if row < high and self._bytes(row) == wanted else -1

    def starting_with(self, prefix: str) -> tuple[int, int]:
        """The rows ``[low, high)`` of a sorted column that start with a prefix."""
        wanted = prefix.encode("utf-8", "replace")
        low = self._first_from(wanted, 0, len(self))
        # No UTF-8 text has this byte.
        return low, self._first_from(wanted + b"\xff", low, len(self))

    def _first_from(self, wanted: bytes, low: int, high: int) -> int:
        """The first row from ``low`` on that is not less, ``high`` where all are."""
        # Half the time of indexing the arrays themselves.
        data, offsets = self.data.data, self.offsets.data
        while low < high:
            middle = (low + high) // 2
            if data[offsets[middle] : offsets[middle + 1]].tobytes() < wanted:
                low = middle + 1
            else:
                high = middle
        return low

    def _bytes(self, i: int) -> bytes:
        return self.data[self.offsets[i] : self.offsets[i + 1]].tobytes()
