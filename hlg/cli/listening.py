"""``hlg serve`` and ``hlg mcp``: the graph for a person's browser, and for anybody's agent."""

import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.console import print_line, say
from hlg.cli.options import SearchSettings
from hlg.errors import UsageError
from hlg.extras import needing

if TYPE_CHECKING:
    from starlette.types import ASGIApp

HERE = "127.0.0.1"
Port = Annotated[int, typer.Option(min=0, max=65_535)]


def serve(
    settings: SearchSettings,
    host: str = HERE,
    port: Port = 8000,
    token_file: Path | None = None,
    write: Path | None = None,
) -> None:
    """Serve a page to ask in, and a JSON API, until Ctrl-C.

    The answer with its sources beside it, the evidence with its paths and as a picture, two
    retrievers side by side, entities, communities and sources. It listens on this machine
    alone; on another interface it wants a token. /api/v1/openapi.json documents the API.
    Needs the extra "serve".

    \b
    Examples:
      hlg serve
      hlg serve --store town.lbug --port 8080
      hlg serve --write inbox/
      hlg serve --host 0.0.0.0 --token-file token.txt

    :param FOLDER write: Let people send files into this folder, build them, and delete.
    """
    with needing("serve", "hlg serve"):
        from hlg.serve.app import application
        from hlg.serve.service import opened

    app = application(
        lambda: opened(settings, write),
        host=host,
        token=_token_in(token_file),
        can_write=write is not None,
    )
    _serve_until_ended(app, host, port)


def mcp(
    settings: SearchSettings,
    where: str = "",
    write: Path | None = None,
    http: bool = False,
    host: str = HERE,
    port: Port = 8000,
    token_file: Path | None = None,
) -> None:
    """Serve the graph to agents by the Model Context Protocol (MCP).

    A client starts it and speaks with it on standard input and output. With --http it listens
    on this machine alone; on another interface it wants a token. Needs the extra "mcp".

    \b
    Examples:
      hlg mcp --store town.lbug
      hlg mcp --store town.lbug --where 'year >= 2024'
      hlg mcp --store town.lbug --write notes/
      hlg mcp --http --port 8080

    :param FOLDER write: Let agents build what lies in this folder, and delete it again.
    :param http: Listen for streamable HTTP, not on standard input.
    """
    if not http and (host != HERE or token_file is not None):
        raise UsageError("--host and --token-file go with --http", option="http")
    from hlg.asking.search import SearchOptions

    with needing("mcp", "hlg mcp"):
        from hlg.mcp.server import PATH, GraphServer, application, run_stdio
        from hlg.mcp.writing import Folder
        from hlg.serving.graph import opened_graph

    server = GraphServer(
        lambda: opened_graph(settings, can_write=write is not None),
        SearchOptions(settings.retriever, settings.top_k, None, where),
        Folder(write) if write is not None else None,
        asks_model=bool(settings.llm),
    )
    if http:
        _serve_until_ended(
            application(server, host=host, token=_token_in(token_file)), host, port, PATH
        )
    else:
        run_stdio(server)


def _token_in(path: Path | None) -> str:
    """The token that a file holds; empty without a file.

    :raises UsageError: it can't be read.
    """
    try:
        return path.read_text("utf-8").strip() if path is not None else ""
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"no token can be read from {path}: {error}", option="token_file"
        ) from error


def _serve_until_ended(app: "ASGIApp", host: str, port: int, path: str = "") -> None:
    """Serve an application until Ctrl-C or a signal to end; prints its address.

    :param path: is put behind the address.
    :raises HlgError: as :func:`hlg.serving.listening.running`.
    """
    from hlg.serving.listening import running

    try:
        with running(app, host, port) as address:
            signal.signal(signal.SIGTERM, signal.default_int_handler)
            print_line(address + path)
            say("Ctrl-C ends it")
            while True:
                time.sleep(3600)
    except KeyboardInterrupt:
        say("nothing is served any more")
