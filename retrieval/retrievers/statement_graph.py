"""StatementGraphRAG (HLG §4.1): statements to start from, and a beam search from there."""

from dataclasses import dataclass
from typing import Literal

from hlg.models.base import Reranker
from hlg.retrieval.base import Candidate
from hlg.retrieval.options import Count, Depth, StatementOptions
from hlg.retrieval.view.base import GraphView
from hlg.retrieval.view.beam import BeamLimits


@dataclass(frozen=True, slots=True, kw_only=True)
class BeamOptions(StatementOptions):
    """What retrievers with a beam search take.

    :param seeds: how many statements it starts from, of each kind of seed.
    :param width: how many paths stay at a depth.
    :param depth: how many steps it goes.
    :param max_degree: an entity in more statements is not walked through.
    :param max_neighbours: how many neighbours of a path are looked at.
    :param beam: ``joint``: the best paths of all seeds stay; ``union``: the best of each seed,
        which has a beam of its own (eq. 8). No more store calls, but up to as many times the
        paths as there are seeds: the search notes how many.
    """

    rerank: str | Reranker = "path"
    seeds: Count = 100
    width: Count = 50
    depth: Depth = 3
    max_degree: Count = 200
    max_neighbours: Count = 100
    beam: Literal["joint", "union"] = "joint"

    def limits(self) -> BeamLimits:
        """The options as the beam search takes them."""
        return BeamLimits(
            self.width, self.depth, self.max_degree, self.max_neighbours, union=self.beam == "union"
        )


def statement_graph(view: GraphView, options: BeamOptions, top_k: int) -> list[Candidate]:
    """Statements that name the question's keywords and its nearest, and what a beam search
    finds from them (SGRAG, Algorithm 1); by path score."""
    return view.beam(view.seeds(options.seeds), options.limits())
