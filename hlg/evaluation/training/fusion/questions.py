"""Questions with what both searches found for each, and how much of it is evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.metrics.assess import Assessor
from hlg.evaluation.metrics.ranking import ranking_metrics
from hlg.evaluation.metrics.thesis import best_coverage
from hlg.evaluation.training.ranker_sets import snapshot_of
from hlg.graph import LexicalGraph
from hlg.records import Passage
from hlg.retrieval.base import CHUNK, Query, SearchSession
from hlg.retrieval.retrievers.hybrid import HybridOptions
from hlg.retrieval.retrievers.modalities import BM25, DENSE, modality, pooled
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.weights.features import features, leading

Target = Literal["lss", "ndcg"]
"""What weights are learned for: scores near to what candidates are worth, as in the thesis, or
the best ranking."""
UNDECIDED = 0.5
"""The weight where every weight is as good."""
TRIED = tuple(round(each / 20, 2) for each in range(21))
"""Weights among which the best ranking is looked for."""
RANK = 10


@dataclass(frozen=True, slots=True, eq=False)
class FusedQuestion:
    """A question with the candidates of both searches, so that any weight can be tried on it.

    Arrays are by candidate: ``dense`` and ``sparse`` scaled scores, ``documents`` the data
    set's id of the document that it is of, ``ids`` its own. ``holds``: whether it has the
    answer's text, None where no answer is known. ``gold`` are documents with their grades.
    """

    set: str
    gold: dict[str, int]
    ids: NDArray[np.str_]
    documents: NDArray[np.str_]
    dense: NDArray[np.float64]
    sparse: NDArray[np.float64]
    holds: NDArray[np.bool_] | None
    features: NDArray[np.float64]
    vector: NDArray[np.float32]
    alpha: float
    """α* (eq. 19)."""
    has_evidence: bool
    """Whether α* was worked out on any candidate that is worth something."""

    def target(self, target: Target) -> float | None:
        """The weight that is to be predicted; None where the question says nothing of it.

        ``lss``: α* (eq. 19). ``ndcg``: the middle of the weights that rank its documents best,
        where weights differ in that at all.
        """
        if target == "lss":
            return self.alpha if self.has_evidence else None
        rankings = [self.ranking(alpha) for alpha in TRIED]
        measure = f"ndcg@{RANK}"
        values = ranking_metrics([self.gold] * len(TRIED), rankings, [RANK])[measure]
        if np.ptp(values) == 0:
            return None
        return float(np.mean(np.array(TRIED)[values == values.max()]))

    def order(self, alpha: float) -> NDArray[np.int64]:
        """The candidates by the fused score (eq. 16), best first, ties by id."""
        fused = alpha * self.dense + (1 - alpha) * self.sparse
        return np.lexsort((self.ids, -fused))

    def ranking(self, alpha: float) -> list[str]:
        """The documents by their best candidate."""
        return list(dict.fromkeys(self.documents[self.order(alpha)].tolist()))


def optimal_alpha(
    worth: NDArray[np.floating], dense: NDArray[np.floating], sparse: NDArray[np.floating]
) -> float:
    """α* (thesis eq. 18-19): the weight within 0 and 1 whose fused scores are nearest to the
    worth of the candidates, by least squares.

    :param worth: LSS of each candidate, shape (n,); ``dense`` and ``sparse`` its scaled scores.
    """
    ahead = dense - sparse
    spread = float(ahead @ ahead)
    if spread < 1e-12:
        return UNDECIDED
    return float(np.clip(ahead @ (worth - sparse) / spread, 0, 1))


def fused_questions(graph: LexicalGraph, dataset: Dataset) -> Iterator[FusedQuestion]:
    """The answerable questions of a data set that a graph holds.

    What a candidate is worth is its LSS to the marked evidence, where the set marks any; else
    to the answers that gold documents hold; else 1 where it is of a gold document.
    """
    snapshot = snapshot_of(graph)
    session = SearchSession(graph.store, graph.graph_embedder, lambda: snapshot)
    assessor = Assessor(dataset, graph.graph_embedder.count_tokens)
    modalities = [modality(DENSE), modality(BM25)]
    known: dict[str, Passage] = {}
    for question in dataset.answerable():
        view = ArrayView(session, snapshot, Query(question.text, session))
        found = [each.search(view, CHUNK, HybridOptions().candidates) for each in modalities]
        pool = pooled(view, modalities, found)
        ids = [candidate.id for candidate in pool.candidates]
        if missing := [id_ for id_ in ids if id_ not in known]:
            known |= {each.id: each for each in graph.store.passages(CHUNK, missing)}
        passages = [known[id_] for id_ in ids]
        documents = [assessor.document_id(each.source.uri) for each in passages]
        dense, sparse = pool.scaled
        head = np.union1d(leading(dense), leading(sparse))
        answers = assessor.extractive_answers(question)
        marked = [assessor.text(span) for span in question.spans]
        wanted = [each for each in marked if each.strip()] or answers
        held = [passages[place].text for place in head.tolist()]
        worth = np.array([best_coverage(wanted, text) for text in held])
        if not wanted:
            worth = np.array([float(documents[i] in question.gold) for i in head.tolist()])
        yield FusedQuestion(
            dataset.name,
            question.graded,
            np.array(ids),
            np.array(documents),
            dense,
            sparse,
            _holding(passages, answers),
            features(question.text, dense, sparse),
            view.query.vector,
            optimal_alpha(worth, dense[head], sparse[head]),
            bool((worth > 0).any()),
        )


def _holding(passages: Sequence[Passage], answers: Sequence[str]) -> NDArray[np.bool_] | None:
    """Whether each passage has an answer's text, case aside; None where none is known."""
    wanted = [answer.casefold() for answer in answers]
    texts = (passage.text.casefold() for passage in passages)
    holds = [any(each in text for each in wanted) for text in texts]
    return np.array(holds, bool) if answers else None
