"""The benchmarks that bring their own data still run; what they print is not judged here."""

import runpy
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parent.parent.parent / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "printed"),
    [
        ("retrieval.py 600", '"beam"'),
        ("retrieval.py 300 --store graph.lbug", '"auto: rank"'),
        ("ranker_latency.py --statements 1600 --questions 3", "rank "),
        ("ladybug_write.py 200 100", "statements/s"),
        ("full_text.py 400 --grams", "TF-IDF"),
        ("communities.py --edges 1000", "modularity"),
        ("resolution.py 200 400", "| 400 |"),
    ],
)
def test_a_benchmark_runs(
    command: str,
    printed: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    script, *_ = words = command.split()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", words)
    runpy.run_path(str(BENCHMARKS / script), run_name="__main__")
    assert printed in capfd.readouterr().out
