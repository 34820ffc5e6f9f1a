"""Which span leads an answer: the chance of each that it is what was asked for.

A network that reads passages, the facts (:mod:`hlg.retrieval.answers.attributes`), the words
around a span (:mod:`hlg.retrieval.answers.signals`) and the search look at the same evidence.
Small boosted trees weigh what they see of a span, and the one leads that can be expected to agree
most with the answer, where that is enough: in chats and contracts a best span mostly is no answer,
and one that stands before the sentences as if it were does more harm than none. ``python -m
benchmarks.reading decide`` learns the trees.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hlg.models.trees import load_trees
from hlg.retrieval.answers import asked as kinds
from hlg.retrieval.answers.read_evidence import ReadEvidence
from hlg.retrieval.answers.reading.reader import UNREAD
from hlg.retrieval.answers.signals import OF_WORDS, Read

TREES = Path(__file__).with_name("lead_trees.txt")
LEAST = 0.45
"""A span that can be expected to agree less with the answer does not lead."""
WHOLE = 0.9
"""What one fact accounts for of a question that it answers by itself."""
LEAST_FIT = 0.5
"""How well that fits what is asked for, of 2."""
OF_QUESTION = (
    "spans", "best_read", "read_margin", "best_answering", "best_cosine", "best_fact", "best_names",
    "missing", "confidence", "figure", "name", "text",
)  # fmt: skip
"""What is seen of a question's evidence: how many spans could lead, the best of what is seen of
them, the words that are missing, the confidence of the search, and what is asked for."""
OF_LEAD = (
    "read", "read_behind", "read_anywhere", "read_ahead", "one_fact", "two_facts", "cosine",
    "rank", "answering", "names_there", "others_there", *OF_WORDS, *OF_QUESTION,
)  # fmt: skip
"""What is seen of a span: what the network makes of it, and of the same words anywhere; by how
much it is behind the best, and those words are ahead of all others; what chains of facts that end
at it account for; and what is seen of its statement, its words and the question."""


class Likeliest(NamedTuple):
    """The span that can be expected to agree most with the answer, by its place, and how far: the
    mean F1 of its words with those of all spans, each by its chance (minimum Bayes risk); 1 where
    a fact says it."""

    place: int
    agreement: float

    @property
    def leads(self) -> bool:
        """Whether that is enough."""
        return self.agreement >= LEAST


def chances(signals: NDArray[np.float32]) -> NDArray[np.float64]:
    """How likely each span is right, shape (spans,), from :data:`OF_LEAD` of each."""
    odds = load_trees(TREES, OF_LEAD).scores(signals).astype(np.float64)
    found: NDArray[np.float64] = 1 / (1 + np.exp(-odds))
    return found


def likeliest(
    words: Sequence[str], chance: NDArray[np.float64], signals: NDArray[np.float32]
) -> Likeliest:
    """Which of some spans leads; of at least one. Of spans that say the same the one leads that
    the network reads as the answer where it stands: its statement bears the answer out.

    :param words: of each span, as spans are compared.
    :param chance: how likely each is right; of spans that say the same the best counts.
    :param signals: :data:`OF_LEAD` of each.
    """
    said = [frozenset(each.split()) for each in words]
    columns = {word: place for place, word in enumerate(frozenset().union(*said))}
    has = np.zeros((len(said), len(columns)))
    for row, each in enumerate(said):
        has[row, [columns[word] for word in each]] = 1.0
    sizes = has.sum(axis=1)
    f1 = 2 * (has @ has.T) / np.maximum(sizes[:, None] + sizes, 1.0)
    best: dict[str, int] = {}
    for place in np.argsort(-chance, kind="stable").tolist():
        best.setdefault(words[place], place)
    distinct = list(best.values())
    share = chance[distinct] / max(1.0, chance[distinct].sum())
    agreement = np.maximum(f1[:, distinct] @ share, _looked_up(words, signals))
    read = signals[:, OF_LEAD.index("read")]
    place = int(np.lexsort((chance, read, agreement.round(9)))[-1])
    return Likeliest(place, float(agreement[place]))


def _looked_up(words: Sequence[str], signals: NDArray[np.float32]) -> NDArray[np.float64]:
    """1 for what one fact says that accounts for the whole question, and is a person, a place or a
    date where one is asked for, unless another fact says else; shape (spans,)."""
    told = signals[:, OF_LEAD.index("one_fact")] >= WHOLE
    told &= signals[:, OF_LEAD.index("fits")] >= LEAST_FIT
    said = {words[place] for place in np.flatnonzero(told).tolist()}
    if len(said) != 1:
        return np.zeros(len(words))
    return np.array([float(each in said) for each in words])


def lead_signals(
    found: Read, possible: Sequence[int], chained: NDArray[np.float64], evidence: ReadEvidence
) -> NDArray[np.float32]:
    """:data:`OF_LEAD` of the spans that could lead, shape (spans, signals).

    :param possible: places of these spans; at least one.
    :param chained: what facts account for, of all spans.
    """
    rows = list(possible)
    spans = [found.spans[place] for place in rows]
    places = [span.place for span in spans]
    held, reading, every = evidence.held, evidence.reading, np.ones(len(spans))
    read = np.array([reading.score(span.place, span.start, span.end) for span in spans])
    anywhere = _by_words([span.key for span in spans], read)
    kind = evidence.asked.kind
    columns = {name: values[rows] for name, values in found.columns.items()}
    columns |= {
        "read": read,
        "read_behind": read - read.max(),
        "read_anywhere": anywhere[:, 0],
        "read_ahead": anywhere[:, 0] - anywhere[:, 1],
        "one_fact": chained[rows, 0],
        "two_facts": chained[rows, 1],
        "cosine": np.asarray(evidence.cosines)[places],
        "rank": np.array([evidence.statements[place].rank for place in places]),
        "answering": evidence.answering[places],
        "names_there": held.names[places],
        "others_there": held.others[places],
    }
    whole = {
        "spans": len(spans),
        "best_read": read.max(),
        "read_margin": anywhere[int(read.argmax())] @ (1.0, -1.0),
        "best_answering": evidence.answering.max(),
        "best_cosine": columns["cosine"].max(),
        "best_fact": chained[rows].max(),
        "best_names": columns["names_there"].max(),
        "missing": held.missing,
        "confidence": evidence.confidence,
        "figure": kind in (kinds.DATE, kinds.NUMBER),
        "name": kind == kinds.NAME,
        "text": kind == kinds.TEXT,
    }
    columns |= {name: every * value for name, value in whole.items()}
    return np.stack([columns[name] for name in OF_LEAD], 1).astype(np.float32)


def _by_words(words: Sequence[str], read: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of each span the best score of the same words, and of any others, shape (spans, 2)."""
    best: dict[str, float] = {}
    for said, score in zip(words, read, strict=True):
        best[said] = max(best.get(said, UNREAD), float(score))
    others = {
        said: max((score for other, score in best.items() if other != said), default=UNREAD)
        for said in best
    }
    return np.array([(best[said], others[said]) for said in words])
