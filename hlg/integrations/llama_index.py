"""LlamaIndex: any of hlg's retrievers as one of its own, and rerankers either way.

::

    from hlg import LexicalGraph
    from hlg.integrations.llama_index import GraphRetriever
    from llama_index.core.query_engine import RetrieverQueryEngine

    with LexicalGraph.open("notes.lbug") as graph:
        retriever = GraphRetriever(graph, "statement-graph", top_k=8)
        engine = RetrieverQueryEngine.from_args(retriever, llm=llm)
        print(engine.query("Who founded the yard that built the Petrel?"))
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
from llama_index.core.bridge.pydantic import PrivateAttr
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import MetadataMode, NodeWithScore, QueryBundle, TextNode
from numpy.typing import NDArray

from hlg.arguments import takes_several
from hlg.documents import document_of
from hlg.errors import UsageError
from hlg.models.base import Reranker
from hlg.records import Hit

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

_KINDS: tuple[Literal["Chunk"], Literal["Statement"]] = ("Chunk", "Statement")
_SHOWN = ("title", "uri")
"""Metadata that a language model gets to see with a text; the rest is for programs."""


class GraphRetriever(BaseRetriever):
    """One of hlg's retrievers over a graph.

    Each node's id is the passage's; its metadata has ``source_id``, ``uri``, ``title``,
    ``start``, ``end``, ``kind``, ``chunk_id``, ``signals`` and ``path``.

    :param graph: an open :class:`hlg.LexicalGraph`.
    :param retriever: one of hlg's retrievers; the graph's settings decide by default.
    :param options: that retriever's own options.
    """

    def __init__(
        self,
        graph: "LexicalGraph",
        retriever: str | None = None,
        *,
        top_k: int | None = None,
        options: Mapping[str, object] | None = None,
    ) -> None:
        self._graph = graph
        self._name = retriever
        self._top_k = top_k
        self._options = options
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        hits = self._graph.retrieve(
            query_bundle.query_str,
            retriever=self._name,
            top_k=self._top_k,
            options=self._options,
        )
        return [node_of(hit) for hit in hits]


def node_of(hit: Hit) -> NodeWithScore:
    """A hit as LlamaIndex has it."""
    passage, told = hit.passage, document_of(hit)
    source = told["source"]
    metadata = {"title": source["title"], "uri": source["uri"], "source_id": source["id"]} | {
        key: told[key] for key in ("start", "end", "kind", "chunk_id", "details", "signals", "path")
    }
    node = TextNode(
        id_=passage.id,
        text=passage.text,
        metadata=metadata,
        excluded_llm_metadata_keys=[key for key in metadata if key not in _SHOWN],
        excluded_embed_metadata_keys=list(metadata),
    )
    return NodeWithScore(node=node, score=hit.score)


class RerankPostprocessor(BaseNodePostprocessor):
    """A node postprocessor that orders nodes by one of hlg's rerankers.

    :param reranker: as :func:`hlg.models.rerankers.open_reranker` takes it.
    """

    top_n: int = 10
    _reranker: Reranker = PrivateAttr()

    def __init__(self, reranker: str | Reranker, *, top_n: int = 10) -> None:
        from hlg.models.rerankers import open_reranker

        super().__init__()
        self.top_n = top_n
        self._reranker = open_reranker(reranker)

    @classmethod
    def class_name(cls) -> str:
        return "RerankPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        texts = [node.node.get_content(MetadataMode.NONE) for node in nodes]
        scores = self._reranker.scores(_question(query_bundle), texts)
        order = np.argsort(-scores, kind="stable")[: self.top_n].tolist()
        return [NodeWithScore(node=nodes[i].node, score=float(scores[i])) for i in order]


class PathRankPostprocessor(BaseNodePostprocessor):
    """A node postprocessor that orders a graph's nodes by its learned path ranker.

    Chunks are ranked among chunks and statements among statements, chunks first; nodes that
    are not from the graph come last.

    :param graph: an open :class:`hlg.LexicalGraph`.
    """

    top_n: int = 10
    _graph: "LexicalGraph" = PrivateAttr()

    def __init__(self, graph: "LexicalGraph", *, top_n: int = 10) -> None:
        super().__init__()
        self.top_n = top_n
        self._graph = graph

    @classmethod
    def class_name(cls) -> str:
        return "PathRankPostprocessor"

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        question = _question(query_bundle)
        by_id = {node.node.node_id: node for node in nodes}
        ranked: list[NodeWithScore] = []
        for kind in _KINDS:
            ids = [id_ for id_, node in by_id.items() if node.node.metadata.get("kind") == kind]
            if ids:
                ranked += [
                    NodeWithScore(node=by_id[each.id].node, score=each.score)
                    for each in self._graph.rank(question, ids, kind=kind)
                ]
        others = [node for node in nodes if node.node.metadata.get("kind") not in _KINDS]
        return (ranked + others)[: self.top_n]


@takes_several
class PostprocessorReranker:
    """Any LlamaIndex node postprocessor as a reranker of hlg: give it as the option
    ``rerank``. What it leaves out comes last."""

    def __init__(self, postprocessor: BaseNodePostprocessor) -> None:
        self.name = postprocessor.class_name()
        self._postprocessor = postprocessor

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """How many texts each one is put before, shape (len(texts),)."""
        nodes = [
            NodeWithScore(node=TextNode(id_=str(i), text=text), score=0.0)
            for i, text in enumerate(texts)
        ]
        ordered = self._postprocessor.postprocess_nodes(nodes, query_str=query)
        scores = np.zeros(len(texts), np.float32)
        for place, node in enumerate(ordered):
            scores[int(node.node.node_id)] = len(texts) - place
        return scores


def _question(query_bundle: QueryBundle | None) -> str:
    if query_bundle is None:
        raise UsageError(
            "nodes can't be reranked without the question: give query_str", option="query_str"
        )
    return str(query_bundle.query_str)
