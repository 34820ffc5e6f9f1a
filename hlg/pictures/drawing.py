"""A picture as SVG or PNG, drawn by Matplotlib."""

import warnings
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.errors import UsageError
from hlg.extras import how_to_install
from hlg.pictures.picture import (
    FAINT,
    FONT_PIXELS,
    LOOKS,
    Box,
    Picture,
    ends_of,
    printable,
    what_is_shown,
)
from hlg.whole_file import write_whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SUFFIXES = (".png", ".svg")
_PIXELS_AN_INCH = 100
_MOST_PIXELS = 12_000
_MARGIN = 20.0
_HEADING = 60.0
_NARROWEST = 480.0
_EDGE = "#8A8FA3"


def draw(picture: Picture, path: Path) -> None:
    """Write a picture into a file of one of :data:`SUFFIXES`; equal pictures give equal files.

    :raises UsageError: Matplotlib is not installed, or the file can't be written.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise UsageError(
            f"a {path.suffix} picture is drawn by Matplotlib, which is not installed: "
            f"{how_to_install('report')}; an .html page needs nothing more",
            option="out",
        ) from error
    left, top, right, bottom = _extent(picture)
    inches = (right - left) / _PIXELS_AN_INCH, (bottom - top) / _PIXELS_AN_INCH
    figure = Figure(figsize=inches, dpi=_PIXELS_AN_INCH, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_axis_off()
    _draw_edges(axes, picture)
    for box in picture.boxes:
        _draw_box(axes, box, found=box.node.id in picture.ranks)
    _draw_heading(axes, picture, left + _MARGIN, top + _MARGIN)
    dpi = min(_PIXELS_AN_INCH, _MOST_PIXELS / max(inches))
    metadata = {"Date": None} if path.suffix == ".svg" else {"Software": None}
    text_as_text = matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "hlg"})
    image = BytesIO()
    with text_as_text, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
        figure.savefig(image, dpi=dpi, format=path.suffix[1:], metadata=metadata)
    write_whole(path, [image.getvalue()])


def _extent(picture: Picture) -> tuple[float, float, float, float]:
    """Left, top, right and bottom in pixels, with a margin and room for the heading."""
    boxes = picture.boxes
    left = min((box.x - box.width / 2 for box in boxes), default=0.0)
    right = max((box.x + box.width / 2 for box in boxes), default=0.0)
    top = min((box.y - box.height / 2 for box in boxes), default=0.0)
    bottom = max((box.y + box.height / 2 for box in boxes), default=0.0)
    right = max(right, left + _NARROWEST)
    return left - _MARGIN, top - _HEADING, right + _MARGIN, bottom + _MARGIN


def _draw_edges(axes: "Axes", picture: Picture) -> None:
    from matplotlib.collections import LineCollection

    boxes = {box.node.id: box for box in picture.boxes}
    for faint in (True, False):
        lines = [
            ends_of(boxes[edge.source], boxes[edge.target])
            for edge in picture.edges
            if (edge.type in FAINT) == faint
        ]
        dashes, alpha = ("dotted", 0.5) if faint else ("solid", 0.65)
        axes.add_collection(
            LineCollection(lines, colors=_EDGE, linewidths=0.9, linestyles=dashes, alpha=alpha)
        )


def _draw_box(axes: "Axes", box: Box, *, found: bool) -> None:
    from matplotlib.patches import FancyBboxPatch

    look = LOOKS[box.node.label]
    corner = (box.x - box.width / 2, box.y - box.height / 2)
    axes.add_patch(
        FancyBboxPatch(
            corner,
            box.width,
            box.height,
            boxstyle="round,pad=0,rounding_size=7",
            facecolor=look.colour,
            edgecolor="#1F1F2E" if found else "white",
            linewidth=2.0 if found else 0.8,
            zorder=2,
        )
    )
    axes.text(
        box.x,
        box.y,
        "\n".join(box.lines),
        color=look.ink,
        fontsize=_points(FONT_PIXELS),
        ha="center",
        va="center",
        zorder=3,
        parse_math=False,
    )


def _draw_heading(axes: "Axes", picture: Picture, x: float, y: float) -> None:
    title = printable(picture.title)
    axes.text(x, y, title, fontsize=_points(17), weight="bold", va="center", parse_math=False)
    shown = what_is_shown(picture)
    axes.text(x, y + 22, shown, fontsize=_points(12), color="#5A5F73", va="center")


def _points(pixels: float) -> float:
    return pixels * 72 / _PIXELS_AN_INCH
