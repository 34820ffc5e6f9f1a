"""What only a server can do wrong: go away, refuse, or take words for a query language."""

import re
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import psutil
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hlg.errors import StoreDenied, StoreError, StoreUnreachable, UsageError
from hlg.names import normalize_name
from hlg.neo4j_server import server as neo4j_server
from hlg.records import SourceGraph
from hlg.store import open_store
from hlg.store.neo4j import database
from hlg.store.neo4j.store import Neo4jStore, lucene_query
from support.graphs import DIMENSIONS, EMBEDDER, source_graph
from support.neo4j_fixture import Neo4jServer, free_port
from support.stores import GRAPHS, wipe

pytestmark = pytest.mark.neo4j

HOSTILE_QUERIES = (
    "x' }) DETACH DELETE n //",
    "harbour) OR (*:*",
    "text:harbour",
    "harb*",
    "harbor~2",
    "[a TO z]",
    "AND OR NOT && || !",
    '"unclosed',
    "\\",
    "NUL \0 and \ud800",
    "/.*/",
    "(" * 5000,
)


@pytest.fixture
def store(neo4j_server: Neo4jServer) -> Iterator[Neo4jStore]:
    """A graph that is set up, with what the test before left in it."""
    store = neo4j_server.store(GRAPHS[0])
    store.set_up(EMBEDDER, DIMENSIONS)
    yield store
    store.close()


def harbour(uri: str = "harbour.txt") -> SourceGraph:
    """A source about a harbour, its keeper, and an entity with a long name."""
    return source_graph(
        uri,
        [
            ("Ann Lee keeps the harbour.", [("Ann Lee", "keeps", "The Harbour")]),
            ("It is AT&T's harbour.", [("AT&T", "owns", "The Harbour"), ("x" * 9000, "is", "=1")]),
        ],
        aliases={"Ann Lee": ['The "Keeper"', "A\\L", "IT", "Annie OR Bob"]},
    )


