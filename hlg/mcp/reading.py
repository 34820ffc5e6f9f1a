"""The tools that read: each a method whose signature, docstring and types are its schema."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Literal, TypeVar

from mcp_types import CallToolResult
from pydantic import BaseModel, Field

from hlg.agent.bounds import EntityName, Hops, Line, Patterns
from hlg.agent.reading import line_of, lines_of, shown_metadata
from hlg.answers import Answer
from hlg.answers import cited as in_brackets
from hlg.errors import UsageError
from hlg.mcp import results as out
from hlg.mcp.access import Access, Opened, passage_around
from hlg.mcp.library import url_of
from hlg.mcp.telling import MOST_CHARACTERS, ROOM, Page, Row, json_of, page_of, result
from hlg.records import Source
from hlg.reports import DOUBTFUL
from hlg.store.source_text import SourceText
from hlg.unicode import one_line

RESULTS = 10
"""Results of a search, a page."""
DOUBT = "The documents seem not to tell that; this is the nearest in them."
MOST_SOURCES = 500
"""Documents that a page of them may have."""
SHORT_QUOTE = 300
"""Characters of a citation, where only so much is wanted."""
_TITLE = 200

OutputT = TypeVar("OutputT", bound=BaseModel)
Query = Annotated[
    str, Field(description="A question, or words to look for.", min_length=1, max_length=2000)
]
Also = Annotated[
    list[Annotated[str, Field(max_length=2000)]],
    Field(description="Other wordings or parts of it, searched at once.", max_length=4),
]
PassageId = Annotated[
    str, Field(description="As search gave it: of a passage or a document.", min_length=1)
]
Skip = Annotated[int, Field(description="How many to pass over: the next page.", ge=0, le=10_000)]
Detail = Annotated[
    Literal["concise", "full"],
    Field(description="full: each with the whole passage around it, and metadata."),
]


class ReadTools:
    """What is registered always. Errors are those of :mod:`hlg.errors`."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def search(
        self,
        query: Query,
        also: Also = [],  # noqa: B006
        skip: Skip = 0,
        detail: Detail = "concise",
    ) -> Annotated[CallToolResult, out.Results]:
        """Search all documents by meaning, words and the links between them. Gives passages, each
        with the id that fetch, open and find take. Use it first, and again with other words."""
        at = self._opened()
        found = at.tools.search_more([query, *also], (), skip + RESULTS + 1)
        texts = at.texts(each.passage for each in found.results)
        rows = []
        for each in found.results:
            cited, text = each.passage, at.text_of(each.passage, texts)
            exact = text.text[cited.start : cited.end]
            whole = passage_around(cited, text) if detail == "full" else exact
            quoted = replace(cited, text=one_line(whole, MOST_CHARACTERS))
            each = replace(each, passage=quoted) if detail == "full" else replace(each, metadata={})
            told = out.Result(
                **out.Quote.model_validate(quoted).model_dump(),
                url=url_of(text.source, at.library.short_id(text.source.id)),
                score=each.score,
                via=each.via,
                metadata=dict(each.metadata),
            )
            rows.append(Row(each.line(), told))
        page = page_of(rows, skip, at.count, RESULTS)
        model = out.Results(
            results=page.told,
            confidence=round(found.confidence, 3),
            notes=list(found.notes),
            next_skip=page.next,
        )
        doubt = [DOUBT] if found.confidence < DOUBTFUL and page.rows else []
        before = "\n".join([_many(page, skip, "results"), *doubt, *found.notes])
        return result("results", model, page.lines, before=before, after=page.hint)

    def find(
        self, id: PassageId, patterns: Patterns, detail: Detail = "concise"
    ) -> Annotated[CallToolResult, out.Matches]:
        """Find words, or what they mean, in the one document that an id belongs to: up to 2
        passages a pattern. Use it when a passage tells too little and you know what to look for."""
        at = self._opened()
        found = at.tools.find(id, patterns)
        rows = []
        for each in at.quoted(found.passages, in_full=detail == "full"):
            quote = out.Quote.model_validate(each.evidence).model_dump()
            told = out.Match(**quote, pattern=each.pattern, by_meaning=each.by_meaning)
            rows.append(Row(each.line(), told))
        page = page_of(rows, 0, at.count)
        left = len(rows) - len(page.rows)
        hint = f"{left} more were left out: give fewer patterns." if left else ""
        none = "" if rows else "Nothing of the kind is in this document: open it, or search."
        model = out.Matches(passages=page.told, left_out=left)
        return result("passages", model, page.lines, before=none, after=hint)

    def open(self, id: PassageId, line: Line = 0) -> Annotated[CallToolResult, out.Lines]:
        """Read the document that an id belongs to, by numbered lines, from a line on."""
        at = self._opened()
        read = at.lines(id, line)
        following = read.last + 1 if read.last + 1 < read.total else 0
        shown = read.shown()
        quoted = "\n".join([shown.head, *(text for _, text in shown.pieces)])
        model = out.Lines(
            id=read.reference,
            title=one_line(read.title, _TITLE),
            uri=read.uri,
            first=read.first,
            total=read.total,
            lines=list(read.lines),
            next_line=following,
        )
        hint = f"It goes on: open it at line {following}." if following else ""
        return result("lines", model, quoted, after=hint)

    def fetch(self, id: PassageId) -> Annotated[CallToolResult, out.Document]:
        """The whole text of the document that an id belongs to; of a long one, the part from the
        passage on, and the id of the next part."""
        at = self._opened()
        passage = at.library[id]
        (text,) = at.tools.texts([passage.source.id])
        name = at.library.short_id(text.source.id)
        part, more = _part(at, text, passage.start, name)
        metadata = {"uri": text.source.uri} | shown_metadata(text.source) | more
        title = one_line(text.source.title, _TITLE)
        url = url_of(text.source, name)
        model = out.Document(id=id, title=title, text=part, url=url, metadata=metadata)
        hint = f"It goes on: fetch {more['next']}." if "next" in more else ""
        quoted = f"[{name}] {title} · {text.source.uri}\n{part}"
        return result("document", model, quoted, after=hint)

    def ask(
        self, question: Query, detail: Detail = "concise"
    ) -> Annotated[CallToolResult, out.Answered]:
        """Have a question answered out of the documents, each sentence cited. Quick for one fact;
        search yourself where the answer takes several steps or you have to be sure."""
        at = self._opened()
        how = at.how
        answer = at.graph.ask(
            question, retriever=how.retriever, top_k=how.top_k, options=how.options, where=how.where
        )
        return _answered(at, answer, in_full=detail == "full")

    def facts(
        self, entity: EntityName, skip: Skip = 0, detail: Detail = "concise"
    ) -> Annotated[CallToolResult, out.EntityFacts]:
        """What the documents say of a person, place or thing: facts, each with its statement."""
        at = self._opened()
        found = at.tools.facts(entity)
        rows = at.rows(found.facts, out.StatedFact, in_full=detail == "full")
        page = page_of(rows, skip, at.count)
        model = out.EntityFacts(
            entity=found.entity,
            entity_class=found.entity_class,
            facts=page.told,
            aliases=list(found.aliases),
            next_skip=page.next,
        )
        also = f", also {', '.join(found.aliases)}" if found.aliases else ""
        head = f"{found.entity} ({found.entity_class}){also}"
        return result(
            "facts",
            model,
            f"{head}\n{page.lines}",
            before=_many(page, skip, "facts and statements"),
            after=page.hint,
        )

    def neighbours(
        self, entity: EntityName, hops: Hops = 1, skip: Skip = 0, detail: Detail = "concise"
    ) -> Annotated[CallToolResult, out.Around]:
        """What a person, place or thing is joined with, directly or over others, each with the
        statement that says so."""
        at = self._opened()
        found = at.tools.neighbours(entity, hops)
        rows = at.rows(found.neighbours, out.Step, in_full=detail == "full")
        page = page_of(rows, skip, at.count)
        model = out.Around(entity=found.entity, neighbours=page.told, next_skip=page.next)
        before = _many(page, skip, "neighbours, by hops")
        return result(
            "neighbours", model, f"{found.entity}\n{page.lines}", before=before, after=page.hint
        )

    def path(
        self, start: EntityName, end: EntityName, detail: Detail = "concise"
    ) -> Annotated[CallToolResult, out.Way]:
        """How two people, places or things hang together: the shortest way over statements."""
        at = self._opened()
        found = at.tools.path(start, end)
        rows = at.rows(found.steps, out.Step, in_full=detail == "full")
        model = out.Way(start=found.start, end=found.end, steps=[row.told for row in rows])
        head = found.shown().head
        return result("path", model, "\n".join([head, *(row.line for row in rows)]))

    def sources(
        self,
        like: Annotated[
            str, Field(description="Only with this in title or address.", max_length=200)
        ] = "",
        skip: Skip = 0,
        detail: Detail = "concise",
    ) -> Annotated[CallToolResult, out.Sources]:
        """The documents that can be searched and read, by address."""
        at = self._opened()
        wanted = like.casefold()
        found = [
            each
            for each in at.library.sources()
            if wanted in each.title.casefold() or wanted in each.uri.casefold()
        ]
        in_full = detail == "full"
        rows = [_source(at, each, in_full=in_full) for each in found[skip : skip + MOST_SOURCES]]
        shown = page_of(rows, 0, at.count).rows
        end = skip + len(shown)
        page = Page(shown, end if end < len(found) else 0)
        model = out.Sources(sources=page.told, total=len(found), next_skip=page.next)
        before = f"{len(page.rows)} of {len(found)} documents"
        return result("documents", model, page.lines, before=before, after=page.hint)


