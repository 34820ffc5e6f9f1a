"""TopicGraphRAG (HLG §4.2): from topics down, from entities up, and a beam search from both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.models.rerankers import open_reranker
from hlg.retrieval.base import STATEMENT, Candidate
from hlg.retrieval.finish.steps import steps_of
from hlg.retrieval.options import Count
from hlg.retrieval.retrievers.statement_graph import BeamOptions
from hlg.retrieval.texts import text_with_details
from hlg.retrieval.view.base import GraphView, Guide


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicGraphOptions(BeamOptions):
    """TopicGraphRAG.

    :param topics: how many topics are discovered.
    """

    topics: Count = 50


def topic_graph(view: GraphView, options: TopicGraphOptions, top_k: int) -> list[Candidate]:
    """Statements of the nearest topics, top-down, and of the question's entities, bottom-up,
    and what a beam finds from them, guided by the reranking model where there is one (TGRAG)."""
    seeds = view.topic_seeds(options.topics, options.seeds)
    return view.beam(seeds, options.limits(), _guide(view, options))


def _guide(view: GraphView, options: TopicGraphOptions) -> Guide | None:
    model = steps_of(options).model
    session = view.session
    if model is None:
        session.trace.notes.append(
            "the walk has no model to guide it: paths count by similarity; --rerank MODEL guides it"
        )
        return None
    reranker = open_reranker(model)

    def scores(ids: Sequence[str], said: Mapping[str, str]) -> NDArray[np.floating]:
        texts = [said[id_] for id_ in ids if id_ in said]
        if len(texts) < len(ids):
            texts = [text_with_details(each) for each in session.store.passages(STATEMENT, ids)]
        with session.trace.stage("rerank"):
            return reranker.scores(view.query.text, texts)

    return scores
