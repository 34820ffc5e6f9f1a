"""Pictures of a subgraph: what they show, where it lies, and what a page does in a browser."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html
from playwright.sync_api import Browser, Page, expect

from hlg.documents import document_of
from hlg.errors import UsageError
from hlg.graph import LexicalGraph
from hlg.pictures import picture_of, write_picture
from hlg.pictures.layout import COLUMNS
from hlg.pictures.page import page_of
from hlg.pictures.picture import LOOKS, Picture, caption, what_is_shown
from hlg.records import SourceGraph
from hlg.schema import NODES
from hlg.subgraph import GraphEdge, GraphNode, Subgraph
from support.browser_fixture import chromium
from support.command_line import ran, refused
from support.graphs import source_graph, source_graphs

__all__ = ["chromium"]

HOSTILE = (
    "</script><img src=x onerror=\"window.harmed = 1\"> & 'x' \u2028 \ud800 $\\alpha$ ]]> %%title%%"
)
QUESTION = "Who taught the inventor of the tide organ?"


def subgraph_of(graph: SourceGraph) -> Subgraph:
    """All of a source's graph, made without a store."""
    records = {
        "Source": [graph.source],
        "Chunk": graph.chunks,
        "Topic": graph.topics,
        "Statement": graph.statements,
        "Fact": graph.facts,
        "Entity": graph.entities,
    }
    nodes = [GraphNode(label, x.id, document_of(x)) for label in records for x in records[label]]
    edges = [GraphEdge("PART_OF", x.id, x.source_id) for x in graph.chunks]
    edges += [GraphEdge("MENTIONED_IN", x.id, y) for x in graph.statements for y in x.chunk_ids]
    edges += [GraphEdge("BELONGS_TO", x.id, x.topic_id) for x in graph.statements]
    edges += [GraphEdge("MENTIONS", x.id, y) for x in graph.statements for y in x.entity_ids]
    edges += [GraphEdge("SUPPORTS", x.id, y) for x in graph.facts for y in x.statement_ids]
    edges += [GraphEdge("SUBJECT", x.subject_id, x.id) for x in graph.facts]
    edges += [GraphEdge("OBJECT", x.id, x.object_id) for x in graph.facts if x.object_id]
    return Subgraph(tuple(nodes), tuple(edges))


def founded() -> SourceGraph:
    return source_graph("file:///a.txt", [("Ada founded Helix.", [("Ada", "founded", "Helix")])])


def hostile() -> Subgraph:
    triple = (HOSTILE, "is", "another")
    return subgraph_of(source_graph("file:///h.txt", [(HOSTILE, [triple])], title=HOSTILE))


def overlapping(picture: Picture) -> list[tuple[str, str]]:
    boxes = picture.boxes
    return [
        (one.node.id, other.node.id)
        for i, one in enumerate(boxes)
        for other in boxes[i + 1 :]
        if abs(one.x - other.x) < (one.width + other.width) / 2
        and abs(one.y - other.y) < (one.height + other.height) / 2
    ]


class TestPicture:
    def test_a_fact_says_how_it_is_stated_and_what_is_hidden_is_counted(self) -> None:
        how = {"polarity": "denied", "modality": "may", "time": "in 1921", "confidence": 0.25}
        fact = GraphNode("Fact", "f", {"predicate": "sold", "object": "it", **how})
        assert caption(fact) == "not sold (may; in 1921; unsure) it"
        picture = picture_of(Subgraph((fact,), left_out={"Entity": 2}, unsure={"Fact": 1}), "Any")
        assert what_is_shown(picture) == "1 fact (left out: 2 entities; less sure: 1 fact)"

    @settings(max_examples=25, deadline=None)
    @given(graphs=source_graphs(most=2))
    def test_no_box_covers_another(self, graphs: Sequence[SourceGraph]) -> None:
        for graph in graphs:
            picture = picture_of(subgraph_of(graph), "Any graph")
            assert not overlapping(picture)
            assert {box.node.id for box in picture.boxes} == {
                node.id for node in subgraph_of(graph).nodes
            }

    @settings(max_examples=25, deadline=None)
    @given(
        count=st.integers(0, 24),
        pairs=st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23)), max_size=60),
    )
    def test_a_network_of_entities_does_not_overlap_either(
        self, count: int, pairs: list[tuple[int, int]]
    ) -> None:
        nodes = tuple(GraphNode("Entity", str(i), {"name": f"name {i}" * 3}) for i in range(count))
        edges = tuple(
            GraphEdge("RELATES_TO", str(a), str(b), {"predicate": "knows", "weight": 1})
            for a, b in pairs
            if max(a, b) < count
        )
        picture = picture_of(Subgraph(nodes, edges), "A network")
        assert not overlapping(picture)
        assert picture == picture_of(Subgraph(nodes, edges), "A network")

    def test_tiers_are_columns_from_sources_to_entities(self) -> None:
        graph = founded()
        picture = picture_of(subgraph_of(graph), "Tiers")
        places = {label: {b.x for b in picture.boxes if b.node.label == label} for label in COLUMNS}
        middles = [next(iter(found)) for found in places.values() if found]
        assert all(len(found) <= 1 for found in places.values())
        assert middles == sorted(middles)

    def test_every_label_that_can_be_seen_has_a_look_and_a_column(self) -> None:
        assert LOOKS.keys() == set(COLUMNS) == NODES.keys() - {"Graph"}

    def test_a_caption_is_printable_whatever_the_text_is(self) -> None:
        for node in hostile().nodes:
            assert caption(node).isprintable()
        empty = GraphNode("Entity", "f" * 32, {"name": " \x00 "})
        assert caption(empty) == "f" * 32


