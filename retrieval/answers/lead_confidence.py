"""Which span leads best: the chance of each that it is what was asked for, or that none is.

Three look at the same evidence: small trees that weigh signals of names, dates and numbers, a
network that reads passages, and the facts (:mod:`hlg.retrieval.answers.attributes`). A softmax over
all spans and "none" weighs what they think of each (a listwise choice with a null option). In chats
and contracts a best span mostly is no answer, and one that stands before the sentences as if it
were does more harm than none. ``python -m benchmarks.reading decide`` weighs the signals.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.answers import asked as kinds
from hlg.retrieval.answers.asked import Asked
from hlg.retrieval.answers.attributes import Held
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
    "title_bridge", "is_best of both", "one_fact", "two_facts", "names_there", "others_there",
    "text",
)  # fmt: skip
"""What is weighed of a span: the score of each reader, how far it is behind that reader's best,
and whether it is that; "apart" by how little any one statement says of the question, "figure" for
questions of dates and numbers."""
OF_NONE = (
    "always", "read", "score", "read_margin", "margin", "confidence", "figure", "name",
    "cosine", "apart", "margin apart", "same", "chained", "names_there", "missing", "text",
)  # fmt: skip
"""What is weighed for "none": the best of each, and whether both readers' best is the same."""
MOST_MARGIN = 6.0
"""More says no more."""
READ_SCALE = 5.0


@dataclass(frozen=True, slots=True)
class Weights:
    """Of :data:`OF_SPAN` and :data:`OF_NONE`."""

    spans: NDArray[np.float64]
    none: NDArray[np.float64]


WEIGHTS = Weights(
    np.array([
        0.81, 0.81, 0.07, 0.78, 0.57, 0.49, 0.32, -0.04, -0.7, -0.2, -0.03, -0.57, -1.42, -0.9,
        0.04, -0.08, 0.2, -0.54, -0.08, 1.16, 0.03, -0.34, 0.32, -0.41, 1.02, 0.67, -0.56, 0.21,
        -0.08,
    ]),
    np.array([
        1.3, -0.67, 0.57, -0.27, -0.7, -1.85, 0.08, 0.55, -0.36, -0.27, -1.3, 0.54, -0.31, 0.1,
        0.71, 0.08,
    ]),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for the spans that could lead, shape (spans, len(OF_SPAN)), and for none,
    (len(OF_NONE),)."""

    spans: NDArray[np.float64]
    none: NDArray[np.float64]


def lead_signals(
    read: Read,
    asked: Asked,
    scores: NDArray[np.floating],
    reading: Reading,
    possible: Sequence[int],
    confidence: float,
    chained: NDArray[np.float64],
    held: Held,
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
    column["one_fact"], column["two_facts"] = chained[rows].T.astype(np.float32)
    places = [span.place for span in spans]
    column["names_there"] = held.names[places].astype(np.float32)
    column["others_there"] = held.others[places].astype(np.float32)
    kind = {
        "missing": held.missing,
        "text": float(asked.kind == kinds.TEXT),
        "figure": float(asked.kind in (kinds.DATE, kinds.NUMBER)),
        "name": float(asked.kind == kinds.NAME),
    }
    apart = 2 * (1 - float(max(column["overlap"].max(), column["text_overlap"].max())))
    return Signals(
        _of_spans(column, spans, kind, apart), _of_none(column, spans, kind, apart, confidence)
    )


def shares(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """The chance of each span, and last that of none, shape (spans + 1,)."""
    found: NDArray[np.float64] = np.exp(odds - odds.max())
    found /= found.sum()
    return found


def agreements(spans: Sequence[Span], share: NDArray[np.float64]) -> NDArray[np.float64]:
    """How well each span can be expected to agree with the answer: the mean F1 of its words with
    those of all spans, each by its share, and none counting nothing (minimum Bayes risk)."""
    said = [frozenset(span.key.split()) for span in spans]
    columns = {word: place for place, word in enumerate(frozenset().union(*said))}
    has = np.zeros((len(spans), len(columns)))
    for row, words in enumerate(said):
        has[row, [columns[word] for word in words]] = 1.0
    sizes = has.sum(axis=1)
    f1 = 2 * (has @ has.T) / np.maximum(sizes[:, None] + sizes, 1.0)
    # Of spans that say the same, the likeliest one leads.
    expected: NDArray[np.float64] = f1 @ share[:-1] + 1e-9 * share[:-1]
    return expected


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
        "read": np.clip(read, -20, 15) / READ_SCALE,
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
        "text": np.full(len(spans), kind["text"]),
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
        "read": float(read.max()) / READ_SCALE,
        "score": float(score.max()) / 6,
        "read_margin": _margin(read, spans) / 4,
        "margin": margin,
        "confidence": confidence,
        "cosine": float(column["cosine"].max()),
        "chained": float(max(column["one_fact"].max(), column["two_facts"].max())),
        "names_there": float(column["names_there"].max()),
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
