"""What an agent's tools give, refuse, and never do."""

import re
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlg import LexicalGraph, SearchOptions
from hlg.agent.bounds import ToolLimits
from hlg.agent.calling import TOOLS, Tool, tools_of
from hlg.agent.reading import matches, window
from hlg.agent.tools import GraphTools
from hlg.errors import UsageError
from hlg.ids import source_id
from hlg.records import Passage, SourceRef
from support.agents import LONG


@pytest.fixture
def tools(town: LexicalGraph) -> dict[str, Tool]:
    return tools_of(GraphTools(town))


def long_reference(tools: GraphTools) -> str:
    """A reference of the long document."""
    source = source_id("tides.txt")
    (text,) = tools.texts([source])
    ref = SourceRef(source, text.source.uri, text.source.title)
    chunk = text.chunks[0]
    passage = Passage("Chunk", chunk.id, chunk.text, "", 0, chunk.end, chunk.id, "", ref)
    return tools.references.of(passage)


def test_several_queries_give_each_passage_once_under_a_reference_that_stays(
    town: LexicalGraph,
) -> None:
    tools = GraphTools(town)
    found = tools.search(["Who built the Petrel?", "Henrike Oake", "Who built the Petrel?"])
    cited = [each.passage for each in found.results]
    assert [each.reference for each in cited[:3]] == [f"turn1search{i}" for i in range(3)]
    assert len({" ".join(each.text.split()) for each in cited}) == len(cited)
    assert {"petrel.md", "henrike_oake.md"} <= {each.file_name for each in found.results}
    assert found.results[0].file_type == "md"
    tools.references.turn = 2
    again = tools.search(["Henrike Oake", "the Grey Ledger"])
    numbers = {each.passage.start: each.passage.reference for each in again.results}
    assert set(numbers.values()) & {each.reference for each in cited}
    assert any(each.startswith("turn2search") for each in numbers.values())
    ledger = next(each for each in again.results if each.file_name == "ledger.md")
    assert ledger.metadata["year"] == "1931"
    assert not any("text_between" in name for name in ledger.metadata)


def test_what_is_cited_stands_where_it_is_cited(town: LexicalGraph) -> None:
    tools = GraphTools(town)
    texts = {each.source.uri: each.text for each in tools.texts([x.id for x in town.sources()])}
    found = [each.passage for each in tools.search(["Petrel", "tide organ"]).results]
    found += [each.evidence for each in tools.facts("Oake Yard").facts]
    found += [each.evidence for each in tools.neighbours("Petrel", 2).neighbours]
    found += [each.evidence for each in tools.find(found[0].reference, ["the"]).passages]
    for each in found:
        text, passage = texts[each.uri], tools.references[each.reference]
        assert passage.text == text[passage.start : passage.end]
        lines = text.split("\n")[each.first_line : each.last_line + 1]
        assert passage.text in "\n".join(lines)


def test_a_document_is_read_by_numbered_lines(town: LexicalGraph) -> None:
    tools = GraphTools(town)
    id_ = long_reference(tools)
    shown = tools.open(id_).shown().text
    assert "Viewing lines [0 - 1799] of 3000" in shown
    assert f"\n1799: {LONG[1799]}\n" in shown
    assert shown.endswith(f"open [{id_}] at line 1800 for more")
    rest = tools.open(f"[{id_}]", 1800)
    assert rest.lines == tuple(LONG[1800:])
    assert "for more" not in rest.shown().text
    with pytest.raises(UsageError, match="lines go from 0 to 2999"):
        tools.open(id_, 3000)


def test_words_are_found_in_a_document_whatever_their_case(town: LexicalGraph) -> None:
    tools = GraphTools(town)
    id_ = long_reference(tools)
    found = tools.find(id_, ["harbour BELL", "stood at 3"])
    told = [(each.pattern, each.by_meaning) for each in found.passages]
    assert told.count(("harbour BELL", False)) == 1
    assert told.count(("stood at 3", False)) == 2
    wreck = tools.search(["the Petrel"]).results[0].passage.reference
    meant = tools.find(wreck, ["zeppelin"]).passages
    assert [(each.pattern, each.by_meaning) for each in meant] == [("zeppelin", True)]
    bell = found.passages[0].evidence
    assert bell.first_line <= 1500 <= bell.last_line
    plain = GraphTools(town, by_meaning=False)
    said = plain.find(long_reference(plain), ["zeppelin"]).shown().text
    assert said == "[turn1search0] has nothing of the kind: open it, or search"


