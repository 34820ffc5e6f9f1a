"""How likely it is that what is shown answers: small boosted trees over the evidence as a whole.

Words of the question that nothing says, a search that is not sure, a network that sees nothing
answer: each is wrong at times, together they tell what is not there from what is told in other
words. ``python -m benchmarks.reading decide`` learns what they weigh.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hlg.models.trees import load_trees
from hlg.retrieval.answers import asked as kinds
from hlg.retrieval.answers.read_evidence import ReadEvidence
from hlg.retrieval.answers.relevance import OF_STATEMENT

TREES = Path(__file__).with_name("answerable_trees.txt")
LEAST = 0.33
"""What is less likely to answer is said to be no answer."""
OF_EVIDENCE = (
    *OF_STATEMENT, "relevance", "best_read", "best_answering", "second_answering", "missing",
    "yes_no", "figure", "name", "text",
)  # fmt: skip
"""What is seen of a question's evidence: of the most relevant statement that is shown, of what the
network makes of all of them, the words that are missing, and what is asked for."""


def answer_chance(
    evidence: ReadEvidence,
    chosen: Sequence[int],
    signals: NDArray[np.float32],
    relevant: NDArray[np.floating],
) -> float:
    """How likely it is that the statements which are shown answer, from 0 to 1; see
    :func:`evidence_signals`."""
    if not chosen:
        return 0.0
    seen = evidence_signals(evidence, chosen, signals, relevant)
    odds = float(load_trees(TREES, OF_EVIDENCE).scores(seen[None])[0])
    return float(1 / (1 + np.exp(-odds)))


def evidence_signals(
    evidence: ReadEvidence,
    chosen: Sequence[int],
    signals: NDArray[np.float32],
    relevant: NDArray[np.floating],
) -> NDArray[np.float32]:
    """:data:`OF_EVIDENCE` of a question, shape (signals,).

    :param chosen: places of the statements that are shown, one at least.
    :param signals: what is seen of each statement, shape (statements, signals).
    :param relevant: how relevant each is, shape (statements,).
    """
    best = max(chosen, key=lambda place: float(relevant[place]))
    answering, kind = np.sort(evidence.answering)[::-1], evidence.asked.kind
    read = signals[:, OF_STATEMENT.index("read")]
    whole = (
        relevant[best], read.max(), answering[0], answering[min(1, len(answering) - 1)],
        evidence.held.missing, kind == kinds.YES_NO, kind in (kinds.DATE, kinds.NUMBER),
        kind == kinds.NAME, kind == kinds.TEXT,
    )  # fmt: skip
    return np.array([*signals[best], *whole], np.float32)
