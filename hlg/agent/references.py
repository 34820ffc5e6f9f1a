"""What an agent calls what it was shown: ``turn1search4``, from one counter for all tools."""

from threading import Lock
from typing import Protocol

from hlg.errors import UsageError
from hlg.records import Passage

MOST_NAMED = 12


class PassageNames(Protocol):
    """Names that passages are shown by, and what each of them stands for."""

    def of(self, passage: Passage) -> str:
        """The name of a passage."""

    def __getitem__(self, reference: str) -> Passage:
        """The passage of a name; its source and its span are what counts.

        :raises UsageError: there is none.
        """


class References:
    """Passages by reference; safe for any number of threads.

    A passage that is met again keeps its reference, so that what was read once can be used
    again. ``turn`` is the number of the question in a conversation.
    """

    def __init__(self) -> None:
        self.turn = 1
        self._passages: dict[str, Passage] = {}
        self._ids: dict[tuple[str, int, int], str] = {}
        self._lock = Lock()

    def of(self, passage: Passage) -> str:
        """The reference of a passage, a new one where it has none yet."""
        with self._lock:
            place = passage.id, passage.start, passage.end
            known = self._ids.get(place)
            if known is None:
                known = f"turn{self.turn}search{len(self._ids)}"
                self._ids[place] = known
                self._passages[known] = passage
            return known

    def __getitem__(self, reference: str) -> Passage:
        """The passage of a reference.

        :raises UsageError: there is none of that name; says which there are.
        """
        found = self._passages.get(reference.strip("[] "))
        if found is None:
            names = list(self._passages)
            there = ", ".join(names[-MOST_NAMED:]) or "none yet: search first"
            more = f" and {len(names) - MOST_NAMED} earlier" if len(names) > MOST_NAMED else ""
            raise UsageError(
                f"no reference {reference[:60]!r}; there are {there}{more}",
                option="reference_id",
                known=names,
            )
        return found