class TestReaching:
    def test_a_dead_port_is_said_at_once(self) -> None:
        with pytest.raises(StoreUnreachable, match="hlg neo4j start") as caught:
            open_store(f"neo4j://127.0.0.1:{free_port()}", password="x")
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize(
        ("answer", "said"),
        [
            (None, "no Neo4j answers .* port it has for Bolt"),
            (b"HTTP/1.1 400 Bad Request\r\n\r\n", "is no Neo4j of 5.26 or later|no Neo4j answers"),
            (b"\0\0\0\0", "is no Neo4j of 5.26 or later"),
            (b"\0\0\0\3", "is no Neo4j of 5.26 or later"),
        ],
        ids=["silent", "http", "no version", "too old"],
    )
    def test_what_is_no_neo4j_is_told_from_one_in_time(
        self, answer: bytes | None, said: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(database, "ACQUIRE_SECONDS", 1.0)
        with socket.create_server(("127.0.0.1", 0)) as server:

            def reply() -> None:
                client, _ = server.accept()
                with client:
                    client.recv(100)
                    client.sendall(answer or b"")
                    client.recv(1)

            threading.Thread(target=reply, daemon=True).start()
            address = f"bolt://127.0.0.1:{server.getsockname()[1]}"
            with pytest.raises(StoreError, match=said) as caught:
                open_store(address, password="x")
        assert caught.value.address == address

    @pytest.mark.parametrize("place", ["localhost:99999", "localhost:x", "[::1", "localhost?a=b"])
    def test_an_address_of_no_server_is_a_usage_error(self, place: str) -> None:
        with pytest.raises(UsageError, match="is not valid"):
            open_store(f"bolt://{place}", password="x")

    def test_a_wrong_password_is_said(self, neo4j_server: Neo4jServer) -> None:
        with pytest.raises(StoreDenied, match="HLG_NEO4J_PASSWORD") as caught:
            open_store(neo4j_server.uri, user=neo4j_server.user, password="not it")
        assert "not it" not in str(caught.value)

    def test_a_password_in_the_address_is_refused_and_not_repeated(self) -> None:
        with pytest.raises(UsageError) as caught:
            open_store("neo4j://neo4j:secret@localhost:7687")
        assert "secret" not in str(caught.value)

    def test_bolt_is_as_good_an_address(self, neo4j_server: Neo4jServer) -> None:
        address = neo4j_server.uri.replace("neo4j://", "bolt://")
        store = open_store(address, user=neo4j_server.user, password=neo4j_server.password)
        store.close()

    def test_a_graph_that_was_never_built_is_said(self, neo4j_server: Neo4jServer) -> None:
        store = neo4j_server.store("never_built")
        assert store.info() is None
        with pytest.raises(StoreError, match="hlg build"):
            store.counts()
        store.close()


class TestWords:
    @pytest.fixture
    def store(self, store: Neo4jStore) -> Neo4jStore:
        """It holds the harbour, which is written once."""
        if [source.uri for source in store.sources()] != ["harbour.txt"]:
            wipe(store)
            store.write([harbour()])
        return store

    @pytest.mark.parametrize("query", HOSTILE_QUERIES)
    def test_no_query_is_an_operator(self, store: Neo4jStore, query: str) -> None:
        before = store.counts()
        for label in ("Statement", "Chunk"):
            found = store.text_search(label, query, 10)
            assert bool(found) == query.startswith("harbour"), label
        assert store.counts() == before

    @settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
    @given(query=st.text(max_size=200))
    def test_any_text_is_a_query(self, store: Neo4jStore, query: str) -> None:
        store.text_search("Statement", query, 5)
        store.entities_named([query])

    def test_a_long_question_is_cut_not_refused(self, store: Neo4jStore) -> None:
        long = "harbour " + " ".join(f"word{i}" for i in range(8000))
        assert store.text_search("Statement", long, 10)
        assert store.text_search("Statement", "港" * 50_000, 10) == []

    def test_words_match_in_other_forms(self, store: Neo4jStore) -> None:
        assert len(store.text_search("Statement", "harbours", 10)) == 2

    def test_operators_become_words(self) -> None:
        assert lucene_query("a AND (b) OR c* NOT") == r"a and \(b\) or c\* not"
        assert lucene_query(" ++ -- ") == ""

    @pytest.mark.parametrize("name", ['the "keeper"', "a\\l", "it", "annie or bob", "at&t"])
    def test_entities_are_found_by_any_name(self, store: Neo4jStore, name: str) -> None:
        assert len(store.entities_named([normalize_name(name)])) == 1

    def test_part_of_a_name_is_not_the_name(self, store: Neo4jStore) -> None:
        assert store.entities_named(["ann", "keeper harbour", "bob"]) == []
        assert len(store.entities_named(["x" * 9000])) == 1


class TestVectors:
    def test_the_best_are_the_best_by_exact_cosine(self, store: Neo4jStore) -> None:
        random = np.random.default_rng(5)
        texts = [(f"Statement number {i}.", []) for i in range(2000)]
        graph = source_graph("many.txt", texts)
        wipe(store)
        store.write([graph])
        vectors = graph.statement_embeddings
        assert vectors is not None
        ids = np.array([statement.id for statement in graph.statements])
        for _ in range(20):
            query = random.standard_normal(DIMENSIONS).astype(np.float32)
            query /= np.linalg.norm(query)
            found = store.vector_search("Statement", query, 10)
            exact = vectors @ query
            assert [scored.id for scored in found] == list(ids[np.argsort(-exact)[:10]])
            np.testing.assert_allclose(
                [scored.score for scored in found], np.sort(exact)[::-1][:10], atol=2e-6
            )

    def test_a_graph_emptied_by_hand_takes_another_embedder(
        self, neo4j_server: Neo4jServer
    ) -> None:
        store = neo4j_server.store("emptied")
        store.set_up("first", DIMENSIONS + 1)
        with neo4j_server.driver() as driver:
            driver.execute_query("MATCH (n:Graph_emptied) DETACH DELETE n")
        store.set_up(EMBEDDER, DIMENSIONS)
        graph = harbour()
        store.write([graph])
        assert graph.statement_embeddings is not None
        found = store.vector_search("Statement", graph.statement_embeddings[0], 1)
        assert found[0].id == graph.statements[0].id
        store.delete([graph.source.id])
        with neo4j_server.driver() as driver:
            driver.execute_query("MATCH (n:Graph_emptied) DETACH DELETE n")
        store.close()


@pytest.mark.slow
def test_writes_wait_for_a_server_that_comes_back_and_say_where_it_stays_away(
    neo4j_reference: Neo4jServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has its place, its password and all data again, and meanwhile is nowhere."""
    home = neo4j_reference.own_home()
    monkeypatch.setattr(database, "RETRY_SECONDS", 240.0)
    store = neo4j_reference.store(GRAPHS[0])
    monkeypatch.setattr(database, "RETRY_SECONDS", 1.0)
    hasty = neo4j_reference.store(GRAPHS[0])
    for each in (store, hasty):
        each.set_up(EMBEDDER, DIMENSIONS)
    wipe(store)
    graphs = [harbour(f"source {i}") for i in range(6)]

    def restart() -> None:
        before = neo4j_server.start(home)
        password = before.password()
        assert neo4j_server.stop(home)
        assert not psutil.pid_exists(before.pid)
        assert neo4j_server.status(home) is None
        assert not neo4j_server.stop(home)
        with pytest.raises(StoreUnreachable, match=re.escape(store.address)) as caught:
            hasty.write(graphs[:1])
        assert "\n" not in str(caught.value)
        again = neo4j_server.start(home)
        assert replace(again, pid=before.pid) == before
        assert again.password() == password
        assert neo4j_server.answers(again)

    written = 0
    with ThreadPoolExecutor(1) as thread:
        restarting = None
        while written < len(graphs) or (restarting and not restarting.done()):
            if written == 2:
                restarting = thread.submit(restart)
            store.write([graphs[written % len(graphs)]])
            written += 1
    assert restarting is not None
    restarting.result()
    found = store.read([graph.source.id for graph in graphs])
    assert [graph.statements for graph in found] == [graph.statements for graph in graphs]
    relations = [row for batch in store.edges("RELATES_TO", ("Entity", "Entity")) for row in batch]
    assert [row["weight"] for row in relations] == [len(graphs)] * 2
    for each in (store, hasty):
        each.close()
