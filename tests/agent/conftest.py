"""The demo's town as a graph, with one long document and one that gives orders."""

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path

import pytest

from hlg import LexicalGraph
from hlg.demo import TEXTS
from support.agents import ORDERS, long_document


@pytest.fixture(scope="package")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LexicalGraph]:
    folder = tmp_path_factory.mktemp("town")
    (folder / "ledger.md").write_text(f"---\nyear: 1931\n---\n# The Grey Ledger\n\n{ORDERS}\n")
    for text in Path(TEXTS).glob("*.md"):
        (folder / text.name).write_text(text.read_text("utf-8"), "utf-8")
    with LexicalGraph.open(folder / "town.lbug") as graph, chdir(folder):
        graph.build(["."])
        graph.store.write([long_document(graph)])
        graph.build_communities()
        yield graph
