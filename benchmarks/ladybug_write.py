"""How fast a Ladybug file takes whole sources: ``python benchmarks/ladybug_write.py 20000 2000``.

Synthetic sources of ten statements, each statement with one fact and two entities of Zipf
degree, and a 384-dimensional vector for every node. No model runs.
"""

import argparse
import resource
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from hlg.ids import chunk_id, entity_id, fact_id, source_id, statement_id, topic_id
from hlg.records import Chunk, Embeddings, Entity, Fact, Source, SourceGraph, Statement, Topic
from hlg.store import open_store

DIMENSIONS = 384
STATEMENTS_A_SOURCE = 10
ENTITIES = 200_000


def vectors(rng: np.random.Generator, count: int) -> Embeddings:
    """Random unit vectors."""
    rows = rng.standard_normal((count, DIMENSIONS), dtype=np.float32)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), np.float32)


def synthetic_source(number: int, rng: np.random.Generator) -> SourceGraph:
    """One source of one chunk and one topic; entities are shared with other sources."""
    source = Source(source_id(f"synthetic:{number}"), f"synthetic:{number}", "A title", "0")
    chunk = Chunk(chunk_id(source.id, 0, 1), source.id, 0, 0, 1, "Some words of text. " * 50)
    topic = Topic(topic_id(source.id, "topic"), source.id, "topic", (chunk.id,))
    names = [f"entity {i % ENTITIES}" for i in rng.zipf(1.3, 2 * STATEMENTS_A_SOURCE)]
    ids = {name: entity_id(name, "Thing") for name in names}
    statements = []
    facts: dict[str, Fact] = {}
    for i in range(STATEMENTS_A_SOURCE):
        subject, object_ = names[2 * i : 2 * i + 2]
        text = f"The {subject} of source {number} was linked to the {object_} in year {i}."
        id_ = statement_id(chunk.id, text)
        mentioned = tuple(sorted({ids[subject], ids[object_]}))
        statements.append(
            Statement(id_, text, i, i + 1, (chunk.id,), topic.id, entity_ids=mentioned)
        )
        fact = fact_id(ids[subject], "linked to", ids[object_])
        known = facts[fact].statement_ids if fact in facts else ()
        facts[fact] = Fact(fact, text, "linked to", ids[subject], (*known, id_), ids[object_])
    entities = [Entity(id_, name, "Thing") for name, id_ in ids.items()]
    return SourceGraph(
        source=source,
        chunks=(chunk,),
        topics=(topic,),
        statements=tuple(statements),
        facts=tuple(facts.values()),
        entities=tuple(entities),
        chunk_embeddings=vectors(rng, 1),
        topic_embeddings=vectors(rng, 1),
        statement_embeddings=vectors(rng, len(statements)),
        entity_embeddings=vectors(rng, len(entities)),
    )


def transactions(statements: int, each: int) -> Iterator[list[SourceGraph]]:
    """Sources in groups of so many statements."""
    rng = np.random.default_rng(0)
    a_group = max(1, each // STATEMENTS_A_SOURCE)
    for first in range(0, statements // STATEMENTS_A_SOURCE, a_group):
        last = min(first + a_group, statements // STATEMENTS_A_SOURCE)
        yield [synthetic_source(number, rng) for number in range(first, last)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("statements", type=int, nargs="?", default=20_000)
    parser.add_argument("statements_a_transaction", type=int, nargs="?", default=2_000)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "graph.lbug"
        store = open_store(str(path))
        store.set_up("synthetic", DIMENSIONS)
        seconds = 0.0
        for graphs in transactions(arguments.statements, arguments.statements_a_transaction):
            started = time.perf_counter()
            store.write(graphs)
            seconds += time.perf_counter() - started
        started = time.perf_counter()
        counts = store.counts()
        store.close()
        seconds += time.perf_counter() - started
        size = path.stat().st_size
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(", ".join(f"{count} {name}" for name, count in counts.items() if count))
    print(f"{counts['Statement'] / seconds:.0f} statements/s ({seconds:.1f} s)")
    print(f"{size / 2**20:.0f} MiB file, {peak / 2**10:.0f} MiB peak memory")


if __name__ == "__main__":
    main()
