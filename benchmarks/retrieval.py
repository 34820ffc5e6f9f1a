"""Time of retrieval by stage on synthetic graphs with Zipf degrees and clustered vectors.

    python benchmarks/retrieval.py 5000 54000 500000
    python benchmarks/retrieval.py 5000 54000 --store /tmp/bench.lbug
    python benchmarks/retrieval.py 54000 --store neo4j://localhost:7687 --in-store

Without a store the searches and walks run on the snapshot alone; with one the graph is
written into it, read back into a snapshot, and whole queries are timed, citations
included. ``--in-store`` walks in the store instead. Embedding the question and the
learned ranker's model are never part of the walks' times.
"""

import argparse
import json
import os
import resource
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.arrays import arrays_of
from hlg.ids import chunk_id, entity_id, source_id, statement_id, topic_id
from hlg.records import Chunk, Embeddings, Entity, Source, SourceGraph, Statement, Topic
from hlg.retrieval.arrays.build import Nodes, assemble, merge_entities
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.arrays.source import SnapshotSource, load_snapshot, save_snapshot
from hlg.retrieval.arrays.vectors import best, similarities
from hlg.retrieval.base import SearchSession, Trace
from hlg.retrieval.registry import open_retriever
from hlg.retrieval.retrievers.page_rank import personalised_page_rank
from hlg.retrieval.view.beam import BeamLimits, beam_search
from hlg.store import GraphStore, open_store

DIMENSIONS = 384
ENTITIES_A_STATEMENT = 3.0
ZIPF = 0.9
"""Exponent of the entities' popularity: at 54,000 statements the first is in some 2,000."""
STATEMENTS_A_CHUNK = 8
CHUNKS_A_SOURCE = 4
VOCABULARY = 20_000
WORDS_A_STATEMENT = 9
SPREAD = 1.2
"""Noise around a cluster's centre, as a multiple of it."""
QUESTIONS = 50
SEEDS = 100
WALKS = ("chunks", "statements", "bm25", "keywords", "statement-graph", "topic-graph")
IN_MEMORY = (*WALKS, "entity-link", "ppr", "auto")


@dataclass(frozen=True)
class World:
    """A synthetic graph as arrays; statement i is in chunk i // 8, and so on."""

    vectors: Embeddings
    words: NDArray[np.int32]
    links: NDArray[np.int32]
    entities: int

    @property
    def size(self) -> int:
        return len(self.vectors)

    def text(self, i: int) -> str:
        return " ".join(f"w{word}" for word in self.words[i]) + f" s{i}."


