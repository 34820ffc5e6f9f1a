"""What each part of a text is about: its headings, or runs of statements with common words."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from hlg.names import is_reference_section, normalize_name
from hlg.words.lexicon import STOP_WORDS

SHORT_TEXT = 9
"""Statements up to which a text, or a section under a heading, is one topic."""
SHORTEST, LONGEST = 4, 10
"""Statements of a lexical segment."""
WINDOW = 3
"""Statements on each side of a gap whose words are compared."""
KEY_PHRASES = 2
LONGEST_NAME = 90

_WORD = re.compile(r"[^\W\d_][\w'’-]+")


@dataclass(frozen=True, slots=True)
class TopicSpan:
    """Statements ``[first, end)`` under one name."""

    first: int
    end: int
    name: str


def find_topics(
    texts: Sequence[str],
    phrases: Sequence[Sequence[str]],
    headings: Sequence[tuple[str, ...]],
    title: str,
) -> list[TopicSpan]:
    """Topics of a text's statements, in order, that cover them all.

    :param texts: the statements' texts.
    :param phrases: what could name a topic in each statement: names and compounds.
    :param headings: the headings above each statement, outermost first.
    :param title: the text's title; it names a text too short to have several topics.
    """
    spans = []
    for first, end in _sections(headings):
        heading = headings[first]
        cited = bool(heading) and is_reference_section(heading[-1])
        words = [list(map(_stem, _words(text))) for text in texts[first:end]]
        for segment in [(0, end - first)] if cited else _segments(words):
            spans.append((first + segment[0], first + segment[1], heading, (first, end)))
    namer = _Namer(texts, phrases, [(first, end) for first, end, _, _ in spans], title)
    return [
        TopicSpan(first, end, namer.name(number, heading, whole=(first, end) == section))
        for number, (first, end, heading, section) in enumerate(spans)
    ]


def _sections(headings: Sequence[tuple[str, ...]]) -> list[tuple[int, int]]:
    bounds = [at for at, (above, own) in enumerate(pairwise(headings), 1) if above != own]
    edges = [0, *bounds, len(headings)]
    return [(first, end) for first, end in pairwise(edges) if first < end]


def _words(text: str) -> list[str]:
    found = (match.group().lower() for match in _WORD.finditer(text))
    return [word for word in found if word not in STOP_WORDS]


def _stem(word: str) -> str:
    for ending in ("'s", "’s", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 3:
            return word[: -len(ending)]
    return word


def _segments(words: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Cuts where the words before and after have least in common (after Hearst 1997)."""
    count = len(words)
    if count <= SHORT_TEXT:
        return [(0, count)]
    scores = [_cohesion(words, gap) for gap in range(count)]
    segments = []
    first = 0
    while count - first > SHORT_TEXT:
        latest = min(first + LONGEST, count - SHORTEST)
        cut = min(range(first + SHORTEST, latest + 1), key=lambda gap: (scores[gap], gap))
        segments.append((first, cut))
        first = cut
    segments.append((first, count))
    return segments


def _cohesion(words: Sequence[Sequence[str]], gap: int) -> float:
    """Cosine of the word counts on both sides of a gap."""
    before = Counter(word for each in words[max(0, gap - WINDOW) : gap] for word in each)
    after = Counter(word for each in words[gap : gap + WINDOW] for word in each)
    squares = [sum(count * count for count in counts.values()) for counts in (before, after)]
    norm = math.sqrt(math.prod(squares))
    return sum(count * after[word] for word, count in before.items()) / norm if norm else 0.0


class _Namer:
    """Names for the segments of one text, each used once."""

    def __init__(
        self,
        texts: Sequence[str],
        phrases: Sequence[Sequence[str]],
        spans: Sequence[tuple[int, int]],
        title: str,
    ) -> None:
        self._title = title
        self._alone = len(spans) == 1
        self._counts = [
            Counter(phrase for each in phrases[first:end] for phrase in each)
            or Counter(word for text in texts[first:end] for word in _words(text) if len(word) > 3)
            for first, end in spans
        ]
        self._spread = Counter(phrase for counts in self._counts for phrase in counts)
        self._used: set[str] = set()
        self._numbers: dict[str, int] = {}
        """The first number that a name was not yet tried with."""

    def name(self, number: int, heading: tuple[str, ...], *, whole: bool) -> str:
        candidates = [self._title] if self._alone and self._title else []
        if whole and heading:
            candidates += [heading[-1], ": ".join(heading[-2:]), ": ".join(heading)]
        phrases = self._best(number)
        prefix = f"{heading[-1]}: " if heading else ""
        for count in range(KEY_PHRASES, len(phrases) + 1):
            candidates.append(prefix + ", ".join(phrases[:count]))
        candidates.append(prefix + (", ".join(phrases) or self._title or "Text"))
        return self._unused(candidates)

    def _unused(self, candidates: list[str]) -> str:
        names = [shortened for name in candidates if (shortened := _shortened(name))] or ["Text"]
        name = next((each for each in names if normalize_name(each) not in self._used), "")
        if not name:
            number = self._numbers.get(names[-1], 2)
            while normalize_name(f"{names[-1]} ({number})") in self._used:
                number += 1
            self._numbers[names[-1]] = number + 1
            name = f"{names[-1]} ({number})"
        self._used.add(normalize_name(name))
        return name

    def _best(self, number: int) -> list[str]:
        """A segment's phrases, those first that are frequent here and rare elsewhere."""
        counts, total = self._counts[number], len(self._counts)

        def telling(phrase: str) -> float:
            return counts[phrase] * (1 + math.log(total / self._spread[phrase])) * _weight(phrase)

        kept: list[str] = []
        for phrase in sorted(counts, key=telling, reverse=True)[:12]:
            normal = normalize_name(phrase)
            if not any(normal in other or other in normal for other in map(normalize_name, kept)):
                kept.append(phrase)
        return kept[:5]


def _weight(phrase: str) -> float:
    """Names, and phrases of several words, say more than others."""
    return (1.0 if phrase.islower() else 1.6) + 0.25 * min(phrase.count(" "), 2)


def _shortened(name: str) -> str:
    name = " ".join(name.split())
    if len(name) <= LONGEST_NAME:
        return name
    return name[:LONGEST_NAME].rsplit(" ", 1)[0].rstrip(" ,:;-") + "…"
