"""What a search found for a question, as the statements that an answer can be made of."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hlg.asking.parts import with_parts
from hlg.asking.search import SearchOptions, search
from hlg.reports import SearchResult
from hlg.retrieval.answers.evidence import EvidenceStatement, evidence_statements
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits, ids_of

if TYPE_CHECKING:
    from hlg.opened import OpenGraph


@dataclass(frozen=True, slots=True)
class FoundEvidence:
    """A search's result, and the statements that its hits lead to.

    ``cosines`` are of each statement and the question, shape (statements,).
    """

    result: SearchResult
    subgraph: Subgraph
    statements: tuple[EvidenceStatement, ...]
    cosines: NDArray[np.float32]


def find_evidence(
    graph: "OpenGraph", question: str, how: SearchOptions | None = None
) -> FoundEvidence:
    """Search for a question and read what the hits rest on.

    :raises HlgError: as :meth:`hlg.LexicalGraph.search`.
    """
    return evidence_of(graph, search(graph, question, how or SearchOptions()))


def evidence_of(
    graph: "OpenGraph", result: SearchResult, limits: SubgraphLimits = LIMITS
) -> FoundEvidence:
    """Read what the hits of a search rest on, as far as it is sure enough to be shown.

    :raises StoreError: the store fails.
    """
    vector = graph.graph_embedder.embed([result.query])[0]
    limits = replace(limits, min_confidence=graph.settings.min_confidence)
    subgraph, near = graph.store.weighed_evidence(ids_of(result.hits), vector, limits)
    read = evidence_statements(result.query, result.hits, subgraph)
    statements = tuple(with_parts(read, subgraph))
    cosines = np.array([near.get(each.passage.id, 0.0) for each in statements], np.float32)
    return FoundEvidence(result, subgraph, statements, cosines)
