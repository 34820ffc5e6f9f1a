"""Pictures of a subgraph: a page to explore, or a drawing.

``picture`` says what each node shows, ``layout`` where it lies; ``page`` writes that as one
HTML file, ``drawing`` as SVG or PNG. ``cytoscape.min.js`` is Cytoscape.js 3.34.4 (MIT, see
``cytoscape.LICENSE``), unchanged from its npm package, and goes into every page.
"""

from collections.abc import Mapping
from pathlib import Path

from hlg.errors import UsageError
from hlg.pictures.drawing import SUFFIXES, draw
from hlg.pictures.page import write_page
from hlg.pictures.picture import Picture, picture_of, what_is_shown
from hlg.subgraph import Subgraph

__all__ = ["Picture", "check_name", "picture_of", "what_is_shown", "write_picture"]

_PAGE = ".html"


def check_name(path: Path) -> None:
    """See that a file's name says what kind of picture it is to be.

    :raises UsageError: it ends otherwise.
    """
    if path.suffix not in (_PAGE, *SUFFIXES):
        raise UsageError(
            f"{path} is no picture: its name must end in .html, .svg or .png", option="out"
        )


def write_picture(
    subgraph: Subgraph, path: Path, title: str = "", ranks: Mapping[str, int] | None = None
) -> Picture:
    """Write a subgraph's picture: a page (.html) or a drawing (.svg, .png).

    :param ranks: the passages that were found, by id; they are marked and numbered.
    :raises UsageError: the name ends otherwise, the file can't be written, or a drawing is
        wanted and Matplotlib is not installed.
    """
    check_name(path)
    picture = picture_of(subgraph, title, ranks)
    if path.suffix == _PAGE:
        write_page(picture, path)
    else:
        draw(picture, path)
    return picture
