"""Reranking by models, by LlamaIndex, and by the learned ranker."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper, save_model
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

from hlg.errors import ModelError
from hlg.models.rerankers import OnnxReranker, open_reranker
from hlg.retrieval.base import Candidate, SearchSession, Step
from hlg.retrieval.finish.rerank import rerank
from hlg.retrieval.registry import open_retriever
from hlg.retrieval.texts import behind_path
from hlg.store import GraphStore
from support.worlds import QUESTION, open_context

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "bees", "Edith", "Vale", "kept", "petrel", "the")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cross-encoder that counts the word ``bees`` in question and text."""
    folder = tmp_path_factory.mktemp("bees")
    tokenizer = Tokenizer(WordLevel({word: i for i, word in enumerate(WORDS)}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    save_bees(folder / "model.onnx", classes=1)
    return folder


def save_bees(path: Path, classes: int) -> None:
    """Logits of shape (texts, classes): the last class counts the word, the first is 0."""
    word = np.array(WORDS.index("bees"), np.int64)
    spread = np.zeros((1, classes), np.float32)
    spread[0, -1] = 1
    nodes = [
        helper.make_node("Equal", ["input_ids", "word"], ["found"]),
        helper.make_node("Cast", ["found"], ["numbers"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["numbers", "axis"], ["count"], keepdims=1),
        helper.make_node("MatMul", ["count", "spread"], ["logits"]),
    ]
    graph = helper.make_graph(
        nodes,
        "bees",
        [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["texts", "tokens"])],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["texts", classes])],
        [
            numpy_helper.from_array(word, "word"),
            numpy_helper.from_array(np.array([1], np.int64), "axis"),
            numpy_helper.from_array(spread, "spread"),
        ],
    )
    opset = helper.make_opsetid("", 17)
    save_model(helper.make_model(graph, opset_imports=[opset], ir_version=9), str(path))


def test_an_onnx_folder_scores_pairs(folder: Path) -> None:
    reranker = open_reranker(str(folder))
    assert isinstance(reranker, OnnxReranker)
    texts = ["bees bees", "Edith Vale", "kept bees \ud800", *["the"] * 40]
    scores = reranker.scores("petrel and bees", texts)
    assert scores.dtype == np.float32
    assert scores.tolist() == [3, 1, 2, *[1] * 40]
    assert reranker.scores("bees", []).shape == (0,)
    assert open_reranker(str(folder)) is reranker


def test_two_classes_score_by_their_difference(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "onnx").mkdir()
    (tmp_path / "tokenizer.json").write_bytes((folder / "tokenizer.json").read_bytes())
    save_bees(tmp_path / "onnx" / "model.onnx", classes=2)
    assert open_reranker(str(tmp_path)).scores("the", ["bees", "the"]).tolist() == [1, 0]


def test_a_damaged_folder_names_the_ways_out(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelError, match=r"can't be loaded .*\[torch\].*ONNX.*`none`") as caught:
        open_reranker(str(tmp_path))
    assert "\n" not in str(caught.value)


@pytest.fixture
def session(store: GraphStore) -> SearchSession:
    return open_context(store)


@pytest.mark.parametrize(
    "name", ["chunks", "statements", "topics", "statement-graph", "topic-graph", "entity-link"]
)
def test_a_model_reranks_every_search(session: SearchSession, folder: Path, name: str) -> None:
    hits = open_retriever(name, session, {"rerank": str(folder)}).retrieve("Edith Vale?", 20)
    assert "bees" in hits[0].passage.text
    assert hits[0].score == hits[0].signals["rerank"] == 1
    assert session.trace.timings_ms["rerank"] > 0


class Longest:
    """A reranker made by a user of hlg."""

    name = "longest"

    def scores(self, query: str, texts: list[str]) -> NDArray[np.float32]:
        return np.array([len(text) for text in texts], np.float32)


def test_a_reranker_of_ones_own_is_an_option(session: SearchSession) -> None:
    hits = open_retriever("chunks", session, {"rerank": Longest()}).retrieve(QUESTION, 20)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert hits[0].score > 50


def test_a_passage_is_judged_behind_the_statements_that_led_to_it() -> None:
    def statement(id_: str) -> Step:
        return Step("Statement", id_)

    texts = {
        "s1": "Edith kept bees.",
        "s2": "Bees fly.",
        "c1": "The petrel. Bees fly.",
        "c2": "No.",
    }
    led = Candidate("Chunk", "c1", 1.0, {}, (statement("s1"), statement("s2"), Step("Chunk", "c1")))
    recorded: list[str] = []

    class Recording:
        name = "recording"

        def scores(self, query: str, passages: Sequence[str]) -> NDArray[np.float32]:
            recorded.extend(passages)
            return np.arange(len(passages), dtype=np.float32)

    ranked = rerank(Recording(), "Who?", [led, Candidate("Chunk", "c2", 0.5)], texts)
    assert recorded == ["Edith kept bees.\nThe petrel. Bees fly.", "No."]
    assert [each.id for each in ranked] == ["c2", "c1"]
    halves = rerank(Recording(), "Who?", [led, Candidate("Chunk", "c2", 0.5)], texts, share=0.4)
    assert [(each.id, round(each.score, 3)) for each in halves] == [("c1", 0.2), ("c2", -0.2)]
    assert behind_path("Z.", ["A.", "B.", "C.", "B."]) == "B.\nC.\nZ."


def test_the_learned_ranker_reranks(session: SearchSession) -> None:
    by_path = open_retriever("statements", session, {"rerank": "path"}).retrieve(QUESTION, 20)
    plain = open_retriever("statements", session, {"rerank": "none"}).retrieve(QUESTION, 20)
    assert {hit.passage.id for hit in by_path} == {hit.passage.id for hit in plain}
    assert all("ranker" in hit.signals for hit in by_path)
    chunks = open_retriever("chunks-rerank", session).retrieve(QUESTION, 3)
    assert all("ranker" in hit.signals for hit in chunks)


def test_a_model_that_cannot_be_loaded_is_no_silent_fallback(session: SearchSession) -> None:
    with pytest.raises(ModelError, match="no/such-model"):
        open_retriever("chunks", session, {"rerank": "no/such-model"}).retrieve(QUESTION, 3)
