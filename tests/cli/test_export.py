"""Export and copy: equal graphs give equal text, and every text survives the journey."""

import base64
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from hlg.errors import StoreError, StoreMismatch, UsageError
from hlg.export import export_graph
from hlg.ids import entity_id
from hlg.records import SameAs, SourceGraph
from hlg.reports import Progress
from hlg.schema import EDGES, NODES
from hlg.store import GraphStore, open_store
from hlg.store.transfer import copy_graph
from support.graphs import DIMENSIONS, EMBEDDER, source_graph
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


def nasty(uri: str, texts: tuple[str, ...] = NASTY) -> SourceGraph:
    """A source with an entity, two facts and a statement of each text."""
    facts = [(x, [(x, f"is {x}", "Shared"), (x, f"is {x}", f"={x}")]) for x in texts]
    aliases = {text: [f"{text} too"] for text in texts}
    return source_graph(uri, facts, title=texts[0], aliases=aliases, metadata={"note": texts[-1]})


GRAPHS = [nasty("a.txt"), nasty("b.txt", NASTY[:3]), nasty("c")]
ONE, OTHER = (entity_id(text, "Thing") for text in NASTY[:2])
MERGE = SameAs(ONE, OTHER, 0.9, {"why": NASTY[0]})


@pytest.fixture
def store(place: StorePlace) -> GraphStore:
    """A store of each kind with three sources of nasty texts, written in one transaction."""
    store = place.open()
    store.write(GRAPHS)
    store.write_merges([MERGE])
    return store


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[GraphStore]:
    """The same graph in a Ladybug file, written a source at a time on another day."""
    store = open_store(str(tmp_path / "other.lbug"))
    store.set_up(EMBEDDER, DIMENSIONS)
    for graph in GRAPHS:
        store.write([replace(graph, source=replace(graph.source, ingested_at="2027-07-07"))])
    store.write_merges([MERGE])
    yield store
    store.close()


def exported(store: GraphStore, format_: str, *, vectors: bool = False) -> bytes:
    return b"".join(export_graph(store, format_, vectors=vectors))


def lines(store: GraphStore, *, vectors: bool = False) -> list[dict[str, object]]:
    text = exported(store, "jsonl", vectors=vectors).decode()
    return [json.loads(line) for line in text.splitlines()]


def test_json_lines_hold_every_node_and_relationship_once_in_order_and_texts_exactly(
    file_store: GraphStore,
) -> None:
    records = lines(file_store)
    counts = file_store.counts()
    for label in NODES.keys() - {"Graph"}:
        assert sum(record.get("label") == label for record in records) == counts[label]
    for edge_type in EDGES:
        assert sum(record.get("type") == edge_type for record in records) == counts[edge_type]
    nodes = [record for record in records if record["kind"] == "node"]
    ids = {record["properties"]["id"] for record in nodes}
    for record in records:
        if record["kind"] == "relationship":
            assert {record["from"]["id"], record["to"]["id"]} <= ids
    labels = list(NODES)
    keys = [(labels.index(record["label"]), record["properties"]["id"]) for record in nodes]
    assert keys == sorted(keys)
    texts = {x["properties"]["text"] for x in nodes if x["label"] == "Statement"}
    assert texts == set(NASTY)


def test_equal_graphs_give_equal_bytes(store: GraphStore, file_store: GraphStore) -> None:
    for format_ in ("jsonl", "graphml", "cypher"):
        wanted = exported(file_store, format_, vectors=True)
        assert exported(store, format_, vectors=True) == wanted, format_
        assert b"2027-07-07" not in wanted


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


def entities_of(server: Neo4jServer) -> list[Any]:
    """The keys under which entities are found."""
    with server.driver() as driver:
        rows = driver.execute_query(
            "MATCH (e:Entity) RETURN e.id AS id, e.key AS key, e.alias_keys AS aliases ORDER BY id"
        ).records
    return [(row["id"], row["key"], sorted(row["aliases"])) for row in rows]


def test_cypher_runs_in_neo4j_and_brings_the_same_graph(
    file_store: GraphStore, neo4j_server: Neo4jServer
) -> None:
    neo4j_server.empty()
    target = neo4j_server.store()
    copy_graph(file_store, target)
    wanted = entities_of(neo4j_server)
    neo4j_server.empty()
    target.set_up(EMBEDDER, DIMENSIONS)
    script = exported(file_store, "cypher", vectors=True).decode()
    with neo4j_server.driver() as driver:
        for statement in script.split(";\n") * 2:
            if statement.strip():
                driver.execute_query(statement)
    assert entities_of(neo4j_server) == wanted
    assert exported(target, "jsonl", vectors=True) == exported(file_store, "jsonl", vectors=True)
    target.close()
    neo4j_server.empty()


def test_a_format_that_is_none_is_answered_with_all(file_store: GraphStore) -> None:
    with pytest.raises(UsageError, match="there are jsonl, graphml, cypher, mermaid"):
        exported(file_store, "yaml")


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


def test_a_copy_onto_other_vectors_onto_itself_and_of_nothing_is_refused(
    file_store: GraphStore, tmp_path: Path
) -> None:
    target, empty = (open_store(str(tmp_path / f"{name}.lbug")) for name in ("copy", "empty"))
    target.set_up(EMBEDDER, DIMENSIONS + 1)
    with pytest.raises(StoreMismatch):
        copy_graph(file_store, target)
    with pytest.raises(UsageError, match="onto itself"):
        copy_graph(file_store, file_store)
    with pytest.raises(StoreError, match="no graph in"):
        copy_graph(empty, file_store)
    target.close()
    empty.close()
