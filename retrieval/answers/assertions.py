"""What a text asserts word by word: what it denies, which of two opposites it says, and of whom.

A rule of thumb for one sentence at a time, without a parse: a denial reaches the next words,
what is said is said of what stands nearest. It is made to find a claim that turns a source
into its opposite, and to keep quiet where it can't tell.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from hlg.lexical.analysis import analyze
from hlg.retrieval.answers.words import keys
from hlg.words import sections, word_set

SAID, UNSURE, DENIED = 0, 1, 2
"""What a denial is about is the next word, or a later one of its clause."""
NOUNS = 2
"""Words in a row that are taken for one thing where they are no name: "blood pressure"."""
WITHIN = 8
"""Words within which somebody stands that acts or is acted on."""
LED = 2
"""What somebody's acting on counts beside what else stands near."""
ALIKE = 1 / 3
"""Of what stands around a claim's word around the source's, for both to be of the same thing."""
AROUND = 5
"""Words on either side by which two assertions are told to be of the same thing."""

_TOKEN = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$")
_BREAK = re.compile(r"[.!?;:](?!\w)|\n|,\s+(?:but|while|whereas|although)\b")
_DENIES = word_set(
    "not no never nor neither none nobody nothing nowhere without cannot hardly scarcely "
    "barely lack lacks lacked lacking unable unlikely instead rather"
)
_DENIES_TO = ("fail", "refus", "declin", "neglect")
"""Beginnings of what denies what is to be done."""
_NO_DENIAL = word_set("only just merely least more less fewer doubt but matter")
"""After "no" or "not": what is said is said none the less."""
_ENDS_REACH = word_set("but because although while when if after before until")
_PASSED_OVER = word_set("yet also still even ever")
_BE = word_set("is are was were be been being")
_GO = keys("go")
_MOVED = {"up": "rise", "down": "fall"}
"""What goes in a direction."""
_MUTUAL = re.compile(
    r"(?:marr|me+t|join|border|equal|resembl|similar|differ|neighb|link|connect|associat|correlat"
    r"|interact|relat|compar|versus|between|married|sibling|cousin|partner|friend|all[iy])"
)
"""What is true of two things either way round."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A word that a text says or denies.

    ``concept`` is what it is compared by, the same for opposites, which differ in ``pole``;
    ``denial`` is :data:`SAID`, :data:`UNSURE` or :data:`DENIED`.
    ``agent`` and ``patient`` are the keys of what stands nearest on either side, the other way
    round in the passive; empty where nothing does. ``around`` are the keys near it.
    """

    word: str
    concept: str
    pole: int
    denial: int
    agent: frozenset[str]
    patient: frozenset[str]
    around: frozenset[str]

    def agrees(self, other: "Assertion") -> bool:
        """Whether two assertions of one concept, taken to be of the same thing, go together."""
        both = self.agent & self.patient
        is_swapped = bool(
            (self.agent - both) & other.patient and (self.patient - both) & other.agent
        )
        is_opposite = self.pole != other.pole
        if self.denial != other.denial:
            return is_opposite or UNSURE in (self.denial, other.denial)
        if is_opposite:
            return is_swapped
        same_form = self.word == other.word and not _MUTUAL.match(self.word)
        return not (is_swapped and same_form)

    def nearness(self, other: "Assertion") -> int:
        """How much two assertions have around them in common."""
        return len(self.around & other.around) + LED * bool(self.patient & other.patient)


def contradicted(claim: str, source: str) -> str:
    """The first word of a claim of which a source says the contrary; empty where there is none.

    A word is compared with those of the source that have most of its surroundings; where one
    of them goes together with it, or none shares any, nothing is found.

    >>> contradicted("The lamp was not lit in 1871.", "The lamp was first lit in 1871.")
    'lit'
    >>> contradicted("Jonas Wiek taught Adela Stroom.", "Adela Stroom taught Jonas Wiek.")
    'taught'
    >>> contradicted("The fee was not raised in 1902.", "The fee was lowered in 1902.")
    ''
    """
    said: dict[str, list[Assertion]] = {}
    for each in assertions(source):
        said.setdefault(each.concept, []).append(each)
    for each in assertions(claim):
        known = said.get(each.concept, ())
        shared = [each.nearness(other) for other in known]
        most = max(shared, default=-1)
        if most < max(min(1, len(each.around)), len(each.around) * ALIKE):
            continue
        nearest = [o for o, count in zip(known, shared, strict=True) if count >= most - 1]
        if not any(each.agrees(other) for other in nearest):
            return each.word
    return ""


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    keys: tuple[str, ...]
    is_name: bool
    is_possessor: bool


def assertions(text: str) -> Iterator[Assertion]:
    """The words that a text says or denies, but for names, numbers and what only joins words."""
    for sentence in _sentences(text):
        denied = _denials(sentence)
        for place, token in enumerate(sentence):
            if token.is_name or token.word[:1].isdigit():
                continue
            roles, around = _roles(sentence, place), _around(sentence, place)
            moved = place and sentence[place - 1].keys[:1] == _GO and _MOVED.get(token.word)
            groups = _opposites().get(_stem(moved or token.word), ())
            for concept, pole in groups or [(key, 0) for key in token.keys[:1]]:
                yield Assertion(token.word, concept, pole, denied[place], *roles, around)
            if token.word.startswith(("un", "non")) and not groups:
                yield from _prefixed(token.word, denied[place], around)
            if token.word == "to" and any(each.word == "from" for each in sentence[:place]):
                yield Assertion("to", "to", 0, UNSURE, *roles, around)


