"""How well vectors and words find what belongs together."""

import numpy as np
import pytest

from hlg.lexical.bm25 import LexicalIndex
from hlg.retrieval.arrays.found_again import MOST, MUCH_OFTENER, found_again, vector_worth

PASSAGES = 60
EACH = 4
NEVER_AGAIN = 10_000


def corpus(*, near: bool, same_words: bool) -> np.ndarray:
    """What is found in passages whose statements are near by vector, by words, both or neither."""
    generator = np.random.default_rng(5)
    owners = np.repeat(np.arange(PASSAGES), EACH).astype(np.int32)
    centres = generator.normal(size=(PASSAGES, 32))
    vectors = generator.normal(size=(len(owners), 32)) * (0.1 if near else 1.0)
    vectors += centres[owners] if near else 0
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    numbers = owners if same_words else generator.permutation(NEVER_AGAIN)[: len(owners)]
    texts = [" ".join(f"w{number}x{k}" for k in range(6)) for number in numbers.tolist()]
    embeddings = vectors.astype(np.float16)
    return found_again(texts, embeddings, LexicalIndex.build(texts), owners)


def test_each_finds_what_it_can() -> None:
    np.testing.assert_array_equal(corpus(near=True, same_words=True), [1, 1])
    by_vector, by_words = corpus(near=True, same_words=False)
    assert by_vector == 1
    assert by_words < 0.2
    by_vector, by_words = corpus(near=False, same_words=True)
    assert by_vector < 0.2
    assert by_words == 1


@pytest.mark.parametrize("passages", [0, 3])
def test_too_few_statements_tell_nothing(passages: int) -> None:
    owners = np.repeat(np.arange(passages), 2).astype(np.int32)
    texts = ["four words are enough"] * len(owners)
    embeddings = np.ones((len(owners), 4), np.float16)
    told = found_again(texts, embeddings, LexicalIndex.build(texts), owners)
    np.testing.assert_array_equal(told, [0, 0])
    assert vector_worth(told) == 1


def test_the_vector_is_worth_what_it_finds_more() -> None:
    shares = [(0.5, 0.6), (0.5, 0.5), (0.5 * (1 + MUCH_OFTENER / 2), 0.5), (0.6, 0.5)]
    worth = [vector_worth(np.array(each, np.float32)) for each in shares]
    np.testing.assert_allclose(worth, [0, 0, MOST / 2, MOST], rtol=1e-5)
