"""Whether a span leads: only where it is likely enough right, or a fact says it.

The softmax of :mod:`hlg.retrieval.answers.lead_confidence` says which span answers best. How often
such a span is right depends on more than its share, and not in proportion: small boosted trees
weigh the share, what stands beside it and the signals of the span and of "none". They learned from
the questions of ``python -m benchmarks.reading decide``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hlg.models.trees import load_trees
from hlg.retrieval.answers.lead_confidence import (
    OF_NONE,
    OF_SPAN,
    WEIGHTS,
    Signals,
    Weights,
    agreements,
    shares,
)
from hlg.retrieval.answers.spans import Span

TREES = Path(__file__).with_name("lead_trees.txt")
OF_CHOICE = (
    "agreement", "none", "share", "other", "best odds", "none odds", "spans", "most read",
)  # fmt: skip
"""What is seen of the choice: how far the span can be expected to agree with the answer, the
shares of none and of all spans that say the same, the agreement of the best that shares no word
with it, the odds, how many spans there are, and what the network makes of the same words
elsewhere."""
OF_LEAD = (*OF_CHOICE, *OF_SPAN, *(f"none: {name}" for name in OF_NONE))
WHOLE = 0.9
"""What one fact accounts for of a question that it answers by itself."""
LEAST_FIT = 0.5
"""How well that fits what is asked for, of 2."""
LEAST = 0.4
"""A span that is less likely right does not lead."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The span that answers best, by its place, and the :data:`OF_LEAD` of it; ``is_looked_up``
    where a fact says it."""

    place: int
    signals: NDArray[np.float32]
    is_looked_up: bool = False

    @property
    def chance(self) -> float:
        """How likely it is right, by the trees that ship; 1 where it was looked up."""
        if self.is_looked_up:
            return 1.0
        odds = load_trees(TREES, OF_LEAD).scores(self.signals[None, :])[0]
        return float(1 / (1 + np.exp(-odds)))


def likeliest(spans: Sequence[Span], signals: Signals, weights: Weights = WEIGHTS) -> Lead:
    """The span that is looked up, else the one that can be expected to agree most with the
    answer; of at least one."""
    odds = np.append(signals.spans @ weights.spans, signals.none @ weights.none)
    share = shares(odds)
    expected = agreements(spans, share)
    looked_up = _looked_up(spans, signals)
    best = int(np.argmax(expected)) if looked_up < 0 else looked_up
    said = frozenset(spans[best].key.split())
    same = [place for place, span in enumerate(spans) if span.key == spans[best].key]
    others = [expected[at] for at, span in enumerate(spans) if said.isdisjoint(span.key.split())]
    choice = (
        expected[best],
        share[-1],
        share[same].sum(),
        max(others, default=0.0),
        odds[best],
        odds[-1],
        len(spans),
        signals.spans[same, OF_SPAN.index("read")].max(),
    )
    row = np.array([*choice, *signals.spans[best], *signals.none], np.float32)
    return Lead(best, row, looked_up >= 0)


def _looked_up(spans: Sequence[Span], signals: Signals) -> int:
    """The place of what one fact says that accounts for the whole question, and is a person, a
    place or a date where one is asked for; -1 where there is none, or another fact says else."""
    told = signals.spans[:, OF_SPAN.index("one_fact")]
    told = np.where(signals.spans[:, OF_SPAN.index("fits")] >= LEAST_FIT, told, 0.0)
    said = {span.key for span, share in zip(spans, told, strict=True) if share >= WHOLE}
    return int(np.argmax(told)) if len(said) == 1 else -1
