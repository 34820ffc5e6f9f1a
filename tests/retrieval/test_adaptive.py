"""The early exit for questions that one passage answers."""

import numpy as np
import pytest

from hlg.lexical.bm25 import LexicalIndex
from hlg.retrieval.question.adaptive import MARGIN, coverage, is_single_passage
from hlg.retrieval.registry import open_retriever
from hlg.store import GraphStore
from support.worlds import QUESTION, open_context

WORDS = LexicalIndex.build(["the petrel was built in 1911", "bees", "the yard burnt"])
AHEAD = np.array([0.5 + 2 * MARGIN, 0.5, 0.1], np.float32)
BESIDE = np.array([0.5, 0.5 - MARGIN / 2, 0.1], np.float32)


@pytest.fixture(autouse=True)
def small_graphs_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlg.retrieval.question.adaptive.FEWEST_PASSAGES", 1)


def test_a_small_graph_is_always_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlg.retrieval.question.adaptive.FEWEST_PASSAGES", len(AHEAD) + 1)
    assert not is_single_passage(AHEAD, WORDS, "When was the Petrel built?")


@pytest.mark.parametrize(
    ("cosines", "question", "is_single"),
    [
        (AHEAD, "When was the Petrel built?", True),
        (AHEAD, "When was the yard of the Petrel built?", False),
        (AHEAD, "Petrel zeppelin", False),
        (AHEAD, "", False),
        (AHEAD, "?!", False),
        (AHEAD, "who", False),
        (BESIDE, "When was the Petrel built?", False),
    ],
)
def test_a_passage_that_is_ahead_and_has_all_words_answers_alone(
    cosines: np.ndarray, question: str, is_single: bool
) -> None:
    assert is_single_passage(cosines, WORDS, question) == is_single


def test_nothing_answers_nothing() -> None:
    assert not is_single_passage(np.zeros(0, np.float32), LexicalIndex.build([]), "Petrel?")


def test_coverage_is_a_share_of_rarity() -> None:
    assert coverage(WORDS, "petrel built", 0) == pytest.approx(1)
    assert 0 < coverage(WORDS, "petrel bees", 0) < 1
    assert coverage(WORDS, "petrel", 1) == 0


def test_auto_says_that_it_went_no_further(store: GraphStore) -> None:
    session = open_context(store)
    hits = open_retriever("auto", session).retrieve("Petrel built by Marrow Yard in 1911?", 3)
    assert any("plain search" in note for note in session.trace.notes)
    assert "1911" in hits[0].passage.text
    walked = open_context(store)
    options = {"adaptive": False}
    open_retriever("auto", walked, options).retrieve("Petrel built by Marrow Yard in 1911?", 3)
    open_retriever("auto", walked).retrieve(QUESTION, 3)
    assert walked.trace.notes == []
