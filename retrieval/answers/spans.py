"""The spans of a statement that may be an answer: its names, dates, numbers and values."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hlg.lexical.analysis import STOP_WORDS
from hlg.names import normalize_name
from hlg.retrieval.answers.evidence import EvidenceStatement, NamedEntity
from hlg.retrieval.answers.shapes import DAY, FIGURE, QUOTED, RUN, YEAR, Shaped, number_of, shapes
from hlg.words import word_set, words

PHRASE = "phrase"
"""Kind of a fact's value that is no name, date or number. The other kinds of spans are the
classes of entities and the shapes of :mod:`hlg.retrieval.answers.shapes`."""
LONGEST_PHRASE = 8
"""Words of a value that may be an answer."""
LEAST_ALIKE = 4
"""Letters that a word begins with as "metre" and "metres" do."""
COUNTED_WITHIN = 4
"""Words after a figure among which is what it counts."""
MOST_SPANS = 60
"""Of one statement; a list of more names answers nothing."""

_YEAR = re.compile(r"\b(?:1\d{3}|20\d{2})\b")
_COUNTS_ALONE = word_set("are at by for had has have in is made of on to total was were")
"""Words after a figure that stands for what the statement is about."""
_LABELS = word_set(
    "chapter column field figure item level line no number page part phase row section stage step "
    "table type version volume"
)
"""Before a figure that says which one, not how many."""
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.IGNORECASE)
_CALENDAR = words("calendar", "months") | words("calendar", "days")


@dataclass(frozen=True, slots=True)
class Span:
    """A possible answer: ``text`` as it would be given, and where a statement says it.

    ``start`` and ``end`` are characters of the statement's text; both are -1 where the text
    only refers to it ("she").
    """

    place: int
    """Of the statement among the evidence."""
    text: str
    start: int
    end: int
    kind: str

    @property
    def key(self) -> str:
        """What spans that say the same have in common."""
        return normalize_name(self.text)


def answer_spans(
    place: int, statement: EvidenceStatement, *, years: bool = False, counted: str = ""
) -> list[Span]:
    """What of a statement may be an answer, each span once.

    :param years: of a date also its year alone.
    :param counted: what is asked how many there are of: "two kilometres" counts no organs.
    """
    found: dict[tuple[int, int, str], Span] = {}
    shaped = _shaped(place, statement.passage.text, years, counted)
    spans = (
        *_named(place, statement),
        *(each for each in shaped if not _only_looks(each, statement)),
        *_values(place, statement),
    )
    for span in spans:
        if counted and (span.kind not in (FIGURE, PHRASE) or number_of(span.text) is None):
            continue
        where = (span.start, span.end, "" if span.start >= 0 else span.text)
        found.setdefault(where, span)
    return list(found.values())[:MOST_SPANS]


def _named(place: int, statement: EvidenceStatement) -> Iterator[Span]:
    text = statement.passage.text
    for entity in statement.entities:
        start, end = _mention(text, entity)
        yield Span(place, _as_given(text[start:end], entity.name), start, end, entity.entity_class)


def _as_given(mention: str, name: str) -> str:
    """A name as the text has it, unless that is only a part of it: "Hall" is G. Stanley Hall."""
    is_part = len(mention.split()) < len(name.split())
    return name if not mention or is_part else mention


def _mention(text: str, entity: NamedEntity) -> tuple[int, int]:
    """Where a text names an entity, by its longest name; -1 where it does not."""
    for name in sorted((entity.name, *entity.aliases), key=len, reverse=True):
        if not name:
            continue
        start = text.find(name)
        while start >= 0:
            end = start + len(name)
            if not _goes_on(text, start - 1, start) and not _goes_on(text, end - 1, end):
                return start, end
            start = text.find(name, end)
    return -1, -1


def _goes_on(text: str, left: int, right: int) -> bool:
    """Whether a word goes on from one character to the next."""
    return left >= 0 and right < len(text) and text[left].isalnum() and text[right].isalnum()


def _shaped(place: int, text: str, years: bool, counted: str) -> Iterator[Span]:
    for shaped in shapes(text):
        start, end = shaped.start, shaped.end
        said = text[start:end]
        if counted and (shaped.shape != FIGURE or _counts_another(text, shaped, counted)):
            continue
        if shaped.shape == RUN:
            if said.lower() in STOP_WORDS or said.lower() in _CALENDAR:
                continue
            if (article := _ARTICLE.match(said)) is not None:
                yield Span(place, said[article.end() :], start + article.end(), end, RUN)
                continue
        yield Span(place, said, start, end, shaped.shape)
        if years and shaped.shape == DAY and (year := _YEAR.search(said)):
            yield Span(place, year.group(), start + year.start(), start + year.end(), YEAR)


def _only_looks(span: Span, statement: EvidenceStatement) -> bool:
    """Whether what looks like a name is none: a word with a capital as it begins the sentence
    ("Create"), a text that code is given."""
    text = statement.passage.text
    if span.kind == QUOTED and text[span.end : span.end + 2] in ('")', "')", '"]', "']"):
        return True
    if span.kind != RUN or span.start != 0 or " " in span.text:
        return False
    known = (*statement.entities, NamedEntity(statement.passage.source.title, ""))
    return not any(span.key in normalize_name(each.name).split() for each in known)


def _counts_another(text: str, figure: Shaped, counted: str) -> bool:
    """Whether a figure counts something else than is asked: "38 metres", "seven black rocks"
    of towers. "Three hundred were made" may count what the statement is about."""
    things = tuple(word[:LEAST_ALIKE] for word in counted.split())
    words = text[figure.end :].split()
    following = [word.lower() for word in words[:COUNTED_WITHIN]]
    if any(word.startswith(things) for word in following):
        return False
    before = text[: figure.start].lower().split()
    if before and before[-1].strip(".,:(#") in _LABELS:
        return True  # "field 0 is", "version 3 has"
    own = text[figure.start : figure.end].lower().split()
    if any(word.startswith(things) for word in own):
        return False
    if own and re.sub(r"['’]", "", own[-1]).isalpha() and number_of(own[-1]) is None:
        return True  # "ten weeks", "nine o'clock"
    if not words or not text[figure.end : figure.end + 1].isspace():
        # At its end a statement has to name what is counted: "Towers: seven."
        return not any(word.lower().startswith(things) for word in text.split())
    return following[0] not in _COUNTS_ALONE


def _values(place: int, statement: EvidenceStatement) -> Iterator[Span]:
    text = statement.passage.text
    for fact in statement.facts:
        value = _ARTICLE.sub("", fact.object)
        if not fact.is_value or not 0 < len(value.split()) <= LONGEST_PHRASE:
            continue
        start = text.find(value)
        if start >= 0:
            yield Span(place, value, start, start + len(value), PHRASE)
