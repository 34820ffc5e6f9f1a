"""How a database that speaks Cypher is worked with, and what each one says for itself.

A dialect (Ladybug, Neo4j) says how its database runs work, and fills the hooks at the end of
:class:`Dialect`: what its planner or its indexes want done in another way.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, Unpack
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from hlg.cypher import Filled
from hlg.errors import StoreError, StoreMissing
from hlg.records import Merges, Scored, SourceGraph
from hlg.schema import GRAPH_NODE_ID
from hlg.store.base import Keywords
from hlg.store.records import Continuation, GraphInfo, Relations, Seed, StoreHealth, WalkedPath
from hlg.store.shared import checking
from hlg.store.shared.reading import Rows, Run, SeenEntity
from hlg.store.shared.rows import EdgeKind, NodeRow, Sent

GRAPH = {"id": GRAPH_NODE_ID}
"""The parameter of statements about the graph's own node."""
Vector: TypeAlias = NDArray[np.float32]
RunT = TypeVar("RunT", bound=Run)
RunT_co = TypeVar("RunT_co", bound=Run, covariant=True)
Result = TypeVar("Result")
Named: TypeAlias = Callable[[RunT, Sequence[str]], list[SeenEntity]]
"""The entities, as a walk sees them, whose normalised name or alias is one of these."""


@dataclass(frozen=True, slots=True)
class WalkStep:
    """What a walk asks next; see :meth:`hlg.store.base.GraphStore.continuations`."""

    paths: Sequence[WalkedPath]
    vector: Vector
    seen: Sequence[Collection[str]]
    max_degree: int
    max_neighbours: int
    limit: int
    texts: bool


class Database(Protocol[RunT_co]):
    """Runs work in transactions. Work may run more than once, so it holds no state of its own."""

    calls: int

    def read(self, work: Callable[[RunT_co], Result], /) -> Result:
        """Run work in one transaction that only reads."""

    def write(self, work: Callable[[RunT_co], Result], /) -> Result:
        """Run work in one transaction that is committed when work returns."""

    def close(self) -> None: ...


class Dialect(ABC, Generic[RunT]):
    """A store's database: what is known of its graph, transactions, and the hooks of a dialect."""

    _keeps_info = False
    """Whether nobody else moves the revision while this store is open."""

    def __init__(self, address: str, database: Database[RunT], graph: str = "") -> None:
        self.address = address
        self._graph = graph
        self._database = database
        self._info: GraphInfo | None = None

    @property
    def calls(self) -> int:
        return self._database.calls

    def close(self) -> None:
        self._database.close()

    def info(self) -> GraphInfo | None:
        if self._info is None or not self._keeps_info:
            self._info = self._database.read(self._read_info)
        return self._info

    def require(self) -> GraphInfo:
        info = self.info()
        if info is None:
            raise self._absent()
        checking.check_version(self.address, info)
        return info

    def _known(self) -> GraphInfo:
        """What is known of the graph, as of some revision."""
        if self._info is None:
            return self.require()
        checking.check_version(self.address, self._info)
        return self._info

    def _absent(self) -> StoreError:
        """What says that there is no graph."""
        named = f" {self._graph!r}" if self._graph else ""
        return StoreMissing(
            f"no graph{named} in {self.address}; hlg build makes one", address=self.address
        )

    def _points_somewhere(self, vector: Vector) -> bool:
        """Whether a vector has a direction; one of zeros is near to nothing."""
        checking.check_vector(self.address, vector, self._known().dimensions)
        return bool(vector.any())

    def _run(
        self, name: str, parameters: Mapping[str, Any] | None = None, /, **filled: Unpack[Filled]
    ) -> Rows:
        """What one statement that reads returns, in a transaction of its own."""
        return self._database.read(lambda run: run(name, parameters or {}, **filled))

    def _read(self, work: Callable[[RunT], Result]) -> Result:
        self._known()
        return self._database.read(work)

    def _change(
        self,
        work: Callable[[RunT, str], Result],
        is_moved: Callable[[Result], bool] = lambda _: True,
    ) -> Result:
        """Run work, which is told the next revision, and move there in the same transaction."""
        info = replace(self._known(), revision=uuid4().hex)

        def change(run: RunT) -> Result:
            self._before_change(run)
            result = work(run, info.revision)
            if is_moved(result):
                run("write/set_revision", GRAPH | {"revision": info.revision})
            return result

        with self._addressed():
            result = self._database.write(change)
        if is_moved(result):
            self._info = info
        return result

    @contextmanager
    def _addressed(self) -> Iterator[None]:
        """Errors of checks, which know no store, with its address."""
        try:
            yield
        except StoreError as error:
            error.address = error.address or self.address
            raise

    # What a dialect says for itself

    @abstractmethod
    def health(self) -> StoreHealth:
        """The database's version, and whether the graph's indexes are there and answer."""

    @abstractmethod
    def _make(self, info: GraphInfo, *, anew: bool) -> None:
        """Create what is missing of the schema, and, ``anew``, the node that holds ``info``."""

    def _read_info(self, run: RunT) -> GraphInfo | None:
        rows = run("read/graph_info", GRAPH)
        return GraphInfo(**rows[0]) if rows else None

    def _before_change(self, run: RunT) -> None:
        """What a transaction that writes does first."""

    @abstractmethod
    def _create_nodes(self, run: RunT, label: str, rows: Sequence[NodeRow]) -> None:
        """Create nodes of a label, with their vectors."""

    @abstractmethod
    def _send(self, run: RunT, name: str, rows: Sent, *, edge: EdgeKind | None = None) -> None:
        """Give rows, where there are any, to a statement that writes."""

    @abstractmethod
    def _write_graphs(self, run: RunT, graphs: Sequence[SourceGraph]) -> None:
        """Write checked graphs, each in place of its older self."""

    @abstractmethod
    def _delete_graphs(self, run: RunT, source_ids: Sequence[str]) -> tuple[int, Merges]:
        """Delete sources; returns how many there were, and merges that went with entities."""

    def _after_merges(self, run: RunT, ids: Collection[str]) -> None:
        """What follows for entities whose merges changed."""

    @abstractmethod
    def _nearest(self, run: RunT, label: str, vector: Vector, top_k: int) -> Rows:
        """The nodes of a label nearest to a vector: rows of id and score."""

    @abstractmethod
    def _matching(self, label: str, query: str, top_k: int) -> list[Scored]:
        """See :meth:`text_search`."""

    @abstractmethod
    def _look_up(self) -> Named[RunT]:
        """How entities are found by name, made ready outside of a transaction."""

    @abstractmethod
    def _seeds(
        self, run: RunT, keywords: Keywords, vector: Vector, top_k: int, topics: int
    ) -> tuple[list[Seed], list[Seed]]:
        """See :meth:`seeds`."""

    @abstractmethod
    def _continuations(
        self, run: RunT, named: Callable[[Sequence[str]], list[SeenEntity]], step: WalkStep
    ) -> tuple[list[Continuation], dict[str, int]]:
        """See :meth:`continuations`."""

    @abstractmethod
    def _relations(self, run: RunT) -> Relations:
        """See :meth:`relations`."""
