"""Which of two things, and yes or no: questions that compare what is said of the things named.

"Who was born first, A or B?" sets the dates of two things against each other; "Which film has
the director who died earlier, A or B?" those of what two facts lead to. "Are A and B from the
same country?" compares what the two are said to be. Of one thing alone nothing is concluded:
whether a sentence with the question's words says yes or no is for whoever reads it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hlg.names import normalize_name
from hlg.retrieval.answers.asked import YES_NO, Asked
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.shapes import DAY, FIGURE, YEAR, number_of, shapes, time_of
from hlg.retrieval.answers.words import keys
from hlg.retrieval.arrays.passages import subject
from hlg.words import sections

_ROLES = re.compile(
    r"\b(directors?|composers?|performers?|authors?|singers?|writers?|creators?|producers?)\b",
    re.IGNORECASE,
)
_BORN = re.compile(r"\b(?:born|birth|older|oldest|younger|youngest|elder)\b", re.IGNORECASE)
_DIED = re.compile(r"\b(?:die[ds]?|death|dead)\b", re.IGNORECASE)
_BEGAN = frozenset(
    keys("founded built opened launched lit started established begun born released")
)
"""What says when a thing began."""
_SAME_COUNTRY = re.compile(
    r"\b(?:countr(?:y|ies)|nationality|nationalities|nation)\b", re.IGNORECASE
)
_SAME = re.compile(r"\b(?:same|both|share|also)\b", re.IGNORECASE)
_LIFE = re.compile(r"\(([^()]*\d{3,4}[^()]*)\)")
_COUNTRY_OF = {
    word.replace("-", " "): country
    for country, found in sections("countries").items()
    for word in (country.replace(" ", "-"), *found)
}
_COUNTRY = re.compile(
    r"\b(?:" + "|".join(sorted(map(re.escape, _COUNTRY_OF), key=len, reverse=True)) + r")(?!\w)",
    re.IGNORECASE,
)

_Value = tuple[tuple[float, ...] | None, int]
"""What a thing is compared by, and the place of the statement that says it; None and -1 where
none does."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a comparison comes to, and the statements, by place, that it rests on."""

    text: str
    places: tuple[int, ...]


def compare(question: str, asked: Asked, evidence: Sequence[EvidenceStatement]) -> Verdict | None:
    """The answer to a question that compares; None where the evidence does not say."""
    about = _About(evidence)
    if asked.choices:
        return _choose(question, asked, about)
    if asked.kind == YES_NO:
        return _yes_or_no(question, about)
    return None


class _About:
    """Which statements are about what: by the title of their source."""

    def __init__(self, evidence: Sequence[EvidenceStatement]) -> None:
        self.evidence = evidence
        self.by_title: dict[str, list[int]] = {}
        self._full: dict[str, list[int]] = {}
        for place, statement in enumerate(evidence):
            full = normalize_name(statement.passage.source.title)
            self.by_title.setdefault(subject(full), []).append(place)
            self._full.setdefault(full, []).append(place)

    def places(self, name: str) -> list[int]:
        """The statements about a thing, in the text's order."""
        key = normalize_name(name)
        found = self._full.get(key) or self.by_title.get(subject(key)) or []
        if not found:
            words = set(subject(key).split())
            near = [
                title
                for title in self.by_title
                if words
                and (words <= set(title.split()) or set(title.split()) <= words)
                and len(words & set(title.split())) >= min(2, len(words))
            ]
            found = self.by_title[min(near, key=len)] if near else []
        if not found:
            found = [
                place
                for place, statement in enumerate(self.evidence)
                if key and key in normalize_name(statement.passage.text)
            ]
        return sorted(found, key=lambda place: self.evidence[place].passage.start)

    def text(self, place: int) -> str:
        return self.evidence[place].passage.text

    def of_role(self, places: Sequence[int], role: str) -> tuple[list[int], int]:
        """The statements about whoever has a role in what some statements are about, and the
        place of the statement that says who that is; -1 where none does."""
        wanted = set(keys(role))
        for place in places:
            for fact in self.evidence[place].facts:
                if wanted & set(keys(fact.predicate)) and not fact.is_value:
                    for name in (fact.object, fact.subject):
                        found = self.by_title.get(subject(normalize_name(name)))
                        if found and found != list(places):
                            return self.places(name), place
            for entity in self.evidence[place].entities:
                text = self.text(place)
                at = text.find(entity.name)
                if at > 0 and wanted & set(keys(text[max(0, at - 40) : at])):
                    found = self.by_title.get(subject(normalize_name(entity.name)))
                    if found:
                        return self.places(entity.name), place
        return [], -1


