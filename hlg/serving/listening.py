"""Running the application: one thread that listens until it is told to end."""

import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

import uvicorn
from starlette.types import ASGIApp

from hlg.errors import HlgError, StoreError, UsageError

_POLL_SECONDS = 0.02
_LEAVE_SECONDS = 3
"""So long those who are being answered are waited for at the end."""


@contextmanager
def running(app: ASGIApp, host: str, port: int) -> Iterator[str]:
    """Serve an application in the block; gives its address.

    :param port: 0 takes one that is free.
    :raises UsageError: the port is taken, or the host is none of this machine.
    :raises HlgError: what the application raises as it starts.
    """
    listening = _listening(host, port)
    faults: list[BaseException] = []

    async def started(scope: object, receive: object, send: object) -> None:
        try:
            await app(scope, receive, send)  # type: ignore[arg-type]
        except HlgError as error:
            faults.append(error)
            raise

    config = uvicorn.Config(
        started,
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        lifespan="on",
        ws="none",
        proxy_headers=False,
        timeout_graceful_shutdown=_LEAVE_SECONDS,
    )
    server = uvicorn.Server(config)

    def run() -> None:
        with suppress(SystemExit):  # it did not start
            server.run([listening])

    thread = Thread(target=run, name="hlg listening", daemon=True)
    thread.start()
    try:
        while not server.started:
            if not thread.is_alive():
                raise next(iter(faults), StoreError("the server did not start"))
            time.sleep(_POLL_SECONDS)
        name = f"[{host}]" if ":" in host else host
        yield f"http://{name}:{listening.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise UsageError(
            f"{host}:{port} can't be listened on: {reason}; choose another --port",
            option="port",
        ) from error
