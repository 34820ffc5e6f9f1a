"""What a question asks of tables: a cell, a difference, a mean, a sum, a count, the largest."""

import re
from dataclasses import dataclass, replace

from hlg.retrieval.answers.cells.table import years
from hlg.retrieval.answers.shapes import number_of
from hlg.retrieval.answers.words import GROUP, keys

LOOK_UP, DIFFERENCE, PERCENT, MEAN, SUM, COUNT = (
    "look up", "difference", "percentage change", "mean", "sum", "count"
)  # fmt: skip
WHEN, WHICH, YEARS, LIMITED = "when", "which", "years", "limited"
"""Which column of a row, and which row of a column, has the largest or the smallest number;
which years a table has; in which of them a row is above or below a limit."""
SHARE, RATIO, PAIR_DIFFERENCE, PAIR_SUM = "share", "ratio", "difference of two", "sum of two"
"""What the cells of two rows come to."""
_CHANGE = r"(?:chang|increas|decreas|declin|differen|grow|growth|reduc|ris)\w*"
_PERCENT = re.compile(
    rf"(?i)\b(?:percent(?:age)?s?|per cent|%)(?: of)? \(?{_CHANGE}|%\s?{_CHANGE}"
    rf"|{_CHANGE}\b[^?]{{0,60}}\b(?:in percent|percent(?:age)?-?wise|in %)|\bgrowth rate\b"
)
_DIFFERENCE = re.compile(rf"(?i)\b{_CHANGE}")
_ASKING = frozenset(keys("what which value amount much many is was are were"))
_MEAN = re.compile(r"(?i)\b(?:average|mean)\b")
_SUM = re.compile(r"(?i)\b(?:sum|combined|altogether|in total|total)\b")
_LIMIT = re.compile(
    r"(?i)\b(?:(?P<above>exceed\w*|above|over|more than|greater than"
    r"|larger than|higher than)|(?P<below>below|under|less than|lower than|fewer than"
    r"|smaller than))\s+(?P<limit>[^?]*\d[^?]*)"
)
_COUNT = re.compile(r"(?i)\bhow many \w+")
_GIVEN = re.compile(
    r"(?i)\b(?:provid|includ|present|report|calculat|record|contain|cover|show|recogni[sz]|given)\w*"
)
_PAIRS = (
    (RATIO, re.compile(r"(?i)\bratio of (?P<a>.+?) to (?P<b>.+)")),
    (
        SHARE,
        re.compile(
            r"(?i)(?P<a>.+?) (?:expressed )?as (?:a )?(?:percentage|percent|%|share) (?:of|to) "
            r"(?P<b>.+)"
        ),
    ),
    (
        SHARE,
        re.compile(
            r"(?i)\b(?:percentage|percent) of (?P<b>.+?) (?:is|was|are|were|that (?:is|was))"
            r"(?: (?:made up of|from|attributable to|comprised of|due to))? (?P<a>.+)"
        ),
    ),
    (
        SHARE,
        re.compile(
            r"(?i)\b(?:percentage|percent|share) of (?P<a>.+?) (?:out of|over|to|in) (?P<b>.+)"
        ),
    ),
    (RATIO, re.compile(r"(?i)\bproportion of (?P<a>.+?) (?:out of|over|to|in|against) (?P<b>.+)")),
    (
        PAIR_DIFFERENCE,
        re.compile(r"(?i)\bdifference (?:in|of) (?P<x>.+?) between (?P<a>.+?) and (?P<b>.+)"),
    ),
    (PAIR_DIFFERENCE, re.compile(r"(?i)\bdifference (?:between|in) (?P<a>.+?) and (?P<b>.+)")),
    (PAIR_SUM, re.compile(r"(?i)\bsum of (?P<a>.+?) and (?P<b>.+)")),
)
"""How two things are set against each other; the first that a question has counts."""
_MORE = re.compile(
    r"(?i)\b(?:larg|high|great|bigg|tall|long|heavi|old|fast|late|deep|broad|wid|strong)\w*(?:er|est)\b"
    r"|\b(?:most|more|best)\b"
)
_LESS = re.compile(
    r"(?i)\b(?:small|low|few|short|light|young|slow|early|earli|cheap|narrow)\w*(?:er|est)\b"
    r"|\b(?:least|less|worst)\b"
)
_OF_TIME = re.compile(
    r"(?i)\b(?:which|what)\b[^?]{0,20}?\b(?:year|quarter|period|month|date)s?\b"
    r"|\bwhen (?:was|were)\b"
)
_ASKS_WHICH = re.compile(r"(?i)\b(?:which|what|who)\b")
_ASKS_FOR_ALL = re.compile(
    r"(?i)\W*(?:which|what)\b(?! (?:is|are|was|were|do|does|did)\b)"
    r"(?![^?]*\b(?:not|no|without|free)\b)"
)
_RESPECTIVE = re.compile(r"(?i)\brespective(?:ly)?\b")
_OPERATING = frozenset(
    keys(
        "change increase decrease difference percentage percent average mean sum between "
        "respectively respective year years fiscal what which much many value amount number total "
        "compare"
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
    of_rows: bool = False
    """Whether rows are asked for, by what holds of them."""
    pair: tuple[tuple[str, ...], ...] = ()
    """The words of two things that are set against each other."""

    @property
    def is_worked_out(self) -> bool:
        """Whether no cell by itself answers."""
        return self.how in _WORKED_OUT


_WORKED_OUT = frozenset(
    (DIFFERENCE, PERCENT, MEAN, SUM, COUNT, SHARE, RATIO, PAIR_DIFFERENCE, PAIR_SUM)
)


def wanted(question: str) -> Wanted:
    """What a question asks of tables.

    >>> wanted("What was the percentage change in revenue between 2018 and 2019?").how
    'percentage change'
    >>> wanted("Which town has the largest population?").how
    'which'
    """
    asked = tuple(years(question))
    said = dict.fromkeys(keys(question))
    words = tuple(key for key in said if key not in asked and key not in _ASKING)
    several = len(asked) > 1 or _RESPECTIVE.search(question) is not None
    is_span = (
        re.search(r"(?:from|between) .*?(?:19|20)\d\d (?:to|through|-) ", question) is not None
    )
    of_rows = _ASKS_FOR_ALL.match(question) is not None
    base = Wanted(LOOK_UP, words, asked, several=several, is_span=is_span, of_rows=of_rows)
    compares = len(asked) > 1 and not _RESPECTIVE.search(question)
    limited = _LIMIT.search(question)
    limit = number_of(limited["limit"]) if limited else None
    if limited and limit is not None and (_COUNT.search(question) or _OF_TIME.search(question)):
        how = COUNT if _COUNT.search(question) else LIMITED
        words = keys(question[: limited.start()])
        found = replace(base, words=words, limit=limit, is_below=bool(limited["below"]))
        return _as(found, how)
    if _OF_TIME.search(question) and _GIVEN.search(question):
        return _as(base, YEARS)
    if _PERCENT.search(question) and (compares or not asked):
        return _as(base, PERCENT)
    if not compares and (pair := _pair(base, question)):
        return pair
    if _DIFFERENCE.search(question) and compares:
        return _as(base, DIFFERENCE)
    if _MEAN.search(question) and (compares or not asked):
        return _as(base, MEAN)
    if compares and _SUM.search(question):
        return _as(base, SUM)
    least, most = _LESS.search(question), _MORE.search(question)
    if (least or most) and _ASKS_WHICH.search(question):
        how = WHEN if _OF_TIME.search(question) else WHICH
        rest = keys(_MORE.sub(" ", _LESS.sub(" ", question)))
        # "cheapest" says of what: of prices.
        words = tuple(key for key in base.words if key in rest or key.startswith(GROUP))
        return _as(replace(base, words=words, is_least=bool(least) and not most), how)
    return base


def _pair(base: Wanted, question: str) -> Wanted | None:
    """What is wanted of two things that a question names."""
    for how, pattern in _PAIRS:
        if found := pattern.search(question):
            parts = found.groupdict()
            shared = keys(parts.get("x") or "")
            pair = tuple(
                tuple(
                    key
                    for key in dict.fromkeys((*keys(parts[name]), *shared))
                    if key not in base.years and key not in _ASKING
                )
                for name in ("a", "b")
            )
            return replace(base, how=how, pair=pair) if all(pair) else None
    return None


def _as(base: Wanted, how: str) -> Wanted:
    words = tuple(key for key in base.words if key not in _OPERATING)
    return replace(base, how=how, words=words or base.words)


def months(text: str) -> frozenset[str]:
    """The months and quarters that a text names."""
    return frozenset(match.lower() for match in _MONTHS.findall(text))
