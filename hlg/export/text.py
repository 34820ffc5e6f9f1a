"""A graph as JSON lines and as GraphML."""

import json
import re
from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape

from hlg.export.rows import (
    EXPORTED_NODES,
    LEFT_OUT,
    Exportable,
    edge_properties,
    edge_rows,
    in_base64,
    node_rows,
)
from hlg.schema import EDGES, NodeType
from hlg.store.records import Row

_OTHER_NEWLINES = re.compile("[\x85\u2028\u2029]")
"""JSON allows them, but many readers of lines end a line there."""
_XML_FORBIDDEN = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|\\(?=u[0-9a-f]{4})"
)
_XML_TYPES = {"INT64": "long", "DOUBLE": "double"}

# JSON lines: a node or a relationship a line. A lone surrogate is only ever inside a
# string, where the backslash escape that encoding gives it is JSON's own.


def jsonl(graph: Exportable, vectors: bool) -> Iterator[str]:
    """A JSON object a line: the nodes, then the relationships."""
    for node in EXPORTED_NODES:
        for batch in node_rows(graph, node, vectors):
            yield "".join(
                _json_line({"kind": "node", "label": node.label, "properties": in_base64(row)})
                for row in batch
            )
    for edge, (from_label, to_label), batch in edge_rows(graph):
        yield "".join(
            _json_line(
                {
                    "kind": "relationship",
                    "type": edge.type,
                    "from": {"label": from_label, "id": row["from"]},
                    "to": {"label": to_label, "id": row["to"]},
                    "properties": edge_properties(edge, row),
                }
            )
            for row in batch
        )


def _json_line(record: Row) -> str:
    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return _OTHER_NEWLINES.sub(lambda found: f"\\u{ord(found.group()):04x}", line) + "\n"


# GraphML. Characters that XML forbids are written \uXXXX, and so is a backslash that
# would look like the start of one: every text can be read back.


def graphml(graph: Exportable, vectors: bool) -> Iterator[str]:
    """GraphML with the schema's properties as keys."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    yield from _graphml_keys(vectors)
    yield '<graph id="hlg" edgedefault="directed">\n'
    for node in EXPORTED_NODES:
        for batch in node_rows(graph, node, vectors):
            yield "".join(_graphml_node(node, row) for row in batch)
    for edge, _, batch in edge_rows(graph):
        yield "".join(
            f'<edge source="{row["from"]}" target="{row["to"]}"><data key="label">{edge.type}'
            f"</data>{_graphml_data('e_', edge_properties(edge, row))}</edge>\n"
            for row in batch
        )
    yield "</graph>\n</graphml>\n"


def _graphml_keys(vectors: bool) -> Iterator[str]:
    node_types = {
        name: type_
        for node in EXPORTED_NODES
        for name, type_ in node.properties.items()
        if name not in LEFT_OUT | {"id"}
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
    properties = {name: value for name, value in in_base64(row).items() if name != "id"}
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
