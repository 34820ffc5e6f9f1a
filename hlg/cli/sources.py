"""``hlg sources``: the documents in the graph."""

import sys
from typing import TYPE_CHECKING

import typer

from hlg.cli.command import Commands, Shown, opened, show_through
from hlg.cli.console import one_line, print_line, say
from hlg.cli.options import GraphFlags, GraphSettings
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph
    from hlg.records import Source, SourceGraph

app = Commands(no_args_is_help=False)
_STATEMENTS_SHOWN = 10


@app.callback(invoke_without_command=True)
def sources(context: typer.Context, given: GraphFlags, as_json: bool = False) -> None:
    """List, show or delete the documents in the graph.

    \b
    Examples:
      hlg sources
      hlg sources show notes/harbour.md
      hlg sources delete notes/harbour.md --yes
    """
    from hlg.settings import load_settings

    if context.invoked_subcommand is None:
        show_through(list_sources(load_settings(**given)), as_json=as_json)
    elif given or as_json:
        command = f"hlg sources {context.invoked_subcommand}"
        raise UsageError(f"put options after the command: {command} …")


@app.command("list")
def list_sources(settings: GraphSettings) -> Shown:
    """List the sources by uri: id, uri and title."""
    with opened(settings) as graph:
        found = graph.sources()
    yield found
    for source in found:
        title = one_line(source.title, 60)
        print_line(f"{source.id}  {one_line(source.uri)}  {title}".rstrip())
    told = f"{len(found)} sources; next: hlg sources show URI"
    say(told if found else "no sources yet; next: hlg build PATH")


@app.command()
def show(source: str, settings: GraphSettings) -> Shown:
    """Show a source: its metadata, and what was made of it.

    \b
    Examples:
      hlg sources show notes/harbour.md
      hlg sources show notes/harbour.md --json | jq -r '.statements[].text'

    :arg SOURCE source: Any address of a source, or its id as listed.
    """
    from hlg.documents import fields_of

    with opened(settings) as graph:
        found = _find(graph, source)
        (made,) = graph.store.read([found.id])
    kinds = ("chunks", "topics", "statements", "facts", "entities")
    yield fields_of(found) | {kind: getattr(made, kind) for kind in kinds}
    _print_source(found, made)


@app.command()
def delete(source: str, settings: GraphSettings, yes: bool = False) -> Shown:
    """Delete a source, and the facts and entities that nothing else supports.

    A text that was read at several addresses is one source: any of them names it, and it goes
    from all. The next build of a path where it still is takes it in again.

    \b
    Example:
      hlg sources delete notes/harbour.md --yes

    :param yes --yes -y: Don't ask.
    :arg SOURCE source: Any address of a source, or its id as listed.
    """
    if not yes and not sys.stdin.isatty():
        raise UsageError("nobody is there to confirm the deletion; add --yes", option="yes")
    with opened(settings, read_only=False) as graph:
        found = _find(graph, source)
        if not yes and not typer.confirm(f"delete {_named(found)}?", err=True):
            say("nothing was deleted")
            return
        deleted = graph.delete(found.id)
    yield {"deleted": deleted, "id": found.id, "uri": found.uri, "addresses": list(found.addresses)}
    print_line(f"deleted {_named(found)} and what only it supported")


def _find(graph: "LexicalGraph", wanted: str) -> "Source":
    from hlg.records import find_source

    sources = graph.sources()
    if found := find_source(sources, wanted):
        return found
    raise UsageError(
        f"no source {wanted!r} in {graph.store.address}; hlg sources list has them all",
        option="source",
        known=[source.uri for source in sources],
    )


def _named(source: "Source") -> str:
    """A source by all its addresses."""
    uri, *others = map(one_line, source.addresses)
    return f"{uri} (the text of {', '.join(others)} as well)" if others else uri


def _print_source(source: "Source", made: "SourceGraph") -> None:
    from hlg.records import BETWEEN

    print_line(f"uri       {one_line(source.uri)}")
    print_line(f"title     {one_line(source.title)}")
    print_line(f"id        {source.id}")
    print_line(f"ingested  {source.ingested_at}")
    for key, value in source.metadata.items():
        if key != BETWEEN:
            print_line(f"{one_line(key)}: {one_line(str(value), 200)}")
    print_line(
        f"{len(made.chunks)} chunks, {len(made.topics)} topics, {len(made.statements)} statements, "
        f"{len(made.facts)} facts, {len(made.entities)} entities"
    )
    for statement in made.statements[:_STATEMENTS_SHOWN]:
        print_line(f"  {statement.start:>6}  {one_line(statement.text, 100)}")
    if len(made.statements) > _STATEMENTS_SHOWN:
        print_line(f"  … {len(made.statements) - _STATEMENTS_SHOWN} more; --json has them all")
