"""When somebody was born and died, from the parenthesis after a name."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from hlg.ingest.extract.local.drafts import DraftFact
from hlg.ingest.extract.local.names.votes import GIVEN
from hlg.words.lexicon import PERSON, THING

if TYPE_CHECKING:
    from hlg.ingest.extract.local.names.resolved import ResolvedSentence

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*\.?"
_YEAR = r"(?:c\. ?|circa )?\d{3,4}(?: BC| AD| BCE| CE)?"
_DATE = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)? {_MONTH},? {_YEAR}|{_MONTH} \d{{1,2}}, {_YEAR}"
    rf"|{_MONTH} {_YEAR}|{_YEAR})"
)
_SPAN = re.compile(rf"({_DATE})\s*(?:-|–|—)+\s*({_DATE})\s*$")
_BORN = re.compile(rf"(?:\bborn|\bb\.)[^\d()]*?({_DATE})")
_DIED = re.compile(rf"(?:\bdied|\bd\.)[^\d()]*?({_DATE})")
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
