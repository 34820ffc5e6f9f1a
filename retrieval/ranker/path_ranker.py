"""The learned path ranker: the graph proposes passages, boosted trees rank them.

A passage is judged by what every search makes of it, and by its links to the passages that
the searches put first.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.folders import beside
from hlg.models.trees import Trees
from hlg.models.weights import read_model
from hlg.retrieval.ranker.anchor_links import AnchorLinks
from hlg.retrieval.ranker.scores import Scores
from hlg.retrieval.ranker.standing import Columns
from hlg.retrieval.ranker.vector_weight import weighted_vector
from hlg.retrieval.view.beam import place_in_run

FORMAT = 3
DEFAULT_MODEL = Path(__file__).with_name("ranker_model.txt")
HEAD = 20
"""A passage's score is standardised by those of so many of the best."""
LINK_SIGNALS = "near_"
"""How the names of the signals begin that are made of links."""
STATEMENT_WEIGHT = 2.0
"""What a statement's cosine counts beside the score of its passage."""
REPEAT_DISCOUNT = 1.0
"""What each better statement of the same passage costs one: about the step between the best
passages, so that evidence from two of them comes before the rest of the first."""


@dataclass(frozen=True, slots=True)
class RankedChunk:
    """A passage as the ranker puts it.

    ``anchor`` is the row of the chunk whose link spoke most for it and ``entity`` the row
    of the entity that joins them; -1 where it stands by itself.
    """

    row: int
    score: float
    signals: Mapping[str, float]
    anchor: int = -1
    entity: int = -1
    carried: float = 0.0
    """How much of the score is due to links: what is lost of it without any."""


@dataclass(frozen=True, slots=True)
class RankedStatement:
    """A statement of a ranked passage; ``chunk`` is its place in the ranking."""

    row: int
    score: float
    chunk: int


@dataclass(frozen=True, slots=True)
class PathRanker:
    """The trees of a trained ranker and what they were trained on."""

    trees: Trees
    provenance: Mapping[str, Any]
    prior: Mapping[str, float] = field(default_factory=dict)
    """Signals that count as they are, beside the trees, with their weights."""

    @classmethod
    def load(cls, path: Path = DEFAULT_MODEL) -> "PathRanker":
        """A trained ranker from its file; the one that ships by default.

        :raises ModelError: the file is missing, damaged, or of another version of hlg.
        """
        return _load(path)

    def rank(
        self, rows: NDArray[np.int32], columns: Columns, links: AnchorLinks, top_k: int
    ) -> list[RankedChunk]:
        """The best of some passages for a question, best first, ties by row.

        :param rows: of the passages, ascending.
        :param columns: their signals, as :func:`hlg.retrieval.ranker.signals.all_signals` gives
            them.
        :param links: what those were made from.
        """
        raw = self.raw_scores(columns)
        values = standardized(raw + weighted_vector(columns, raw))
        order = np.lexsort((rows, -values))[:top_k]
        carried = np.zeros(len(rows), np.float32)
        first = order[:HEAD]
        carried[first] = (raw[first] - self._without_links(columns, first)) / spread(raw)
        return [_ranked(rows, values, columns, links, i, carried[i]) for i in order.tolist()]

    def _without_links(self, columns: Columns, places: NDArray[np.integer]) -> NDArray[np.float32]:
        """The raw scores that some passages would have if nothing were linked to them."""
        return self.raw_scores(
            {
                name: np.zeros(len(places), np.float32)
                if name.startswith(LINK_SIGNALS)
                else column[places]
                for name, column in columns.items()
            }
        )

    def scores(self, columns: Columns) -> NDArray[np.float32]:
        """The score of each passage from its signals, standardised, shape (n,): the trees', and
        the vector's where the question's words don't serve."""
        raw = self.raw_scores(columns)
        return standardized(raw + weighted_vector(columns, raw))

    def raw_scores(self, columns: Columns) -> NDArray[np.float32]:
        """The scores as they were trained, which compare within a question only."""
        scores = self.trees.scores(self.trees.select(columns))
        for name, weight in self.prior.items():
            scores = scores + np.float32(weight) * columns[name]
        return scores


def standardized(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Scores by the mean and deviation of the best, so that they mean the same for every
    question: about 1 from one of the best passages to the next."""
    if not len(scores):
        return scores
    return np.asarray((scores - _head(scores).mean()) / spread(scores), np.float32)


def spread(scores: NDArray[np.float32]) -> float:
    """The deviation of the best scores."""
    return max(float(_head(scores).std()), 1e-6) if len(scores) else 1.0


def _head(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.partition(scores, max(0, len(scores) - HEAD))[-HEAD:]


def model_beside(address: str) -> Path:
    """Where the ranker that was tuned for a store is kept."""
    return beside(address, "ranker.txt")


def ranker_for(address: str) -> PathRanker:
    """The ranker tuned for a store where there is one, else the one that ships.

    :raises ModelError: it can't be read.
    """
    tuned = model_beside(address)
    return PathRanker.load(tuned if tuned.is_file() else DEFAULT_MODEL)


def rank_statements(scores: Scores, ranked: list[RankedChunk], top_k: int) -> list[RankedStatement]:
    """The statements of ranked passages: by their passage's score and their own cosine."""
    passages = scores.passages
    slots = [passages.statement_slots(chunk.row) for chunk in ranked]
    places = np.repeat(np.arange(len(ranked)), [slot.stop - slot.start for slot in slots])
    order = np.concatenate([np.arange(slot.start, slot.stop) for slot in slots] or [places])
    standing = np.array([chunk.score for chunk in ranked])[places]
    values = statement_scores(standing, places, scores.statement_cosines[order])
    rows = passages.statement_order[order]
    best = np.lexsort((rows, -values))[:top_k]
    return [RankedStatement(int(rows[i]), float(values[i]), int(places[i])) for i in best]


def statement_scores(
    standing: NDArray[np.floating], passages: NDArray[np.integer], cosines: NDArray[np.floating]
) -> NDArray[np.float64]:
    """Scores of statements from those of their passages, shape (n,).

    Within a passage the statements nearest to the question come first, each further one
    discounted by ``REPEAT_DISCOUNT``.

    :param standing: score of each statement's passage.
    :param passages: which passage that is, any numbers.
    :param cosines: similarity of each statement to the question.
    """
    order = np.lexsort((-cosines, passages))
    earlier = np.empty(len(order))
    earlier[order] = place_in_run(passages[order])
    discounted: NDArray[np.float64] = (
        standing + STATEMENT_WEIGHT * cosines - REPEAT_DISCOUNT * earlier
    )
    return discounted


def _ranked(
    rows: NDArray[np.int32],
    values: NDArray[np.float32],
    columns: Columns,
    links: AnchorLinks,
    i: int,
    carried: np.float32,
) -> RankedChunk:
    anchor = entity = -1
    if len(links.anchors):
        strength = np.maximum(links.title, links.shared)[i] * links.standing
        best = int(strength.argmax())
        if strength[best] > 0:
            anchor, entity = int(links.anchors[best]), int(links.via[i, best])
    return RankedChunk(
        row=int(rows[i]),
        score=float(values[i]),
        signals={name: float(column[i]) for name, column in columns.items()},
        anchor=anchor,
        entity=entity,
        carried=float(carried),
    )


@cache
def _load(path: Path) -> PathRanker:
    def ranker(model: Any) -> PathRanker:
        trees = Trees.from_lists(model["signals"], model["trees"])
        return PathRanker(trees, model["provenance"], model.get("prior", {}))

    return read_model(path, "ranker", ranker, "train it again: hlg tune ranker", FORMAT)
