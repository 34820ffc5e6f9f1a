"""``hlg tune reader``: from questions with answers to a reader that ``hlg ask`` reads by."""

import json
from pathlib import Path

import numpy as np
import pytest

from hlg.errors import UsageError
from hlg.evaluation.training.reader import Labelled, is_held_out, train_reader
from hlg.retrieval.answers.reader import Reader, load_reader
from hlg.retrieval.answers.signals import SIGNALS
from support.command_line import done, ran, refused
from support.datasets import write_dataset

FIRST = ("Edith", "Bela", "Ingrid", "Jonas", "Lotte", "Henrike")
LAST = ("Vale", "Kovacs", "Vass", "Amsel")
PLACES = ("Oake", "Marrow", "Tarn", "Skerry")
ENDINGS = ("holm", "ness", "wick", "by", "sund", "vik")
YARDS = {
    f"{place}{ending} Yard": (f"{first} {last}", 1888 + 4 * i + j)
    for i, (first, ending) in enumerate(zip(FIRST, ENDINGS, strict=True))
    for j, (last, place) in enumerate(zip(LAST, PLACES, strict=True))
}


QUESTION = "Who founded Oakeholm Yard?"


def write(folder: Path, *, with_answers: bool) -> None:
    corpus, queries = [], []
    for number, (yard, (founder, year)) in enumerate(YARDS.items()):
        text = f"{yard} was founded by {founder} in {year}. The yard built mail steamers."
        corpus.append({"_id": f"d{number}", "title": yard, "text": text})
        question = {"_id": f"q{number}", "text": f"Who founded {yard}?", "gold": [f"d{number}"]}
        queries.append(question | ({"answer": founder} if with_answers else {}))
    write_dataset(folder, corpus=corpus, queries=queries)


def test_a_reader_is_trained_kept_and_read_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "yards", with_answers=True)
    store = ".hlg/eval/yards.lbug"
    beside = Path(f"{store}.reader.txt")
    shown = ran("tune", "reader", "yards", "--out", str(beside))
    learned = sum(not is_held_out(f"q{number}") for number in range(len(YARDS)))
    assert 0 < learned < len(YARDS)
    assert f"trained on {learned} questions of yards" in shown.stdout
    assert f"written: {beside}" in shown.stdout
    provenance = json.loads(beside.read_text())["provenance"]
    assert provenance["sets"] == {"yards": learned}
    assert Reader.load(beside).trees.signals
    assert done("ask", QUESTION, "--store", store)["lead"] == "Edith Vale"
    # It is that one which reads: where it can't be read, that is said.
    beside.write_text("{}")
    load_reader.cache_clear()
    line = refused("ask", QUESTION, "--store", store, code=4)
    assert "yards.lbug.reader.txt can't be used" in line
    assert line.endswith("train it again, or remove it")


def test_without_an_answer_nothing_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "yards", with_answers=False)
    line = refused("tune", "reader", "yards", "--out", "r.txt")
    assert line.startswith("hlg: no question of these data sets has an answer")
    assert not Path(".hlg").exists()


def test_too_few_questions_teach_nothing() -> None:
    labels = np.array([3, 0], np.int32)
    reading = Labelled(np.zeros((2, len(SIGNALS)), np.float32), labels)
    with pytest.raises(UsageError, match="too few questions to learn from: 1"):
        train_reader([reading], {})