def make_world(size: int, seed: int = 0) -> World:
    """A graph of ``size`` statements, the same for the same seed."""
    rng = np.random.default_rng(seed)
    entities = size // 2
    popularity = np.arange(1, entities + 1) ** -ZIPF
    popularity /= popularity.sum()
    counts = np.maximum(rng.poisson(ENTITIES_A_STATEMENT, size), 1)
    mentioned = rng.choice(entities, counts.sum(), p=popularity)
    links = np.stack([np.repeat(np.arange(size), counts), mentioned], axis=1)
    centres = rng.standard_normal((max(20, size // 200), DIMENSIONS), np.float32)
    vectors = rng.standard_normal((size, DIMENSIONS), np.float32) * np.float32(SPREAD)
    vectors += centres[rng.integers(0, len(centres), size)]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    frequency = np.arange(1, VOCABULARY + 1) ** -1.0
    words = rng.choice(VOCABULARY, (size, WORDS_A_STATEMENT), p=frequency / frequency.sum())
    return World(
        vectors,
        words.astype(np.int32),
        np.unique(links, axis=0).astype(np.int32),
        entities,
    )


def snapshot_of(world: World) -> Snapshot:
    """The world's snapshot, without a store."""
    rows = np.arange(world.size)
    chunk_of = rows // STATEMENTS_A_CHUNK
    chunks = int(chunk_of[-1]) + 1
    sources = -(-chunks // CHUNKS_A_SOURCE)
    first = np.arange(chunks) * STATEMENTS_A_CHUNK
    source_of = np.arange(chunks) // CHUNKS_A_SOURCE

    def nodes(count: int, texts: Sequence[str], vectors: Embeddings) -> Nodes:
        ids = np.array([f"{i:032x}" for i in range(count)], "S32")
        return Nodes(ids, texts, vectors.astype(np.float16))

    merged = merge_entities(
        [
            {"id": f"{i:032x}", "name": f"e{i}", "class": "Thing", "degree": 1}
            for i in range(world.entities)
        ],
        {},
    )
    links = world.links.copy()
    links[:, 1] = merged.row_of_id[links[:, 1]]
    texts = [world.text(i) for i in range(world.size)]
    chunk_texts = [
        " ".join(texts[low : low + STATEMENTS_A_CHUNK])
        for low in range(0, world.size, STATEMENTS_A_CHUNK)
    ]
    return assemble(
        f"synthetic {world.size}",
        nodes(sources, [f"title {i}" for i in range(sources)], np.zeros((sources, 0), np.float32)),
        nodes(chunks, chunk_texts, world.vectors[first]),
        nodes(sources, [""] * sources, world.vectors[:: STATEMENTS_A_CHUNK * CHUNKS_A_SOURCE]),
        nodes(world.size, texts, world.vectors),
        merged,
        chunk_source=source_of.astype(np.int32),
        statement_chunk=chunk_of.astype(np.int32),
        statement_topic=source_of[chunk_of].astype(np.int32),
        mentions=links,
    )


def source_graphs(world: World) -> Iterator[SourceGraph]:
    """The same world as what an extractor would hand to a store."""
    bounds = np.searchsorted(world.links[:, 0], np.arange(world.size + 1))
    per_source = STATEMENTS_A_CHUNK * CHUNKS_A_SOURCE
    for low in range(0, world.size, per_source):
        yield _source_graph(world, bounds, low, min(low + per_source, world.size))


def _source_graph(world: World, bounds: NDArray[np.intp], low: int, high: int) -> SourceGraph:
    uri = f"synthetic/{low}"
    source = Source(source_id(uri), uri, f"title {low}", uri)
    topic = topic_id(source.id, "topic")
    chunks, statements = [], []
    entities: dict[str, str] = {}
    for start in range(low, high, STATEMENTS_A_CHUNK):
        rows = range(start, min(start + STATEMENTS_A_CHUNK, high))
        chunk = chunk_id(source.id, start, rows[-1] + 1)
        text = " ".join(world.text(i) for i in rows)
        ordinal = (start - low) // STATEMENTS_A_CHUNK
        chunks.append(Chunk(chunk, source.id, ordinal, start, rows[-1] + 1, text))
        for i in rows:
            names = [f"e{e}" for e in world.links[bounds[i] : bounds[i + 1], 1].tolist()]
            ids = sorted(entity_id(name, "thing") for name in names)
            entities |= {entity_id(name, "thing"): name for name in names}
            statements.append(
                Statement(
                    statement_id(chunk, world.text(i)),
                    world.text(i),
                    i,
                    i + 1,
                    (chunk,),
                    topic,
                    entity_ids=tuple(ids),
                )
            )
    return SourceGraph(
        source,
        tuple(chunks),
        (Topic(topic, source.id, "topic", tuple(chunk.id for chunk in chunks)),),
        tuple(statements),
        entities=tuple(Entity(id_, entities[id_], "thing") for id_ in sorted(entities)),
        chunk_embeddings=world.vectors[low:high:STATEMENTS_A_CHUNK],
        topic_embeddings=world.vectors[low : low + 1],
        statement_embeddings=world.vectors[low:high],
        entity_embeddings=world.vectors[np.arange(len(entities)) % world.size],
    )


@dataclass(frozen=True)
class Asked:
    """A question near a statement of the world."""

    text: str
    vector: NDArray[np.float32]


def questions(world: World, seed: int = 1) -> list[Asked]:
    """Questions that name a statement's words and one of its entities."""
    rng = np.random.default_rng(seed)
    bounds = np.searchsorted(world.links[:, 0], np.arange(world.size + 1))
    asked = []
    for i in rng.integers(0, world.size, QUESTIONS).tolist():
        vector = world.vectors[i] + rng.standard_normal(DIMENSIONS, np.float32) * np.float32(0.04)
        words = " ".join(f"w{word}" for word in world.words[i, :4])
        entity = world.links[bounds[i], 1]
        asked.append(Asked(f"Which {words} of e{entity}?", vector / np.linalg.norm(vector)))
    return asked


class GivenVectors:
    """An embedder of questions whose vectors are known."""

    name = "synthetic"
    dimensions = DIMENSIONS

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._vectors = {each.text: each.vector for each in asked}

    def embed(self, texts: Sequence[str]) -> Embeddings:
        return np.stack([self._vectors[text] for text in texts])

    def embed_spans(self, text: str, spans: Sequence[tuple[int, int]]) -> Embeddings:
        # The clauses of a made-up question are other ones.
        return self.embed([text, *list(self._vectors)[: len(spans)]])

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def measure_snapshot(world: World, snapshot: Snapshot) -> dict[str, list[float]]:
    """Milliseconds by stage of the searches and walks on arrays alone."""
    times: dict[str, list[float]] = {}

    def timed(stage: str, work: Callable[[], NDArray[np.generic]]) -> NDArray[np.generic]:
        start = time.perf_counter()
        result = work()
        times.setdefault(stage, []).append((time.perf_counter() - start) * 1000)
        return result

    entities = np.zeros(len(snapshot.entity_keys))
    for asked in questions(world):
        cosines = similarities(snapshot.statement_embeddings, asked.vector)
        timed("similarities", partial(similarities, snapshot.statement_embeddings, asked.vector))
        seeds = timed("best", partial(best, cosines, SEEDS))
        timed(
            "beam",
            partial(_beam_scores, snapshot, cosines, seeds),
        )
        timed("bm25", partial(_full_text_rows, snapshot, asked.text))
        starts = np.zeros(world.size)
        starts[seeds[:20]] = 0.05
        timed("ppr", partial(personalised_page_rank, snapshot, starts, entities, 0.5))
    return times


def _beam_scores(
    snapshot: Snapshot, cosines: NDArray[np.floating], seeds: NDArray[Any]
) -> NDArray[np.generic]:
    return beam_search(
        cosines,
        snapshot.statement_embeddings,
        snapshot.statement_entities,
        snapshot.entity_statements,
        seeds,
        BeamLimits(),
    ).scores


def _full_text_rows(snapshot: Snapshot, question: str) -> NDArray[np.generic]:
    return snapshot.statement_words.search(question, SEEDS)[0]


def measure_store(
    store: GraphStore, world: World, snapshots: Callable[[], Snapshot | None], names: Sequence[str]
) -> dict[str, list[float]]:
    """Milliseconds of whole queries by retriever, the question's embedding aside."""
    asked = questions(world)
    embedder = GivenVectors(asked)
    times: dict[str, list[float]] = {}
    for name in names:
        options = {"rerank": "none"}
        open_retriever(name, SearchSession(store, embedder, snapshots), options).retrieve(
            asked[0].text, 10
        )
        for each in asked:
            context = SearchSession(store, embedder, snapshots, Trace())
            calls, start = store.calls, time.perf_counter()
            open_retriever(name, context, options).retrieve(each.text, 10)
            spent = (time.perf_counter() - start) * 1000
            assert store.calls - calls <= 5, f"{name}: {store.calls - calls} calls"
            times.setdefault(name, []).append(spent - context.trace.timings_ms.get("embed", 0))
            for stage, ms in context.trace.timings_ms.items():
                times.setdefault(f"{name}: {stage}", []).append(ms)
    return times


def report(size: int, times: dict[str, list[float]], **facts: float) -> None:
    """One JSON line a size, so that runs can be compared."""
    summary = {
        stage: {
            "p50": round(float(np.median(ms)), 2),
            "p95": round(float(np.quantile(ms, 0.95)), 2),
        }
        for stage, ms in times.items()
    }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"statements": size, "ms": summary, **facts, "peak_mb": round(peak)}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sizes", type=int, nargs="+")
    parser.add_argument("--store", help="a path or a Neo4j address; its graph bench_SIZE is used")
    parser.add_argument("--in-store", action="store_true", help="walk in the store")
    arguments = parser.parse_args()
    for size in arguments.sizes:
        world = make_world(size)
        if arguments.store is None:
            on_arrays(size, world)
        else:
            on_store(arguments.store, size, world, in_store=arguments.in_store)


def on_arrays(size: int, world: World) -> None:
    """Time the walks on a snapshot that is saved and mapped again."""
    with tempfile.TemporaryDirectory() as folder:
        path = save_snapshot(snapshot_of(world), Path(folder))
        start = time.perf_counter()
        snapshot = load_snapshot(path)
        loaded = (time.perf_counter() - start) * 1000
        megabytes = sum(array.nbytes for array in arrays_of(snapshot).values()) / 2**20
        report(
            size,
            measure_snapshot(world, snapshot),
            load_ms=round(loaded, 1),
            snapshot_mb=round(megabytes, 1),
        )


def on_store(address: str, size: int, world: World, *, in_store: bool) -> None:
    """Write the world where it is not there yet, and time whole queries."""
    store = open_store(address, f"bench_{size}", password=os.environ.get("HLG_NEO4J_PASSWORD", ""))
    try:
        store.set_up("synthetic", DIMENSIONS)
        if not store.counts()["Statement"]:
            graphs = list(source_graphs(world))
            for low in range(0, len(graphs), 32):
                store.write(graphs[low : low + 32])
        start = time.perf_counter()
        snapshots = SnapshotSource(store, None, 0 if in_store else 4096)
        snapshots()
        built = time.perf_counter() - start
        names = WALKS if in_store else IN_MEMORY
        report(size, measure_store(store, world, snapshots, names), snapshot_s=round(built, 1))
    finally:
        store.close()


if __name__ == "__main__":
    main()
