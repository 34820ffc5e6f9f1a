"""The application: routes, and a graph that is open as long as it runs."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from hlg.serve import api, assets, pages
from hlg.serve.answers import API, Json, failure, refusal
from hlg.serve.guard import PageGuard
from hlg.serve.openapi import openapi_document
from hlg.serve.service import GraphService


def application(
    opened: Callable[[], GraphService],
    *,
    host: str = "127.0.0.1",
    token: str = "",
    can_write: bool = False,
) -> ASGIApp:
    """The application over the graph that ``opened`` opens when it starts.

    :param host: what it is listened on, for :class:`hlg.serve.guard.PageGuard`.
    :param can_write: whether there are requests that change the graph.
    :raises UsageError: as :class:`hlg.serve.guard.PageGuard`.
    """
    held: list[GraphService] = []

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        service = await anyio.to_thread.run_sync(opened)
        held.append(service)
        try:
            async with anyio.create_task_group() as background:
                background.start_soon(service.warm_up)
                yield
        finally:
            held.clear()
            if service.uploads is not None:
                await anyio.to_thread.run_sync(service.uploads.close)
            service.graph.close()

    def service() -> GraphService:
        return held[0]

    described = openapi_document((*(api.WRITING if can_write else ()), *api.ENDPOINTS))

    async def documentation(request: Request) -> Response:
        return Json(described)

    app = Starlette(
        routes=[
            Route(f"{API}/openapi.json", documentation),
            *api.routes(service, can_write=can_write),
            *assets.routes(),
            *pages.routes(service),
        ],
        lifespan=lifespan,
        exception_handlers={404: _missing, 405: _missing, Exception: _failed},
    )
    return PageGuard(app, host, token)


async def _missing(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    return refusal(request.scope, status, f"there is no {request.method} {request.url.path} here")


async def _failed(request: Request, error: Exception) -> Response:
    return failure(request.scope, error)
