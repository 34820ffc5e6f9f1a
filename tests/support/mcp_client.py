"""The SDK's client as tests use it: without async, from any thread."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp_types import CallToolResult, TextContent

from hlg.asking.search import SearchOptions
from hlg.mcp.server import GraphServer
from hlg.mcp.writing import Folder
from hlg.serving.graph import opened_graph
from hlg.settings import Settings

FENCE = re.compile(r"\[BEGIN \w+ ([0-9a-f]{16})\]\n(.*)\n\[END \w+ \1\]", re.DOTALL)
"""A boundary and what it holds."""


class Asking:
    """A client that is connected."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal = portal
        self.client = client

    def do(self, name: str, *given: Any, **more: Any) -> Any:
        """Any method of the client."""
        return self.portal.call(partial(getattr(self.client, name), *given, **more))

    def result(self, tool: str, /, **arguments: Any) -> CallToolResult:
        """A tool's result, whatever it is."""
        result: CallToolResult = self.do("call_tool", tool, arguments)
        return result

    def call(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """What a tool gives to a program."""
        result = self.result(tool, **arguments)
        assert not result.is_error, text_of(result)
        assert result.structured_content is not None
        return result.structured_content

    def text(self, tool: str, /, **arguments: Any) -> str:
        """What a tool gives to a model."""
        result = self.result(tool, **arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    def refusal(self, tool: str, /, **arguments: Any) -> str:
        """The line that a tool refuses with."""
        result = self.result(tool, **arguments)
        assert result.is_error, text_of(result)
        assert result.structured_content is None
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    """A result's content, which is one text."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@contextmanager
def connected(server: Any, **more: Any) -> Iterator[Asking]:
    """A client of a server in this process, of a command, or of an address."""
    with start_blocking_portal() as portal:
        client = Client(server, **more)
        with portal.wrap_async_context_manager(client):
            yield Asking(portal, client)


def server_of(
    store: Path | str, where: str = "", folder: Path | None = None, **settings: Any
) -> GraphServer:
    """The server over a graph in a file."""
    chosen = Settings(store=str(store), **settings)
    return GraphServer(
        lambda: opened_graph(chosen, can_write=folder is not None),
        SearchOptions(where=where),
        Folder(folder) if folder is not None else None,
    )


def pages(client: Asking, tool: str, rows: str, **arguments: Any) -> list[Any]:
    """All rows of a tool's result, page by page."""
    found, skip = [], 0
    while True:
        told = client.call(tool, **arguments, skip=skip)
        found += told[rows]
        skip = told.get("next_skip", 0)
        if not skip:
            return found
