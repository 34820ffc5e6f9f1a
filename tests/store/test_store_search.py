"""What every store finds: nearest vectors, words, names, links, and passages to cite."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from hlg.names import normalize_name
from hlg.records import SourceGraph, SourceRef
from hlg.schema import EDGES, NODES
from hlg.store import GraphStore
from support.graphs import DIMENSIONS, source_graph, unit_vectors
from support.stores import KEPT, StorePlace

LUCENE = "founded AND (Helix OR NOT \"Ada~2 [TO} ^ * ? : \\ / && || ! + - { ` '"
UNSTATED = {"object", "modality", "condition", "attributed_to", "time"}
"""What a fact need not have."""


def corpus() -> list[SourceGraph]:
    """Three sources; entities of two classes under one name."""
    return [
        source_graph(
            "file:///one.txt",
            [
                (
                    "Ada Thorne founded Helix Instruments.",
                    [("Ada Thorne", "founded", "Helix Instruments")],
                ),
                ("The workshop stood in Port Ellery.", [("workshop", "stood in", "Port Ellery")]),
                ("Lathes and sextants were made there.", []),
            ],
            title="Helix Instruments",
            topic="the founding",
            aliases={"Helix Instruments": ["HI", "Helix"]},
        ),
        source_graph(
            "file:///two.txt",
            [
                (f"Quarry Bank lent to firm {i}.", [("Quarry Bank", "lent to", f"firm {i}")])
                for i in range(30)
            ],
            topic="loans",
        ),
        source_graph(
            "file:///three.txt",
            [("Helix is a song.", [("Helix", "is", "=a song")])],
            title="Songs",
            entity_class="Song",
            metadata={"pages": [0, 5, 100]},
        ),
    ]


@pytest.fixture(scope="module")
def filled(kept_place: StorePlace) -> GraphStore:
    """A store with the corpus, for tests that only read."""
    store = kept_place.open(KEPT)
    store.write(corpus())
    return store


def vectors(label: str) -> tuple[list[str], np.ndarray]:
    """Ids and vectors of a label's nodes, each once."""
    found = {}
    for graph in corpus():
        matrix = getattr(graph, f"{label.lower()}_embeddings")
        records = {
            "Chunk": graph.chunks,
            "Topic": graph.topics,
            "Statement": graph.statements,
            "Entity": graph.entities,
        }[label]
        found |= {record.id: vector for record, vector in zip(records, matrix, strict=True)}
    return list(found), np.stack(list(found.values()))


def names(store: GraphStore) -> dict[str, str]:
    return {str(row["name"]): str(row["id"]) for rows in store.nodes("Entity") for row in rows}


class TestVectorSearch:
    @pytest.mark.parametrize("label", ["Chunk", "Topic", "Statement", "Entity"])
    @pytest.mark.parametrize("top_k", [1, 7, 1000])
    def test_equals_brute_force(self, filled: GraphStore, label: str, top_k: int) -> None:
        ids, matrix = vectors(label)
        for query in unit_vectors(3, seed=5):
            scores = matrix @ query
            wanted = sorted(zip(-scores, ids, strict=True))[:top_k]
            found = filled.vector_search(label, query, top_k)
            assert [hit.id for hit in found] == [id_ for _, id_ in wanted]
            assert [hit.score for hit in found] == pytest.approx(
                [-score for score, _ in wanted], abs=1e-4
            )

    def test_ties_are_in_the_order_of_ids(self, store: GraphStore) -> None:
        graph = source_graph("file:///ties.txt", [(f"Statement {i}.", []) for i in range(20)])
        vector = unit_vectors(1, seed=1)[0]
        same = np.tile(vector, (20, 1))
        store.write([replace(graph, statement_embeddings=same)])
        found = store.vector_search("Statement", vector, 10)
        assert [hit.id for hit in found] == sorted(x.id for x in graph.statements)[:10]


