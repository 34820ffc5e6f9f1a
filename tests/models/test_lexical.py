"""BM25: its rankings equal the reference, it finds every script, and it comes back from disk."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi
from sklearn.feature_extraction.text import TfidfVectorizer

from hlg.arrays import arrays_of, record_of
from hlg.lexical.analysis import analyze
from hlg.lexical.bm25 import LexicalIndex
from hlg.lexical.tf_idf import tf_idf

WORDS = [
    "river",
    "bridge",
    "stone",
    "miller",
    "harbour",
    "lamp",
    "clock",
    "garden",
    "winter",
    "oak",
]
FILLERS = [f"filler{i}" for i in range(40)]

corpora = st.lists(
    st.lists(st.sampled_from(WORDS + FILLERS), min_size=1, max_size=12), min_size=5, max_size=25
)


@settings(deadline=None)
@given(corpora, st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
def test_rankings_equal_rank_bm25_for_words_of_less_than_half_of_the_texts(
    corpus: list[list[str]], query: list[str]
) -> None:
    query = [word for word in query if sum(word in text for text in corpus) * 2 < len(corpus)]
    index = LexicalIndex.build([" ".join(text) for text in corpus])
    reference = BM25Okapi([analyze(" ".join(text)) for text in corpus])
    expected = reference.get_scores(analyze(" ".join(query)))
    # the same up to Okapi's constant factor k1 + 1, which moves no rank
    np.testing.assert_allclose(2.5 * index.scores(analyze(" ".join(query))), expected, rtol=1e-4)
    rows, scores = index.search(" ".join(query), len(corpus))
    assert list(rows) == sorted(rows, key=lambda row: (-scores[list(rows).index(row)], row))
    assert set(rows) == set(np.flatnonzero(expected > 0))


def test_a_word_of_every_text_still_finds_them() -> None:
    rows, scores = LexicalIndex.build(["the mill", "a mill by the river"]).search("mill", 5)
    assert list(rows) == [0, 1]
    assert (scores > 0).all()


def test_words_match_by_stem_without_case_accents_and_stop_words() -> None:
    assert analyze("The Directors of Pál GÁBOR's film_reels") == analyze(
        "director pal gabor film reel"
    )


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("學校風雲 是電影", "風雲"),
        ("Война и мир", "война"),
        ("東京タワーの高さ", "タワー"),
        ("כלב", "כלב"),
    ],
)
def test_other_scripts_are_found(text: str, query: str) -> None:
    assert list(LexicalIndex.build(["nothing here", text]).search(query, 3)[0]) == [1]


@pytest.mark.parametrize("texts", [[], [""], ["the of"]])
def test_nothing_to_find_gives_nothing(texts: list[str]) -> None:
    index = record_of(LexicalIndex, arrays_of(LexicalIndex.build(texts)))
    assert index.size == len(texts)
    assert len(index.search("river", 3)[0]) == 0
    assert index.weights(["river"], np.arange(len(texts))).sum() == 0


def test_unknown_words_score_nothing() -> None:
    index = LexicalIndex.build(["river", "stone"])
    assert len(index.search("zebra \x00 ?!", 3)[0]) == 0
    assert list(index.idf(["zebra"])) == [0]


def test_weights_add_up_to_scores() -> None:
    index = LexicalIndex.build(["river bridge", "river river stone", "lamp", "oak clock", "winter"])
    terms = index.terms("river stone zebra")
    rows = np.array([2, 1, 0])
    np.testing.assert_allclose(index.weights(terms, rows).sum(1), index.scores(terms)[rows])


def test_an_index_of_its_arrays_answers_the_same() -> None:
    index = LexicalIndex.build(["river bridge", "river stone", "lamp \ud800", "oak", "clock"])
    again = record_of(LexicalIndex, arrays_of(index))
    for query in ("river stone", "lamp"):
        for mine, theirs in zip(index.search(query, 5), again.search(query, 5), strict=True):
            np.testing.assert_array_equal(mine, theirs)


@given(
    st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=8),
    st.integers(1, 2),
    st.integers(2, 8),
)
def test_tf_idf_is_that_of_scikit_learn(texts: list[list[str]], least: int, most: int) -> None:
    reference = TfidfVectorizer(analyzer=list, min_df=least, max_df=most)
    try:
        theirs = reference.fit_transform(texts).toarray()
    except ValueError:  # no term is left
        assert not len(tf_idf(texts, min_texts=least, max_texts=most).vocabulary)
        return
    ours = tf_idf(texts, min_texts=least, max_texts=most)
    assert [
        ours.vocabulary[i] for i in range(len(ours.vocabulary))
    ] == reference.get_feature_names_out().tolist()
    np.testing.assert_allclose(ours.term_idf, reference.idf_, rtol=1e-6)
    np.testing.assert_allclose(ours.dense(), theirs, atol=1e-6)


def test_the_most_frequent_terms_are_kept() -> None:
    found = tf_idf([["oak", "lamp"], ["oak", "clock"]], max_terms=2)
    assert [found.vocabulary[i] for i in (0, 1)] == ["clock", "oak"]
