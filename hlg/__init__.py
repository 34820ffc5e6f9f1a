"""hlg: a Hierarchical Lexical Graph of your documents, and retrievers that walk it."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hlg.errors import (
        HlgError,
        InputError,
        ModelError,
        StoreDenied,
        StoreError,
        StoreLocked,
        StoreMismatch,
        StoreUnreachable,
        UsageError,
    )
    from hlg.graph import LexicalGraph
    from hlg.records import Hit, Passage, PathStep
    from hlg.reports import (
        BuildReport,
        CommunityReport,
        CommunityStatus,
        Failure,
        ImportReport,
        Progress,
        SearchResult,
        Status,
    )
    from hlg.settings import Settings

_PARENT = Path(__file__).parent.parent
if (_PARENT / "pyproject.toml").is_file():
    # A checkout: cypher, ingest and retrieval lie beside this folder, browser in docker. Python
    # that is started there imports this hlg whatever is installed, and would find half a package.
    __path__ += [str(_PARENT), str(_PARENT / "docker")]

__version__ = "0.1.0"
__all__ = [
    "BuildReport",
    "CommunityReport",
    "CommunityStatus",
    "Failure",
    "Hit",
    "HlgError",
    "ImportReport",
    "InputError",
    "LexicalGraph",
    "ModelError",
    "Passage",
    "PathStep",
    "Progress",
    "SearchResult",
    "Settings",
    "Status",
    "StoreDenied",
    "StoreError",
    "StoreLocked",
    "StoreMismatch",
    "StoreUnreachable",
    "UsageError",
    "__version__",
]

_HOMES = ("errors", "records", "reports", "settings", "graph")
"""The modules that hold what this package exports, lightest first; each is imported when
something of it is first asked for."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        for home in _HOMES:
            module = import_module(f"hlg.{home}")
            if name in vars(module):
                return vars(module)[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
