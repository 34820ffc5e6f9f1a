"""``hlg mcp``: the graph for anybody's agent."""

from pathlib import Path
from typing import Annotated

from hlg.cli.command import flag, option
from hlg.cli.listening import (
    HERE,
    HostOption,
    PortOption,
    TokenFileOption,
    serve_until_ended,
    token_in,
)
from hlg.cli.options import SearchSettings, WhereOption
from hlg.errors import UsageError
from hlg.extras import needing


def mcp(
    settings: SearchSettings,
    where: WhereOption = "",
    write: Annotated[
        Path | None,
        option("FOLDER", "Let agents build what lies in this folder, and delete it again."),
    ] = None,
    http: Annotated[
        bool, flag("--http", "Listen for streamable HTTP, not on standard input.")
    ] = False,
    host: HostOption = HERE,
    port: PortOption = 8000,
    token_file: TokenFileOption = None,
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
        serve_until_ended(
            application(server, host=host, token=token_in(token_file)), host, port, PATH
        )
    else:
        run_stdio(server)
