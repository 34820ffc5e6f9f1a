"""Conditional reranking: what thresholds obey, and what ``hlg tune threshold`` prints."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.evaluation.reranking import BothWays, threshold_report
from support.command_line import hlg, ran


def both_ways(confidence: np.ndarray, right: np.ndarray) -> BothWays:
    """Questions that are reranked better, slower and dearer."""

    def values(recall: np.ndarray, milliseconds: float, money: float) -> dict[str, np.ndarray]:
        spent = {"milliseconds": milliseconds, "money": money}
        return {"recall@5": recall} | {k: np.full(len(right), x) for k, x in spent.items()}

    plain, reranked = values(right.astype(float), 10, 0), values(np.full(len(right), 0.5), 30, 0.01)
    return BothWays("d", confidence, right, plain, reranked)


ASKED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60).map(
    lambda rows: both_ways(np.array([row[0] for row in rows]), np.array([row[1] for row in rows]))
)


@given(ASKED, st.floats(0, 1))
def test_no_lower_threshold_would_do(asked: BothWays, beta: float) -> None:
    found = asked.calibrated(beta, least=5)
    tried = [asked.skipped(threshold) for threshold in np.linspace(0, 1, 41).tolist()]
    good = [each for each in tried if each.count >= 5 and each.interval[0] >= beta]
    if found is None:
        assert not good
    else:
        assert found.count >= 5
        assert found.interval[0] >= beta
        # Between two questions' confidences every threshold skips the same.
        assert all(found.count >= each.count for each in good)


@given(ASKED)
def test_thresholds_go_from_all_to_none(asked: BothWays) -> None:
    thresholds = asked.thresholds(5)
    assert (thresholds[0], thresholds[-1]) == (0, 1)
    assert thresholds == sorted(thresholds)


def test_each_question_is_reranked_or_not_as_the_threshold_says() -> None:
    both = both_ways(np.array([0.9, 0.8, 0.4, 0.2]), np.array([True, True, False, False]))
    assert both.skipped(0.5).precision == 1
    assert both.means(0.5) == {"recall@5": 0.75, "milliseconds": 20, "money": 0.005}
    (table,) = threshold_report(both, None, 0.9).tables
    assert "no threshold reaches β = 0.9" in table.title
    assert table.headings[-1] == "US$ per 1,000"
    assert table.rows[0][-1] == "0.00"


def test_a_threshold_is_calibrated_on_a_data_set(
    shipyards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipyards)
    command = ["tune", "threshold", "shipyards", "--beta", "0.5", "--by", "score"]
    told = ran(*command, "--report", str(tmp_path / "report"))
    assert "τ* = " in told.output
    assert "-o sure_by=score" in told.output
    assert "| τ | skipped | share |" in (tmp_path / "report" / "report.md").read_text()
    journal = shipyards / ".hlg" / "eval" / "shipyards.rerank.jsonl"
    asked = journal.read_text()
    ran(*command)
    assert journal.read_text() == asked
    for wrong, said in (
        (("--by", "luck"), "'luck' is not one of 'confidence', 'score'"),
        (("--set", "chunker=luck"), "no chunker 'luck'"),
        (("--budget", "1"), "this needs a language model"),
    ):
        refused = hlg(*command, *wrong)
        assert refused.exit_code == 2
        assert said in refused.output
