"""The default embedder: pinned weights, exact tokens, and vectors that depend on nothing else."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlg.errors import ModelError
from hlg.models.embedders import open_embedder
from hlg.models.onnx_embedder import MINILM_PACKAGE, MiniLmEmbedder, equal_length_batches
from hlg.models.weights import package_folder, verified
from hlg.models.wordpiece import VOCABULARY, count_tokens, token_ids, wordpiece_tokenizer
from support.texts import article

EMBEDDER = open_embedder()
HOSTILE = ["", " ", "\x00", "\ud800", "a\udfffb\x00c", "x" * 200_000, "😀" * 600, "\n" * 50]


def sentences(count: int) -> list[str]:
    """Sentences of very different lengths."""
    words = article(1)["text"].split()
    rng = random.Random(0)
    return [" ".join(rng.choices(words, k=rng.randint(1, 60))) for _ in range(count)]


def test_the_default_embedder_has_one_name_and_one_instance() -> None:
    assert EMBEDDER.name == "all-MiniLM-L6-v2-int8@1.0.0"
    assert open_embedder("minilm-int8") is EMBEDDER
    assert open_embedder(EMBEDDER.name).name == EMBEDDER.name


def test_embeddings_are_float32_of_unit_length_in_order() -> None:
    texts = sentences(40)
    embeddings = EMBEDDER.embed(texts)
    assert embeddings.dtype == np.float32
    assert embeddings.shape == (40, 384)
    np.testing.assert_allclose(np.linalg.norm(embeddings, axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(EMBEDDER.embed(texts[::-1]), embeddings[::-1])
    assert EMBEDDER.embed([]).shape == (0, 384)


def test_a_text_has_the_same_bits_alone_and_in_any_company() -> None:
    texts = sentences(60)
    together = EMBEDDER.embed(texts)
    alone = np.concatenate([EMBEDDER.embed([text]) for text in texts])
    np.testing.assert_array_equal(together, alone)
    words = ("cat", "dog", "man", "horse", "king", "queen", "bird", "fish")
    of_one_length = [f"the {word} ran" for word in words]
    crowd = EMBEDDER.embed(of_one_length * 20)
    np.testing.assert_array_equal(crowd[:8], crowd[-8:])
    np.testing.assert_array_equal(crowd[:1], EMBEDDER.embed(of_one_length[:1]))


def test_threads_change_no_bit() -> None:
    texts = sentences(30)
    np.testing.assert_array_equal(
        MiniLmEmbedder(threads=1).embed(texts), MiniLmEmbedder(threads=3).embed(texts)
    )


def test_similar_texts_are_closer_than_others() -> None:
    question, near, far = EMBEDDER.embed(
        ["Who founded the company?", "The firm's founder was Ada Thorne.", "Bananas are yellow."]
    )
    assert question @ near > 0.3 > question @ far


def test_spans_are_read_where_they_stand() -> None:
    text = "Café Zoë was founded by Ada Thorne — 😀 — who had sold bananas."
    cut = text.index("who")
    vectors = EMBEDDER.embed_spans(text, [(0, cut), (cut, len(text)), (0, len(text))])
    np.testing.assert_array_equal(vectors[:1], EMBEDDER.embed([text]))
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    _, first, second, whole = vectors @ EMBEDDER.embed(["Bananas were sold."])[0]
    assert first < whole < second
    np.testing.assert_array_equal(EMBEDDER.embed_spans(text, []), vectors[:1])


def test_a_span_without_tokens_has_the_vector_of_its_text() -> None:
    text = "word " * 600
    none, beyond, split = ((3, 3), (len(text) - 9, len(text)), (1, 3))
    vectors = EMBEDDER.embed_spans(text, [none, beyond, split])
    np.testing.assert_array_equal(vectors, vectors[[0] * 4])


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_any_text_gets_a_finite_vector_and_a_count(text: str) -> None:
    (embedding,) = EMBEDDER.embed([text])
    assert np.isclose(np.linalg.norm(embedding), 1)
    assert EMBEDDER.count_tokens(text) >= 0
    spans = EMBEDDER.embed_spans(text, [(0, len(text)), (0, 1)])
    np.testing.assert_allclose(np.linalg.norm(spans, axis=1), 1, atol=1e-6)


def test_only_the_first_512_tokens_count() -> None:
    text = "word " * 510
    np.testing.assert_array_equal(EMBEDDER.embed([text]), EMBEDDER.embed([text + "other " * 9000]))
    assert [len(ids) for ids in token_ids([text + "other"], 512)] == [512]


def test_tokens_are_those_of_bert_uncased() -> None:
    tokens = wordpiece_tokenizer().encode("Ångström's unaffable\x00 co-founder, 北京 [SEP]").tokens
    assert " ".join(tokens) == (
        "[CLS] ang ##strom ' s una ##ffa ##ble co - founder , 北 京 [SEP] [SEP]"
    )
    assert wordpiece_tokenizer().get_vocab_size() == 30_522


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=30), max_size=8))
def test_counting_by_words_is_counting_at_once(words: list[str]) -> None:
    text = " ".join(words)
    whole = wordpiece_tokenizer().encode(text, add_special_tokens=False)
    assert count_tokens(text) == len(whole.ids)


def test_a_long_text_is_counted_exactly() -> None:
    assert count_tokens("one two-three " * 50_000) == 200_000


@given(st.lists(st.integers(1, 40)), st.integers(1, 60))
def test_batches_are_of_one_length_within_the_budget_and_complete(
    lengths: list[int], budget: int
) -> None:
    batches = list(equal_length_batches(lengths, budget))
    assert sorted(position for batch in batches for position in batch) == [*range(len(lengths))]
    for batch in batches:
        (length,) = {lengths[position] for position in batch}
        assert len(batch) == 1 or len(batch) * length <= budget


def test_a_damaged_or_missing_file_is_named_with_the_way_out(tmp_path: Path) -> None:
    file = tmp_path / "model.onnx"
    with pytest.raises(ModelError, match=r"model\.onnx can't be read .*: reinstall it"):
        verified(file, "00", "reinstall it")
    file.write_bytes(b"not the weights")
    with pytest.raises(ModelError, match=r"damaged or of another version .*: reinstall it"):
        verified(file, "00", "reinstall it")
    with pytest.raises(ModelError, match="package no_such_model is not installed: reinstall it"):
        package_folder("no_such_model", "reinstall it")


def test_the_weights_and_the_vocabulary_are_where_the_packages_put_them() -> None:
    assert (package_folder(MINILM_PACKAGE, "") / "model.onnx").is_file()
    assert VOCABULARY.is_file()


def test_a_missing_package_is_named_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(ModelError, match=r"'some/model' can't be loaded .*install .*\[torch\]'`"):
        open_embedder("some/model")
