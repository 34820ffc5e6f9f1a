"""A graph as a Cypher script for Neo4j: run on an empty database, it makes the graph again.

The one place where a statement is made of values, because a file for Neo4j Browser has no
parameters. Labels, types and names come from the schema alone; values are literals, with
everything escaped that could end one. The keys under which hlg finds entities are set too.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import cast

import numpy as np

from hlg.export.rows import EXPORTED_NODES, Exportable, edge_properties, node_rows
from hlg.schema import EDGES, NodeType
from hlg.store.neo4j.write import name_key
from hlg.store.records import Row
from hlg.store.shared.reading import batches
from hlg.store.shared.text import decode_text, encode_text

ROWS_A_STATEMENT = 200
"""Small enough for Browser's editor, large enough to run fast."""
_ESCAPES = str.maketrans(
    {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def cypher(graph: Exportable, vectors: bool) -> Iterator[str]:
    """Statements, each ended by a semicolon and a new line; running them twice is fine."""
    for node in EXPORTED_NODES:
        yield (
            f"CREATE CONSTRAINT {node.label.lower()}_id IF NOT EXISTS "
            f"FOR (n:{node.label}) REQUIRE n.id IS UNIQUE;\n"
        )
    for node in EXPORTED_NODES:
        for rows in batches(_nodes(graph, node, vectors), ROWS_A_STATEMENT):
            yield (
                f"UNWIND [{_rows(rows)}] AS row\n"
                f"MERGE (n:{node.label} {{id: row.id}}) SET n += row;\n"
            )
    for edge in EDGES.values():
        # Two entities relate once for each predicate; all other types join a pair once.
        key = " {predicate: row.predicate}" if "predicate" in edge.properties else ""
        for from_label, to_label in edge.ends:
            edges = chain.from_iterable(graph.edges(edge.type, (from_label, to_label)))
            for batch in batches(edges, ROWS_A_STATEMENT):
                rows = [
                    {"from": row["from"], "to": row["to"], **edge_properties(edge, row)}
                    for row in batch
                ]
                yield (
                    f"UNWIND [{_rows(rows)}] AS row\n"
                    f"MATCH (a:{from_label} {{id: row.from}}) "
                    f"MATCH (b:{to_label} {{id: row.to}})\n"
                    f"MERGE (a)-[r:{edge.type}{key}]->(b)"
                    + "".join(f" SET r.{name} = row.{name}" for name in edge.properties)
                    + ";\n"
                )

    # A merged entity is found and walked as its canonical one, and by its own name too.
    yield (
        "MATCH (e:Entity)-[:SAME_AS]->(c:Entity) WHERE e.key <> c.key\n"
        "SET e.alias_keys = e.alias_keys + e.key, e.key = c.key;\n"
    )


def _nodes(graph: Exportable, node: NodeType, vectors: bool) -> Iterator[Row]:
    """A label's rows with what hlg derives from them to look them up."""
    for row in chain.from_iterable(node_rows(graph, node, vectors)):
        yield row | _keys(row) if node.label == "Entity" else row


def _keys(row: Row) -> Row:
    aliases = cast(Sequence[str], row.get("aliases", ()))
    return {
        "key": decode_text(name_key(str(row["name"]))),
        "alias_keys": sorted({decode_text(name_key(alias)) for alias in aliases}),
    }


def _rows(rows: list[Row]) -> str:
    return ",\n".join(
        "{" + ", ".join(f"{name}: {_literal(value)}" for name, value in row.items()) + "}"
        for row in rows
    )


def _literal(value: object) -> str:
    if isinstance(value, str):
        text = encode_text(value).translate(_ESCAPES)
        return "'" + _FORBIDDEN.sub(lambda c: f"\\u{ord(c.group()):04X}", text) + "'"
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ", ".join(map(_literal, value)) + "]"
    return str(value)
