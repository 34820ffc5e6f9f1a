"""The pages in a real browser: what a person sees, and what no document can make them do."""

import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from benchmarks.hostile import KINDS
from benchmarks.markup import AWAY, DOCUMENTS, ELEMENTS, files, triples
from hlg.graph import LexicalGraph
from hlg.serve.app import application
from hlg.serve.service import opened
from hlg.serving.listening import running
from hlg.settings import Settings
from support.browser_fixture import chromium
from support.language_model_server import ScriptedServer
from support.stores import KEPT_ON_FILE
from support.town_model import town_model

__all__ = ["chromium"]

QUESTION = "Who taught the inventor of the tide organ?"
FIRST_PAINT_MS = 200
PATIENCE = 30.0
WIDE: ViewportSize = {"width": 1280, "height": 800}
NARROW: ViewportSize = {"width": 380, "height": 700}
PAINTED = """() => new Promise(told => new PerformanceObserver(
  seen => told(seen.getEntries()[0].startTime)).observe({ type: "paint", buffered: true }))"""
MARKUP = (
    '</script><script>window.harmed = 1</script><img src=x onerror="window.harmed = 1">'
    "<svg onload='window.harmed = 1'></svg><a href=\"javascript:window.harmed = 1\">Ada</a>"
    "{{ 7 * 7 }} {% raw %} <meta http-equiv=refresh content=0;url=http://evil.example>"
)

WATCH = """() => { globalThis.came = []; new MutationObserver(() => {
  const text = document.querySelector(".coming")?.textContent;
  if (text) came.push(text.length);
}).observe(document.body, { subtree: true, childList: true }); }"""
"""How long the answer was each time that the page changed."""


@pytest.fixture(scope="module")
def window(chromium: Browser) -> BrowserContext:
    """What all pages are opened in: to a new one each the browser gives seconds."""
    return chromium.new_context(viewport=WIDE)


def opened_page(window: BrowserContext, address: str) -> tuple[Page, list[str]]:
    """A page that may ask its own address alone, and what went wrong in it."""
    page = window.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda x: wrong.append(f"{x.text} {x.location}") if x.type == "error" else 0)
    page.on("request", lambda x: None if x.url.startswith(address) else wrong.append(x.url))
    return page, wrong


@pytest.fixture
def page(window: BrowserContext, address: str) -> Iterator[Page]:
    """The page to ask in; nothing goes wrong in it, and it asks nobody else."""
    page, wrong = opened_page(window, address)
    page.goto(address)
    yield page
    page.close()
    assert wrong == []


def ask(page: Page, question: str) -> None:
    before = page.locator(".turn[data-chat]").count()
    page.fill("#q", question)
    page.keyboard.press("Enter")
    expect(page.locator(".turn[data-chat]")).to_have_count(before + 1, timeout=30_000)


