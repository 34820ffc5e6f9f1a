"""Whether an answer's citations bear it out, sentence by sentence.

A sentence is borne out where each number in it exists as a source and the cited texts share
what it claims: every figure in it, every name that the question does not have, and most of
its other words (by stem, :data:`LEAST_SHARED` of them). That finds invented figures, names
and sources, and sentences about something else; it does not find a wrong relation between
the right names.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hlg.answers import AnswerSentence
from hlg.lexical.analysis import STOP_WORDS, analyze
from hlg.retrieval.answers.words import keys

__all__ = ["LEAST_SHARED", "checked", "sentences"]

LEAST_SHARED = 0.5
"""Of a sentence's content words, those of the question aside, in the texts that it cites."""
UNCITED = "not cited"

_MARK = re.compile(r"\s*\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")
_NUMBER = re.compile(r"\d{1,3}")
_MARKS = r"(?:\s*\[\d{1,3}(?:\s*[,;]\s*\d{1,3})*\])*"
_END = re.compile(
    rf"(?<![A-Z.])(?<!\b(?:Dr|Mr|St|vs|Jr|No))(?<!\bMrs)[.!?][\"”’)]*{_MARKS}(?=\s|$)"
)
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)(?<![\"“(])\b[A-Z][\w'’-]+")


@dataclass(frozen=True, slots=True)
class _Cited:
    """What the sources that a sentence names say, in all."""

    keys: frozenset[str]
    words: frozenset[str]
    figures: frozenset[str]


def sentences(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """The sentences of an answer without their marks, each with the numbers that it cites.

    Marks count for the sentence that they stand in or directly after.

    >>> sentences("It was lit in 1871 [2]. Jonas Wiek kept it. [3][1]")
    [('It was lit in 1871.', (2,)), ('Jonas Wiek kept it.', (3, 1))]
    """
    found, start = [], 0
    for match in _END.finditer(text):
        found.append(text[start : match.end()])
        start = match.end()
    found.append(text[start:])
    return [_without_marks(each) for each in found if _MARK.sub("", each).strip()]


def checked(question: str, text: str, sources: Mapping[int, str]) -> tuple[AnswerSentence, ...]:
    """The sentences of an answer, each with what is wrong with its citations.

    :param sources: by number what each source says, with its title.
    """
    asked = frozenset(keys(question))
    asked_words = _words(question)
    found = []
    for sentence, numbers in sentences(text):
        known = tuple(dict.fromkeys(number for number in numbers if number in sources))
        unknown = [number for number in numbers if number not in sources]
        problem = ""
        if unknown:
            problem = f"there is no source [{unknown[0]}]"
        elif not known:
            problem = UNCITED
        else:
            cited = _read([sources[number] for number in known])
            problem = _problem(sentence, cited, asked, asked_words)
        found.append(AnswerSentence(sentence, known, problem))
    return tuple(found)


def _without_marks(sentence: str) -> tuple[str, tuple[int, ...]]:
    numbers = [int(number) for mark in _MARK.findall(sentence) for number in _NUMBER.findall(mark)]
    return " ".join(_MARK.sub("", sentence).split()), tuple(dict.fromkeys(numbers))


def _read(texts: Sequence[str]) -> _Cited:
    whole = " ".join(texts)
    return _Cited(frozenset(keys(whole)), _words(whole), frozenset(_figures(whole)))


def _problem(
    sentence: str, cited: _Cited, asked: frozenset[str], asked_words: frozenset[str]
) -> str:
    """What of a sentence the texts that it cites do not say; empty where they say it."""
    for figure in _figures(sentence):
        if figure not in cited.figures and figure not in asked_words:
            return f"the source does not say {figure}"
    for name in _NAME.findall(sentence):
        stems = set(analyze(name))
        if stems and not stems & (cited.words | asked_words):
            return f"the source does not name {name}"
    claimed = [key for key in keys(sentence) if key not in asked]
    shared = sum(key in cited.keys for key in claimed)
    if claimed and shared < LEAST_SHARED * len(claimed):
        return "the source says something else"
    return ""


def _figures(text: str) -> list[str]:
    return [figure.replace(",", "") for figure in _FIGURE.findall(text)]


def _words(text: str) -> frozenset[str]:
    return frozenset(analyze(text)) - STOP_WORDS
