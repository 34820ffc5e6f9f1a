"""A cross-encoder of one's own: a tiny one learns a rule, and runs as int8 ONNX."""

import re
from pathlib import Path

import numpy as np
import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing
from transformers import BertConfig, BertModel
from typer.testing import CliRunner

from hlg import LexicalGraph
from hlg.cli.main import app
from hlg.errors import UsageError
from hlg.evaluation.training.reranker.export import export
from hlg.evaluation.training.reranker.measure import measured
from hlg.evaluation.training.reranker.pairs import Listed, sampled
from hlg.evaluation.training.reranker.train import (
    TrainingOptions,
    load_base,
    train_cross_encoder,
)
from hlg.models.rerankers import OnnxReranker, open_reranker

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]")
WORDS = ("who", "built", "answer", *(f"w{i}" for i in range(20)))


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An encoder of two layers with random weights."""
    folder = tmp_path_factory.mktemp("encoder")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(SPECIAL) + len(WORDS),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=32,
    )
    BertModel(config).save_pretrained(folder)
    vocabulary = {word: i for i, word in enumerate((*SPECIAL, *WORDS))}
    tokenizer = Tokenizer(WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def made_up(count: int) -> list[Listed]:
    """Questions whose evidence is the passage with the word *answer*."""
    generator = np.random.default_rng(5)
    made = []
    for number in range(count):
        words = generator.choice(WORDS[3:], (6, 5))
        relevant = np.zeros(6, bool)
        relevant[generator.integers(6)] = True
        passages = tuple(
            " ".join([*row, "answer"] if held else row)
            for row, held in zip(words.tolist(), relevant.tolist(), strict=True)
        )
        made.append(Listed("who built it", passages, relevant, number % 5 == 0))
    return made


def test_a_tiny_cross_encoder_learns_and_runs_as_onnx(base: Path, tmp_path: Path) -> None:
    listed, lines = made_up(60), []
    options = TrainingOptions(layers=1, epochs=3, negatives=4, questions=8, learning_rate=0.003)
    trained = train_cross_encoder(listed, load_base(base, 1), options, lines.append)
    assert np.mean(trained.losses[-3:]) < 0.3 < np.mean(trained.losses[:3])
    assert lines[-1].startswith("step 18 of 18: loss 0.")
    export(trained, tmp_path, {"sets": {"made up": 60}})
    ranker = open_reranker(str(tmp_path))
    assert isinstance(ranker, OnnxReranker)
    one = listed[0]
    wanted = trained.scores(one.question, one.passages)
    assert np.corrcoef(ranker.scores(one.question, one.passages), wanted)[0, 1] > 0.99
    assert ranker.scores(one.question, [one.passages[0] * 20]).shape == (1,)
    found = measured([each for each in listed if each.is_held_out], ranker)
    assert found["ours"]["nDCG@5"][0] > 0.95 > found["search"]["nDCG@5"][0]
    assert found["ours"]["nDCG@5"][1] > 0
    assert found["search"]["nDCG@5"][0] < found["both"]["nDCG@5"][0] <= 1


def test_the_halves_are_read_apart_until_training_joins_them(base: Path) -> None:
    encoder = load_base(base, 2)
    encoder.network.eval()
    alone = BertModel.from_pretrained(base).eval()
    pair = encoder.tokenizer.encode("who built it", "w1 w2 w3 w4")
    asked = [id_ for id_, half in zip(pair.ids, pair.type_ids, strict=True) if half == 0]

    def first_half() -> torch.Tensor:
        ids, halves = torch.tensor([pair.ids]), torch.tensor([pair.type_ids])
        with torch.inference_mode():
            return encoder.network._states(ids, 1 - halves, halves)[-1][0, : len(asked)]

    with torch.inference_mode():
        wanted = alone(torch.tensor([asked])).last_hidden_state[0]
        joined = first_half()
        encoder.network.between.fill_(-1e4)
    torch.testing.assert_close(first_half(), wanted)
    assert not torch.allclose(joined, wanted, atol=1e-4)


def test_a_teacher_is_followed_against_the_labels(base: Path) -> None:
    class Contrary:
        name = "contrary"

        def scores(self, query: str, texts: list[str]) -> np.ndarray:
            return np.array([0.0 if "answer" in text else 9.0 for text in texts], np.float32)

    options = TrainingOptions(layers=1, epochs=2, negatives=4, questions=8, learning_rate=0.003)
    listed = made_up(60)
    trained = train_cross_encoder(listed, load_base(base, 1), options, lambda _: None, Contrary())
    scores = trained.scores(listed[0].question, listed[0].passages)
    assert scores.argmin() == listed[0].relevant.argmax()


def test_only_what_can_be_trained_is(base: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--layers 3: the encoder in .* has 2"):
        load_base(base, 3)
    with pytest.raises(UsageError, match="no encoder to start from"):
        load_base(tmp_path, 1)
    with pytest.raises(UsageError, match="no question's evidence"):
        train_cross_encoder([], load_base(base, 2), TrainingOptions(), lambda _: None)


def test_a_sample_is_led_by_evidence() -> None:
    listed = made_up(3)[1]
    passages = sampled(listed, 3, np.random.default_rng(0))
    assert len(passages) == 4
    assert "answer" in passages[0]
    assert not any("answer" in text for text in passages[1:])


def test_a_data_set_gives_a_folder_that_ranks(
    base: Path, shipyards: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shipyards)
    command = ["tune", "reranker", "shipyards", "--out", str(tmp_path / "ours")]
    command += ["--base", str(base), "--layers", "1", "--epochs", "1", "--unseen", "shipyards"]
    ran = CliRunner().invoke(app, command)
    assert ran.exit_code == 0, ran.output
    assert "held-out questions: " in ran.output
    assert "shipyards: " in ran.output
    assert re.search(r"both +recall@5 \d\.\d+ \[[+-]\d", ran.output)
    assert "ms for 100 passages" in ran.output
    with LexicalGraph.open(".hlg/eval/shipyards.lbug", read_only=True) as graph:
        options = {"rerank": str(tmp_path / "ours")}
        hits = graph.retrieve("Who founded Elm Yard?", retriever="hybrid", options=options)
    assert all("rerank" in hit.signals for hit in hits)
