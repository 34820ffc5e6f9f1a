"""What every store does: sources go in whole, come out as they were, and leave nothing behind."""

import gc
import os
import signal
from collections import Counter
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from hlg.errors import StoreError, StoreMismatch, UsageError
from hlg.facts import FACTUALITY, factuality_of, relation_predicate
from hlg.ids import chunk_id, source_id
from hlg.records import BETWEEN, DENIED, Chunk, Fact, Factuality, Source, SourceGraph
from hlg.schema import EDGES, NODES, SCHEMA_VERSION
from hlg.store import GraphStore, open_store
from hlg.store.source_text import between_chunks
from support.graphs import DIMENSIONS, EMBEDDER, source_graph, source_graphs, unit_vectors
from support.helix import OWN_A, OWN_B, SHARED, A, B, graph_a, graph_b
from support.stores import StorePlace, state, wipe

EMPTY = dict.fromkeys((label for label in NODES if label != "Graph"), 0) | dict.fromkeys(EDGES, 0)
ENTITIES = ("Entity", "Entity")
HOSTILE = (
    "x' }) DETACH DELETE n //",
    'y" }) RETURN 1; MATCH (n) DETACH DELETE n',
    "`backticks` and \\ backslashes \\u0041 \\n",
    "$ids {id: $id} // /* */ \\",
    "NUL \0 inside",
    "lone \ud800 and \udfff surrogates",
    "escape \U0010f800 and \U0010f123 literals",
    "emoji 👩‍👩‍👧 and 数学 and עברית",
    "  leading and trailing \r\n\t\u00a0\u2028 ",
    "x" * 100_000,
)