def _many(page: Page[OutputT], skip: int, what: str) -> str:
    if page.rows:
        return f"{len(page.rows)} {what}" + (f", from number {skip} on" if skip else "")
    return "no more there" if skip else "nothing was found"


def _source(at: Access, source: Source, *, in_full: bool) -> Row[out.SourceEntry]:
    name = at.library.short_id(source.id)
    told = out.SourceEntry(
        id=name,
        title=one_line(source.title, _TITLE),
        uri=source.uri,
        url=url_of(source, name),
        metadata=shown_metadata(source) if in_full else {},
    )
    more = "; ".join(f"{key}={value}" for key, value in told.metadata.items())
    line = f"[{name}] {told.title} · {source.uri}" + (f" ({more})" if more else "")
    return Row(line, told)


def _part(at: Access, text: SourceText, start: int, name: str) -> tuple[str, dict[str, str]]:
    """A document's text, or as much as there is room for from the line of a character on; and
    which part that is."""
    whole = text.text
    if len(whole) <= 20 * ROOM and at.count(whole) + at.count(json_of(whole)) <= ROOM:
        return whole, {}
    first = line_of(text.text, min(start, len(text.text)))
    read = at.lines(name, first)
    part = "\n".join(read.lines)
    lines = {"lines": f"{read.first} - {read.last} of {read.total}"}
    if read.last + 1 == read.total:
        return part, lines
    place = sum(len(each) + 1 for each in lines_of(text.text)[: read.last + 1])
    return part, lines | {"next": f"{name}:{place}-{len(text.text)}"}


