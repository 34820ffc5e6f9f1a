"""How fast the Neo4j store writes, next to a bare driver loop with the same rows.

    python benchmarks/neo4j_write.py neo4j://localhost:7687 [--statements 10000]

Both write into graphs of their own (``bench_store``, ``bench_bare``) on the same server,
whose constraints and indexes are live from the start, in transactions of the same size,
one after the other in turn. The bare loop knows the rows beforehand, one ``UNWIND``
statement a label and type, merging by id, and nothing else: no checks, no revision, no
older self to replace. The password is read from HLG_NEO4J_PASSWORD, else from the server
that ``hlg neo4j start`` runs.
"""

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence

import neo4j
import numpy as np

from hlg.ids import chunk_id, entity_id, fact_id, source_id, statement_id, topic_id
from hlg.neo4j_server.server import saved_password
from hlg.records import Chunk, Embeddings, Entity, Fact, Source, SourceGraph, Statement, Topic
from hlg.schema import NODES
from hlg.store.neo4j.store import Neo4jStore
from hlg.store.shared.rows import relation_strengths, rows_of

DIMENSIONS = 384
STATEMENTS_A_SOURCE = 40
SOURCES_A_TRANSACTION = 25
GRAPHS = ("bench_store", "bench_bare")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("address")
    parser.add_argument("--statements", type=int, default=10_000)
    arguments = parser.parse_args()
    password = os.environ.get("HLG_NEO4J_PASSWORD") or saved_password(arguments.address) or ""
    auth = ("neo4j", password)
    stores = [Neo4jStore(arguments.address, x, user=auth[0], password=password) for x in GRAPHS]
    with neo4j.GraphDatabase.driver(
        arguments.address, auth=auth, notifications_min_severity="OFF"
    ) as driver:
        for store in stores:
            store.set_up("benchmark", DIMENSIONS)
            store.delete([source.id for source in store.sources()])
        warm_up, *groups = transactions(arguments.statements)
        stores[0].write(warm_up)
        write_bare(driver, GRAPHS[1], warm_up)
        seconds = dict.fromkeys(GRAPHS, 0.0)
        for graphs in groups:
            seconds[GRAPHS[0]] += timed(stores[0].write, graphs)
            seconds[GRAPHS[1]] += timed(write_bare, driver, GRAPHS[1], graphs)
    counts = [store.counts() for store in stores]
    if counts[0] != counts[1]:
        raise SystemExit(f"the two graphs differ: {counts}")
    statements = sum(len(graph.statements) for graphs in groups for graph in graphs)
    print({name: total for name, total in counts[0].items() if total})
    for name, spent in seconds.items():
        print(f"{name:12} {spent:8.2f} s {statements / spent:10.0f} statements/s")
    print(f"ratio        {seconds[GRAPHS[0]] / seconds[GRAPHS[1]]:8.2f}")


def timed(function: Callable[..., object], *arguments: object) -> float:
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def write_bare(driver: neo4j.Driver, graph: str, graphs: Sequence[SourceGraph]) -> None:
    """The same rows in one transaction, by the plainest statements that do it."""
    rows = rows_of(graphs)
    facts = {row["id"]: row for row in rows.nodes["Fact"]}
    strengths = relation_strengths(facts, rows.edges)
    with driver.session() as session, session.begin_transaction() as transaction:
        for label, nodes in rows.nodes.items():
            name = f"{label}_{graph}"
            plain = [
                {
                    "id": row["id"],
                    "properties": {k: v for k, v in row.items() if k not in ("id", "embedding")},
                    "embedding": row["embedding"].tolist() if "embedding" in row else None,
                }
                for row in nodes
            ]
            embed = (
                " CALL db.create.setNodeVectorProperty(n, 'embedding', row.embedding)"
                if NODES[label].embedded
                else ""
            )
            for batch in batches(plain):
                transaction.run(
                    f"UNWIND $rows AS row MERGE (n:{name} {{id: row.id}}) "
                    "SET n += row.properties" + (" WITH n, row" + embed if embed else ""),
                    rows=batch,
                ).consume()
        for (type_, start, end), pairs in rows.edges.items():
            for batch in batches([list(pair) for pair in pairs]):
                transaction.run(
                    f"UNWIND $rows AS row MATCH (a:{start}_{graph} {{id: row[0]}}) "
                    f"MATCH (b:{end}_{graph} {{id: row[1]}}) MERGE (a)-[:{type_}]->(b)",
                    rows=batch,
                ).consume()
        for batch in batches([[*relation, *strength] for relation, strength in strengths.items()]):
            transaction.run(
                f"UNWIND $rows AS row MATCH (a:Entity_{graph} {{id: row[0]}}) "
                f"MATCH (b:Entity_{graph} {{id: row[2]}}) "
                "MERGE (a)-[r:RELATES_TO {predicate: row[1]}]->(b) "
                "SET r.weight = row[3], r.confidence = row[4]",
                rows=batch,
            ).consume()
        transaction.commit()


