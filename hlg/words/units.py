"""What numbers are counted in, as headers, captions and cells write it: units and scales."""

import re
from functools import lru_cache

_PREFIX = r"(?:[kKMGTmµμcdn]|[KMGT]i)?"
_SYMBOLS = (
    "m g s A V W J N C F H K L l Pa Hz Wh VA Ah bar eV cal bit B b t T Ω mol lm lx rpm ppm dB dBA "
    "min h d ft in mi lb lbs oz gal yd mph kmh psi ha pcs pc px pt % ‰ °C °F °"
)
_CURRENCIES = (
    "EUR USD GBP JPY CHF RMB CNY INR HKD CAD AUD NZD SEK NOK DKK PLN CZK SGD KRW BRL ZAR TRY NT$ "
    "US$ A$ C$ HK$ S$ NZ$ R$ € $ £ ¥"
)
_WORDS = (
    "dollars? euros? pounds? yen rupees? cents? pence percent percentages? tons? tonnes? "
    "kilograms? grams? met(?:re|er)s? kilomet(?:re|er)s? lit(?:re|er)s? miles? feet inch(?:es)? "
    "acres? hectares? seconds? minutes? hours? days? nights? weeks? months? years? pieces? units? "
    "persons? people watts? volts? degrees? bytes? shares?"
)
_SCALE = r"(?:thousands?|millions?|billions?|mn?|mil|bn|[‘’'`]?000s?)"


def _either(words: str) -> str:
    return "|".join(sorted(map(re.escape, words.split()), key=len, reverse=True))


_ONE = (
    rf"(?:{_either(_CURRENCIES)}|(?:square |cubic |sq\.? )?"
    rf"(?:(?i:{'|'.join(_WORDS.split())})|{_PREFIX}(?:{_either(_SYMBOLS)}))[²³]?)"
)
_UNIT = re.compile(
    rf"(?:in )?(?:(?i:{_SCALE})(?: of)? ?)?{_ONE}(?: ?(?i:{_SCALE}))?"
    rf"(?: ?(?:/|per|p\.) ?(?:\d+ ?)?{_ONE})*|(?i:thousand|million|billion)"
)
_FIGURE = r"[+\-−]?\d[\d,.' ]*"
_AMOUNT = re.compile(
    rf"{_FIGURE}(?:{_UNIT.pattern})|(?:{_either(_CURRENCIES)}) ?{_FIGURE}(?:(?i:{_SCALE}))?"
)
_BEHIND = re.compile(
    r"(?P<name>.*\S)(?:\s*[(\[](?P<inside>[^()\[\]]{1,30})[)\]]|(?:,| in) (?P<bare>\S.{0,30}))$"
)
SHORTEST_BARE = 2
"""Letters of a unit that no brackets mark as one: "in km", but not "in d"."""
_SIGN_OF = {
    "dollar": "$",
    "usd": "$",
    "us$": "$",
    "euro": "€",
    "eur": "€",
    "pound": "£",
    "gbp": "£",
}
_SIGNED = re.compile(r"[$€£¥%]")
_FACTORS = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_FACTOR = re.compile(
    r"(?i)(?P<thousand>thousands?|[‘’'`]?000(?!\d))|(?P<billion>billions?|(?<![a-z])bn\b)"
    r"|(?P<million>millions?|(?<![a-z])(?:mn|mil|m)\b)"
)
_CURRENCY = re.compile(
    r"(?:U\.?S\.? )?(?i:dollars?|euros?|pounds?|yen|rupees?)\b"
    rf"|(?<![A-Za-z])(?:{_either(_CURRENCIES)})"
)


@lru_cache(maxsize=1024)
def split_unit(header: str) -> tuple[str, str]:
    """A header without the unit that it ends with, and that unit, empty for none.

    >>> split_unit("Price (EUR)"), split_unit("Area in km²"), split_unit("Price (net)")
    (('Price', 'EUR'), ('Area', 'km²'), ('Price (net)', ''))
    """
    name, _, last = header.strip().rpartition(" ")
    if name and _SIGNED.search(last) and _UNIT.fullmatch(last):
        return name.removesuffix(" in").rstrip(" ,:"), last
    found = _BEHIND.fullmatch(header.strip())
    if found is None:
        return header, ""
    unit = (found["inside"] or found["bare"]).strip()
    is_letter = not found["inside"] and unit.isalpha() and len(unit) < SHORTEST_BARE
    if is_letter or not _UNIT.fullmatch(unit):
        return header, ""
    return found["name"].rstrip(" ,:"), unit.removeprefix("in ")


def is_unit(text: str) -> bool:
    """Whether a text is a unit and nothing else: ``kg/km``."""
    return _UNIT.fullmatch(text.strip(" ()[]")) is not None


def is_amount(text: str) -> bool:
    """Whether a text is a number with what it counts: "160 EUR", "€ 3.50", "44 dB".

    >>> is_amount("160 EUR"), is_amount("$5 million"), is_amount("Lot 49")
    (True, True, False)
    """
    return _AMOUNT.fullmatch(text) is not None


@lru_cache(maxsize=1024)
def is_money(unit: str) -> bool:
    """Whether a unit is a currency.

    >>> is_money("EUR"), is_money("€"), is_money("km")
    (True, True, False)
    """
    return _CURRENCY.fullmatch(unit) is not None


@lru_cache(maxsize=1024)
def scale_in_words(scale: str) -> tuple[str, str]:
    """A scale as a factor and a currency, each empty where it says none.

    >>> scale_in_words("in thousands of EUR"), scale_in_words("$M"), scale_in_words("£m")
    (('thousand', 'EUR'), ('million', '$'), ('million', '£'))
    """
    factor = _FACTOR.search(scale)
    currency = _CURRENCY.search(scale)
    return (factor.lastgroup or "") if factor else "", currency[0] if currency else ""


def factor_of(word: str) -> float:
    """What a factor in words multiplies by; 1 for none.

    >>> factor_of("thousand"), factor_of("")
    (1000.0, 1.0)
    """
    return _FACTORS.get(word, 1.0)


def signed(currency: str) -> str:
    """The sign of a currency, where it has one: "$" for "U.S. dollars"; else as it is.

    >>> signed("U.S. dollars"), signed("EUR"), signed("kg")
    ('$', '€', 'kg')
    """
    bare = currency.lower().replace("u.s. ", "").rstrip("s")
    return _SIGN_OF.get(bare, currency)


def with_unit(cell: str, unit: str) -> str:
    """A number's cell with its unit behind it, where it has none itself.

    >>> with_unit("18.90", "EUR"), with_unit("€ 95", "€"), with_unit("4%", "%")
    ('18.90 EUR', '€ 95', '4%')
    """
    has_one = not unit or (_CURRENCY.search(cell) and _CURRENCY.search(unit))
    return cell if has_one or cell.endswith(unit) else f"{cell} {unit}"


def with_scale(cell: str, scale: str) -> str:
    """A number's cell in its table's scale.

    >>> with_scale("3,120", "in thousands of EUR"), with_scale("$ 40", "in millions of dollars")
    ('3,120 thousand EUR', '$ 40 million')
    """
    factor, currency = scale_in_words(scale)
    return with_unit(f"{cell} {factor}" if factor else cell, currency)
