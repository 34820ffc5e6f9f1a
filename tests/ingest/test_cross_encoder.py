"""The cross-encoder that ships: what it says of names beside their sentences."""

from pathlib import Path

import numpy as np
import pytest

from hlg.errors import ModelError
from hlg.ingest.extract.local.cross_encoder import CrossEncoder, shipped
from hlg.ingest.extract.local.names.judge import CLASSES

SENTENCE = "Ada Thorne, who was born in Lisbon, bought the Petrel from a widow in 1904."
NAMES = [("Ada Thorne", SENTENCE), ("Lisbon", SENTENCE), ("1904 In", "1904 In")]


def test_a_name_is_what_its_sentence_makes_of_it() -> None:
    found = shipped().names(NAMES)
    assert found.shape == (3, len(CLASSES))
    assert np.allclose(found.sum(axis=1), 1, atol=1e-5)
    assert [CLASSES[at] for at in found.argmax(axis=1)] == ["Person", "Place", ""]


def test_the_order_of_pairs_and_their_neighbours_change_little() -> None:
    pairs = [*NAMES, ("a", "a is b " * 200), ("", ""), ("\ud800", "\ud800 is x")]
    together = shipped().names(pairs)
    alone = np.concatenate([shipped().names([pair]) for pair in pairs])
    assert np.abs(together - alone).max() < 0.15
    assert np.array_equal(together, shipped().names(pairs))


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    for write in (lambda: None, lambda: path.write_bytes(b"no model")):
        write()
        with pytest.raises(ModelError, match=r"model\.onnx can't be read .*install hlg again"):
            CrossEncoder(path).names(NAMES)
