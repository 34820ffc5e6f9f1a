"""The papers' experiments: what a stage moves and makes worse, and the commands on real graphs."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.errors import UsageError
from hlg.evaluation.experiment import milliseconds_table
from hlg.evaluation.metrics.assess import Outcome
from hlg.evaluation.studies.ablation import RANKS, degraded, swaps
from hlg.evaluation.studies.progression import GRID, Plan, sized
from hlg.ingest.chunk.chunkers import CHUNKERS
from hlg.settings import load_settings
from support.command_line import hlg, ran, refused
from support.language_model_server import ScriptedServer

RANKING = st.permutations("abcdefghijklmn").map(lambda order: order[:12])


@given(RANKING, RANKING)
def test_swaps_count_places_alike_both_ways(one: list[str], other: list[str]) -> None:
    assert swaps(one, one) == 0
    assert swaps(one, other) == swaps(other, one) <= RANKS
    assert (swaps("abcd", "abdc"), swaps("abc", "ab")) == (2, 1)


@given(st.lists(st.floats(-1, 1) | st.just(float("nan")), min_size=1, max_size=20))
def test_only_what_loses_is_degraded_the_greatest_loss_first(lead: list[float]) -> None:
    losses = [lead[place] for place in degraded(np.array(lead))]
    assert losses == sorted(each for each in lead if each < -1e-9)


def test_the_grid_is_the_thesis_s() -> None:
    assert [sum(each.startswith(name) for each in GRID) for name in Plan().chunkers] == [6, 6, 6]
    assert "hierarchical:parent_tokens=2000@800/0.0625" in GRID  # an overlap of 50 tokens
    for chunker in GRID:
        CHUNKERS.open(load_settings(**sized(chunker)).chunker)
    assert sized("semantic:window=0@800") == {
        "chunker": "semantic:window=0",
        "chunk_tokens": "800",
    }
    with pytest.raises(UsageError, match="write tokens and overlap as in"):
        sized("fixed@many")


@pytest.mark.parametrize("study", ["ablation", "agents", "progression", "scenarios"])
def test_without_evidence_there_is_nothing_to_compare(study: str, tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "a", "title": "A", "text": "Anna built it."}')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q", "text": "Who built it?", "gold": []}')
    told = refused("eval", study, str(tmp_path), code=1)
    assert f"data set {tmp_path.name}: no question has known evidence" in told


def test_an_ablation_adds_part_after_part(
    shipyards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipyards)
    command = ["eval", "ablation", "shipyards", "--questions", "12", "--out", str(tmp_path)]
    told = ran(*command)
    for stage in (
        "chunks:dense",
        "hybrid:bi-modal",
        "tri-modal",
        "tri-modal:dynamic",
        "tri-modal:+path",
    ):
        assert stage in told.output
    report = (tmp_path / "report.md").read_text()
    for title in (
        "ndcg@10 by configuration",
        "static and dynamic weights",
        "hold another document",
        "made worse in ndcg@10",
        "by stage of the search",
    ):
        assert title in report
    kept = json.loads((tmp_path / "result.json").read_text())
    assert kept["questions"] == 12
    outcomes = (tmp_path / "outcomes.jsonl").read_text()
    ran(*command)
    assert (tmp_path / "outcomes.jsonl").read_text() == outcomes


def test_a_progression_goes_on_with_the_best_chunker(
    shipyards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipyards)
    command = ["eval", "progression", "shipyards", "--questions", "12", "--words", "150"]
    command += ["--chunker", "fixed", "--chunker", "semantic@200/0", "--out", str(tmp_path)]
    ran(*command, "--set", "workers=1")
    kept = json.loads((tmp_path / "result.json").read_text())
    stages = list(kept["retrievers"])
    best = next(name.partition(" + ")[0] for name in stages if " + " in name)
    assert best in ("fixed", "semantic@200/0")
    assert {f"{best} + {stage}" for stage in ("graph", "fusion", "conditional rerank")} < set(
        stages
    )
    asked = [json.loads(line) for line in next(tmp_path.glob("*-stages.outcomes.jsonl")).open()][1:]
    fused = {o["question_id"]: o["score"] for stage, o in asked if stage == "hybrid:fusion"}
    gated = {o["question_id"]: o for stage, o in asked if stage == "hybrid:conditional rerank"}
    is_low = {id_: score < 0.95 for id_, score in fused.items()}
    assert {id_: "rerank" in o["timings_ms"] for id_, o in gated.items()} == is_low
    report = (tmp_path / "report.md").read_text()
    for type_ in ("all questions", "single", "bridge"):
        assert f"{type_}, n = " in report
    assert "| t1em | t5em | t1c | bc | ac | mc |" in report
    cost = re.search(r"\| fixed \| \d+\.\d{3} \| – \| \d+\.\d \|", report)
    assert cost is not None
    ran(*command, "--set", "workers=1")
    again = (tmp_path / "report.md").read_text()
    assert cost[0] in again, "what was built and asked is not forgotten"
    refused = hlg(*command, "--weights", "nowhere.json")
    assert "--weights: there is no file" in refused.output


@pytest.mark.parametrize("study", ["ablation", "progression"])
def test_what_a_model_failed_to_do_in_a_study_is_said(
    study: str, shipyards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipyards)
    given = ["--questions", "3", "--words", "150", "--out", str(tmp_path), "--set", "workers=1"]
    with ScriptedServer(["I would rather not."]) as server:
        model = ("--set", "llm=tiny", "--set", f"llm_url={server.url}", "--set", "llm_cache=off")
        told = ran("eval", study, "shipyards", *given, *model)
    found = re.search(r"(\d+) searches went otherwise than asked, such as: keywords", told.stderr)
    assert found is not None
    assert int(found[1]) >= 3


def test_a_part_of_searching_that_takes_no_time_has_no_column() -> None:
    spent = {"total": 9.0, "embed": 8.96, "snapshot": 0.01, "rerank": 0.0}
    outcomes = [Outcome("q", (), 9.0, 1, {}, timings_ms=spent)]
    table = milliseconds_table({"chunks": outcomes, "bm25": outcomes})
    assert table.headings == ("configuration", "embed", "total")
    assert table.rows == (("chunks", "9.0", "9.0"), ("bm25", "9.0", "9.0"))
