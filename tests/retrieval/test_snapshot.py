"""Snapshots: the graph as arrays, and where they are kept."""

import time
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from hlg.arrays import arrays_of
from hlg.ids import entity_id
from hlg.names import normalize_name
from hlg.retrieval.arrays.build import (
    csr,
    empty_snapshot,
    estimated_bytes,
    first_target,
    merge_entities,
    read_snapshot,
)
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.source import (
    SnapshotSource,
    load_snapshot,
    save_snapshot,
    snapshot_folder,
)
from hlg.retrieval.arrays.vectors import best, decode, decode_rows, similarities
from hlg.schema import CONCEPT_WEIGHT
from hlg.store import GraphStore
from hlg.strings import Strings
from support.stores import ON_FILE, StorePlace
from support.worlds import open_world, world


@pytest.fixture
def store(place: StorePlace) -> GraphStore:
    return open_world(place)


def snapshot_of(store: GraphStore) -> Snapshot:
    info = store.info()
    assert info is not None
    return read_snapshot(store, info)


def test_a_snapshot_holds_what_the_store_does(store: GraphStore) -> None:
    snapshot = snapshot_of(store)
    statements = {s.id: (s, g) for g in world() for s in g.statements}
    vectors = {
        s.id: v
        for g in world()
        for s, v in zip(g.statements, g.statement_embeddings, strict=True)  # type: ignore[arg-type]
    }
    names = {e.id: normalize_name(e.name) for g in world() for e in g.entities}
    ids = [id_.decode() for id_ in snapshot.statement_ids]
    assert ids == sorted(statements)
    for row, id_ in enumerate(ids):
        statement, graph = statements[id_]
        np.testing.assert_allclose(snapshot.statement_embeddings[row], vectors[id_], atol=1e-3)
        mentioned = {snapshot.entity_keys[e] for e in snapshot.statement_entities.row(row)}
        assert mentioned == {names[e] for e in statement.entity_ids}
        chunk = snapshot.statement_chunk[row]
        assert snapshot.chunk_ids[chunk].decode() == statement.chunk_ids[0]
        assert snapshot.topic_ids[snapshot.statement_topic[row]].decode() == statement.topic_id
        assert snapshot.source_ids[snapshot.chunk_source[chunk]].decode() == graph.source.id
    for entity in range(len(snapshot.entity_keys)):
        for row in snapshot.entity_statements.row(entity):
            assert entity in snapshot.statement_entities.row(row)


@ON_FILE
def test_names_aliases_and_titles_lead_to_entities(store: GraphStore) -> None:
    snapshot = snapshot_of(store)
    yard = snapshot.entity_keys.find("marrow yard")
    alias = snapshot.alias_keys.find("marrow shipbuilding")
    assert snapshot.entity_names[yard] == "Marrow Yard"
    assert snapshot.alias_entity[alias] == yard
    assert snapshot.entity_words.search("shipbuilding", 1)[0].tolist() == [yard]
    title = [snapshot.source_titles[i] for i in range(len(snapshot.source_titles))].index(
        "marrow yard"
    )
    assert snapshot.title_entity[title] == yard


@ON_FILE
def test_a_title_names_by_an_alias_what_it_names_by_nothing_else(store: GraphStore) -> None:
    snapshot = snapshot_of(store)
    yard = snapshot.entity_keys.find("marrow yard")
    count = len(snapshot.source_ids)
    titles = Strings.of(["marrow shipbuilding", *["elsewhere"] * (count - 1)])
    renamed = replace(snapshot, source_titles=titles, title_entity=np.full(count, -1, np.int32))
    assert Passages.of(renamed).title_entity.tolist() == [yard, *[-1] * (count - 1)]


@ON_FILE
def test_a_saved_snapshot_is_the_same(store: GraphStore, tmp_path: Path) -> None:
    snapshot = snapshot_of(store)
    folder = tmp_path / "snapshots"
    loaded = load_snapshot(save_snapshot(snapshot, folder))
    assert_equal(snapshot, loaded)
    assert_equal(empty_snapshot(), load_snapshot(save_snapshot(empty_snapshot(), folder)))
    assert len(list(folder.iterdir())) == 1, "older ones are removed"


def assert_equal(one: Snapshot, other: Snapshot) -> None:
    mine, theirs = arrays_of(one), arrays_of(other)
    assert mine.keys() == theirs.keys()
    for name, array in mine.items():
        np.testing.assert_array_equal(array, theirs[name])


def test_a_snapshot_is_read_once_a_revision(store: GraphStore, tmp_path: Path) -> None:
    first = SnapshotSource(store, tmp_path, 64)()
    assert first is not None
    calls = store.calls
    source = SnapshotSource(store, tmp_path, 64)
    again = source()
    assert again is not None
    assert again.revision == first.revision
    assert store.calls - calls <= 1
    assert source() is again
    store.delete([world()[0].source.id])
    moved = source()
    assert moved is not None
    assert moved.revision != first.revision
    assert len(moved.source_ids) == len(first.source_ids) - 1


