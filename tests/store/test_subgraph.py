"""A part of the graph: what statements rest on, and what lies around a node."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from hlg.facts import FACTUALITY
from hlg.ids import entity_id
from hlg.records import Community, Factuality, SameAs, SourceGraph
from hlg.schema import EDGES, NODES
from hlg.store import GraphStore
from hlg.subgraph import Subgraph, SubgraphLimits, united
from support.graphs import source_graph, source_graphs, unit_vectors
from support.stores import KEPT, StorePlace, wipe

FOUNDED = ("Ada Thorne", "founded", "Helix Instruments")
MOVED = ("Helix Instruments", "moved to", "Port Ellery")
BORN = ("Ada Thorne", "born in", "=1890")
BOUGHT = ("Quarry Bank", "bought", "Helix Instruments")
EVERYTHING = SubgraphLimits(10_000, 10_000, 10_000)


def one() -> SourceGraph:
    return source_graph(
        "file:///one.txt",
        [("Ada founded Helix.", [FOUNDED]), ("It moved.", [MOVED, BORN]), ("Nothing more.", [])],
        title="One",
    )


def other() -> SourceGraph:
    return source_graph(
        "file:///other.txt", [("Helix was founded and bought.", [FOUNDED, BOUGHT])], title="Other"
    )


def triples(subgraph: Subgraph) -> set[tuple[str, str, str]]:
    """The facts that a subgraph holds, values marked as in :mod:`graphs`."""
    names = {node.id: str(node.properties["name"]) for node in subgraph.nodes_of("Entity")}
    subjects = {edge.target: names[edge.source] for edge in subgraph.edges_of("SUBJECT")}
    objects = {edge.source: names[edge.target] for edge in subgraph.edges_of("OBJECT")}
    return {
        (
            subjects[fact.id],
            str(fact.properties["predicate"]),
            objects.get(fact.id) or f"={fact.properties['object']}",
        )
        for fact in subgraph.nodes_of("Fact")
    }


def texts(subgraph: Subgraph) -> list[str]:
    return [str(node.properties["text"]) for node in subgraph.nodes_of("Statement")]


def pairs(graph: SourceGraph, edge_type: str) -> set[tuple[str, str]]:
    """What the edges of a type are by the records that were written."""
    kinds: dict[str, Iterable[tuple[str, str]]] = {
        "PART_OF": ((chunk.id, chunk.source_id) for chunk in graph.chunks),
        "BELONGS_TO": ((each.id, each.topic_id) for each in graph.statements),
        "MENTIONS": ((s.id, entity) for s in graph.statements for entity in s.entity_ids),
        "SUPPORTS": ((fact.id, s) for fact in graph.facts for s in fact.statement_ids),
        "SUBJECT": ((fact.subject_id, fact.id) for fact in graph.facts),
        "OBJECT": ((fact.id, fact.object_id) for fact in graph.facts if fact.object_id),
    }
    return set(kinds[edge_type])


def communities() -> list[Community]:
    """All entities, and a finer one of two."""
    named = {
        name: entity_id(name, "Thing")
        for triple in (FOUNDED, MOVED, BOUGHT)
        for name in (triple[0], triple[2])
    }
    fine = tuple(sorted((named["Ada Thorne"], named["Helix Instruments"])))
    return [
        Community("0" * 32, 0, "All", "All of them.", None, 4, tuple(sorted(named.values()))),
        Community("1" * 32, 1, "Fine", "Two of them.", "0" * 32, 2, fine),
    ]


@pytest.fixture(scope="module")
def filled(kept_place: StorePlace) -> GraphStore:
    """Both sources with their communities, for tests that only read."""
    store = kept_place.open(KEPT)
    store.write([one(), other()])
    store.write_communities(communities(), None)
    return store


class TestEvidence:
    def test_statements_come_with_all_that_they_rest_on(self, filled: GraphStore) -> None:
        graph = one()
        moved, founded = graph.statements[1], graph.statements[0]
        calls = filled.calls
        found = filled.evidence("Statement", [moved.id, founded.id])
        assert filled.calls == calls + 1
        assert texts(found) == [moved.text, founded.text]
        assert triples(found) == {FOUNDED, MOVED, BORN}
        assert [node.properties["title"] for node in found.nodes_of("Source")] == ["One"]
        assert {node.id for node in found.nodes_of("Chunk")} == {
            *moved.chunk_ids,
            *founded.chunk_ids,
        }
        assert [node.properties["name"] for node in found.nodes_of("Topic")] == ["a topic"]
        assert found.left_out == {}

    def test_a_node_has_the_schemas_properties_but_its_vector(self, filled: GraphStore) -> None:
        found = filled.evidence("Statement", [each.id for each in one().statements])
        for node in found.nodes:
            wanted = NODES[node.label].properties.keys() - {"id"}
            optional = {"object", *FACTUALITY[2:]} if node.label == "Fact" else set()
            assert wanted - optional <= node.properties.keys() <= wanted

    def test_chunks_come_with_their_statements_in_the_texts_order(self, filled: GraphStore) -> None:
        graph = one()
        chunk = graph.chunks[0]
        found = filled.evidence("Chunk", [chunk.id])
        held = [each.text for each in graph.statements if chunk.id in each.chunk_ids]
        assert texts(found) == held
        assert found.nodes_of("Chunk")[0].id == chunk.id

    def test_limits_keep_the_first_and_count_the_rest(self, filled: GraphStore) -> None:
        graph = one()
        ids = [each.id for each in graph.statements]
        found = filled.evidence("Statement", ids, SubgraphLimits(statements=1))
        assert texts(found) == [graph.statements[0].text]
        assert triples(found) == {FOUNDED}
        assert found.left_out == {"Statement": 2}
        found = filled.evidence("Statement", ids, SubgraphLimits(facts=1))
        assert triples(found) == {FOUNDED}
        assert found.left_out == {"Fact": 2}

    def test_a_fact_is_only_there_with_both_its_ends(self, filled: GraphStore) -> None:
        ids = [each.id for each in one().statements]
        found = filled.evidence("Statement", ids, SubgraphLimits(entities=2))
        assert triples(found) == {FOUNDED, BORN}
        assert found.left_out == {"Entity": 1, "Fact": 1}

    def test_what_is_unsure_is_left_out_and_takes_no_room(self, store: GraphStore) -> None:
        graph = source_graph(
            "file:///one.txt",
            [("Ada founded Helix, which moved.", [FOUNDED, MOVED, BORN, BOUGHT])],
            stated={MOVED: Factuality(confidence=0.4), BORN: Factuality(confidence=0.5)},
            sure={"Port Ellery": 0.2, "Ada Thorne": 0.1, "Quarry Bank": 0.9},
        )
        store.write([graph])
        ids = [each.id for each in graph.statements]
        found = store.evidence("Statement", ids, SubgraphLimits(facts=3, min_confidence=0.5))
        assert triples(found) == {FOUNDED, BORN, BOUGHT}
        # She is unsure, but facts that are sure are about her.
        names = {node.properties["name"] for node in found.nodes_of("Entity")}
        assert names == {"Ada Thorne", "Helix Instruments", "Quarry Bank"}
        assert (found.left_out, found.unsure) == ({}, {"Fact": 1, "Entity": 1})
        everything = store.evidence("Statement", ids)
        assert triples(everything) == {FOUNDED, MOVED, BORN, BOUGHT}
        assert united([found, everything]).unsure == found.unsure
        port = entity_id("Port Ellery", "Thing")
        around = store.around("Entity", [port], SubgraphLimits(min_confidence=0.5))
        assert port in {node.id for node in around.nodes_of("Entity")}
        assert {edge.properties["predicate"] for edge in around.edges_of("RELATES_TO")} == {
            "founded",
            "bought",
        }

    def test_one_call_weighs_what_was_asked_for_and_what_it_leads_to(
        self, filled: GraphStore
    ) -> None:
        graph = one()
        asked = {
            "Statement": [each.id for each in other().statements],
            "Chunk": [graph.chunks[0].id, "0" * 32],
        }
        vector, calls = unit_vectors(1, seed=3)[0], filled.calls
        limits = SubgraphLimits(statements=1)
        found, cosines = filled.weighed_evidence(asked, vector, limits)
        assert filled.calls == calls + 1
        assert found == united([filled.evidence(each, asked[each], limits) for each in asked])
        held = [node.id for node in found.nodes_of("Statement")]
        assert cosines.keys() == {*held, *asked["Statement"], *asked["Chunk"]}
        for label, ids in [("Statement", held), *asked.items()]:
            expected = filled.embeddings(label, ids) @ vector
            np.testing.assert_allclose([cosines[id_] for id_ in ids], expected, atol=1e-6)

    @settings(
        max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(graphs=source_graphs(most=2))
    def test_no_edge_is_lost_or_invented(
        self, store: GraphStore, graphs: list[SourceGraph]
    ) -> None:
        """All statements of sources give exactly the edges that were written."""
        wipe(store)
        store.write(graphs)
        ids = [each.id for graph in graphs for each in graph.statements]
        found = store.evidence("Statement", ids, EVERYTHING)
        for type_ in ("BELONGS_TO", "MENTIONS", "SUPPORTS", "SUBJECT", "OBJECT"):
            written = {pair for graph in graphs for pair in pairs(graph, type_)}
            edges = [(edge.source, edge.target) for edge in found.edges_of(type_)]
            assert len(edges) == len(set(edges))
            assert set(edges) == written
        known = {node.id: node.label for node in found.nodes}
        for edge in found.edges:
            assert (known[edge.source], known[edge.target]) in EDGES[edge.type].ends


class TestAround:
    def test_an_entity_comes_with_its_statements_of_all_sources(self, filled: GraphStore) -> None:
        helix = entity_id("Helix Instruments", "Thing")
        found = filled.around("Entity", [helix])
        assert found.nodes_of("Entity")[0].id == helix
        assert set(texts(found)) == {
            "Ada founded Helix.",
            "It moved.",
            "Helix was founded and bought.",
        }
        assert triples(found) == {FOUNDED, MOVED, BORN, BOUGHT}
        names = {node.id: node.properties["name"] for node in found.nodes_of("Entity")}
        assert {
            (names[e.source], e.properties["predicate"], names[e.target], e.properties["weight"])
            for e in found.edges_of("RELATES_TO")
        } == {(*FOUNDED, 2), (*MOVED, 1), (*BOUGHT, 1)}

    def test_statements_that_name_more_of_the_entities_come_first(self, filled: GraphStore) -> None:
        ids = [entity_id(name, "Thing") for name in ("Quarry Bank", "Helix Instruments")]
        found = filled.around("Entity", ids, SubgraphLimits(statements=1))
        assert texts(found) == ["Helix was founded and bought."]
        assert found.left_out == {"Statement": 2}

    def test_a_source_comes_with_its_statements_in_order(self, filled: GraphStore) -> None:
        graph = one()
        found = filled.around("Source", [graph.source.id])
        assert texts(found) == [each.text for each in graph.statements]
        assert {(e.source, e.target) for e in found.edges_of("PART_OF")} == pairs(graph, "PART_OF")
        assert [node.id for node in found.nodes_of("Source")] == [graph.source.id]

    def test_both_stay_within_a_call(self, filled: GraphStore) -> None:
        calls = filled.calls
        filled.around("Source", [one().source.id])
        filled.around("Entity", [entity_id("Ada Thorne", "Thing")])
        assert filled.calls == calls + 2

    def test_an_entity_comes_with_what_is_said_of_what_it_is_merged_with(
        self, store: GraphStore
    ) -> None:
        store.write([one(), other()])
        quarry, ada = (entity_id(name, "Thing") for name in ("Quarry Bank", "Ada Thorne"))
        store.write_merges([SameAs(quarry, ada, 0.9, {"why": "a test"})])
        found = store.around("Entity", [quarry])
        assert set(texts(found)) == {
            "Ada founded Helix.",
            "It moved.",
            "Helix was founded and bought.",
        }
        (merge,) = found.edges_of("SAME_AS")
        assert (merge.source, merge.target) == (quarry, ada)
        assert merge.properties["score"] == 0.9

    def test_a_community_comes_with_its_members_and_what_is_said_between_them(
        self, filled: GraphStore
    ) -> None:
        found = filled.around("Community", ["1" * 32])
        assert [node.properties["title"] for node in found.nodes_of("Community")] == ["Fine", "All"]
        names = {node.properties["name"] for node in found.nodes_of("Entity")}
        assert names == {"Helix Instruments", "Ada Thorne"}
        assert set(texts(found)) == {"Ada founded Helix.", "Helix was founded and bought."}
        assert triples(found) == {FOUNDED}
        (relation,) = found.edges_of("RELATES_TO")
        assert relation.properties == {"predicate": "founded", "weight": 2, "confidence": 1.0}
        assert len(found.edges_of("IN_COMMUNITY")) == 4
        assert ("1" * 32, "0" * 32) in [(e.source, e.target) for e in found.edges_of("PART_OF")]
        assert found.left_out == {}

    def test_a_communitys_largest_entities_are_kept(self, filled: GraphStore) -> None:
        found = filled.around("Community", ["0" * 32], SubgraphLimits(statements=0, entities=2))
        names = {node.properties["name"] for node in found.nodes_of("Entity")}
        assert names == {"Helix Instruments", "Ada Thorne"}
        assert found.left_out == {"Entity": 2, "Statement": 3}
        assert not found.nodes_of("Statement")
