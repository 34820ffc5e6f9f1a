"""When and where somebody was born and died, from the parenthesis after a name."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hlg.ingest.extract.local.drafts import DraftFact
from hlg.ingest.extract.local.names.votes import GIVEN, TOLD
from hlg.words.lexicon import PERSON, PLACE, THING

if TYPE_CHECKING:
    from hlg.ingest.extract.local.names.resolved import ResolvedSentence

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_YEAR = r"(?:c\. ?|circa )?\d{3,4}(?: BC| AD| BCE| CE)?"
_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? {_YEAR}|{_MONTH} \d{{1,2}}, {_YEAR}"
    rf"|{_MONTH} {_YEAR}|{_YEAR})"
)
_IN = r"(?:(?:,| in|, in) [^\W\d_][^\d()–—]*)?"
_SPAN = re.compile(rf"({_DATE}){_IN}\s*(?:-|–|—)+\s*({_DATE}){_IN}\s*$")
_BORN = re.compile(rf"(?:\bborn|\bb\.)[^\d()]*?({_DATE})")
_DIED = re.compile(rf"(?:\bdied|\bd\.)[^\d()]*?({_DATE})")
_ENDS_DATE = re.compile(r"\d{3,4}|BCE?|AD|CE")
_TO = frozenset(("-", "–", "—", "died", "d."))
_DAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?\b")


def life_facts(resolved: "ResolvedSentence") -> Iterator[tuple[int, DraftFact]]:
    """ "Denise Levertov (24 October 1923 – 20 December 1997)": facts, each with a token."""
    words, names = resolved.sentence.words, resolved.names
    for mention, key in zip(resolved.mentions, resolved.mention_keys, strict=True):
        opening = mention.end
        if key is None or words[opening : opening + 1] != ["("] or ")" not in words[opening:]:
            continue
        known = " " in mention.name or mention.votes == GIVEN or key == resolved.focus.title
        if names.class_of(key) not in (PERSON, THING) or not known:
            continue  # a source's years, "MEDLINE (1948-2011)", are nobody's life
        closing = words.index(")", opening)
        for predicate, date in life_dates(resolved.sentence.text(opening + 1, closing)):
            names.vote(key, PERSON)
            yield opening, DraftFact(key, predicate, None, date)
            yield from _places(resolved, key, predicate.split()[0], opening, closing)


def _places(
    resolved: "ResolvedSentence", person: str, verb: str, opening: int, closing: int
) -> Iterator[tuple[int, DraftFact]]:
    """Where it was, if a name follows a date: "4 March 1811, Varsk", "1811 in Varsk"."""
    words = resolved.sentence.words
    for mention, place in zip(resolved.mentions, resolved.mention_keys, strict=True):
        at = mention.first
        follows = opening + 2 < at < closing and words[at - 1] in (",", "in", "at")
        if place is None or not follows or not _ENDS_DATE.fullmatch(words[at - 2]):
            continue
        if (verb == "died") == (not _TO.isdisjoint(words[opening:at])):
            resolved.names.vote(place, PLACE, TOLD)
            yield at, DraftFact(person, f"{verb} in", place, None)


def life_dates(parenthesis: str) -> Iterator[tuple[str, str]]:
    """Predicate and date for each that a parenthesis tells.

    "24 October 1923 – 20 December 1997" gives ("born on", "24 October 1923") and
    ("died on", "20 December 1997"); a year alone is what somebody was born "in".
    """
    if span := _SPAN.search(parenthesis):
        yield _dated("born", span.group(1))
        yield _dated("died", span.group(2))
        return
    for verb, pattern in (("born", _BORN), ("died", _DIED)):
        if match := pattern.search(parenthesis):
            yield _dated(verb, match.group(1))


def _dated(verb: str, date: str) -> tuple[str, str]:
    return f"{verb} {'on' if _DAY.search(date) else 'in'}", date
