"""Stores: where a graph is kept."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from hlg.errors import UsageError
from hlg.registry import Registry, Row
from hlg.store.base import GraphStore

__all__ = ["STORES", "GraphStore", "open_store"]


@dataclass(frozen=True, slots=True)
class StoreRow(Row[Callable[..., GraphStore]]):
    """A kind of store; ``schemes`` are those of its addresses, none for a file's path."""

    schemes: tuple[str, ...] = ()


STORES: Registry[StoreRow] = Registry(
    "store",
    {
        "ladybug": StoreRow(
            "a file in this process, no server", "hlg.store.ladybug.store", "open_ladybug"
        ),
        "neo4j": StoreRow(
            "a Neo4j server, 5.26 or later",
            "hlg.store.neo4j.store",
            "open_neo4j",
            schemes=("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc"),
        ),
    },
)
"""Every kind of store, by the name of its database."""
_BY_SCHEME = {scheme: row for row in STORES.values() for scheme in row.schemes}
_GRAPH_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")


def open_store(
    address: str,
    graph: str = "",
    *,
    user: str = "neo4j",
    password: str = "",
    read_only: bool = False,
) -> GraphStore:
    """Open the graph named ``graph`` (empty: the default one) at a path or a Neo4j URI.

    A path is a Ladybug file; a named graph is another file beside it. ``read_only`` lets
    a Ladybug store be opened beside its writer. Where no password is given for a server of
    this machine that ``hlg neo4j start`` runs, the one that it keeps is taken.

    :raises UsageError: the graph's name or the address is not valid.
    :raises StoreError: the store can't be opened; see :mod:`hlg.errors` for which one.
    """
    if graph and not _GRAPH_NAME.fullmatch(graph):
        raise UsageError(
            f"graph name {graph!r} is not valid: use a lower-case letter, then up to 30 "
            "lower-case letters, digits or underscores",
            option="graph",
        )
    scheme, separator, _ = address.partition("://")
    row = _BY_SCHEME.get(scheme) if separator else STORES["ladybug"]
    if row is None:
        raise UsageError(
            f"store {address!r}: unknown scheme {scheme!r}; give a file's path or one of "
            + ", ".join(f"{name}://" for name in _BY_SCHEME),
            option="store",
            known=_BY_SCHEME,
        )
    return row.load()(address, graph, user=user, password=password, read_only=read_only)
