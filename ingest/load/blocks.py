"""Markdown from parts: what readers of files that are no text write."""

from collections.abc import Iterable, Sequence


def heading(level: int, title: str) -> str:
    """A heading's line; levels below the sixth are the sixth."""
    return f"{'#' * max(1, min(level, 6))} {one_line(title)}"


def fenced(code: str, language: str = "") -> str:
    """Code between fences longer than any in it."""
    fence = "```"
    while fence in code:
        fence += "`"
    return f"{fence}{language}\n{code}\n{fence}"


def pipe_table(rows: Iterable[Sequence[str]]) -> str:
    """A table's rows under the first as their header; empty rows and columns left out."""
    cells = [[one_line(cell).replace("|", "\\|") for cell in row] for row in rows]
    cells = [row for row in cells if any(row)]
    width = max(map(len, cells), default=0)
    columns = [i for i in range(width) if any(i < len(row) and row[i] for row in cells)]
    shown = [[row[i] if i < len(row) else "" for i in columns] for row in cells]
    lines = [f"| {' | '.join(row)} |" for row in shown]
    if lines:
        lines.insert(1, f"|{' --- |' * len(columns)}")
    return "\n".join(lines)


def one_line(text: str) -> str:
    """A text with single spaces for its runs of white space."""
    return " ".join(text.split())
