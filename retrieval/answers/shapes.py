"""Dates, numbers and names by their shape, and what dates and numbers can be compared by."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from hlg.words import sections

DAY, YEAR, FIGURE, RUN, QUOTED = "day", "year", "figure", "run", "quoted"
"""A date with day or month; a year; a number or amount; a run of capitals; what is in quotes."""

MONTHS = sections("calendar")["months"]
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b(?:\.(?= \d))?"
)
_DAY_OF_MONTH = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR_NUMBER = r"(?:1\d{3}|20\d{2})"
_DATE = re.compile(
    rf"\b(?:{_DAY_OF_MONTH} (?:of )?{_MONTH},? {_YEAR_NUMBER}|{_MONTH} {_DAY_OF_MONTH},? "
    rf"{_YEAR_NUMBER}|{_MONTH},? {_YEAR_NUMBER}|{_DAY_OF_MONTH} (?:of )?{_MONTH}"
    rf"|{_MONTH} {_DAY_OF_MONTH}\b|\d{{4}}-\d{{2}}-\d{{2}})"
)
_YEARS = re.compile(
    rf"\b(?:(?:mid|early|late)-? ?)?(?:the )?{_YEAR_NUMBER}s\b|\b{_YEAR_NUMBER}\b"
    r"|\b\d{1,2}(?:st|nd|rd|th)[- ]century\b|\b\d{3,4} (?:BCE?|AD|CE)\b"
)
_NUMBER_WORDS, _TENS = sections("numbers").values()
_VALUES = {word: i for i, word in enumerate(_NUMBER_WORDS, 1)} | {
    word: 10 * i for i, word in enumerate(_TENS, 2)
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SPELT = rf"(?:{'|'.join(_TENS)})(?:-(?:{'|'.join(_NUMBER_WORDS[:9])}))?|{'|'.join(_NUMBER_WORDS)}"
_SCALE = rf"(?: (?:{'|'.join(_SCALES)}))*"
_FIGURE = re.compile(
    rf"[$€£¥]? ?\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th)?{_SCALE}(?: ?%| per ?cent| percent)?"
    rf"|\b(?:{_SPELT}){_SCALE}\b|\b(?:a )?(?:hundred|thousand|million)\b",
    re.IGNORECASE,
)
_UNIT = re.compile(
    r"[- ]?(?:square |nautical |cubic )?(?:kilometres?|kilometers?|km²?|metres?|meters?|miles?|mi"
    r"|feet|foot|ft|inch(?:es)?|acres?|hectares?|tons?|tonnes?|kg|pounds?|years?|months?|weeks?"
    r"|days?|hours?|minutes?|seconds?|m|mph|km/h|°[CF])\b"
)
_JOINT = r"(?:of|the|de|la|le|von|van|der|den|du|di|da|and|&|al|el|bin|ibn|for|in|on|y|e)"
_CAPITAL = r"(?:[A-Z]\.)+|[A-Z][\w'’&.-]*[\w]|[A-Z]"
_RUN = re.compile(rf"(?:{_CAPITAL})(?:,? (?:Jr|Sr|Inc)\.|(?: {_JOINT}){{0,2}} (?:{_CAPITAL}))*")
_QUOTED = re.compile(r"[\"“]([^\"“”]{2,80})[\"”]")
_PLAIN_YEAR = re.compile(_YEAR_NUMBER)
_ISO_DATE = re.compile(rf"(?<![\d-]){_YEAR_NUMBER}-(\d{{2}})(?:-(\d{{2}}))?(?![\d-])")
_NUMBER_DATE = re.compile(r"(?<![\d./])(\d{1,2})([./])(\d{1,2})\2(?:\d{2}|\d{4})(?![\d./])")
MOST_DAYS = 31
"""Of a month."""


@dataclass(frozen=True, slots=True)
class Shaped:
    """The characters ``[start, end)`` of a text, and what they look like."""

    start: int
    end: int
    shape: str


def shapes(text: str) -> Iterator[Shaped]:
    """Dates, then years and numbers outside them, then runs of capitals, then quotations.

    >>> [(s.shape, "It cost $3 million on 4 May 1998."[s.start:s.end])
    ...  for s in shapes("It cost $3 million on 4 May 1998.")]
    [('day', '4 May 1998'), ('figure', '$3 million'), ('run', 'It'), ('run', 'May')]
    """
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        return all(end <= first or last <= start for first, last in taken)

    for shape, pattern in ((DAY, _DATE), (YEAR, _YEARS), (FIGURE, _FIGURE)):
        for match in pattern.finditer(text):
            start, end = match.span()
            start += len(match.group()) - len(match.group().lstrip())
            if not free(start, end):
                continue
            taken.append((start, end))
            yield Shaped(start, end, shape)
            if shape == FIGURE and (unit := _UNIT.match(text, end)):
                yield Shaped(start, unit.end(), FIGURE)
    for match in _RUN.finditer(text):
        yield Shaped(match.start(), match.end(), RUN)
    for match in _QUOTED.finditer(text):
        yield Shaped(match.start(1), match.end(1), QUOTED)


def worded_dates(text: str) -> str:
    """The days and months that dates in numbers tell, in words; both where it is not said which
    number is the month.

    >>> worded_dates("2024-03, 2024-06-01 and 22/06/2024"), worded_dates("02/06/24")
    ('march june 1 june 22', 'june 2 february 6')
    """
    told = [(month, day or "0") for month, day in _ISO_DATE.findall(text)]
    for first, mark, second in _NUMBER_DATE.findall(text):
        told += [(second, first), (first, second)] if mark == "/" else [(second, first)]
    return " ".join(
        f"{MONTHS[int(month) - 1]} {int(day) or ''}".strip()
        for month, day in told
        if 1 <= int(month) <= len(MONTHS) and int(day) <= MOST_DAYS
    )


def time_of(text: str) -> tuple[int, int, int] | None:
    """Year, month and day of a date, 0 for what it leaves out; None where it has no year.

    >>> time_of("3 May 1904"), time_of("the 1890s"), time_of("May")
    ((1904, 5, 3), (1890, 0, 0), None)
    """
    year = _PLAIN_YEAR.search(text)
    if year is None:
        return None
    lowered = text.lower()
    month = next((i for i, name in enumerate(MONTHS, 1) if re.search(rf"\b{name[:3]}", lowered)), 0)
    days = re.findall(r"\b(\d{1,2})(?:st|nd|rd|th)?\b", text)
    return int(year.group()), month, int(days[0]) if days and month else 0


def number_of(text: str) -> float | None:
    """The number that a figure stands for; None where it can't be read.

    >>> number_of("$3.5 million"), number_of("thirty-eight metres"), number_of("4,209")
    (3500000.0, 38.0, 4209.0)
    """
    lowered = text.lower()
    scale = prod((factor for word, factor in _SCALES.items() if word in lowered), start=1.0)
    if figure := re.search(r"\d[\d,]*(?:\.\d+)?", lowered):
        return float(figure.group().replace(",", "")) * scale
    words = [word for word in re.findall(r"[a-z]+", lowered) if word in _VALUES]
    if words:
        return float(sum(_VALUES[word] for word in words)) * scale
    return scale if scale > 1 else None
