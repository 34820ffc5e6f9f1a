"""The network as it runs: which words of the evidence answer a question, and how surely."""

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hlg.models.onnx_embedder import WordVectors
from hlg.models.weights import own_network
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.reading.passages import ReadPassage, read_passages
from hlg.retrieval.answers.reading.windows import Window, window

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

WEIGHTS = Path(__file__).with_name("reading.onnx")
THREADS = 2
LONGEST_ANSWER = 24
"""Tokens."""
OFFERED = 4
"""Answers of one passage that are looked at."""
UNREAD = -20.0
"""The score of words that the network was not shown."""
_WORD = re.compile(r"[^\W_\u2e80-\U0003ffff]{2}")
"""Two letters or digits of one word, of writing that parts words."""
UNSEEN = -10.0
"""The log-odds of a statement that it was not shown."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Words of a statement that may answer: characters ``[start, end)`` of its text, and by how
    much the network would rather give them than nothing (a difference of log-odds)."""

    place: int
    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class _Page:
    """A passage that was read: scores of its tokens as first and last of an answer, less those
    of none, shape (tokens, 2), and the log-odds that each is of what answers, shape (tokens,)."""

    passage: ReadPassage
    window: Window
    scores: NDArray[np.float32]
    evidence: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What the network made of the evidence."""

    pages: tuple[_Page, ...] = ()

    def offers(self) -> list[Offer]:
        """The answers that each passage offers, the best first, none twice."""
        found = [offer for page in self.pages for offer in _offers(page)]
        return sorted(found, key=lambda offer: -offer.score)

    def score(self, place: int, start: int, end: int) -> float:
        """How well given characters of a statement's text answer; :data:`UNREAD` where the
        network did not see them."""
        for page in self.pages:
            for piece in page.passage.pieces:
                inside = piece.offset <= start and end <= piece.offset + piece.end - piece.start
                if piece.place == place and inside:
                    shift = piece.start - piece.offset
                    return _score(page, start + shift, end + shift)
        return UNREAD

    def evidence(self, count: int) -> NDArray[np.float64]:
        """How far each of so many statements answers: the mean log-odds of its tokens, of the part
        that answers most; :data:`UNSEEN` where the network did not see it. Shape (count,)."""
        found = np.full(count, UNSEEN)
        for page in self.pages:
            starts, ends = page.window.offsets.T
            for piece in page.passage.pieces:
                inside = (starts >= piece.start) & (ends <= piece.end)
                if inside.any():
                    mean = float(page.evidence[inside].mean())
                    found[piece.place] = max(found[piece.place], mean)
        return found


class PassageReader:
    """The network, loaded when it is first asked.

    :raises ModelError: at first use, when its weights are missing or damaged.
    """

    def __init__(self, weights: Path = WEIGHTS) -> None:
        self._weights = weights

    def read(
        self,
        question: str,
        evidence: Sequence[EvidenceStatement],
        cosines: NDArray[np.floating],
        places: Sequence[int],
    ) -> Reading:
        """Read the best passages of the evidence, all in one run.

        :param cosines: of each statement and the question, shape (len(evidence),).
        :param places: of the statements that may be read.
        """
        passages = read_passages(evidence, cosines, places)
        if not passages:
            return Reading()
        windows = [window(question, each.hint, each.text) for each in passages]
        logits = self._run(windows)
        pages = []
        for passage, seen, found in zip(passages, windows, logits, strict=True):
            found = found[: len(seen.ids)]
            pages.append(_Page(passage, seen, found[:, :2] - found[0, :2], found[:, 2]))
        return Reading(tuple(pages))

    def _run(self, windows: Sequence[Window]) -> NDArray[np.float32]:
        width = max(len(each.ids) for each in windows)
        ids, types, mask = np.zeros((3, len(windows), width), np.int64)
        for row, each in enumerate(windows):
            count = len(each.ids)
            ids[row, :count], types[row, :count], mask[row, :count] = each.ids, each.types, 1
        feed = {"vectors": self._vectors.of(ids), "types": types, "mask": mask}
        (logits,) = self._session.run(None, feed)
        return np.asarray(logits, np.float32)

    @cached_property
    def _vectors(self) -> WordVectors:
        return WordVectors()

    @cached_property
    def _session(self) -> "InferenceSession":
        return own_network(self._weights, min(THREADS, len(os.sched_getaffinity(0))))


@cache
def passage_reader() -> PassageReader:
    """The one that comes with hlg."""
    return PassageReader()


def _offers(page: _Page) -> list[Offer]:
    """The best answers of a passage, each whole words within a statement, none overlapping a better
    one."""
    first, last = page.scores.T
    starts, ends = page.window.offsets.T
    text, told = page.passage.text, starts >= 0
    begins, closes = (told & ~_is_within_word(text, each) for each in (starts, ends))
    able = begins[:, None] & closes[None, :]
    scores = np.where(able, first[:, None] + last[None, :], -np.inf)
    scores = np.triu(scores) - np.triu(np.full_like(scores, np.inf), LONGEST_ANSWER)
    scores[np.tril_indices(len(scores), -1)] = -np.inf
    found: list[Offer] = []
    for flat in np.argsort(-scores, axis=None)[: OFFERED * 12].tolist():
        a, b = divmod(flat, len(scores))
        if not np.isfinite(scores[a, b]) or len(found) == OFFERED:
            break
        offer = _in_statement(page.passage, int(starts[a]), int(ends[b]), float(scores[a, b]))
        if offer is not None and not any(_overlap(offer, each) for each in found):
            found.append(offer)
    return found


def _is_within_word(text: str, places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether characters right before and behind each place are of one word, shape (places,)."""
    pairs = (text[max(place - 1, 0) : place + 1] for place in places.tolist())
    return np.array([bool(_WORD.fullmatch(pair)) for pair in pairs])


def _in_statement(passage: ReadPassage, start: int, end: int, score: float) -> Offer | None:
    for piece in passage.pieces:
        if piece.start <= start and end <= piece.end:
            shift = piece.offset - piece.start
            return Offer(piece.place, start + shift, end + shift, score)
    return None


def _overlap(one: Offer, other: Offer) -> bool:
    return one.place == other.place and one.start < other.end and other.start < one.end


def _score(page: _Page, start: int, end: int) -> float:
    starts, ends = page.window.offsets.T
    begins = np.flatnonzero((starts <= start) & (ends > start))
    closes = np.flatnonzero((starts < end) & (ends >= end))
    if not len(begins) or not len(closes):
        return UNREAD
    return float(page.scores[begins[0], 0] + page.scores[closes[-1], 1])
