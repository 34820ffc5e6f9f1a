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

    def find(self, key: str) -> int:
        """Row of a string in a column sorted by its UTF-8 bytes; -1 where it is absent."""
        wanted = key.encode("utf-8", "replace")
        # Half the time of indexing the arrays themselves.
        data, offsets = self.data.data, self.offsets.data
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if data[offsets[middle] : offsets[middle + 1]].tobytes() < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self._bytes(low) == wanted else -1

    def _bytes(self, i: int) -> bytes:
        return self.data[self.offsets[i] : self.offsets[i + 1]].tobytes()
