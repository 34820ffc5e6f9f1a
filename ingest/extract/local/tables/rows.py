"""What a table's rows say: the section that a row is of, rows that say nothing alone, and headers
that are predicates.

Statements of accounts have a column of labels without a name. A label that ends with a colon
opens a section, down to its total; and a label such as "Percentage of total revenues", one
that the table has twice, or a bare number under percentages means nothing without the rows
around it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from hlg.ingest.extract.local.tables.captions import NO_CAPTION, Caption
from hlg.ingest.extract.local.tables.scales import UNIT_CELL, is_priced, scale_of, scale_of_row
from hlg.ingest.text.tables import FIGURES, TableRow
from hlg.words.accounts import MEASURES, MOVES, PERIOD_WORDS
from hlg.words.lexicon import CALENDAR, MONTHS
from hlg.words.units import split_unit, with_scale, with_unit

ONE_TABLE = 1_024
"""Headers and labels whose reading is remembered: those of a table come again with each cell."""
LONGEST_SECTION = 80
"""Characters of a line that opens a section."""
FEWEST_NAMED, LONGEST_NAME, LONGEST_COUNT = 3, 6, 5
"""Rows whose repetitions tell that a column names none of them; words of a name, and digits of
a row's number."""
LONGEST_PREDICATE = 4
"""Words of a column's header that can be a predicate of words; a number may have a longer."""
_ALONE = re.compile(
    r"(?:as an? )?(?:percent(?:age)?|per cent|%|share|portion|ratio) of\b"
    r"|(?:sub)?total,?(?: (?:current|deferred|other|net|gross|non-?current))?(?: \([a-z]+\))?$"
    r"|(?:domestic|federal|foreign|state)$"
    r"|(?:net |opening |closing |beginning |ending )?balances?\b"
    r"|(?:granted|exercised|forfeited|expired|vested|cancell?ed|issued|outstanding|exercisable"
    r"|additions?|acquisitions?|disposals?|effects? of)\b"
    r"|(?:others?|net|(?:non-?)?current|deferred|(?:group|grand) total)$",
    re.IGNORECASE,
)
"""Labels that say what is counted only with the table's title or other rows."""
_NUMBER, _PERCENT = re.compile(r"[\s$€£¥()+\-–−.,\d]+$"), re.compile(r"[\s)(+\-–−.,\d]+%$")
_WHOLE = re.compile(r"100(?:\.0+)? ?%$")
_CURRENCY = re.compile(r"[$€£¥]")
_DASHES = " -–—−."
"""Cells of these alone have nothing in them."""
_NOTHING = f"{_DASHES}$€£¥"
_CHANGE = re.compile(
    r"(?i)\b(?:change|difference|increase|decrease|variance|variation)s?\b"
    r"(?! in (?!dollars|percent)\w)|^(?:.* )?(?:%|percent(?:age)?) of total$"
)
"""Headers of numbers that mean something only beside other columns."""
_NOTES = frozenset(("note", "notes", "ref", "ref."))
"""Headers of columns that say where to read on."""
AMOUNT = "amount"
"""What a number is of its row where the column's header is no more than a date."""
_PERIOD_KIND = re.compile(
    r"(?i)(?:as (?:of|at)\b|(?:for )?(?:the )?(?:fiscal |three |six |nine |twelve |\d+ )*"
    r"(?:years?|quarters?|months?|weeks?)(?: then)?[ -]?end(?:ed|ing)?\b)"
)
"""What stands above the labels of rows and says what the columns' dates mean: "Years ended"."""
_FOOTNOTES = re.compile(r",?\s*\((?:\d+|[a-z])\)|(?<=[A-Za-z]{4})\d$")
_OPEN_END = re.compile(r"(?i)(?: (?:are|is|was|were|of|includes?|including))?[: ]*$")
_SIGN = re.compile(r"(?i)^(?:add|less|plus):? (?!than\b)")
_BARE_YEAR = re.compile(r"(?:19|20)\d\d$")
_ENDS = re.compile(
    r"(?i)(?:(?:sub)?total\b|(?:basic|diluted)\b|adjusted |net (?!operating loss)|gross "
    r"|earnings\b|ebit|operating (?:income|profit|loss)"
    r"|income (?:tax|from|before|\(loss\))|\(?loss\)?[ /]|weighted[- ]average)"
)
"""Labels of results, which are of no section above them."""
_UNIT_BEHIND = re.compile(rf"(?i)\s(?:{UNIT_CELL.pattern})")
_LEADING = frozenset(("at", "in", "on", "of", "for", "as", "during"))
"""What joins a period to what was measured."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b|\b\d\d/\d\d\b")


@dataclass(frozen=True, slots=True)
class RowPlace:
    """The section that a row is of, empty for none; whether its cells say something alone; what
    its numbers are counted in; and what stands above the table's labels: ``dated`` says what
    its dates mean ("years ended"), ``measure`` what is counted ("net sales"), as may the table's
    caption, and ``on`` the date of columns that have none. ``name`` is the header of
    the column that names the rows, ``when`` that of one that says of which year each is."""

    section: str = ""
    speaks: bool = True
    scale: str = ""
    dated: str = ""
    measure: str = ""
    on: str = ""
    name: str = ""
    when: str = ""

    def measured(self, header: str, cell: str) -> str:
        """A cell with what its column, its section or its table counts in: "3,120 thousand"."""
        if _BARE_YEAR.match(cell) or not _is_number(cell):
            return cell
        unit = split_unit(header)[1] or split_unit(self.section)[1]
        if unit and not scale_of(header):
            return with_unit(cell, unit)
        if is_priced(header):
            return cell
        return with_scale(cell, scale_of(header) or self.scale)

    def predicate(self, header: str, cell: str) -> tuple[str, str]:
        """What a cell under a header says of its row, and when: "deferred tax assets" with the
        time "June 30, 2019"."""
        header = split_unit(header)[0]
        named, period = split_period(header)
        counts = FIGURES.match(cell) and not self._told_by(header)
        of = [split_unit(self.section)[0], self.measure if counts else "", named]
        said = ", ".join(dict.fromkeys(each.lower() for each in of if each))
        dated = f"{self.dated} " if self.dated and period else ""
        return said or AMOUNT, ", ".join(filter(None, (f"{dated}{period}", self.on)))

    def _told_by(self, header: str) -> bool:
        """Whether a header says itself what is measured."""
        is_word = len(header.split()) < 2 and header.lower() != "amount"
        return not is_period(header) and (is_word or _is_measure(header))

    def says(self, label: str, header: str, *, is_somewhere: bool) -> bool:
        """Whether a number is told of something: the label, the section or what stands above the
        labels says what was measured; a label that names a place or a firm does not."""
        above = f"{self.section} {self.measure}"
        if is_period(header):
            return _is_measure(above) or (not is_somewhere and _is_measure(label))
        if is_period(label) and not _is_measure(f"{header} {above}"):
            return False
        return bool(self.section) or header.lower().split("(")[0].strip() not in MOVES


def row_places(rows: Sequence[TableRow], caption: Caption = NO_CAPTION) -> list[RowPlace]:
    """The place of each row of one table, from top to bottom."""
    dated = any(
        len(row.cells) > 2 and all(is_period(header) for header, _ in row.cells[1:]) for row in rows
    )
    opening = _opening(rows)
    labelled = [bool(opening) or dated or _is_labelled(row) for row in rows]
    sections = _sections(rows, labelled, opening)
    labels = Counter(zip(sections, (row.cells[0][1] for row in rows), strict=True))
    shares = _are_shares(rows)
    counted = 2 * sum(map(_has_digits, rows)) > len(rows)
    places = []
    scale, under_other = caption.scale, False
    name, headed = _naming(rows), True
    when = _when(rows, name)
    for section, is_labelled, row in zip(sections, labelled, rows, strict=True):
        header, label = row.cells[0]
        twice = labels[section, label] > 1
        share = shares and any(
            _is_number(cell) or _PERCENT.match(cell) for _, cell in row.cells[1:]
        )
        unclear = is_labelled and (twice or share or bool(_ALONE.match(label)))
        under_other = under_other or _is_header(row)
        if _is_unit(row) or len(row.cells) == 1:
            scale = scale_of(label) or scale_of(row.cells[-1][1]) or scale
        other = bool(section) and is_period(section)  # another table's date
        headed = headed and not _has_digits(row)
        heads = counted and headed  # a header's lower line
        speaks = not (unclear or other or heads or under_other or _is_unit(row))
        unit = scale_of_row(row, scale)
        kind = header.rstrip(" ,") if _PERIOD_KIND.match(header) else ""
        unnamed = kind or opening or header.lower().startswith("all ")
        measure = header.split("(")[0].strip() if not unnamed and _is_measure(header) else ""
        told = split_unit(section)[1] or (len(section.split()) > 1 and _is_measure(section))
        if is_labelled and not (measure or told):
            above = caption.measure
            # "Staff costs" under "our income" are none.
            other_kind = len(above.split()) == 1 and _is_measure(above) and _is_measure(label)
            measure = above if not other_kind and _adds(above, label) else ""
        places.append(RowPlace(section, speaks, unit, kind, measure, _date_above(row), name, when))
    return places


def _naming(rows: Sequence[TableRow]) -> str:
    """The header of the column that names the rows: the first that counts them, or says a thing
    for several of them, is none where one behind it names each."""
    columns: dict[str, list[str]] = {}
    for header, cell in (pair for row in rows for pair in row.cells):
        columns.setdefault(header, []).append(cell)
    first = next(iter(columns), "")
    cells = columns.pop(first, [])
    names_none = first and (_counts_rows(cells) or len(set(cells)) < len(cells))
    if len(rows) < FEWEST_NAMED or not names_none:
        return first
    return next((each for each, of in columns.items() if each and _names(of, rows)), first)


def _when(rows: Sequence[TableRow], name: str) -> str:
    """The header of the column of years of a table that has several rows of one name."""
    names = [cell for row in rows for header, cell in row.cells if header == name]
    years: dict[str, bool] = {}
    for header, cell in (pair for row in rows for pair in row.cells if pair[0] != name):
        years[header] = years.get(header, True) and bool(_BARE_YEAR.match(cell))
    again = len(set(names)) < len(names)
    return next((header for header, are in years.items() if are and again and header), "")


def _counts_rows(cells: Sequence[str]) -> bool:
    """Whether cells are the numbers of their rows."""
    values = [cell.rstrip(".)") for cell in cells]
    return all(each.isdecimal() and len(each) < LONGEST_COUNT for each in values) and (
        {after - before for before, after in pairwise(map(int, values))} == {1}
    )


def _names(cells: Sequence[str], rows: Sequence[TableRow]) -> bool:
    """Whether a column has a name for each row, and no two rows have one."""
    short = all(len(cell.split()) <= LONGEST_NAME and not FIGURES.match(cell) for cell in cells)
    return short and len(cells) == len(rows) == len({cell.lower() for cell in cells})


def _date_above(row: TableRow) -> str:
    """The date above a table's labels, where its columns say none: "30 June 2019"."""
    header = row.cells[0][0]
    dated = is_period(header) and _YEAR.search(header) is not None
    return header if dated and not any(is_period(each) for each, _ in row.cells[1:]) else ""


