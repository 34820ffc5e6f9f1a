"""Diversity (HLG §4.3.1): of texts that say the same, only the best stays."""

import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from hlg.lexical import analyze

_SCALES = {
    "thousand": 3, "k": 3, "million": 6, "mn": 6, "m": 6, "billion": 9, "bn": 9, "b": 9,
    "trillion": 12, "tn": 12,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?<![\w.])([-−]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?"
    r"(?:\s?(thousand|million|billion|trillion|mn|bn|tn|[kmb])\b)?"
    r"(?:\s?(%|per\s?cent\b))?",
    re.IGNORECASE,
)
_NOT = re.compile(r"n['’]t\b|\bcannot\b", re.IGNORECASE)
_TELLING_WORD = re.compile(
    r"\b(?:above|after|against|before|below|down|few|more|most|no|nor|not|off|only|out|over"
    r"|same|under|until|up)\b",
    re.IGNORECASE,
)
"""Stop words without which a statement says something else."""


def repeated(texts: Sequence[str], threshold: float) -> dict[int, int]:
    """Which texts to drop: index of each one that repeats an earlier text, to that text.

    :param texts: best first; a text's rank is its score.
    :param threshold: τ; two texts are alike where their cosine is above 1 - τ. At 0 only
        equal vectors are, give or take rounding.
    """
    if not texts:
        return {}
    vectors = tf_idf([terms(text) for text in texts])
    alike = np.tril(vectors @ vectors.T > min(1 - threshold, 1 - 1e-6), k=-1)
    earlier = np.where(alike.any(axis=1), alike.argmax(axis=1), -1)
    kept: dict[int, int] = {}
    for i in np.flatnonzero(earlier >= 0).tolist():
        j = int(earlier[i])
        kept[i] = kept.get(j, j)
    return kept


def terms(text: str) -> list[str]:
    """A text's words without stop words, stemmed, with its numbers in one form."""
    text = _NOT.sub(" not", _NUMBER.sub(_standard_number, text))
    return analyze(text) + [word.lower() for word in _TELLING_WORD.findall(text)]


def tf_idf(documents: Sequence[Sequence[str]]) -> NDArray[np.float32]:
    """Unit rows, shape (documents, distinct terms), with smoothed IDF, as scikit-learn's."""
    vocabulary: dict[str, int] = {}
    columns = [[vocabulary.setdefault(term, len(vocabulary)) for term in d] for d in documents]
    counts = np.zeros((len(documents), len(vocabulary)), np.float32)
    for row, found in zip(counts, columns, strict=True):
        np.add.at(row, found, 1)
    frequency = (counts > 0).sum(axis=0)
    counts *= np.log((1 + len(documents)) / (1 + frequency)) + 1
    norms = np.linalg.norm(counts, axis=1, keepdims=True)
    return np.asarray(counts / np.where(norms > 0, norms, 1), np.float32)


def _standard_number(match: re.Match[str]) -> str:
    sign, whole, fraction, scale, percent = match.groups()
    number = Decimal(whole.replace(",", "") + (fraction or ""))
    number = number.scaleb(_SCALES[scale.lower()]) if scale else number
    plain = f"{number.normalize():f}".replace(".", "point")
    return f" {'minus' if sign else ''}{plain}{'percent' if percent else ''} "
