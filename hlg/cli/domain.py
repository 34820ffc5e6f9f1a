"""``hlg domain``: what a language model is told of a collection."""

from pathlib import Path
from typing import Annotated

import typer

from hlg.cli.console import print_json, print_line, say_usage
from hlg.cli.group import CommandGroup
from hlg.cli.options import BuildPathsArgument, JsonOption, TraceOption

app = typer.Typer(
    cls=CommandGroup, rich_markup_mode=None, add_completion=False, no_args_is_help=True
)


@app.callback()
def domain() -> None:
    """Find the classes of entities and the topics that extraction by a model is told of.

    \b
    Examples:
      hlg domain infer notes/
      hlg domain infer notes/ --dry-run
    """


@app.command()
def infer(
    paths: BuildPathsArgument,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print them.")] = False,
    trace: TraceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Ask the language model about five chunks, and keep what it says in hlg.toml to be edited.

    What is there of [domain] is replaced. The next build with --extractor llm extracts by it.
    """
    from hlg.graph import LexicalGraph
    from hlg.settings import SETTINGS_FILE, load_settings, with_domain
    from hlg.whole_file import write_whole_text

    with LexicalGraph.open(settings=load_settings(llm_trace=trace)) as opened:
        found = opened.infer_domain(paths)
        say_usage(opened)
    if as_json:
        print_json(found.model_dump())
    else:
        print_line(f"classes: {', '.join(found.classes)}")
        print_line(f"topics: {', '.join(found.topics)}")
    if not dry_run:
        path = Path(SETTINGS_FILE)
        text = path.read_text("utf-8") if path.is_file() else ""
        write_whole_text(path, with_domain(text, found))
        if not as_json:
            print_line(f"kept in {path}, [domain]; change it there as you like")