def _adds(measure: str, label: str) -> bool:
    """Whether a label does not say itself what is measured."""
    words = [word[:5] for word in measure.lower().split() if len(word) > 3]
    return any(word not in label.lower() for word in words)


def _opening(rows: Sequence[TableRow]) -> str:
    """The section that the first header opens, where other sections or its total follow."""
    header = rows[0].cells[0][0] if rows else ""
    if not _is_measure(header) or _PERIOD_KIND.match(header) or scale_of(header):
        return ""
    label = re.compile(rf"(?i)total {re.escape(header)}$")
    follow = any(len(row.cells) == 1 or label.match(row.cells[0][1]) for row in rows)
    return header if follow else ""


def _sections(rows: Sequence[TableRow], labelled: Sequence[bool], opening: str) -> list[str]:
    """The section of each row: from a label without numbers to its total, to a result, or to a
    sum without a label; the table begins with the ``opening`` one."""
    found, section = [], opening
    for row, is_labelled in zip(rows, labelled, strict=True):
        label = row.cells[0][1]
        if is_labelled and (len(row.cells) == 1 or _is_unit(row)):
            opens = len(label) <= LONGEST_SECTION and label[0].isalpha() and not scale_of(label)
            section = _OPEN_END.sub("", _SIGN.sub("", without_footnotes(label))) if opens else ""
        elif _ENDS.match(label) or _is_number(label) or not is_labelled:
            section = ""
        found.append(section)
    return found


