"""How large an input may be."""

import time
from dataclasses import dataclass, field

from hlg.errors import InputError

MEBIBYTE = 2**20


@dataclass(frozen=True, slots=True)
class Limits:
    """What one file may take: bytes as it lies there, bytes unpacked, seconds."""

    file_bytes: int = 32 * MEBIBYTE
    unpacked_bytes: int = 64 * MEBIBYTE
    seconds: float = 300.0

    def out_of_time(self) -> InputError:
        """What is said of a file that takes longer than is allowed; names the setting."""
        return InputError(
            f"takes more than {self.seconds:g} s to read; raise the setting document_seconds"
        )


@dataclass(slots=True)
class Spent:
    """What reading one file, with all that is packed in it, has taken so far."""

    limits: Limits
    characters: int = 0
    unpacked: int = 0
    started: float = field(default_factory=time.monotonic)

    def left(self) -> float:
        """The seconds that are left."""
        return self.limits.seconds - (time.monotonic() - self.started)

    def add(self, text: str) -> None:
        """Count a piece of text that came out of the file.

        :raises InputError: it is too much, or it took too long.
        """
        self.characters += len(text)
        self._check(self.characters)

    def unpack(self, size: int) -> None:
        """Count bytes that were packed in the file.

        :raises InputError: they are too many, or it took too long.
        """
        self.unpacked += size
        self._check(self.unpacked)

    def _check(self, size: int) -> None:
        if size > self.limits.unpacked_bytes:
            raise InputError(
                f"unpacks to more than {self.limits.unpacked_bytes / MEBIBYTE:.4g} MiB; "
                "raise the setting max_unpacked_mb"
            )
        if self.left() <= 0:
            raise self.limits.out_of_time()


def check_size(size: int, limit: int, what: str) -> None:
    """Refuse what is larger than ``limit`` bytes.

    :raises InputError: it is; names the setting that allows more.
    """
    if size > limit:
        raise InputError(
            f"a {what} of more than {limit / MEBIBYTE:.4g} MiB; raise the setting max_file_mb"
        )
