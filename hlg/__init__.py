"""hlg: a Hierarchical Lexical Graph of your documents, and retrievers that walk it."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hlg.index import LexicalGraph

__version__ = "0.1.0"
__all__ = ["LexicalGraph", "__version__"]


def __getattr__(name: str) -> Any:
    if name == "LexicalGraph":
        from hlg.index import LexicalGraph

        return LexicalGraph
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
