"""Whether an answer's citations bear it out, sentence by sentence.

A sentence is borne out where each number in it exists as a source and the cited texts share
what it claims: every quantity in it, every name that the question does not have, most of its
other words (by stem, :data:`LEAST_SHARED` of them), and nothing of which they say the contrary
(:mod:`hlg.retrieval.answers.assertions`). That finds invented figures, names and sources,
other units, sentences about something else, denials, opposites and roles that are swapped in
the source's own words; it does not find a wrong relation in other words.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from hlg.answers import AnswerSentence
from hlg.lexical.analysis import STOP_WORDS, analyze
from hlg.retrieval.answers.assertions import contradicted
from hlg.retrieval.answers.quantities import Quantity, quantities
from hlg.retrieval.answers.words import keys
from hlg.words import sections, word_set
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.known_names import PLACE_NAMES

LEAST_SHARED = 0.5
"""Of a sentence's content words, those of the question aside, in the texts that it cites."""
UNCITED = "not cited"

_LISTED = r"\d{1,3}(?:\s*[-–—,;]\s*\d{1,3})*"
_MARK = re.compile(rf"\s*(?:\[({_LISTED})\]|【({_LISTED})(?:†[^】]*)?】)")
_RANGE = re.compile(r"(\d{1,3})(?:\s*[-–—]\s*(\d{1,3}))?")
_MARKS = rf"(?:\s*(?:\[{_LISTED}\]|【{_LISTED}[^】]*】))*"
_END = re.compile(
    rf"(?<![A-Z.])(?<!\b(?:Dr|Mr|St|vs|Jr|No))(?<!\bMrs)[.!?][\"”’)]*{_MARKS}(?=\s|$)"
)
_CAPITAL = re.compile(r"\b[A-Z][\w'’-]+?(?=['’]s\b|(?![\w'’-]))")
_OPENS = re.compile(r"(?:^|[.!?:]\s|[\"“(])$")
_PAST = {each for verb in sections("english")["irregular verbs"] for each in verb.split()[1:]}
_VERB = re.compile(
    r"['’]s\s|(?:['’]s)?\s+(?:is|was|has|had|did|does|[A-Z]|[a-z]+(?:ed|es)\b|(?:"
    + "|".join(sorted(_PAST - word_set("rose fell grew shrank sank")))
    + r")\b)"
)
"""What follows a name that opens a sentence: a verb without an article before it, a name,
what is its own; amounts rise and fall as well as names."""
_NAMES = GIVEN_NAMES | PLACE_NAMES
_PLURAL_OR_DERIVED = re.compile(r"(?:s|ing|ed|ly|tion|sion|ment|ness|ity|nce|ism|ure)$")
LEAST_COUNTED = 3
"""Numbers in words below it ("one", "the two") may sum up what a source lists."""


@dataclass(frozen=True, slots=True)
class _Cited:
    """What the sources that a sentence names say, in all."""

    keys: frozenset[str]
    words: frozenset[str]
    quantities: tuple[Quantity, ...]
    text: str


def sentences(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """The sentences of an answer without their marks, each with the numbers that it cites.

    Marks count for the sentence that they stand in or directly after.

    >>> sentences("It was lit in 1871 [2]. Jonas Wiek kept it. [3][1]")
    [('It was lit in 1871.', (2,)), ('Jonas Wiek kept it.', (3, 1))]
    """
    bounds = [0, *(match.end() for match in _END.finditer(text)), len(text)]
    found = (text[start:end] for start, end in pairwise(bounds))
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
    numbers: list[int] = []
    for mark in _MARK.finditer(sentence):
        for first, last in _RANGE.findall(mark[1] or mark[2]):
            numbers += range(int(first), max(int(first), int(last or first)) + 1)
    return " ".join(_MARK.sub("", sentence).split()), tuple(dict.fromkeys(numbers))


def _read(texts: Sequence[str]) -> _Cited:
    whole = "\n".join(texts)
    return _Cited(frozenset(keys(whole)), _words(whole), tuple(quantities(whole)), whole)


def _problem(
    sentence: str, cited: _Cited, asked: frozenset[str], asked_words: frozenset[str]
) -> str:
    """What of a sentence the texts that it cites do not say; empty where they say it."""
    claims = quantities(sentence)
    for claim in claims:
        counts = not claim.is_word or claim.value >= LEAST_COUNTED
        is_said = claim.text in asked_words or any(map(claim.equals, cited.quantities))
        if counts and not is_said:
            return f"the source does not say {claim.text}"
    for name in _names(sentence):
        stems = set(analyze(name))
        if stems and not stems & (cited.words | asked_words):
            return f"the source does not name {name}"
    claimed = [key for key in keys(sentence) if key not in asked]
    held = cited.keys.union(*(keys(claim.text) for claim in claims))
    shared = sum(key in held for key in claimed)
    if claimed and shared < LEAST_SHARED * len(claimed):
        return "the source says something else"
    word = contradicted(sentence, cited.text)
    return f"the source says the contrary of {word!r}" if word else ""


def _names(sentence: str) -> list[str]:
    """The words of names; one that opens a sentence is told by what follows it."""
    return [
        match.group()
        for match in _CAPITAL.finditer(sentence)
        if not _OPENS.search(sentence[: match.start()]) or _is_name(sentence, match)
    ]


def _is_name(sentence: str, opening: re.Match[str]) -> bool:
    if opening.group().lower() in _NAMES:
        return True
    following = _VERB.match(sentence, opening.end())
    if following is None:
        return False
    return following.group()[-1].isupper() or not _PLURAL_OR_DERIVED.search(opening.group())


def _words(text: str) -> frozenset[str]:
    return frozenset(analyze(text)) - STOP_WORDS
