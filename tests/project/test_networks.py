"""The networks that ship: the same on every processor."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import numpy_helper

ROOT = Path(__file__).parent.parent.parent
NETWORKS = sorted(
    path.relative_to(ROOT)
    for group in ("hlg", "ingest", "retrieval")
    for path in (ROOT / group).rglob("*.onnx")
)
MOST = 64
"""Two products of such a weight and a byte have room in 16 bits."""


@pytest.mark.parametrize("path", NETWORKS, ids=str)
def test_no_sum_of_products_overflows_where_processors_have_sixteen_bits_for_it(path: Path) -> None:
    graph = onnx.load(ROOT / path).graph
    arrays = {each.name: numpy_helper.to_array(each) for each in graph.initializer}
    products = [node for node in graph.node if node.op_type == "MatMulInteger"]
    assert products
    for node in products:
        weights, zero = arrays[node.input[1]], arrays[node.input[3]]
        assert weights.dtype == np.int8
        assert np.abs(weights.astype(int)).max() <= MOST
        assert not zero.any()


def test_there_are_networks() -> None:
    assert len(NETWORKS) == 5
