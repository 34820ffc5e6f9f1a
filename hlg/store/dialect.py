"""How a database that speaks Cypher is worked with, and what each one says for itself.

A dialect (Ladybug, Neo4j) says how its database runs work, and fills the hooks at the end of
:class:`Dialect`: what its planner or its indexes want done in another way.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, Unpack
from uuid import uuid4

from hlg.cypher import Filled
from hlg.errors import StoreError, StoreMissing
from hlg.records import Scored
from hlg.store.records import (
    Continuation,
    GraphInfo,
    Keywords,
    Relations,
    Seed,
    StoreHealth,
    Vector,
    WalkStep,
)
from hlg.store.shared import checking
from hlg.store.shared.reading import GRAPH, Change, Named, Rows, Run
from hlg.store.shared.rows import GraphRows, NodeRow, Relation, Strength

Given = ParamSpec("Given")
Result = TypeVar("Result")


class Database(Protocol):
    """Runs work in transactions. Work may run more than once, so it holds no state of its own."""

    calls: int

    def read(self, work: Callable[[Run], Result], /) -> Result:
        """Run work in one transaction that only reads."""

    def write(self, work: Callable[[Change], Result], /) -> Result:
        """Run work in one transaction that is committed when work returns."""

    def close(self) -> None: ...


class Dialect(ABC):
    """A store's database: what is known of its graph, transactions, and the hooks of a dialect.

    ``address`` says where the graph is, as a person would write it, without a password.
    """

    _keeps_info = False
    """Whether nobody else moves the revision while this store is open."""

    def __init__(self, address: str, database: Database, graph: str = "") -> None:
        self.address = address
        self._graph = graph
        self._database = database
        self._info: GraphInfo | None = None

    @property
    def calls(self) -> int:
        """How many calls this object has sent to its database (transactions count as one)."""
        return self._database.calls

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def info(self) -> GraphInfo | None:
        """What the store knows of its graph; None before it was set up."""
        if self._info is None or not self._keeps_info:
            self._info = self._database.read(self._read_info)
        return self._info

    def require(self) -> GraphInfo:
        """The same where a graph has to be there.

        :raises StoreMissing: there is none.
        :raises StoreLocked: another process is building it for the first time.
        :raises StoreMismatch: an hlg of another schema version made it.
        """
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

    def _read(self, work: Callable[[Run], Result]) -> Result:
        self._known()
        return self._database.read(work)

    def _change(
        self,
        work: Callable[[Change, str], Result],
        is_moved: Callable[[Result], bool] = lambda _: True,
    ) -> Result:
        """Run work, which is told the next revision, and move there in the same transaction."""
        info = replace(self._known(), revision=uuid4().hex)

        def change(run: Change) -> Result:
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

    def _read_info(self, run: Run) -> GraphInfo | None:
        rows = run("read/graph_info", GRAPH)
        return GraphInfo(**rows[0]) if rows else None

    def _before_change(self, run: Run) -> None:  # noqa: B027  (there may be nothing)
        """What a transaction that writes does first."""

    @abstractmethod
    def _create_nodes(self, run: Run, label: str, rows: Sequence[NodeRow]) -> None:
        """Create nodes of a label, with their vectors."""

    @abstractmethod
    def _merge_facts(self, run: Change, rows: GraphRows) -> dict[str, NodeRow]:
        """Write facts and entities, which may be there already, with what links them.

        Returns the facts by id as the graph has them.
        """

    @abstractmethod
    def _add_to_relations(self, run: Change, strengths: Mapping[Relation, Strength]) -> None:
        """Add to the strength of relations, which are made where missing."""

    def _after_merges(self, run: Change, ids: Collection[str]) -> None:  # noqa: B027  (the same)
        """What follows for entities whose merges changed."""

    @abstractmethod
    def _nearest(self, run: Run, label: str, vector: Vector, top_k: int) -> Rows:
        """The nodes of a label nearest to a vector: rows of id and score."""

    @abstractmethod
    def _matching(self, label: str, query: str, top_k: int) -> list[Scored]:
        """See :meth:`hlg.store.base.GraphStore.text_search`."""

    @abstractmethod
    def _look_up(self) -> Named:
        """How entities are found by name, made ready outside of a transaction."""

    @abstractmethod
    def _seeds(
        self, run: Run, keywords: Keywords, vector: Vector, top_k: int, topics: int
    ) -> tuple[list[Seed], list[Seed]]:
        """See :meth:`hlg.store.base.GraphStore.seeds`."""

    @abstractmethod
    def _continuations(
        self, run: Run, named: Named, step: WalkStep
    ) -> tuple[list[Continuation], dict[str, int]]:
        """See :meth:`hlg.store.base.GraphStore.continuations`."""

    @abstractmethod
    def _relations(self, run: Run) -> Relations:
        """See :meth:`hlg.store.base.GraphStore.relations`."""


def in_one_read(
    work: Callable[Concatenate[Run, Given], Result],
) -> Callable[Concatenate[Dialect, Given], Result]:
    """A store's method that does work in one transaction, with the work's own docstring."""

    @wraps(work)
    def method(store: Dialect, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return store._read(lambda run: work(run, *args, **kwargs))

    return method
