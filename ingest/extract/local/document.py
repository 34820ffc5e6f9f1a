"""Reads a document from start to end: statements with the names, references and facts in them."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts.wording import is_name
from hlg.ingest.extract.local.frames.facts import IMPERATIVE
from hlg.ingest.extract.local.languages import grammar_of, language_of
from hlg.ingest.extract.local.languages.base import Reading
from hlg.ingest.extract.local.lists import (
    AWAITS_VERB,
    SUPPOSED,
    Lead,
    ListItems,
    beginnings,
    completed,
)
from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.ingest.extract.local.names.votes import GIVEN, UNSURE
from hlg.ingest.extract.local.parse import Sentence, words_of
from hlg.ingest.extract.local.propositions import propositions
from hlg.ingest.extract.local.tables.captions import captions
from hlg.ingest.extract.local.tables.cells import Cells, Scope, may_be_named
from hlg.ingest.extract.local.tables.fields import FieldPlace, field_places
from hlg.ingest.extract.local.tables.labels import tells_what_follows
from hlg.ingest.extract.local.tables.rows import RowPlace, row_places
from hlg.ingest.text.blocks import UNMARKED, Block, split_blocks
from hlg.ingest.text.tables import TableRow
from hlg.ingest.text.turns import Turn, find_turns
from hlg.names import normalize_name
from hlg.records import Document
from hlg.words.lexicon import PERSON, THING
from hlg.words.no_names import NO_NAMES

EMPHASIS = "*_"
"""What stands around words in Markdown: no words, and shown with them."""
LEADING_SENTENCES = 2
"""Sentences at a text's start that are about its title, whoever their subject is."""
LONGEST_TITLE_NAME, LONGEST_UNMENTIONED = 12, 6
"""Words of a title that names a thing: one that the text mentions, and one that it doesn't."""
SHORTEST_HEADLINE = 6
"""Words from which on a title with two long words in small letters is a headline."""
LONG_TEXT = 8_000
"""Characters from which on a title that the text never mentions is no name but a headline."""

_BEHIND_DASH = re.compile(r"\s+[–—-]\s.*")
"""What a heading says of the thing that it names: "Kestrel 300 – specifications"."""
_DISAMBIGUATION = re.compile(r"\s*\([^()]*\)\s*$")
_PLACE_IN = re.compile(r"((?:[A-Z][\w'.-]*\s?){1,4}), [A-Z][\w.-]+(?: [A-Z][\w.-]+)?")
_HYPHEN = re.compile(r"\s*([-–—])\s*")
_DATED = re.compile(r"\d:\d\d|\d{1,2} [A-Z][a-z]+,? (?:19|20)\d\d|(?i:readme|changelog)")
_PAGE_TITLE = re.compile(
    r"(?i)^(?:chapter |section )?\d+(?:\.\d+)*\.? [a-z]| — |\d\.\d\S*: "
    r"|[-:] .*\b(?:documentation|file list|reference)$"
)
"""Titles of pages, which name none of the things that the page is about."""


