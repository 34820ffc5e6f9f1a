"""How sure it is that a fact is true as it is told, by itself: a small network over the sentence as
the reader of frames sees it, with what the fact takes of it and what it leaves out."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.frames.decode import ROLES, Frame, Span
from hlg.ingest.extract.local.frames.features import branches, distances
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.weights import own_network
from hlg.records import Factuality

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["MODEL", "PARTS", "Telling", "chances", "confidence_of", "seen"]

MODEL = Path(__file__).with_name("told.onnx")
"""It learned from facts that were judged by reading (``benchmarks/frames.py told``)."""
PARTS = ("outside", *ROLES, "object")
"""What a word is to a fact: in its object, or what it is to the frame that the fact is of."""
SCALE, SHIFT = 0.689, -0.003
"""A logistic regression over the log-odds of facts that a network did not learn from
(``benchmarks/frames.py told`` prints it)."""
_LEAST = 1e-3
_WORDS = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact in words, the spans that it is told of, and the chances of these and of what its
    pronouns mean."""

    frame: Frame
    subject_span: Span
    object_span: Span
    subject: str
    predicate: str
    object: str
    how: Factuality
    chance: float
    link: float


def chances(sentence: Sentence, tellings: Sequence[Telling]) -> list[float]:
    """Of each fact, that the sentence states it and somebody who is told that alone is told
    something true.

    :raises ModelError: the network is missing or damaged.
    """
    if not tellings:
        return []
    (odds,) = _network(MODEL).run(None, seen(sentence, tellings))
    found: list[float] = confidence_of(odds).tolist()
    return found


def confidence_of(odds: NDArray[np.floating]) -> NDArray[np.float64]:
    """Of facts by the network's log-odds, shape (facts,)."""
    found: NDArray[np.float64] = 1 / (1 + np.exp(-(SCALE * odds.astype(np.float64) + SHIFT)))
    return found


def seen(sentence: Sentence, tellings: Sequence[Telling]) -> dict[str, NDArray[Any]]:
    """What the network is given of a sentence's facts: the ``states`` of its words (words, width);
    for each fact and word which of :data:`PARTS` it is in, whether it is ``told``, and how it hangs
    and how far it is from the predicate; the ``heads``, and three ``chances`` a fact."""
    words = len(sentence.states)
    hung = {at: branches(sentence, at)[:words] for at in {each.frame.head for each in tellings}}
    heads = [each.frame.head for each in tellings]
    return {
        "states": sentence.states.astype(np.float32),
        "parts": np.stack([_parts(words, each) for each in tellings]),
        "told": np.stack([_told(sentence.words[:words], each) for each in tellings]),
        "branches": np.stack([hung[head] for head in heads]),
        "distances": np.stack([distances(words, head) for head in heads]),
        "heads": np.array(heads, np.int64),
        "chances": np.array(
            [(_log_odds(x.chance), _log_odds(x.chance * x.link), x.link) for x in tellings],
            np.float32,
        ),
    }


def _parts(words: int, telling: Telling) -> NDArray[np.int64]:
    """The predicate's words last: what it shares with others is its own."""
    found = np.zeros(words, np.int64)
    for span in telling.frame.spans:
        found[span.first : span.end] = PARTS.index(span.role)
    own = ("object", telling.object_span), ("subject", telling.subject_span)
    for part, span in (*own, *(("predicate", at) for at in telling.frame.of("predicate"))):
        found[span.first : span.end] = PARTS.index(part)
    return found


def _told(words: Sequence[str], telling: Telling) -> NDArray[np.int64]:
    """Whether the fact has each word anywhere."""
    how = telling.how
    fields = (how.time, how.condition, how.attributed_to, how.modality)
    text = " ".join((telling.subject, telling.predicate, telling.object, *fields))
    told, each = {*_of(text)}, [_of(word) for word in words]
    return np.array([bool(word) and told.issuperset(word) for word in each], np.int64)


def _of(text: str) -> list[str]:
    return _WORDS.findall(text.lower())


def _log_odds(chance: float) -> float:
    chance = min(max(chance, _LEAST), 1 - _LEAST)
    return log(chance / (1 - chance))


@cache
def _network(path: Path) -> "InferenceSession":
    return own_network(path)
