"""The seam between hlg and its databases: what a graph store answers.

Each method is one Cypher statement, or one batch of them in a single transaction; none
is called once a row. Text goes in and comes out exactly as it was, NUL characters and
lone surrogates included. Errors are those of :mod:`hlg.errors`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import uuid4

from hlg.arguments import takes_several
from hlg.errors import StoreError
from hlg.records import Community, Embeddings, EntityPair, Merges, SameAs, SourceGraph
from hlg.schema import SCHEMA_VERSION
from hlg.store.reads import GraphReads
from hlg.store.records import GraphInfo
from hlg.store.shared import checking, kinds, merging
from hlg.store.shared.reading import GRAPH, Change, Run, graph_rows, lineage_of
from hlg.store.shared.rows import (
    Strength,
    metadata_text,
    node_row,
    relation_strengths,
    rows_of,
    with_vectors,
)

_OWN = ("Source", "Chunk", "Topic", "Statement")
"""Labels whose nodes belong to one source."""


@takes_several
class GraphStore(GraphReads):
    """A property graph with vector and full-text search that holds one named graph.

    Arguments end in the same way on every store: a label that has no such thing is a
    ValueError, a vector of another shape a StoreMismatch; where nothing is asked for (no ids,
    no ``top_k``, a vector of zeros) nothing is found; unknown ids are left out.
    """

    def set_up(self, embedder: str, dimensions: int) -> None:
        """Create constraints, tables and indexes where missing; idempotent.

        :raises StoreMismatch: the graph holds vectors of another embedder or dimension.
        """
        info = self.info()
        if info is not None:
            checking.check_fits(self.address, info, embedder, dimensions)
        wanted = GraphInfo(uuid4().hex, embedder, dimensions, SCHEMA_VERSION)
        self._make(wanted, anew=info is None)
        self._info = info or wanted

    # Writing

    def write(self, graphs: Sequence[SourceGraph]) -> None:
        """Write sources whole in one transaction, each in place of its older self.

        Entities and facts merge by id with those of other sources, and so do relations by their
        ends and predicate: the highest confidence stays. ``Entity.degree`` and
        ``RELATES_TO.weight`` are right afterwards; the revision moves.
        """
        dimensions = self._known().dimensions
        with self._addressed():
            checking.check_graphs(graphs, dimensions)
        if graphs:
            self._change(lambda run, _: self._write_graphs(run, graphs))

    def _write_graphs(self, run: Change, graphs: Sequence[SourceGraph]) -> None:
        """Write checked graphs, each in place of its older self."""
        _, lost = self._delete_graphs(run, [graph.source.id for graph in graphs])
        rows = rows_of(graphs)
        for label in _OWN:
            nodes = rows.nodes[label]
            for known in graph_rows(run, label, [row["id"] for row in nodes]):
                raise StoreError(f"{label} {known['id']!r} belongs to another source already")
            self._create_nodes(run, label, nodes)
        facts = self._merge_facts(run, rows)
        for kind, pairs in rows.edges.items():
            if kind not in (kinds.SUBJECT, kinds.OBJECT):
                run.send("write/link", pairs, edge=kind)
        self._add_to_relations(run, relation_strengths(facts, rows.edges))
        merging.restore_merges(run, lost)
        self._after_merges(run, lost.canonical())

    def set_metadata(self, metadata: Mapping[str, Mapping[str, Any]]) -> None:
        """Give sources, by id, other metadata in one transaction; unknown ids are passed over."""

        def work(run: Change, _: str) -> None:
            for id_, each in metadata.items():
                run("write/set_metadata", {"id": id_, "metadata": metadata_text(each)})

        if metadata:
            self._change(work)

    def delete(self, source_ids: Sequence[str]) -> int:
        """Delete sources and what only they supported, in one transaction.

        Returns how many of the ids there were.
        """

        def work(run: Change, _: str) -> int:
            deleted, _lost = self._delete_graphs(run, source_ids)
            if deleted:
                run("communities/delete_empty_communities")
            return deleted

        return self._change(work, is_moved=bool)

    def _delete_graphs(self, run: Change, source_ids: Sequence[str]) -> tuple[int, Merges]:
        """Delete sources with what only they supported; returns how many there were, and merges
        that went with entities."""
        sources = [row["id"] for row in graph_rows(run, "Source", dict.fromkeys(source_ids))]
        if not sources:
            return 0, Merges()
        ids, edges = lineage_of(run, sources)
        facts = {row["id"]: row for row in graph_rows(run, "Fact", ids["Fact"])}
        strengths = relation_strengths(facts, edges)
        for label in reversed(_OWN):
            _delete(run, label, ids[label])
        _delete(run, "Fact", _found(run, "read/unsupported_facts", ids["Fact"]))
        if strengths:
            less = {key: Strength(-each.weight, 0.0) for key, each in strengths.items()}
            self._add_to_relations(run, less)
            subjects = sorted({subject for subject, _, _ in strengths})
            run("write/delete_weightless", {"ids": subjects})
        degrees = Counter(entity for _, entity in edges[kinds.MENTIONS])
        run.send("write/add_to_degrees", [(entity, -degree) for entity, degree in degrees.items()])
        gone = _found(run, "read/unsupported_entities", ids["Entity"])
        lost = merging.touching(merging.read_merges(run), set(gone)) if gone else Merges()
        _delete(run, "Entity", gone)
        self._after_merges(run, lost.canonical())
        return len(sources), lost

    def write_merges(self, merges: Sequence[SameAs]) -> None:
        """Merge entities into their canonical ones in one transaction; the revision moves.

        A merged entity stays as it is, but walks and looks up as its canonical one. A merge
        takes the place of the entity's older one, and pairs that it joins are no longer kept
        apart. When an entity goes with its last source, its merges go as well; where a
        source is replaced, they stay with the entities that it still has.

        :raises StoreError: an entity is unknown, or a canonical one is itself merged.
        """
        self._change_merges(merging.write_merges, merges)

    def remove_merges(self, entity_ids: Sequence[str], different: Sequence[EntityPair] = ()) -> int:
        """Undo the merges of entities in one transaction; the revision moves.

        Returns how many were merged. Pairs of ``different`` are kept apart from now on.

        :raises StoreError: an entity of a pair is unknown.
        """
        return self._change_merges(merging.remove_merges, entity_ids, different)

    def _change_merges(self, change: Callable[..., set[str]], *arguments: Any) -> int:
        def work(run: Change, _: str) -> int:
            changed = change(run, *arguments)
            self._after_merges(run, changed)
            return len(changed)

        return self._change(work)

    def write_communities(
        self,
        communities: Sequence[Community],
        embeddings: Embeddings | None,
        *,
        current: bool = True,
    ) -> None:
        """Put communities in place of all that there are, in one transaction; the revision moves.

        An entity is in its communities on every level.

        :param embeddings: one row a community, or None where they have no vectors.
        :param current: they are those of the graph as it is now; else they count as stale.
        :raises StoreError: vectors are not finite float32 of shape (communities, dimensions).
        """
        dimensions = self._known().dimensions
        with self._addressed():
            checking.check_communities(communities, embeddings, dimensions)

        rows = [
            node_row("Community", each, embedding=vector)
            for each, vector in with_vectors(communities, embeddings)
        ]
        members = [(entity, each.id) for each in communities for entity in each.entity_ids]
        parents = [(each.id, each.parent_id) for each in communities if each.parent_id is not None]

        def work(run: Change, revision: str) -> None:
            run("communities/delete_communities")
            self._create_nodes(run, "Community", rows)
            run.send("write/link", members, edge=kinds.MEMBER)
            run.send("write/link", parents, edge=kinds.PARENT)
            found_at = {"revision": revision if current else ""}
            run("communities/set_communities_revision", GRAPH | found_at)

        self._change(work)


def _found(run: Run, name: str, ids: Sequence[str]) -> list[str]:
    return [row["id"] for row in run(name, {"ids": ids})] if ids else []


def _delete(run: Run, label: str, ids: Sequence[str]) -> None:
    if ids:
        run("write/delete_nodes", {"ids": ids}, label=label)
