"""Every Cypher file speaks of the schema, says what it returns, is used, and exists once."""

import ast
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hlg
import hlg.browser
import hlg.cypher
import hlg.retrieval
from hlg.cypher import in_graph, load
from hlg.schema import EDGES, NODES

ROOT = Path(str(files(hlg.cypher)))
FILES = sorted(ROOT.glob("*/*/*.cypher"), key=str)
IDS = [str(path.relative_to(ROOT).with_suffix("")) for path in FILES]
FOLDERS = {"schema", "write", "read", "search", "merge", "communities"}
KINDS = [(edge.type, *ends) for edge in EDGES.values() for ends in edge.ends]

NAME = r"`?(\w+)`?"
NODE = re.compile(r"\((\w*)\s*:\s*(\w+)\s*(?:\{([^}]*)\})?")
EDGE = re.compile(r"\[(\w*)\s*:\s*([\w|]+)\s*(?:\{([^}]*)\})?")
KEY = re.compile(rf"{NAME}\s*:")
ACCESS = re.compile(rf"(?<![\w.$])(\w+)\.{NAME}(?![\w.(])")
STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
YIELDED = re.compile(r"YIELD node(?: AS (\w+))?")

HOSTILE = (
    "Statement) DETACH DELETE n //",
    "Statement {id: 'x'}",
    "Statement`",
    "`Statement`",
    "Statement'",
    'Statement"',
    "<Label>",
    "Statement\n",
    "Statement\0",
    "Statement_acme",
    "Ѕtatement",  # a Cyrillic letter that looks like S
    "Ｓtatement",
    "statement",
    " Statement",
    "",
    "../neo4j/read/nodes",
    "__class__",
)


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def dialect_of(path: Path) -> str:
    folder = path.parent.parent.name
    return "neo4j" if folder == "shared" else folder


def fillings(text: str) -> list[dict[str, Any]]:
    """All that the placeholders of a file may be filled with."""
    if "<property>" in text:
        return [
            {"label": node.label, "property": name}
            for node in NODES.values()
            for name in node.properties
        ]
    if "<TYPE>" in text:
        return [{"edge": kind} for kind in KINDS]
    if re.search("<[Ll]abel>", text):
        return [{"label": label} for label in NODES]
    return [{}]


@cache
def statements(path: Path, graph: str = "") -> list[str]:
    """What a file gives for all of the schema, without strings."""
    return [
        STRING.sub("''", load(name_of(path), dialect_of(path), graph, **filling))
        for filling in fillings(path.read_text())
    ]


def properties(label: str) -> set[str]:
    node = NODES[label]
    return {*node.properties, *node.derived, "embedding"}


def keys(pattern: str | None) -> set[str]:
    return set(KEY.findall(pattern or ""))


ALL_PROPERTIES = {name for label in NODES for name in properties(label)}


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_names_only_what_the_schema_has(path: Path) -> None:
    for text in statements(path):
        known: dict[str, set[str]] = {}
        for variable, label, inside in NODE.findall(text):
            assert label in NODES
            assert keys(inside) <= properties(label)
            known.setdefault(variable, set()).update(properties(label))
        for variable, types, inside in EDGE.findall(text):
            for type_ in types.split("|"):
                assert type_ in EDGES
                assert keys(inside) <= set(EDGES[type_].properties)
                known.setdefault(variable, set()).update(EDGES[type_].properties)
        for variable in YIELDED.findall(text):
            known.setdefault(variable or "node", set()).update(ALL_PROPERTIES)
        for variable, name in ACCESS.findall(text):
            if variable in known:
                assert name in known[variable], f"{variable}.{name}"


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_starts_with_what_it_returns(path: Path) -> None:
    first, _, rest = path.read_text().partition("\n")
    assert re.fullmatch(r"// \S.*\.", first)
    assert rest.strip()
    assert "//" not in rest
    assert path.read_text().endswith("\n")


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_is_used_by_its_name(path: Path) -> None:
    assert path.parent.name in FOLDERS
    assert name_of(path) in strings_in_code()


def test_names_in_code_are_those_of_files() -> None:
    written = {
        text for text in strings_in_code() if re.fullmatch(rf"({'|'.join(FOLDERS)})/\w+", text)
    }
    assert written == {name_of(path) for path in FILES}


def test_a_statement_exists_once() -> None:
    texts = [re.sub(r"\s+", " ", text) for path in FILES for text in set(statements(path))]
    assert not {text for text in texts if texts.count(text) > 1}


