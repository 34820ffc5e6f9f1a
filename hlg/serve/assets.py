"""What pages load: scripts, styles and images, which a browser keeps until they change."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

ASSETS = "/static"
_KEEP = {"cache-control": "public, max-age=31536000, immutable"}
_DRAWING = ("cytoscape.min.js", "draw.js")
"""Scripts that ``hlg view`` puts into its pages."""


class _Assets(StaticFiles):
    def file_response(self, *args: Any, **options: Any) -> Response:
        response = super().file_response(*args, **options)
        response.headers.update(_KEEP)
        return response


@cache
def address() -> str:
    """Where they are: it changes with any of them, so that none has to be asked for twice."""
    digest = sha256()
    for each in sorted(files("hlg.serve").joinpath("static").iterdir(), key=lambda x: x.name):
        digest.update(each.read_bytes())
    for name in _DRAWING:
        digest.update(_drawing(name).read_bytes())
    return f"{ASSETS}/{digest.hexdigest()[:16]}"


def routes() -> list[BaseRoute]:
    """What answers with them."""
    kept = _Assets(packages=[("hlg.serve", "static")], follow_symlink=True)
    return [
        *(Route(f"{address()}/{name}", _drawing_answer) for name in _DRAWING),
        Mount(address(), kept),
    ]


def _drawing(name: str) -> Traversable:
    return files("hlg.pictures") / name


async def _drawing_answer(request: Request) -> Response:
    return FileResponse(str(_drawing(request.url.path.rpartition("/")[2])), headers=_KEEP)