def cut_up(uri: str, text: str) -> tuple[SourceGraph, str]:
    """A source of a text four times over, in chunks that overlap, or leave white space out."""
    text = f"\n{text}\r\n\n" * 4
    source = Source(source_id(uri), uri, "title", "hash")
    spans = [(k * len(text) // 6 - k % 2, (k + 1) * len(text) // 6 - k % 3) for k in range(1, 6)]
    chunks = [
        Chunk(chunk_id(source.id, *span), source.id, i, *span, text[slice(*span)])
        for i, span in enumerate(spans)
    ]
    source = replace(source, metadata={BETWEEN: between_chunks(text, chunks)})
    return SourceGraph(source, tuple(chunks)), text


def made_of(text: str) -> SourceGraph:
    """A source with a text in every field."""
    name = text[:500]
    graph = source_graph(
        f"file:///{name}",
        [(text, [(f"x{name}", f"p{name}", f"={text}"), (f"x{name}", "is", f"y{name}")])],
        title=text,
        topic=text,
        entity_class=f"c{name}",
        aliases={f"x{name}": [text]},
        metadata={name: [text, {"nested": None, "number": 1.5}]},
    )
    fact = replace(graph.facts[0], **dict.fromkeys(FACTUALITY[2:], text))
    statement = replace(graph.statements[0], details=text)
    return replace(graph, statements=(statement,), facts=(fact, *graph.facts[1:]))


def assert_equal(one: SourceGraph, other: SourceGraph) -> None:
    """Equal in all fields, vectors to the bit."""
    for field in fields(SourceGraph):
        mine, theirs = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert theirs is not None, field.name
            assert theirs.dtype == np.float32
            assert np.array_equal(mine, theirs), field.name
        else:
            assert mine == theirs, field.name


def relations(store: GraphStore) -> dict[tuple[str, str, str], object]:
    """Weights of RELATES_TO by the names of its ends and its predicate."""
    names = {str(row["id"]): str(row["name"]) for rows in store.nodes("Entity") for row in rows}
    return {
        (names[str(row["from"])], str(row["predicate"]), names[str(row["to"])]): row["weight"]
        for rows in store.edges("RELATES_TO", ENTITIES)
        for row in rows
    }


def said(fact: Fact) -> str:
    """The predicate of a fact's relation."""
    return relation_predicate({"predicate": fact.predicate, **factuality_of(fact)})


def degrees(store: GraphStore) -> dict[str, object]:
    return {str(row["name"]): row["degree"] for rows in store.nodes("Entity") for row in rows}


class TestLife:
    def test_info_says_what_set_up_was_given(self, place: StorePlace) -> None:
        info = place.open().require()
        assert (info.embedder, info.dimensions) == (EMBEDDER, DIMENSIONS)

    def test_set_up_is_idempotent(self, store: GraphStore) -> None:
        store.write([graph_a()])
        before, info = state(store), store.info()
        store.set_up(EMBEDDER, DIMENSIONS)
        assert (state(store), store.info()) == (before, info)

    def test_another_embedder_or_dimension_is_refused(self, store: GraphStore) -> None:
        for embedder, dimensions in (("other@1", DIMENSIONS), (EMBEDDER, DIMENSIONS + 1)):
            with pytest.raises(StoreMismatch, match=EMBEDDER):
                store.set_up(embedder, dimensions)

    def test_a_graph_of_another_schema_is_refused_in_one_line(
        self, place: StorePlace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        old = place.open()
        old.close()
        for module in ("hlg.store.base", "hlg.store.shared.checking"):
            monkeypatch.setattr(f"{module}.SCHEMA_VERSION", SCHEMA_VERSION + 1)
        store = place.connect()
        info = store.info()
        assert info is not None
        assert info.schema_version == SCHEMA_VERSION
        for use in (store.require, store.sources, lambda: store.set_up(EMBEDDER, DIMENSIONS)):
            with pytest.raises(StoreMismatch, match=r"^the graph in .* build it anew into another"):
                use()

    def test_a_forked_child_is_told_and_leaves_the_parent_its_store(
        self, store: GraphStore
    ) -> None:
        out, into = os.pipe()
        child = os.fork()
        if not child:
            signal.alarm(20)
            try:
                store.sources()
            except StoreError as error:
                os.write(into, str(error).encode())
            store.close()
            del store
            gc.collect()
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert f"opened by process {os.getpid()}" in os.read(out, 1000).decode()
        store.write([graph_a()])
        assert len(store.sources()) == 1

    @pytest.mark.parametrize("name", ["Upper", "1digit", "a-b", "a`b", "x" * 32, "a b", "ü"])
    def test_an_invalid_graph_name_is_refused(self, place: StorePlace, name: str) -> None:
        with pytest.raises(UsageError, match="graph name"):
            open_store(place.address, name, user=place.user, password=place.password)

    def test_a_graph_is_there_for_the_next_who_opens_it(self, place: StorePlace) -> None:
        first = place.open()
        first.write([graph_a()])
        before, info = state(first), first.info()
        first.close()
        again = place.connect()
        assert (state(again), again.info()) == (before, info)

    def test_closing_twice_is_fine(self, store: GraphStore) -> None:
        store.close()
        store.close()

    def test_what_is_closed_is_not_opened_by_a_question(self, store: GraphStore) -> None:
        store.close()
        with pytest.raises(StoreError):
            store.info()

    def test_two_graphs_in_one_place_do_not_see_each_other(self, place: StorePlace) -> None:
        one, other = place.open("contract"), place.open("contract_b")
        one.write([graph_a()])
        assert other.counts() == EMPTY
        assert other.vector_search("Statement", unit_vectors(1, 0)[0], 10) == []
        assert other.text_search("Statement", "Ada founded", 10) == []
        assert other.entities_named(["ada thorne"]) == []
        other.write([graph_b()])
        other.delete([graph_a().source.id])
        assert [source.uri for source in one.sources()] == [A]
        assert_equal(graph_a(), one.read([graph_a().source.id])[0])


class TestWriting:
    def test_what_was_written_is_read(self, store: GraphStore) -> None:
        graph = graph_a()
        store.write([graph])
        assert_equal(graph, store.read([graph.source.id])[0])

    @settings(
        max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(graphs=source_graphs(most=1))
    def test_any_source_is_read_as_it_was_written(
        self, store: GraphStore, graphs: list[SourceGraph]
    ) -> None:
        wipe(store)
        store.write(graphs)
        assert_equal(graphs[0], store.read([graphs[0].source.id])[0])

    def test_hierarchy_of_chunks_is_kept(self, store: GraphStore) -> None:
        graph = source_graph(A, [], chunk_count=4, vectors=False)
        parent = graph.chunks[0].id
        children = [replace(chunk, parent_id=parent) for chunk in graph.chunks[1:3]]
        graph = replace(graph, chunks=(graph.chunks[0], *children, graph.chunks[3]))
        store.write([graph])
        assert_equal(graph, store.read([graph.source.id])[0])
        following = [row for rows in store.edges("NEXT", ("Chunk", "Chunk")) for row in rows]
        pairs = {(row["from"], row["to"]) for row in following}
        assert pairs == {
            (parent, graph.chunks[3].id),
            (graph.chunks[1].id, graph.chunks[2].id),
        }

    def test_a_text_comes_back_to_the_character(self, store: GraphStore) -> None:
        graphs, texts = zip(
            *(cut_up(f"{i}.md", text) for i, text in enumerate(HOSTILE)), strict=True
        )
        store.write(graphs)
        calls = store.calls
        found = store.texts([*(graph.source.id for graph in reversed(graphs)), "unknown"])
        assert store.calls == calls + 1
        assert [each.text for each in found] == list(reversed(texts))
        for each, graph in zip(found, reversed(graphs), strict=True):
            assert (each.source, each.chunks) == (graph.source, graph.chunks)

    def test_a_graph_without_vectors_is_kept_without(self, store: GraphStore) -> None:
        graph = source_graph(A, [("Ada founded Helix.", [SHARED])], vectors=False)
        store.write([graph])
        assert_equal(graph, store.read([graph.source.id])[0])
        assert store.vector_search("Statement", unit_vectors(1, 0)[0], 5) == []
        assert not store.embeddings("Statement", [graph.statements[0].id]).any()

    def test_an_empty_source_is_kept(self, store: GraphStore) -> None:
        graph = SourceGraph(source=graph_a().source)
        store.write([graph])
        assert_equal(graph, store.read([graph.source.id])[0])

    def test_hostile_text_is_unharmed_in_every_field(self, store: GraphStore) -> None:
        graphs = [made_of(text) for text in HOSTILE]
        store.write([*graphs, graph_a()])
        for text, graph in zip(HOSTILE, graphs, strict=True):
            assert_equal(graph, store.read([graph.source.id])[0])
            (passage,) = store.passages("Statement", [graph.statements[0].id])
            assert passage.text == text
            assert store.text_search("Statement", text[:5_000], 5) is not None
        assert_equal(graph_a(), store.read([graph_a().source.id])[0])

    def test_writing_twice_changes_nothing(self, store: GraphStore) -> None:
        store.write([graph_a(), graph_b()])
        before = state(store)
        store.write([graph_a(), graph_b()])
        assert state(store) == before
        store.write([graph_a()])
        assert state(store) == before

    def test_a_source_replaces_its_older_self(self, store: GraphStore) -> None:
        older = source_graph(A, [("Ada founded Helix.", [SHARED, OWN_A])])
        store.write([older, graph_b()])
        newer = source_graph(A, [("All is different now.", [("Bela Kovacs", "sings", "=often")])])
        store.write([newer])
        replaced = state(store)
        wipe(store)
        store.write([graph_b(), newer])
        assert replaced == state(store)

    def test_a_source_gets_other_metadata(self, store: GraphStore) -> None:
        store.write([graph_a(), graph_b()])
        before, other = store.sources()
        revision = store.require().revision
        metadata = {"also_at": ["x\ud800.md"], "n": 1, "inner": {"a": None}}
        store.set_metadata({before.id: metadata, "0" * 32: {}})
        assert store.sources() == [replace(before, metadata=metadata), other]
        assert store.require().revision != revision

    def test_nothing_written_is_nothing_changed(self, store: GraphStore) -> None:
        store.write([])
        assert store.counts() == EMPTY


class TestAtomicity:
    def broken(self) -> dict[str, SourceGraph]:
        """Graphs that can't be written, by what is wrong."""
        good = graph_b()
        statement, fact, chunk = good.statements[0], good.facts[0], good.chunks[0]
        wrong = np.zeros((len(good.statements), DIMENSIONS + 1), np.float32)
        endless = np.full((len(good.statements), DIMENSIONS), np.nan, np.float32)
        rest = good.statements[1:]
        return {
            "dimension": replace(good, statement_embeddings=wrong),
            "number of vectors": replace(good, topic_embeddings=wrong[:0, :DIMENSIONS]),
            "not a number": replace(good, statement_embeddings=endless),
            "topic": replace(good, statements=(replace(statement, topic_id="f" * 32), *rest)),
            "chunk": replace(good, statements=(replace(statement, chunk_ids=("f" * 32,)), *rest)),
            "entity": replace(good, statements=(replace(statement, entity_ids=("e",)), *rest)),
            "fact": replace(good, facts=(replace(fact, statement_ids=("f" * 32,)),)),
            "no statement": replace(good, facts=(replace(fact, statement_ids=()),)),
            "subject": replace(good, facts=(replace(fact, subject_id="f" * 32),)),
            "twice": replace(good, chunks=(*good.chunks, chunk)),
            "parent": replace(good, chunks=(replace(chunk, parent_id="f" * 32), *good.chunks[1:])),
            "confidence": replace(good, facts=(replace(fact, confidence=1.5), *good.facts[1:])),
            "polarity": replace(good, facts=(replace(fact, polarity="maybe"), *good.facts[1:])),
            "orphan": replace(good, statements=(), facts=(), statement_embeddings=None),
        }

    def test_a_graph_that_fails_leaves_nothing_of_its_batch(self, store: GraphStore) -> None:
        store.write([source_graph("file:///kept.txt", [("Kept.", [SHARED])])])
        before, info, counts = state(store), store.info(), store.counts()
        for problem, graph in self.broken().items():
            with pytest.raises(StoreError):
                store.write([graph_a(), graph])
            assert (problem, store.counts()) == (problem, counts)
        assert (state(store), store.info()) == (before, info)
        store.write([graph_a()])
        assert_equal_without_shared(graph_a(), store)

    def test_a_failure_while_writing_leaves_nothing(self, store: GraphStore) -> None:
        """That two sources claim the same chunk is found out while they are written."""
        store.write([graph_a()])
        before = state(store)
        chunk = replace(graph_a().chunks[0], source_id=graph_b().source.id)
        thief = SourceGraph(source=graph_b().source, chunks=(chunk,))
        with pytest.raises(StoreError, match="belongs to another source already"):
            store.write([source_graph("file:///c.txt", [("First.", [SHARED])]), thief])
        assert state(store) == before
        store.write([graph_b()])
        assert len(store.sources()) == 2


def assert_equal_without_shared(graph: SourceGraph, store: GraphStore) -> None:
    """Equal but for entities, which other sources add to."""
    found = store.read([graph.source.id])[0]
    assert_equal(
        replace(graph, entities=(), entity_embeddings=None),
        replace(found, entities=(), entity_embeddings=None),
    )


class TestSharing:
    def test_entities_and_facts_are_merged(self, store: GraphStore) -> None:
        store.write([graph_a()])
        store.write([graph_b()])
        counts = store.counts()
        assert counts["Entity"] == 4
        assert counts["Fact"] == 4
        assert counts["SUBJECT"] == 4
        assert counts["SUPPORTS"] == 6
        assert degrees(store) == {
            "Ada Thorne": 4,
            "Helix Instruments": 4,
            "Port Ellery": 1,
            "Quarry Bank": 1,
        }
        assert relations(store) == {SHARED: 3, OWN_A: 1, OWN_B: 1}
        helix = next(x for x in store.entities_named(["helix instruments"]))
        assert helix.aliases == ("HI", "Helix", "Helix Ltd")

    def test_the_highest_confidence_stays_with_the_wording_that_came_first(
        self, store: GraphStore
    ) -> None:
        may = ("Ada Thorne", "bought", "Helix Instruments")
        for uri, wording, sure in (
            (A, "may", 0.4),
            (B, "May", 0.75),
            ("file:///c.txt", "may", 0.5),
        ):
            factuality = Factuality(confidence=sure, modality=wording, time="in 1921")
            graph = source_graph(
                uri, [("It may be.", [may])], stated={may: factuality}, sure={"Ada Thorne": sure}
            )
            store.write([graph])
        (fact,) = (row for rows in store.nodes("Fact") for row in rows)
        assert (fact["confidence"], fact["modality"]) == (0.75, "may")
        assert fact["text"] == "Ada Thorne bought (may; in 1921) Helix Instruments"
        sure_of = {row["name"]: row["confidence"] for rows in store.nodes("Entity") for row in rows}
        assert sure_of == {"Ada Thorne": 0.75, "Helix Instruments": 1.0}
        (relation,) = (row for rows in store.edges("RELATES_TO", ENTITIES) for row in rows)
        assert relation["predicate"] == "bought (may)"
        assert (relation["weight"], relation["confidence"]) == (3, 0.75)
        assert store.relations().weights.tolist() == [2.25]
        assert {x.confidence for x in store.fact_supports([str(relation["from"])])} == {0.75}
        store.delete([graph.source.id])
        assert store.relations().weights.tolist() == [1.5]

    def test_what_is_denied_is_a_fact_of_its_own(self, store: GraphStore) -> None:
        store.write([graph_a()])
        denied = {SHARED: Factuality(polarity=DENIED)}
        store.write([source_graph(B, [("Ada never founded it.", [SHARED])], stated=denied)])
        assert relations(store) == {
            SHARED: 1,
            OWN_A: 1,
            ("Ada Thorne", "not founded", "Helix Instruments"): 1,
        }

    def test_the_order_and_size_of_batches_do_not_matter(self, place: StorePlace) -> None:
        one, other = place.open("contract"), place.open("contract_b")
        one.write([graph_a()])
        one.write([graph_b()])
        other.write([graph_b(), graph_a()])
        assert state(one) == state(other)

    def test_deleting_one_keeps_what_the_other_supports(self, store: GraphStore) -> None:
        store.write([graph_a(), graph_b()])
        assert store.delete([graph_a().source.id]) == 1
        assert [source.uri for source in store.sources()] == [B]
        assert degrees(store) == {"Ada Thorne": 2, "Helix Instruments": 2, "Quarry Bank": 1}
        assert relations(store) == {SHARED: 2, OWN_B: 1}
        assert_equal_without_shared(graph_b(), store)

    def test_deleting_all_leaves_an_empty_graph(self, store: GraphStore) -> None:
        store.write([graph_a(), graph_b()])
        ids = [graph_a().source.id, "0" * 32, graph_b().source.id]
        assert store.delete(ids) == 2
        assert store.counts() == EMPTY
        assert store.delete(ids) == 0

    @settings(
        max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
    )
    @given(graphs=source_graphs())
    def test_degrees_and_weights_are_counts(
        self, store: GraphStore, graphs: list[SourceGraph]
    ) -> None:
        """After writes and a deletion they are those of the sources that are left."""
        wipe(store)
        for graph in graphs:
            store.write([graph])
        store.delete([graphs[0].source.id])
        left = graphs[1:]
        mentions = Counter(id_ for graph in left for x in graph.statements for id_ in x.entity_ids)
        found = {row["id"]: row["degree"] for rows in store.nodes("Entity") for row in rows}
        assert found == {x.id: mentions[x.id] for graph in left for x in graph.entities}
        weights = Counter(
            (fact.subject_id, said(fact), fact.object_id)
            for graph in left
            for fact in graph.facts
            for _ in fact.statement_ids
            if fact.object_id is not None
        )
        edges = [row for rows in store.edges("RELATES_TO", ENTITIES) for row in rows]
        assert {(x["from"], x["predicate"], x["to"]): x["weight"] for x in edges} == weights
        store.delete([graph.source.id for graph in left])
        assert store.counts() == EMPTY


class TestRevision:
    def test_it_moves_on_every_write_and_delete_and_on_no_read(self, store: GraphStore) -> None:
        seen = [store.require().revision]
        for change in (
            lambda: store.write([graph_a()]),
            lambda: store.write([graph_a()]),
            lambda: store.write([graph_b()]),
            lambda: store.delete([graph_a().source.id]),
        ):
            change()
            seen.append(store.require().revision)
        assert len(set(seen)) == len(seen)
        store.counts()
        store.read([graph_b().source.id])
        store.text_search("Statement", "Ada", 3)
        store.vector_search("Statement", unit_vectors(1, 0)[0], 3)
        store.set_up(EMBEDDER, DIMENSIONS)
        assert store.require().revision == seen[-1]
