"""What the numbers of a table are counted in: thousands, millions of a currency, plain units."""

import re

from hlg.ingest.text.tables import TableRow

_SCALE = re.compile(
    r"\b((?:(?:u\.?s\.? )?(?:dollars|euros?|pounds|yen|rupees|[$€£¥]) )?"
    r"in ?(?:(?:[a-z.]+ )?(?:thousand|million|billion)s?)"
    r"(?: of (?:[$€£¥]|[a-z.]+(?: dollars)?))?)(?!\w)",
    re.IGNORECASE,
)
_SHORT_SCALE = re.compile(
    r"(?:^|[\s(])((?:[A-Z]{1,3})?[$€£¥] ?(?:[mM]|mn|Mil|bn|[mb]illion|[‘’'`]?000['’]?s?)"
    r"|(?:USD|EUR|GBP|RMB|CHF|INR|HKD|CAD|AUD|SEK|NOK|DKK|JPY) ?[‘’'`]?(?:[mM]|mn|bn|000s?))"
    r"(?:[\s)]|$)"
)
"""What statements of accounts are counted in, as they shorten it: "£m", "USD '000"."""
UNIT_CELL = re.compile(
    r"\(?(?:[A-Z]{0,3} ?[$€£¥] ?(?:m|mn|mil|bn|million|billion|thousands?|[‘’'`]?000s?)?|%"
    r"|(?:USD|EUR|GBP|RMB|CHF|INR) ?(?:m|mn|bn|million|[‘’'`]?000s?)?)\)?$",
    re.IGNORECASE,
)
"""A cell that says only what the column below it is counted in."""
_SCALED = re.compile(
    r"[(\s]*((?:[a-z]{0,3}[$€£¥] ?|[a-z]{3} )?(?:thousand|million|billion)s?)[)\s]*", re.I
)
"""A column of labels' header that is nothing but a scale: "€ million"."""
_PRICED = re.compile(
    r"\bper (?:\w+ )?(?:share|unit)|\bgrant[- ]date fair value|\bprice"
    r"|\brates?\b(?! (?:swap|contract|lock|derivative|cap|collar)s?\b)|\bratio\b|%|\bpercent",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"\bnumber of\b|\bemployees\b|\bheadcount\b|\b(?:days|weeks|months|years)\b", re.IGNORECASE
)
"""Labels whose numbers are not in the thousands of the others."""
_LASTING = re.compile(r"(?i)\b(?:in (?:days|weeks|months|years)|life|lives|term \(|number of)\b")
_SHARES = re.compile(r"\bshares\b", re.IGNORECASE)
_BUT_SHARES = re.compile(r"\bexcept\b[^)]*(?<!per )\bshares?\b", re.IGNORECASE)
"""A scale that does not hold for numbers of shares."""


def is_priced(header: str) -> bool:
    """Whether a column has prices, shares of a whole, numbers of shares or of years: no scale is
    for it."""
    return any(each.search(header) for each in (_PRICED, _SHARES, _LASTING))


def scale_of_row(row: TableRow, above: str = "") -> str:
    """What a row's numbers are counted in, as its table's notes, its first header or a row of units
    ``above`` say; empty for a row that is counted otherwise."""
    header, label = row.cells[0]
    if _PRICED.search(label) or _COUNTED.search(label):
        return ""
    told = (*row.notes, header)
    if _SHARES.search(label) and (above or any(map(_BUT_SHARES.search, told))):
        return ""
    if alone := _SCALED.fullmatch(header):
        return alone.group(1)
    return next((scale for each in told if (scale := scale_of(each))), above)


def scale_of(text: str) -> str:
    """The scale that a note, a header or a label tells; empty for none."""
    if found := _SCALE.search(text):
        told = found.group(1)
        return told.lower() if told.isupper() else re.sub(r"^In\b", "in", told)
    short = _SHORT_SCALE.search(text)
    return short.group(1) if short else ""
