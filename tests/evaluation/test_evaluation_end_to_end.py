"""``hlg eval`` on a real graph: built once, every retriever asked, interrupted and resumed."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hlg import LexicalGraph
from hlg.errors import InputError, UsageError
from hlg.evaluation.corpus import build_corpus
from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.experiment import Experiment, evaluate, journal_path, retriever_depths
from hlg.evaluation.results import Result
from hlg.reports import Progress, SearchResult
from support.command_line import hlg, ran
from support.datasets import write_dataset

CORPUS = {
    "petrel": "The Petrel is a ferry. She was built by the Holm yard in 1931.",
    "holm": "The Holm yard was founded by Ingrid Vass. It stands in Port Ellery.",
    "vass": "Ingrid Vass was an engineer who was born in Tarn.",
    "bakery": "The bakery on Mill Lane sells rye bread and plum cake.",
    "orchard": "Plum trees grow in the orchard behind the mill.",
}
QUERIES: list[dict[str, Any]] = [
    {
        "_id": "q1",
        "text": "Who founded the yard that built the Petrel?",
        "type": "bridge",
        "gold": ["petrel", "holm"],
        "answer": "Ingrid Vass",
        "spans": [
            {"doc": "petrel", "start": 23, "end": 62},
            {"doc": "holm", "start": 0, "end": 41},
        ],
    },
    {"_id": "q2", "text": "What does the bakery sell?", "type": "single", "gold": ["bakery"]},
    {"_id": "q3", "text": "Who won the regatta?", "type": "null", "gold": []},
]
RETRIEVERS = ("chunks", "bm25", "statements")


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    folder = tmp_path_factory.mktemp("ferries")
    corpus = [{"_id": id_, "title": id_.title(), "text": text} for id_, text in CORPUS.items()]
    return load_dataset(write_dataset(folder, corpus=corpus, queries=QUERIES))


@pytest.fixture(scope="module")
def graph(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LexicalGraph]:
    folder = tmp_path_factory.mktemp("store")
    with LexicalGraph.open(folder / "graph.lbug") as graph:
        assert build_corpus(graph, dataset, folder).added == len(CORPUS)
        yield graph


def run(graph: LexicalGraph, dataset: Dataset, out: Path, seen: list[Progress]) -> Result:
    return evaluate(
        graph,
        Experiment(dataset, dataset.questions, RETRIEVERS, "chunks"),
        cutoffs=(1, 2),
        out=out,
        on_progress=seen.append,
    )


def test_every_retriever_answers_the_same_questions(
    graph: LexicalGraph, dataset: Dataset, tmp_path: Path
) -> None:
    result = run(graph, dataset, tmp_path / "out.json", [])
    assert tuple(result.retrievers) == RETRIEVERS
    assert (result.questions, result.null_questions) == (3, 1)
    assert result.embedder == graph.embedder.name
    for found in result.retrievers.values():
        assert found.run.keys() == {"q1", "q2", "q3"}
        assert all(len(ids) == len(set(ids)) for ids in found.run.values())
        assert found.run["q2"][0] == "bakery"
        assert found.metrics["recall@2"] == 1
        assert found.metrics["span_recall@4000"] == 1
        assert found.metrics["t5em"] == 1
        assert 1 <= found.store_calls <= 5
        assert 0 < found.latency_ms["p50"] <= found.latency_ms["p95"]
    assert not journal_path(tmp_path / "out.json").exists()


def test_a_retriever_is_asked_for_no_more_than_it_looks_at(
    graph: LexicalGraph, dataset: Dataset
) -> None:
    names = ("chunks", "chunks-rerank", "entity-link", "bm25")
    options = {"bm25": {"candidates": 7}}
    experiment = Experiment(dataset, dataset.questions, names, "chunks", options)
    depths = retriever_depths(graph, experiment)
    assert depths == {"chunks": 100, "chunks-rerank": 50, "entity-link": 50, "bm25": 7}


def test_a_retriever_is_measured_with_and_without_an_option(
    graph: LexicalGraph, dataset: Dataset, tmp_path: Path
) -> None:
    names = ("bm25", "bm25:few")
    experiment = Experiment(
        dataset, dataset.questions, names, "bm25", {"bm25:few": {"candidates": 1}}
    )
    result = evaluate(
        graph, experiment, cutoffs=(1,), out=tmp_path / "out.json", on_progress=lambda _: None
    )
    assert tuple(result.retrievers) == names
    longest = [max(map(len, found.run.values())) for found in result.retrievers.values()]
    assert longest[0] > longest[1] == 1


@pytest.mark.parametrize("option", ["hyde", "decompose"])
def test_what_needs_a_language_model_is_said_before_anything_is_asked(
    graph: LexicalGraph, dataset: Dataset, option: str
) -> None:
    experiment = Experiment(dataset, dataset.questions, ("bm25",), "bm25", {"bm25": {option: True}})
    with pytest.raises(UsageError, match="this needs a language model"):
        retriever_depths(graph, experiment)


def test_a_search_is_no_deeper_than_its_retriever(dataset: Dataset) -> None:
    asked: list[int] = []

    class Recorder:
        def search(self, question: str, *, top_k: int, **_: object) -> SearchResult:
            asked.append(top_k)
            return SearchResult(question, "a", (), 1, {})

    experiment = Experiment(dataset, dataset.questions, ("a",), "a", depths={"a": 50})
    experiment.search(Recorder(), "a", dataset.questions[0])  # type: ignore[arg-type]
    assert asked == [50]


def test_an_interrupted_run_asks_only_what_is_missing(
    graph: LexicalGraph, dataset: Dataset, tmp_path: Path
) -> None:
    out = tmp_path / "out.json"

    class Stopping(list[Progress]):
        def append(self, progress: Progress) -> None:
            super().append(progress)
            if len(self) == 4:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(graph, dataset, out, Stopping())
    assert not out.exists()
    assert journal_path(out).exists()
    rest: list[Progress] = []
    resumed = run(graph, dataset, out, rest)
    assert [(progress.stage, progress.done) for progress in rest] == [
        ("bm25", 2),
        ("bm25", 3),
        ("statements", 1),
        ("statements", 2),
        ("statements", 3),
    ]
    whole = run(graph, dataset, tmp_path / "whole.json", [])
    for name in RETRIEVERS:
        assert resumed.retrievers[name].run == whole.retrievers[name].run
        assert resumed.retrievers[name].metrics == whole.retrievers[name].metrics


def test_a_graph_of_something_else_is_refused(
    graph: LexicalGraph, dataset: Dataset, tmp_path: Path
) -> None:
    other = Dataset("other", dataset.documents[:2], dataset.questions)
    with pytest.raises(InputError, match="no document of this data set"):
        run(graph, other, tmp_path / "out.json", [])


def test_the_command_prints_tables_and_writes_the_file_that_report_draws(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dataset.corpus_file is not None
    monkeypatch.chdir(tmp_path)
    command = ["eval", "run", str(dataset.corpus_file.parent), "--k", "1,2"]
    done = ran(*command, "--retrievers", "chunks,bm25", "--queries", "2")
    assert "paired differences to chunks" in done.stdout
    for budget in (500, 1000, 2000, 3000, 4000):
        assert f"span_recall@{budget}" in done.stdout
    out = tmp_path / ".hlg" / "eval" / f"{dataset.name}.json"
    assert json.loads(out.read_text())["questions"] == 2
    ran("eval", "report", str(out))
    assert (tmp_path / "report" / "report.md").is_file()


def test_a_cut_another_folder_and_another_set_of_the_name_leave_the_graph_whole(
    dataset: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert dataset.corpus_file is not None
    monkeypatch.chdir(tmp_path)
    whole, moved = dataset.corpus_file.parent, tmp_path / "data" / dataset.name
    shutil.copytree(whole, moved)
    first = json.loads((moved / "corpus.jsonl").read_text().splitlines()[0])
    (moved / "corpus.jsonl").open("a").write(json.dumps({**first, "_id": "more", "text": "More."}))
    run = ("--retrievers", "bm25", "--k", "1")
    commands = (
        ("run", str(whole), *run),
        ("ablation", str(whole), "--words", "30"),
        ("run", str(whole), *run),
        ("run", str(moved), *run),
    )
    for command in commands:
        done = ran("eval", *command)
        assert "not in the graph" not in done.output
    with LexicalGraph.open(f".hlg/eval/{dataset.name}.lbug", read_only=True) as graph:
        assert len(graph.sources()) == len(CORPUS) + 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--retrievers", "chunks,chnks"], "no retriever 'chnks'"),
        (["--retrievers", ","], "--retrievers names none"),
        (["--k", "5,x"], "give numbers with commas"),
        (["--k", "0"], "between 1 and 100"),
        (["--tokens", "none"], "--tokens 'none': give numbers"),
        (["--option", "chunks.diversty=1"], "has no option 'diversty'"),
        (["--option", "diversity=1"], "RETRIEVER.NAME=VALUE"),
        (["--baseline", "topics"], "none of the retrievers"),
    ],
)
def test_a_wrong_argument_is_one_clear_line_before_anything_is_built(
    dataset: Dataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    message: str,
) -> None:
    assert dataset.corpus_file is not None
    monkeypatch.chdir(tmp_path)
    done = hlg("eval", "run", str(dataset.corpus_file.parent), *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert "built" not in done.output


def test_a_corpus_that_is_no_jsonl_file_is_built_under_the_same_ids(tmp_path: Path) -> None:
    passages = [{"title": id_.title(), "text": text} for id_, text in CORPUS.items()]
    sample = {
        "id": "2hop__1",
        "question": "Who founded the Holm yard?",
        "paragraphs": [
            {"title": "Holm", "paragraph_text": CORPUS["holm"], "is_supporting": True},
            {"title": "Vass", "paragraph_text": CORPUS["vass"], "is_supporting": False},
        ],
    }
    (tmp_path / "ferries.json").write_text(json.dumps([sample]))
    (tmp_path / "ferries_corpus.json").write_text(json.dumps(passages))
    dataset = load_dataset(tmp_path)
    with LexicalGraph.open(tmp_path / "graph.lbug") as graph:
        build_corpus(graph, dataset, tmp_path)
        experiment = Experiment(dataset, dataset.questions, ("bm25",), "bm25")
        out = tmp_path / "out.json"
        result = evaluate(graph, experiment, cutoffs=(1,), out=out, on_progress=lambda _: None)
    assert result.retrievers["bm25"].run["2hop__1"][0] == "ferries-1"
    assert result.retrievers["bm25"].metrics["recall@1"] == 1
