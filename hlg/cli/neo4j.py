"""``hlg neo4j``: a Neo4j server of one's own on this machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.command import Commands, SettingFlags
from hlg.cli.console import print_line, say

if TYPE_CHECKING:
    from hlg.neo4j_server.server import ServerInfo
    from hlg.settings import Settings

app = Commands()

HOME = """
:param DIRECTORY neo4j_home --home: Folder of its data, logs and password [default:
    .hlg/neo4j].
"""
HomeSettings = Annotated["Settings", SettingFlags({"neo4j_home": str | None}, told=HOME)]


@app.callback()
def neo4j() -> None:
    """Run Neo4j Community on this machine, for this machine only, without Docker.

    It needs a JDK and Maven. Its password is made at the first start and kept in the
    home's file "password"; hlg finds it there.

    \b
    Examples:
      hlg neo4j start
      hlg build notes/ --store neo4j://localhost:7687
      hlg neo4j stop
    """


@app.command()
def start(
    settings: HomeSettings,
    bolt_port: Annotated[int | None, typer.Option(min=1, max=65_535)] = None,
    http_port: Annotated[int | None, typer.Option(min=1, max=65_535)] = None,
    version: str | None = None,
) -> None:
    """Start the server and wait until it answers; a running one is left as it is.

    Ports and version are those of the last start where not given.

    :param PORT bolt_port: Port of Bolt; 7687 at first.
    :param PORT http_port: Port of the Browser; 7474 at first.
    :param X.Y.Z version: Version of Neo4j; 5.26.30 at first.
    """
    from hlg.neo4j_server import server as neo4j_server

    home = Path(settings.neo4j_home)
    if neo4j_server.status(home):
        say("Neo4j is running already")
    _print(
        neo4j_server.start(
            home, bolt_port=bolt_port, http_port=http_port, version=version, report=say
        )
    )


@app.command()
def stop(settings: HomeSettings) -> None:
    """Stop the server; its data stays."""
    from hlg.neo4j_server import server as neo4j_server

    home = Path(settings.neo4j_home)
    print_line("stopped" if neo4j_server.stop(home) else f"no Neo4j is running in {home}")


@app.command()
def status(settings: HomeSettings) -> None:
    """Say whether the server runs, and where; exit code 3 where it does not."""
    from hlg.neo4j_server import server as neo4j_server

    home = Path(settings.neo4j_home)
    info = neo4j_server.status(home)
    if info is None:
        print_line(f"no Neo4j is running in {home}; next: hlg neo4j start")
        raise typer.Exit(3)
    _print(info)
    if not neo4j_server.answers(info):
        print_line("it does not answer yet")
        raise typer.Exit(3)


def _print(info: "ServerInfo") -> None:
    print_line(f"version   {info.version} (process {info.pid})")
    print_line(f"store     {info.bolt}")
    print_line(f"browser   {info.browser}")
    print_line(f"user      {info.user}")
    print_line(f"password  in {info.password_file}")
