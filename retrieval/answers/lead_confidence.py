"""How sure a lead is: the chance that a span is what was asked for, or that none is.

Two readers look at the same evidence: small trees that weigh signals of names, dates and numbers,
and a network that reads passages. A softmax over all spans and "none" weighs what both think of
each (a listwise choice with a null option). Where it is not sure of any, the trees' best may lead
by a logistic model of their own, unless the softmax gives it hardly a chance. In chats, contracts
and tables a best span mostly is no answer, and one that stands before the sentences as if it were
does more harm than none. ``python -m benchmarks.reading decide`` weighs the signals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.answers import asked as kinds
from hlg.retrieval.answers.asked import Asked
from hlg.retrieval.answers.reading.reader import Reading
from hlg.retrieval.answers.signals import SIGNALS as READ_SIGNALS
from hlg.retrieval.answers.signals import Read
from hlg.retrieval.answers.spans import Span

Column = NDArray[np.float32]

FROM_TREES = (
    "fits", "in_question", "nearest", "fact_object", "overlap", "text_overlap", "cosine", "rank",
    "words", "is_title", "noun_after", "statements", "title_bridge",
)  # fmt: skip
"""Of :data:`hlg.retrieval.answers.signals.SIGNALS`."""
OF_SPAN = (
    "score", "behind", "read", "read_behind", "is_best", "is_read_best", "fits", "fits figure",
    "in_question", "nearest", "fact_object", "overlap", "cosine", "rank", "words", "entity",
    "is_title", "noun_after", "statements", "behind apart", "read_behind apart", "is_best apart",
    "title_bridge", "is_best of both",
)  # fmt: skip
"""What is weighed of a span: the score of each reader, how far it is behind that reader's best,
and whether it is that; "apart" by how little any one statement says of the question, "figure" for
questions of dates and numbers."""
OF_NONE = (
    "always", "read", "score", "read_margin", "margin", "confidence", "figure", "name",
    "cosine", "apart", "margin apart", "same",
)  # fmt: skip
"""What is weighed for "none": the best of each, and whether both readers' best is the same."""
LEAST = 0.5
"""A span with less of a chance leads by the trees alone, or not at all."""
TREE_SIGNALS = ("margin", "confidence", "fits", "nearest", "fact_object")
TREE_WEIGHTS = np.array([0.48, 2.21, 0.82, -0.02, 0.74])
TREE_BIAS = -4.58
LEAST_ALONE, SURE_ALONE = 0.125, 0.3
"""By the trees alone no span leads that has less of a chance; one with more leads by itself, one
between only if the softmax gives it more than :data:`HARDLY`."""
HARDLY = 0.1
MOST_MARGIN = 6.0
"""More says no more."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Of :data:`OF_SPAN` and :data:`OF_NONE`."""

    spans: NDArray[np.float64]
    none: NDArray[np.float64]


