"""What the tools give, of what size, how they refuse, and what never comes through them."""

import json
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from hlg import LexicalGraph
from hlg.mcp.resources import ENTITY, SOURCE
from hlg.mcp.telling import TOKENS
from hlg.models.tokens import language_model_tokens
from support.agents import LONG, ORDERS
from support.graphs import DIMENSIONS, EMBEDDER, source_graph
from support.mcp_client import FENCE, Asking, connected, pages, server_of, text_of

READING = ["search", "find", "open", "fetch", "ask", "facts", "neighbours", "path", "sources"]
SEEN = 'title = "Oake Yard"'
OTHERS = re.compile(r"Quillfeather|Ottoline|Stroom|Runa Falk|Kittiwakes?|tide stood", re.IGNORECASE)
"""Words of another graph in the same place, and of sources that the condition leaves out; no
question of these tests has one."""


def id_of(client: Asking, title: str) -> str:
    """What a document is called."""
    (source,) = client.call("sources", like=title)["sources"]
    return str(source["id"])


def test_each_tool_says_what_it_takes_gives_and_does(client: Asking) -> None:
    tools = client.do("list_tools").tools
    assert [each.name for each in tools] == READING
    for each in tools:
        hints = each.annotations.model_dump(include=set(each.annotations.model_fields_set))
        assert hints == {
            "read_only_hint": True,
            "destructive_hint": False,
            "idempotent_hint": True,
            "open_world_hint": False,
        }
        assert each.description
        assert all(row["description"] for row in each.input_schema["properties"].values())
        assert each.output_schema["type"] == "object"


def test_who_connects_is_told_what_the_graph_holds(client: Asking, town_file: Path) -> None:
    told = client.client.instructions or ""
    assert "It holds 14 documents" in told
    boundary, named = FENCE.findall(told)[0]
    assert named.startswith("Corven · corven.md\n")
    assert len(named.split("\n")) == 8
    with connected(server_of(town_file), mode="legacy") as other:
        again = other.client.instructions or ""
        assert again.replace(FENCE.findall(again)[0][0], boundary) == told


class TestReading:
    def test_what_is_found_is_fetched_opened_and_searched_through(self, client: Asking) -> None:
        found = client.call("search", query="Who built the Petrel?", also=["the tide organ"])
        first = found["results"][0]
        assert (first["title"], first["uri"]) == ("The Petrel", "petrel.md")
        whole = client.call("fetch", id=first["id"])
        assert set(whole) == {"id", "title", "text", "url", "metadata"}
        assert whole["url"] == first["url"] == f"hlg://source/{first['id'].partition(':')[0]}"
        said = whole["text"][first["start"] : first["end"]]
        assert " ".join(said.split()) == first["text"]
        assert first["id"].endswith(f":{first['start']}-{first['end']}")
        lines = client.call("open", id=first["id"], line=first["line"])
        assert lines["first"] == first["line"]
        assert said.split("\n")[0] in lines["lines"][0]
        (match, *_) = client.call("find", id=whole["id"], patterns=["oake yard"])["passages"]
        assert "Oake Yard" in whole["text"][match["start"] : match["end"]]

    def test_a_name_holds_for_whoever_asks_later(self, client: Asking, town_file: Path) -> None:
        id_ = client.call("search", query="Petrel")["results"][0]["id"]
        whole = client.call("fetch", id=id_)
        with connected(server_of(town_file)) as later:
            names = (id_, f"[{id_}]", id_.partition(":")[0], whole["url"], whole["metadata"]["uri"])
            for name in names:
                assert later.call("fetch", id=name)["text"] == whole["text"]

    def test_an_answer_is_cited(self, client: Asking) -> None:
        told = client.call("ask", question="Who started the yard that built the Petrel?")
        assert told["answer"].startswith("Henrike Oake [1]\n")
        assert told["is_answered"]
        for each in told["citations"]:
            text = client.call("fetch", id=each["id"])["text"]
            assert " ".join(text[each["start"] : each["end"]].split())[:300] == each["text"][:300]
            assert text.count("\n", 0, each["start"]) == each["line"]

    def test_the_graph_is_walked(self, client: Asking) -> None:
        steps = client.call("path", start="The Petrel", end="henrike oake")["steps"]
        assert [each["hop"] for each in steps] == [1, 2]
        assert (steps[0]["via"], steps[1]["name"]) == ("The Petrel", "Henrike Oake")
        near = client.call("neighbours", entity="Petrel", hops=2)["neighbours"]
        assert {1, 2} == {each["hop"] for each in near}
        facts = client.call("facts", entity="Lotte Wiek")
        assert "Lotte Wiek held nine patents" in {each["fact"] for each in facts["facts"]}
        named = [each["uri"] for each in pages(client, "sources", "sources")]
        assert named == sorted(named)
        assert {"petrel.md", "tides.txt"} < set(named)

    def test_more_is_given_where_it_is_wanted(self, client: Asking) -> None:
        def both(tool: str, **given: str) -> tuple[str, str]:
            return client.text(tool, **given), client.text(tool, **given, detail="full")

        short, full = both("search", query="Grey Ledger")
        assert "year=1931" not in short
        assert "year=1931" in full
        short, full = both("sources", like="ledger")
        assert ("year" in short, "year" in full) == (False, True)
        for tool, given in (
            ("ask", {"question": "Who founded Oake Yard?"}),
            ("facts", {"entity": "Oake Yard"}),
            ("path", {"start": "Petrel", "end": "Henrike Oake"}),
        ):
            short, full = both(tool, **given)
            assert len(full) > 1.2 * len(short)
        assert both("facts", entity="Oake Yard")[1].count("Oake Yard stood on the south") > 1


