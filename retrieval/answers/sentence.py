"""Which statement of a passage a reader's eye is led to: a linear model of three signals.

They say how a statement stands out among those of its passage: its cosine with the question,
the question's words that it says itself, and those that it says together with its title and
its subject. ``benchmarks/marked_sentence.py --fit`` weighs them. In a passage that a path led
to, words that the path has said before count half: what is left of the question is asked there.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.answers.evidence import EvidenceStatement, words_about
from hlg.retrieval.answers.statements import described
from hlg.retrieval.answers.words import keys, share, weigh

SAID_BEFORE = 0.5
"""Of a word's weight, where the path to the passage has said it already."""
DEFINES = 1.0
"""What it weighs that a statement begins the source about the thing that is asked about."""
SIGNALS = ("cosine", "words", "words with title")
WEIGHTS = np.array([1.0, 0.93, 0.49])
"""What each signal weighs, as fitted on all families of data, the cosine being 1."""


def sentence_scores(
    question: str,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    said: Mapping[str, frozenset[str]] | None = None,
) -> NDArray[np.float64]:
    """How well each statement answers among those of its passage, shape (statements,).

    What begins the source about the thing of a "what is …?" comes before all others.

    :param cosines: of statements and question, shape (statements,).
    :param said: by passage the words' keys of the statements that led to it.
    """
    scores: NDArray[np.float64] = sentence_signals(question, evidence, cosines, said) @ WEIGHTS
    scores[sorted(described(question, evidence))] += DEFINES * WEIGHTS.sum()
    return scores


def sentence_signals(
    question: str,
    evidence: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    said: Mapping[str, frozenset[str]] | None = None,
) -> NDArray[np.float64]:
    """The signals of each statement, shape (statements, signals).

    Words are parts of the question's, by how rare they are among all statements.

    :param said: as for :func:`sentence_scores`.
    """
    if not evidence:
        return np.zeros((0, len(SIGNALS)))
    held = words_about(evidence)
    weights = weigh(keys(question), held)
    own = [frozenset(keys(each.passage.text)) for each in evidence]
    shares = []
    for each, text, whole in zip(evidence, own, held, strict=True):
        before = (said or {}).get(each.passage.chunk_id, frozenset())
        left = {
            key: weight * SAID_BEFORE if key in before else weight
            for key, weight in weights.items()
        }
        shares.append([share(left, text), share(left, whole)])
    return np.column_stack([cosines, shares]).astype(np.float64)
