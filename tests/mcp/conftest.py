"""A client of the town's graph, in this process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.mcp_client import Asking, connected, server_of


@pytest.fixture(scope="package")
def client(town_file: Path) -> Iterator[Asking]:
    with connected(server_of(town_file)) as asking:
        yield asking