def _is_labelled(row: TableRow) -> bool:
    """Whether the first cell is a label in a column without a name."""
    header = row.cells[0][0]
    return not header or bool(_PERIOD_KIND.match(header)) or bool(scale_of(header))


def _has_digits(row: TableRow) -> bool:
    return any(map(str.isdigit, "".join(cell for _, cell in row.cells[1:])))


def _is_header(row: TableRow) -> bool:
    """Whether a row begins another table, with years above the columns."""
    cells = [cell for _, cell in row.cells[1:]]
    return bool(cells) and all(
        _YEAR.search(cell) and (cell.strip().isdigit() or any(map(str.isalpha, cell)))
        for cell in cells
    )


def _are_shares(rows: Sequence[TableRow]) -> bool:
    """Whether the first numbers are the whole, 100 %, of which those below are shares."""
    first = next((row for row in rows if len(row.cells) > 1), None)
    return first is not None and all(_WHOLE.match(cell) for _, cell in first.cells[1:])


def _is_number(cell: str) -> bool:
    return bool(_NUMBER.match(cell)) and any(map(str.isdigit, cell))


def _is_unit(row: TableRow) -> bool:
    """Whether all cells but the first are units, those of the columns below: "S$ Mil"."""
    cells = {cell for _, cell in row.cells[1:] if cell.lower() not in _NOTES}
    if cells and all(map(UNIT_CELL.match, cells)):
        return True
    if len(row.cells) < 3 or len(cells) != 1:
        return False
    cell = next(iter(cells))
    told = cell.strip(_NOTHING) or cell.strip(_DASHES) == cell
    return (
        bool(told)
        and not any(map(str.isdigit, cell))
        and (_is_labelled(row) or bool(_CURRENCY.search(cell)))
    )


