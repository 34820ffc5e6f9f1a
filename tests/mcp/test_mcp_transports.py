"""Both transports as processes, and clients that are strangers, several, or gone."""

import json
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
from mcp.client.streamable_http import streamable_http_client

from support.command_line import hlg, refused
from support.mcp_client import connected

ROOT = Path(__file__).parents[2]
HLG = [sys.executable, "-m", "hlg.cli.main", "mcp"]
TOKEN = "a token of many letters"
QUESTION = {"question": "Who started the yard that built the Petrel?"}
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def message(method: str, params: dict[str, Any] | None = None, id_: int | None = None) -> str:
    """A line of JSON-RPC."""
    told = {"jsonrpc": "2.0", "method": method, "params": params or {}}
    return json.dumps(told if id_ is None else told | {"id": id_}) + "\n"


def test_the_documents_example_prints_over_stdio_what_it_says(
    town_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "mcp.md").read_text("utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    (printed,) = re.findall(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    command = f"command={HLG[0]!r}, args={[*HLG[1:], '--store', str(town_file)]}"
    here = re.sub(r'command="hlg", args=\[.*?\]', lambda _: command, example)
    assert here != example
    exec(here, {})

    def without_boundaries(text: str) -> str:
        return re.sub(r"(\[(?:BEGIN|END) \w+) \w+\]", r"\1]", text)

    assert without_boundaries(capsys.readouterr().out) == without_boundaries(printed)


@pytest.mark.parametrize("page", ["README.md", "docs/mcp.md"])
def test_the_lines_for_clients_start_the_server(page: str) -> None:
    shown = re.findall(r"^```json\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.M | re.S)
    assert len(shown) >= 2
    for each in map(json.loads, shown):
        (servers,) = each.values()
        for server in servers.values():
            if server.get("type") == "http":
                assert server["url"] == "http://127.0.0.1:8000/mcp"
            else:
                assert server["command"] == "hlg"
                assert hlg(*server["args"], "--help").exit_code == 0


def test_a_client_that_dies_ends_it_and_stdout_has_nothing_but_protocol(town_file: Path) -> None:
    command = [*HLG, "--store", str(town_file)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as run:
        assert run.stdin
        assert run.stdout
        assert run.stderr
        run.stdin.write(message("initialize", HELLO, 1))
        run.stdin.write(message("notifications/initialized"))
        run.stdin.write("this is no JSON\n[1, 2\n")
        run.stdin.write(message("tools/call", {"name": "ask", "arguments": QUESTION}, 2))
        run.stdin.flush()
        lines = [json.loads(run.stdout.readline()) for _ in range(2)]
        assert {each["jsonrpc"] for each in lines} == {"2.0"}
        (answered,) = (each["result"] for each in lines if each.get("id") == 1)
        assert answered["serverInfo"]["name"] == "hlg"
        assert "It holds 14 documents" in answered["instructions"]
        run.stdin.write(message("tools/call", {"name": "ask", "arguments": QUESTION}, 3))
        run.stdin.close()
        rest = [json.loads(line) for line in run.stdout]
        assert all(each["jsonrpc"] == "2.0" for each in rest)
        assert run.wait(60) == 0
        assert run.stderr.read() == ""


@pytest.fixture(scope="module")
def address(town_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where it listens, for those who have the token."""
    file = tmp_path_factory.mktemp("token") / "token"
    file.write_text(f"{TOKEN}\n")
    command = [*HLG, "--http", "--port", "0", "--token-file", str(file), "--store", str(town_file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout
        yield run.stdout.readline().strip()
        run.terminate()
        assert run.wait(60) == 0


def with_token(address: str) -> Any:
    """A client's way to the address."""
    shown = httpx2.AsyncClient(headers={"authorization": f"Bearer {TOKEN}"}, timeout=60)
    return streamable_http_client(address, http_client=shown)


class TestHttp:
    @pytest.mark.parametrize("mode", ["auto", "legacy"])
    def test_who_shows_the_token_is_answered(self, address: str, mode: str) -> None:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/mcp", address)
        with connected(with_token(address), mode=mode) as client:
            assert "It holds 14 documents" in (client.client.instructions or "")
            assert client.call("ask", **QUESTION)["answer"].startswith("Henrike Oake")

    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({"authorization": ""}, 401),
            ({"authorization": "Bearer another"}, 401),
            ({"authorization": f"Basic {TOKEN}"}, 401),
            ({"host": "evil.example"}, 421),
            ({"host": ""}, 421),
            ({"origin": "https://evil.example"}, 403),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({}, 200),
        ],
    )
    def test_others_are_refused(self, address: str, headers: dict[str, str], status: int) -> None:
        shown = {
            "authorization": f"Bearer {TOKEN}",
            "accept": "application/json, text/event-stream",
            "content-type": "application/json",
        }
        hello = message("initialize", HELLO, 1)
        answer = httpx.post(address, content=hello, headers=shown | headers, timeout=60)
        assert answer.status_code == status
        assert ("www-authenticate" in answer.headers) == (status == 401)
        assert (status == 200) == ("documents" in answer.text)

    def test_several_ask_at_once_and_one_goes_away(self, address: str) -> None:
        host, port = re.findall(r"//(.+):(\d+)/", address)[0]
        body = message("tools/call", {"name": "ask", "arguments": QUESTION}, 1)
        for _ in range(3):
            with socket.create_connection((host, int(port))) as gone:
                head = (
                    f"POST /mcp HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Bearer {TOKEN}"
                    "\r\nAccept: application/json, text/event-stream\r\nContent-Type: "
                    f"application/json\r\nContent-Length: {len(body)}\r\n\r\n"
                )
                gone.sendall((head + body).encode())

        def ask(title: str) -> str:
            with connected(with_token(address)) as client:
                found = [client.call("search", query=title)["results"][0]["title"] for _ in "12"]
                (title,) = set(found)
                return title

        titles = ["The Petrel", "Skarn Light", "Lotte Wiek"]
        with ThreadPoolExecutor() as pool:
            assert list(pool.map(ask, titles)) == titles


def test_what_can_not_be_served_is_said(tmp_path: Path, town_file: Path) -> None:
    store = ("--store", str(town_file))
    assert "give --token-file" in refused("mcp", "--http", "--host", "0.0.0.0", *store)
    assert "no token can be read" in refused("mcp", "--http", "--token-file", "none", *store)
    assert "go with --http" in refused("mcp", "--host", "0.0.0.0", *store)
    short = tmp_path / "short"
    short.write_text("short")
    assert "it needs 16" in refused("mcp", "--http", "--token-file", str(short), *store)
    missing = str(tmp_path / "none.lbug")
    assert "no graph in" in refused("mcp", "--http", "--port", "0", "--store", missing, code=3)
