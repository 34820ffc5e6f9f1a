"""A small server for this machine, from which Neo4j Browser fetches style and guide.

The Browser is a page of another origin, so every answer allows that (CORS), and so does
the answer to the question that a browser asks first (OPTIONS).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from hlg.browser.content import FAVOURITES, favourites, guide, style
from hlg.errors import StoreError

_HOST = "127.0.0.1"
_POLL_SECONDS = 0.1


def address_of(port: int, name: str = "") -> str:
    """Where a file is served; the Browser only accepts files from ``localhost``."""
    return f"http://localhost:{port}/{name}"


@contextmanager
def served(port: int, graph: str = "") -> Iterator[int]:
    """Serve style, guide and favourites of a graph; gives the port, which 0 leaves open.

    :raises StoreError: the port is in use.
    """
    content = {
        "/style.grass": ("text/plain; charset=utf-8", style(graph).encode()),
        "/guide.md": ("text/markdown; charset=utf-8", guide(graph).encode()),
        f"/{FAVOURITES}": ("application/zip", favourites(graph)),
    }
    try:
        server = _Server((_HOST, port), _handler(content))
    except OSError as error:
        raise StoreError(
            f"port {port} can't be served on: {error.strerror}; where another hlg browse serves "
            "there already, --print gives a link that will do; else choose another --port"
        ) from error
    with server:
        thread = Thread(target=server.serve_forever, args=(_POLL_SECONDS,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    # Two processes on one port would answer in turns.
    allow_reuse_port = False
    daemon_threads = True


def _handler(content: Mapping[str, tuple[str, bytes]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer()

        def do_HEAD(self) -> None:
            self._answer()

        def do_OPTIONS(self) -> None:
            self.send_response(204)
            self._allow()
            self.end_headers()

        def _answer(self) -> None:
            found = content.get(self.path.partition("?")[0])
            kind, body = found or ("text/plain; charset=utf-8", b"not found\n")
            self.send_response(200 if found else 404)
            self._allow()
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-cache")
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def _allow(self) -> None:
            self.send_header("Access-Control-Allow-Origin", "*")
            self.send_header("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
            self.send_header("Access-Control-Allow-Headers", "*")
            self.send_header("Access-Control-Allow-Private-Network", "true")

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the terminal is for the person who runs it."""

    return Handler