def test_the_graph_is_walked_with_a_statement_for_each_step(tools: dict[str, Tool]) -> None:
    said = tools["path"].call({"start": "The Petrel", "end": "henrike oake"}).shown().text
    assert said.startswith("from The Petrel to Henrike Oake\n1. The Petrel – ")
    assert re.search(r"\n2\. .* – Henrike Oake .*\[turn1search\d+\] .*line \d+: ", said)
    near = tools["neighbours"].call({"entity": "Petrel", "hops": 2}).shown().text
    assert "1. The Petrel – Oake Yard" in near
    assert re.search(r"\n2\. .* – Henrike Oake", near)
    facts = tools["facts"].call({"entity": "Lotte Wiek"}).shown().text
    assert "Lotte Wiek held nine patents" in facts
    none = tools["path"].call({"start": "Lotte Wiek", "end": "Aksel Thorne"}).shown().text
    assert none.startswith("nothing joins") or "from Lotte Wiek to Aksel Thorne" in none
    with pytest.raises(UsageError, match="the nearest are") as told:
        tools["community"].call({"id": "who keeps the light?"})
    id_ = str(told.value).partition("nearest are ")[2].split()[0]
    assert "members: " in tools["community"].call({"id": id_}).shown().text


def test_a_way_goes_by_facts_where_it_can(town: LexicalGraph) -> None:
    steps = GraphTools(town).path("The Petrel", "Henrike Oake").steps
    assert [each.name for each in steps] == ["Oake Yard", "Henrike Oake"]


def test_a_way_leads_on_from_a_name_in_another_spelling(tmp_path: Path) -> None:
    triples = tmp_path / "triples.csv"
    triples.write_text(
        "subject,predicate,object,subject_class,object_class\n"
        "Ada,founded,Helix Works,Person,Organization\nhelix works,built,Zed,Place,Thing\n"
    )
    with LexicalGraph.open(tmp_path / "graph.lbug") as graph:
        graph.import_triples([triples])
        steps = GraphTools(graph).path("Ada", "Zed").steps
    assert [each.fact for each in steps] == ["Ada founded Helix Works", "helix works built Zed"]


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("search", {"queries": []}, "search: queries: List should have at least 1 item"),
        ("search", {"queries": list("abcdef")}, "at most 5 items"),
        ("search", {"queries": ["  "]}, "none of them empty"),
        ("search", {"question": "x"}, "queries: Field required"),
        ("search", '{"queries": ["x"', "its arguments are no JSON object"),
        ("search", "[1]", "search: its arguments"),
        ("open", {"reference_id": "turn2search9"}, "no reference 'turn2search9'; there are none"),
        ("open", {"reference_id": "/etc/passwd"}, "no reference '/etc/passwd'"),
        ("open", {"reference_id": "turn1search0", "line": "top"}, "open: line: Input should be"),
        ("find", {"reference_id": "x", "patterns": ["a"] * 11}, "at most 10 items"),
        ("facts", {"entity": "Nobody At All"}, "no entity is named 'Nobody At All'"),
        ("facts", {"entity": "Lote Wiek"}, "no entity is named 'Lote Wiek'; did you mean 'Lotte W"),
        ("path", {"start": "H. Oake", "end": "Petrel"}, "did you mean 'Henrike Oake' or"),
        ("path", {"start": "Petrel", "end": "the Petrel"}, "are the same"),
        ("neighbours", {"entity": "Petrel", "hops": 9}, "less than or equal to 3"),
        ("summarize", {"reasoning": "", "kept_ids": ["turn1search7"]}, "no reference"),
    ],
)
def test_an_error_says_what_to_do(
    tools: dict[str, Tool], name: str, arguments: Any, message: str
) -> None:
    with pytest.raises(UsageError, match=re.escape(message)) as told:
        tools[name].call(arguments)
    assert "\n" not in str(told.value)


def test_one_thing_does_where_a_list_is_asked_for(tools: dict[str, Tool]) -> None:
    for queries in ("the Petrel", '["the Petrel"]'):
        assert tools["search"].call({"queries": queries}).shown().text.startswith("10 results")


def test_a_condition_on_sources_holds_for_every_tool(town: LexicalGraph) -> None:
    tools = tools_of(GraphTools(town, SearchOptions(where='title = "Oake Yard"')))
    calls: list[tuple[str, dict[str, object]]] = [
        ("search", {"queries": ["Petrel", "Lotte Wiek", "Who taught the inventor?"]}),
        ("facts", {"entity": "Oake Yard"}),
        ("neighbours", {"entity": "Oake Yard", "hops": 3}),
        ("path", {"start": "Oake Yard", "end": "Henrike Oake"}),
    ]
    for name, arguments in calls:
        said = tools[name].call(arguments).shown().text
        assert "turn1search" in said
        assert set(re.findall(r"· (\w+\.\w+) ·", said)) == {"oake_yard.md"}
    for name, refused in (
        ("facts", {"entity": "Lotte Wiek"}),
        ("facts", {"entity": "Lote Wiek"}),
        ("path", {"start": "Oake Yard", "end": "Lotte Wiek"}),
        ("community", {"id": town.communities()[0].id}),
    ):
        with pytest.raises(UsageError) as told:
            tools[name].call(refused)
        assert not re.search("organ|did you mean", str(told.value))


