"""A graph as text: JSON lines, GraphML, or Cypher for Neo4j Browser.

Order is that of the schema, then of ids, and what differs between two builds of the same
documents (``ingested_at``, the store's own ``Graph`` node) is left out: the exports of
equal graphs are equal byte for byte, whatever stores they are in. Everything streams.
"""

import base64
import itertools
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from hlg.errors import UsageError
from hlg.schema import EDGES, NODES, EdgeType, NodeType
from hlg.store.base import GraphStore, Row
from hlg.store.text import encode_text

__all__ = ["FORMATS", "export_graph", "write_export"]

_LEFT_OUT = frozenset({"ingested_at"})
_EXPORTED_NODES = tuple(node for node in NODES.values() if node.label != "Graph")
_CYPHER_ROWS = 200
"""Rows a statement: small enough for Browser's editor, large enough to run fast."""

_OTHER_NEWLINES = re.compile("[\x85\u2028\u2029]")
"""JSON allows them, but many readers of lines end a line there."""
_XML_FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|\\(?=u[0-9a-f]{4})"
)
_XML_TYPES = {"INT64": "long", "DOUBLE": "double"}
_CYPHER_ESCAPES = str.maketrans(
    {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)
_CYPHER_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def export_graph(store: GraphStore, format_: str, *, vectors: bool = False) -> Iterator[bytes]:
    """The graph in one of :data:`FORMATS`, in UTF-8, piece by piece.

    :raises UsageError: there is no such format.
    """
    if format_ not in FORMATS:
        raise UsageError(f"no export format {format_!r}; choose one of: {', '.join(FORMATS)}")
    for text in FORMATS[format_](store, vectors):
        yield text.encode("utf-8", "backslashreplace")


def write_export(store: GraphStore, format_: str, path: Path, *, vectors: bool = False) -> int:
    """Export into a file, which appears when it is whole; returns its size in bytes.

    :raises UsageError: there is no such format, or the file can't be written.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    pieces = export_graph(store, format_, vectors=vectors)
    try:
        with partial.open("xb") as file:
            size = sum(map(file.write, pieces))
        partial.replace(path)
    except OSError as error:
        raise UsageError(f"{path} can't be written: {error.strerror}") from error
    finally:
        partial.unlink(missing_ok=True)
    return size


def _nodes(store: GraphStore, node: NodeType, vectors: bool) -> Iterator[list[Row]]:
    """A label's rows, properties in the schema's order, without what an export leaves out."""
    names = [name for name in node.properties if name not in _LEFT_OUT]
    if vectors and node.embedded:
        names.append("embedding")
    for batch in store.nodes(node.label, with_embeddings=vectors and node.embedded):
        yield [{name: row[name] for name in names if name in row} for row in batch]


def _edges(store: GraphStore) -> Iterator[tuple[EdgeType, tuple[str, str], list[Row]]]:
    for edge in EDGES.values():
        for ends in edge.ends:
            for batch in store.edges(edge.type, ends):
                yield edge, ends, batch


def _base64(value: object) -> str:
    """A vector as base64 of its float32 in little-endian order."""
    return base64.b64encode(np.asarray(value, "<f4").tobytes()).decode()


# JSON lines: a node or a relationship a line. A lone surrogate is only ever inside a
# string, where the backslash escape that encoding gives it is JSON's own.


def _jsonl(store: GraphStore, vectors: bool) -> Iterator[str]:
    for node in _EXPORTED_NODES:
        for batch in _nodes(store, node, vectors):
            yield "".join(_jsonl_node(node, row) for row in batch)
    for edge, (from_label, to_label), batch in _edges(store):
        yield "".join(
            _json_line(
                {
                    "kind": "relationship",
                    "type": edge.type,
                    "from": {"label": from_label, "id": row["from"]},
                    "to": {"label": to_label, "id": row["to"]},
                    "properties": _edge_properties(edge, row),
                }
            )
            for row in batch
        )


def _jsonl_node(node: NodeType, row: Row) -> str:
    if "embedding" in row:
        row = row | {"embedding": _base64(row["embedding"])}
    return _json_line({"kind": "node", "label": node.label, "properties": row})


def _json_line(record: Row) -> str:
    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return _OTHER_NEWLINES.sub(lambda found: f"\\u{ord(found.group()):04x}", line) + "\n"


def _edge_properties(edge: EdgeType, row: Row) -> Row:
    return {name: row[name] for name in edge.properties if name in row}


# GraphML. Characters that XML forbids are written \uXXXX, and so is a backslash that
# would look like the start of one: every text can be read back.


def _graphml(store: GraphStore, vectors: bool) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield from _graphml_keys(vectors)
    yield '<graph id="hlg" edgedefault="directed">\n'
    for node in _EXPORTED_NODES:
        for batch in _nodes(store, node, vectors):
            yield "".join(_graphml_node(node, row) for row in batch)
    for edge, _, batch in _edges(store):
        yield "".join(
            f'<edge source="{row["from"]}" target="{row["to"]}"><data key="label">{edge.type}'
            f"</data>{_graphml_data('e_', _edge_properties(edge, row))}</edge>\n"
            for row in batch
        )
    yield "</graph>\n</graphml>\n"


def _graphml_keys(vectors: bool) -> Iterator[str]:
    node_types = {
        name: type_
        for node in _EXPORTED_NODES
        for name, type_ in node.properties.items()
        if name not in _LEFT_OUT | {"id"}
    }
    if vectors:
        node_types["embedding"] = "STRING"
    edge_types = {name: t for edge in EDGES.values() for name, t in edge.properties.items()}
    yield '<key id="labels" for="node" attr.name="labels" attr.type="string"/>\n'
    yield '<key id="label" for="edge" attr.name="label" attr.type="string"/>\n'
    for prefix, domain, types in (("n_", "node", node_types), ("e_", "edge", edge_types)):
        for name, type_ in types.items():
            xml_type = _XML_TYPES.get(type_, "string")
            yield (
                f'<key id="{prefix}{name}" for="{domain}" attr.name="{name}" '
                f'attr.type="{xml_type}"/>\n'
            )


def _graphml_node(node: NodeType, row: Row) -> str:
    properties = {name: value for name, value in row.items() if name != "id"}
    if "embedding" in properties:
        properties["embedding"] = _base64(properties["embedding"])
    return (
        f'<node id="{row["id"]}"><data key="labels">:{node.label}</data>'
        f"{_graphml_data('n_', properties)}</node>\n"
    )


def _graphml_data(prefix: str, properties: Mapping[str, object]) -> str:
    return "".join(
        f'<data key="{prefix}{name}">{_xml_text(value)}</data>'
        for name, value in properties.items()
    )


def _xml_text(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else str(value)
    text = _XML_FORBIDDEN.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
    return escape(text, {"\r": "&#13;"})


# Cypher: the one place where a statement is made of values, because a file for Neo4j
# Browser has no parameters. Labels, types and names come from the schema alone; values
# are literals, with everything escaped that could end one.


def _cypher(store: GraphStore, vectors: bool) -> Iterator[str]:
    for node in _EXPORTED_NODES:
        yield (
            f"CREATE CONSTRAINT {node.label.lower()}_id IF NOT EXISTS "
            f"FOR (n:{node.label}) REQUIRE n.id IS UNIQUE;\n"
        )
    for node in _EXPORTED_NODES:
        for rows in _in_statements(_nodes(store, node, vectors)):
            yield (
                f"UNWIND [{_cypher_rows(rows)}] AS row\n"
                f"MERGE (n:{node.label} {{id: row.id}}) SET n += row;\n"
            )
    for edge in EDGES.values():
        # Two entities relate once for each predicate; all other types join a pair once.
        key = " {predicate: row.predicate}" if "predicate" in edge.properties else ""
        for from_label, to_label in edge.ends:
            for rows in _in_statements(store.edges(edge.type, (from_label, to_label))):
                yield (
                    f"UNWIND [{_cypher_rows(rows)}] AS row\n"
                    f"MATCH (a:{from_label} {{id: row.from}}) "
                    f"MATCH (b:{to_label} {{id: row.to}})\n"
                    f"MERGE (a)-[r:{edge.type}{key}]->(b)"
                    + "".join(f" SET r.{name} = row.{name}" for name in edge.properties)
                    + ";\n"
                )


def _in_statements(batches: Iterator[list[Row]]) -> Iterator[list[Row]]:
    rows = itertools.chain.from_iterable(batches)
    while statement := list(itertools.islice(rows, _CYPHER_ROWS)):
        yield statement


def _cypher_rows(rows: list[Row]) -> str:
    return ",\n".join(
        "{" + ", ".join(f"{name}: {_cypher_literal(value)}" for name, value in row.items()) + "}"
        for row in rows
    )


def _cypher_literal(value: object) -> str:
    if isinstance(value, str):
        text = encode_text(value).translate(_CYPHER_ESCAPES)
        return "'" + _CYPHER_FORBIDDEN.sub(lambda c: f"\\u{ord(c.group()):04X}", text) + "'"
    if isinstance(value, list | tuple | np.ndarray):
        return "[" + ", ".join(map(_cypher_literal, value)) + "]"
    return str(value)


FORMATS: dict[str, Callable[[GraphStore, bool], Iterator[str]]] = {
    "jsonl": _jsonl,
    "graphml": _graphml,
    "cypher": _cypher,
}
"""Every format by name."""
