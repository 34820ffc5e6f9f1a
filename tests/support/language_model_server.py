"""A server on loopback that speaks the OpenAI protocol, in place of a paid one.

A test gives it a script: what it says to each request, or how it misbehaves there::

    with ScriptedServer(lambda asked: '{"keywords": ["Petrel"]}') as server: ...
    with ScriptedServer([Refusal(429, retry_after=1), "Edith Vale."]) as server: ...

It keeps what it was asked, and counts how many asked at once.
"""

import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from re import DOTALL, search
from typing import TYPE_CHECKING, Any, Self

from hlg.settings import Settings
from support.batch_endpoints import BatchEndpoints

if TYPE_CHECKING:
    import pytest


@dataclass(frozen=True)
class Asked:
    """A request: its body, and the key that came with it."""

    body: dict[str, Any]
    key: str = ""

    @property
    def messages(self) -> list[dict[str, str]]:
        return list(self.body["messages"])

    @property
    def text(self) -> str:
        """All that was said, the system's part first."""
        return "\n".join(each.get("content") or "" for each in self.messages)

    @property
    def schema(self) -> str:
        """Name of the schema that the answer is to be of; empty without one."""
        return str(self.body.get("response_format", {}).get("json_schema", {}).get("name", ""))

    def material(self, name: str) -> str:
        """What stands in the fence of that name."""
        found = search(rf"\[BEGIN {name} (\w+)\]\n(.*?)\n\[END {name} \1\]", self.text, DOTALL)
        assert found, f"no [BEGIN {name} …] in {self.text!r}"
        return found[2]


@dataclass(frozen=True)
class Says:
    """An answer. A stream has it in words, and breaks off after so many where ``resets``."""

    text: str
    seconds: float = 0.0
    tokens: tuple[int, int] | None = (100, 10)
    finish: str = "stop"
    resets: int | None = None
    tool: str = ""
    calls: Sequence[tuple[str, object]] = ()
    """Tools that are called, with their arguments."""


@dataclass(frozen=True)
class Refusal:
    """A status of HTTP that is no answer."""

    status: int
    retry_after: float | None = None
    code: str = ""


@dataclass(frozen=True)
class Hangup:
    """The connection is reset before anything is said."""


@dataclass(frozen=True)
class Sends:
    """Bytes that need not be an answer, one every so many ``seconds`` where that is not 0."""

    data: bytes
    kind: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0


Turn = str | Says | Refusal | Hangup | Sends
Script = Callable[[Asked], Turn] | Sequence[Turn]
"""By request, or in order, the last again and again."""


