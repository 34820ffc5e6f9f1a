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

from hlg.asking.context import context_of
from hlg.asking.marks import marked
from hlg.asking.search import search
from hlg.documents import fields_of
from hlg.entities.communities import community_views
from hlg.entities.resolution import EntityView
from hlg.errors import UsageError
from hlg.pictures.page import picture_document
from hlg.records import Entity, Source
from hlg.serve import models
from hlg.serve.answers import API, Json, document, failure
from hlg.serve.service import Answered, GraphService, search_options

EVENTS = "text/event-stream"
Call = Callable[[GraphService, Any], object]


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
    call: Call
    events: bool = False


ENDPOINTS: list[Endpoint] = []
WRITING: list[Endpoint] = []
"""What is there only where the graph may be written."""


def _asked(method: str, path: str, gives: Any, *, events: bool = False) -> Callable[[Call], Call]:
    """Puts a function into the table: its docstring is what the documentation says, and the type
    of ``given`` what a request gives."""

    def added(call: Call) -> Call:
        table = WRITING if method in ("PUT", "DELETE") else ENDPOINTS
        takes = call.__annotations__["given"]
        table.append(Endpoint(method, path, call.__doc__ or "", takes, gives, call, events))
        return call

    return added


@_asked("GET", "/search", models.SearchDocument)
def _search(service: GraphService, given: models.Search) -> object:
    """The evidence for a question, best first."""
    found = search(service.graph, given.question, search_options(given))
    return marked(service.graph, found)


@_asked("POST", "/ask", models.TurnDocument, events=True)
def _ask(service: GraphService, given: models.Ask) -> object:
    """A question's answer, each sentence cited; a conversation goes on by its name."""
    return turn_document(service.ask(given))


@_asked("GET", "/context", models.ContextDocument)
def _context(service: GraphService, given: models.Context) -> object:
    """What a language model would be given for a question."""
    made = context_of(
        service.graph,
        given.question,
        search_options(given),
        format=given.format,
        tokens=given.tokens,
    )
    return {"query": given.question} | document(made)


@_asked("GET", "/sources", list[Source])
def _sources(service: GraphService, given: models.Nothing) -> object:
    """The documents in the graph, by address."""
    return service.sources()


@_asked("GET", "/sources/{name:path}", models.SourceDocument)
def _source(service: GraphService, given: models.Named) -> object:
    """A document, by its id or an address, with what was made of it."""
    made = service.read_source(given.name)
    kinds = ("chunks", "topics", "statements", "facts", "entities")
    return fields_of(made.source) | {kind: getattr(made, kind) for kind in kinds}


@_asked("GET", "/entities", list[Entity])
def _entities(service: GraphService, given: models.EntityList) -> object:
    """The entities that are mentioned most."""
    return service.entities(given.like, given.limit)


@_asked("GET", "/entities/{name:path}", list[EntityView])
def _entity(service: GraphService, given: models.Named) -> object:
    """What is known of the entities of a name."""
    return service.graph.entities.show(given.name)


@_asked("GET", "/communities", list[models.CommunityDocument])
def _communities(service: GraphService, given: models.Level) -> object:
    """Groups of entities that relate to each other."""
    return service.graph.communities(given.level)


@_asked("GET", "/communities/{name:path}", list[models.CommunityDocument])
def _community(service: GraphService, given: models.Named) -> object:
    """A community by its id, or those that an entity is in, with who is in it."""
    return community_views(service.graph.store, given.name)


@_asked("GET", "/graph", models.PictureDocument)
def _picture(service: GraphService, given: models.Drawn) -> object:
    """A part of the graph with the place of each node, as hlg view draws it."""
    return picture_document(service.picture(given))


@_asked("GET", "/status", models.StatusDocument)
def _status(service: GraphService, given: models.Nothing) -> object:
    """What the graph holds, and what is being built."""
    return models.StatusDocument.model_construct(
        graph=service.status(),
        model=service.settings.llm or None,
        can_write=service.uploads is not None,
        build=service.uploads.state() if service.uploads else None,
    )


@_asked("PUT", "/sources/{name}", models.BuildDocument)
def _upload(service: GraphService, given: models.Upload) -> object:
    """Take the body in as a file of that name, and build it into the graph."""
    raise NotImplementedError("a file's bytes are read by the handler")


@_asked("DELETE", "/sources/{name:path}", models.DeletedDocument)
def _delete(service: GraphService, given: models.Named) -> object:
    """Delete a document, by its id or an address, and what only it supported."""
    return models.DeletedDocument(deleted=service.delete(given.name))


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
