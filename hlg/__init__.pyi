"""What ``import hlg`` offers, and where it is; the one list of it, which ``__init__`` reads."""
# ruff: noqa: I001

from hlg.agent.ask import Agent as Agent, AgentOptions as AgentOptions
from hlg.answers import Answer as Answer, AnswerSentence as AnswerSentence, Citation as Citation
from hlg.asking.chat import Chat as Chat, Turn as Turn
from hlg.asking.search import SearchOptions as SearchOptions
from hlg.entities.resolution import Entities as Entities, EntityView as EntityView
from hlg.errors import (
    AnswerAwaited as AnswerAwaited,
    BudgetReached as BudgetReached,
    HlgError as HlgError,
    InputError as InputError,
    ModelError as ModelError,
    StoreDenied as StoreDenied,
    StoreError as StoreError,
    StoreLocked as StoreLocked,
    StoreMismatch as StoreMismatch,
    StoreMissing as StoreMissing,
    StoreUnreachable as StoreUnreachable,
    UnusableAnswer as UnusableAnswer,
    UsageError as UsageError,
)
from hlg.graph import LexicalGraph as LexicalGraph
from hlg.ingest.base import Chunker as Chunker, Extraction as Extraction, Extractor as Extractor
from hlg.models.base import Embedder as Embedder, Reranker as Reranker
from hlg.models.language.answers import Usage as Usage
from hlg.models.language.door import ModelDoor as ModelDoor
from hlg.records import (
    Chunk as Chunk,
    Community as Community,
    Document as Document,
    Entity as Entity,
    Hit as Hit,
    Passage as Passage,
    PathStep as PathStep,
    SameAs as SameAs,
    Scored as Scored,
    Source as Source,
    SourceRef as SourceRef,
)
from hlg.reports import (
    BatchReport as BatchReport,
    BuildReport as BuildReport,
    CommunityReport as CommunityReport,
    CommunityStatus as CommunityStatus,
    Estimate as Estimate,
    Failure as Failure,
    ImportReport as ImportReport,
    Progress as Progress,
    SearchResult as SearchResult,
    StageEstimate as StageEstimate,
    Status as Status,
)
from hlg.retrieval.base import (
    Retriever as Retriever,
    SearchSession as SearchSession,
    Trace as Trace,
)
from hlg.retrieval.context.conversation import (
    ContextText as ContextText,
    Conversation as Conversation,
)
from hlg.retrieval.context.paths import PathLimits as PathLimits
from hlg.retrieval.options import Options as Options
from hlg.retrieval.retrievers.auto import AutoOptions as AutoOptions
from hlg.retrieval.retrievers.drift import DriftOptions as DriftOptions
from hlg.retrieval.retrievers.entity_links import EntityLinkOptions as EntityLinkOptions
from hlg.retrieval.retrievers.global_ import GlobalOptions as GlobalOptions
from hlg.retrieval.retrievers.hybrid import (
    HybridOptions as HybridOptions,
    TriModalOptions as TriModalOptions,
)
from hlg.retrieval.retrievers.local import LocalOptions as LocalOptions
from hlg.retrieval.retrievers.page_rank import PageRankOptions as PageRankOptions
from hlg.retrieval.retrievers.plain import (
    Bm25Options as Bm25Options,
    ChunkOptions as ChunkOptions,
    KeywordOptions as KeywordOptions,
    RerankedChunkOptions as RerankedChunkOptions,
    StatementSearchOptions as StatementSearchOptions,
    TopicOptions as TopicOptions,
)
from hlg.retrieval.retrievers.statement_graph import BeamOptions as BeamOptions
from hlg.retrieval.retrievers.topic_graph import TopicGraphOptions as TopicGraphOptions
from hlg.settings import Domain as Domain, Settings as Settings
from hlg.store.base import GraphStore as GraphStore
from hlg.subgraph import (
    GraphEdge as GraphEdge,
    GraphNode as GraphNode,
    Subgraph as Subgraph,
    SubgraphLimits as SubgraphLimits,
)

__all__: list[str]
__version__: str
