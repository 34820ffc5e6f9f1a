"""Facts and entities drawn from a graph, marked by hand, and the shares that come of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from hlg.errors import InputError
from hlg.evaluation.facts import (
    Drawn,
    read_marks,
    shares,
    wilson_interval,
    write_marks,
)

DRAWN = [
    Drawn("fact", "a", "Ada | met | Bela", "Ada met Bela.", "", "d"),
    Drawn("fact", "b", "Ada | saw | Bela", "Ada\nsaw Bela.", "1990", "d"),
    Drawn("entity", "c", "Ada : Person", "Ada met Bela.", "", "d"),
]


def test_the_interval_is_wilsons() -> None:
    # Brown, Cai and DasGupta (2001) give no table; these are the formula's values by hand.
    low, high = wilson_interval(80, 100)
    assert (round(low, 4), round(high, 4)) == (0.7112, 0.8666)
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert wilson_interval(10, 10)[1] == pytest.approx(1.0)


def test_marks_are_kept_in_a_file_and_a_line_that_is_none_is_named(tmp_path: Path) -> None:
    path = tmp_path / "marks.jsonl"
    assert read_marks(path) == []
    write_marks(path, DRAWN)
    assert read_marks(path) == DRAWN
    path.write_text('{"kind": "fact"}\n')
    with pytest.raises(InputError, match=r"marks\.jsonl:1"):
        read_marks(path)


def test_shares_count_what_is_unsure_as_not_right() -> None:
    marked = [replace(DRAWN[0], mark="right"), replace(DRAWN[1], mark="unsure"), DRAWN[2]]
    assert shares(marked) == [
        "fact: 1 of 2 right (0.50, 95 % interval 0.09 to 0.91; 0 wrong, 1 unsure)",
        "entity: none marked",
    ]
