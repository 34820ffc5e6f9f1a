"""``hlg init``: a commented settings file."""

import os
from pathlib import Path
from typing import Annotated

import typer

from hlg.cli.console import print_line
from hlg.errors import UsageError

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def init(
    force: Annotated[
        bool, typer.Option("--force", help="Write over the file that is there.")
    ] = False,
) -> None:
    """Write hlg.toml, with every setting, its default and what it does.

    \b
    Example:
      hlg init && $EDITOR hlg.toml
    """
    from hlg.settings import SETTINGS_FILE, settings_template
    from hlg.whole_file import write_whole_text

    path = Path(SETTINGS_FILE)
    if not force and os.path.lexists(path):
        raise UsageError(f"{path} is there already; --force writes over it", option="force")
    write_whole_text(path, settings_template())
    print_line(f"wrote {path}; take the # off what you want to change, hlg doctor shows the result")
