"""The recipes of benchmarks/ by which shipped models are trained: each runs on something tiny."""

import re
import shutil
import sys
from importlib import import_module, resources
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from hlg import LexicalGraph
from hlg.ingest.extract.local import frames
from hlg.ingest.extract.local.frames.reader import FrameReader, shipped
from hlg.models.rerankers import OnnxReranker
from hlg.retrieval.ranker.confidence import Confidence

if TYPE_CHECKING:
    from benchmarks.training.cross_encoder.pairs import Pool

# PyTorch takes seconds to import, and every worker collects every module: tests import it.


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    """Networks this small wait for their threads on a busy machine."""
    import torch

    torch.set_num_threads(1)


NAMED = """{%s|P} moved to {%s|L} in May.
We saw {%s|P} in {%s|L} again, and it rained.
"""


def test_the_reader_of_names_learns_marked_names_and_runs_as_onnx(tmp_path: Path) -> None:
    from benchmarks.training.frames.export import export_names
    from benchmarks.training.frames.measure_names import count_names
    from benchmarks.training.frames.names import name_examples, written
    from benchmarks.training.frames.train_names import NameOptions, train_names

    marks = tmp_path / "names.txt"
    pairs = [("Ada", "Lisbon"), ("Bela", "Oslo"), ("Tomas", "Vienna"), ("Ruth", "Porto")]
    marks.write_text("".join(NAMED % (*one, *other) for one in pairs for other in pairs))
    learned = list(name_examples(list(written(marks))))
    for name in ("states.onnx", "roles.onnx"):
        shutil.copy(resources.files(frames) / name, tmp_path)  # type: ignore[arg-type]
    network = train_names(shipped(), learned, NameOptions(epochs=4, batch=8))
    export_names(network, tmp_path)
    read = FrameReader(tmp_path).read([each.sentence for each in learned])
    (counts,) = count_names(learned, [each.names for each in read]).values()
    assert counts.marked == counts.classed == counts.right_class == 64


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder of two layers with random weights."""
    import torch
    from transformers import BertConfig, BertModel

    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(0)
    words = (
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "who",
        "built",
        "answer",
        *(f"w{i}" for i in range(20)),
    )
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    BertModel(config).save_pretrained(folder)
    vocabulary = {word: i for i, word in enumerate(words)}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def made_up(count: int) -> "list[Pool]":
    """Questions whose evidence is the passage with the word *answer*."""
    from benchmarks.training.cross_encoder.pairs import Pool

    generator = np.random.default_rng(5)
    made = []
    for number in range(count):
        words = generator.integers(20, size=(6, 5))
        relevant = np.arange(6) == generator.integers(6)
        passages = tuple(
            " ".join([*(f"w{i}" for i in row), *(["answer"] if held else [])])
            for row, held in zip(words.tolist(), relevant.tolist(), strict=True)
        )
        made.append(Pool("who built it", passages, relevant, number % 5 == 0))
    return made


def test_a_tiny_cross_encoder_learns_and_runs_as_onnx(base: Path, tmp_path: Path) -> None:
    from benchmarks.training.cross_encoder.export import export
    from benchmarks.training.cross_encoder.measure import measured
    from benchmarks.training.cross_encoder.train import (
        TrainingOptions,
        load_base,
        train_cross_encoder,
    )

    pools = made_up(60)
    options = TrainingOptions(layers=1, epochs=3, negatives=4, questions=8, learning_rate=0.003)
    trained = train_cross_encoder(pools, load_base(base, 1), options, lambda line: None)
    assert np.mean(trained.losses[-3:]) < 0.3 < np.mean(trained.losses[:3])
    export(trained, tmp_path, {"sets": {"made up": 60}})
    found = measured([each for each in pools if each.is_held_out], OnnxReranker(str(tmp_path)))
    assert found["ours"]["nDCG@5"][0] > 0.95 > found["search"]["nDCG@5"][0]


def run(monkeypatch: pytest.MonkeyPatch, folder: Path, benchmark: str, *arguments: object) -> None:
    """A benchmark's main, in a folder."""
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "argv", [benchmark, *map(str, arguments)])
    import_module(f"benchmarks.{benchmark}").main()


def test_a_data_set_gives_a_cross_encoder_that_ranks(
    base: Path,
    shipyards: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ours = tmp_path / "ours"
    run(monkeypatch, shipyards, "cross_encoder", "shipyards", "--out", ours, "--base", base,
        "--layers", 1, "--epochs", 1, "--unseen", "shipyards")  # fmt: skip
    printed = capsys.readouterr().out
    assert "held-out questions: " in printed
    assert re.search(r"both +recall@5 \d\.\d+ \[[+-]\d", printed)
    with LexicalGraph.open(".hlg/eval/shipyards.lbug", read_only=True) as graph:
        options = {"rerank": str(ours)}
        hits = graph.retrieve("Who founded Elm Yard?", retriever="hybrid", options=options)
    assert all("rerank" in hit.signals for hit in hits)


def test_confidence_is_learned_from_searches_with_and_without_evidence(
    shipyards: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shutil.copytree(shipyards / "shipyards", tmp_path / "other_yards")
    out = tmp_path / "confidence.txt"
    run(monkeypatch, shipyards, "confidence", tmp_path, "shipyards", tmp_path / "other_yards",
        "--questions", 8, "--words", 200, "--out", out)  # fmt: skip
    assert "| all |" in capsys.readouterr().out
    assert Confidence.load(out)


def test_the_thesis_weights_are_reported_with_their_figures(
    shipyards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(monkeypatch, shipyards, "learned_weights", "shipyards", "--cells", 2, "--report", tmp_path)
    report = (tmp_path / "report.md").read_text()
    for told in ("| ridge |", "| boosted | 54 |", "| mlp | 2 |", "oracle α", "target: lss"):
        assert told in report
    for figure in ("recall", "predictions", "coefficients", "shapley", "losses"):
        assert (tmp_path / f"{figure}.png").stat().st_size > 1000