def test_a_shared_statement_is_not_hidden_by_a_dialect() -> None:
    shared = {name_of(path) for path in FILES if path.parent.parent.name == "shared"}
    own = {name_of(path) for path in FILES if path.parent.parent.name != "shared"}
    assert not shared & own


@pytest.mark.parametrize("dialect", ["ladybug", "neo4j"])
def test_each_label_and_type_is_read_and_written(dialect: str) -> None:
    paths = [path for path in FILES if path.parent.parent.name in (dialect, "shared")]
    texts = [text for path in paths for text in statements(path)]
    assert {label for text in texts for _, label, _ in NODE.findall(text)} == NODES.keys()
    assert {type_ for text in texts for _, type_, _ in EDGE.findall(text)} == EDGES.keys()


def test_a_list_of_properties_is_that_of_the_schema() -> None:
    assert load("read/nodes", "neo4j", label="Topic") == (
        "UNWIND $ids AS key\nMATCH (n:Topic {id: key})\nRETURN n.`id` AS `id`, n.`name` AS `name`"
    )
    assert load("write/create_nodes", "ladybug", label="Topic") == (
        "LOAD FROM $rows\nCREATE (:Topic {`id`: `id`, `name`: `name`, `embedding`: `embedding`})"
    )
    assert load("schema/edge_table", "ladybug", edge=("SAME_AS", "Entity", "Entity")) == (
        "CREATE REL TABLE IF NOT EXISTS "
        "SAME_AS(FROM Entity TO Entity, score DOUBLE, evidence STRING)"
    )
    assert "[n.`context`, n.`text`]" in load("schema/text_index", "neo4j", label="Chunk")


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_named_graph_has_labels_of_its_own(path: Path) -> None:
    """The suffix is behind every label, and nothing else changes."""
    for plain, named in zip(statements(path), statements(path, "acme"), strict=True):
        assert named.replace("_acme", "") == plain
        if dialect_of(path) == "neo4j":
            assert all(label.endswith("_acme") for _, label, _ in NODE.findall(named))


class TestHostileNames:
    """What is not in the schema never becomes part of a statement."""

    @pytest.mark.parametrize("name", HOSTILE)
    def test_a_hostile_name_is_refused(self, name: str) -> None:
        for filling in (
            {"label": name},
            {"edge": (name, "Statement", "Entity")},
            {"edge": ("MENTIONS", name, "Entity")},
            {"edge": ("MENTIONS", "Statement", name)},
            {"label": "Statement", "property": name},
        ):
            with pytest.raises(ValueError):  # noqa: PT011  each has a message of its own
                load("read/nodes", "neo4j", **filling)
        with pytest.raises(ValueError, match="statement"):
            load(name, "neo4j", label="Statement")
        with pytest.raises(ValueError, match="dialect"):
            load("read/nodes", name, label="Statement")

    @pytest.mark.parametrize("name", [name for name in HOSTILE if name and name != "statement"])
    def test_a_hostile_name_is_not_that_of_a_graph(self, name: str) -> None:
        with pytest.raises(ValueError, match="graph name"):
            load("read/nodes", "neo4j", name, label="Statement")
        with pytest.raises(ValueError, match="graph name"):
            in_graph("MATCH (n:Statement)", name)

    @given(name=st.text())
    def test_no_text_but_a_label_is_one(self, name: str) -> None:
        if name in NODES:
            assert load("read/ids", "neo4j", label=name)
        else:
            with pytest.raises(ValueError, match="label"):
                load("read/ids", "neo4j", label=name)

    def test_what_is_not_filled_is_refused(self) -> None:
        with pytest.raises(ValueError, match="nothing was given for <From>"):
            load("read/edges_from", "neo4j")
        with pytest.raises(ValueError, match="nothing was given for <Label>"):
            load("read/nodes", "neo4j", edge=KINDS[0])

    def test_an_end_that_a_type_does_not_have_is_refused(self) -> None:
        with pytest.raises(ValueError, match="MENTIONS"):
            load("read/edges_from", "neo4j", edge=("MENTIONS", "Entity", "Statement"))


@cache
def strings_in_code() -> set[str]:
    """All strings that are written out in the code."""
    packages = [Path(str(files(package))) for package in (hlg, hlg.browser, hlg.retrieval)]
    sources = {path for package in packages for path in package.rglob("*.py")}
    return {
        node.value
        for source in sources
        for node in ast.walk(ast.parse(source.read_text()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
