"""Diversity and enhancement (HLG §4.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.lexical.tf_idf import tf_idf
from hlg.records import Passage, SourceRef
from hlg.retrieval.finish.diversity import repeated, terms
from hlg.retrieval.finish.enhance import enhanced

WORDS = st.lists(st.sampled_from(["ship", "yard", "lamp", "river", "fair", "bees"]), max_size=6)


@given(st.lists(WORDS.map(" ".join), max_size=8), st.floats(0, 1))
def test_each_dropped_text_repeats_a_better_one_that_stays(
    texts: list[str], threshold: float
) -> None:
    dropped = repeated(texts, threshold)
    assert all(kept < i and kept not in dropped for i, kept in dropped.items())
    assert 0 not in dropped


@given(st.lists(WORDS.map(" ".join), max_size=8), st.floats(0.001, 0.9))
def test_what_stays_is_what_the_paper_retains(texts: list[str], threshold: float) -> None:
    vectors = tf_idf(map(terms, texts)).dense()
    alike = vectors @ vectors.T > 1 - threshold
    retained = [i for i in range(len(texts)) if not alike[i, :i].any()]
    assert retained == [i for i in range(len(texts)) if i not in repeated(texts, threshold)]


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Revenue rose to 1,000,000 dollars.", "Revenue rose to 1 million dollars.", True),
        ("Sales grew by 5.0 %.", "sales grew by 5 percent", True),
        ("The yards built ships.", "A yard built the ship", True),
        ("Revenue rose by 5 million.", "Revenue rose by 5 billion.", False),
        ("The yard did close.", "The yard did not close.", False),
        ("The yard did close.", "The yard didn't close.", False),
        ("It opened before 1911.", "It opened after 1911.", False),
        ("The margin was -3.5.", "The margin was 3.5.", False),
    ],
)
def test_only_the_same_in_other_words_is_dropped(one: str, other: str, is_same: bool) -> None:
    assert repeated([one, other], 0.005) == ({1: 0} if is_same else {})


def passage(text: str, details: str) -> Passage:
    return Passage("Statement", "s", text, details, 0, 9, "c", "t", SourceRef("i", "u", "t"))


def test_a_number_gets_the_headers_that_it_lacks() -> None:
    found = enhanced(passage("Net sales 81,797", "Apple 10-Q; Q3 2023; in $ millions; net sales"))
    assert found.text == "Net sales 81,797 (Apple 10-Q; Q3 2023; in $ millions)"
    assert (found.start, found.end) == (0, 9)


@pytest.mark.parametrize(
    "plain", [passage("He founded it.", "Ada Thorne"), passage("It made 3 ships.", "")]
)
def test_other_statements_are_left_alone(plain: Passage) -> None:
    assert enhanced(plain) is plain
