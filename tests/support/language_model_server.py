"""A server on loopback that speaks the OpenAI protocol, in place of a paid one."""

import json
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from hlg.settings import Settings


class Endpoint:
    """A server that answers chat completions as a test wants it; it keeps what it was asked."""

    def __init__(self, answer: Callable[[str], tuple[int, str]]) -> None:
        endpoint, self.asked = self, list[dict[str, object]]()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.asked.append(request | {"key": self.headers["Authorization"]})
                status, content = answer(request["messages"][-1]["content"])
                message = {"role": "assistant", "content": content}
                body = json.dumps(
                    {
                        "id": "1",
                        "object": "chat.completion",
                        "created": 1,
                        "model": request["model"],
                        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    }
                ).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *args: object) -> None:
                """Nothing is written to stderr."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def settings(self, seconds: float = 5.0) -> Settings:
        return Settings(
            llm="tiny",
            llm_url=self.url,
            llm_api_key="s3cret",
            llm_seconds=seconds,  # type: ignore[arg-type]
        )

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def endpoint(request: pytest.FixtureRequest) -> Iterator[Endpoint]:
    opened = Endpoint(request.param)
    yield opened
    opened.close()


def answering(status: int, text: str, seconds: float = 0) -> Callable[[str], tuple[int, str]]:
    def answer(_: str) -> tuple[int, str]:
        time.sleep(seconds)
        return status, text

    return answer