@KEPT_ON_FILE
class TestAsking:
    def test_a_name_is_suggested_and_taken_by_keyboard(self, page: Page) -> None:
        page.locator("#q").press_sequentially("Who founded oake y")
        expect(page.locator("[role=option]").first).to_contain_text("Oake Yard", timeout=30_000)
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        expect(page.locator("#q")).to_have_value("Who founded Oake Yard ")
        expect(page.get_by_role("listbox")).to_be_hidden()

    def test_a_citation_opens_the_source_beside_it_at_the_cited_characters(
        self, page: Page
    ) -> None:
        ask(page, QUESTION)
        expect(page.locator(".lead bdi")).to_have_text("Adela Stroom")
        cite = page.locator(".lead .cite").first
        sentence = page.locator(".sentences p", has=page.locator(".cite", has_text="[1]")).first
        cite.press("Enter")
        expect(page.locator("#beside mark")).to_be_in_viewport(timeout=30_000)
        marked = page.locator("#beside mark").inner_text()
        assert marked in sentence.inner_text()
        span = re.search(r":(\d+)-(\d+)$", page.locator("#beside .where").inner_text())
        assert span is not None
        assert int(span[2]) - int(span[1]) == len(marked)
        expect(page.locator("#said")).to_contain_text(marked)
        page.keyboard.press("Escape")
        expect(page.locator("#beside")).to_be_hidden()
        expect(cite).to_be_focused()

    def test_a_follow_up_is_understood_and_the_path_is_shown(self, page: Page) -> None:
        ask(page, "Who invented the tide organ?")
        ask(page, "Who taught her?")
        last = page.locator(".turn").last
        expect(last.locator(".alone")).to_contain_text("Lotte Wiek")
        last.locator(".evidence > summary").click()
        path = last.locator(".path", has=page.get_by_role("link", name="Adela Stroom"))
        assert len(path.first.locator(".step").all()) >= 2
        last.locator(".signals summary").first.click()
        expect(last.locator(".signals td").first).to_be_visible()

    def test_the_picture_is_drawn_and_repeated_as_a_table(self, page: Page) -> None:
        ask(page, QUESTION)
        page.get_by_text("The evidence as a picture").click()
        expect(page.locator(".canvas canvas").first).to_be_visible(timeout=30_000)
        page.get_by_text("As a table:", exact=False).first.click()
        rows = page.locator(".picture tbody tr").count()
        assert rows == page.evaluate("document.querySelector('.canvas').graph.edges().length") > 10
        expect(page.locator(".picture tbody")).to_contain_text("Adela Stroom")

    def test_a_filter_is_written_as_a_condition(self, page: Page) -> None:
        page.get_by_text("Filter sources").click()
        page.get_by_role("combobox", name="Source").fill("petrel.md")
        page.get_by_role("textbox", name="From").fill("2000-01-01")
        condition = 'uri = "petrel.md" and date >= 2000-01-01'
        expect(page.get_by_label("Condition")).to_have_value(condition)
        ask(page, QUESTION)
        expect(page.locator(".names")).to_be_hidden()
        places = page.locator(".turn .where").all_text_contents()
        assert {place.split(":")[0] for place in places} == {"petrel.md"}
        page.get_by_label("Condition").fill("year >")
        page.fill("#q", QUESTION)
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("can't be read", timeout=30_000)

    def test_two_retrievers_stand_side_by_side(self, page: Page, address: str) -> None:
        page.goto(f"{address}compare?q={QUESTION}&one=statement-graph&other=bm25&top_k=4")
        one, other = page.locator(".sides section").all()
        expect(one.get_by_role("heading")).to_have_text("statement-graph")
        expect(other.get_by_role("heading")).to_have_text("bm25")
        boxes = one.bounding_box(), other.bounding_box()
        assert boxes[0] is not None
        assert boxes[1] is not None
        assert boxes[0]["x"] + boxes[0]["width"] <= boxes[1]["x"]
        assert len(one.locator(".badge").all()) == 4
        one.locator(".place").first.click()
        expect(page.locator("#beside mark").first).to_be_visible(timeout=30_000)

    def test_it_answers_without_scripts(self, chromium: Browser, address: str) -> None:
        plain = chromium.new_context(java_script_enabled=False)
        page, wrong = opened_page(plain, address)
        page.goto(address)
        page.fill("#q", QUESTION)
        page.keyboard.press("Enter")
        expect(page.locator(".lead bdi")).to_have_text("Adela Stroom", timeout=30_000)
        page.locator(".lead .cite").first.click()
        expect(page.locator("mark#cited")).to_be_visible(timeout=30_000)
        assert wrong == []
        plain.close()

    def test_it_is_there_at_once(self, page: Page, address: str) -> None:
        # Other tests may have the processors: it is tried until it shows what it can do.
        end, painted = time.monotonic() + PATIENCE, float("inf")
        while painted >= FIRST_PAINT_MS and time.monotonic() < end:
            page.goto(address)
            painted = page.evaluate(PAINTED)
        assert painted < FIRST_PAINT_MS


def reach(page: Page, words: str) -> None:
    """Press Tab until what has the focus has these words for a name, or shows them alone."""
    named = "x => x.getAttribute('aria-label') || x.innerText.trim()"
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"({named})(document.activeElement)") == words:
            return
    raise AssertionError(f"no Tab leads to {words}")


