"""How sure a search is: chances that compare across questions, retrievers and graphs."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.training.confidence import area_under_curve, calibration_error, isotonic
from hlg.lexical.bm25 import LexicalIndex
from hlg.retrieval.finish.confidence import statements_alike
from hlg.retrieval.question.words import AskedWords, named_terms
from hlg.retrieval.ranker.confidence import (
    Confidence,
    SeenHits,
    hit_signals,
    rarest_held,
)
from support.passage_worlds import Told, harbour_world, snapshot_of

WORDS = LexicalIndex.build(
    [
        "Odile Varnier directed The Amber Quay",
        "The harbour of Port Lune has a lighthouse",
        "Barley is sown in spring",
    ]
)


def asked_words(text: str = "Who directed The Amber Quay?") -> AskedWords:
    return AskedWords.of(text, WORDS)


def seen(asked: AskedWords, cosines: list[float], shares: list[float]) -> SeenHits:
    """Hits that are so near to the question and have such shares of its words."""
    terms = len(asked.terms)
    held = np.arange(terms)[None] < np.round(np.array(shares) * terms)[:, None]
    near = np.array(cosines, np.float32)
    return SeenHits(near, near, held, held, (0.1, 0.12, 1000))


def test_a_hit_that_says_what_is_asked_is_surer_than_one_that_does_not() -> None:
    asked = asked_words()
    good, sure = Confidence.load().of(asked, seen(asked, [0.85, 0.2, 0.15], [1.0, 0.0, 0.0]))
    bad, unsure = Confidence.load().of(asked, seen(asked, [0.2, 0.18, 0.15], [0.0, 0.0, 0.0]))
    assert 0 <= bad < 0.3 < 0.7 < good <= 1
    assert sure[0] > sure[1]
    assert sure[0] > unsure[0]


def test_as_near_as_any_two_statements_are_is_no_answer_yet() -> None:
    asked = asked_words()
    found = seen(asked, [0.6, 0.5, 0.4], [0.5, 0.2, 0.0])
    apart, alike = (
        Confidence.load().of(asked, replace(found, alike=(usual, 0.1, 64)))[0]
        for usual in (0.4, 0.8)
    )
    assert alike < apart


def test_statements_are_compared_with_those_of_other_passages() -> None:
    world: dict[str, Told] = {
        "First": [("The Petrel was built in 1904.", []), ("The Petrel was built in 1904.", [])],
        "Second": [("Barley is sown in spring.", [])],
    }
    mean, spread, compared = statements_alike(snapshot_of(world))
    assert mean < 0.5
    assert spread < 0.1
    assert compared == 3


def test_in_a_graph_of_one_passage_there_is_nothing_to_compare() -> None:
    world: dict[str, Told] = {
        "First": [("The Petrel was built in 1904.", []), ("She was sold.", [])]
    }
    assert statements_alike(snapshot_of(world)) == (0.0, 0.0, 0)
    assert statements_alike(snapshot_of(harbour_world()))[2] > 0


def test_the_weightiest_words_may_be_held_together_and_by_no_hit_alone() -> None:
    asked = replace(asked_words("Amber Quay director"), weights=np.array([3.0, 2.0, 1.0]))
    shares = rarest_held(asked, np.array([[True, False, False], [False, True, False]]))
    assert shares["rarest_2"] == pytest.approx(1)
    assert shares["rarest_2_one"] == pytest.approx(3 / 5)
    assert shares["rarest_3"] == pytest.approx(5 / 6)


def test_a_graph_of_one_passage_has_a_chance_too() -> None:
    index = LexicalIndex.build(["Odile Varnier directed The Amber Quay"])
    asked = AskedWords.of("Who directed The Amber Quay?", index)
    held = np.ones((1, len(asked.terms)), bool)
    near = np.array([0.8], np.float32)
    chance, hits = Confidence.load().of(asked, SeenHits(near, near, held, held, (0.8, 0.0, 1)))
    assert chance > 0.5
    assert len(hits) == 1


def test_without_hits_nothing_is_there() -> None:
    asked = asked_words()
    assert Confidence.load().of(asked, seen(asked, [], [])) == (0.0, [])


def test_a_question_without_words_has_a_chance() -> None:
    asked = asked_words("???")
    chance, _ = Confidence.load().of(asked, seen(asked, [0.2], [0.0]))
    assert 0 <= chance <= 1


def test_words_that_no_passage_has_weigh_most() -> None:
    asked = asked_words("Who directed zanzibar?")
    weights = dict(zip(asked.terms, asked.weights.tolist(), strict=True))
    assert weights["zanzibar"] >= max(weights.values())
    assert not asked.known[list(asked.terms).index("zanzibar")]


def test_names_are_capitals_and_numbers() -> None:
    assert named_terms("Did Vale Ltd grow in 1997?") == {"vale", "ltd", "1997"}
    assert named_terms("what is a harbour") == set()


def test_signals_of_hits_are_finite_whatever_comes() -> None:
    asked = asked_words()
    for columns in (
        hit_signals(asked, seen(asked, [0.5], [1.0])),
        hit_signals(asked, seen(asked, [0.5] * 5, [1.0] * 5)),
    ):
        assert all(np.isfinite(column).all() for column in columns.values())


def test_an_isotonic_curve_rises_and_keeps_the_mean() -> None:
    generator = np.random.default_rng(5)
    scores = generator.standard_normal(400)
    evidence = generator.random(400) < 1 / (1 + np.exp(-2 * scores))
    points, chances = isotonic(scores, evidence, np.ones(400))
    assert (np.diff(chances) >= 0).all()
    assert (np.diff(points) > 0).all()
    fitted = np.interp(scores, points, chances)
    assert calibration_error(fitted, evidence) < 0.05


def test_the_area_under_the_curve_is_what_pairs_say() -> None:
    chances = np.array([0.1, 0.4, 0.4, 0.8])
    evidence = np.array([False, False, True, True])
    assert area_under_curve(chances, evidence) == pytest.approx((1 + 0.5 + 1 + 1) / 4)


def test_a_calibrated_forecast_has_no_error() -> None:
    chances = np.repeat([0.25, 0.75], 4)
    evidence = np.array([1, 0, 0, 0, 1, 1, 1, 0], bool)
    assert calibration_error(chances, evidence) == pytest.approx(0)
