"""Recognising a question that one passage answers (HLG §C.1.2), so that the graph is
left alone.

Calibrated on the development sets: a passage far ahead of the others does not tell such
questions apart (a multi-hop question names its first passage clearly), but one that also
holds nearly all words of the question does. At these thresholds the early exit takes 5 %
of chroma_spans, 2 % of hotpotqa, 1 % of 2wiki_kgrag and none of multihoprag, at no loss
of recall@5.
"""

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.bm25 import LexicalIndex
from hlg.retrieval.question.words import AskedWords

MARGIN = 0.05
"""The best passage's cosine is ahead of the second's by at least this."""
COVERAGE = 0.95
"""The best passage holds at least this share of the question's words, weighed by IDF."""
FEWEST_PASSAGES = 200
"""In a smaller graph words are too few to weigh, and asking the graph costs little."""


def is_single_passage(cosines: NDArray[np.float32], words: LexicalIndex, question: str) -> bool:
    """Whether the first search says that the evidence lies in one passage.

    :param cosines: of every passage and the question.
    :param words: of the passages, row for row.
    """
    if len(cosines) < FEWEST_PASSAGES:
        return False
    best = int(cosines.argmax())
    others = np.delete(cosines, best)
    margin = float(cosines[best] - others.max(initial=0.0))
    return margin >= MARGIN and coverage(words, question, best) >= COVERAGE


def coverage(words: LexicalIndex, question: str, passage: int) -> float:
    """The IDF-weighted share of the question's words that a passage holds.

    A word that no passage holds weighs as much as the rarest one; without words it is 0.
    """
    asked = AskedWords.of(question, words)
    return float(asked.share(words.weights(asked.terms, np.array([passage])) > 0)[0])