def _prefixed(word: str, denial: int, around: frozenset[str]) -> Iterator[Assertion]:
    """An "unlit" as "not lit"."""
    rest = word.removeprefix("un").removeprefix("non").removeprefix("-")
    nobody: frozenset[str] = frozenset()
    for concept in keys(rest)[:1]:
        yield Assertion(word, concept, 0, DENIED - denial, nobody, nobody, around)


def _sentences(text: str) -> Iterator[list[_Token]]:
    sentence: list[_Token] = []
    end = 0
    for match in _TOKEN.finditer(text):
        if sentence and _BREAK.search(text[end : match.end()]):
            yield sentence
            sentence = []
        end = match.end()
        word = _POSSESSIVE.sub("", match.group())
        lowered = word.lower()
        is_name = word[:1].isupper() and bool(sentence)
        possessive = word != match.group()
        sentence.append(_Token(lowered, keys(word), is_name, possessive))
    yield sentence


def _denials(sentence: Sequence[_Token]) -> list[int]:
    """What each word of a sentence is; what is denied twice is said."""
    found = [SAID] * len(sentence)
    for place, token in enumerate(sentence):
        following = sentence[place + 1].word if place + 1 < len(sentence) else ""
        denies = token.word in _DENIES or token.word.endswith(("n't", "n’t"))
        is_meant = following not in _NO_DENIAL and not following[:1].isdigit()
        if (denies and is_meant) or (following == "to" and token.word.startswith(_DENIES_TO)):
            _deny(sentence, place + 1, found)
        if denies and is_meant and token.word == "no":
            done = (at for at in range(place - 1, -1, -1) if _is_meaning(sentence[at]))
            found[next(done, place)] = UNSURE
    return found


def _deny(sentence: Sequence[_Token], start: int, found: list[int]) -> None:
    """Deny the next word with a meaning, and each that follows an "or"; the others perhaps."""
    is_next = True
    for at in range(start, len(sentence)):
        token = sentence[at]
        if token.word in _ENDS_REACH:
            return
        is_next |= token.word in ("or", "nor")
        if not is_next:
            found[at] = UNSURE
        elif _is_meaning(token):
            found[at] = DENIED - found[at]
            is_next = token.is_name or token.word[:1].isdigit()


def _is_meaning(token: _Token) -> bool:
    if token.word.endswith("ly") or token.word in _PASSED_OVER:
        return False
    return bool(token.keys) or _stem(token.word) in _opposites()


def _roles(sentence: Sequence[_Token], place: int) -> tuple[frozenset[str], frozenset[str]]:
    """Of whom a word is said: who does it, and to whom."""
    before = _nearest(sentence, range(place - 1, -1, -1))
    after = _nearest(sentence, range(place + 1, len(sentence)))
    words = [token.word for token in sentence[:place]]
    if words and words[-1] in _BE:
        by = next((at for at in range(place + 1, len(sentence)) if sentence[at].word == "by"), None)
        done_by = _nearest(sentence, range(by + 1, len(sentence))) if by is not None else None
        return done_by or frozenset(), before
    if place and sentence[place - 1].is_possessor:
        return after, before
    return before, after


def _nearest(sentence: Sequence[_Token], places: range) -> frozenset[str]:
    """The keys of the first two words in a row that are no name, and of the first name."""
    nouns: set[str] = set()
    name: set[str] = set()
    left, is_over = NOUNS, False
    for at in places[:WITHIN]:
        token = sentence[at]
        means = bool(token.keys) and not token.word.endswith("ly")
        if name and not token.is_name:
            break
        if means and token.is_name:
            name |= set(token.keys)
        is_over |= bool(nouns) and not means
        if means and not token.is_name and left and not is_over:
            nouns |= set(token.keys)
            left -= 1
    return frozenset(nouns | name)


def _around(sentence: Sequence[_Token], place: int) -> frozenset[str]:
    near = (*sentence[max(0, place - AROUND) : place], *sentence[place + 1 : place + 1 + AROUND])
    return frozenset(key for token in near for key in token.keys)


def _stem(word: str) -> str:
    stems = analyze(word)
    return stems[0] if stems else word


@lru_cache(maxsize=1)
def _opposites() -> dict[str, list[tuple[str, int]]]:
    """By stem the groups of opposites that a word is in, and which of them it is."""
    found: dict[str, list[tuple[str, int]]] = {}
    groups = sections("opposites")
    for number, group in enumerate((*groups["siblings"], *groups["opposites"])):
        for pole, words in enumerate(group.split("|")):
            for stem in {_stem(word) for word in words.split()}:
                found.setdefault(stem, []).append((f"|{number}", pole))
    return found
