"""The parts of a question: what each hop of a multi-hop question asks, as far as words show it.

"When was the country that produced Fist Power taken by the British?" asks for two
passages, and is near to neither as a whole. Its parts before and after "that", "by" and
the like are nearer to one of them each. No parser: a pattern is fast, and a part too many
costs little.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.analysis import STOP_WORDS

MOST = 4
"""Parts of a question at most; of more, those evenly spread over it."""
MIN_WORDS = 2
"""Words of a part, stop words not counted, at least."""
MAX_CHARACTERS = 2_000
"""Only so much of a question is cut into parts."""

_BOUNDARY = re.compile(
    r"(?:,\s+|\s+)(?=(?:of|in|where|who|whom|which|that|whose|by|with|from|when|at|to|on|for"
    r"|and|as|was|is|did|has|had)\b)|'s\s+|,\s+",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")

Span = tuple[int, int]


def clauses(question: str) -> list[Span]:
    """Where the parts of a question are: what is before and what is after each boundary.

    A boundary with next to nothing on one side is none: the other side is the question.

    >>> question = "Who directed the film that Ada Quill wrote?"
    >>> [question[start:end] for start, end in clauses(question)]
    ['Who directed the film ', 'that Ada Quill wrote?']
    """
    end = min(len(question), MAX_CHARACTERS)
    found: dict[Span, None] = {}
    for match in _BOUNDARY.finditer(question, 0, end):
        sides = ((0, match.end()), (match.end(), end))
        if all(_content_words(question[side[0] : side[1]]) >= MIN_WORDS for side in sides):
            found |= dict.fromkeys(sides)
    parts = list(found)
    if len(parts) > MOST:
        parts = [parts[i] for i in np.linspace(0, len(parts) - 1, MOST).round().astype(int)]
    return parts


def disjoint(spans: Sequence[Span]) -> NDArray[np.bool_]:
    """Which parts have nothing in common, shape (parts, parts)."""
    bounds = np.array(spans, np.int64).reshape(-1, 2)
    before = bounds[:, None, 1] <= bounds[None, :, 0]
    return np.asarray(before | before.T, np.bool_)


def _content_words(text: str) -> int:
    return sum(word.lower() not in STOP_WORDS for word in _WORD.findall(text))
