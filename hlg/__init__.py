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
    from hlg.retrieval.retrievers.auto import AutoOptions
    from hlg.retrieval.retrievers.drift import DriftOptions
    from hlg.retrieval.retrievers.entity_links import EntityLinkOptions
    from hlg.retrieval.retrievers.global_ import GlobalOptions
    from hlg.retrieval.retrievers.hybrid import HybridOptions, TriModalOptions
    from hlg.retrieval.retrievers.local import LocalOptions
    from hlg.retrieval.retrievers.page_rank import PageRankOptions
    from hlg.retrieval.retrievers.plain import (
        Bm25Options,
        ChunkOptions,
        KeywordOptions,
        RerankedChunkOptions,
        StatementSearchOptions,
        TopicOptions,
    )
    from hlg.retrieval.retrievers.statement_graph import BeamOptions
    from hlg.retrieval.retrievers.topic_graph import TopicGraphOptions
    from hlg.settings import Settings

_PARENT = Path(__file__).parent.parent
if (_PARENT / "pyproject.toml").is_file():
    # A checkout: cypher, ingest and retrieval lie beside this folder, browser in docker. Python
    # that is started there imports this hlg whatever is installed, and would find half a package.
    __path__ += [str(_PARENT), str(_PARENT / "docker")]

__version__ = "0.1.0"
__all__ = [
    "AutoOptions",
    "BeamOptions",
    "Bm25Options",
    "BuildReport",
    "ChunkOptions",
    "CommunityReport",
    "CommunityStatus",
    "DriftOptions",
    "EntityLinkOptions",
    "Failure",
    "GlobalOptions",
    "Hit",
    "HlgError",
    "HybridOptions",
    "ImportReport",
    "InputError",
    "KeywordOptions",
    "LexicalGraph",
    "LocalOptions",
    "ModelError",
    "PageRankOptions",
    "Passage",
    "PathStep",
    "Progress",
    "RerankedChunkOptions",
    "SearchResult",
    "Settings",
    "StatementSearchOptions",
    "Status",
    "StoreDenied",
    "StoreError",
    "StoreLocked",
    "StoreMismatch",
    "StoreUnreachable",
    "TopicGraphOptions",
    "TopicOptions",
    "TriModalOptions",
    "UsageError",
    "__version__",
]

_HOMES = ("errors", "records", "reports", "settings", "graph")
"""The modules that hold what this package exports, lightest first, but for the options of
retrievers; each is imported when something of it is first asked for."""


def __getattr__(name: str) -> Any:
    if name in __all__:
        for home in _HOMES:
            module = import_module(f"hlg.{home}")
            if name in vars(module):
                return vars(module)[name]
        registry = import_module("hlg.retrieval.registry").RETRIEVERS
        return next(row for row in registry.values() if row.options == name).options_type()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