def batches(rows: Sequence[object], size: int = 1000) -> Iterator[Sequence[object]]:
    for i in range(0, len(rows), size):
        yield rows[i : i + size]


def transactions(statements: int) -> list[list[SourceGraph]]:
    """Sources in groups, the first of which only warms the server up."""
    random = np.random.default_rng(0)
    size = STATEMENTS_A_SOURCE * SOURCES_A_TRANSACTION
    return [
        [synthetic_source(f"{group}-{i}", random) for i in range(SOURCES_A_TRANSACTION)]
        for group in range(1 + -(-statements // size))
    ]


def synthetic_source(name: str, random: np.random.Generator) -> SourceGraph:
    """A source of 40 statements with a fact and two entities each, of Zipf's frequencies."""
    source = Source(source_id(name), name, name, text_hash=name)
    chunks = tuple(
        Chunk(
            chunk_id(source.id, 900 * i, 900 * i + 900),
            source.id,
            i,
            900 * i,
            900 * i + 900,
            " ".join(["words of a chunk"] * 50),
        )
        for i in range(4)
    )
    topics = tuple(
        Topic(topic_id(source.id, f"topic {i}"), source.id, f"topic {i}", (chunks[i].id,))
        for i in range(4)
    )
    statements = []
    facts: dict[str, Fact] = {}
    entities: dict[str, Entity] = {}
    for i in range(STATEMENTS_A_SOURCE):
        text = f"Statement {i} of source {name} says what some hundred characters can say."
        chunk = i * len(chunks) // STATEMENTS_A_SOURCE
        names = [f"entity {number}" for number in random.zipf(1.3, 2) % 20_000]
        ends = [Entity(entity_id(x, "Thing"), x, "Thing") for x in names]
        entities.update((entity.id, entity) for entity in ends)
        statement = Statement(
            statement_id(chunks[chunk].id, text),
            text,
            90 * i,
            90 * i + 80,
            (chunks[chunk].id,),
            topics[chunk].id,
            entity_ids=tuple(sorted({entity.id for entity in ends})),
        )
        statements.append(statement)
        predicate = f"predicate {random.integers(50)}"
        id_ = fact_id(ends[0].id, predicate, ends[1].id)
        if id_ not in facts:
            facts[id_] = Fact(
                id_,
                f"{names[0]} {predicate} {names[1]}",
                predicate,
                ends[0].id,
                (statement.id,),
                object_id=ends[1].id,
            )
    return SourceGraph(
        source,
        chunks,
        topics,
        tuple(statements),
        tuple(facts.values()),
        tuple(entities.values()),
        *(unit_vectors(len(x), random) for x in (chunks, topics, statements, entities)),
    )


def unit_vectors(count: int, random: np.random.Generator) -> Embeddings:
    vectors = random.standard_normal((count, DIMENSIONS)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


if __name__ == "__main__":
    main()