@lru_cache(maxsize=ONE_TABLE)
def _is_measure(text: str) -> bool:
    return MEASURES.search(text) is not None


def without_footnotes(label: str) -> str:
    """A label without the numbers of its footnotes: "Goodwill (1)", "Free cash flow6"."""
    return _FOOTNOTES.sub("", label)


@lru_cache(maxsize=ONE_TABLE)
def is_period(header: str) -> bool:
    """Whether a column's header says only when: "2019", "Year ended December 31, 2018"."""
    if _LEADING.issuperset(header.lower().split()):
        return False
    return all(
        (bare := word.strip(".,()").lower()) in CALENDAR
        or bare in PERIOD_WORDS
        or any(map(str.isdigit, word))
        or bool(UNIT_CELL.match(word))
        for word in _UNIT_BEHIND.sub("", header).split()
    )


@lru_cache(maxsize=ONE_TABLE)
def split_period(header: str) -> tuple[str, str]:
    """A header without the period that it begins or ends with, and that period.

    >>> split_period("Employees at 31 December 2023"), split_period("2019 Revenue")
    (('Employees', '31 December 2023'), ('Revenue', '2019'))
    """
    words = header.split()
    if is_period(header):
        dated = _YEAR.search(header) or not MONTHS.isdisjoint(header.lower().split())
        return ("", header) if dated else (header, "")
    for at in range(1, len(words)):
        for told, rest in ((words[at:], words[:at]), (words[:-at], words[-at:])):
            period = " ".join(told)
            if _YEAR.search(period) and is_period(period):
                if told[0].lower() in _LEADING:
                    period = " ".join(told[1:])
                if rest[-1].lower() in _LEADING:
                    rest = rest[:-1]
                return " ".join(rest).rstrip(" ,:"), period
    return header, ""


def is_predicate(header: str, cell: str) -> bool:
    """Whether a column's header says what a cell is; a row of cells may stand as the header."""
    if header.endswith(("$", "()")) or header.lower() in _NOTES or not cell.strip(_DASHES):
        return False
    header = without_footnotes(header).strip()
    if FIGURES.match(cell):
        told = _YEAR.search(header) is not None or (header[:1].isalpha() and len(header) > 2)
        return told and not _CHANGE.search(header)
    named = header[:1].isalpha() and len(header) > 1
    return len(header.split()) <= LONGEST_PREDICATE and (named or bool(_YEAR.search(header)))