def test_a_document_is_sent_asked_about_and_deleted_by_keyboard(
    window: BrowserContext, tmp_path: Path
) -> None:
    mill = tmp_path / "mill.md"
    mill.write_text("# The mill\n\nAda Thorne built the mill of Corven in 1904.")
    windmill = tmp_path / "windmill.md"
    windmill.write_text("# The windmill\n\nThe windmill stands on a hill.")
    with ScriptedServer(town_model) as server:
        settings = server.settings(store=str(tmp_path / "graph.lbug"))
        app = application(lambda: opened(settings, tmp_path / "inbox"), can_write=True)
        with running(app, "127.0.0.1", 0) as address:
            page, wrong = opened_page(window, address)
            page.on("dialog", lambda asked: asked.accept())
            page.goto(f"{address}sources")
            page.set_input_files("#files", mill)
            expect(page.locator("#build")).to_contain_text("done", timeout=90_000)
            expect(page.locator("#listed")).to_contain_text("The mill", timeout=30_000)
            page.goto(address)
            page.evaluate(WATCH)
            page.keyboard.type("Who built the mill of Corven?")
            page.keyboard.press("Enter")
            expect(page.locator(".sentences")).to_contain_text("Ada Thorne", timeout=30_000)
            came = page.evaluate("came")
            assert len(came) > 2
            assert came == sorted(came)
            reach(page, "[1]")
            page.keyboard.press("Enter")
            expect(page.locator("#beside mark")).to_contain_text("Ada Thorne", timeout=30_000)
            page.goto(f"{address}entities/Ada%20Thorne")
            reach(page, "The mill")
            page.keyboard.press("Enter")
            expect(page.locator("#beside mark")).to_contain_text("in 1904", timeout=30_000)
            page.goto(f"{address}sources?like=MILL")
            reach(page, "Delete The mill")
            page.set_input_files("#files", windmill)
            expect(page.locator("#listed")).to_contain_text("The windmill", timeout=90_000)
            expect(page.get_by_role("button", name="Delete The mill")).to_be_focused()
            page.keyboard.press("Enter")
            expect(page.locator("#listed")).to_contain_text("1 document", timeout=30_000)
            assert [each.name for each in (tmp_path / "inbox").iterdir()] == ["windmill.md"]
            page.close()
    assert wrong == []


@KEPT_ON_FILE
def test_no_rule_of_accessibility_is_broken(window: BrowserContext, address: str) -> None:
    page, wrong = opened_page(window, address)
    page.goto(address)
    ask(page, QUESTION)
    page.locator(".cite").first.click()
    expect(page.locator("#beside mark")).to_be_visible(timeout=30_000)
    page.evaluate("for (const x of document.querySelectorAll('main details')) x.open = true")
    expect(page.locator(".canvas canvas").first).to_be_visible(timeout=30_000)
    broken = _broken_rules(page, "an answer")
    paths = ("", f"compare?q={QUESTION}&top_k=2", "sources", "entities", "communities", "no/where")
    for path in (*paths, "entities/Oake%20Yard", "communities/Oake%20Yard"):
        page.goto(address + path)
        broken += _broken_rules(page, path)
    page.goto(f"{address}sources")
    page.locator("tbody a").first.click()
    page.wait_for_url("**/sources/*")
    broken += _broken_rules(page, "a source")
    assert broken == []
    assert [line for line in wrong if "404" not in line] == []
    page.close()


def _broken_rules(page: Page, name: str) -> list[str]:
    """What a page does wrong, light and wide or dark and narrow; it stays narrow."""
    found = []
    for look, size in (("light", WIDE), ("dark", NARROW)):
        page.emulate_media(color_scheme=look)  # type: ignore[arg-type]
        page.set_viewport_size(size)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(f"{name} is wider than {size['width']} pixels")
        for each in Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]:
            found.append(f"{name}, {look}: {each['id']}: {each['nodes'][0]['html'][:120]}")
    return found


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """Where a graph of hostile documents is served, and its pages."""
    folder = tmp_path_factory.mktemp("hostile")
    texts = folder / "texts"
    texts.mkdir()
    large = {f"{name}{kind.suffix}": kind.make(0.003) for name, kind in KINDS.items()}
    for name, data in (large | files()).items():
        (texts / name).write_bytes(data)
    (folder / "triples.jsonl").write_bytes(triples())
    store = folder / "graph.lbug"
    with LexicalGraph.open(store) as graph:
        report = graph.build([texts])
        assert {Path(each.uri).name for each in report.failed} == {"line ends.md", "spaces.txt"}
        graph.import_triples([folder / "triples.jsonl"])
        graph.build_communities()
        sources = graph.sources()
        assert len(sources) == DOCUMENTS + len(KINDS) - len(report.failed) + 1
        paths = [f"sources/{each.id}?start=0&end=40" for each in sources]
        paths += [f"entities/{each.id}" for each in graph.entities.most_mentioned(12)]
        paths += [f"communities/{each.id}" for each in graph.communities()[:3]]
    settings = Settings(store=str(store))
    with running(application(lambda: opened(settings, None)), "127.0.0.1", 0) as address:
        lists = ["sources", "entities", "communities", "compare?q=Ada&one=bm25&other=keywords"]
        yield address, [*lists, *paths]


