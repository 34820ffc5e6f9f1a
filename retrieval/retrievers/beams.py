"""StatementGraphRAG and TopicGraphRAG (HLG §4.1-4.2): where to start, and a beam from there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.models.base import Reranker
from hlg.retrieval.base import STATEMENT, Candidate, Query, SearchSession
from hlg.retrieval.options import NOT_A_MODEL, Count, Depth, StatementOptions
from hlg.retrieval.pipeline import text_with_details
from hlg.retrieval.view.beam import BeamLimits
from hlg.retrieval.view.view import Guide, open_view


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamOptions(StatementOptions):
    """What retrievers with a beam search take.

    :param seeds: how many statements it starts from, of each kind of seed.
    :param width: how many paths stay at a depth.
    :param depth: how many steps it goes.
    :param max_degree: an entity in more statements is not walked through.
    :param max_neighbours: how many neighbours of a path are looked at.
    """

    rerank: str | Reranker = "path"
    seeds: Count = 100
    width: Count = 50
    depth: Depth = 3
    max_degree: Count = 200
    max_neighbours: Count = 100

    def limits(self) -> BeamLimits:
        """The options as the beam search takes them."""
        return BeamLimits(self.width, self.depth, self.max_degree, self.max_neighbours)


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicGraphOptions(BeamOptions):
    """TopicGraphRAG.

    :param topics: how many topics are discovered.
    """

    topics: Count = 50


def statement_graph(
    session: SearchSession, query: Query, options: BeamOptions, top_k: int
) -> list[Candidate]:
    """Statements that name the question's keywords and its nearest, and what a beam search
    finds from them (SGRAG, Algorithm 1); by path score."""
    view = open_view(session, query)
    return view.beam(view.seeds(options.seeds), options.limits())


def topic_graph(
    session: SearchSession, query: Query, options: TopicGraphOptions, top_k: int
) -> list[Candidate]:
    """Statements of the nearest topics, top-down, and of the question's entities, bottom-up,
    and what a beam finds from them, guided by the reranking model where there is one (TGRAG)."""
    view = open_view(session, query)
    seeds = view.topic_seeds(options.topics, options.seeds)
    return view.beam(seeds, options.limits(), _guide(session, query, options))


def _guide(session: SearchSession, query: Query, options: BeamOptions) -> Guide | None:
    if isinstance(options.rerank, str) and options.rerank in NOT_A_MODEL:
        return None
    from hlg.models.rerankers import open_reranker

    reranker: Reranker = open_reranker(options.rerank)

    def scores(ids: Sequence[str], said: Mapping[str, str]) -> NDArray[np.floating]:
        texts = [said[id_] for id_ in ids if id_ in said]
        if len(texts) < len(ids):
            texts = [text_with_details(each) for each in session.store.passages(STATEMENT, ids)]
        with session.trace.stage("rerank"):
            return reranker.scores(query.text, texts)

    return scores
