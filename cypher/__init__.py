"""Every Cypher statement of hlg, one named file a kind of statement, and the one loader of them.

``shared/`` holds what both dialects accept, ``neo4j/`` and ``ladybug/`` the rest, each by what a
statement is for: ``schema write read search merge communities``. A file starts with ``//`` lines
that say what it returns. What is the same for every label or relationship type has placeholders
in angle brackets, which are filled from :mod:`hlg.schema` and from nothing else::

    <Label>  <label>            the label, and as it is in the names of indexes
    <TYPE>  <From>  <To>        a relationship's type and the labels at its ends
    <property>                  one property of the label
    <properties: n.name AS name>  the pattern once for each property of the label (or, with a
                                relationship and no label, of its type), with its name for ``name``
    <columns: name>             the same with the embedding, where the label has one
    <full text: n.name>         the same for the properties that are searched by words
    <definition>                the ends and the typed properties of a type of relationships

For a named graph the loader puts its suffix behind every label (``:Statement`` to
``:Statement_acme``) and every constraint's and index's name. Nothing else ever edits a statement,
and no value ever becomes part of one.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TypedDict, Unpack

from hlg.schema import EDGES, NODES, EdgeType, NodeType

DIALECTS = ("ladybug", "neo4j")
_LABEL = re.compile(r"(?<=[:|])(" + "|".join(NODES) + r")\b")
_SCHEMA_NAME = re.compile(r"(?<=\bINDEX |RAINT )(\w+)")
_SUFFIX = re.compile(r"[a-z][a-z0-9_]{0,30}")
_FILE = re.compile(r"[a-z]+/[a-z][a-z0-9_]*")
_PLACEHOLDER = re.compile(r"<([A-Za-z][A-Za-z ]*)(?:: ([^>]*))?>")
_NAME = re.compile(r"\bname\b")


class Filled(TypedDict, total=False):
    """What fills the placeholders of a statement: of a label and a property of it; of a
    relationship, by its type and the labels at its ends."""

    label: str | None
    property: str
    edge: tuple[str, str, str] | None


@cache
def load(name: str, dialect: str, graph: str = "", /, **filled: Unpack[Filled]) -> str:
    """The statement ``name`` (``folder/file``) for a dialect (``neo4j``, ``ladybug``) and a graph.

    :raises FileNotFoundError: no such statement.
    :raises ValueError: the graph's name is not a valid suffix; a label, relationship or property
        is not in the schema; a placeholder has nothing to fill it.
    """
    if not _FILE.fullmatch(name):
        raise ValueError(f"not the name of a statement: {name!r}")
    if dialect not in DIALECTS:
        raise ValueError(f"not a dialect of Cypher: {dialect!r}")
    root = files(__package__)
    path = root / dialect / f"{name}.cypher"
    if not path.is_file():
        path = root / "shared" / f"{name}.cypher"
    text = "\n".join(
        line for line in path.read_text("utf-8").splitlines() if not line.startswith("//")
    ).strip()
    fillings = dict(_fillings(**filled))

    def fill(placeholder: re.Match[str]) -> str:
        kind, pattern = placeholder.groups()
        if kind not in fillings:
            raise ValueError(f"{name}: nothing was given for {placeholder[0]}")
        return _filled(fillings[kind], pattern)

    return in_graph(_PLACEHOLDER.sub(fill, text), graph)


def in_graph(statement: str, graph: str) -> str:
    """A statement that was written for the default graph, for a graph of this name.

    :raises ValueError: the graph's name is not a valid suffix.
    """
    if not graph:
        return statement
    if not _SUFFIX.fullmatch(graph):
        raise ValueError(f"not a graph name: {graph!r}")
    return _SCHEMA_NAME.sub(rf"\1_{graph}", _LABEL.sub(rf"\1_{graph}", statement))


def _fillings(
    label: str | None = None,
    property: str | None = None,
    edge: tuple[str, str, str] | None = None,
) -> Iterator[tuple[str, str | tuple[str, ...]]]:
    """What fills each kind of placeholder: text, or names for a pattern; all of the schema."""
    if edge is not None:
        type_, ends = _edge(edge)
        yield from (("TYPE", type_.type), ("From", ends[0]), ("To", ends[1]))
        yield "properties", tuple(type_.properties)
        joins = [f"FROM {origin} TO {target}" for origin, target in type_.ends]
        yield "definition", ", ".join((*joins, *_typed(type_.properties)))
    if label is not None:
        node = _node(label)
        yield from (("Label", node.label), ("label", node.label.lower()))
        yield "properties", tuple(node.properties)
        yield "columns", (*node.properties, *(("embedding",) if node.embedded else ()))
        yield "full text", node.full_text
        if property is not None:
            if property not in node.properties:
                raise ValueError(f"{node.label} has no property {property!r}")
            yield "property", f"`{property}`"


def _node(label: str) -> NodeType:
    if label not in NODES:
        raise ValueError(f"the schema has no label {label!r}")
    return NODES[label]


def _edge(edge: tuple[str, str, str]) -> tuple[EdgeType, tuple[str, str]]:
    type_, *ends = edge
    if type_ not in EDGES:
        raise ValueError(f"the schema has no relationship {type_!r}")
    for known in EDGES[type_].ends:
        if known == tuple(ends):
            return EDGES[type_], known
    raise ValueError(f"the schema has no {type_} between {ends}")


def _typed(properties: Mapping[str, str]) -> Iterable[str]:
    return (f"{name} {type_}" for name, type_ in properties.items())


def _filled(filling: str | tuple[str, ...], pattern: str | None) -> str:
    if isinstance(filling, str):
        return filling
    return ", ".join(_NAME.sub(f"`{name}`", pattern or "name") for name in filling)
