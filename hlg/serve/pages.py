"""The pages, made here out of templates; scripts only make them quicker to use."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hlg.asking.marks import marked
from hlg.asking.search import search
from hlg.entities.communities import CommunityView, community_views
from hlg.entities.resolution import EntityView
from hlg.errors import HlgError, UsageError
from hlg.records import OWN_METADATA, Entity, Hit, Passage, Source
from hlg.reports import SearchResult
from hlg.retrieval.registry import RETRIEVERS
from hlg.serve import models
from hlg.serve.answers import Page, failure
from hlg.serve.api import given_by
from hlg.serve.reading import reading
from hlg.serve.service import Answered, GraphService, search_options

ENTITIES_LISTED = 200
SHOWN_FIRST = 8
"""Entities that a person who has asked nothing yet can begin with."""
MOST_FIELDS = 50
SOURCES_SUGGESTED = 500
SOURCES_LISTED = 500


class AskPage(models.Given):
    """The page to ask in; with a question, its answer."""

    q: str = Field("", max_length=models.MOST_CHARACTERS)
    chat: str = ""
    retriever: str = ""
    top_k: int | None = Field(None, ge=1, le=models.MOST_HITS)
    where: str = ""
    extractive: bool = False


class ComparePage(models.Given):
    """One question, two retrievers."""

    q: str = Field("", max_length=models.MOST_CHARACTERS)
    one: str = "auto"
    other: str = "bm25"
    top_k: int = Field(8, ge=1, le=models.MOST_HITS)
    where: str = ""


class SourcePage(models.Named):
    """A source, at a cited place or from a character on; ``part``: its text alone."""

    start: int = 0
    end: int = 0
    at: int | None = None
    part: bool = False


class TurnPage(models.Given):
    """A turn of a conversation."""

    chat: str
    number: int


class ListPage(models.Given):
    """Entities of which a word begins so, or sources with that in title or address."""

    like: str = Field("", max_length=200)


def routes(service: Callable[[], GraphService]) -> list[Route]:
    """The pages' routes.

    :param service: gives what is asked, once the application has started.
    """
    pages: Mapping[str, tuple[type[models.Given], Callable[[GraphService, Any], Page]]] = {
        "/": (AskPage, _ask),
        "/turns/{chat}/{number}": (TurnPage, _turn),
        "/compare": (ComparePage, _compare),
        "/sources": (ListPage, _sources),
        "/sources/{name}": (SourcePage, _source),
        "/entities": (ListPage, _entities),
        "/entities/{name:path}": (models.Named, _entity),
        "/communities": (models.Nothing, _communities),
        "/communities/{name:path}": (models.Named, _community),
    }
    return [Route(path, _handler(service, *page)) for path, page in pages.items()]


def _handler(
    service: Callable[[], GraphService],
    kind: type[models.Given],
    make: Callable[[GraphService, Any], Page],
) -> Callable[[Request], Awaitable[Response]]:
    async def page(request: Request) -> Response:
        try:
            filled = {name: value for name, value in request.query_params.items() if value}
            given = await given_by(request, kind, filled)
            return await service().run(lambda: make(service(), given))
        except Exception as error:
            return failure(request.scope, error)

    return page


def _page(
    service: GraphService, template: str, title: str, here: str, status: int = 200, **more: Any
) -> Page:
    """A page with what every one is told, and what this one is told beside it."""
    told = {"title": title, "here": here, "can_write": service.uploads is not None, **more}
    return Page(template, told, status)


def _form(service: GraphService) -> dict[str, Any]:
    """What a question's form offers; the store is asked for the revision alone where it stays."""
    nothing: dict[str, Any] = {"counts": {}, "first": [], "fields": [], "addresses": []}
    return {
        "retrievers": RETRIEVERS.summaries(),
        "default": service.settings.retriever,
        "model": service.settings.llm,
        **service.kept("form", lambda: _read_form(service), nothing),
    }


def _read_form(service: GraphService) -> dict[str, Any]:
    sources = service.sources()
    return {
        "counts": service.counts(),
        "first": service.entities("", SHOWN_FIRST),
        "fields": _fields(sources),
        "addresses": [source.uri for source in sources[:SOURCES_SUGGESTED]],
    }


def _fields(sources: Sequence[Source]) -> list[str]:
    """The fields of sources' metadata that can be filtered by."""
    found = {
        name
        for source in sources
        for name, value in source.metadata.items()
        if name not in OWN_METADATA and not isinstance(value, Mapping)
    }
    return sorted(found)[:MOST_FIELDS]


def _ask(service: GraphService, given: AskPage) -> Page:
    answered, message, status = None, "", 200
    if given.q:
        how = given.model_dump(exclude={"q"})
        try:
            answered = service.ask(models.Ask(question=given.q, **how))
        except HlgError as error:
            message, status = str(error), 400
    told = _form(service) | _turn_told(service, answered)
    title = given.q or "Ask"
    return _page(service, "ask.html", title, "/", status, given=given, message=message, **told)


