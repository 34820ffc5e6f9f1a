"""The small models that are shipped: their size, and what is said where a file is no such model."""

from pathlib import Path
from typing import Protocol

import pytest

from hlg.errors import ModelError
from hlg.retrieval.ranker import confidence, path_ranker


class Loadable(Protocol):
    def load(self, path: Path) -> object: ...


@pytest.mark.parametrize(
    ("model", "text", "reason"),
    [
        (path_ranker.PathRanker, "{", "can't be used"),
        (path_ranker.PathRanker, '{"format": 99}', "format 99"),
        (path_ranker.PathRanker, '{"format": 3, "signals": [], "trees": [{}]}', "can't be used"),
        (path_ranker.PathRanker, None, "no ranker at"),
        (confidence.Confidence, "{", "can't be used"),
        (confidence.Confidence, '{"format": 99}', "format 99"),
    ],
)
def test_a_model_that_cannot_be_used_says_why(
    model: Loadable, text: str | None, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "model.txt"
    if text is not None:
        path.write_text(text)
    with pytest.raises(ModelError, match=reason):
        model.load(path)


@pytest.mark.parametrize(
    ("path", "most"), [(path_ranker.DEFAULT_MODEL, 500_000), (confidence.DEFAULT_MODEL, 200_000)]
)
def test_a_shipped_model_is_small(path: Path, most: int) -> None:
    assert path.stat().st_size <= most
