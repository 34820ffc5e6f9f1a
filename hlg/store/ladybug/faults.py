"""What the Ladybug engine says of a file, as errors of :mod:`hlg.errors`."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hlg.errors import StoreError, StoreMismatch
from hlg.store.ladybug import locks
from hlg.store.ladybug.place import denied, unwritten

_LOCK_HOLDER = re.compile(r"held by PID (\d+)")
_VERSIONS = re.compile(r"file version: (\d+), Current build storage version: (\d+)")
_UNWRITTEN = re.compile(r"Cannot (?:write to|truncate) file|Failed to sync file|No space left")
_DAMAGED = re.compile(
    r"may be corrupted|Cannot read checkpoint|Reading past the end|Storage exception"
    r"|Assertion failed|Cannot read from file"
)
_ENGINE_ERRORS = (RuntimeError, MemoryError, ValueError, IndexError, OverflowError)
"""What the exceptions of C++ are in Python."""


@contextmanager
def translated_errors(path: Path) -> Iterator[None]:
    """The engine's errors as those of :mod:`hlg.errors`, in one line."""
    try:
        yield
    except _ENGINE_ERRORS as error:
        raise _translated(path, error) from error


def _translated(path: Path, error: Exception) -> StoreError:
    problem = str(error).splitlines()[0] if str(error) else type(error).__name__
    if "Could not set lock" in problem:
        found = _LOCK_HOLDER.search(problem)
        return locks.locked_by(path, int(found[1]) if found else None)
    if "checkpoint recovery is pending" in problem:
        return locks.locked_by(path, None)
    if "not a valid Lbug database" in problem:
        said = f"{path} is not a Ladybug database; choose another --store"
        return StoreError(said, address=str(path))
    if "empty database under READ ONLY" in problem:
        return locks.absent(path)
    if versions := _VERSIONS.search(problem):
        return _of_other_version(path, *map(int, versions.groups()))
    if _UNWRITTEN.search(problem):
        return unwritten(path, problem.rpartition("Error: ")[2])
    if problem.startswith("IO exception: Cannot open"):
        return denied(path, problem.rpartition(": ")[2])
    if not isinstance(error, RuntimeError) or _DAMAGED.search(problem):
        said = f"{path} is damaged; bring back a copy of it, or build it anew in another --store"
        return StoreError(said, address=str(path))
    return StoreError(f"{path}: {problem}", address=str(path))


def _of_other_version(path: Path, its: int, ours: int) -> StoreMismatch:
    advice = "update hlg" if its > ours else "open it with that one"
    return StoreMismatch(
        f"{path} was written by {'a newer' if its > ours else 'an older'} hlg (format {its} of "
        f"Ladybug's files; this one has {ours}): {advice}, or build it anew in another --store",
        address=str(path),
    )
