"""A data set out of a graph, as files that evaluation reads."""

from pathlib import Path

import pytest

from hlg.evaluation.data.datasets import load_dataset
from hlg.graph import LexicalGraph
from support.command_line import hlg


@pytest.fixture(scope="module")
def notes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    (folder / "yard.md").write_text(
        "# Oake Yard\n\nOake Yard built the Petrel. Henrike Oake founded Oake Yard in Corven. "
        "The Petrel struck Gull Teeth. Aksel Thorne commanded the Petrel.\n",
        "utf-8",
    )
    with LexicalGraph.open(folder / "notes.lbug") as graph:
        graph.build([folder / "yard.md"])
    return folder / "notes.lbug"


def test_questions_ask_for_one_side_of_facts(notes: Path, tmp_path: Path) -> None:
    out = tmp_path / "made"
    done = hlg("eval", "synthesize", str(out), "--store", str(notes))
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith(f"next: hlg eval run {out}\n")
    made = load_dataset(out)
    assert len(made.questions) >= 3
    (document,) = made.documents
    for question in made.questions:
        (answer,) = question.answers
        (span,) = question.spans
        assert question.gold == (document.id,)
        assert answer in document.text[span.start : span.end]
        assert answer not in question.text


def test_as_many_as_are_wanted_and_the_same_every_time(notes: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        asked = ("eval", "synthesize", str(tmp_path / name), "--questions", "2")
        assert hlg(*asked, "--store", str(notes)).exit_code == 0
    first, second = (tmp_path / name / "queries.jsonl" for name in ("first", "second"))
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_text("utf-8").splitlines()) == 2


def test_a_graph_without_facts_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Nothing to see here.", "utf-8")
    with LexicalGraph.open(tmp_path / "a.lbug") as graph:
        graph.build([tmp_path / "a.txt"])
    done = hlg("eval", "synthesize", str(tmp_path / "o"), "--store", str(tmp_path / "a.lbug"))
    assert done.exit_code == 2
    assert "only 0 questions can be made out of the graph" in done.stderr
    assert not (tmp_path / "o").exists()
