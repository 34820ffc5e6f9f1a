"""Finding communities: a pure function of the graph, a partition a level, parents over parts."""

from collections import Counter

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlg.errors import UsageError
from hlg.ids import community_id
from hlg.ingest.communities.find import (
    CommunityOptions,
    FoundCommunity,
    RelationGraph,
    find_communities,
    found_communities,
    modularity,
    relation_graph,
)
from hlg.store.records import Relations

HIERARCHICAL = CommunityOptions(max_size=3)
LEIDEN = CommunityOptions(algorithm="leiden")
ALL = [HIERARCHICAL, LEIDEN, CommunityOptions(algorithm="leiden", quality="cpm", resolution=0.2)]
IDS = ("hierarchical", "leiden", "leiden by CPM")

Edge = tuple[str, str, int]
edges_of_any_graph = st.lists(
    st.tuples(st.sampled_from("abcdefghijkl"), st.sampled_from("abcdefghijkl"), st.integers(1, 5)),
    max_size=30,
)


def graph_of(edges: list[Edge], canonical: dict[str, str] | None = None) -> RelationGraph:
    sources, targets, weights = zip(*edges, strict=True) if edges else ((), (), ())
    relations = Relations(
        np.array(sources, "S32"), np.array(targets, "S32"), np.array(weights, np.int64)
    )
    return relation_graph(relations, canonical or {})


def found_in(edges: list[Edge], options: CommunityOptions) -> list[FoundCommunity]:
    graph = graph_of(edges)
    return found_communities(graph, find_communities(graph, options))


def clique(names: str) -> list[Edge]:
    return [(one, other, 1) for one in names for other in names if one < other]


TWO_CLIQUES = [*clique("abcd"), *clique("efgh"), ("d", "e", 1)]


def test_relations_of_two_entities_are_one_edge() -> None:
    graph = graph_of([("b", "a", 2), ("a", "b", 1), ("a", "a", 9), ("c", "b", 1)])
    assert graph.ids.tolist() == [b"a", b"b", b"c"]
    assert graph.edges.tolist() == [[0, 1], [1, 2]]
    assert graph.weights.tolist() == [3, 1]


def test_merged_entities_are_one_node() -> None:
    graph = graph_of([("a", "b", 1), ("x", "b", 2), ("a", "x", 5)], {"x": "a"})
    assert graph.ids.tolist() == [b"a", b"b"]
    assert graph.weights.tolist() == [3]


@pytest.mark.parametrize("options", ALL, ids=IDS)
@settings(max_examples=30, deadline=None)
@given(edges=edges_of_any_graph, random=st.randoms())
def test_levels_are_partitions_whatever_the_order_of_edges(
    options: CommunityOptions, edges: list[Edge], random: st.DataObject
) -> None:
    graph = graph_of(edges)
    found = found_in(edges, options)
    members = {community.id: set(community.members.tolist()) for community in found}
    assert len(members) == len(found)
    for community in found:
        names = [graph.ids[row].decode() for row in community.members]
        assert community.id == community_id(community.level, names)
        if community.parent is None:
            assert community.level == 0
        else:
            assert members[community.id] < members[community.parent]
    for level in {community.level for community in found}:
        times = Counter(
            row for each in found if each.level == level for row in each.members.tolist()
        )
        assert set(times.values()) == {1}
        if level == 0:
            assert set(times) == set(range(len(graph.ids)))
    for parent in {community.parent for community in found} - {None}:
        parts = [members[each.id] for each in found if each.parent == parent]
        assert set().union(*parts) == members[parent]
    shuffled = [
        (b, a, weight) if random.random() < 0.5 else (a, b, weight) for a, b, weight in edges
    ]  # type: ignore[attr-defined]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    again = found_in(shuffled, options)
    assert [(x.id, x.parent, x.edges_hash) for x in again] == [
        (x.id, x.parent, x.edges_hash) for x in found
    ]


@pytest.mark.parametrize("options", ALL, ids=IDS)
def test_what_hangs_together_is_a_community(options: CommunityOptions) -> None:
    graph = graph_of(TWO_CLIQUES)
    top = [x for x in found_in(TWO_CLIQUES, options) if x.level == 0]
    names = {b"".join(graph.ids[community.members].tolist()) for community in top}
    assert names == {b"abcd", b"efgh"}


def test_large_communities_are_split_level_by_level() -> None:
    ring = [
        edge
        for i in range(8)
        for edge in [
            *((f"{i}{a}", f"{i}{b}", 9) for a, b, _ in clique("abcd")),
            (f"{i}a", f"{(i + 1) % 8}b", 1),
        ]
    ]
    coarse = CommunityOptions(max_size=5, resolution=0.05)
    found = found_in(ring, coarse)
    assert {community.level for community in found} >= {0, 1}
    only = found_in(ring, CommunityOptions(max_size=5, resolution=0.05, max_level=0))
    assert [x.id for x in only] == [x.id for x in found if x.level == 0]


@pytest.mark.parametrize("options", ALL, ids=IDS)
@pytest.mark.parametrize("edges", [[], [("a", "a", 3)]], ids=["no edges", "only loops"])
def test_a_graph_without_relations_has_none(options: CommunityOptions, edges: list[Edge]) -> None:
    assert found_in(edges, options) == []


@pytest.mark.parametrize("options", ALL[:2], ids=IDS[:2])
def test_one_giant_component_works(options: CommunityOptions) -> None:
    star = [("hub", f"leaf{i}", 1) for i in range(500)]
    found = found_in(star, options)
    assert sum(len(x.members) for x in found if x.level == 0) == 501


def test_modularity_is_that_of_igraph() -> None:
    graph = graph_of([*TWO_CLIQUES, ("a", "h", 4)])
    labels = np.array([0, 0, 0, 1, 1, 2, 2, 2])
    network = igraph.Graph(n=8, edges=graph.edges)
    expected = network.modularity(labels.tolist(), weights=graph.weights.tolist())
    assert modularity(graph, labels) == pytest.approx(expected)


def test_only_what_changed_has_another_fingerprint() -> None:
    before = {x.id: x.edges_hash for x in found_in(TWO_CLIQUES, LEIDEN)}
    heavier = [(a, b, 2 if (a, b) == ("a", "b") else w) for a, b, w in TWO_CLIQUES]
    after = {x.id: x.edges_hash for x in found_in(heavier, LEIDEN)}
    assert before.keys() == after.keys()
    assert sum(before[id_] != after[id_] for id_ in before) == 1


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"algorithm": "louvain"}, "louvain.*hierarchical, leiden"),
        ({"quality": "best"}, "best.*modularity, cpm"),
        ({"resolution": 0.0}, "resolution=0.0"),
        ({"max_size": 1}, "max_size=1"),
        ({"max_level": -1}, "max_level=-1"),
    ],
)
def test_options_out_of_range_are_refused(values: dict[str, object], problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        CommunityOptions(**values)  # type: ignore[arg-type]
