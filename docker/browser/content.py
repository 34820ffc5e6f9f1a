"""Style, guide and favourites, each for a graph: named ones have labels of their own.

The favourites are the guide's queries. ``python -m hlg.browser.content`` writes them into
``favourites.zip``, for the Browser's "Import favourites"; a test holds both equal.
"""

import io
import re
import zipfile
from importlib.resources import as_file, files

from hlg.cypher import in_graph
from hlg.schema import NODES

FAVOURITES = "favourites.zip"
_BLOCK = re.compile(r"(?<=```cypher\n).*?(?=```)", re.DOTALL)
_STYLED = re.compile(r"(?<=^node\.)(" + "|".join(NODES) + r")\b", re.MULTILINE)
_NOT_IN_NAMES = re.compile(r"[^\w]+")
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def style(graph: str = "") -> str:
    """The style sheet (GraSS): a colour a tier, and captions."""
    return _STYLED.sub(rf"\1_{graph}", _read("style.grass")) if graph else _read("style.grass")


def guide(graph: str = "") -> str:
    """The guide in Markdown; its blocks of Cypher can be run in the Browser."""
    return _BLOCK.sub(lambda block: in_graph(block[0], graph), _read("guide.md"))


def queries(graph: str = "") -> dict[str, str]:
    """The guide's queries by name; each starts with its name as a comment."""
    blocks = _BLOCK.findall(guide(graph))
    return {block.partition("\n")[0].removeprefix("// "): block for block in blocks}


def favourites(graph: str = "") -> bytes:
    """A zip of the guide's queries, one file each; equal queries give equal bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for number, (name, text) in enumerate(queries(graph).items(), 1):
            plain = _NOT_IN_NAMES.sub("_", name.lower()).strip("_")
            file = zipfile.ZipInfo(f"{number:02}_{plain}.cypher", _FIRST_DAY)
            archive.writestr(file, text)
    return packed.getvalue()


def _read(name: str) -> str:
    return (files(__package__) / name).read_text("utf-8")


if __name__ == "__main__":
    with as_file(files("hlg.browser") / FAVOURITES) as path:
        path.write_bytes(favourites())
