"""The JSON API: a table of what can be asked, from which routes and their documentation come."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hlg.documents import fields_of
from hlg.entities.communities import community_views
from hlg.entities.resolution import EntityView
from hlg.errors import HlgError, UsageError
from hlg.pictures.page import picture_document
from hlg.serve import models
from hlg.serve.answers import API, Json, document, failure
from hlg.serve.service import Answered, GraphService, search_options

EVENTS = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Something that can be asked for.

    :param takes: what a request gives, in its address or, where it is a POST, its body.
    :param gives: what comes back, as pydantic knows it.
    :param call: does it, in a thread.
    :param events: the answer can be had piece by piece, as server-sent events.
    """

    method: str
    path: str
    summary: str
    takes: type[BaseModel]
    gives: Any
    call: Callable[[GraphService, Any], object]
    events: bool = False


def _search(service: GraphService, given: models.Search) -> object:
    how = search_options(given)
    return service.graph.search(
        given.question, retriever=how.retriever, top_k=how.top_k, where=how.where, mark=True
    )


def _ask(service: GraphService, given: models.Ask) -> object:
    return turn_document(service.ask(given))


def _context(service: GraphService, given: models.Context) -> object:
    how = search_options(given)
    made = service.graph.context(
        given.question,
        retriever=how.retriever,
        top_k=how.top_k,
        where=how.where,
        format=given.format,
        tokens=given.tokens,
    )
    return {"query": given.question} | document(made)


def _source(service: GraphService, given: models.Named) -> object:
    made = service.read_source(given.name)
    kinds = ("chunks", "topics", "statements", "facts", "entities")
    return fields_of(made.source) | {kind: getattr(made, kind) for kind in kinds}


def _picture(service: GraphService, given: models.Drawn) -> object:
    return picture_document(service.picture(given))


def _status(service: GraphService, given: models.Nothing) -> object:
    return models.StatusDocument.model_construct(
        graph=service.status(),
        model=service.settings.llm or None,
        can_write=service.uploads is not None,
        build=service.uploads.state() if service.uploads else None,
    )


def _delete(service: GraphService, given: models.Named) -> object:
    return models.DeletedDocument(deleted=service.delete(given.name))


ENDPOINTS = (
    Endpoint(
        "GET",
        "/search",
        "The evidence for a question, best first.",
        models.Search,
        models.SearchDocument,
        _search,
    ),
    Endpoint(
        "POST",
        "/ask",
        "A question's answer, each sentence cited; a conversation goes on by its name.",
        models.Ask,
        models.TurnDocument,
        _ask,
        events=True,
    ),
    Endpoint(
        "GET",
        "/context",
        "What a language model would be given for a question.",
        models.Context,
        models.ContextDocument,
        _context,
    ),
    Endpoint(
        "GET",
        "/sources",
        "The documents in the graph, by address.",
        models.Nothing,
        models.SOURCES,
        lambda service, given: service.sources(),
    ),
    Endpoint(
        "GET",
        "/sources/{name:path}",
        "A document, by its id or an address, with what was made of it.",
        models.Named,
        models.SourceDocument,
        _source,
    ),
    Endpoint(
        "GET",
        "/entities",
        "The entities that are mentioned most.",
        models.Listed,
        models.ENTITIES,
        lambda service, given: service.entities(given.like, given.limit),
    ),
    Endpoint(
        "GET",
        "/entities/{name:path}",
        "What is known of the entities of a name.",
        models.Named,
        list[EntityView],
        lambda service, given: service.graph.entities.show(given.name),
    ),
    Endpoint(
        "GET",
        "/communities",
        "Groups of entities that relate to each other.",
        models.Level,
        list[models.CommunityDocument],
        lambda service, given: service.graph.communities(given.level),
    ),
    Endpoint(
        "GET",
        "/communities/{name:path}",
        "A community by its id, or those that an entity is in, with who is in it.",
        models.Named,
        list[models.CommunityDocument],
        lambda service, given: community_views(service.graph.store, given.name),
    ),
    Endpoint(
        "GET",
        "/graph",
        "A part of the graph with the place of each node, as hlg view draws it.",
        models.Drawn,
        models.PictureDocument,
        _picture,
    ),
    Endpoint(
        "GET",
        "/status",
        "What the graph holds, and what is being built.",
        models.Nothing,
        models.StatusDocument,
        _status,
    ),
)
WRITING = (
    Endpoint(
        "PUT",
        "/sources/{name}",
        "Take the body in as a file of that name, and build it into the graph.",
        models.Upload,
        models.BuildDocument,
        lambda service, given: None,
    ),
    Endpoint(
        "DELETE",
        "/sources/{name:path}",
        "Delete a document, by its id or an address, and what only it supported.",
        models.Named,
        models.DeletedDocument,
        _delete,
    ),
)
"""What is there only where the graph may be written."""


