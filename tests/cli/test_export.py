"""Export and copy: equal graphs give equal text, and every text survives the journey."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from hlg.errors import StoreError, StoreMismatch, UsageError
from hlg.export import export_graph, write_export
from hlg.ids import chunk_id, content_id, entity_id, fact_id, source_id, statement_id, topic_id
from hlg.records import Chunk, Entity, Fact, Source, SourceGraph, Statement, Topic
from hlg.reports import Progress
from hlg.schema import EDGES, NODES
from hlg.store import GraphStore, open_store
from hlg.store.transfer import copy_graph
from support.graphs import DIMENSIONS, EMBEDDER
from support.neo4j_fixture import Neo4jServer
from support.stores import StorePlace

NASTY = (
    "x' }) DETACH DELETE n //",
    "back`tick` \\u0027 \\' \\\\ \\",
    "nul \x00, bell \x07, escape \x1b[31m, delete \x7f",
    "<b>&amp; ]]> \"quoted\" 'single'</b>",
    "lines\nand\r\nreturns\rand\ttabs\u2028\u2029",
    "über 漢字 🜁 \ufffe\uffff e\u0301",
    "lone \ud800 and \udfff surrogates",
    "$rows {not: 'a map'} ${x} %s {0}",
)


def vectors(count: int, seed: str) -> np.ndarray:
    """Unit rows that are the same for the same seed."""
    rng = np.random.default_rng(int(content_id(seed)[:8], 16))
    rows = rng.normal(size=(count, DIMENSIONS))
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def source_graph(uri: str, texts: tuple[str, ...], read_at: str = "2026-01-01") -> SourceGraph:
    """A source with one chunk and topic, and a statement, an entity and a fact for each text."""
    source = source_id(uri)
    whole = "\n".join(texts)
    chunk = Chunk(chunk_id(source, 0, len(whole)), source, 0, 0, len(whole), whole, context=uri)
    topic = Topic(topic_id(source, "all"), source, "all", (chunk.id,))
    shared = Entity(entity_id("Shared", "thing"), "Shared", "thing")
    entities = {shared.id: shared}
    statements, facts, start = [], [], 0
    for text in texts:
        named = Entity(entity_id(text, "thing"), text, "thing", (text + " too",))
        entities[named.id] = named
        statement = Statement(
            statement_id(chunk.id, text),
            text,
            start,
            start + len(text),
            (chunk.id,),
            topic.id,
            entity_ids=tuple(sorted({shared.id, named.id})),
        )
        statements.append(statement)
        for object_id, value in ((shared.id, None), (None, text)):
            facts.append(
                Fact(
                    fact_id(named.id, "is " + text, object_id or text),
                    text,
                    "is " + text,
                    named.id,
                    (statement.id,),
                    object_id,
                    value,
                )
            )
        start += len(text) + 1
    kept = tuple(entities[id_] for id_ in sorted(entities))
    return SourceGraph(
        source=Source(source, uri, texts[0], content_id(*texts), {"note": texts[-1]}, read_at),
        chunks=(chunk,),
        topics=(topic,),
        statements=tuple(statements),
        facts=tuple(sorted(facts, key=lambda fact: fact.id)),
        entities=kept,
        chunk_embeddings=vectors(1, chunk.id),
        topic_embeddings=vectors(1, topic.id),
        statement_embeddings=vectors(len(statements), uri),
        entity_embeddings=np.concatenate([vectors(1, entity.id) for entity in kept]),
    )


GRAPHS = [source_graph("a.txt", NASTY), source_graph("b.txt", NASTY[:3]), source_graph("c", NASTY)]


@pytest.fixture
def store(place: StorePlace) -> GraphStore:
    """A store of each kind with three sources of nasty texts, written in one transaction."""
    store = place.open()
    store.write(GRAPHS)
    return store


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[GraphStore]:
    """The same graph in a Ladybug file, written a source at a time on another day."""
    store = open_store(str(tmp_path / "other.lbug"))
    store.set_up(EMBEDDER, DIMENSIONS)
    for graph in GRAPHS:
        store.write([replace(graph, source=replace(graph.source, ingested_at="2027-07-07"))])
    yield store
    store.close()


def exported(store: GraphStore, format_: str, *, vectors: bool = False) -> bytes:
    return b"".join(export_graph(store, format_, vectors=vectors))


def lines(store: GraphStore, *, vectors: bool = False) -> list[dict[str, object]]:
    text = exported(store, "jsonl", vectors=vectors).decode()
    return [json.loads(line) for line in text.splitlines()]


def test_json_lines_hold_every_node_and_relationship_once(file_store: GraphStore) -> None:
    records = lines(file_store)
    counts = file_store.counts()
    for label in NODES.keys() - {"Graph"}:
        assert sum(record.get("label") == label for record in records) == counts[label]
    for edge_type in EDGES:
        assert sum(record.get("type") == edge_type for record in records) == counts[edge_type]
    ids = {record["properties"]["id"] for record in records if record["kind"] == "node"}
    for record in records:
        if record["kind"] == "relationship":
            assert {record["from"]["id"], record["to"]["id"]} <= ids


def test_json_lines_hold_texts_exactly(file_store: GraphStore) -> None:
    statements = {
        record["properties"]["text"]
        for record in lines(file_store)
        if record.get("label") == "Statement"
    }
    assert statements == set(NASTY)


@pytest.mark.parametrize("format_", ["jsonl", "graphml", "cypher"])
def test_equal_graphs_give_equal_bytes(
    store: GraphStore, file_store: GraphStore, format_: str
) -> None:
    wanted = exported(file_store, format_, vectors=True)
    assert exported(store, format_, vectors=True) == wanted
    assert b"2027-07-07" not in wanted


def test_order_is_that_of_the_schema_then_of_ids(file_store: GraphStore) -> None:
    labels = list(NODES)
    keys = [
        (labels.index(record["label"]), record["properties"]["id"])
        for record in lines(file_store)
        if record["kind"] == "node"
    ]
    assert keys == sorted(keys)


def test_vectors_come_when_asked_for(file_store: GraphStore) -> None:
    assert "embedding" not in json.dumps(lines(file_store))
    (chunk,) = (
        record["properties"]
        for record in lines(file_store, vectors=True)
        if record.get("label") == "Chunk" and record["properties"]["id"] == GRAPHS[0].chunks[0].id
    )
    vector = np.frombuffer(base64.b64decode(chunk["embedding"]), "<f4")
    np.testing.assert_array_equal(vector, GRAPHS[0].chunk_embeddings[0])


def test_graphml_is_valid_and_can_be_read_back(file_store: GraphStore) -> None:
    root = ElementTree.fromstring(exported(file_store, "graphml", vectors=True))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    keys = {key.get("id") for key in root.iter(f"{space}key")}
    assert {data.get("key") for data in root.iter(f"{space}data")} <= keys
    nodes = {node.get("id") for node in root.iter(f"{space}node")}
    ends = {edge.get(end) for edge in root.iter(f"{space}edge") for end in ("source", "target")}
    assert ends <= nodes
    texts = set()
    for node in root.iter(f"{space}node"):
        data = {item.get("key"): item.text or "" for item in node.iter(f"{space}data")}
        if data["labels"] == ":Statement":
            texts.add(re.sub(r"\\u([0-9a-f]{4})", lambda c: chr(int(c[1], 16)), data["n_text"]))
    assert texts == set(NASTY)


def test_cypher_runs_in_neo4j_and_brings_the_same_graph(
    file_store: GraphStore, neo4j_server: Neo4jServer
) -> None:
    neo4j_server.empty()
    target = neo4j_server.store()
    target.set_up(EMBEDDER, DIMENSIONS)
    script = exported(file_store, "cypher", vectors=True).decode()
    with neo4j_server.driver() as driver:
        for _ in range(2):
            for statement in script.split(";\n"):
                if statement.strip():
                    driver.execute_query(statement)
    assert exported(target, "jsonl", vectors=True) == exported(file_store, "jsonl", vectors=True)
    target.close()
    neo4j_server.empty()


def test_a_file_appears_only_when_it_is_whole(file_store: GraphStore, tmp_path: Path) -> None:
    out = tmp_path / "out" / "graph.jsonl"
    out.parent.mkdir()
    size = write_export(file_store, "jsonl", out)
    assert out.read_bytes() == exported(file_store, "jsonl")
    assert size == out.stat().st_size
    with pytest.raises(UsageError, match="there are jsonl, graphml, cypher, mermaid"):
        write_export(file_store, "yaml", out)
    assert [path.name for path in out.parent.iterdir()] == ["graph.jsonl"]
    with pytest.raises(UsageError, match="can't be written: there is no folder"):
        write_export(file_store, "jsonl", tmp_path / "nowhere" / "graph.jsonl")


def test_a_copy_is_equal_vectors_included(store: GraphStore, tmp_path: Path) -> None:
    target = open_store(str(tmp_path / "copy.lbug"))
    seen: list[Progress] = []
    report = copy_graph(store, target, on_progress=seen.append)
    assert (report.copied, report.skipped) == (3, 0)
    assert (seen[-1].done, seen[-1].total) == (3, 3)
    assert exported(target, "jsonl", vectors=True) == exported(store, "jsonl", vectors=True)
    target.close()


def test_a_copy_goes_on_where_it_stopped(file_store: GraphStore, tmp_path: Path) -> None:
    target = open_store(str(tmp_path / "copy.lbug"))
    target.set_up(EMBEDDER, DIMENSIONS)
    target.write(file_store.read([GRAPHS[1].source.id]))
    report = copy_graph(file_store, target)
    assert (report.copied, report.skipped) == (2, 1)
    assert copy_graph(file_store, target).skipped == 3
    assert exported(target, "jsonl") == exported(file_store, "jsonl")
    target.close()


def test_a_copy_onto_other_vectors_is_refused(file_store: GraphStore, tmp_path: Path) -> None:
    target = open_store(str(tmp_path / "copy.lbug"))
    target.set_up(EMBEDDER, DIMENSIONS + 1)
    with pytest.raises(StoreMismatch):
        copy_graph(file_store, target)
    target.close()


def test_a_copy_onto_itself_and_of_nothing_is_refused(
    file_store: GraphStore, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="onto itself"):
        copy_graph(file_store, file_store)
    empty = open_store(str(tmp_path / "empty.lbug"))
    with pytest.raises(StoreError, match="no graph in"):
        copy_graph(empty, file_store)
    empty.close()
