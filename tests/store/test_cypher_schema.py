"""Every Cypher file speaks of the schema, says what it returns, is used, and exists once."""

import ast
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

import hlg
import hlg.browser
import hlg.cypher
import hlg.retrieval
from hlg.cypher import load
from hlg.schema import EDGES, NODES

ROOT = Path(str(files(hlg.cypher)))
FILES = sorted(ROOT.glob("*/*.cypher"), key=str)
IDS = [f"{path.parent.name}/{path.stem}" for path in FILES]

NAME = r"`?(\w+)`?"
NODE = re.compile(r"\((\w*)\s*:\s*(\w+)\s*(?:\{([^}]*)\})?")
EDGE = re.compile(r"\[(\w*)\s*:\s*([\w|]+)\s*(?:\{([^}]*)\})?")
TABLE = re.compile(r"CREATE NODE TABLE IF NOT EXISTS (\w+) AS\nLOAD FROM \$rows\nRETURN ([^\n]+)")
EDGE_TABLE = re.compile(r"CREATE REL TABLE IF NOT EXISTS (\w+)\(([^)]*)\)")
KEY = re.compile(rf"{NAME}\s*:")
ACCESS = re.compile(rf"(?<![\w.$])(\w+)\.{NAME}(?![\w.(])")
STRING = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
YIELDED = re.compile(r"YIELD node(?: AS (\w+))?")


def code(path: Path) -> str:
    """A file's statement without comments and strings."""
    lines = (line for line in path.read_text().splitlines() if not line.startswith("//"))
    return STRING.sub("''", "\n".join(lines))


def properties(label: str) -> set[str]:
    node = NODES[label]
    return {*node.properties, *node.derived, *(("embedding",) if node.embedded else ())}


def keys(pattern: str | None) -> set[str]:
    return set(KEY.findall(pattern or ""))


ALL_PROPERTIES = {name for label in NODES for name in properties(label)}


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_file_names_only_what_the_schema_has(path: Path) -> None:
    text = code(path)
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
def test_a_file_is_used(path: Path) -> None:
    assert any(pattern.fullmatch(path.stem) for pattern in names_in_code())


def test_a_statement_exists_once() -> None:
    texts = [re.sub(r"\s+", " ", code(path)).strip() for path in FILES]
    doubled = {name for name, text in zip(IDS, texts, strict=True) if texts.count(text) > 1}
    assert not doubled


def test_a_shared_statement_is_not_hidden_by_a_dialect() -> None:
    shared = {path.stem for path in FILES if path.parent.name == "shared"}
    own = {path.stem for path in FILES if path.parent.name != "shared"}
    assert not shared & own


def test_ladybug_has_a_table_for_all_that_the_schema_has() -> None:
    texts = [code(path) for path in FILES if path.parent.name == "ladybug"]
    tables = dict(found.groups() for text in texts if (found := TABLE.search(text)))
    edges = dict(found.groups() for text in texts if (found := EDGE_TABLE.search(text)))
    assert tables.keys() == NODES.keys()
    for label, columns in tables.items():
        names = [name.strip("` ") for name in columns.split(",")]
        node = NODES[label]
        assert names == [*node.properties, *(["embedding"] if node.embedded else [])]
    assert edges.keys() == EDGES.keys()
    for type_, columns in edges.items():
        edge = EDGES[type_]
        ends = [f"FROM {origin} TO {target}" for origin, target in edge.ends]
        assert columns.split(", ") == ends + [f"{k} {v}" for k, v in edge.properties.items()]


def test_neo4j_has_a_constraint_and_indexes_for_all_that_the_schema_has() -> None:
    texts = "\n".join(code(path) for path in FILES if path.parent.name == "neo4j")
    unique = re.findall(r"FOR \(\w:(\w+)\) REQUIRE \w\.id IS UNIQUE", texts)
    assert sorted(unique) == sorted(NODES)
    vector = re.findall(r"VECTOR INDEX \w+ IF NOT EXISTS\s+FOR \(\w:(\w+)\)", texts)
    assert sorted(vector) == sorted(label for label, node in NODES.items() if node.embedded)
    full_text = re.findall(
        r"FULLTEXT INDEX (\w+_text) IF NOT EXISTS\s+FOR \(\w:(\w+)\) ON EACH \[(.*?)\]", texts
    )
    assert {label: re.findall(r"\.(\w+)", names) for _, label, names in full_text} == {
        label: list(node.full_text) for label, node in NODES.items() if node.full_text
    }


@pytest.mark.parametrize("dialect", ["ladybug", "neo4j"])
def test_each_label_and_type_is_read_and_written(dialect: str) -> None:
    paths = [path for path in FILES if path.parent.name in (dialect, "shared")]
    labels = {label for path in paths for _, label, _ in NODE.findall(code(path))}
    types = {type_ for path in paths for _, type_, _ in EDGE.findall(code(path))}
    assert labels == NODES.keys()
    assert types == EDGES.keys()


@pytest.mark.parametrize("path", FILES, ids=IDS)
def test_a_named_graph_has_labels_of_its_own(path: Path) -> None:
    """The suffix is behind every label, and nothing else changes."""
    dialect = "neo4j" if path.parent.name == "shared" else path.parent.name
    plain, named = load(path.stem, dialect), load(path.stem, dialect, "acme")
    assert named.replace("_acme", "") == plain
    if dialect == "neo4j":
        labels = [label for _, label, _ in NODE.findall(STRING.sub("''", named))]
        assert all(label.endswith("_acme") for label in labels)


@cache
def names_in_code() -> list[re.Pattern[str]]:
    """Patterns of all strings in the code; what is filled in may be anything."""
    packages = [Path(str(files(package))) for package in (hlg, hlg.browser, hlg.retrieval)]
    sources = {path for package in packages for path in package.rglob("*.py")}
    patterns = set()
    for source in sources:
        for node in ast.walk(ast.parse(source.read_text())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                patterns.add(re.escape(node.value))
            elif isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
                    for part in node.values
                ]
                if sum(len(part) for part in parts if part != r"\w+") >= 4:
                    patterns.add("".join(parts))
    return [re.compile(pattern) for pattern in patterns if "\n" not in pattern]
