"""Communities of a graph in either store: found, summarised, kept, copied and exported."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hlg.errors import StoreError
from hlg.export import export_graph
from hlg.ids import entity_id
from hlg.ingest.communities.build import build_communities
from hlg.ingest.communities.find import CommunityOptions
from hlg.ingest.communities.summaries import CommunityMaterial, ExtractiveSummarizer, Summary
from hlg.models.embedders import open_embedder
from hlg.records import Community, SameAs, SourceGraph
from hlg.reports import CommunityReport, Progress
from hlg.store import GraphStore
from hlg.store.ladybug.store import LadybugStore
from hlg.store.transfer import copy_graph
from support.graphs import DIMENSIONS, Triple, source_graph, unit_vectors
from support.stores import EMBEDDED, ON_FILE, StorePlace, wipe
from support.worlds import embedded, world

OPTIONS = CommunityOptions(max_size=3)
FAR: list[tuple[str, list[Triple]]] = [
    ("Kesh trades with Oro.", [("Kesh", "trades with", "Oro")]),
    ("Oro trades with Tamm.", [("Oro", "trades with", "Tamm")]),
    ("Tamm trades with Kesh.", [("Tamm", "trades with", "Kesh")]),
]


def far_away() -> SourceGraph:
    """A source that shares nothing with the world."""
    return embedded(source_graph("far.txt", FAR))


def summarizer() -> ExtractiveSummarizer:
    return ExtractiveSummarizer(open_embedder().count_tokens)


def build(store: GraphStore, options: CommunityOptions = OPTIONS) -> CommunityReport:
    return build_communities(store, open_embedder(), summarizer(), options)


@pytest.fixture
def store(place: StorePlace) -> GraphStore:
    """The world, without communities."""
    opened = place.connect(EMBEDDED)
    embedder = open_embedder()
    opened.set_up(embedder.name, embedder.dimensions)
    opened.write_communities([], None)
    wipe(opened)
    opened.write(world())
    return opened


def entity_names(store: GraphStore) -> dict[str, str]:
    return {str(row["id"]): str(row["name"]) for rows in store.nodes("Entity") for row in rows}


def revision(store: GraphStore) -> str:
    info = store.info()
    assert info is not None
    return info.revision


class TestBuilding:
    @ON_FILE
    def test_each_related_entity_is_in_one_community_a_level(self, store: GraphStore) -> None:
        store.write([far_away()])
        report = build(store)
        communities = store.communities()
        assert len(communities) == report.communities == report.new == sum(report.levels)
        relations = store.relations()
        related = {id_.decode() for id_ in {*relations.sources, *relations.targets}}
        top = [id_ for each in communities if each.level == 0 for id_ in each.entity_ids]
        assert Counter(top) == Counter(related)
        assert report.entities == len(related)
        assert report.entities + report.unrelated == store.counts()["Entity"]
        by_id = {community.id: community for community in communities}
        for community in communities:
            assert community.size == len(community.entity_ids)
            assert community.title
            assert community.summary
            if community.parent_id:
                assert set(community.entity_ids) < set(by_id[community.parent_id].entity_ids)
        counts = store.counts()
        assert counts["IN_COMMUNITY"] == sum(each.size for each in communities)
        assert store.embeddings("Community", [each.id for each in communities]).any(axis=1).all()

    @ON_FILE
    def test_nothing_changed_is_nothing_written(self, store: GraphStore) -> None:
        build(store)
        before, revision = store.communities(), store.info()
        report = build(store)
        assert (report.kept, report.new, report.gone) == (len(before), 0, 0)
        assert (store.communities(), store.info()) == (before, revision)

    @ON_FILE
    def test_only_what_changed_is_summarised_again(self, store: GraphStore) -> None:
        build(store)
        before = {each.id: each for each in store.communities()}
        vectors = store.embeddings("Community", list(before))
        asked: list[CommunityMaterial] = []

        class Watched(ExtractiveSummarizer):
            def summarize(self, material: CommunityMaterial) -> Summary:
                asked.append(material)
                return super().summarize(material)

        store.write([far_away()])
        watched = Watched(open_embedder().count_tokens)
        report = build_communities(store, open_embedder(), watched, OPTIONS)
        assert len(asked) == report.new == 1
        assert (report.kept, report.gone) == (len(before), 0)
        assert {each.id: each for each in store.communities()}.items() >= before.items()
        assert np.array_equal(store.embeddings("Community", list(before)), vectors)
        store.delete([far_away().source.id])
        assert {each.id for each in store.communities()} == before.keys()
        report = build(store)
        assert (report.kept, report.new, report.gone) == (len(before), 0, 0)

    @ON_FILE
    def test_another_summarizer_summarises_all_again(self, store: GraphStore) -> None:
        total = build(store).communities
        shorter = ExtractiveSummarizer(open_embedder().count_tokens, 20)
        report = build_communities(store, open_embedder(), shorter, OPTIONS)
        assert (report.kept, report.new, report.gone) == (0, total, 0)

    @ON_FILE
    def test_merged_entities_are_in_the_community_of_their_canonical_one(
        self, store: GraphStore
    ) -> None:
        yard, petrel = entity_id("Marrow Yard", "Thing"), entity_id("Petrel", "Thing")
        store.write_merges([SameAs(petrel, yard, 0.9)])
        build(store)
        for community in store.communities():
            assert (yard in community.entity_ids) == (petrel in community.entity_ids)

    @ON_FILE
    def test_an_empty_graph_has_no_communities(self, store: GraphStore) -> None:
        wipe(store)
        assert build(store).communities == 0
        store.write(
            [embedded(source_graph("lonely.txt", [("Kesh is old.", [("Kesh", "is", "=old")])]))]
        )
        report = build(store)
        assert (report.communities, report.levels, report.unrelated) == (0, (), 1)

    @ON_FILE
    def test_leiden_gives_one_level(self, store: GraphStore) -> None:
        assert len(build(store, CommunityOptions(algorithm="leiden")).levels) == 1

    @ON_FILE
    def test_a_build_that_is_stopped_leaves_the_old_ones(self, store: GraphStore) -> None:
        build(store)
        before = store.communities()
        store.write([far_away()])

        def stop(progress: Progress) -> None:
            if progress.stage == "write":
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            build_communities(store, open_embedder(), summarizer(), OPTIONS, stop)
        assert store.communities() == before
        assert store.communities_revision() != revision(store)


class TestKeeping:
    def communities(self, store: GraphStore) -> list[Community]:
        ids = tuple(sorted(entity_names(store)))
        whole = Community("a" * 32, 0, "All \ud800 of\0 it", "$x }) //", None, len(ids), ids, "h")
        part = Community("b" * 32, 1, "Two", "Some.", "a" * 32, 2, ids[:2], "i")
        return [whole, part]

    def vectors(self, store: GraphStore, seed: int = 0) -> np.ndarray:
        info = store.info()
        assert info is not None
        vectors = np.zeros((2, info.dimensions), np.float32)
        vectors[:, :DIMENSIONS] = unit_vectors(2, seed)
        return vectors

    def test_they_are_read_as_they_were_written(self, store: GraphStore) -> None:
        written, vectors = self.communities(store), self.vectors(store)
        before = store.info()
        store.write_communities(written, vectors)
        assert store.communities() == written
        assert store.communities(["b" * 32, "c" * 32]) == written[1:]
        assert np.array_equal(store.embeddings("Community", ["b" * 32, "a" * 32]), vectors[::-1])
        assert [x.id for x in store.vector_search("Community", vectors[1], 1)] == ["b" * 32]
        assert store.info() != before
        assert store.communities_revision() == revision(store)

    def test_a_level_is_searched_with_what_has_no_parts_above_it(self, store: GraphStore) -> None:
        other = Community("c" * 32, 0, "Other", "None.", None, 0, (), "j")
        everything = [*self.communities(store), other]
        vectors = np.concatenate([self.vectors(store), self.vectors(store, 1)[:1]])
        store.write_communities(everything, vectors)
        for level, wanted in ((None, "abc"), (0, "ac"), (1, "bc"), (5, "bc")):
            found = store.nearest_communities(vectors[0], 9, level)
            assert {each.id[0] for each, _ in found} == set(wanted)
            assert [score for _, score in found] == sorted((x for _, x in found), reverse=True)
        (nearest, cosine), *_ = store.nearest_communities(vectors[0], 1)
        assert nearest == everything[0]
        assert cosine == pytest.approx(1, abs=1e-3)

    def test_new_ones_take_the_place_of_the_old(self, store: GraphStore) -> None:
        store.write_communities(self.communities(store), self.vectors(store))
        store.write_communities(self.communities(store)[:1], None, current=False)
        counts = store.counts()
        assert counts["Community"] == 1
        assert counts["IN_COMMUNITY"] == counts["Entity"]
        assert store.communities_revision() == ""

    def test_what_can_not_be_is_refused(self, store: GraphStore) -> None:
        whole, part = self.communities(store)
        store.write_communities([whole], None)
        wrong: list[tuple[list[Community], np.ndarray | None]] = [
            ([whole, whole], None),
            ([whole, replace(part, parent_id="f" * 32)], None),
            ([whole, replace(part, level=2)], None),
            ([whole, part], self.vectors(store)[:1]),
            ([whole, part], self.vectors(store) * np.float32("nan")),
        ]
        for communities, vectors in wrong:
            with pytest.raises(StoreError):
                store.write_communities(communities, vectors)
        assert store.communities() == [whole]

    def test_deleting_sources_leaves_no_edge_without_ends(self, store: GraphStore) -> None:
        store.write([far_away()])
        build(store)
        total = len(store.communities())
        store.delete([far_away().source.id])
        left = store.communities()
        assert len(left) == total - 1
        there = entity_names(store).keys()
        assert all(set(community.entity_ids) <= there for community in left)
        assert store.communities_revision() != revision(store)
        wipe(store)
        assert set(store.counts().values()) == {0}

    def test_a_copy_and_an_export_have_them(self, store: GraphStore, tmp_path: Path) -> None:
        build(store)
        copy = LadybugStore(tmp_path / "copy.lbug")
        copy_graph(store, copy)
        assert copy.communities() == store.communities()
        assert copy.communities_revision() == revision(copy)
        info = copy.info()
        copy_graph(store, copy)
        assert copy.info() == info
        one, other = (b"".join(export_graph(each, "jsonl", vectors=True)) for each in (store, copy))
        assert one == other
        records = [json.loads(line) for line in one.splitlines()]
        assert sum(x.get("label") == "Community" for x in records) == len(store.communities())
        store.write([far_away()])
        copy_graph(store, copy)
        assert copy.communities_revision() != revision(copy)
        other_copy = LadybugStore(tmp_path / "other.lbug")
        copy_graph(store, other_copy)
        assert other_copy.communities() == store.communities()
        assert other_copy.communities_revision() == ""
