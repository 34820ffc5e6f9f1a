"""Every Cypher statement of hlg, one named file each, and the one loader of them.

``shared/`` holds what both dialects accept, ``neo4j/`` and ``ladybug/`` the rest. A file
starts with ``//`` lines that say what it returns. Files are written for the default
graph; for a named one the loader puts its suffix behind every label (``:Statement`` to
``:Statement_acme``) and every constraint's and index's name. Nothing else ever edits a
statement, and no value ever becomes part of one.
"""

import re
from functools import cache
from importlib.resources import files

from hlg.schema import NODES

_LABEL = re.compile(r"(?<=[:|])(" + "|".join(NODES) + r")\b")
_SCHEMA_NAME = re.compile(r"(?<=\bINDEX |RAINT )(\w+)")
_SUFFIX = re.compile(r"[a-z][a-z0-9_]{0,30}")


@cache
def load(name: str, dialect: str, graph: str = "") -> str:
    """The statement ``name`` for a dialect (``neo4j`` or ``ladybug``) and a graph.

    :raises FileNotFoundError: no such statement.
    :raises ValueError: the graph's name is not a valid suffix.
    """
    root = files(__package__)
    path = root / dialect / f"{name}.cypher"
    if not path.is_file():
        path = root / "shared" / f"{name}.cypher"
    text = "\n".join(
        line for line in path.read_text("utf-8").splitlines() if not line.startswith("//")
    ).strip()
    return in_graph(text, graph)


def in_graph(statement: str, graph: str) -> str:
    """A statement that was written for the default graph, for a graph of this name.

    :raises ValueError: the graph's name is not a valid suffix.
    """
    if not graph:
        return statement
    if not _SUFFIX.fullmatch(graph):
        raise ValueError(f"not a graph name: {graph!r}")
    return _SCHEMA_NAME.sub(rf"\1_{graph}", _LABEL.sub(rf"\1_{graph}", statement))
