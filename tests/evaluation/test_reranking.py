"""Conditional reranking: what thresholds obey, and what ``hlg tune rerank`` prints."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from hlg.cli.main import app
from hlg.evaluation.metrics.thresholds import calibrated_threshold, evenly, skipped
from hlg.evaluation.reranking import BothWays, at_threshold, threshold_table

ASKED = st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=60).map(
    lambda rows: (np.array([row[0] for row in rows]), np.array([row[1] for row in rows]))
)


class TestThresholds:
    @given(ASKED, st.floats(0, 1))
    def test_no_lower_threshold_would_do(
        self, asked: tuple[np.ndarray, np.ndarray], beta: float
    ) -> None:
        found = calibrated_threshold(*asked, beta, least=5)
        tried = [skipped(*asked, threshold) for threshold in np.linspace(0, 1, 41).tolist()]
        good = [each.threshold for each in tried if each.count >= 5 and each.interval[0] >= beta]
        if found is None:
            assert not good
        else:
            assert found.count >= 5
            assert found.interval[0] >= beta
            assert all(found.threshold <= threshold for threshold in good)

    @given(ASKED, st.floats(0, 1), st.floats(0, 1))
    def test_asking_for_more_never_skips_more(
        self, asked: tuple[np.ndarray, np.ndarray], one: float, other: float
    ) -> None:
        lenient, strict = (
            calibrated_threshold(*asked, beta, least=5) for beta in sorted((one, other))
        )
        if strict is not None:
            assert lenient is not None
            assert lenient.threshold <= strict.threshold

    @given(ASKED, st.floats(0, 1))
    def test_the_interval_holds_the_share(
        self, asked: tuple[np.ndarray, np.ndarray], threshold: float
    ) -> None:
        found = skipped(*asked, threshold)
        if found.count:
            low, high = found.interval
            assert 0 <= low <= found.precision + 1e-12
            assert found.precision - 1e-12 <= high <= 1

    def test_wilson_by_hand(self) -> None:
        # 30 of 40 right: p 0.75, z 1.96 (eq. 31).
        found = skipped(np.full(40, 0.9), np.arange(40) < 30, 0.5)
        assert found.interval[0] == pytest.approx(0.5981, abs=1e-4)
        assert calibrated_threshold(np.full(40, 0.9), np.arange(40) < 30, 0.6) is None

    @given(st.lists(st.floats(0, 1), min_size=1, max_size=30))
    def test_thresholds_go_from_all_to_none(self, sureness: list[float]) -> None:
        thresholds = evenly(sureness, 5)
        assert thresholds[0] == 0
        assert thresholds[-1] == 1
        assert thresholds == sorted(thresholds)


def both_ways() -> BothWays:
    sureness = np.array([0.9, 0.8, 0.4, 0.2])

    def column(*values: float) -> np.ndarray:
        return np.array(values)

    plain = {
        "recall@5": column(1, 1, 0, 0),
        "milliseconds": column(10, 10, 10, 10),
        "money": column(0, 0, 0, 0),
    }
    reranked = {
        "recall@5": column(0.5, 1, 1, 0.5),
        "milliseconds": column(30, 30, 30, 30),
        "money": column(0.01, 0.01, 0.01, 0.01),
    }
    right = plain["recall@5"] > 0
    return BothWays("d", "hybrid", "llm", "score", sureness, right, plain, reranked)


def test_each_question_is_reranked_or_not_as_the_threshold_says() -> None:
    found = at_threshold(both_ways(), 0.5)
    assert found.share == 0.5
    assert found.skipped.precision == 1
    assert found.means["recall@5"] == pytest.approx((1 + 1 + 1 + 0.5) / 4)
    assert found.means["milliseconds"] == 20
    assert found.means["money"] == pytest.approx(0.005)
    table = threshold_table(both_ways(), None, 0.9)
    assert "no threshold reaches β = 0.9" in table.title
    assert table.headings[-1] == "US$ per 1,000"
    assert table.rows[0][-1] == "0.00"


def test_a_threshold_is_calibrated_on_a_data_set(
    shipyards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipyards)
    command = ["tune", "rerank", "shipyards", "--beta", "0.5", "--by", "score"]
    ran = CliRunner().invoke(app, [*command, "--report", str(tmp_path / "report")])
    assert ran.exit_code == 0, ran.output
    assert "τ* = " in ran.output
    assert "-o sure_by=score" in ran.output
    assert (tmp_path / "report" / "thresholds.png").stat().st_size > 1000
    assert "| τ | skipped | share |" in (tmp_path / "report" / "report.md").read_text()
    journal = shipyards / ".hlg" / "eval" / "shipyards.rerank.jsonl"
    asked = journal.read_text()
    again = CliRunner().invoke(app, command)
    assert again.exit_code == 0, again.output
    assert journal.read_text() == asked
    refused = CliRunner().invoke(app, [*command, "--by", "luck"])
    assert refused.exit_code != 0
    assert "choose one of confidence, score" in refused.output
