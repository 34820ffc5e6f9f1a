"""Propositions of a sentence: its spans that can each stand alone."""

from collections.abc import Sequence
from itertools import pairwise

from hlg.ingest.extract.local.parse import Sentence

LONGEST_PROPOSITION = 120
"""Tokens of the longest proposition; what is longer is cut at a comma or a space."""

_SUBJECTS = frozenset(("nsubj", "nsubjpass", "expl", "csubj"))
_CONJUNCTIONS = frozenset(("and", "but", "or", "so", "yet", "while", "whereas", "nor"))
_OPENING, _CLOSING = frozenset('"“«([‘'), frozenset('"”»)]’')


def propositions(sentence: Sentence) -> list[tuple[int, int]]:
    """Spans of tokens ``[first, end)``, in order, that cover the sentence's clauses.

    A sentence is split before a coordinated clause that has a subject and a finite verb of its
    own, and at semicolons between such clauses, but never inside quotation marks or brackets.
    """
    end = len(sentence.words)
    cuts = sorted({0, *_clause_starts(sentence), end})
    spans = []
    for first, last in pairwise(cuts):
        spans += _bounded(sentence, first, last)
    return [span for first, last in spans if (span := _trimmed(sentence, first, last))]


def _clause_starts(sentence: Sentence) -> list[int]:
    deps, tags = sentence.deps, sentence.tags
    starts = []
    for verb, dep in enumerate(deps):
        if dep not in ("conj", "ccomp", "parataxis") or not tags[verb].startswith(("VB", "MD")):
            continue
        head = sentence.heads[verb]
        if not _finite_with_subject(sentence, verb) or not _finite_with_subject(sentence, head):
            continue
        start = sentence.left_edge(verb) if verb > head else _after(sentence, verb, head)
        between = sentence.words[min(verb, head) + 1 : start]
        if _separated(between, by_word=dep == "conj") and _level(sentence, start):
            starts.append(start)
    return [start for start in starts if _main_clause(sentence, start)]


def _after(sentence: Sentence, verb: int, head: int) -> int:
    """Where the head's own clause begins when a clause hangs before it."""
    edge = sentence.right_edge(verb) + 1
    while edge < head and not sentence.words[edge][0].isalnum():
        edge += 1
    return edge


def _separated(between: Sequence[str], *, by_word: bool) -> bool:
    """Whether a semicolon, or a conjunction, is the last between two clauses."""
    last = between[-3:]
    return ";" in last or (by_word and any(word.lower() in _CONJUNCTIONS for word in last))


def _finite_with_subject(sentence: Sentence, verb: int) -> bool:
    children = sentence.children[verb]
    if not any(
        sentence.deps[child] in _SUBJECTS
        and sentence.words[child].lower() not in ("who", "which", "that")
        for child in children
    ):
        return False
    return sentence.tags[verb] in ("VBD", "VBZ", "VBP", "MD") or any(
        sentence.deps[child] in ("aux", "auxpass") for child in children
    )


def _main_clause(sentence: Sentence, start: int) -> bool:
    """Whether what begins there is no part of a subordinate clause."""
    token = start
    while sentence.heads[token] != token:
        if sentence.deps[token] in ("relcl", "acl", "advcl", "pcomp"):
            return False
        if sentence.deps[token] == "ccomp" and ";" not in sentence.words[:start]:
            return False
        token = sentence.heads[token]
    return True


def _level(sentence: Sentence, position: int) -> bool:
    """Whether all brackets and quotation marks before a token are closed."""
    depth = 0
    for word in sentence.words[:position]:
        if word == '"':
            depth = 1 - depth
        elif word in _OPENING:
            depth += 1
        elif word in _CLOSING:
            depth = max(0, depth - 1)
    return depth == 0


def _bounded(sentence: Sentence, first: int, end: int) -> list[tuple[int, int]]:
    spans = []
    while end - first > LONGEST_PROPOSITION:
        limit = first + LONGEST_PROPOSITION
        backwards = range(limit - 1, first + LONGEST_PROPOSITION // 2, -1)
        marks = (at + 1 for at in backwards if sentence.words[at] in (",", ";", ":", ".", "|"))
        cut = next(marks, limit)
        spans.append((first, cut))
        first = cut
    spans.append((first, end))
    return spans


def _trimmed(sentence: Sentence, first: int, end: int) -> tuple[int, int] | None:
    """The span without the conjunction and the comma that tied it to the next."""
    words = sentence.words
    while 0 < first < end and words[first] in (",", ";", "-", "–", "—"):
        first += 1
    if 0 < first < end and words[first].lower() in _CONJUNCTIONS:
        first += 1
    while first < end < len(words) and words[end - 1].lower() in {",", ";", *_CONJUNCTIONS}:
        end -= 1
    says_something = any(c.isalnum() for word in words[first:end] for c in word)
    return (first, end) if says_something else None
