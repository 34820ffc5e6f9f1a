"""Addresses that open Neo4j Browser on a graph, with a statement in its editor."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from hlg.cypher import load

DEFAULT_PORT = 7475
"""Where style and guide are served if the server names no other place."""
_HTTP_PORT = 7474
_BOLT_PORT = 7687
_ID = re.compile(r"[0-9a-f]{32}")
_SERVED = re.compile(r"http://localhost:(\d+)/style\.grass")
_ESCAPED = {"&": "\\u0026", "#": "\\u0023"}
"""The Browser cuts its editor's text at these, encoded or not; Cypher reads them so as well."""


@dataclass(frozen=True, slots=True)
class BrowserPlace:
    """Where a Neo4j has its Browser, and where it is to find style and guide.

    ``bolt`` names the user, for the form in which the Browser asks for the password.
    ``styled`` says whether its Browser loads both by itself, at every connection.
    """

    browser: str
    bolt: str
    port: int
    styled: bool


def place_of(address: str, user: str, settings: Mapping[str, str]) -> BrowserPlace:
    """The Browser of the server at ``address``, a store's, by the server's own settings."""
    parts = urlsplit(address)
    host = parts.hostname or "localhost"
    shown = f"[{host}]" if ":" in host else host
    http_port = settings.get("server.http.advertised_address", "").rpartition(":")[2]
    served = _SERVED.search(settings.get("browser.post_connect_cmd", ""))
    return BrowserPlace(
        browser=f"http://{shown}:{http_port or _HTTP_PORT}/browser/",
        bolt=f"bolt://{quote(user, safe='')}@{shown}:{parts.port or _BOLT_PORT}",
        port=int(served[1]) if served else DEFAULT_PORT,
        styled=served is not None,
    )


def browser_link(place: BrowserPlace, statement: str = "") -> str:
    """The address that connects and has ``statement`` in the editor, for one click to run."""
    link = f"{place.browser}?dbms={quote(place.bolt, safe='')}"
    if statement:
        text = "".join(_ESCAPED.get(character, character) for character in statement)
        link += f"&cmd=edit&arg={quote(text, safe='')}"
    return link


def evidence_statement(
    statement_ids: Sequence[str], graph: str = "", min_confidence: float = 0.0
) -> str:
    """The Cypher that shows statements with all that they rest on and that is so sure.

    :raises ValueError: one of them is not an id of hlg's.
    """
    for id_ in statement_ids:
        if not _ID.fullmatch(id_):
            raise ValueError(f"not a statement's id: {id_!r}")
    ids = ", ".join(f'"{id_}"' for id_ in statement_ids)
    statement = load("read/evidence_paths", "neo4j", graph)
    least = f"{float(min_confidence)!r}"
    return statement.replace("$ids", f"[{ids}]").replace("$min_confidence", least)
