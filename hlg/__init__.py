"""hlg: a Hierarchical Lexical Graph of your documents, and retrievers that walk it."""

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hlg.agent.ask import Agent, AgentOptions
    from hlg.answers import Answer, AnswerSentence, Citation
    from hlg.asking.chat import Chat, Turn
    from hlg.asking.search import SearchOptions
    from hlg.entities.resolution import Entities, EntityView
    from hlg.errors import (
        AnswerAwaited,
        BudgetReached,
        HlgError,
        InputError,
        ModelError,
        StoreDenied,
        StoreError,
        StoreLocked,
        StoreMismatch,
        StoreMissing,
        StoreUnreachable,
        UnusableAnswer,
        UsageError,
    )
    from hlg.graph import LexicalGraph
    from hlg.ingest.base import Chunker, Extraction, Extractor
    from hlg.models.base import Embedder, Reranker
    from hlg.models.language.answers import Usage
    from hlg.models.language.door import ModelDoor
    from hlg.records import (
        Chunk,
        Community,
        Document,
        Entity,
        Hit,
        Passage,
        PathStep,
        SameAs,
        Scored,
        Source,
        SourceRef,
    )
    from hlg.reports import (
        BatchReport,
        BuildReport,
        CommunityReport,
        CommunityStatus,
        Estimate,
        Failure,
        ImportReport,
        Progress,
        SearchResult,
        StageEstimate,
        Status,
    )
    from hlg.retrieval.base import Retriever, SearchSession, Trace
    from hlg.retrieval.context.conversation import ContextText, Conversation
    from hlg.retrieval.context.paths import PathLimits
    from hlg.retrieval.options import Options
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
    from hlg.settings import Domain, Settings
    from hlg.store.base import GraphStore
    from hlg.subgraph import GraphEdge, GraphNode, Subgraph, SubgraphLimits

_PARENT = Path(__file__).parent.parent
if (_PARENT / "pyproject.toml").is_file():
    # A checkout: cypher, ingest and retrieval lie beside this folder, browser in docker. Python
    # that is started there imports this hlg whatever is installed, and would find half a package.
    __path__ += [str(_PARENT), str(_PARENT / "docker")]

__version__ = "0.1.0"
__all__ = [
    "Agent",
    "AgentOptions",
    "Answer",
    "AnswerAwaited",
    "AnswerSentence",
    "AutoOptions",
    "BatchReport",
    "BeamOptions",
    "Bm25Options",
    "BudgetReached",
    "BuildReport",
    "Chat",
    "Chunk",
    "ChunkOptions",
    "Chunker",
    "Citation",
    "Community",
    "CommunityReport",
    "CommunityStatus",
    "ContextText",
    "Conversation",
    "Document",
    "Domain",
    "DriftOptions",
    "Embedder",
    "Entities",
    "Entity",
    "EntityLinkOptions",
    "EntityView",
    "Estimate",
    "Extraction",
    "Extractor",
    "Failure",
    "GlobalOptions",
    "GraphEdge",
    "GraphNode",
    "GraphStore",
    "Hit",
    "HlgError",
    "HybridOptions",
    "ImportReport",
    "InputError",
    "KeywordOptions",
    "LexicalGraph",
    "LocalOptions",
    "ModelDoor",
    "ModelError",
    "Options",
    "PageRankOptions",
    "Passage",
    "PathLimits",
    "PathStep",
    "Progress",
    "RerankedChunkOptions",
    "Reranker",
    "Retriever",
    "SameAs",
    "Scored",
    "SearchOptions",
    "SearchResult",
    "SearchSession",
    "Settings",
    "Source",
    "SourceRef",
    "StageEstimate",
    "StatementSearchOptions",
    "Status",
    "StoreDenied",
    "StoreError",
    "StoreLocked",
    "StoreMismatch",
    "StoreMissing",
    "StoreUnreachable",
    "Subgraph",
    "SubgraphLimits",
    "TopicGraphOptions",
    "TopicOptions",
    "Trace",
    "TriModalOptions",
    "Turn",
    "UnusableAnswer",
    "Usage",
    "UsageError",
    "__version__",
]

_HOMES = (
    "errors",
    "reports",
    "records",
    "answers",
    "subgraph",
    "models.base",
    "models.language.answers",
    "settings",
    "store.base",
    "graph",
    "ingest.base",
    "retrieval.base",
    "retrieval.options",
    "retrieval.context.conversation",
    "retrieval.context.paths",
    "entities.resolution",
    "asking.search",
    "asking.chat",
    "agent.ask",
    "models.language.door",
)
"""The modules that hold what this package exports, lightest first, but for the options of
retrievers; each is imported when something of it is first asked for."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for row in import_module("hlg.retrieval.registry").RETRIEVERS.values():
        if row.options == name:
            return row.options_type()
    modules = (import_module(f"hlg.{home}") for home in _HOMES)
    return next(vars(module)[name] for module in modules if name in vars(module))


def __dir__() -> list[str]:
    return sorted(__all__)