class Reader:
    """One document's drafts, and its names.

    :param cited: read the names and facts in the entries of references too.
    """

    def __init__(self, document: Document, *, cited: bool = False) -> None:
        self._unread = {"aside"} if cited else {"aside", "entry"}
        self._document = document
        self._text = document.text
        self.language = language_of(document)
        self._grammar = grammar_of(self.language)
        self.names = DocumentNames()
        self._title = self._title_key(document.title)
        self._known = self._known_names(document.title) if self._title else []
        self._focus = Focus(self.names, self._title)
        self._headings: list[tuple[int, str]] = []
        self._named: list[tuple[int, str]] = []
        """Of the open headings those that name what is spoken of, by their depth."""
        self._sentences = 0
        self._lead_in = ""
        self._cells = Cells(self.names)
        self._list = ListItems[Lead](document.text)
        self._begun: dict[int, str] = {}
        self._awaits_verb = False
        self._reading: Reading | None = None
        self._turn: Turn | None = None
        self._turn_key: str | None = None

    def read(self) -> Iterator[Draft]:
        """Drafts in the order of the text."""
        blocks = list(split_blocks(self._text, self._document.media_type))
        turns = find_turns(self._text, blocks)
        starts = {start: turn.start for start, turn in turns.items()}
        self._begun = beginnings(self._text, blocks)
        parsed = self._grammar.parse(
            self._to_parse(starts.get(block.start, block.start), block.end)
            for block in blocks
            if block.row is None
            and block.kind != "field"
            and not _is_marked_heading(block)
            and block.kind not in self._unread
        )
        places = _places(self._text, blocks)
        fields = field_places(self._text, blocks)
        for block in blocks:
            if block.kind == "field" or block.start in fields:
                yield self._field(block, fields.get(block.start))
                continue
            if block.row is not None:
                yield self._row(block.row, places[block.start])
                continue
            turn = turns.get(block.start)
            if block.kind == "heading" and turn is None:
                self._enter(block)
            if _is_marked_heading(block):
                continue
            if block.kind in self._unread:
                yield from self._entry(block)
                continue
            self._turn = turn
            self._turn_key = self.names.add(turn.speaker, PERSON) if turn else None
            if self._turn_key:
                self._focus.hear(self._turn_key)
            for sentence in next(parsed):
                yield from self._sentence(sentence, block)
            if block.kind == "text":
                text = self._text[max(block.start, block.end - 150) : block.end]
                self._lead_in = text if text.endswith(":") and len(text) < 150 else ""
                self._awaits_verb = bool(AWAITS_VERB.search(text))
                leads = self._reading if self._lead_in else None
                self._list.begin(leads.lead() if leads else None)

    def _to_parse(self, start: int, end: int) -> tuple[int, str]:
        """A block's text with where it begins: an item's behind the words that it completes."""
        begun, text = self._begun.get(start), self._text[start:end]
        return (start - len(begun) - 1, completed(begun, text)) if begun else (start, text)

    def _entry(self, block: Block) -> Iterator[Draft]:
        """What is cited, as it stands under the heading of the references; nothing of an aside."""
        self._lead_in = ""
        self._list.begin(None)
        if block.kind == "entry":
            headings = tuple(text for _, text in self._headings)
            yield Draft(block.start, block.end, headings, context=headings[-1])

    def _enter(self, block: Block) -> None:
        """Go under a heading."""
        while self._headings and self._headings[-1][0] >= block.level:
            self._headings.pop()
        while self._named and self._named[-1][0] > len(self._headings):
            self._named.pop()
            self._focus.title = self._named[-1][1] if self._named else None
        text = " ".join(self._text[block.start : block.end].split()).strip("*_# ")
        self._list.begin(None)
        self._lead_in = ""
        if not text:
            return  # a ruler: "####"
        self._headings.append((block.level, text))
        given = self._grammar.class_of_name(text)
        if self._title is None and (block.level == 1 or (block.level < UNMARKED and given)):
            self._enter_name(text, given, block.end)

    def _enter_name(self, heading: str, given: str, end: int) -> None:
        """Take a heading that is a name for what follows is about."""
        words = heading.split()
        titled = all(word[0].isupper() or len(word) <= 3 for word in words)
        named = titled and len(words) <= LONGEST_UNMENTIONED and is_name(heading)
        said = given or self._text.find(heading, end, end + LONG_TEXT) >= 0
        named = named and not _PAGE_TITLE.search(heading)
        if named and said and heading.lower() not in NO_NAMES:
            key = self.names.add(heading, given or THING, GIVEN if given else UNSURE)
            self._known = self._known_names(heading)
            self._named.append((len(self._headings), key))
            self._focus.title = key

    def _title_key(self, title: str) -> str | None:
        full = " ".join(title.split())
        bare = _DISAMBIGUATION.sub("", full) or full
        if not self._is_name(bare):
            return None
        place = _PLACE_IN.fullmatch(bare)
        name = place.group(1) if place and self._mentions(place.group(1)) else bare
        given = self._grammar.class_of_name(name)
        key = self.names.add(name, given or THING, GIVEN if given else UNSURE)
        self.names.set_topic(key, name)
        for form in (bare, full):
            if form != name:
                self.names.link(self.names.add(form, THING, UNSURE), key)
        return key

    def _is_name(self, title: str) -> bool:
        """Whether a title names what the text is about, and is no headline."""
        words = title.split()
        if not words or len(words) > LONGEST_TITLE_NAME or not is_name(title):
            return False
        if title.lower() in NO_NAMES or _DATED.search(title) or _PAGE_TITLE.search(title):
            return False
        small = [word for word in words[1:] if word.islower() and len(word) > 4]
        if len(words) >= SHORTEST_HEADLINE and len(small) > 1:
            return False
        return self._mentions(title) or (
            not small
            and len(words) <= LONGEST_UNMENTIONED
            and len(self._text) < LONG_TEXT
            and not title.endswith(("?", "!", ":"))
        )

    def _mentions(self, title: str) -> bool:
        """Whether the text's beginning has the title, with or without spaces at hyphens."""
        beginning = _HYPHEN.sub(r"\1", normalize_name(self._text[:LONG_TEXT]))
        return _HYPHEN.sub(r"\1", normalize_name(title)) in beginning

    def _known_names(self, title: str) -> list[tuple[str, ...]]:
        bare = _DISAMBIGUATION.sub("", title) or title
        forms = dict.fromkeys((title, bare, *_PLACE_IN.findall(bare)))
        known = [tuple(word.lower() for word in words_of(form)) for form in forms]
        return [words for words in dict.fromkeys(known) if words]

    def _sentence(self, sentence: Sentence, block: Block) -> Iterator[Draft]:
        begun = sum(at < block.start for at in sentence.starts)
        spans = [(max(first, begun), end) for first, end in propositions(sentence) if end > begun]
        if not spans:
            return
        reading = self._grammar.read(sentence, self.names, self._focus, self._known, self._turn_key)
        self._reading = reading
        if self._sentences == 0 and self._title:
            reading.settle_title(self._title)
        leading = self._sentences < LEADING_SENTENCES
        self._sentences += 1
        headings = tuple(text for _, text in self._headings)
        facts = list(self._facts(reading, sentence, block, begun))
        listed = [] if begun else self._listed(sentence, block, reading)
        for first, end in spans:
            draft = Draft(*self._shown(sentence.starts[first], sentence.ends[end - 1]), headings)
            within = [fact for token, fact in facts if first <= token < end]
            reading.fill(draft, first, end, listed + within)
            listed = []
            self._complete(draft, reading, first, end, block, leading=leading)
            yield draft

    def _shown(self, start: int, end: int) -> tuple[int, int]:
        """A part of the text with the marks of emphasis around it."""
        while start and self._text[start - 1] in EMPHASIS:
            start -= 1
        while end < len(self._text) and self._text[end] in EMPHASIS:
            end += 1
        return start, end

    def _facts(
        self, reading: Reading, sentence: Sentence, block: Block, begun: int
    ) -> Iterator[tuple[int, DraftFact]]:
        """What a sentence says, each fact with the token of its object; so many of its tokens have
        ``begun`` in the line above, which an item completes."""
        if block.kind == "item" and not begun and SUPPOSED.search(self._lead_in):
            return
        beginning = sentence.text(0, begun)
        is_order = block.kind == "item" and self._awaits_verb and not begun
        for at, fact in reading.facts():
            broken_off = AWAITS_VERB.search(f"{fact.condition}:")
            if broken_off or (is_order and fact.modality.startswith(IMPERATIVE)):
                continue
            # "You may apply if you" are over 60
            completes = begun and fact.condition and fact.condition not in beginning
            yield (begun if completes else at), fact

    def _listed(self, sentence: Sentence, block: Block, reading: Reading) -> list[DraftFact]:
        """What the line above a list says of an item that begins with this sentence."""
        if block.kind != "item" or self._text[block.start : sentence.starts[0]].strip():
            return []
        lead = self._list.lead_of(block.start)
        item = reading.item() if lead else None
        return lead.facts(item) if lead and item else []

    def _complete(
        self, draft: Draft, reading: Reading, first: int, end: int, block: Block, *, leading: bool
    ) -> None:
        """Add what the statement leaves out: the title, the heading, a list's lead-in."""
        if self._turn and self._turn_key:
            draft.antecedents = list(dict.fromkeys([self._turn_key, *draft.antecedents]))
            draft.keys = list(dict.fromkeys([*draft.keys, self._turn_key]))
            draft.context = self._turn.time
            return
        title = self._focus.title
        is_named = reading.has_named_subject(first, end)
        if title and title not in draft.keys and (leading or not is_named):
            draft.antecedents += [] if is_named else [title]
            draft.keys.append(title)
        if block.kind == "item" and self._lead_in:
            draft.context = " ".join(self._lead_in.split()).rstrip(":")
        elif self._headings and not (title or draft.antecedents or is_named):
            heading = self._headings[-1][1]
            draft.context = heading if heading != self._text[draft.start : draft.end] else ""

    def _row(self, row: TableRow, place: RowPlace) -> Draft:
        draft = Draft(row.start, row.end, tuple(text for _, text in self._headings))
        draft.context = row.details()
        self._cells.row(draft, row, place, self._scope())
        return draft

    def _field(self, block: Block, place: FieldPlace | None) -> Draft:
        """A line, or a row, of a name and a value."""
        draft = Draft(block.start, block.end, tuple(text for _, text in self._headings))
        if place is None:
            return draft
        subject = self._scope().subject
        if place.is_front:
            subject = self._title or subject
        elif place.record:
            subject = self._cells.thing(place.record)
        if subject:
            draft.context = self.names.form(subject)
            self._cells.field(draft, place.field, subject, is_front=place.is_front)
        return draft

    def _scope(self) -> Scope:
        """What rows and fields are about that name nothing: the nearest heading that may, else
        the title."""
        title = self._focus.title or ""
        above = [_BEHIND_DASH.sub("", text) for _, text in reversed(self._headings)]
        above += [] if title else [_BEHIND_DASH.sub("", self._document.title)]
        heading = next(filter(self._may_head, above), "")
        return Scope(self._cells.thing(heading) if heading else title, title)

    def _may_head(self, heading: str) -> bool:
        """Whether a heading names what the rows and fields below it are about."""
        return may_be_named(heading) and (
            bool(self._grammar.class_of_name(heading)) or not tells_what_follows(heading)
        )


def _is_marked_heading(block: Block) -> bool:
    """Whether a block is a heading for sure; one of level 5 may be a statement as well."""
    return block.kind == "heading" and block.level < UNMARKED


def _places(text: str, blocks: Sequence[Block]) -> dict[int, RowPlace]:
    """By its start, where each row stands in its table: rows that follow each other are one's."""
    found: dict[int, RowPlace] = {}
    tables = [
        list(run) for is_row, run in groupby(blocks, lambda each: each.row is not None) if is_row
    ]
    for table, caption in zip(tables, captions(text, blocks), strict=True):
        rows = [block.row for block in table if block.row is not None]
        places = row_places(rows, caption)
        found |= zip((block.start for block in table), places, strict=True)
    return found
