"""Every error that hlg raises on purpose, in one tree.

::

    HlgError                    exit code   retryable   carries
    ├── UsageError              2           no          option, known
    ├── InputError              1           no
    ├── StoreError              3           no          address
    │   ├── StoreMissing        3           no          address: no graph is there
    │   ├── StoreUnreachable    3           yes         address: nothing answers
    │   ├── StoreDenied         3           no          address: user, password or permission
    │   ├── StoreLocked         3           yes         address: open in a writer
    │   └── StoreMismatch       3           no          address: other embedder or schema
    ├── ModelError              4           no          model
    │   ├── AnswerAwaited       4           yes         model: the question is in a batch
    │   └── UnusableAnswer      4           no          model: it answered, but not what was asked
    └── BudgetReached           4           no          the next call might cost too much

A message has one line: what was wrong, where, and what to do about it. What a program needs to
act on it is in the error's attributes, so that it never has to read the message.
"""

from collections.abc import Iterable


class HlgError(Exception):
    """Base of all errors a caller of hlg may want to catch.

    ``exit_code`` is what the command line ends with; ``retryable`` says whether the
    same call may succeed later without anybody changing anything.
    """

    exit_code = 1
    retryable = False


class UsageError(HlgError):
    """An argument, option or setting is wrong.

    ``option`` is its name as a program spells it (``top_k``), where one is at fault;
    ``known`` holds the values it takes, where they can be listed.
    """

    exit_code = 2

    def __init__(
        self, message: str = "", *, option: str | None = None, known: Iterable[str] = ()
    ) -> None:
        super().__init__(message)
        self.option = option
        self.known = tuple(known)


class InputError(HlgError):
    """A document can't be read or understood."""


class StoreError(HlgError):
    """The database of the graph refused or failed.

    ``address`` is the store's path or URI, where it is known; ``retryable`` is the kind's
    unless the one who raises it knows better.
    """

    exit_code = 3

    def __init__(
        self, message: str = "", *, address: str | None = None, retryable: bool | None = None
    ) -> None:
        super().__init__(message)
        self.address = address
        if retryable is not None:
            self.retryable = retryable


class StoreMissing(StoreError):
    """There is no graph at the address, or it has nothing in it yet."""


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
    """A model is missing, damaged or of another version than the one pinned.

    ``model`` is the name it was asked for by.
    """

    exit_code = 4

    def __init__(self, message: str = "", *, model: str | None = None) -> None:
        super().__init__(message)
        self.model = model


class AnswerAwaited(ModelError):
    """A question was not asked, as it is in a batch whose answers are not there yet."""

    retryable = True


class UnusableAnswer(ModelError):
    """A language model answered nothing, or twice not what it was asked for."""


class BudgetReached(HlgError):
    """A language model was not asked, as its answer might have passed the budget.

    It is no fault of the model, and whatever is done ends with it.
    """

    exit_code = 4
