"""How far a long piece of work is, and how long the rest takes."""

from pathlib import Path

import pytest

from hlg.graph import LexicalGraph
from hlg.ingest.extent import Extent
from hlg.reports import Pace, Progress


def at(part: float, stage: str = "build") -> Progress:
    return Progress(stage, 1, None, share=part)


def test_the_rest_takes_as_long_as_its_part_at_the_pace_so_far() -> None:
    pace = Pace(100)
    assert pace.left(at(0), 100) is None
    assert pace.left(at(0.1), 101) is None, "too early to say"
    assert pace.left(at(0.25), 110) == pytest.approx(30)
    assert pace.left(at(1), 140) == 0


def test_what_an_earlier_run_did_tells_no_pace() -> None:
    pace = Pace(100)
    assert pace.left(at(0.5), 101) is None
    assert pace.left(at(0.75), 151) == pytest.approx(50)


def test_the_first_files_of_many_say_nothing_of_the_rest() -> None:
    pace = Pace(0)
    assert pace.left(at(0), 0) is None
    assert pace.left(at(0.00001), 10) is None
    assert pace.left(at(0.01), 59) is None
    assert pace.left(at(0.02), 60) == pytest.approx(2940)


def test_the_pace_is_that_of_the_last_minute() -> None:
    pace = Pace(0)
    for second in range(1, 101):
        pace.left(at(second / 1000), second)
    for second in range(1, 71):
        left = pace.left(at(0.1 + second / 100), 100 + second)
    assert left == pytest.approx(20, rel=0.1)


def test_one_slow_step_of_many_slow_ones_is_no_pace() -> None:
    pace, now = Pace(0), 0.0
    pace.left(at(0), now)
    for step in range(1, 26):
        now += 300 if step == 25 else 30
        left = pace.left(at(step / 100), now)
    assert left == pytest.approx(75 * 45, rel=0.1)


def test_another_stage_has_a_pace_of_its_own() -> None:
    pace = Pace(0)
    pace.left(at(0.9), 100)
    assert pace.left(at(0.1, "next"), 101) is None
    assert pace.left(at(0.5, "next"), 111) == pytest.approx(12.5)


def test_what_has_no_end_has_no_time_left() -> None:
    pace = Pace(0)
    assert pace.left(Progress("read", 5, None), 100) is None
    assert Progress("read", 5, None, "triples").line(None, 80) == "5  triples"


def test_a_state_is_one_line() -> None:
    summaries = Progress("summaries", 12, 40, "Marrow\nYard")
    assert summaries.line(75.4, 80) == "12 of 40, 1:15 left  Marrow Yard"
    assert at(0.384).line(3725, 80) == "38%, 1:02:05 left"


def test_an_extent_is_done_when_all_its_files_are() -> None:
    extent = Extent({"a.md": 100, "records.jsonl": 200, "odd#name.md": 100})
    extent.pass_by("a.md", 30)
    assert extent.share == 0.25
    extent.pass_by("records.jsonl#1", 50)
    extent.pass_by("records.jsonl#2", 10)
    extent.pass_by("records.jsonl:7", 0)
    assert extent.share == 0.4
    extent.pass_by("odd#name.md", 10)
    extent.pass_by("of no file", 10)
    assert (extent.share, extent.files) == (1.0, 3)
    assert Extent({}).share == 1.0


def test_a_build_tells_how_much_is_done_of_what_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(3):
        Path(f"{number}.md").write_text(f"Ada Thorne founded firm {number}.")
    Path("bad.pdf").write_text("no pdf")
    seen: list[Progress] = []
    with LexicalGraph.open("g.lbug") as graph:
        graph.build(["."], on_progress=seen.append)
        first = [progress.share for progress in seen]
        graph.build(["."], on_progress=seen.append)
    assert first == sorted(set(first), key=float)
    assert len(first) == 2, "what was written, and what was left out"
    assert first[-1] == seen[-1].share == 1.0
    assert "3 sources of 4 files" in seen[-1].message


def test_all_is_said_at_the_end_alone() -> None:
    shares = (0.999, 1.0)
    assert [Progress("build", 0, None, share=each).line(None, 9) for each in shares] == [
        "99%",
        "100%",
    ]
