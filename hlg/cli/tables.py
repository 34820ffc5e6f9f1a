"""Tables of results, on a terminal or in a file."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from hlg.cli.console import one_line

if TYPE_CHECKING:
    from hlg.evaluation.tables import Table

_WIDTH_OF_A_FILE = 200


def print_tables(tables: "Iterable[Table]") -> None:
    """Tables for a terminal."""
    from rich.console import Console
    from rich.table import Table as Grid
    from rich.text import Text

    console = Console(width=None if sys.stdout.isatty() else _WIDTH_OF_A_FILE)
    for table in tables:
        grid = Grid(title=Text(one_line(table.title)), title_justify="left", show_lines=False)
        for number, heading in enumerate(table.headings):
            grid.add_column(Text(one_line(heading)), justify="right" if number else "left")
        for row in table.rows:
            # An interval goes below its mean: side by side they would not fit on a screen.
            grid.add_row(*(Text(one_line(cell).replace(" [", "\n[")) for cell in row))
        console.print(grid)
