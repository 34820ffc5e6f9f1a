"""Every error that hlg raises on purpose, in one tree.

::

    HlgError                    exit code
    ├── UsageError              2   an argument, option or setting is wrong
    ├── InputError              1   a document can't be read
    ├── StoreError              3   the graph's database said no
    │   ├── StoreUnreachable    3   nothing answers at that address
    │   ├── StoreDenied         3   wrong user, password or permission
    │   ├── StoreLocked         3   another process is writing
    │   └── StoreMismatch       3   other embedder, dimensions or schema than asked for
    └── ModelError              4   a model is missing or damaged

A message has one line: what was wrong, where, and what to do about it.
"""

__all__ = [
    "HlgError",
    "InputError",
    "ModelError",
    "StoreDenied",
    "StoreError",
    "StoreLocked",
    "StoreMismatch",
    "StoreUnreachable",
    "UsageError",
]


class HlgError(Exception):
    """Base of all errors a caller of hlg may want to catch.

    ``exit_code`` is what the command line ends with; ``retryable`` says whether the
    same call may succeed later without anybody changing anything.
    """

    exit_code = 1
    retryable = False


class UsageError(HlgError):
    """An argument, option or setting is wrong."""

    exit_code = 2


class InputError(HlgError):
    """A document can't be read or understood."""

    exit_code = 1


class StoreError(HlgError):
    """The database of the graph refused or failed."""

    exit_code = 3


class StoreUnreachable(StoreError):
    """Nothing answers at the store's address, or it went away and stayed away."""

    retryable = True


class StoreDenied(StoreError):
    """The store answers, but not to this user and password."""


class StoreLocked(StoreError):
    """Another process holds the store's write lock."""

    retryable = True


class StoreMismatch(StoreError):
    """The store was written with another embedder, dimension or schema version."""


class ModelError(HlgError):
    """A model is missing, damaged or of another version than the one pinned."""

    exit_code = 4
