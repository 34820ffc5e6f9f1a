"""Signals of the ranker: what is proposed, and what each candidate is told by."""

import numpy as np
import pytest
from passage_worlds import asked, harbour_world, snapshot_of

from hlg.retrieval.candidates import Scores, propose, score_all
from hlg.retrieval.composition import links
from hlg.retrieval.passages import Passages, subject
from hlg.retrieval.question import Question
from hlg.retrieval.ranker import first_pass, second_pass
from hlg.retrieval.signals import as_matrix
from hlg.strings import Strings

QUESTION = "Where was the director of the film The Amber Quay born?"


@pytest.fixture(scope="module")
def passages() -> Passages:
    return Passages.of(snapshot_of(harbour_world()))


@pytest.fixture(scope="module")
def question(passages: Passages) -> Question:
    return asked(QUESTION, passages)


@pytest.fixture(scope="module")
def scores(passages: Passages, question: Question) -> Scores:
    return score_all(passages, question)


def test_a_question_names_the_longest_entities_and_titles(
    passages: Passages, question: Question
) -> None:
    keys = [passages.snapshot.entity_keys[row] for row in question.entities]
    assert keys == ["amber quay"]
    assert [passages.snapshot.source_titles[row] for row in question.sources] == ["amber quay"]


@pytest.mark.parametrize("text", ["", "？", "誰が監督しましたか", "x " * 25_000, "the of and"])
def test_any_question_has_candidates_and_signals(text: str, passages: Passages) -> None:
    question = asked(text, passages)
    ranking = first_pass(passages, question, score_all(passages, question))
    assert np.isfinite(as_matrix(ranking.columns)[0]).all()


def test_candidates_are_the_best_of_every_search_and_what_they_link_to(
    passages: Passages, question: Question, scores: Scores
) -> None:
    rows = propose(passages, question, scores)
    assert (np.diff(rows) > 0).all()
    for values in (scores.dense, scores.statement, scores.words):
        assert values.argmax() in rows
    assert {0, 1} <= set(rows.tolist())


def test_a_director_is_linked_to_his_film_by_name_and_title(
    passages: Passages, question: Question, scores: Scores
) -> None:
    film, director, other = (np.array([row], np.int32) for row in (0, 1, 5))
    found = links(
        passages, question, scores, np.concatenate([film, director, other]), film, np.ones(1, "f4")
    )
    assert found.title[:, 0].tolist() == [0, 1, 0]
    assert found.bridge[1, 0] > 0 == found.bridge[2, 0]
    assert passages.snapshot.entity_keys[int(found.via[1, 0])] == "odile varnier"
    assert found.composed[1, 0] > found.composed[2, 0]
    assert found.shared[0, 0] == 0, "a passage is no evidence for itself"


def test_a_signal_of_a_candidate_does_not_depend_on_the_others(
    passages: Passages, question: Question, scores: Scores
) -> None:
    whole = first_pass(passages, question, scores)
    half = whole.rows[::2]
    found = links(passages, question, scores, half, whole.links.anchors, whole.links.standing)
    np.testing.assert_allclose(found.shared, whole.links.shared[::2], atol=1e-6)
    np.testing.assert_allclose(found.composed, whole.links.composed[::2], atol=1e-5)


def test_the_second_pass_knows_what_stands_above(
    passages: Passages, question: Question, scores: Scores
) -> None:
    first = first_pass(passages, question, scores)
    passed = -np.abs(first.rows.astype(np.float32))
    second = second_pass(passages, question, scores, first.rows, first.columns, passed)
    columns = second.columns
    assert columns["passed_rank"].argmin() == 0
    assert columns["set_covered"][0] == 0, "nothing stands above the first"
    assert columns["set_adds"][0] == pytest.approx(columns["coverage"][0])
    assert (np.diff(columns["set_covered"]) >= 0).all()


def test_titles_lose_what_tells_them_apart() -> None:
    assert subject("hello love (song)") == "hello love"
    assert subject("springfield, illinois") == "springfield"
    assert subject("(untitled)") == "(untitled)"


def test_a_sorted_column_finds_its_strings() -> None:
    words = sorted(["a", "été", "zoo", ""], key=str.encode)
    column = Strings.of(words)
    assert [column.find(word) for word in words] == [0, 1, 2, 3]
    assert column.find("b") == -1
