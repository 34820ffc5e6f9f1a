"""The seam between hlg and its databases: what a graph store answers.

Each method is one Cypher statement, or one batch of them in a single transaction; none
is called once a row. Text goes in and comes out exactly as it was, NUL characters and
lone surrogates included. Errors are those of :mod:`hlg.errors`.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hlg.records import (
    Community,
    Embeddings,
    Entity,
    EntityPair,
    Merges,
    Passage,
    SameAs,
    Scored,
    Source,
    SourceGraph,
)
from hlg.store.records import (
    ChunksAround,
    Continuation,
    FactSupport,
    GraphInfo,
    Relations,
    Seed,
    StoreHealth,
    WalkedPath,
)
from hlg.store.source_text import SourceText
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits

Keywords = Mapping[str, Sequence[str]]
"""Keywords, each with the ids of the entities that it stands for."""
Row = dict[str, object]
"""One exported node or edge, plain values only."""


class GraphStore(Protocol):
    """A property graph with vector and full-text search that holds one named graph."""

    address: str
    """Where the graph is, as a person would write it, without a password."""

    @property
    def calls(self) -> int:
        """How many calls this object has sent to its database (transactions count as one)."""

    # Life

    def set_up(self, embedder: str, dimensions: int) -> None:
        """Create constraints, tables and indexes where missing; idempotent.

        :raises StoreMismatch: the graph holds vectors of another embedder or dimension.
        """

    def info(self) -> GraphInfo | None:
        """What the store knows of its graph; None before :meth:`set_up`."""

    def require(self) -> GraphInfo:
        """The same where a graph has to be there.

        :raises StoreMissing: there is none.
        :raises StoreLocked: another process is building it for the first time.
        :raises StoreMismatch: an hlg of another schema version made it.
        """

    def health(self) -> StoreHealth:
        """The database's version, and whether the graph's indexes are there and answer."""

    def close(self) -> None: ...

    # Writing

    def write(self, graphs: Sequence[SourceGraph]) -> None:
        """Write sources whole in one transaction, each in place of its older self.

        Entities and facts merge by id with those of other sources, and so do relations by their
        ends and predicate: the highest confidence stays. ``Entity.degree`` and
        ``RELATES_TO.weight`` are right afterwards; the revision moves.
        """

    def set_metadata(self, metadata: Mapping[str, Mapping[str, Any]]) -> None:
        """Give sources, by id, other metadata in one transaction; unknown ids are passed over."""

    def delete(self, source_ids: Sequence[str]) -> int:
        """Delete sources and what only they supported, in one transaction.

        Returns how many of the ids there were.
        """

    # Entities that are the same

    def merges(self) -> Merges:
        """All merges, and all pairs that a split keeps apart; one call."""

    def write_merges(self, merges: Sequence[SameAs]) -> None:
        """Merge entities into their canonical ones in one transaction; the revision moves.

        A merged entity stays as it is, but walks and looks up as its canonical one. A merge
        takes the place of the entity's older one, and pairs that it joins are no longer kept
        apart. When an entity goes with its last source, its merges go as well; where a
        source is replaced, they stay with the entities that it still has.

        :raises StoreError: an entity is unknown, or a canonical one is itself merged.
        """

    def remove_merges(self, entity_ids: Sequence[str], different: Sequence[EntityPair] = ()) -> int:
        """Undo the merges of entities in one transaction; the revision moves.

        Returns how many were merged. Pairs of ``different`` are kept apart from now on.

        :raises StoreError: an entity of a pair is unknown.
        """

    # Searching

    def vector_search(self, label: str, vector: NDArray[np.float32], top_k: int) -> list[Scored]:
        """The nodes of ``label`` nearest to a unit vector, by exact cosine, best first.

        Ties are broken by id, so that every store gives the same list.
        """

    def text_search(self, label: str, query: str, top_k: int) -> list[Scored]:
        """The nodes of ``label`` whose full text matches the words of ``query``, by BM25."""

    def entities_named(self, keys: Sequence[str]) -> list[Entity]:
        """The entities of any class whose normalised name or alias is one of ``keys``.

        With them all that they are merged with; a merged entity has its canonical one's
        name, and its own among its aliases.
        """

    # Walking

    def statements_of_topics(self, topic_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs (topic id, statement id), ordered by both."""

    def statements_of_entities(self, entity_ids: Sequence[str]) -> list[tuple[str, str]]:
        """Pairs (entity id, id of a statement about it or what it is merged with), ordered."""

    def seeds(
        self,
        vector: NDArray[np.float32],
        top_k: int,
        keys: Sequence[str],
        choose: Callable[[Sequence[Entity]], Keywords],
        *,
        topics: int = 0,
    ) -> tuple[list[Seed], list[Seed]]:
        """Where a walk starts, in one transaction: by keywords, and by vector.

        The first are the ``top_k`` statements that name most keywords, ties by cosine:
        ``choose`` says which of the entities named ``keys`` a keyword stands for. The second
        are the ``top_k`` nearest statements, or, with ``topics``, the nearest statements of
        that many nearest topics.
        """

    def continuations(
        self,
        paths: Sequence[WalkedPath],
        vector: NDArray[np.float32],
        *,
        seen: Sequence[Collection[str]],
        max_degree: int,
        max_neighbours: int,
        limit: int,
        texts: bool = False,
    ) -> tuple[list[Continuation], dict[str, int]]:
        """What continues paths over entities that their ends mention, in one transaction.

        For each path at most ``max_neighbours`` statements that its beam has not ``seen``,
        those first that share more entities, then the nearest to the question's ``vector``.
        The ``limit`` best in each beam of those that better their path's score are among
        them, each on the path where it scores best; a store may leave out the others.
        Entities of one normalised name are one, and so are merged ones; those in more than
        ``max_degree`` statements are not walked, and come back by name with their degree.

        :param seen: ids of statements by the number of the beam.
        :param texts: with what the statements say, for a walk that a model guides.
        """

    def chunks_around(
        self,
        entity_ids: Sequence[str],
        vector: NDArray[np.float32],
        *,
        hops: int,
        max_degree: int,
        max_paths: int,
        nearest: int = 0,
    ) -> ChunksAround:
        """The chunks of entities and of what they relate to, either way round, and as many of the
        ``nearest`` to the unit ``vector``, in one transaction.

        Entities of one normalised name are one, and so are merged ones; those in more than
        ``max_degree`` statements are neither reached nor walked through. At most
        ``max_paths`` new entities a hop, over the heaviest relations. Cosines are those with
        the vector.
        """

    # Communities

    def write_communities(
        self,
        communities: Sequence[Community],
        embeddings: Embeddings | None,
        *,
        current: bool = True,
    ) -> None:
        """Put communities in place of all that there are, in one transaction; the revision moves.

        :param embeddings: one row a community, or None where they have no vectors.
        :param current: they are those of the graph as it is now; else they count as stale.
        :raises StoreError: vectors are not finite float32 of shape (communities, dimensions).
        """

    def communities(self, ids: Sequence[str] | None = None) -> list[Community]:
        """All communities, or those with these ids, by level, then the largest first."""

    def communities_revision(self) -> str:
        """The revision that the communities were found at; empty where nobody knows it."""

    def nearest_communities(
        self, vector: NDArray[np.float32], top_k: int, level: int | None = None
    ) -> list[tuple[Community, float]]:
        """The communities nearest to a unit vector, by exact cosine, best first, in one call.

        :param level: only those of this level, and those above it that have no parts.
        """

    def relations(self) -> Relations:
        """All RELATES_TO as columns."""

    def fact_supports(self, entity_ids: Sequence[str]) -> list[FactSupport]:
        """The facts whose subject is one of these entities, with each of their statements."""

    # Reading

    def passages(self, label: str, ids: Sequence[str]) -> list[Passage]:
        """Statements or chunks with their sources, in the order of ``ids``, unknown left out."""

    def statements_in_chunks(self, ids: Sequence[str]) -> tuple[list[Passage], list[Passage]]:
        """Statements as :meth:`passages` gives them, and the chunks that cite them, each once."""

    def evidence(self, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
        """All that statements, or those in chunks (``label``), rest on, in one transaction.

        The statements in the order of ``ids`` (in a chunk that of the text), unknown ones
        left out, with their chunks, topics and sources, the entities that they mention, and
        the facts that support them with their subjects and objects.
        """

    def weighed_evidence(
        self,
        ids: Mapping[str, Sequence[str]],
        vector: NDArray[np.float32],
        limits: SubgraphLimits = LIMITS,
    ) -> tuple[Subgraph, dict[str, float]]:
        """:meth:`evidence` of ids by label, as one subgraph, and by id the cosine of each of its
        statements, and of what was asked for, with a unit vector; in one transaction.
        """

    def around(self, label: str, ids: Sequence[str], limits: SubgraphLimits = LIMITS) -> Subgraph:
        """What lies around nodes of a label (Entity, Source, Community), in one transaction.

        Of entities the statements that mention them or what they are merged with, those
        first that mention most of them; of sources their statements in the order of the
        text; both as :meth:`evidence` has them. Of communities the entities in most
        statements, and the statements that most facts between the entities stand in, with
        no entities from elsewhere. Around entities and communities also the relations and
        merges between the entities that are there.
        """

    def embeddings(self, label: str, ids: Sequence[str]) -> Embeddings:
        """Vectors in the order of ``ids``; a row of zeros where a node has none."""

    def read(self, source_ids: Sequence[str]) -> list[SourceGraph]:
        """Sources as they were written, in the order of ``source_ids``, unknown ids left out.

        What :meth:`write` was given comes back equal, vectors included, but for what other
        sources added to shared entities and facts (aliases, degree, the name that came first,
        the highest confidence).
        """

    def texts(self, source_ids: Sequence[str]) -> list[SourceText]:
        """Sources with their whole text and its chunks, in the order of ``source_ids``, unknown
        ids left out; in one transaction."""

    def sources(self) -> list[Source]:
        """All sources, ordered by uri."""

    def counts(self) -> dict[str, int]:
        """How many nodes of each label and relationships of each type there are.

        The keys are those of :data:`hlg.schema.NODES` without ``Graph``, and of
        :data:`hlg.schema.EDGES`.
        """

    def nodes(self, label: str, *, with_embeddings: bool = False) -> Iterator[list[Row]]:
        """All nodes of a label in batches, ordered by id, as :data:`Row` of the schema's
        properties (absent ones left out), plus ``embedding`` (float32 array) when asked for."""

    def edges(self, edge_type: str, ends: tuple[str, str]) -> Iterator[list[Row]]:
        """All relationships of a type between two labels in batches, ordered by source
        id, target id, and predicate: rows with ``from``, ``to`` and the schema's properties."""