def routes(service: Callable[[], GraphService], *, can_write: bool) -> list[Route]:
    """The API's routes.

    :param service: gives what is asked, once the application has started.
    """
    return [
        Route(API + each.path, _handler(each, service), methods=[each.method])
        for each in (*(WRITING if can_write else ()), *ENDPOINTS)
    ]


def _handler(endpoint: Endpoint, service: Callable[[], GraphService]) -> Any:
    async def answer(request: Request) -> Response:
        try:
            given = await given_by(request, endpoint.takes)
            if endpoint.events and EVENTS in request.headers.get("accept", ""):
                return StreamingResponse(_events(service(), given), media_type=EVENTS)
            if isinstance(given, models.Upload):
                uploads = service().uploads
                assert uploads is not None
                length = request.headers.get("content-length")
                return Json(document(await uploads.take(given, length, request.stream())), 202)
            found = await service().run(lambda: document(endpoint.call(service(), given)))
        except Exception as error:
            return failure(request.scope, error)
        return Json(found)

    return answer


async def given_by(
    request: Request, kind: type[BaseModel], query: Mapping[str, str] | None = None
) -> Any:
    """What a request gives, in its path and its query or, of a POST, its body of JSON.

    :param query: what counts of the query, if not all of it.
    :raises UsageError: it is not what is asked for; says in a line which part.
    """
    given: Any = dict(request.query_params if query is None else query)
    try:
        if request.method == "POST":
            given |= json.loads(await request.body() or b"{}")
        return kind.model_validate(given | request.path_params)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        name = ".".join(map(str, fault["loc"])) or "the request"
        known = list(kind.model_fields)
        reason = fault["msg"][:1].lower() + fault["msg"][1:]
        raise UsageError(
            f"{name}: {reason}; it takes {', '.join(known)}", option=name, known=known
        ) from error
    except (ValueError, TypeError) as error:
        raise UsageError(f"the body is no JSON object: {error}") from error


def turn_document(answered: Answered) -> Any:
    """An answer in its conversation."""
    turn = answered.turn
    return {
        "chat": answered.chat,
        "turn": answered.number,
        "asked": turn.asked,
        "question": turn.question,
        "answer": document(turn.answer),
    }


class _Gone(BaseException):
    """Whoever asked has gone away."""


async def _events(service: GraphService, given: models.Ask) -> AsyncIterator[bytes]:
    """A model's answer in pieces as they come, then the whole, checked."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[str, object] | None] = asyncio.Queue()
    is_gone = False

    def put(event: tuple[str, object] | None) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(queue.put_nowait, event)

    def on_text(piece: str) -> None:
        if is_gone:
            raise _Gone
        put(("text", {"piece": piece}))

    def work() -> None:
        try:
            put(("answer", turn_document(service.ask(given, on_text))))
        except HlgError as error:
            put(("error", document(error)))
        except _Gone:
            pass
        except Exception as error:
            told = failure({"type": "http", "path": API}, error)
            put(("error", json.loads(bytes(told.body))))
        finally:
            put(None)

    answering = asyncio.ensure_future(service.run(work))
    try:
        while (event := await queue.get()) is not None:
            name, told = event
            yield f"event: {name}\ndata: {json.dumps(told)}\n\n".encode()
        await answering
    finally:
        is_gone = True
