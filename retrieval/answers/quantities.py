"""The numbers of a text, in digits or in words, with what they are counted in."""

import math
import re
from dataclasses import dataclass
from functools import lru_cache

from hlg.retrieval.answers.shapes import DAY, FIGURE, YEAR, number_of, shapes

TOLERANCE = 0.02
"""Two quantities are the same if they differ by no more than this share, as rounded ones do."""
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_SIGN = re.compile(r"[$€£¥%]|per ?cent", re.IGNORECASE)
_AFTER = re.compile(r"[- ]?((?:square|cubic|nautical) )?([A-Za-z°%$€£¥/]+)(?![-\w²³])")
_SPELT_SUM = re.compile(
    r"\b((?:[a-z]+(?:-[a-z]+)? )?(?:hundred|thousand)) (?:and )?([a-z]+(?:-[a-z]+)?)\b(?! hundred)",
    re.IGNORECASE,
)
_RANGE = re.compile(
    r"(?<![\d.,])(\d[\d,]*(?:\.\d+)?)"
    r"(?= ?(?:to|[-–—]) ?[$€£¥]? ?\d[\d.,]* (million|billion|trillion)\b)"
)
"""A number whose scale stands behind the one that it reaches to."""
_SHORT = re.compile(r"([$€£¥] ?\d[\d.,]*) ?(k|m|mn|bn|b|tn)\b", re.IGNORECASE)
_SHORT_FOR = {"k": "thousand", "m": "million", "b": "billion", "t": "trillion"}
_UNITS = """
length: m metre meter metres meters=1 km kilometre kilometer kilometres kilometers=1000
length: cm centimetre centimeter centimetres centimeters=.01 mm millimetre millimeter=.001
length: millimetres millimeters=.001 mile miles mi=1609.344 foot feet ft=.3048
length: inch inches=.0254 yard yards=.9144
mass: kg kilogram kilograms kilo kilos=1 g gram grams=.001 mg milligram milligrams=.000001
mass: ton tons tonne tonnes=1000 lb lbs=.4536 ounce ounces oz=.02835
volume: l litre liter litres liters=1 ml millilitre milliliter millilitres milliliters=.001
volume: gallon gallons=3.785
area: acre acres=4047 hectare hectares ha=10000
time: second seconds sec=1 minute minutes min=60 hour hours h=3600 day days=86400
time: week weeks=604800 month months=2629800 year years=31557600 decade decades=315576000
time: century centuries=3155760000
speed: mph=1.609 km/h kph=1 knot knots=1.852
share: % percent percentage=1
temperature: °C=1
temperature-f: °F=1
power: W watt watts=1 kW kilowatt kilowatts=1000 MW megawatt megawatts=1000000
dollar: $ dollar dollars USD=1
euro: € euro euros EUR=1
pound: £ GBP=1
yen: ¥ yen JPY=1
"""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it stands in a ``text``; ``kind`` is what it measures, empty for a bare one,
    and ``size`` it in the unit that kind is compared in."""

    text: str
    value: float
    kind: str = ""
    size: float = 0.0

    @property
    def is_word(self) -> bool:
        """Whether it stands in words."""
        return not any(character.isdigit() for character in self.text)

    def equals(self, other: "Quantity") -> bool:
        """Whether both may say the same, in whatever unit; a bare number is of any."""
        if not self.kind or not other.kind:
            return self.value == other.value
        same = math.isclose(self.size, other.size, rel_tol=TOLERANCE)
        return self.kind == other.kind and same


def quantities(text: str) -> list[Quantity]:
    """The quantities of a text in order of kind; a date's numbers are bare ones.

    >>> [(q.value, q.kind) for q in quantities("Seven ships of 410 tons, launched 3 May 1904.")]
    [(3.0, ''), (1904.0, ''), (7.0, ''), (410.0, 'mass')]
    """
    found: dict[int, list[Quantity]] = {}
    text = _SPELT_SUM.sub(_summed, text)
    text = _SHORT.sub(lambda match: f"{match[1]} {_SHORT_FOR[match[2][0].lower()]}", text)
    text = _RANGE.sub(r"\1 \2", text)
    for each in shapes(text):
        part = text[each.start : each.end]
        if each.shape in (DAY, YEAR):
            found[each.start] = [_bare(digits) for digits in _DIGITS.findall(part)]
        elif each.shape == FIGURE and each.start not in found:
            value = number_of(part)
            if value is not None:
                found[each.start] = [_measured(part, value, text[each.end :])]
    return [each for several in found.values() for each in several]


def _summed(match: re.Match[str]) -> str:
    """ "Four hundred and ten" as "410"."""
    parts = number_of(match[1]), number_of(match[2])
    return match[0] if None in parts else f"{sum(filter(None, parts)):.0f}"


def _bare(digits: str) -> Quantity:
    return Quantity(digits, float(re.sub(r"[^\d]", "", digits)))


def _measured(part: str, value: float, after: str) -> Quantity:
    sign, unit = _SIGN.search(part), _AFTER.match(after)
    if sign:
        name = sign[0].lower().replace(" ", "")
    elif unit and not unit[1]:
        name = unit[2]
    else:
        return Quantity(part, value)
    kind, factor = _units().get(name) or _units().get(name.lower(), ("", 0.0))
    told = part if sign or not kind else f"{part} {name}"
    return Quantity(told, value, kind, value * factor)


@lru_cache(maxsize=1)
def _units() -> dict[str, tuple[str, float]]:
    found: dict[str, tuple[str, float]] = {}
    for line in _UNITS.strip().splitlines():
        kind, _, names = line.partition(": ")
        waiting: list[str] = []
        for word in names.split():
            name, _, factor = word.partition("=")
            waiting.append(name)
            if factor:
                found |= {each: (kind, float(factor)) for each in waiting}
                waiting = []
    return found