class TestDrawing:
    def test_an_svg_holds_the_captions_as_text(self, tmp_path: Path) -> None:
        path = tmp_path / "evidence.svg"
        graph = founded()
        found = subgraph_of(graph)
        write_picture(found, path, "Who founded Helix?", {graph.statements[0].id: 1})
        texts = {x.text for x in ElementTree.parse(path).iter() if x.tag.endswith("}text")}
        assert {"Who founded Helix?", "1. Ada founded Helix.", "founded", "Ada", "Helix"} <= texts
        again = tmp_path / "again.svg"
        write_picture(found, again, "Who founded Helix?", {graph.statements[0].id: 1})
        assert again.read_bytes() == path.read_bytes()

    def test_hostile_text_and_nothing_can_be_drawn(self, tmp_path: Path) -> None:
        write_picture(hostile(), tmp_path / "hostile.svg", HOSTILE)
        ElementTree.parse(tmp_path / "hostile.svg")
        write_picture(Subgraph(), tmp_path / "empty.png", HOSTILE)
        assert (tmp_path / "empty.png").read_bytes().startswith(b"\x89PNG")

    def test_without_matplotlib_it_says_what_to_install(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        with pytest.raises(UsageError, match=r"install '.*\[report\]'"):
            write_picture(hostile(), tmp_path / "picture.png", "")

    def test_a_file_that_cannot_be_written_is_said(self, tmp_path: Path) -> None:
        for name in ("page.html", "picture.svg"):
            with pytest.raises(UsageError, match="can't be written"):
                write_picture(Subgraph(), tmp_path / "nowhere" / name, "")


class TestPage:
    def test_text_never_becomes_html(self) -> None:
        page = html.fromstring(page_of(picture_of(hostile(), HOSTILE)))
        assert len(page.findall(".//script")) == 3
        assert not page.findall(".//img")

    def test_it_is_whole_in_itself(self) -> None:
        page = page_of(picture_of(hostile(), "A picture"))
        assert "src=" not in page.partition("<script")[0]
        assert "default-src 'none'" in page


class TestCommand:
    def test_each_part_of_the_graph_is_drawn(
        self, demo_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        with LexicalGraph.open(demo_file, read_only=True) as graph:
            community = graph.store.communities()[0]
            (petrel,) = [x for x in graph.sources() if x.uri.endswith("petrel.md")]
        for part, wanted in (
            ([QUESTION, "-k", "4"], "statements"),
            (["--entity", "Lotte Wiek"], "entities"),
            (["--source", petrel.uri], "1 source,"),
            (["--community", community.id], "1 community"),
        ):
            result = ran("view", *part, "--store", str(demo_file))
            assert "wrote evidence.html: " in result.stdout
            assert wanted in result.stdout
            assert "next: " in result.stdout

    def test_what_is_not_there_is_said(self, demo_file: Path) -> None:
        place = ("--store", str(demo_file))
        assert "no entity is named 'Nobody'" in refused("view", "--entity", "Nobody", *place)
        assert "hlg sources" in refused("view", "--source", "nothing.md", *place)
        assert "hlg communities" in refused("view", "--community", "f" * 32, *place)
        assert "say what to show" in refused("view", *place)
        assert "say what to show" in refused("view", QUESTION, "--entity", "Lotte Wiek", *place)
        assert ".html, .svg or .png" in refused("view", QUESTION, "--out", "a.gif", *place)


@pytest.fixture(scope="module")
def shown(demo_file: Path, chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Page:
    """The page of a question's evidence, as ``hlg view`` writes it, open in the browser."""
    out = tmp_path_factory.mktemp("page") / "evidence.html"
    ran("view", QUESTION, "-k", "4", "--out", str(out), "--store", str(demo_file))
    page = chromium.new_page(viewport={"width": 1440, "height": 810})
    page.route("http*://**", lambda route: pytest.fail(f"the page asks for {route.request.url}"))
    page.on("pageerror", lambda error: pytest.fail(f"the page fails: {error}"))
    page.goto(out.as_uri())
    return page


def evidence(demo_file: Path) -> Subgraph:
    with LexicalGraph.open(demo_file, read_only=True) as graph:
        return graph.evidence(graph.retrieve(QUESTION, top_k=4, options={"form": "statements"}))


def drawn(page: Page, condition: str) -> object:
    """What a condition is once the page has drawn what changed."""
    waited = f"requestAnimationFrame(() => requestAnimationFrame(() => done({condition})))"
    return page.evaluate(f"new Promise(done => {waited})")


class TestInTheBrowser:
    def test_it_shows_the_evidence_with_its_captions_in_its_tiers_colours(
        self, shown: Page, demo_file: Path
    ) -> None:
        seen = shown.evaluate(
            "graph.nodes().map(n => [n.id(), n.data('name'),"
            " '#' + n.pstyle('background-color').value.map("
            "   c => c.toString(16).padStart(2, '0')).join('').toUpperCase(), n.visible()])"
        )
        wanted = evidence(demo_file)
        assert sorted(map(tuple, seen)) == sorted(
            (node.id, caption(node), LOOKS[node.label].colour, True) for node in wanted.nodes
        )
        assert shown.evaluate("graph.edges().length") == len(wanted.edges)
        legend = shown.locator("#legend button").all_inner_texts()
        assert legend == ["sources", "chunks", "topics", "statements", "facts", "entities"]

    def test_a_click_shows_the_statement_and_its_place_in_the_source(
        self, shown: Page, demo_file: Path
    ) -> None:
        statement = evidence(demo_file).nodes_of("Statement")[0]
        place = shown.evaluate(f"graph.getElementById('{statement.id}').renderedPosition()")
        area = shown.locator("#graph").bounding_box()
        assert area is not None
        shown.mouse.click(area["x"] + place["x"], area["y"] + place["y"])
        text = str(statement.properties["text"])
        expect(shown.locator("#name")).to_have_text(text)
        span = f"{statement.properties['start']}-{statement.properties['end']}"
        expect(shown.locator("#citation")).to_have_text(re.compile(rf"\.md:{span}$"))
        expect(shown.locator("#panel mark")).to_have_text(text)

    def test_search_finds_by_text(self, shown: Page) -> None:
        shown.fill("#words", "adela stroom")
        expect(shown.locator("#found")).to_have_text(re.compile(r"^[2-9] of \d+$"))
        expect(
            shown.locator("#panel li button").filter(has_text="Adela Stroom").first
        ).to_be_visible()
        assert (
            0
            < shown.evaluate("graph.nodes('.dim').length")
            < shown.evaluate("graph.nodes().length")
        )
        shown.keyboard.press("Enter")
        expect(shown.locator("#name")).to_be_visible()
        shown.fill("#words", "")
        assert shown.evaluate("graph.nodes('.dim').length") == 0

    def test_the_legend_hides_a_tier(self, shown: Page) -> None:
        shown.click("#legend button:has-text('facts')")
        assert drawn(shown, "graph.nodes('[label=\"Fact\"]').every(n => !n.visible())")
        shown.click("#legend button:has-text('facts')")
        assert drawn(shown, "graph.nodes().every(n => n.visible())")

    def test_hostile_text_stays_text(self, chromium: Browser, tmp_path: Path) -> None:
        write_picture(hostile(), tmp_path / "hostile.html", HOSTILE)
        page = chromium.new_page()
        page.goto((tmp_path / "hostile.html").as_uri())
        page.evaluate("void graph.nodes().forEach(n => { graph.nodes().unselect(); n.select() })")
        name = page.evaluate("graph.nodes('[label=\"Statement\"]').data('properties').text")
        assert name == HOSTILE
        assert page.evaluate("window.harmed") is None
        page.close()
