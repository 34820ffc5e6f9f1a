"""What a table's rows and a text's fields say: facts of what a row or a section is about.

The subject of a row is its name: the first column that names each row by itself. A field is
about what its section, its record or its document is about. The predicate is the column's
header or the field's name; what a number is counted in goes with it, and when goes apart.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts.wording import is_name
from hlg.ingest.extract.local.names.mentions import class_of_name
from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.ingest.extract.local.names.votes import GIVEN, SURE, UNSURE
from hlg.ingest.extract.local.tables.labels import is_label, is_titled
from hlg.ingest.extract.local.tables.rows import RowPlace, is_predicate, without_footnotes
from hlg.ingest.text.fields import Field
from hlg.ingest.text.tables import FIGURES, TableRow
from hlg.words.lexicon import CALENDAR, CONCEPT, NOUN_CLASSES, ORGANIZATION, PLACE, THING
from hlg.words.no_names import NO_NAMES
from hlg.words.units import is_amount

LONGEST_CELL, MOST_WORDS = 200, 8
"""Characters of a cell that may name something, and words."""
LONGEST_PREDICATE = 60
NOTHING = frozenset(("", "n/a", "na", "n.a.", "nil", "none", "null", "tbd", "tba", "unknown", "?"))
"""Cells that state nothing, beside dashes."""
_BLANK = re.compile(r"[\s\-–—−.*·]*$")
_SWITCH = frozenset(("true", "false"))
_LINK = re.compile(r"\[([^\[\]]*)\](?:\[[^\[\]]*\]|\([^()]*\))")
_FOOTNOTE = re.compile(r"(?:,?\s*\((?:\d+|[a-z]|[ivx]+|Note[^()]*(?:\([a-z]\))?)\))+$")
_CODE = re.compile(r"`([^`\s][^`]{0,60})`$|(--?[a-zA-Z][\w-]*)$")
"""An option or a name of code, as documentation has it in a column."""
_TYPES = re.compile(r"(?i)(?:modifiers?(?: and type)?|(?:return )?types?|returns?)$")
_MEMBERS = re.compile(
    r"(?i)(?:class|constant|constructor|field|function|member|method|name|property)s?$"
)
"""Headers of the members that a page of documentation lists behind their types."""
_ADDRESS = re.compile(r"\d.*, |, .*\d")
_DAY = re.compile(r"\d[\d./:-]*(?:st|nd|rd|th|s|am|pm)?")
_TOTAL = re.compile(r"(?i)(?:grand |sub-?)?total$")
_NAMES = frozenset(("name", "title"))
_LIST = re.compile(r"\[(.*)\]$")
_SEPARATORS = re.compile(r"[._]+")


@dataclass(frozen=True, slots=True)
class Scope:
    """What rows and fields are about that name no subject: by its key, empty for nothing; and
    the subject of the document, which every row is about as well."""

    subject: str = ""
    title: str = ""


class Cells:
    """Facts of rows and fields; notes their names."""

    def __init__(self, names: DocumentNames) -> None:
        self._names = names

    def row(self, draft: Draft, row: TableRow, place: RowPlace, scope: Scope) -> None:
        """Fill a draft with what a row says of its name."""
        cells = row.cells[1:] if _is_typed(row) else row.cells
        at = next((at for at, (header, _) in enumerate(cells) if header == place.name), 0)
        headers = [header for header, _ in cells]
        # Two headers of one name belong to a header of several rows.
        clear = place.speaks and len(set(headers)) == len(headers)
        header, label = cells[at]
        counted = any(FIGURES.match(cell) for _, cell in cells)
        subject, before, behind = self._subject(draft, cells[at], scope, counted=counted)
        year = next((cell for header, cell in cells if place.when and header == place.when), "")
        for column, (header, marked) in enumerate(cells):
            if column == at or says_nothing(marked) or (year and header == place.when):
                continue
            cell = _plain(marked)
            key = self._named(draft, header, cell, is_subject=False) if cell else None
            if subject is None or not clear or not header or not is_predicate(header, cell):
                continue
            somewhere = self._names.class_of(subject) in (PLACE, ORGANIZATION)
            told = key or not (somewhere or FIGURES.match(cell))
            if not told and not place.says(label, header, is_somewhere=somewhere):
                continue  # of what the number is the table's title says
            predicate, time = place.predicate(_FOOTNOTE.sub("", header), cell)
            time = ", ".join(filter(None, (time, year)))
            value = None if key else place.measured(header, cell)
            said = f"{before}{predicate}{behind}"
            draft.facts.append(DraftFact(subject, said, key, value, time=time))
        if subject and not draft.facts and self._names.class_of(subject) in (CONCEPT, THING):
            draft.keys = [key for key in draft.keys if key != subject]
        if scope.title and scope.title not in draft.keys:
            draft.keys.append(scope.title)

    def _subject(
        self, draft: Draft, name: tuple[str, str], scope: Scope, *, counted: bool
    ) -> tuple[str | None, str, str]:
        """What a row is about, by its key, and what stands before and behind its predicates."""
        header, label = name
        if _TOTAL.match(label) and scope.subject:
            draft.keys.append(scope.subject)
            return scope.subject, "total ", ""
        if scope.title and FIGURES.match(label):
            draft.keys.append(scope.title)
            short = header and len(label) <= LONGEST_CELL
            return scope.title, "", f" ({header.lower()} {label})" if short else ""
        plain = _plain(label)
        plain = without_footnotes(plain) if counted else plain
        return self._named(draft, header, plain, is_subject=True), "", ""

    def field(self, draft: Draft, field: Field, subject: str, *, is_front: bool) -> None:
        """Fill a draft with what a field, which may stand before the text, says of a subject."""
        if says_nothing(field.value):
            return
        predicate = worded(field.name)
        draft.keys.append(subject)
        for value in _several(field.value):
            plain = _plain(value)
            own = self._names.form(subject).lower() == plain.lower()
            if not plain or own or (is_front and plain.lower() in _SWITCH):
                continue
            key = self._named(draft, predicate, plain, is_subject=False)
            draft.facts.append(DraftFact(subject, predicate, key, None if key else plain))

    def thing(self, name: str) -> str:
        """The key of what a section, a record or a document is about."""
        return self._names.add(name, class_of_name(name) or THING, UNSURE)

    def _named(self, draft: Draft, header: str, cell: str, *, is_subject: bool) -> str | None:
        """The key of what a cell names; None where it names nothing."""
        code = _CODE.match(cell)
        if is_subject and code:
            name = code[1] or code[2]
            key = self._names.add(name, CONCEPT, UNSURE, doubtful=True)
        else:
            if not (may_be_named(cell) and (is_subject or is_titled(cell))):
                return None
            name = _FOOTNOTE.sub("", cell)
            if not is_label(name):
                return None
            name = name.rstrip(":")
            class_ = NOUN_CLASSES.get(header.lower().rsplit(" ", 1)[-1], "")
            known = class_ or class_of_name(name)
            guess = known or (THING if is_titled(name) else CONCEPT)
            votes = GIVEN if class_ else SURE if known else UNSURE
            key = self._names.add(name, guess, votes, doubtful=not known)
        draft.keys.append(key)
        draft.phrases.append(name)
        return key


def may_be_named(cell: str) -> bool:
    """Whether a cell may name something: a few words, and no number, date or address."""
    return (
        len(cell) <= LONGEST_CELL
        and len(cell.split()) <= MOST_WORDS
        and not FIGURES.match(cell)
        and cell[:1].isalnum()
        and not _ADDRESS.search(cell)
        and not is_amount(cell)
        and is_name(cell)
        and cell.lower() not in NO_NAMES
        and not _is_date(cell)
    )


def says_nothing(cell: str) -> bool:
    """Whether a cell is empty, a dash, or says that there is nothing to say."""
    return cell.strip().lower() in NOTHING or _BLANK.match(cell) is not None


def path_of(name: str) -> tuple[str, ...]:
    """A field's name by its parts, those of objects in objects: ``ports.http``."""
    is_path = "." in name and " " not in name
    return tuple(filter(None, name.split("."))) if is_path else (name,)


