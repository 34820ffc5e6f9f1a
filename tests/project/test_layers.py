"""The plan of the house: who may import whom, and that nothing goes in circles.

Imports inside functions count as much as those at the top of a module; only what is
imported for type checkers alone does not.
"""

import ast
import gc
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
FOLDERS = {
    "hlg": ROOT / "hlg",
    "hlg.browser": ROOT / "docker" / "browser",
    "hlg.cypher": ROOT / "cypher",
    "hlg.ingest": ROOT / "ingest",
    "hlg.retrieval": ROOT / "retrieval",
}
JOINERS = (
    "hlg.agent",
    "hlg.asking",
    "hlg.cli",
    "hlg.doctor",
    "hlg.entities",
    "hlg.evaluation",
    "hlg.graph",
    "hlg.indexing",
    "hlg.mcp",
    "hlg.opened",
    "hlg.serve",
)
"""What puts ingest and retrieval together, and so may import both."""
FORBIDDEN = (
    ("hlg.ingest", "hlg.retrieval"),
    ("hlg.ingest", "hlg.graph"),
    ("hlg.ingest", "hlg.cli"),
    ("hlg.retrieval", "hlg.ingest"),
    ("hlg.retrieval", "hlg.graph"),
    ("hlg.retrieval", "hlg.cli"),
    ("hlg.store", "hlg.ingest"),
    ("hlg.store", "hlg.retrieval"),
    ("hlg.store", "hlg.models"),
    ("hlg.settings", "hlg.store"),
    ("hlg.settings", "hlg.neo4j_server"),
    ("hlg.models", "hlg.store"),
    ("hlg.cypher", "hlg.store"),
    ("hlg.records", "hlg.store"),
    ("hlg.agent", "hlg.ingest"),
    ("hlg.agent", "hlg.indexing"),
    ("hlg.agent", "hlg.cli"),
    ("hlg.agent", "hlg.mcp"),
    ("hlg.mcp", "hlg.cli"),
    ("hlg.mcp", "hlg.serve"),
    ("hlg.serve", "hlg.mcp"),
    ("hlg.serving", "hlg.mcp"),
    ("hlg.serving", "hlg.serve"),
)
"""Pairs of a part and what it never imports."""
ORDER = {
    "hlg.ingest": ("text", "load", "chunk", "extract", "triples", "resolve", "communities"),
    "hlg.retrieval": (
        "arrays",
        "question",
        "view",
        "ranker",
        "finish",
        "weights",
        "retrievers",
        "context",
        "answers",
    ),
}
"""The folders of a stage: each imports those before it alone."""


def within(module: str, part: str) -> bool:
    return module == part or module.startswith(f"{part}.")


@cache
def modules() -> dict[str, ast.Module]:
    """All modules of the house by name.

    No garbage is collected meanwhile: what other tests left behind may print a
    traceback as it goes, for which Python 3.11 parses too, and two parsings in one
    another end in "AST constructor recursion depth mismatch".
    """
    found = {}
    gc.disable()
    try:
        for package, folder in FOLDERS.items():
            for path in folder.rglob("*.py"):
                parts = path.relative_to(folder).with_suffix("").parts
                name = ".".join((package, *parts)).removesuffix(".__init__")
                found[name] = ast.parse(path.read_text("utf-8"))
    finally:
        gc.enable()
    return found


@cache
def imports() -> dict[str, frozenset[str]]:
    """By module the modules of the house that it imports, wherever in it."""
    return {
        name: frozenset(
            target for node in _run(tree) for target in _targets(node) if target != name
        )
        for name, tree in modules().items()
    }


def _run(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """The import statements below a node, but for those under ``if TYPE_CHECKING``."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            continue
        if isinstance(child, ast.Import | ast.ImportFrom):
            yield child
        yield from _run(child)


def _targets(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    else:
        whole = node.module or ""
        names = [
            inner if (inner := f"{whole}.{alias.name}") in modules() else whole
            for alias in node.names
        ]
    yield from (name for name in names if name in modules())


def test_no_import_goes_in_a_circle() -> None:
    """Where one does, the error names its modules."""
    assert set(TopologicalSorter(imports()).static_order()) == imports().keys()


@pytest.mark.parametrize(("part", "other"), FORBIDDEN, ids=lambda name: name)
def test_a_part_does_not_import_what_is_above_it(part: str, other: str) -> None:
    assert any(within(name, part) for name in imports())
    assert [
        (name, target)
        for name, targets in imports().items()
        if within(name, part)
        for target in targets
        if within(target, other)
    ] == []


@pytest.mark.parametrize("part", ORDER)
def test_a_folder_imports_those_before_it_alone(part: str) -> None:
    order = ORDER[part]
    assert set(order) == {path.parent.name for path in FOLDERS[part].glob("*/__init__.py")}
    place = {f"{part}.{folder}": i for i, folder in enumerate(order)}

    def of(module: str) -> int | None:
        return place.get(".".join(module.split(".")[:3]))

    assert [
        (name, target)
        for name, targets in imports().items()
        for target in targets
        if (own := of(name)) is not None and (other := of(target)) is not None and other > own
    ] == []


def test_only_what_puts_them_together_imports_ingest_and_retrieval() -> None:
    stages = ("hlg.ingest", "hlg.retrieval")
    outside = {
        (name, target)
        for name, targets in imports().items()
        if not any(within(name, part) for part in (*JOINERS, *stages))
        for target in targets
        if any(within(target, stage) for stage in stages)
    }
    assert outside == set()


def test_a_room_has_at_most_two_dozen_files() -> None:
    crowded = {
        str(folder.relative_to(ROOT)): count
        for top in FOLDERS.values()
        for folder in (top, *(path for path in top.rglob("*") if path.is_dir()))
        if (count := len(list(folder.glob("*.py")))) > 24 and folder.name != "cli"
    }
    assert crowded == {}
