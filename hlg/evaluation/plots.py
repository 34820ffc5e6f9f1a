"""Tables as Markdown and figures as files, for every report."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.errors import UsageError
from hlg.evaluation.tables import Table
from hlg.extras import how_to_install
from hlg.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = ("png", "svg")
_SIZE = (6.4, 4.0)
"""Inches."""


def save_figure(path: Path, draw: "Callable[[Axes], bool]") -> Path | None:
    """Draw a figure and write it, in the format that the file's name ends in.

    :param draw: draws on axes, and says whether there was anything to draw.
    :returns: the path, or None where there was nothing.
    :raises UsageError: Matplotlib is not installed, or the file can't be written.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(f"plots need Matplotlib: {how_to_install('report')}") from error
    figure = Figure(figsize=_SIZE, layout="constrained")
    if not draw(figure.subplots()):
        return None
    image_format = path.suffix.removeprefix(".")
    # A date or random ids in an SVG would make equal plots differ.
    metadata = {"Date": None} if image_format == "svg" else {}
    with rc_context({"svg.hashsalt": "hlg"}):
        image = BytesIO()
        figure.savefig(image, dpi=150, format=image_format, metadata=metadata)
    write_whole(path, [image.getvalue()], make_folder=True)
    return path


def check_format(image_format: str) -> None:
    """See that plots can be written in a format.

    :raises UsageError: they can't.
    """
    if image_format not in FORMATS:
        raise UsageError(
            f"no image format {image_format!r}; there are {', '.join(FORMATS)}",
            option="format",
            known=FORMATS,
        )


def markdown_table(table: Table) -> str:
    """A table in GitHub's Markdown."""
    rows = (table.headings, ("---",) * len(table.headings), *table.rows)
    return "".join(f"| {' | '.join(escaped(cell) for cell in row)} |\n" for row in rows)


def escaped(text: str) -> str:
    """Text that Markdown shows as it is."""
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*")