TAGS = """a aside bdi body button caption datalist dd del details div dl dt form h1 h2 header img
input label li main mark nav ol option p section select span summary table tbody td th thead tr
ul"""
ATTRIBUTES = """action alt aria- autocomplete autofocus class data- dir for height hidden href id
list max maxlength method min multiple name open placeholder required role scope selected
spellcheck src tabindex title type value width"""
STRANGE = """([tags, attributes]) => [...document.querySelectorAll("body, body *")].flatMap(
  each => [each.localName, ...each.getAttributeNames()]
  .map(name => name.replace(/^(aria|data)-.*/, "$1-"))
  .filter((name, i) => !(i ? attributes : tags).includes(name))
  .concat(each.href && new URL(each.href).origin !== origin ? each.href : [])
  .concat(each.matches("[autofocus]:not(#q), form:not(main form), img:not(.brand img)") || []))"""
"""Elements, attributes and addresses that no page of ours has; nor are there others in a head."""


@pytest.mark.slow
def test_text_of_documents_stays_text(
    chromium: Browser, window: BrowserContext, hostile: tuple[str, list[str]]
) -> None:
    address, paths = hostile
    # Without the policy: it would keep a script from running that was let in.
    bare = chromium.new_context(viewport=WIDE, bypass_csp=True)
    page, wrong = opened_page(bare, address)
    for path in paths:
        answer = page.goto(address + path)
        assert answer is not None
        assert answer.status == 200, path
        assert page.evaluate(STRANGE, [TAGS.split(), ATTRIBUTES.split()]) == [], path
        assert page.evaluate("document.head.children.length") == 7, path
        assert page.evaluate("globalThis.harmed") is None, path
    for within in (bare, window):
        page, faults = opened_page(within, address)
        page.goto(address)
        page.locator("#q").press_sequentially("<img")
        expect(page.locator("[role=option]").first).to_be_visible(timeout=30_000)
        ask(page, f"Who founded Corven? {MARKUP}")
        page.locator(".evidence > summary").click()
        page.locator(".place").first.click()
        expect(page.locator("#beside .source")).to_be_visible(timeout=30_000)
        page.get_by_text("The evidence as a picture").click()
        expect(page.locator(".canvas canvas").first).to_be_visible(timeout=30_000)
        assert page.evaluate("globalThis.harmed") is None
        assert page.locator("main img, aside img, main script, aside script").count() == 0
        wrong += faults
        page.close()
    assert wrong == []
    bare.close()


LET_IN = """text => document.querySelector("main").append(
  document.createRange().createContextualFragment(text))"""


@KEPT_ON_FILE
@pytest.mark.parametrize("has_policy", [True, False])
def test_markup_that_were_let_in_could_neither_run_nor_ask_another(
    chromium: Browser, address: str, has_policy: bool
) -> None:
    """The policy, which alone keeps it from that; but from leaving for another page."""
    context = chromium.new_context(bypass_csp=not has_policy)
    page = context.new_page()
    with socket.create_server(("127.0.0.1", 0)) as another:
        there = f"http://127.0.0.1:{another.getsockname()[1]}/"
        page.goto(address)
        for kind in ELEMENTS.keys() - {"meta refresh"}:
            page.evaluate(LET_IN, ELEMENTS[kind].replace(AWAY, there))
        page.evaluate("there => fetch(there, {mode: 'no-cors', signal: AbortSignal.timeout(500)})"
                      ".catch(() => 0)", there)  # fmt: skip
        another.setblocking(False)
        if has_policy:
            with pytest.raises(BlockingIOError):
                another.accept()
        else:
            another.accept()[0].close()
        assert page.evaluate("globalThis.harmed === 1") != has_policy
    context.close()
