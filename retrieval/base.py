"""The seam of retrieval: what a retriever is, what it is given, and what it tells.

::

    from hlg.retrieval.base import SearchSession, Trace
    from hlg.retrieval.registry import RETRIEVERS, open_retriever

    trace = Trace()
    session = SearchSession(store, embedder, snapshots, trace)
    hits = open_retriever("statement-graph", session, {"depth": 2}).retrieve(question, top_k)
    trace.timings_ms       milliseconds by stage, in order
    trace.explanation()    keywords, what diversity dropped, what was not walked, notes

``snapshots`` is a :class:`hlg.retrieval.arrays.source.SnapshotSource` (or any function that
gives a snapshot, or None where the graph is too large for the memory and is walked in its
store). A retriever proposes candidates; the one pipeline in
:mod:`hlg.retrieval.pipeline` reranks, diversifies, maps back and cites them.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from hlg.errors import ModelError, UsageError
from hlg.models.base import Embedder
from hlg.records import Hit
from hlg.reports import Explanation
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.store.base import GraphStore

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

STATEMENT = "Statement"
CHUNK = "Chunk"
ENTITY = "Entity"
COMMUNITY = "Community"

LONGEST_QUESTION = 10_000
"""Characters of a question that a language model reads."""
PATIENCE = 5.0
"""Seconds after which a language model that fails is not asked again: somebody waits."""


class Retriever(Protocol):
    """Finds evidence for a question."""

    @property
    def name(self) -> str: ...

    def retrieve(self, query: str, top_k: int) -> list[Hit]:
        """At most ``top_k`` hits, best first, each passage once.

        :raises UsageError: the question is empty, or ``top_k`` below 1.
        """


class Trace:
    """What one search did: time by stage, and what an explanation needs."""

    def __init__(self) -> None:
        self.timings_ms: dict[str, float] = {}
        self.keywords: tuple[str, ...] = ()
        self.dropped: dict[str, str] = {}
        """Passage left out to the hit that it repeats."""
        self.not_walked: dict[str, int] = {}
        """Entity too common to walk through to the number of its statements."""
        self.notes: list[str] = []
        self.warnings: list[str] = []
        """Those of the notes that say what went otherwise than asked."""
        self.confidence = 0.0
        """The chance that one of the first hits holds evidence."""
        self.answer = ""
        """What a language model made of the evidence, where a retriever asks one."""

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Add the time that the block takes to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = (time.perf_counter() - start) * 1000
            self.timings_ms[name] = self.timings_ms.get(name, 0.0) + spent

    def warn(self, note: str) -> None:
        """Note that something went otherwise than asked, such as a model that failed; once."""
        if note not in self.warnings:
            self.warnings.append(note)
            self.notes.append(note)

    def explanation(self) -> Explanation:
        """All but the timings, as the record that hlg reports."""
        return Explanation(
            keywords=self.keywords,
            dropped=dict(self.dropped),
            not_walked=dict(self.not_walked),
            notes=tuple(self.notes),
        )


@dataclass(frozen=True, slots=True)
class SearchSession:
    """What all retrievers of a graph share, and the trace of the search at hand."""

    store: GraphStore
    embedder: Embedder
    snapshots: Callable[[], Snapshot | None]
    trace: Trace = field(default_factory=Trace)
    recognize: Callable[[str], Sequence[str]] = lambda text: ()
    """The names in a question, as the extractor that built the graph would find them."""
    door: Callable[[], "ModelDoor | None"] = lambda: None
    """The door to the language model, where there is one."""
    is_restricted: bool = False
    """Whether ``snapshots`` gives some of the graph's sources alone."""

    def require_door(self, option: str) -> "ModelDoor":
        """The door to the language model that an option of a retriever needs.

        :raises UsageError: there is none; says what to set.
        """
        door = self.door()
        if door is None:
            raise UsageError(
                f"{option} needs a language model, and none is set; set llm and llm_url in "
                f"hlg.toml, or leave {option} out",
                option=option.partition("=")[0],
            )
        return door

    def snapshot(self) -> Snapshot | None:
        """The graph as arrays, or None where it is too large for the memory."""
        with self.trace.stage("snapshot"):
            return self.snapshots()


class Query:
    """A question's text, with what is made of it at most once.

    :param passage: one that would answer it; the vector is then half-way to that passage's.
    """

    def __init__(self, text: str, session: SearchSession, passage: str = "") -> None:
        self.text = text.strip()
        if not self.text:
            raise UsageError("the question is empty; ask for something", option="query")
        self._session = session
        self._passage = passage

    @cached_property
    def vector(self) -> NDArray[np.float32]:
        """Its embedding, shape (d,), unit length."""
        return np.asarray(self.vectors[0], np.float32)

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """Its embedding, then those of its clauses, shape (1 + clauses, d)."""
        from hlg.retrieval.question.clauses import clauses

        with self._session.trace.stage("embed"):
            vectors = self._session.embedder.embed_spans(self.text, clauses(self.text))
            if self._passage:
                mean = vectors[0] + self._session.embedder.embed([self._passage])[0]
                vectors = np.vstack([mean / np.linalg.norm(mean), vectors[1:]])
            return np.asarray(vectors, np.float32)

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """Its keywords (eq. 1), normalised as entities' names are: by the language model where
        there is one and it answers, else its own words."""
        from hlg.retrieval.question.keywords import asked_keywords, extract_keywords

        trace, door = self._session.trace, self._session.door()
        found: tuple[str, ...] = ()
        with trace.stage("keywords"):
            if door is not None:
                try:
                    found = tuple(asked_keywords(door, self.text))
                except ModelError as error:
                    trace.warn(f"keywords are the question's own words: {error}")
            found = found or tuple(extract_keywords(self.text))
        trace.keywords = found
        return found


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a candidate's path, by id; ``via`` is the name of what led here.

    ``name`` is for steps that are no passages: an entity's or a topic's.
    """

    label: str
    id: str
    via_label: str = ""
    via: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement or chunk that a search proposes; ``path`` ends in it, or is empty."""

    label: str
    id: str
    score: float
    signals: Mapping[str, float] = field(default_factory=dict)
    path: tuple[Step, ...] = ()