class TestTextSearch:
    def test_words_find_statements(self, filled: GraphStore) -> None:
        statement = corpus()[0].statements[1]
        found = filled.text_search("Statement", "Where did the workshop stand?", 5)
        assert found[0].id == statement.id
        assert found[0].score > 0

    def test_scores_fall_and_top_k_is_kept(self, filled: GraphStore) -> None:
        found = filled.text_search("Statement", "Quarry Bank firm 7", 10)
        assert len(found) == 10
        assert all(one.score >= other.score for one, other in pairwise(found))
        seventh = [x for x in corpus()[1].statements if x.text.endswith("firm 7.")]
        assert found[0].id == seventh[0].id

    def test_a_chunk_is_found_by_its_context(self, filled: GraphStore) -> None:
        found = filled.text_search("Chunk", "songs", 5)
        assert {hit.id for hit in found} == {chunk.id for chunk in corpus()[2].chunks}

    def test_an_entity_is_found_by_an_alias(self, filled: GraphStore) -> None:
        found = filled.text_search("Entity", "HI", 5)
        assert [hit.id for hit in found] == [names(filled)["Helix Instruments"]]

    @pytest.mark.parametrize("query", [LUCENE, "x' }) DETACH DELETE n //", "text:lathes~", "\0"])
    def test_operators_are_plain_text(self, filled: GraphStore, query: str) -> None:
        before = filled.counts()
        filled.text_search("Statement", query, 5)
        assert filled.counts() == before
        assert filled.text_search("Statement", f"{query} lathes", 5)

    @pytest.mark.parametrize("query", ["", "   ", "the of and", "zzzunknown", "?!", "\ud800"])
    def test_nothing_to_find_is_no_hit(self, filled: GraphStore, query: str) -> None:
        assert filled.text_search("Statement", query, 5) == []

    def test_it_follows_writes_and_deletes(self, store: GraphStore) -> None:
        store.write(corpus())
        assert store.text_search("Statement", "sextants", 5)
        store.delete([corpus()[0].source.id])
        assert store.text_search("Statement", "sextants", 5) == []
        store.write([source_graph("file:///new.txt", [("A sextant again.", [])])])
        assert len(store.text_search("Statement", "sextants", 5)) == 1


class TestNames:
    def test_found_by_name_and_alias_in_any_class(self, filled: GraphStore) -> None:
        found = filled.entities_named([normalize_name("The Helix")])
        assert {(x.name, x.entity_class) for x in found} == {
            ("Helix Instruments", "Thing"),
            ("Helix", "Song"),
        }

    def test_several_keys_at_once_give_each_entity_once(self, filled: GraphStore) -> None:
        keys = ["helix instruments", "hi", "helix", "nobody", "quarry bank"]
        found = filled.entities_named(keys)
        assert Counter(x.name for x in found) == Counter(
            ["Helix Instruments", "Helix", "Quarry Bank"]
        )
        bank = next(x for x in found if x.name == "Quarry Bank")
        assert (bank.degree, bank.aliases) == (30, ())


class TestWalking:
    def test_statements_of_topics(self, filled: GraphStore) -> None:
        graphs = corpus()
        wanted = sorted((x.topic_id, x.id) for graph in graphs[:2] for x in graph.statements)
        ids = [graphs[1].topics[0].id, graphs[0].topics[0].id, "0" * 32]
        assert filled.statements_of_topics(ids) == wanted

    def test_statements_of_entities(self, filled: GraphStore) -> None:
        bank = names(filled)["Quarry Bank"]
        wanted = sorted((bank, x.id) for x in corpus()[1].statements)
        assert filled.statements_of_entities([bank, bank]) == wanted

    def test_thousands_of_ids_at_once(self, filled: GraphStore) -> None:
        known = [x.id for graph in corpus() for x in graph.statements]
        ids = [f"{i:032x}" for i in range(5_000)] + known
        assert [x.id for x in filled.passages("Statement", ids)] == known
        assert filled.embeddings("Statement", ids)[5_000:].any(axis=1).all()
        assert filled.statements_of_topics(ids) == []
        assert filled.statements_of_entities(ids) == []
        assert filled.read(ids) == []
        assert filled.delete(ids) == 0


