"""The documents' pictures: ``python docs/screenshots.py [view|browser|serve ...]`` makes them anew.

They show the evidence for one of the demo's questions, in the page that ``hlg view`` writes
and in Neo4j Browser, and what ``hlg serve`` answers. Needs what the tests need: hlg[test],
Chromium, and for Neo4j Browser a JDK and Maven.
"""

import shutil
import sys
from contextlib import chdir
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, sync_playwright

from hlg.browser.link import browser_link, evidence_statement, place_of
from hlg.browser.serve import served
from hlg.demo import QUESTIONS, TEXTS
from hlg.graph import LexicalGraph
from hlg.neo4j_server import server as neo4j_server
from hlg.pictures import write_picture
from hlg.records import Hit
from hlg.serve.app import application
from hlg.serve.service import opened
from hlg.serving.listening import running
from hlg.settings import load_settings
from hlg.store.neo4j.store import Neo4jStore
from hlg.store.transfer import copy_graph

IMAGES = Path(__file__).parent / "images"
QUESTION = QUESTIONS[1]
HITS = 4
ANSWER = "Adela Stroom"
"""In the statement that is pressed."""
BOLT_PORT, HTTP_PORT = 17687, 17474
SECONDS = 60_000
COLOURS = 256
"""Of a picture's palette."""


def main(wanted: list[str]) -> None:
    """Build the demo's graph and take the pictures that are wanted, or all."""
    with TemporaryDirectory(prefix="hlg-images-") as folder, sync_playwright() as playwright:
        store = Path(folder) / "graph.lbug"
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with LexicalGraph.open(store) as graph:
            with chdir(TEXTS):
                graph.build(["."])
            hits = graph.retrieve(QUESTION, top_k=HITS, options={"form": "statements"})
            if not wanted or "view" in wanted:
                take_view(chromium, graph, hits, Path(folder) / "evidence.html")
            if not wanted or "browser" in wanted:
                take_browser(chromium, graph, hits, Path(folder) / "neo4j")
        if not wanted or "serve" in wanted:
            settings = load_settings(store=str(store))
            app = application(lambda: opened(settings, None))
            with running(app, "127.0.0.1", 0) as address:
                take_served(chromium, address)
                take_narrow(chromium, address)


def take(shown: Page | Locator, name: str, **how: Any) -> None:
    """A picture of what is shown, in the colours that it has most of: a third of the bytes."""
    taken = Image.open(BytesIO(shown.screenshot(**how))).convert("RGB")
    small = taken.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    small.save(IMAGES / f"{name}.png", optimize=True)


def take_view(chromium: Browser, graph: LexicalGraph, hits: list[Hit], path: Path) -> None:
    """The page with a statement chosen."""
    ranks = {hit.passage.id: hit.rank for hit in hits}
    write_picture(graph.evidence(hits), path, QUESTION, ranks)
    page = chromium.new_page(viewport={"width": 1440, "height": 640})
    page.goto(path.as_uri())
    chosen = next(hit.passage.id for hit in hits if ANSWER in hit.passage.text)
    page.evaluate(f"void graph.getElementById('{chosen}').select()")
    page.wait_for_timeout(500)
    take(page, "view")


def take_served(chromium: Browser, address: str) -> None:
    """Asking, an answer with its source, how a passage was found, and two retrievers."""
    page = chromium.new_page(viewport={"width": 1120, "height": 620})
    page.set_default_timeout(SECONDS)
    page.goto(address)
    page.locator("#q").press_sequentially("Who founded the yard that built the Petr")
    page.wait_for_selector("[role=option]")
    take(page, "serve-ask", clip={"x": 0, "y": 0, "width": 1120, "height": 400})
    page.fill("#q", QUESTION)
    page.keyboard.press("Enter")
    page.click(".lead .cite")
    page.wait_for_selector("#beside mark")
    take(page, "serve-source")
    page.click("[data-close]")
    page.set_viewport_size({"width": 1120, "height": 1500})
    page.click(".evidence > summary")
    hit = page.locator(".hit", has=page.locator(".path", has_text=ANSWER)).first
    hit.locator(".signals summary").click()
    take(hit, "serve-path")
    page.set_viewport_size({"width": 1120, "height": 760})
    page.goto(f"{address}compare?q={QUESTION}&one=statement-graph&other=bm25")
    take(page, "serve-compare")


def take_narrow(chromium: Browser, address: str) -> None:
    """The same in dark colours, and on a telephone."""
    page = chromium.new_page(viewport={"width": 1120, "height": 980}, color_scheme="dark")
    page.set_default_timeout(SECONDS)
    page.goto(f"{address}?q={QUESTION}")
    page.click("details.picture summary")
    page.wait_for_selector(".canvas canvas")
    page.wait_for_timeout(500)
    take(page, "serve-dark")
    page.set_viewport_size({"width": 390, "height": 720})
    page.emulate_media(color_scheme="light")
    page.goto(f"{address}?q={QUESTION}")
    page.click(".lead .cite")
    page.wait_for_selector("#beside mark")
    take(page, "serve-narrow")


def take_browser(chromium: Browser, graph: LexicalGraph, hits: list[Hit], home: Path) -> None:
    """Neo4j Browser with the same evidence, and the guide beside it."""
    info = neo4j_server.start(home, bolt_port=BOLT_PORT, http_port=HTTP_PORT)
    try:
        settings = load_settings(
            store=info.bolt, neo4j_user=info.user, neo4j_password=info.password()
        )
        with LexicalGraph.open(settings=settings) as copy:
            copy_graph(graph.store, copy.store)
            assert isinstance(copy.store, Neo4jStore)
            place = place_of(info.bolt, info.user, copy.store.browser_settings())
        ids = [node.id for node in graph.evidence(hits).nodes_of("Statement")]
        page = chromium.new_page(viewport={"width": 1280, "height": 620}, device_scale_factor=1.25)
        page.set_default_timeout(SECONDS)
        with served(place.port):
            page.goto(browser_link(place, evidence_statement(ids)))
            page.fill("[data-testid=password]", info.password())
            page.click("[data-testid=connect]")
            page.wait_for_selector("text=The Hierarchical Lexical Graph")
            page.click("[data-testid=editor-Run]")
            page.wait_for_selector("g.node")
            page.click("[aria-label='Collapse the node properties display']")
            while page.locator("[data-testid=frame]").count() > 1:
                page.locator("[data-testid=frame]").last.locator("[title=Close]").click()
            page.wait_for_timeout(3_000)
            page.click("[aria-label=zoom-to-fit]")
            page.wait_for_timeout(2_000)
            take(page, "browser")
    finally:
        neo4j_server.stop(home)


if __name__ == "__main__":
    main(sys.argv[1:])