class TestSize:
    def test_a_result_has_at_most_so_many_tokens_whole_and_a_hint(self, client: Asking) -> None:
        long = id_of(client, "tides")
        for tool, given in (
            ("open", {"id": long}),
            ("fetch", {"id": long}),
            ("search", {"query": "the tide", "also": ["Petrel", "Oake"], "detail": "full"}),
            ("neighbours", {"entity": "Corven", "hops": 3, "detail": "full"}),
            ("facts", {"entity": "Corven", "detail": "full"}),
        ):
            result = client.result(tool, **given)
            data = json.dumps(result.structured_content, ensure_ascii=False)
            tokens = language_model_tokens(text_of(result)) + language_model_tokens(data)
            assert tokens <= TOKENS, tool
        assert client.text("open", id=long).endswith(
            f"open it at line {client.call('open', id=long)['next_line']}."
        )

    def test_a_long_document_is_read_to_its_end(self, client: Asking) -> None:
        lines, line = [], 0
        id_ = id_of(client, "tides")
        while True:
            told = client.call("open", id=id_, line=line)
            lines += told["lines"]
            line = told.get("next_line", 0)
            if not line:
                break
        parts = []
        while id_:
            told = client.call("fetch", id=id_)
            parts.append(told["text"])
            id_ = told["metadata"].get("next", "")
        assert lines == LONG
        assert "\n".join(parts).split("\n") == LONG

    def test_pages_follow_each_other(self, client: Asking) -> None:
        given: dict[str, Any] = {"query": "the Petrel", "also": ["tide organ"]}
        found = pages(client, "search", "results", **given)
        assert len({each["id"] for each in found}) == len(found) > 10
        assert client.call("search", **given)["results"] == found[:10]
        past = client.result("search", **given, skip=500)
        assert text_of(past) == "no more there"


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("search", {}, "search: query: Field required"),
        ("search", {"query": ""}, "search: query: String should have at least 1"),
        ("search", {"query": "   "}, "none of them empty"),
        ("search", {"query": "x", "also": list("abcde")}, "search: also: List should have at most"),
        ("search", {"query": "x", "detail": "some"}, "detail: Input should be 'concise' or 'full'"),
        ("search", {"query": "x", "skip": -1}, "search: skip: Input should be greater"),
        ("open", {"id": "a3316fc05bff:1-2"}, "no source 'a3316fc05bff': ids are those that search"),
        ("open", {"id": "/etc/passwd"}, "no source '/etc/passwd'"),
        ("open", {"id": "petrel.md", "line": 99}, "there is no line 99: lines go from 0 to 7"),
        ("find", {"id": "petrel.md", "patterns": [" "]}, "none of them empty"),
        ("facts", {"entity": "Nobody At All"}, "no entity is named 'Nobody At All'"),
        ("facts", {"entity": "Lote Wiek"}, "did you mean 'Lotte Wiek' or"),
        ("neighbours", {"entity": "Petrel", "hops": 9}, "hops: Input should be less than"),
        ("path", {"start": "Petrel", "end": "the Petrel"}, "are the same"),
        ("build", {"path": "."}, "Unknown tool: build"),
        ("delete", {"path": "."}, "Unknown tool: delete"),
    ],
)
def test_an_error_is_a_line_that_says_what_to_do(
    client: Asking, tool: str, arguments: dict[str, Any], message: str
) -> None:
    told = client.refusal(tool, **arguments)
    assert message in told
    assert "\n" not in told
    assert "pydantic" not in told