def _choose(question: str, asked: Asked, about: _About) -> Verdict | None:
    values, places = [], []
    for choice in asked.choices:
        own = about.places(choice)
        role = _ROLES.search(question) if asked.noun not in ("", "person") else None
        via: tuple[int, ...] = ()
        if role is not None and not _ROLES.search(asked.noun):
            theirs, said_at = about.of_role(own, role.group())
            own, via = (theirs, (said_at,)) if said_at >= 0 else ([], ())
        value, place = _value(question, asked.order, own, about)
        values.append(value)
        places += [*via, *([place] if place >= 0 else [])]
    one, other = values
    if one is None or other is None or one == other:
        return None
    # The younger was born later; who lived longer was born as early as he was.
    first = one < other
    if asked.order in ("later", "more"):
        first = not first
    return Verdict(asked.choices[0 if first else 1], tuple(dict.fromkeys(places)))


def _value(question: str, order: str, places: Sequence[int], about: _About) -> _Value:
    if order in ("earlier", "later"):
        return _time(question, places, about)
    if order in ("more", "less"):
        return _amount(question, places, about)
    asked = set(keys(question))
    best = max(
        ((float(len(asked & set(keys(about.text(place))))), place) for place in places),
        default=None,
    )
    return ((-best[0],), best[1]) if best else (None, -1)


def _time(question: str, places: Sequence[int], about: _About) -> _Value:
    if not places:
        return None, -1
    event = "born" if _BORN.search(question) else "died" if _DIED.search(question) else ""
    for place in places:
        for fact in about.evidence[place].facts:
            is_event = event and event in fact.predicate.split() and fact.is_value
            if is_event and (time := time_of(fact.object)) is not None:
                return time, place
    if event:
        for place in places[:2]:
            if life := _LIFE.search(about.text(place)):
                times = _times(life.group(1))
                if event == "born" and times:
                    return times[0], place
                if event == "died" and len(times) > 1:
                    return times[-1], place
    wanted = set(keys(question)) - set(keys(about.evidence[places[0]].passage.source.title))
    dated = [(place, times) for place in places if (times := _times(about.text(place)))]
    if not dated:
        return None, -1
    wanted |= _BEGAN
    place, times = max(dated, key=lambda each: len(wanted & set(keys(about.text(each[0])))))
    if dated[0][0] == places[0]:
        place, times = dated[0]
    return times[0], place


def _times(text: str) -> list[tuple[int, int, int]]:
    found = sorted(
        (shaped for shaped in shapes(text) if shaped.shape in (DAY, YEAR)),
        key=lambda shaped: shaped.start,
    )
    times = (time_of(text[shaped.start : shaped.end]) for shaped in found)
    return [time for time in times if time is not None]


def _amount(question: str, places: Sequence[int], about: _About) -> _Value:
    wanted = set(keys(question))
    best: tuple[int, float, int] | None = None
    for place in places:
        text = about.text(place)
        shared = len(wanted & set(keys(text)))
        for shaped in shapes(text):
            number = number_of(text[shaped.start : shaped.end])
            if shaped.shape == FIGURE and number is not None and (best is None or shared > best[0]):
                best = (shared, number, place)
    return ((best[1],), best[2]) if best and best[0] else (None, -1)


def _yes_or_no(question: str, about: _About) -> Verdict | None:
    asked = f" {normalize_name(question)} "
    things = [title for title in about.by_title if title and f" {title} " in asked]
    things = [
        each for each in things if not any(each != x and f" {each} " in f" {x} " for x in things)
    ]
    if len(things) < 2:
        return None
    role = _ROLES.search(question)
    groups, via = [], []
    for thing in things[:2]:
        places = about.places(thing)
        if role is not None:
            theirs, said_at = about.of_role(places, role.group())
            if said_at >= 0:
                via.append(said_at)
                places = theirs
        groups.append(places)
    if _SAME_COUNTRY.search(question) and _SAME.search(question):
        return _same_country(groups, via, about)
    return _holds(question, things, groups, via, about)


def _same_country(
    groups: Sequence[Sequence[int]], via: Sequence[int], about: _About
) -> Verdict | None:
    found = []
    for places in groups:
        told = ((_countries(about.text(place)), place) for place in places[:3])
        first = next((each for each in told if each[0]), None)
        if first is None:
            return None
        found.append(first)
    same = bool(found[0][0] & found[1][0])
    return Verdict("yes" if same else "no", tuple(dict.fromkeys([*via, *(p for _, p in found)])))


def _countries(text: str) -> set[str]:
    return {_COUNTRY_OF[word.lower()] for word in _COUNTRY.findall(text)}


def _holds(
    question: str,
    things: Sequence[str],
    groups: Sequence[Sequence[int]],
    via: Sequence[int],
    about: _About,
) -> Verdict | None:
    """Yes where what is said of each thing has the words that the question adds to it."""
    named = {key for thing in things for key in keys(thing)}
    wanted = set(keys(_SAME.sub(" ", question))) - named
    if not wanted:
        return None
    places, shares = [], []
    for own in groups:
        said = {key for place in own for key in keys(about.text(place))}
        shares.append(len(wanted & said) / len(wanted))
        if own:
            best = max(own, key=lambda place: (len(wanted & set(keys(about.text(place)))), -place))
            places.append(best)
    verdict = "yes" if min(shares) >= 0.5 else "no"
    return Verdict(verdict, tuple(dict.fromkeys([*via, *places])))