class TestPassages:
    def test_statements_in_the_order_asked(self, filled: GraphStore) -> None:
        graph = corpus()[0]
        asked = [graph.statements[2].id, "0" * 32, graph.statements[0].id, graph.statements[2].id]
        found = filled.passages("Statement", asked)
        assert [x.id for x in found] == [asked[0], asked[2], asked[3]]
        statement, passage = graph.statements[0], found[1]
        assert passage.kind == "Statement"
        assert (passage.text, passage.details) == (statement.text, statement.details)
        assert (passage.start, passage.end) == (statement.start, statement.end)
        assert passage.chunk_id == statement.chunk_ids[0]
        assert passage.topic == "the founding"
        assert passage.source == SourceRef(graph.source.id, "file:///one.txt", "Helix Instruments")

    def test_chunks(self, filled: GraphStore) -> None:
        graph = corpus()[2]
        chunk = graph.chunks[1]
        (passage,) = filled.passages("Chunk", [chunk.id])
        assert (passage.kind, passage.id, passage.chunk_id) == ("Chunk", chunk.id, chunk.id)
        assert (passage.text, passage.details, passage.topic) == (chunk.text, "Songs", "")
        assert passage.source.uri == "file:///three.txt"
        assert (passage.start, passage.page) == (100, 3)
        assert passage.citation == "file:///three.txt p. 3:100-200"

    def test_no_page_where_none_is_known(self, filled: GraphStore) -> None:
        (passage,) = filled.passages("Chunk", [corpus()[0].chunks[0].id])
        assert passage.page is None
        assert passage.citation == f"file:///one.txt:{passage.start}-{passage.end}"

    def test_each_reading_method_is_one_call(self, filled: GraphStore) -> None:
        graph = corpus()[1]
        ids = [x.id for x in graph.statements]
        for ask in (
            lambda: filled.passages("Statement", ids),
            lambda: filled.embeddings("Statement", ids),
            lambda: filled.statements_of_topics([graph.topics[0].id]),
            lambda: filled.statements_of_entities([x.id for x in graph.entities]),
            lambda: filled.vector_search("Statement", unit_vectors(1, 0)[0], 3),
            lambda: filled.entities_named(["quarry bank"]),
        ):
            ask()  # a file makes its index of names
            before = filled.calls
            assert len(ask()) > 0
            assert filled.calls == before + 1


class TestStreams:
    def test_embeddings_in_the_order_asked(self, filled: GraphStore) -> None:
        ids, matrix = vectors("Statement")
        asked = [ids[3], "0" * 32, ids[0], ids[3]]
        found = filled.embeddings("Statement", asked)
        assert found.dtype == np.float32
        assert np.array_equal(
            found, np.stack([matrix[3], np.zeros(DIMENSIONS), matrix[0], matrix[3]])
        )

    def test_counts_are_those_of_the_streams(self, filled: GraphStore) -> None:
        streamed = {
            label: sum(map(len, filled.nodes(label))) for label in NODES if label != "Graph"
        } | {
            edge.type: sum(
                len(rows) for ends in edge.ends for rows in filled.edges(edge.type, ends)
            )
            for edge in EDGES.values()
        }
        assert filled.counts() == streamed

    @pytest.mark.parametrize("label", [label for label in NODES if label != "Graph"])
    def test_nodes_come_in_the_order_of_ids(self, filled: GraphStore, label: str) -> None:
        rows = [row for batch in filled.nodes(label, with_embeddings=True) for row in batch]
        assert [row["id"] for row in rows] == sorted(str(row["id"]) for row in rows)
        expected = set(NODES[label].properties) | (
            {"embedding"} if NODES[label].embedded else set()
        )
        for row in rows:
            assert set(row) <= expected
            assert expected - set(row) <= UNSTATED

    @pytest.mark.parametrize(
        ("edge_type", "ends"), [(edge.type, ends) for edge in EDGES.values() for ends in edge.ends]
    )
    def test_edges_come_in_order(
        self, filled: GraphStore, edge_type: str, ends: tuple[str, str]
    ) -> None:
        rows = [row for batch in filled.edges(edge_type, ends) for row in batch]
        keys = [(row["from"], row["to"], str(row.get("predicate", ""))) for row in rows]
        assert keys == sorted(set(keys))
        for row in rows:
            assert set(row) == {"from", "to", *EDGES[edge_type].properties}

    def test_sources_come_in_the_order_of_their_uris(self, filled: GraphStore) -> None:
        assert filled.sources() == sorted(
            (graph.source for graph in corpus()), key=lambda source: source.uri
        )
