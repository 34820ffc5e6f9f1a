"""What reading a language takes: a parse, and what one sentence says."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.lists import Lead, Thing
from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.ingest.extract.local.parse import Sentence


class Reading(ABC):
    """One sentence of a document: its names by key, and its facts where any are known."""

    @abstractmethod
    def settle_title(self, title: str) -> None:
        """Link the first sentence's subject to the title where it is a form of it."""

    @abstractmethod
    def has_named_subject(self, first: int, end: int) -> bool:
        """Whether what stands between two tokens says what it is about."""

    @abstractmethod
    def fill(self, draft: Draft, first: int, end: int, facts: list[DraftFact]) -> None:
        """Put names, facts and key phrases between two tokens into a draft."""

    def facts(self) -> Iterator[tuple[int, DraftFact]]:
        """Facts, each with the token of its object."""
        yield from ()

    def lead(self) -> Lead | None:
        """What the sentence says of each item below it, if it ends with a colon."""
        return None

    def item(self) -> Thing | None:
        """What the sentence names, where it is an item that names a thing."""
        return None


@dataclass(frozen=True, slots=True)
class Grammar:
    """How a language is read.

    ``parse`` gives the sentences of each block of text; ``read`` takes a sentence, the names
    and the focus of the text before it, known names as lower-cased words, and the key of whose
    turn in a chat it is. ``class_of_name`` is the class that the words of a name give away, or
    the empty string: always that where the lists of words, which are English, don't serve.
    """

    parse: Callable[[Iterable[tuple[int, str]]], Iterator[list[Sentence]]]
    read: Callable[[Sentence, DocumentNames, Focus, Sequence[tuple[str, ...]], str | None], Reading]
    class_of_name: Callable[[str], str] = lambda name: ""
