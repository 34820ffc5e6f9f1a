"""What a question asks of tables: a cell, a difference, a mean, a sum, a count, the largest."""

import re
from dataclasses import dataclass

from hlg.retrieval.answers.cells.table import years
from hlg.retrieval.answers.words import keys

LOOK_UP, DIFFERENCE, PERCENT, MEAN, SUM, COUNT = (
    "look up", "difference", "percentage change", "mean", "sum", "count"
)  # fmt: skip
WHEN, WHICH = "when", "which"
"""Which column of a row, and which row of a column, has the largest or the smallest number."""
_CHANGE = r"(?:chang|increas|decreas|declin|differen|grow|growth|reduc|ris)\w*"
_PERCENT = re.compile(
    rf"(?i)\b(?:percent(?:age)?s?|per cent|%)(?: of)? \(?{_CHANGE}|%\s?{_CHANGE}"
    rf"|{_CHANGE}\b[^?]{{0,60}}\b(?:in percent|percent(?:age)?-?wise|in %)|\bgrowth rate\b"
)
_DIFFERENCE = re.compile(rf"(?i)\b{_CHANGE}")
_BETWEEN = re.compile(
    r"(?i)\b(?:between|from|compared (?:to|with)|over|since|relative to|versus)\b"
)
_MEAN = re.compile(r"(?i)\b(?:average|mean)\b")
_SUM = re.compile(r"(?i)\b(?:sum|combined|altogether|in total|total)\b")
_PLAIN_SUM = re.compile(r"(?i)\b(?:sum|combined|altogether|in total)\b")
_COUNT = re.compile(
    r"(?i)\bhow many (?P<what>\w+)(?:.*?)\b(?:(?P<above>exceed\w*|above|over|more than|greater than"
    r"|larger than|higher than)|(?P<below>below|under|less than|lower than|fewer than"
    r"|smaller than))\s+(?P<limit>[^?]*\d[^?]*)"
)
_MORE = re.compile(
    r"(?i)\b(?:larg|high|great|bigg|tall|long|heavi|old|fast|late|deep|broad|wid|strong)\w*(?:er|est)\b"
    r"|\b(?:most|more|best|maximum|peak)\b"
)
_LESS = re.compile(
    r"(?i)\b(?:small|low|few|short|light|young|slow|early|earli|cheap|narrow)\w*(?:er|est)\b"
    r"|\b(?:least|less|worst|minimum)\b"
)
_OF_TIME = re.compile(
    r"(?i)\b(?:which|what)\b[^?]{0,20}?\b(?:year|quarter|period|month|date)s?\b|\bwhen (?:was|were)\b"
)
_ASKS_WHICH = re.compile(r"(?i)\b(?:which|what|who)\b")
_RESPECTIVE = re.compile(r"(?i)\brespective(?:ly)?\b")
_OPERATING = frozenset(
    keys(
        "change increase decrease difference percentage percent average mean sum between respectively "
        "respective year years fiscal what which much many value amount number total compare"
    )
)
"""Words that say how to work it out and not what of."""
_MONTHS = re.compile(
    r"(?i)\b(?:january|february|march|april|may|june|july|august|september|october|november"
    r"|december|q[1-4]|(?:first|second|third|fourth) quarter)\b"
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is worked out; of what, by keys of words; for which years, in the order asked."""

    how: str
    words: tuple[str, ...]
    years: tuple[str, ...] = ()
    is_least: bool = False
    limit: float = 0.0
    is_below: bool = False
    several: bool = False
    """Whether each of the years is asked for."""
    is_span: bool = False
    """Whether years between the first and the last count as well."""

    @property
    def is_worked_out(self) -> bool:
        """Whether no cell by itself answers."""
        return self.how in (DIFFERENCE, PERCENT, MEAN, SUM, COUNT)


def wanted(question: str) -> Wanted:
    """What a question asks of tables.

    >>> wanted("What was the percentage change in revenue between 2018 and 2019?").how
    'percentage change'
    >>> wanted("Which town has the largest population?").how
    'which'
    """
    asked = tuple(years(question))
    words = tuple(key for key in dict.fromkeys(keys(question)) if key not in asked)
    several = len(asked) > 1 or _RESPECTIVE.search(question) is not None
    is_span = (
        re.search(r"(?:from|between) .*?(?:19|20)\d\d (?:to|through|-) ", question) is not None
    )
    base = Wanted(LOOK_UP, words, asked, several=several, is_span=is_span)
    if found := _COUNT.search(question):
        limit = _limit(found["limit"])
        if limit is not None:
            return _as(base, COUNT, limit=limit, is_below=bool(found["below"]))
    compares = len(asked) > 1 and not _RESPECTIVE.search(question)
    if _PERCENT.search(question) and (compares or _BETWEEN.search(question)):
        return _as(base, PERCENT)
    if _DIFFERENCE.search(question) and compares and _BETWEEN.search(question):
        return _as(base, DIFFERENCE)
    if _MEAN.search(question) and compares:
        return _as(base, MEAN)
    if compares and (_PLAIN_SUM.search(question) or (is_span and _SUM.search(question))):
        return _as(base, SUM)
    least, most = _LESS.search(question), _MORE.search(question)
    if (least or most) and _ASKS_WHICH.search(question):
        how = WHEN if _OF_TIME.search(question) else WHICH
        return _as(base, how, is_least=bool(least) and not most)
    return base


def _as(base: Wanted, how: str, **more: float | bool) -> Wanted:
    from dataclasses import replace

    words = tuple(key for key in base.words if key not in _OPERATING)
    return replace(base, how=how, words=words or base.words, **more)  # type: ignore[arg-type]


def _limit(text: str) -> float | None:
    from hlg.retrieval.answers.shapes import number_of

    return number_of(text)


def months(text: str) -> frozenset[str]:
    """The months and quarters that a text names."""
    return frozenset(match.lower() for match in _MONTHS.findall(text))