def _answered(at: Access, answer: Answer, *, in_full: bool) -> CallToolResult:
    if not answer.sentences:
        raise UsageError("nothing was found: ask with other words, or see what sources there are")
    over = f" ({answer.lead_over})" if answer.lead_over else ""
    lead = answer.lead + over + in_brackets(answer.lead_citations)
    said = replace(answer, lead="").text
    text = f"{lead}\n{said}" if answer.lead else said
    problems = [f"{each.text}: {each.problem}" for each in answer.sentences if each.problem]
    lines = [text, *(f"not borne out: {each}" for each in problems)]
    rows = list(_citations(at, answer, in_full=in_full))
    page = page_of(rows, 0, at.count, room=ROOM - 2 * at.count("\n".join(lines)))
    left = len(rows) - len(page.rows)
    model = out.Answered(
        answer=text,
        is_answered=answer.is_answered,
        unsaid=list(answer.unsaid),
        confidence=round(answer.confidence, 3),
        by=answer.by,
        citations=page.told,
        problems=problems,
        notes=list(answer.notes),
    )
    doubt = [] if answer.is_answered else [DOUBT]
    before = "\n".join([*doubt, *answer.notes])
    after = f"{left} more citations were left out: ask for less." if left else ""
    return result("answer", model, "\n".join([*lines, page.lines]), before=before, after=after)


def _citations(at: Access, answer: Answer, *, in_full: bool) -> Iterable[Row[out.Cited]]:
    ids = list({each.passage.source.id: None for each in answer.citations})
    texts = {each.source.id: each.text for each in at.tools.texts(ids)}
    for each in answer.citations:
        passage = each.passage
        told = out.Cited(
            id=at.library.of(passage),
            title=one_line(passage.source.title, _TITLE),
            uri=passage.source.uri,
            start=passage.start,
            end=passage.end,
            line=line_of(texts[passage.source.id], passage.start),
            text=one_line(passage.text, MOST_CHARACTERS if in_full else SHORT_QUOTE),
            number=each.number,
        )
        quoted = f": {told.text}" if in_full else ""
        line = f"[{each.number}] = [{told.id}] {told.title} · {told.uri}{quoted}"
        yield Row(line, told)
