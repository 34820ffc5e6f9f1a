"""The town that agents are asked about, open."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hlg import LexicalGraph


@pytest.fixture(scope="package")
def town(town_file: Path) -> Iterator[LexicalGraph]:
    with LexicalGraph.open(town_file) as graph:
        yield graph
