"""Stores: where a graph is kept."""

import re
from pathlib import Path

from hlg.errors import UsageError
from hlg.store.base import GraphStore

__all__ = ["GraphStore", "open_store"]

_GRAPH_NAME = re.compile(r"[a-z][a-z0-9_]{0,30}")
_URI_SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


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
            "lower-case letters, digits or underscores"
        )
    scheme, separator, _ = address.partition("://")
    if separator:
        if scheme not in _URI_SCHEMES:
            raise UsageError(
                f"store {address!r}: unknown scheme {scheme!r}; give a file's path or one of "
                + ", ".join(f"{name}://" for name in _URI_SCHEMES)
            )
        from hlg.neo4j_server.server import saved_password
        from hlg.store.neo4j.store import Neo4jStore

        password = password or saved_password(address) or ""
        return Neo4jStore(address, graph, user=user, password=password)
    from hlg.store.ladybug.store import LadybugStore

    return LadybugStore(Path(address), graph, read_only=read_only)