class TestFence:
    def test_text_of_documents_stays_between_lines_made_anew(self, client: Asking) -> None:
        ledger = id_of(client, "Grey Ledger")
        calls: list[tuple[str, dict[str, Any]]] = [
            ("search", {"query": "Who kept the Grey Ledger?", "detail": "full"}),
            ("find", {"id": ledger, "patterns": ["instructions"]}),
            ("open", {"id": ledger}),
            ("fetch", {"id": ledger}),
            ("ask", {"question": "Who kept the Grey Ledger until 1931?", "detail": "full"}),
            ("facts", {"entity": "Ottoline Marsh", "detail": "full"}),
            ("sources", {}),
        ]
        boundaries = []
        for tool, given in calls:
            text = client.text(tool, **given)
            ((boundary, held),) = FENCE.findall(text)
            boundaries.append(boundary)
            assert "Ledger" in held or "Ottoline" in held
            rest = FENCE.sub("", text)
            assert not re.search("Ignore|Ledger|harbour|PWNED|Ottoline", rest), tool
        near = client.refusal("facts", entity="Ottoline March")
        assert "Ottoline" not in re.sub(r"\[BEGIN \w+ (\w+)\].*\[END \w+ \1\]", "", near)
        assert "[END search 0]" in ORDERS
        assert len(set(boundaries)) == len(calls)
        again = FENCE.findall(client.text("open", id=ledger))[0]
        assert again[0] not in boundaries

    def test_a_resource_and_the_prompt_are_fenced_too(self, client: Asking) -> None:
        read = client.do("read_resource", SOURCE.format(id=id_of(client, "Grey Ledger")))
        assert "PWNED" not in FENCE.sub("", read.contents[0].text)
        asked = {"question": "Who kept the Grey Ledger?"}
        prompt = client.do("get_prompt", "answer_with_citations", asked)
        text = prompt.messages[0].content.text
        assert text.startswith("Answer this question out of the documents alone: Who kept the")
        assert "PWNED" in FENCE.findall(text)[0][1]
        assert "PWNED" not in FENCE.sub("", text)


class TestResources:
    def test_sources_and_entities_are_listed_read_and_completed(self, client: Asking) -> None:
        listed = {each.uri: each.name for each in client.do("list_resources").resources}
        assert len(listed) == 34
        templates = client.do("list_resource_templates").resource_templates
        assert [each.uri_template for each in templates] == [SOURCE, ENTITY]
        for uri in (ENTITY.format(name="Oake%20Yard"), SOURCE.format(id=id_of(client, "Oake Y"))):
            assert uri in listed
            assert "Henrike Oake" in client.do("read_resource", uri).contents[0].text
        for template, begun, offered in (
            (SOURCE, "petrel", [id_of(client, "Petrel")]),
            (ENTITY, "Henrike", ["Henrike Oake"]),
            (ENTITY, "no such", []),
        ):
            ref = ResourceTemplateReference(type="ref/resource", uri=template)
            told = client.do("complete", ref, {"name": "x", "value": begun})
            assert told.completion.values == offered
        prompt = PromptReference(type="ref/prompt", name="answer_with_citations")
        told = client.do("complete", prompt, {"name": "question", "value": "W"})
        assert told.completion.values == []

    @pytest.mark.parametrize(
        "uri", [SOURCE.format(id="nothing"), ENTITY.format(name="Nobody"), "file:///etc/passwd"]
    )
    def test_what_is_none_is_said(self, client: Asking, uri: str) -> None:
        with pytest.raises(MCPError, match=r"no source|no entity|Unknown resource"):
            client.do("read_resource", uri)


@pytest.fixture(scope="module")
def one(town_file: Path) -> Iterator[Asking]:
    """A client that may see one source."""
    with connected(server_of(town_file, SEEN)) as client:
        yield client


def test_a_condition_on_sources_holds_for_everything(one: Asking) -> None:
    assert "It holds 1 document." in (one.client.instructions or "")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search", {"query": "Who taught the inventor of the organ?", "detail": "full"}),
        ("ask", {"question": "Who taught the inventor of the organ?", "detail": "full"}),
        ("facts", {"entity": "Oake Yard", "detail": "full"}),
        ("neighbours", {"entity": "Oake Yard", "hops": 3}),
        ("path", {"start": "Oake Yard", "end": "Henrike Oake"}),
        ("sources", {"detail": "full"}),
    ]
    for tool, given in calls:
        assert set(re.findall(r"\w+\.(?:md|txt)", one.text(tool, **given))) == {"oake_yard.md"}
    for tool, given in (
        ("fetch", {"id": "petrel.md"}),
        ("open", {"id": "ledger.md"}),
        ("find", {"id": "petrel.md", "patterns": ["the"]}),
        ("facts", {"entity": "Lotte Wiek"}),
        ("path", {"start": "Oake Yard", "end": "Lotte Wiek"}),
    ):
        assert "no " in one.refusal(tool, **given)
    listed = one.do("list_resources").resources
    assert {"oake_yard.md", "Oake Yard"} < {each.name for each in listed}
    assert "Lotte Wiek" not in {each.name for each in listed}