WEIGHTS = Weights(
    np.array([
        0.72, 0.72, -0.04, 1.47, 1.0, 0.36, 0.15, 0.08, -0.26, -0.25, 0.1, -1.21, -0.99, -0.89,
        -0.07, -0.04, -0.04, 0.06, -0.17, 0.55, -0.27, -0.04, 1.21, -0.87,
    ]),
    np.array([-0.17, -1.27, 0.14, 0.02, 0.34, -1.51, 0.35, 0.39, 0.5, -0.47, -0.44, 0.35]),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for the spans that could lead: ``spans`` shape (spans, len(OF_SPAN)), ``none``
    (len(OF_NONE),); ``alone`` is the chance of the trees' best of their own spans, which is the
    span at ``best`` (-1 where there is none)."""

    spans: NDArray[np.float64]
    none: NDArray[np.float64]
    best: int
    alone: float


def lead_signals(
    read: Read,
    asked: Asked,
    scores: NDArray[np.floating],
    reading: Reading,
    possible: Sequence[int],
    confidence: float,
) -> Signals:
    """What speaks for each span that could lead, and for none.

    :param scores: of the trees, of all spans.
    :param reading: what the network made of the evidence.
    :param possible: places of the spans that could lead; at least one.
    :param confidence: of the search, from 0 to 1.
    """
    rows = list(possible)
    spans = [read.spans[place] for place in rows]
    column = {name: read.matrix[rows, READ_SIGNALS.index(name)] for name in FROM_TREES}
    column["score"] = np.array([scores[place] for place in rows], np.float32)
    told = [reading.score(span.place, span.start, span.end) for span in spans]
    column["read"] = np.array(told, np.float32)
    kind = {
        "figure": float(asked.kind in (kinds.DATE, kinds.NUMBER)),
        "name": float(asked.kind == kinds.NAME),
    }
    apart = 2 * (1 - float(max(column["overlap"].max(), column["text_overlap"].max())))
    best, alone = -1, 0.0
    own = [at for at, place in enumerate(rows) if place < read.own]
    if own:
        best = max(own, key=lambda at: float(column["score"][at]))
        alone = _alone(column, [spans[at] for at in own], own, best, confidence)
    return Signals(
        _of_spans(column, spans, kind, apart),
        _of_none(column, spans, kind, apart, confidence),
        best,
        alone,
    )


def chances(
    spans: Sequence[Span],
    signals: Signals,
    weights: Weights = WEIGHTS,
) -> NDArray[np.float64]:
    """The chance of each span that it is the answer: those that say the same have one together."""
    odds = np.append(signals.spans @ weights.spans, signals.none @ weights.none)
    shares = np.exp(odds - odds.max())
    shares /= shares.sum()
    said: dict[str, float] = {}
    for span, share in zip(spans, shares, strict=False):
        said[span.key] = said.get(span.key, 0.0) + float(share)
    # Of spans that say the same, the likeliest one leads.
    found: NDArray[np.float64] = np.array([said[s.key] for s in spans]) + 1e-9 * shares[:-1]
    return found


def _alone(
    column: Mapping[str, Column], spans: Sequence[Span], own: list[int], best: int, sure: float
) -> float:
    """The chance that the trees' best answers, by what the trees know."""
    scores = column["score"]
    key = spans[own.index(best)].key
    rivals = [float(scores[at]) for at, span in zip(own, spans, strict=True) if span.key != key]
    margin = min(float(scores[best]) - max(rivals), MOST_MARGIN) if rivals else 0.0
    told = {"margin": margin, "confidence": sure}
    told |= {name: float(column[name][best]) for name in TREE_SIGNALS if name not in told}
    odds = np.array([told[name] for name in TREE_SIGNALS]) @ TREE_WEIGHTS + TREE_BIAS
    return float(1 / (1 + np.exp(-odds)))


def _of_spans(
    column: Mapping[str, Column], spans: Sequence[Span], kind: Mapping[str, float], apart: float
) -> NDArray[np.float64]:
    score, read = column["score"], column["read"]
    behind = np.clip(score - score.max(), -10, 0) / 4
    read_behind = np.clip(read - read.max(), -12, 0) / 4
    is_best, is_read_best = (behind >= -1e-6) * 1.0, (read_behind >= -1e-6) * 1.0
    found = {
        "score": np.clip(score, -5, 25) / 4,
        "behind": behind,
        "read": np.clip(read, -20, 15) / 5,
        "read_behind": read_behind,
        "is_best": is_best,
        "is_read_best": is_read_best,
        "fits figure": column["fits"] * kind["figure"],
        "nearest": column["nearest"] / 10,
        "rank": np.log1p(column["rank"]),
        "words": np.log1p(column["words"]),
        "entity": np.array([float(span.kind[:1].isupper()) for span in spans]),
        "statements": column["statements"] / 5,
        "behind apart": behind * apart,
        "read_behind apart": read_behind * apart,
        "is_best apart": is_best * apart,
        "is_best of both": is_best * is_read_best,
    }
    return np.stack([found[name] if name in found else column[name] for name in OF_SPAN], 1).astype(
        np.float64
    )


def _of_none(
    column: Mapping[str, Column],
    spans: Sequence[Span],
    kind: Mapping[str, float],
    apart: float,
    confidence: float,
) -> NDArray[np.float64]:
    score, read = column["score"], column["read"]
    margin = min(_margin(score, spans), MOST_MARGIN) / 4
    found = {
        **kind,
        "always": 1.0,
        "read": float(read.max()) / 5,
        "score": float(score.max()) / 6,
        "read_margin": _margin(read, spans) / 4,
        "margin": margin,
        "confidence": confidence,
        "cosine": float(column["cosine"].max()),
        "apart": apart,
        "margin apart": margin * apart,
        "same": float(spans[int(score.argmax())].key == spans[int(read.argmax())].key),
    }
    return np.array([found[name] for name in OF_NONE])


def _margin(values: Column, spans: Sequence[Span]) -> float:
    """By how much the best leads the best of another text; 0 where there is no other."""
    best = int(np.argmax(values))
    key = spans[best].key
    others = [float(value) for value, span in zip(values, spans, strict=True) if span.key != key]
    return float(values[best]) - max(others) if others else 0.0