@dataclass
class ScriptedServer:
    """See the module; ``knows_schemas`` is whether it takes a ``response_format``.

    ``loses_batches``: a batch is begun, but the connection is reset before that is said.
    """

    script: Script
    knows_schemas: bool = True
    asked: list[Asked] = field(default_factory=list)
    most_at_once: int = 0
    loses_batches: bool = False

    def __post_init__(self) -> None:
        self.batches = BatchEndpoints(self._answer_line)
        self._lock = threading.Lock()
        self._now = 0
        owner = self

        class Handler(_Handler):
            server_ = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def settings(self, **given: Any) -> Settings:
        """Settings of a model here; answers are not kept, and nothing is tried for long."""
        told = {"llm": "tiny", "llm_url": self.url, "llm_api_key": "s3cret", "llm_cache": "off"}
        return Settings(**told | {"llm_seconds": 5.0, "llm_wait_seconds": 5.0} | given)

    def tell_commands(self, monkeypatch: "pytest.MonkeyPatch", **given: Any) -> None:
        """Set the environment so that commands ask here."""
        told = self.settings(llm_wait_seconds=0.1, **given)
        for name in ("llm", "llm_url", "llm_cache", "llm_wait_seconds"):
            monkeypatch.setenv(f"HLG_{name.upper()}", str(getattr(told, name)))
        monkeypatch.setenv("HLG_LLM_API_KEY", told.llm_api_key.get_secret_value())

    def turn(self, asked: Asked) -> Turn:
        """What comes next in the script."""
        with self._lock:
            self.asked.append(asked)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            place = len(self.asked) - 1
        if asked.schema and not self.knows_schemas:
            return Refusal(400)
        if callable(self.script):
            return self.script(asked)
        return self.script[min(place, len(self.script) - 1)]

    def _answer_line(self, body: dict[str, Any]) -> tuple[int, dict[str, Any]] | None:
        """What comes of a line of a batch."""
        turn = self.turn(Asked(body))
        self.done()
        turn = Says(turn) if isinstance(turn, str) else turn
        if isinstance(turn, Hangup | Sends):
            return None
        if isinstance(turn, Refusal):
            return turn.status, {"error": {"message": "no", "code": turn.code}}
        return 200, _completion(turn, body["model"])

    def done(self) -> None:
        """A request was dealt with."""
        with self._lock:
            self._now -= 1


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_: ScriptedServer

    def do_GET(self) -> None:
        batches = self.server_.batches
        *_, kind, name = self.path.partition("?")[0].split("/")
        if name == "content":
            data = batches.files[kind]
            self._send_bytes(200, data, {})
        else:
            self._send(200, batches.list() if name == "batches" else batches.look(name))

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        batches = self.server_.batches
        if self.path.endswith("/files"):
            boundary = self.headers["Content-Type"].partition("boundary=")[2]
            self._send(200, batches.upload(data, boundary))
        elif self.path.endswith("/batches"):
            batch = batches.create(json.loads(data))
            if self.server_.loses_batches:
                self._reset()
            else:
                self._send(200, batch)
        else:
            self._chat(json.loads(data))

    def _chat(self, body: dict[str, Any]) -> None:
        turn = self.server_.turn(Asked(body, self.headers["Authorization"]))
        turn = Says(turn) if isinstance(turn, str) else turn
        try:
            if isinstance(turn, Hangup):
                self._reset()
            elif isinstance(turn, Refusal):
                self._refuse(turn)
            elif isinstance(turn, Sends):
                self._send_bytes(turn.status, turn.data, turn.headers, turn.kind, turn.seconds)
            elif body.get("stream"):
                self._stream(turn, body)
            else:
                time.sleep(turn.seconds)
                self._send(200, _completion(turn, body["model"]))
        except (BrokenPipeError, ConnectionResetError):
            pass  # nobody waited for it
        finally:
            self.server_.done()

    def _refuse(self, turn: Refusal) -> None:
        headers = {} if turn.retry_after is None else {"Retry-After": str(turn.retry_after)}
        self._send(turn.status, {"error": {"message": "no", "code": turn.code}}, headers)

    def _stream(self, turn: Says, body: dict[str, Any]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        words = turn.text.split(" ")
        pieces = [word + " " * (place < len(words) - 1) for place, word in enumerate(words)]
        for place, piece in enumerate(pieces):
            if place == turn.resets:
                time.sleep(0.05)  # what was sent before is read, not thrown away
                self._reset()
                return
            time.sleep(turn.seconds)
            self._event(_chunk(body["model"], [{"index": 0, "delta": {"content": piece}}]))
        if turn.tokens and body.get("stream_options", {}).get("include_usage"):
            self._event(_chunk(body["model"], [], usage=_usage(turn.tokens)))
        self._part(b"data: [DONE]\n\n")
        self._part(b"")

    def _event(self, document: dict[str, Any]) -> None:
        self._part(b"data: " + json.dumps(document).encode() + b"\n\n")

    def _part(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _reset(self) -> None:
        """Close so that the other side sees a reset, not an end."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True

    def _send(
        self, status: int, document: dict[str, Any], headers: dict[str, str] | None = None
    ) -> None:
        self._send_bytes(status, json.dumps(document).encode(), headers or {})

    def _send_bytes(
        self,
        status: int,
        data: bytes,
        headers: Mapping[str, str],
        kind: str = "application/json",
        seconds: float = 0.0,
    ) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.close_connection = headers.get("Connection") == "close"
        if not self.close_connection:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        for byte in data if seconds else b"":
            time.sleep(seconds)
            self.wfile.write(bytes([byte]))
        if not seconds:
            self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        """Nothing is written to stderr."""


def _completion(turn: Says, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": turn.text}
    if turn.tool:
        call = {"name": "answer", "arguments": turn.tool}
        message["tool_calls"] = [{"id": "1", "type": "function", "function": call}]
    if turn.calls:
        message["tool_calls"] = [
            {
                "id": f"call{place}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for place, (name, given) in enumerate(turn.calls)
        ]
    choice = {"index": 0, "message": message, "finish_reason": turn.finish}
    document = {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [choice],
    }
    return document | ({"usage": _usage(turn.tokens)} if turn.tokens else {})


def _chunk(model: str, choices: list[dict[str, Any]], **more: object) -> dict[str, Any]:
    told = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": model}
    return told | {"choices": choices} | more


def _usage(tokens: tuple[int, int]) -> dict[str, int]:
    given, made = tokens
    return {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
