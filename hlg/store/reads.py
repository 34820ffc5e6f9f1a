"""What a graph store answers, over the statements that both dialects share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from hlg.arguments import takes_several
from hlg.records import Community, Embeddings, Entity, Scored
from hlg.store.dialect import Dialect, in_one_read
from hlg.store.records import (
    ChunksAround,
    Continuation,
    Keywords,
    Reach,
    Relations,
    Row,
    Seed,
    Vector,
    WalkStep,
)
from hlg.store.shared import checking, merging, reading, subgraphs
from hlg.store.shared.communities import (
    nearest_communities,
    read_communities,
    read_fact_supports,
    read_revision,
)
from hlg.store.shared.passages import passages_of, statements_in_chunks_of
from hlg.store.shared.reading import Run
from hlg.store.shared.relating import chunks_around
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits, united


@takes_several
class GraphReads(Dialect):
    """The half of :class:`hlg.store.base.GraphStore` that only reads.

    What both dialects do by the same statements, in one transaction, is a function of
    :mod:`hlg.store.shared`, which says what it gives.
    """

    # Searching

    def vector_search(self, label: str, vector: Vector, top_k: int) -> list[Scored]:
        """The nodes of ``label`` nearest to a unit vector, by exact cosine, best first.

        Ties are broken by id, so that every store gives the same list.
        """
        checking.check_embedded(label)
        if not self._points_somewhere(vector) or top_k <= 0:
            return []
        rows = self._read(lambda run: self._nearest(run, label, vector, top_k))
        return [Scored(row["id"], row["score"]) for row in rows]

    def text_search(self, label: str, query: str, top_k: int) -> list[Scored]:
        """The nodes of ``label`` whose full text matches the words of ``query``, by BM25."""
        checking.check_searched_by_words(label)
        self._known()
        return self._matching(label, query, top_k) if top_k > 0 else []

    def entities_named(self, keys: Sequence[str]) -> list[Entity]:
        """The entities of any class whose normalised name or alias is one of ``keys``.

        With them all that they are merged with; a merged entity has its canonical one's
        name, and its own among its aliases.
        """
        self._known()
        if not keys:
            return []
        named = self._look_up()
        return self._read(lambda run: [seen.entity for seen in named(run, keys)])

    # Walking

    statements_of_topics = in_one_read(reading.statements_of_topics)
    statements_of_entities = in_one_read(reading.statements_of_entities)

    def seeds(
        self,
        vector: Vector,
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
        if not self._points_somewhere(vector) or top_k <= 0:
            return [], []
        named = self._look_up()

        def work(run: Run) -> tuple[list[Seed], list[Seed]]:
            entities = [seen.entity for seen in named(run, keys)] if keys else []
            return self._seeds(run, choose(entities), vector, top_k, topics)

        return self._read(work)

    def continuations(self, step: WalkStep) -> tuple[list[Continuation], dict[str, int]]:
        """What continues paths over entities that their ends mention, in one transaction.

        For each path at most ``max_neighbours`` statements that its beam has not ``seen``,
        those first that share more entities, then the nearest to the question's ``vector``.
        The ``limit`` best in each beam of those that better their path's score are among
        them, each on the path where it scores best; a store may leave out the others.
        Entities of one normalised name are one, and so are merged ones; those in more than
        ``max_degree`` statements are not walked, and come back by name with their degree.
        """
        if not self._points_somewhere(step.vector) or not step.paths:
            return [], {}
        named = self._look_up()
        return self._read(lambda run: self._continuations(run, named, step))

    def chunks_around(
        self, entity_ids: Sequence[str], vector: Vector, reach: Reach, *, nearest: int = 0
    ) -> ChunksAround:
        """The chunks of entities and of what they relate to, either way round, and as many of the
        ``nearest`` to the unit ``vector``, in one transaction.

        Entities of one normalised name are one, and so are merged ones; those in more than
        ``max_degree`` statements are neither reached nor walked through. At most
        ``max_paths`` new entities a hop, over the heaviest relations. Cosines are those with
        the vector.
        """
        if not self._points_somewhere(vector) or not (entity_ids or nearest > 0):
            return ChunksAround((), (), {}, {})
        named = self._look_up()

        def work(run: Run) -> ChunksAround:
            found = chunks_around(run, named, entity_ids, vector.tolist(), reach)
            rows = self._nearest(run, "Chunk", vector, nearest) if nearest > 0 else ()
            close = {row["id"]: row["score"] for row in rows}
            return replace(found, cosines={**found.cosines, **close})

        return self._read(work)

    # Communities

    communities = in_one_read(read_communities)
    communities_revision = in_one_read(read_revision)
    fact_supports = in_one_read(read_fact_supports)

    def nearest_communities(
        self, vector: Vector, top_k: int, level: int | None = None
    ) -> list[tuple[Community, float]]:
        """The communities nearest to a unit vector, by exact cosine, best first, in one call.

        :param level: only those of this level, and those above it that have no parts.
        """
        if not self._points_somewhere(vector) or top_k <= 0:
            return []
        return self._read(lambda run: nearest_communities(run, vector.tolist(), top_k, level))

    def relations(self) -> Relations:
        """All RELATES_TO as columns."""
        return self._read(self._relations)

    # Reading

    passages = in_one_read(passages_of)
    statements_in_chunks = in_one_read(statements_in_chunks_of)
    read = in_one_read(reading.read_graphs)
    texts = in_one_read(reading.texts)
    sources = in_one_read(reading.sources)
    counts = in_one_read(reading.counts)
    merges = in_one_read(merging.read_merges)
    evidence = in_one_read(subgraphs.evidence)
    around = in_one_read(subgraphs.around)

    def weighed_evidence(
        self, ids: Mapping[str, Sequence[str]], vector: Vector, limits: SubgraphLimits = LIMITS
    ) -> tuple[Subgraph, dict[str, float]]:
        """:meth:`evidence` of ids by label, as one subgraph, and by id the cosine of each of its
        statements, and of what was asked for, with a unit vector; in one transaction.
        """
        dimensions = self._known().dimensions

        def work(run: Run) -> tuple[Subgraph, dict[str, float]]:
            found = united([subgraphs.evidence(run, label, ids[label], limits) for label in ids])
            statements = [node.id for node in found.nodes_of("Statement")]
            cosines: dict[str, float] = {}
            for label, wanted in [("Statement", statements), *ids.items()]:
                unknown = [id_ for id_ in wanted if id_ not in cosines]
                vectors = reading.embeddings(run, label, unknown, dimensions)
                cosines |= zip(unknown, (vectors @ vector).tolist(), strict=True)
            return found, cosines

        return self._read(work)

    def embeddings(self, label: str, ids: Sequence[str]) -> Embeddings:
        """Vectors in the order of ``ids``; a row of zeros where a node has none."""
        checking.check_embedded(label)
        dimensions = self._known().dimensions
        return self._read(lambda run: reading.embeddings(run, label, ids, dimensions))

    def nodes(self, label: str, *, with_embeddings: bool = False) -> Iterator[list[Row]]:
        """All nodes of a label in batches, ordered by id, as :data:`Row` of the schema's
        properties (absent ones left out), plus ``embedding`` (float32 array) when asked for."""
        checking.check_label(label)
        self._known()
        return reading.nodes(self._run, label, with_embeddings=with_embeddings)

    def edges(self, edge_type: str, ends: tuple[str, str]) -> Iterator[list[Row]]:
        """All relationships of a type between two labels in batches, ordered by source
        id, target id, and predicate: rows with ``from``, ``to`` and the schema's properties."""
        checking.check_edge(edge_type, ends)
        self._known()
        return reading.edges(self._run, edge_type, ends)
