"""A store of the small world, for all tests that only search it."""

import pytest

from hlg.store import GraphStore
from support.stores import StorePlace
from support.worlds import open_world


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return open_world(StorePlace(str(tmp_path_factory.mktemp("world") / "world.lbug")))
