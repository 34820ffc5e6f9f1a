"""hlg: a Hierarchical Lexical Graph of your documents, and retrievers that walk it."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

_PARENT = Path(__file__).parent.parent
if (_PARENT / "pyproject.toml").is_file():
    # A checkout: cypher, ingest and retrieval lie beside this folder, browser in docker. Python
    # that is started there imports this hlg whatever is installed, and would find half a package.
    __path__ += [str(_PARENT), str(_PARENT / "docker")]

__version__ = "0.1.0"
__all__ = ["LexicalGraph", "__version__"]


def __getattr__(name: str) -> Any:
    if name == "LexicalGraph":
        from hlg.graph import LexicalGraph

        return LexicalGraph
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
