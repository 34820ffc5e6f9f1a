"""A picture as one HTML file that needs no network: the graph, its library, and its text.

Text of documents is only ever data in it: JSON in which no character can end a script,
which the page shows as text and never as HTML; a policy in its head refuses any script
but the two that are in it, and anything from elsewhere.
"""

import base64
import html
import json
import re
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from hlg.pictures.picture import FAINT, FONT_PIXELS, LOOKS, Box, Picture, caption, what_is_shown
from hlg.unicode import counted
from hlg.whole_file import write_whole_text

_MARKER = re.compile(r"%%(\w+)%%")
_ENDS_A_SCRIPT = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def write_page(picture: Picture, path: Path) -> None:
    """Write a picture's page into a file.

    :raises UsageError: the file can't be written.
    """
    write_whole_text(path, page_of(picture))


def page_of(picture: Picture) -> str:
    """The page of a picture."""
    library, script = _asset("cytoscape.min.js"), _asset("draw.js") + _asset("page.js")
    title = picture.title.encode("utf-8", "replace").decode()
    parts = {
        "policy": f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"script-src {_hash(library)} {_hash(script)}",
        "title": html.escape(title),
        "style": _asset("page.css"),
        "shown": html.escape(what_is_shown(picture)),
        "graph": json.dumps(picture_document(picture)).translate(_ENDS_A_SCRIPT),
        "library": library,
        "script": script,
    }
    # One pass: what is put in is never looked at again.
    return _MARKER.sub(lambda marker: parts[marker[1]], _asset("page.html"))


def picture_document(picture: Picture) -> dict[str, Any]:
    """What ``draw.js`` draws."""
    used = {box.node.label for box in picture.boxes}
    return {
        "title": picture.title,
        "shown": what_is_shown(picture),
        "fontPixels": FONT_PIXELS,
        "faint": FAINT,
        "looks": {
            label: {"colour": look.colour, "ink": look.ink, "plural": counted(label, 2)[2:]}
            for label, look in LOOKS.items()
            if label in used
        },
        "nodes": [_node(box, picture.ranks.get(box.node.id)) for box in picture.boxes],
        "edges": [
            {
                "type": edge.type,
                "from": edge.source,
                "to": edge.target,
                "properties": dict(edge.properties),
            }
            for edge in picture.edges
        ],
    }


def _node(box: Box, rank: int | None) -> dict[str, Any]:
    return {
        "id": box.node.id,
        "label": box.node.label,
        "name": caption(box.node),
        "caption": "\n".join(box.lines),
        "rank": rank,
        "properties": dict(box.node.properties),
        "x": round(box.x, 1),
        "y": round(box.y, 1),
        "width": round(box.width, 1),
        "height": round(box.height, 1),
    }


def _hash(script: str) -> str:
    """A script as a content security policy names it."""
    return f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    return (files("hlg.pictures") / name).read_text("utf-8")
