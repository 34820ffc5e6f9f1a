"""Extractors that ask a language model: all of it, or entities and facts alone."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeVar

from hlg.errors import AnswerAwaited, ModelError
from hlg.ids import source_id
from hlg.ingest.base import Extraction, Task, leaves
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.model.align import Aligner, left_out
from hlg.ingest.extract.model.answers import FoundGraph, StatementFacts
from hlg.ingest.extract.model.first_stage import AskedPropositions, FirstStage
from hlg.ingest.extract.model.records import Draft, assemble, with_facts
from hlg.ingest.extract.places import ChunkPlaces
from hlg.records import Chunk, Document, Statement
from hlg.settings import Domain
from hlg.words.lexicon import (
    ANIMAL,
    CONCEPT,
    EVENT,
    GROUP,
    ORGANIZATION,
    PERSON,
    PLACE,
    PRODUCT,
    WORK,
)

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

Item = TypeVar("Item")
Result = TypeVar("Result")

TOPICS_AND_FACTS, FACTS = "topics-and-facts", "facts"
"""Names of prompts."""
CLASSES = (PERSON, ORGANIZATION, PLACE, WORK, EVENT, PRODUCT, GROUP, ANIMAL, CONCEPT)
"""Those of the local extractor, so that graphs of both have their entities in common."""
LONGEST_TOPIC = 120
NO_TOPIC = "Text"
_HEADINGS = " > "


class ModelExtractor:
    """Two prompts a chunk: its propositions, then their topics, entities and facts.

    :param first: finds the propositions in place of the first prompt.
    """

    def __init__(self, door: "ModelDoor", domain: Domain, first: FirstStage | None = None) -> None:
        self._door = door
        self._first: FirstStage = AskedPropositions(door) if first is None else first
        self.threads = door.concurrency
        self._classes = domain.classes or CLASSES
        self._topics = domain.topics
        told = door.identity(*self._first.prompts, TOPICS_AND_FACTS)
        by = f"|{self._first.name}" if self._first.name else ""
        self.name = f"llm-1|{told}|{_named(domain)}{by}"

    def begin(self, document: Document, chunks: Sequence[Chunk]) -> Callable[[], Extraction]:
        """What is left to do once the chunks are made: to ask."""
        return partial(self.extract, document, chunks)

    def tasks(self, document: Document, chunks: Sequence[Chunk]) -> list[Task]:
        """What is asked of a document, a chunk each."""
        places = ChunkPlaces(chunks)
        then = (TOPICS_AND_FACTS,) if self._first.prompts else ()
        return [
            Task(len(each.text), partial(self._chunk, document, places, each), then)
            for each in leaves(chunks)
        ]

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """What a document says.

        :raises ModelError: the model does not answer for one of the chunks.
        """
        places = ChunkPlaces(chunks)
        found = _each(self._door, partial(self._chunk, document, places), leaves(chunks))
        return assemble(source_id(document.uri), found, self._classes)

    def _chunk(
        self, document: Document, places: ChunkPlaces, chunk: Chunk
    ) -> tuple[list[Draft], StatementFacts]:
        said = self.propositions(document, chunk)
        if not said:
            return [], StatementFacts(entities=[], facts=[])
        told = self.told(document, said)
        return self._drafts(document, places, chunk, said, told), told

    def propositions(self, document: Document, chunk: Chunk) -> list[str]:
        """What a chunk says, in sentences that stand by themselves, each once."""
        found = self._first.propositions(document, chunk)
        said = (" ".join(each.split()) for each in found)
        return list(dict.fromkeys(each for each in said if any(map(str.isalnum, each))))

    def told(self, document: Document, propositions: Sequence[str]) -> FoundGraph:
        """Topics, entities and facts of propositions."""
        material = {
            "topics": "\n".join(self._topics),
            "classes": "\n".join(self._classes),
            "title": document.title,
            "statements": _numbered(propositions),
        }
        return self._door.ask_json(TOPICS_AND_FACTS, FoundGraph, material).value

    def _drafts(
        self,
        document: Document,
        places: ChunkPlaces,
        chunk: Chunk,
        propositions: Sequence[str],
        told: FoundGraph,
    ) -> list[Draft]:
        topics = {
            number: topic.name for topic in reversed(told.topics) for number in topic.statements
        }
        otherwise = chunk.headings.rpartition(_HEADINGS)[2] or document.title or NO_TOPIC
        aligner = Aligner(chunk.text)
        drafts = []
        for number, said in enumerate(propositions, 1):
            topic = " ".join(topics.get(number, "").split())[:LONGEST_TOPIC] or otherwise
            span = aligner.span_of(said)
            if span is None:
                drafts.append(Draft(said, said, chunk.start, chunk.end, (chunk.id,), topic, ""))
                continue
            start, end = span[0] + chunk.start, span[1] + chunk.start
            text = document.text[start:end]
            chunk_ids = places.chunks_of(start, end)
            drafts.append(Draft(said, text, start, end, chunk_ids, topic, left_out(said, text)))
        return drafts


class FactExtractor:
    """The local extractor's statements and topics; one prompt a chunk for entities and facts."""

    def __init__(self, door: "ModelDoor", domain: Domain) -> None:
        self._door = door
        self.threads = door.concurrency
        self._classes = domain.classes or CLASSES
        self._local = LocalExtractor()
        self._parsing = Lock()
        self.name = f"llm-facts-1|{self._local.name}|{door.identity(FACTS)}|{_named(domain)}"

    def load(self) -> None:
        """Load the grammar's pipeline now."""
        self._local.load()

    def begin(self, document: Document, chunks: Sequence[Chunk]) -> Callable[[], Extraction]:
        """The local part; what is left to do is to ask."""
        with self._parsing:
            local = self._local.extract(document, chunks)
        return partial(self._asked, document, local)

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """What a document says.

        :raises ModelError: the model does not answer for one of the chunks.
        """
        return self.begin(document, chunks)()

    def tasks(self, document: Document, chunks: Sequence[Chunk]) -> list[Task]:
        """What is asked of a document, the statements of a chunk each."""
        with self._parsing:
            local = self._local.extract(document, chunks)
        return [
            Task(sum(len(_with_details(x)) for x in group), partial(self.facts, document, group))
            for group in _by_chunk(local)
        ]

    def _asked(self, document: Document, local: Extraction) -> Extraction:
        groups = _by_chunk(local)
        answers = _each(self._door, partial(self.facts, document), groups)
        told = [
            ([(each.id, _with_details(each)) for each in group], answer)
            for group, answer in zip(groups, answers, strict=True)
        ]
        return with_facts(local, told, self._classes)

    def facts(self, document: Document, statements: Sequence[Statement]) -> StatementFacts:
        """Entities and facts of statements of one chunk."""
        said = [_with_details(each) for each in statements]
        material = {
            "classes": "\n".join(self._classes),
            "title": document.title,
            "statements": _numbered(said),
        }
        return self._door.ask_json(FACTS, StatementFacts, material).value


def _by_chunk(local: Extraction) -> list[list[Statement]]:
    by_chunk: dict[str, list[Statement]] = {}
    for statement in local.statements:
        by_chunk.setdefault(statement.chunk_ids[0], []).append(statement)
    return list(by_chunk.values())


def _each(door: "ModelDoor", ask: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """``ask`` of each chunk, as many at once as the door allows.

    :raises ModelError: one failed; says which.
    """
    found: list[Result] = []
    try:
        found.extend(door.map(ask, items))
    except AnswerAwaited:
        raise
    except ModelError as error:
        where = f"chunk {len(found) + 1} of {len(items)}"
        raise ModelError(f"{where}: {error}", model=error.model) from error
    return found


def _numbered(statements: Sequence[str]) -> str:
    return "\n".join(f"{number}. {text}" for number, text in enumerate(statements, 1))


def _with_details(statement: Statement) -> str:
    text = " ".join(statement.text.split())
    return f"{text} ({statement.details})" if statement.details else text


def _named(domain: Domain) -> str:
    return f"{','.join(domain.classes)}|{','.join(domain.topics)}"