def _turn(service: GraphService, given: TurnPage) -> Page:
    answered = service.answered(given.chat, given.number)
    return Page("turn.html", _turn_told(service, answered))


def _turn_told(service: GraphService, answered: Answered | None) -> dict[str, Any]:
    """An answer, with the sentence of each of its passages that answers."""
    if answered is None:
        return {"answered": None, "hits": ()}
    turn = answered.turn
    found = SearchResult(turn.question, "", turn.answer.hits, 0, {"total": 0.0})
    return {"answered": answered, "hits": marked(service.graph, found).hits}


@dataclass(frozen=True, slots=True)
class _Side:
    """What one of two retrievers found; ``elsewhere`` is the other's rank of each hit, by place."""

    result: SearchResult
    elsewhere: Mapping[int, int]


def _compare(service: GraphService, given: ComparePage) -> Page:
    sides: list[_Side] = []
    message, status = "", 200
    if given.q:
        try:
            found = [_found(service, given, name) for name in (given.one, given.other)]
            sides = [_Side(a, _ranks(a.hits, b.hits)) for a, b in (found, found[::-1])]
        except HlgError as error:
            message, status = str(error), 400
    told = {"given": given, "sides": sides, "message": message, **_form(service)}
    title = "Compare two retrievers"
    return _page(service, "compare.html", title, "/compare", status, **told)


def _found(service: GraphService, given: ComparePage, retriever: str) -> SearchResult:
    how = search_options(models.How(retriever=retriever, top_k=given.top_k, where=given.where))
    return marked(service.graph, search(service.graph, given.q, how))


def _ranks(hits: tuple[Hit, ...], others: tuple[Hit, ...]) -> dict[int, int]:
    """By a hit's rank the rank of the first of the others that lies at the same place."""
    return {
        hit.rank: next((x.rank for x in others if _overlap(hit.passage, x.passage)), 0)
        for hit in hits
    }


def _overlap(one: Passage, other: Passage) -> bool:
    return one.source.id == other.source.id and one.start < other.end and other.start < one.end


def _sources(service: GraphService, given: ListPage) -> Page:
    wanted = given.like.casefold()
    sources = [
        each
        for each in service.sources()
        if any(wanted in text.casefold() for text in (each.title, *each.addresses))
    ]
    return _page(
        service,
        "sources.html",
        "Sources",
        "/sources",
        sources=sources[:SOURCES_LISTED],
        total=len(sources),
        like=given.like,
        build=service.uploads.state() if service.uploads else None,
        most_mb=service.settings.max_file_mb,
    )


def _source(service: GraphService, given: SourcePage) -> Page:
    made = service.read_source(given.name)
    return _page(
        service,
        "source_part.html" if given.part else "source.html",
        made.source.title or made.source.uri,
        "/sources",
        made=made,
        given=given,
        told_apart=OWN_METADATA,
        read=reading(made, given.start, given.end, given.at),
    )


def _entities(service: GraphService, given: ListPage) -> Page:
    found = service.entities(given.like, ENTITIES_LISTED)
    return _entity_list(service, found, given.like)


def _entity_list(
    service: GraphService, found: Sequence[Entity], like: str, message: str = ""
) -> Page:
    told = {"found": found, "like": like, "message": message}
    status = 404 if message else 200
    return _page(service, "entities.html", "Entities", "/entities", status, **told)


@dataclass(frozen=True, slots=True)
class _Known:
    """An entity, with the passages of the statements about it, by their ids, and the communities
    that it is in."""

    view: EntityView
    passages: Mapping[str, Passage]
    communities: list[CommunityView]


def _entity(service: GraphService, given: models.Named) -> Page:
    try:
        views = service.graph.entities.show(given.name)
    except UsageError as error:
        named = (service.entities(name, 1) for name in error.known)
        return _entity_list(service, [*chain.from_iterable(named)], given.name, str(error))
    known = [_known(service, view) for view in views]
    return _page(service, "entity.html", views[0].name, "/entities", known=known)


def _known(service: GraphService, view: EntityView) -> _Known:
    store = service.graph.store
    said = [each.id for each in view.statements] + [each.statement_id for each in view.facts]
    passages = {each.id: each for each in store.passages("Statement", list(dict.fromkeys(said)))}
    try:
        communities = community_views(store, view.name)
    except UsageError:
        communities = []
    return _Known(view, passages, communities)


def _communities(service: GraphService, given: models.Nothing) -> Page:
    found = service.graph.communities() if service.counts() else []
    return _page(service, "communities.html", "Communities", "/communities", found=found)


def _community(service: GraphService, given: models.Named) -> Page:
    views = community_views(service.graph.store, given.name)
    title = views[0].community.title
    return _page(service, "community.html", title, "/communities", views=views)
