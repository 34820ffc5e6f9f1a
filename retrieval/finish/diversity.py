"""Diversity (HLG §4.3.1): of texts that say the same, only the best stays."""

import re
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from hlg.lexical.analysis import analyze
from hlg.lexical.tf_idf import tf_idf

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
    vectors = tf_idf(map(terms, texts)).dense()
    alike = np.tril(vectors @ vectors.T > min(1 - threshold, 1 - 1e-6), k=-1)
    earlier = np.where(alike.any(axis=1), alike.argmax(axis=1), -1)
    stands_for: dict[int, int] = {}
    for i in np.flatnonzero(earlier >= 0).tolist():
        j = int(earlier[i])
        stands_for[i] = stands_for.get(j, j)
    return stands_for


def terms(text: str) -> list[str]:
    """A text's words without stop words, stemmed, with its numbers in one form."""
    text = _NOT.sub(" not", _NUMBER.sub(_standard_number, text))
    return analyze(text) + [word.lower() for word in _TELLING_WORD.findall(text)]


def _standard_number(match: re.Match[str]) -> str:
    sign, whole, fraction, scale, percent = match.groups()
    number = Decimal(whole.replace(",", "") + (fraction or ""))
    number = number.scaleb(_SCALES[scale.lower()]) if scale else number
    plain = f"{number.normalize():f}".replace(".", "point")
    return f" {'minus' if sign else ''}{plain}{'percent' if percent else ''} "
