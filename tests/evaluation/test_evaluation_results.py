"""Results are complete, diff well, survive interruption and can be drawn."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from hlg.errors import InputError
from hlg.evaluation.data.questions import Question
from hlg.evaluation.journal import ask_in_turn, open_journal
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.report import Format, write_report
from hlg.evaluation.results import Result, read_result, summarize, write_result
from hlg.evaluation.tables import result_tables
from hlg.reports import Progress

QUESTIONS = (
    Question("q1", "One?", "bridge", ("a", "b"), (1, 1)),
    Question("q2", "Two?", "bridge", ("c",), (1,)),
    Question("q3", "Three?", "comparison", ("a",), (1,)),
    Question("q4", "Nothing?", "null"),
)


def outcome(question: str, documents: str, milliseconds: float = 2.0, calls: int = 1) -> Outcome:
    return Outcome(question, tuple(documents), milliseconds, calls, {"span_recall@500": 0.5})


def example() -> Result:
    outcomes = {
        "chunks": [outcome(q.id, "xyz") for q in QUESTIONS],
        "better": [
            outcome("q1", "abx", 1.0),
            outcome("q2", "xc", 3.0, 4),
            outcome("q3", "a", 5.0),
            outcome("q4", "", 7.0),
        ],
    }
    return Result(
        dataset="tiny|<set>",
        questions=4,
        null_questions=1,
        k=[1, 2],
        embedder="words",
        versions={"hlg": "0"},
        retrievers=summarize(QUESTIONS, outcomes, (1, 2), "chunks"),
    )


def test_a_summary_leaves_null_questions_out_and_splits_by_type() -> None:
    better = example().retrievers["better"]
    assert better.metrics["recall@1"] == pytest.approx((0.5 + 0 + 1) / 3, abs=1e-6)
    assert better.metrics["all_gold@2"] == 1
    assert better.by_type["bridge"].metrics["recall@1"] == 0.25
    assert better.by_type["bridge"].questions == 2
    assert "recall@1" not in better.by_type["null"].metrics
    low, high = better.intervals["recall@1"]
    assert low <= better.metrics["recall@1"] <= high
    assert (better.latency_ms["p50"], better.store_calls) == (4.0, 4)


def test_differences_are_paired_with_the_baseline() -> None:
    retrievers = example().retrievers
    lead = retrievers["better"].differences
    assert lead is not None
    assert lead.baseline == "chunks"
    assert lead.metrics["recall@2"] == 1
    assert lead.intervals["recall@2"] == (1, 1)
    assert retrievers["chunks"].differences is None


def test_a_result_file_has_sorted_keys_and_a_question_a_line(tmp_path: Path) -> None:
    path = tmp_path / "new" / "result.json"
    write_result(path, example())
    text = path.read_text()
    document = json.loads(text)
    assert text.endswith("}\n")
    assert '    "q1": ["a", "b", "x"],\n' in text
    assert document.keys() >= {"dataset", "questions", "k", "embedder", "versions", "retrievers"}
    assert document["retrievers"]["better"].keys() >= {
        "metrics",
        "intervals",
        "latency_ms",
        "store_calls",
        "run",
    }
    assert list(document) == sorted(document)
    assert read_result(path) == example()
    assert list(path.parent.iterdir()) == [path]


def test_a_file_that_is_no_result_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"dataset": "x"}')
    with pytest.raises(InputError, match="not a result of hlg eval run: questions"):
        read_result(path)
    with pytest.raises(InputError, match="can't be read"):
        read_result(tmp_path / "absent.json")


def test_tables_show_means_intervals_and_what_is_clear() -> None:
    summary, differences, types, budgets = result_tables(example())
    assert budgets.headings == ("retriever", "span_recall@500")
    assert summary.headings[:3] == ("retriever", "recall@1", "recall@2")
    assert "4 questions, 1 without an answer" in summary.title
    rows = {row[0]: row for row in summary.rows}
    assert rows["better"][2] == "1.000 [1.000 1.000]"
    assert rows["better"][-1] == "4"
    assert differences.rows[0][2] == "+1.000* [+1.000 +1.000]"
    assert types.headings == ("retriever", "bridge (2)", "comparison (1)")


def test_a_journal_gives_back_what_was_finished(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with open_journal(path, "first", Outcome) as journal:
        journal.add("chunks", outcome("q1", "ab"))
        journal.add("chunks", outcome("q2", ""))
        lines = path.read_text()
    assert lines.count("\n") == 3
    path.write_text(lines + '["chunks", {"question_id": "q3", "docu')
    with open_journal(path, "first", Outcome) as journal:
        assert journal.outcomes["chunks"] == {
            "q1": outcome("q1", "ab"),
            "q2": outcome("q2", ""),
        }
        journal.add("bm25", outcome("q1", "b"))
    with open_journal(path, "first", Outcome) as journal:
        assert sorted(journal.outcomes) == ["bm25", "chunks"]
    with open_journal(path, "another", Outcome) as journal:
        assert not journal.outcomes


def test_only_what_had_to_be_asked_is_told_as_progress() -> None:
    seen: list[Progress] = []
    known = {("one", "q1"), ("two", "q1"), ("one", "q2")}
    rows = {
        label: lambda question, label=label: (label, question.id) not in known
        for label in ("one", "two")
    }
    asked, ended = ask_in_turn(QUESTIONS[:3], rows, seen.append)
    assert (asked, ended) == (QUESTIONS[:3], "")
    assert [(each.done, each.total) for each in seen] == [(4, 6), (5, 6), (6, 6)]
    assert seen[0].line(None, 80) == "4 of 6  question 2 of 3, two"


@pytest.mark.parametrize("image_format", ["png", "svg"])
def test_a_report_has_tables_and_plots(tmp_path: Path, image_format: Format) -> None:
    report, *plots = write_report([example(), example()], tmp_path / "report", image_format)
    text = report.read_text()
    assert "| better |" in text
    assert "tiny\\|&lt;set>" in text
    assert len(plots) == len({plot.name for plot in plots}) == 6
    for plot in plots:
        assert f"({plot.name})" in text
        if image_format == "svg":
            assert ElementTree.parse(plot).getroot().tag.endswith("svg")
        else:
            assert plot.read_bytes().startswith(b"\x89PNG")