def named_by(fields: Sequence[Field]) -> str:
    """What a run of fields calls what it is about; empty where it does not."""
    found = [each for each in fields if path_of(each.name)[-1].lower() in _NAMES]
    best = min(found, key=lambda each: len(path_of(each.name)), default=None)
    return best.value if best is not None and may_be_named(best.value) else ""


def worded(name: str) -> str:
    """A field's name as a predicate: ``ports.http`` as "ports http"."""
    words = " ".join(_SEPARATORS.split(name)) if " " not in name else name
    return " ".join(words.split()).lower()[:LONGEST_PREDICATE]


def _plain(marked: str) -> str:
    """A cell without the marks of links and emphasis."""
    cell = _LINK.sub(r"\1", marked) if len(marked) <= LONGEST_CELL else marked
    return cell.strip("*_ ") if cell[:1] in "*_" else cell


def _several(value: str) -> list[str]:
    """The values of a field: those of a list, and names that commas part."""
    listed = _LIST.match(value)
    parts = [each.strip(" \"'") for each in (listed[1] if listed else value).split(",")]
    names = all(len(each.split()) > 1 and is_titled(each) for each in parts)
    plain = not any(map(str.isdigit, value))
    return parts if listed or (len(parts) > 1 and names and plain) else [value]


def _is_typed(row: TableRow) -> bool:
    """Whether a row of documentation has what a member gives before the member itself."""
    headers = [header for header, _ in row.cells[:2]]
    return len(headers) == 2 and bool(_TYPES.match(headers[0]) and _MEMBERS.match(headers[1]))


def _is_date(text: str) -> bool:
    """Whether a cell is a date and names nothing: "December 31, 2019"."""
    words = (word.strip(".,").lower() for word in text.split())
    return all(word in CALENDAR or _DAY.fullmatch(word) for word in words)