def test_a_result_has_whole_items_within_its_tokens(town: LexicalGraph) -> None:
    tools = GraphTools(town, limits=ToolLimits(tokens=400))
    found = tools.search(["Petrel", "tide organ"])
    assert found.results
    assert f"{found.left_out} more were left out" in found.shown().text
    assert tools._count(found.shown().text) < 500
    opened = tools.open(long_reference(tools), 10)
    assert opened.lines == tuple(LONG[10 : opened.last + 1])
    assert 1 < len(opened.lines) < 40
    assert tools.facts("Oake Yard").left_out
    less = GraphTools(town, limits=ToolLimits(find_tokens=300))
    some = less.find(long_reference(less), ["tide", "Harbour Bell"])
    assert (len(some.passages), some.left_out) == (1, 3)
    assert less._count(some.shown().text) < 400


def test_no_tool_opens_anything_or_writes(town: LexicalGraph) -> None:
    """Whatever it is given: what Python opens is seen by an audit hook."""
    tools = tools_of(GraphTools(town))
    tools["search"].call({"queries": ["warm"]})
    with pytest.raises(UsageError):
        tools["community"].call({"id": "warm"})
    before, opened = town.store.info(), list[str]()
    is_on = True

    def hook(event: str, arguments: tuple[object, ...]) -> None:
        if is_on and event in ("open", "socket.connect", "subprocess.Popen", "os.system"):
            opened.append(f"{event} {arguments[0]}")

    sys.addaudithook(hook)
    hostile = ("/etc/passwd", "../../x", "file:///etc/hosts", "http://127.0.0.1:9/", "x' }) DELETE")
    for text in hostile:
        for name, tool in tools.items():
            fields = tool.arguments.model_fields
            lists = {each for each, field in fields.items() if "list" in str(field.annotation)}
            numbers = {each for each in fields if each in ("line", "hops")}
            arguments: dict[str, Any] = dict.fromkeys(fields, text) | dict.fromkeys(numbers, 1)
            arguments |= {each: [text] for each in lists}
            with nullcontext() if name == "search" else pytest.raises(UsageError):
                tool.call(arguments)
    is_on = False
    assert opened == []
    assert town.store.info() == before


def test_schemas_say_what_each_takes(tools: dict[str, Tool]) -> None:
    assert tuple(tools) == TOOLS
    for tool in tools.values():
        assert tool.description
        schema = tool.schema()
        assert all(each["description"] for each in schema["properties"].values())
        assert "title" not in str(schema)
    queries = tools["search"].schema()["properties"]["queries"]
    assert (queries["type"], queries["maxItems"]) == ("array", 5)


pieces = st.text(st.sampled_from("ab .\n§"), max_size=40)


@given(pieces, pieces, st.integers(1, 4))
def test_a_match_holds_its_pattern_and_lies_in_no_other(text: str, pattern: str, most: int) -> None:
    if not pattern:
        return
    found = list(matches(text, pattern, most))
    assert len(found) <= most
    assert bool(found) == (pattern.lower() in text.lower())
    for start, end in found:
        assert pattern.lower() in text[start:end].lower()
    assert len(set(found)) == len(found)


@settings(max_examples=50)
@given(st.lists(st.text("ab", max_size=9), min_size=1), st.integers(1, 9), st.integers(1, 60))
def test_windows_one_after_another_give_the_whole_text(
    lines: list[str], most: int, tokens: int
) -> None:
    seen: list[str] = []
    while len(seen) < len(lines):
        first, shown, total = window("\n".join(lines), len(seen), most, tokens + 20, len)
        assert (first, total) == (len(seen), len(lines))
        assert 0 < len(shown) <= most
        seen += shown
    assert seen == lines


def test_the_documents_example_shows_how_two_things_hang_together(
    town: LexicalGraph, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    opened = example.replace('LexicalGraph.open("town.lbug")', "nullcontext(town)")
    assert opened != example
    exec(opened, {"nullcontext": nullcontext, "town": town})
    printed = capsys.readouterr().out
    assert re.match(r"\d+ results\n\[turn1search0\]", printed)
    assert "Viewing lines [0 - " in printed
    assert "from The Petrel to Henrike Oake\n1. The Petrel – " in printed