@ON_FILE
def test_a_graph_over_the_budget_has_no_snapshot(store: GraphStore, tmp_path: Path) -> None:
    assert SnapshotSource(store, tmp_path, 0)() is None
    info = store.info()
    assert info is not None
    large = estimated_bytes({"Statement": 4_000_000}, info.dimensions)
    assert 3_000 < large / 2**20 < 6_000


@ON_FILE
def test_a_damaged_snapshot_is_read_anew(store: GraphStore, tmp_path: Path) -> None:
    whole = SnapshotSource(store, tmp_path, 64)()
    (kept,) = (found for found in tmp_path.iterdir() if found.is_dir())
    path = kept / "statement_ids.npy"
    path.write_bytes(path.read_bytes()[:-9])
    again = SnapshotSource(store, tmp_path, 64)()
    assert whole is not None
    assert again is not None
    assert_equal(whole, again)
    assert load_snapshot(kept).revision == whole.revision, "and kept anew"


@ON_FILE
def test_a_folder_that_cannot_be_written_does_not_matter(store: GraphStore) -> None:
    folder = Path("/proc/none")
    assert SnapshotSource(store, folder, 64)() is not None


def test_snapshots_are_beside_a_file_and_in_the_cache_for_a_server() -> None:
    assert snapshot_folder("a/graph.lbug") == Path("a/graph.lbug.snapshots")
    one, other = (snapshot_folder("neo4j://localhost:7687", graph) for graph in ("a", "b"))
    assert one.parent == Path(".hlg/cache")
    assert one != other


def test_entities_of_one_name_are_one_whatever_their_class() -> None:
    rows: list[dict[str, object]] = [
        {"id": "1", "name": "The Petrel", "class": "Ship", "degree": 1, "aliases": ["HMS P"]},
        {"id": "2", "name": "petrel", "class": "Concept", "degree": 5},
        {"id": "3", "name": "Tern", "class": "Concept", "degree": 1, "aliases": ["Petrel"]},
    ]
    merged = merge_entities(rows, {})
    assert merged.weights.tolist() == [1, CONCEPT_WEIGHT]
    assert merged.keys == ["petrel", "tern"]
    assert merged.names == ["petrel", "Tern"]
    assert merged.row_of_id.tolist() == [0, 0, 1]
    assert merged.aliases == {"hms p": 0}
    assert entity_id("The Petrel", "Ship") != entity_id("petrel", "Bird")


def test_links_become_rows_and_first_targets() -> None:
    links = np.array([(1, 2), (1, 0), (1, 2), (0, 1)], np.int32)
    rows = csr(links, 3)
    assert [rows.row(i).tolist() for i in range(3)] == [[1], [0, 2], []]
    assert first_target(links, 3).tolist() == [1, 0, -1]
    assert first_target(links, 3, np.array([5, 0, 1])).tolist() == [1, 2, -1]


def test_halves_are_decoded_and_multiplied_exactly() -> None:
    rng = np.random.default_rng(1)
    matrix = rng.standard_normal((1000, 384)).astype(np.float16)
    matrix[0] = [0.0, -0.0, 6e-8, -6e-8] * 96
    query = rng.standard_normal(384).astype(np.float32)
    np.testing.assert_array_equal(decode(matrix), matrix.astype(np.float32))
    np.testing.assert_array_equal(decode_rows(matrix, np.array([5, 3])), matrix[[5, 3]])
    expected = matrix.astype(np.float32) @ query
    np.testing.assert_allclose(similarities(matrix, query), expected, rtol=1e-4, atol=1e-4)
    large = np.tile(matrix, (110, 1))
    np.testing.assert_allclose(
        similarities(large, query), np.tile(expected, 110), rtol=1e-4, atol=1e-4
    )
    several = np.stack([query, -query, query / 2])
    for rows in (matrix, large, matrix[:0], matrix[:1]):
        together = similarities(rows, several)
        assert together.shape == (len(rows), 3)
        alone = np.stack([similarities(rows, each) for each in several], axis=1)
        np.testing.assert_allclose(together, alone, rtol=1e-4, atol=1e-4)


def test_the_best_rows_come_first_ties_by_row() -> None:
    scores = np.array([1, 3, 3, 2, 3], np.float32)
    assert best(scores, 2).tolist() == [1, 2]
    assert best(scores, 9).tolist() == [1, 2, 4, 3, 0]
    assert best(np.zeros(0, np.float32), 3).tolist() == []


def test_mapping_a_large_snapshot_is_fast(tmp_path: Path) -> None:
    size = 54_000
    empty = empty_snapshot()
    columns = {field.name: getattr(empty, field.name) for field in fields(Snapshot)}
    links = np.stack([np.arange(size), np.arange(size) % 999], axis=1).astype(np.int32)
    columns |= {
        "statement_ids": np.array([f"{i:032x}" for i in range(size)], "S32"),
        "statement_embeddings": np.ones((size, 384), np.float16),
        "statement_entities": csr(links, size),
    }
    path = save_snapshot(Snapshot(**columns), tmp_path)
    start = time.perf_counter()
    loaded = load_snapshot(path)
    assert time.perf_counter() - start < 0.2
    assert loaded.statement_embeddings.shape == (size, 384)
