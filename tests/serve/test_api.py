"""The JSON API: what it answers, whom it lets in, and what it takes in."""

import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from hlg.errors import UsageError
from hlg.graph import LexicalGraph
from hlg.records import BETWEEN, Hit, Passage, SourceRef
from hlg.serve.answers import environment
from hlg.serve.api import ENDPOINTS
from hlg.serve.app import application
from hlg.serve.reading import reading
from hlg.serve.service import opened
from hlg.settings import Settings
from hlg.store.neo4j import database
from hlg.store.transfer import copy_graph
from support.command_line import refused
from support.graphs import source_graph
from support.language_model_server import ScriptedServer
from support.neo4j_fixture import Neo4jServer
from support.relay import relayed
from support.stores import EMBEDDED, KEPT_ON_FILE, WRITTEN, StorePlace, settings_of, wipe
from support.town_model import town_model

HERE = "http://127.0.0.1"
QUESTION = "Who started the yard that built the Petrel?"
TOKEN = "a token of some length"


def asked(client: TestClient, question: str, **more: object) -> Any:
    answer = client.post("/api/v1/ask", json={"question": question, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


class TestAnswers:
    @pytest.mark.parametrize(
        ("path", "given"),
        [
            ("/search", {"question": QUESTION, "retriever": "bm25", "top_k": 3}),
            ("/ask", {"question": QUESTION}),
            ("/context", {"question": QUESTION, "tokens": 300}),
            ("/sources", {}),
            ("/sources/{name:path}", {"name": "petrel.md"}),
            ("/entities", {"like": "oake"}),
            ("/entities/{name:path}", {"name": "Oake Yard"}),
            ("/communities", {"level": 0}),
            ("/communities/{name:path}", {"name": "Oake Yard"}),
            ("/graph", {"question": QUESTION, "top_k": 3}),
            ("/status", {}),
        ],
    )
    def test_every_answer_is_as_it_is_documented(
        self, client: TestClient, path: str, given: dict[str, Any]
    ) -> None:
        described = client.get("/api/v1/openapi.json").json()
        plain = path.replace(":path", "")
        (method,) = described["paths"][f"/api/v1{plain}"]
        told = described["paths"][f"/api/v1{plain}"][method]["responses"]["200"]
        place = "/api/v1" + plain.format(**given)
        sent = {name: value for name, value in given.items() if f"{{{name}}}" not in plain}
        answer = (
            client.post(place, json=sent) if method == "post" else client.get(place, params=sent)
        )
        assert answer.status_code == 200, answer.text
        schema = told["content"]["application/json"]["schema"]
        Draft202012Validator({**schema, "components": described["components"]}).validate(
            answer.json()
        )
        assert answer.json() not in ([], {})

    @KEPT_ON_FILE
    def test_every_endpoint_is_documented(self, client: TestClient) -> None:
        described = client.get("/api/v1/openapi.json").json()["paths"]
        assert len(described) == len(ENDPOINTS) == 11
        assert set(described) >= {f"/api/v1/{name}" for name in ("search", "ask", "context")}

    def test_an_answer_is_cited_to_the_character(
        self, client: TestClient, served: Settings
    ) -> None:
        answer = asked(client, QUESTION)["answer"]
        assert answer["lead"] == "Henrike Oake"
        with LexicalGraph.open(settings=served, read_only=True) as graph:
            for citation in answer["citations"]:
                cited = citation["passage"]
                (source,) = graph.store.texts([cited["source"]["id"]])
                assert source.text[cited["start"] : cited["end"]] == cited["text"]

    def test_a_follow_up_question_goes_on(self, client: TestClient) -> None:
        first = asked(client, "Who invented the tide organ?")
        then = asked(client, "Who taught her?", chat=first["chat"])
        assert (then["chat"], then["turn"]) == (first["chat"], 2)
        assert "Lotte Wiek" in then["question"]
        assert asked(client, "Who taught her?", chat="gone")["turn"] == 1

    def test_sources_are_chosen_by_a_condition(self, client: TestClient) -> None:
        given = {"question": QUESTION, "where": 'uri = "corven.md"'}
        hits = client.get("/api/v1/search", params=given).json()["hits"]
        assert {hit["source"]["uri"] for hit in hits} == {"corven.md"}

    @pytest.mark.parametrize(
        ("path", "status", "words"),
        [
            ("search?question=", 400, "question: string should have at least 1 character"),
            ("search?question=x&top_k=no", 400, "top_k: input should be a valid integer"),
            ("search?question=x&retriever=bm52", 400, "did you mean 'bm25'?"),
            ("search?question=x&where=year%20%3E", 400, "can't be read at character 6"),
            ("search?question=x&colour=red", 400, "it takes retriever, top_k, where, question"),
            ("sources/nothing.md", 400, "no source 'nothing.md'"),
            ("entities/Oake%20Yrd", 400, "did you mean 'Oake Yard'"),
            ("graph", 400, "say what to show"),
            ("nothing", 404, "there is no GET /api/v1/nothing here"),
            ("ask", 405, "there is no GET /api/v1/ask here"),
        ],
    )
    @KEPT_ON_FILE
    def test_what_is_wrong_is_said_in_a_line(
        self, client: TestClient, path: str, status: int, words: str
    ) -> None:
        answer = client.get(f"/api/v1/{path}")
        told = answer.json()
        assert answer.status_code == status
        assert words in told["message"]
        assert "\n" not in told["message"]
        assert told["exit_code"] == 2

    @KEPT_ON_FILE
    def test_a_models_answer_comes_in_pieces_then_whole(self, served: Settings) -> None:
        with ScriptedServer(town_model) as server:
            settings = server.settings(**served.model_dump(exclude_defaults=True))
            app = application(lambda: opened(settings, None))
            with TestClient(app, base_url=HERE) as client:
                sent = {"question": "Who invented the tide organ?"}
                accept = {"accept": "text/event-stream"}
                stream = client.post("/api/v1/ask", json=sent, headers=accept).text
        events = [part.split("\n", 1) for part in stream.strip().split("\n\n")]
        told = [(name, json.loads(data.removeprefix("data: "))) for name, data in events]
        *pieces, (last, turn) = told
        assert len(pieces) > 1
        assert {name for name, _ in pieces} == {"event: text"}
        assert last == "event: answer"
        assert turn["answer"]["by"] == "tiny"
        text = "".join(piece["piece"] for _, piece in pieces)
        assert turn["answer"]["sentences"][0]["text"].rstrip(".") in text

    def test_fifty_at_once_are_answered_as_one_is(self, address: str, town: Path) -> None:
        questions = [
            (QUESTION, ""),
            ("Who invented the tide organ?", ""),
            ("Who taught the inventor of the tide organ?", ""),
            ("When was the Petrel launched?", ""),
            (QUESTION, 'uri = "petrel.md"'),
            (QUESTION, 'uri = "oake_yard.md"'),
        ]
        with LexicalGraph.open(town, read_only=True) as graph:
            right = {each: graph.ask(each[0], where=each[1]).text for each in questions}

        def ask(number: int) -> bool:
            given = questions[number % len(questions)]
            sent = {"question": given[0], "where": given[1]}
            answer = httpx.post(f"{address}api/v1/ask", json=sent, timeout=120).json()["answer"]
            said = [each["text"] for each in answer["sentences"]]
            return all(text in right[given] for text in (answer["lead"], *said))

        with ThreadPoolExecutor(50) as pool:  # most wait: 16 are worked on at a time
            assert all(pool.map(ask, range(50)))


class TestGuard:
    @pytest.mark.parametrize(
        ("headers", "status"),
        [
            ({}, 200),
            ({"host": "localhost:8000"}, 200),
            ({"host": "[::1]:8000"}, 200),
            ({"host": "evil.example"}, 421),
            ({"host": "127.0.0.1.evil.example"}, 421),
            ({"host": "10.0.0.7"}, 421),
            ({"host": ""}, 421),
            ({"origin": HERE}, 200),
            ({"origin": "https://evil.example"}, 403),
            ({"origin": "null"}, 403),
            ({"sec-fetch-site": "same-origin"}, 200),
            ({"sec-fetch-site": "none"}, 200),
            ({"sec-fetch-site": "cross-site"}, 403),
            ({"sec-fetch-site": "same-site"}, 403),
        ],
    )
    @KEPT_ON_FILE
    def test_only_our_own_pages_and_programs_ask(
        self, client: TestClient, headers: dict[str, str], status: int
    ) -> None:
        for path in ("/", "/api/v1/sources"):
            answer = client.get(path, headers=headers)
            assert answer.status_code == status
            assert "default-src 'none'" in answer.headers["content-security-policy"]
            assert "access-control-allow-origin" not in answer.headers

    @KEPT_ON_FILE
    def test_a_browser_keeps_what_pages_load_and_nothing_of_the_graph(
        self, client: TestClient
    ) -> None:
        page = client.get("/")
        assert page.headers["cache-control"] == "no-store"
        loaded = re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text)
        assert {Path(each).suffix for each in loaded} == {".css", ".js", ".svg"}
        folder = loaded[0].rpartition("/")[0]
        for each in (*loaded, f"{folder}/ask.js", f"{folder}/draw.js"):
            answer = client.get(each)
            assert answer.status_code == 200
            assert "immutable" in answer.headers["cache-control"]

    def test_another_interface_wants_a_token(self, town: Path) -> None:
        def app(token: str) -> Any:
            return application(lambda: opened(Settings(store=str(town)), None), host="0.0.0.0",
                               token=token)  # fmt: skip

        for token, words in (("", "give --token-file"), ("short", "it needs 16 or more")):
            with pytest.raises(UsageError, match=words):
                app(token)
        with TestClient(app(TOKEN), base_url="http://10.0.0.7", follow_redirects=False) as client:
            assert client.get("/api/v1/sources").status_code == 401
            assert 'type="password"' in client.get("/").text
            wrong = {"authorization": "Bearer another"}
            assert client.get("/api/v1/sources", headers=wrong).status_code == 401
            right = {"authorization": f"Bearer {TOKEN}"}
            assert client.get("/api/v1/sources", headers=right).status_code == 200
            assert client.post("/login", data={"token": "another"}).status_code == 401
            let_in = client.post("/login", data={"token": TOKEN})
            assert let_in.status_code == 303
            assert "HttpOnly; SameSite=Strict" in let_in.headers["set-cookie"]
            assert TOKEN not in let_in.headers["set-cookie"]
            assert client.get("/").status_code == 200


@pytest.mark.slow
@pytest.mark.neo4j
def test_a_server_that_was_away_is_asked_again(
    town: Path, neo4j_reference: Neo4jServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = StorePlace(neo4j_reference.uri, neo4j_reference.user, neo4j_reference.password)
    with LexicalGraph.open(town, read_only=True) as graph:
        copy_graph(graph.store, place.connect(EMBEDDED))
    real = urlsplit(place.address)
    with relayed(real.hostname or "", real.port or 0) as relay:
        address = f"bolt://127.0.0.1:{relay.port}"
        settings = settings_of(replace(place, address=address), "", EMBEDDED)
        monkeypatch.setattr(database, "RETRY_SECONDS", 0.5)
        service = opened(settings, None)
        with TestClient(application(lambda: service), base_url=HERE) as client:
            assert client.get("/").status_code == 200
            relay.cut()
            for path in ("/", "/entities/Oake%20Yard", "/api/v1/sources"):
                answer = client.get(path)
                assert answer.status_code == 503
                assert "no Neo4j answers at" in answer.text
            assert client.post("/api/v1/ask", json={"question": QUESTION}).status_code == 503
            relay.join()
            assert asked(client, QUESTION)["answer"]["lead"] == "Henrike Oake"
            assert client.get("/entities/Oake%20Yard").status_code == 200


@pytest.fixture(scope="module")
def writer(kept_place: StorePlace, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Asks an application that may write an empty graph, and its folder."""
    folder = tmp_path_factory.mktemp("written")
    settings = settings_of(kept_place, str(folder / "graph.lbug"), WRITTEN)
    settings = settings.model_copy(update={"max_file_mb": 1})
    if kept_place.is_server:
        wipe(kept_place.connect(WRITTEN))
    app = application(lambda: opened(settings, folder / "inbox"), can_write=True)
    with TestClient(app, base_url=HERE) as client:
        yield client, folder / "inbox"


def built(client: TestClient) -> dict[str, str]:
    """What became of each file, once nothing is being built any more."""
    for _ in range(600):
        build = client.get("/api/v1/status").json()["build"]
        if not build["is_running"]:
            return {file["name"]: file["state"] for file in build["files"]}
        time.sleep(0.1)
    raise AssertionError("the build does not end")


class TestWriting:
    def test_a_file_is_taken_in_asked_about_and_deleted(self, writer: Any) -> None:
        client, inbox = writer
        assert "no document yet" in client.get("/").text
        text = "# The mill\n\nAda Thorne built the mill of Corven in 1904."
        assert client.put("/api/v1/sources/mill.md", content=text).status_code == 202
        assert client.put("/api/v1/sources/empty.docx", content=b"no archive").status_code == 202
        assert built(client) == {"mill.md": "done", "empty.docx": "left out"}
        answer = asked(client, "Who built the mill of Corven?")["answer"]
        assert answer["lead"] == "Ada Thorne"
        again = client.put("/api/v1/sources/mill.md", content=text)
        assert again.status_code == 400
        assert "replace=true" in again.json()["message"]
        replaced = client.put("/api/v1/sources/mill.md?replace=true", content=f"{text} It burned.")
        assert replaced.status_code == 202
        built(client)
        (source,) = client.get("/api/v1/sources").json()
        assert "It burned." in client.get(f"/sources/{source['id']}").text
        assert client.delete(f"/api/v1/sources/{source['id']}").json() == {"deleted": 1}
        assert client.get("/api/v1/sources").json() == []
        assert not (inbox / "mill.md").exists()

    @pytest.mark.parametrize(
        ("name", "words"),
        [
            ("..%2Fescape.md", "there is no PUT"),
            ("%2Fetc%2Fescape.md", "there is no PUT"),
            ("..", "there is no PUT"),
            (".hidden.md", "is no name for a file"),
            ("a%00b.md", "is no name for a file"),
            ("a%5Cb.md", "is no name for a file"),
            ("x" * 300 + ".md", "is no name for a file"),
            ("program.exe", "of no kind that is read"),
        ],
    )
    @KEPT_ON_FILE
    def test_no_name_leads_out_of_the_folder(self, writer: Any, name: str, words: str) -> None:
        client, inbox = writer
        before = sorted(inbox.parent.rglob("*.md"))
        answer = client.put(f"/api/v1/sources/{name}", content="text")
        assert words in answer.json()["message"]
        assert sorted(inbox.parent.rglob("*.md")) == before

    @KEPT_ON_FILE
    def test_too_much_is_refused_said_beforehand_or_not(self, writer: Any) -> None:
        client, inbox = writer

        def pieces() -> Any:
            yield from [b"x" * 2**18] * 5

        for content in (b"x" * (2**20 + 1), pieces()):
            answer = client.put("/api/v1/sources/large.txt", content=content)
            assert "more than 1 MiB" in answer.json()["message"]
        assert not [path for path in inbox.iterdir() if path.name.startswith((".", "large"))]

    @KEPT_ON_FILE
    def test_nothing_is_written_where_nobody_said_so(self, client: TestClient) -> None:
        assert client.put("/api/v1/sources/a.md", content="text").status_code == 405
        assert client.delete("/api/v1/sources/petrel.md").status_code == 405
        assert 'type="file"' not in client.get("/sources").text


def test_a_text_is_shown_whole_with_what_statements_say() -> None:
    made = source_graph("file:///a.txt", [("Ada founded Helix.", [("Ada", "founded", "Helix")])])
    made = replace(
        made,
        source=replace(made.source, metadata={BETWEEN: "# "}),
        chunks=(replace(made.chunks[0], start=2, end=30, text="Ada founded Helix. It burned"),),
        statements=(replace(made.statements[0], start=2, end=20),),
    )
    read = reading(made, 6, 20)
    assert [(x.text, x.is_held, x.is_said, x.is_cited) for x in read.pieces] == [
        ("# ", False, False, False),
        ("Ada ", True, True, False),
        ("founded Helix.", True, True, True),
        (" It burned", True, False, False),
    ]
    assert (read.start, read.end, read.length, read.said) == (0, 30, 30, 18 / 30)
    assert [x.text for x in reading(made, at=25).pieces] == ["urned"]


@KEPT_ON_FILE
def test_a_page_of_no_entity_leads_to_the_nearest_and_counts_in_words(client: TestClient) -> None:
    answer = client.get("/entities/Lote%20Wiek")
    assert answer.status_code == 404
    assert "no entity &#39;Lote Wiek&#39;" in answer.text
    (address,) = re.findall(r'href="(/entities/[0-9a-f]{32})">Lotte Wiek<', answer.text)
    assert client.get(address).status_code == 200
    entities = client.get("/api/v1/entities", params={"limit": 100}).json()
    pages = [client.get(f"/entities/{each['id']}").text for each in entities]
    notes = [note for page in pages for note in re.findall(r"Not shown: [^<]*", page)]
    assert notes
    unsure = r"(?:1 entity|\d+ entities|1 fact|\d+ facts)"
    assert all(
        re.fullmatch(f"Not shown: (?:{unsure}, )*{unsure} less sure", each) for each in notes
    )


def test_a_hit_is_shown_as_its_source_has_it_without_the_title_again() -> None:
    text = "# Oake Yard\n\nIt closed. The last ship left\nin 1932, and the gates were closed."
    source = SourceRef("s", "yard.md", "Oake Yard")
    passage = Passage("Chunk", "c", text, "", 10, 10 + len(text), "c", "", source)
    start = 10 + text.index("The last")
    hit = Hit(1, 1.0, passage, sentence=(start, 10 + text.index(", and")))
    excerpt = environment().filters["excerpt"]
    assert excerpt(hit) == (
        "It closed. ",
        "The last ship left in 1932",
        ", and the gates were closed.",
    )
    assert excerpt(replace(hit, sentence=None))[0].startswith("It closed. The last")


@KEPT_ON_FILE
def test_a_question_that_can_not_be_asked_so_is_kept(client: TestClient) -> None:
    given = {"q": 'Who built "the" Petrel?', "where": "year >"}
    for address in ("/", "/compare"):
        answer = client.get(address, params=given)
        assert answer.status_code == 400
        assert "the condition &#39;year &gt;&#39; can&#39;t be read at character 6" in answer.text
        assert 'value="Who built &#34;the&#34; Petrel?"' in answer.text
        assert 'value="year &gt;"' in answer.text


class TestCommand:
    def test_what_can_not_be_served_is_said(self, tmp_path: Path, town: Path) -> None:
        missing = str(tmp_path / "none.lbug")
        assert "no graph in" in refused("serve", "--store", missing, "--port", "0", code=3)
        place = ("--store", str(town))
        assert "give --token-file" in refused("serve", "--host", "0.0.0.0", *place)
        assert "no token can be read" in refused("serve", "--token-file", missing, *place)

    @pytest.mark.slow
    def test_it_serves_until_it_is_told_to_end(self, town: Path) -> None:
        command = [sys.executable, "-m", "hlg.cli.main", "serve", "--store", str(town)]
        with subprocess.Popen([*command, "--port", "0"], stdout=subprocess.PIPE, text=True) as run:
            assert run.stdout is not None
            address = run.stdout.readline().strip()
            assert httpx.get(address, timeout=60).status_code == 200
            port = address.rstrip("/").rpartition(":")[2]
            assert "can't be listened on" in refused("serve", "--store", str(town), "--port", port)
            run.terminate()
            assert run.wait(60) == 0


@KEPT_ON_FILE
def test_the_documents_example_prints_what_it_says(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "serve.md").read_text("utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    printed, *_ = re.findall(r"^```text\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    exec(example.replace("http://127.0.0.1:8000/", address), {})
    assert capsys.readouterr().out == printed