def test_what_is_not_there_is_said(one: Asking) -> None:
    for tool, given in (
        ("search", {"query": "the price of tea in Canton"}),
        ("ask", {"question": "What is the price of tea in Canton?"}),
    ):
        assert "seem not to tell that" in one.text(tool, **given)
        assert one.call(tool, **given)["confidence"] < 0.2
    found = one.call("search", query="Who started Oake Yard?")
    assert found["confidence"] > 0.5


def test_a_condition_that_is_none_ends_the_server_at_once(town_file: Path) -> None:
    with (
        pytest.raises(BaseException, match=r"no source has a field|exception") as told,
        connected(server_of(town_file, "colour = 'red'")),
    ):
        pass
    error: BaseException = told.value
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    assert "no source has a field 'colour'" in str(error)


WORDS = [
    "the Petrel", "Oake Yard", "Henrike Oake", "tide organ", "who taught her?", "1911", "light",
    "Lotte Wiek", "", " ", "x" * 3000, "\x00\x1b[2J", "؀‮𝔘é", "x' }) DETACH DELETE (n) //",
    "/etc/passwd", "../../../etc/hosts", "file:///etc/hosts", "http://127.0.0.1:9/", "[END results",
    "oake_yard.md", "petrel.md", "hlg://source/x", "a3316fc05bd0:3-9", "a3316fc05bd0", "{}", "null",
]  # fmt: skip
STRANGE = [None, True, -1, 0, 3, 10**9, 1.5, [], ["a"], [[1]], {"a": 1}, "concise", "full"]


def arguments_for(tool: Any, chance: random.Random, ids: list[str]) -> dict[str, Any]:
    """Arguments that are often right, and often not."""
    made: dict[str, Any] = {}
    for name, schema in tool.input_schema["properties"].items():
        if chance.random() < 0.03 or (name in ("skip", "line") and chance.random() < 0.5):
            continue
        kind = schema.get("type")
        if chance.random() < 0.07:
            made[name] = chance.choice(STRANGE)
        elif kind == "array":
            made[name] = [chance.choice(WORDS) for _ in range(chance.randint(0, 6))]
        elif kind == "integer":
            made[name] = chance.choice([0, 1, 2, 3, 40, 10**6])
        elif name == "detail":
            made[name] = chance.choice(["concise", "full"])
        else:
            made[name] = chance.choice(ids if name == "id" else WORDS)
    return made


def test_no_arguments_bring_a_fault_or_what_may_not_be_seen(
    one: Asking, town_file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """2,000 calls; what Python opens meanwhile beside the graph is seen by an audit hook."""
    with LexicalGraph.open(town_file, graph="rivals") as rivals:
        told = "Barnaby Quillfeather built the Petrel at Oake Yard."
        fact = ("Barnaby Quillfeather", "built", "the Petrel")
        rivals.store.set_up(EMBEDDER, DIMENSIONS)
        rivals.store.write([source_graph("rivals.txt", [(told, [fact])])])
    chance, opened, is_on = random.Random(27), list[str](), True
    kinds = {"search": 2, "ask": 2, "neighbours": 3, "path": 3}

    def hook(event: str, given: tuple[object, ...]) -> None:
        own = str(given[0] if given else "").startswith(f"{town_file}.")  # its arrays
        watched = ("open", "socket.connect", "subprocess.Popen", "os.system")
        if is_on and event in watched and not own:
            opened.append(f"{event} {given[0]}")

    tools = {each.name: each for each in one.do("list_tools").tools}
    ids = [one.call("search", query="Oake")["results"][0]["id"], *WORDS]
    ids += ids[:1] * len(WORDS)
    one.call("ask", question="Who built the Petrel?")
    one.call("neighbours", entity="Oake Yard", hops=2)
    one.call("path", start="Oake Yard", end="Henrike Oake")
    one.refusal("facts", entity="Oak Yard")
    sys.addaudithook(hook)
    names = list(tools)
    weights = [kinds.get(name, 8) for name in names]
    outcomes = {True: 0, False: 0}
    for name in chance.choices(names, weights, k=2000):
        given = arguments_for(tools[name], chance, ids)
        result = one.result(name, **given)
        outcomes[bool(result.is_error)] += 1
        text = text_of(result)
        everything = text + json.dumps(result.structured_content, ensure_ascii=False)
        assert not OTHERS.search(everything), (name, given)
        assert not re.search(r"Traceback|File \"|a fault in hlg", text), (name, given)
        assert not result.is_error or "\n" not in text, (name, given)
    is_on = False
    assert opened == []
    assert caplog.records == []
    assert min(outcomes.values()) > 30
