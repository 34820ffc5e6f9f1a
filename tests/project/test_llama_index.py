"""hlg's retrievers inside LlamaIndex, and LlamaIndex's postprocessors inside hlg."""

from itertools import pairwise

import numpy as np
import pytest
from llama_index.core import QueryBundle, get_response_synthesizer
from llama_index.core.llms import MockLLM
from llama_index.core.postprocessor import KeywordNodePostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.schema import MetadataMode, NodeWithScore, TextNode
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.graph import LexicalGraph
from hlg.integrations.llama_index import (
    GraphRetriever,
    PathRankPostprocessor,
    PostprocessorReranker,
    RerankPostprocessor,
)
from hlg.settings import load_settings
from support.stores import EMBEDDED, StorePlace
from support.worlds import QUESTION, open_world


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> LexicalGraph:
    place = StorePlace(str(tmp_path_factory.mktemp("world") / "world.lbug"))
    return LexicalGraph(open_world(place), load_settings(store=place.address, graph=EMBEDDED))


def test_nodes_carry_spans_path_and_source(graph: LexicalGraph) -> None:
    options = {"seeds": 1, "rerank": "none"}
    retriever = GraphRetriever(graph, "statement-graph", top_k=9, options=options)
    nodes = retriever.retrieve("When was the Petrel built?")
    hits = graph.retrieve(
        "When was the Petrel built?", retriever="statement-graph", top_k=9, options=options
    )
    assert [node.node.node_id for node in nodes] == [hit.passage.id for hit in hits]
    assert [node.score for node in nodes] == [hit.score for hit in hits]
    walked = next(node for node in nodes if len(node.metadata["path"]) > 1)
    assert walked.metadata["path"][1]["via_kind"] == "Entity"
    for node, hit in zip(nodes, hits, strict=True):
        assert node.metadata["uri"] == hit.passage.source.uri
        assert (node.metadata["start"], node.metadata["end"]) == (
            hit.passage.start,
            hit.passage.end,
        )
        seen = node.node.get_content(MetadataMode.LLM)
        assert hit.passage.text in seen
        assert hit.passage.source.title in seen
        assert "signals" not in seen


def test_a_query_engine_answers_from_the_graph(graph: LexicalGraph) -> None:
    engine = RetrieverQueryEngine(
        GraphRetriever(graph, "statements", top_k=4),
        get_response_synthesizer(llm=MockLLM(), response_mode=ResponseMode.COMPACT),
        node_postprocessors=[RerankPostprocessor(Shortest(), top_n=2)],
    )
    response = engine.query(QUESTION)
    assert len(response.source_nodes) == 2
    assert all(node.node.get_content() in str(response) for node in response.source_nodes)


class Shortest:
    """A reranker for which short is good."""

    name = "shortest"

    def scores(self, query: str, texts: list[str]) -> NDArray[np.float32]:
        return -np.array([len(text) for text in texts], np.float32)


def test_the_postprocessor_orders_and_cuts(graph: LexicalGraph) -> None:
    nodes = GraphRetriever(graph, "chunks").retrieve(QUESTION)
    postprocessor = RerankPostprocessor(Shortest(), top_n=3)
    ordered = postprocessor.postprocess_nodes(nodes, QueryBundle(QUESTION))
    lengths = [len(node.node.get_content()) for node in ordered]
    assert lengths == sorted(len(node.node.get_content()) for node in nodes)[:3]
    with pytest.raises(UsageError, match="query_str"):
        postprocessor.postprocess_nodes(nodes)


def test_the_path_ranker_is_a_postprocessor(graph: LexicalGraph) -> None:
    unranked = {"rerank": "none"}
    nodes = GraphRetriever(graph, "statements", top_k=8, options=unranked).retrieve(QUESTION)
    foreign = NodeWithScore(node=TextNode(id_="elsewhere", text="of another index"), score=9.0)
    engine = RetrieverQueryEngine(
        GraphRetriever(graph, "statements", top_k=8, options=unranked),
        get_response_synthesizer(llm=MockLLM(), response_mode=ResponseMode.COMPACT),
        node_postprocessors=[PathRankPostprocessor(graph, top_n=20)],
    )
    given = {node.node.node_id for node in nodes}
    ranked = graph.retrieve(QUESTION, retriever="statements", top_k=100)
    found = [node.node.node_id for node in engine.query(QUESTION).source_nodes]
    scores = {hit.passage.id: hit.score for hit in ranked}
    assert set(found) == given
    assert found != [node.node.node_id for node in nodes]
    # Of eight only, the ranker sees less beside them: what is all but alike may change places.
    assert all(scores[one] > scores[next_] - 0.1 for one, next_ in pairwise(found))
    lost = NodeWithScore(node=TextNode(id_="f" * 32, metadata={"kind": "Statement"}), score=9.0)
    ordered = PathRankPostprocessor(graph, top_n=20).postprocess_nodes(
        [foreign, lost, *nodes], query_str=QUESTION
    )
    assert [node.node.node_id for node in ordered[-2:]] == [lost.node.node_id, "elsewhere"]
    assert graph.rank(QUESTION, [], kind="Chunk") == []


def test_a_postprocessor_of_llama_index_is_a_reranker(graph: LexicalGraph) -> None:
    wanted = PostprocessorReranker(KeywordNodePostprocessor(required_keywords=["bees"]))
    hits = graph.retrieve(QUESTION, retriever="statements", top_k=3, options={"rerank": wanted})
    assert "bees" in hits[0].passage.text
    assert [hit.score for hit in hits[1:]] == [0, 0]
