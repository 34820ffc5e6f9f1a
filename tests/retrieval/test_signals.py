"""Signals of the ranker: what is proposed, and what each candidate is told by."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.retrieval.arrays.passages import Passages, highest, subject
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.question.clauses import MOST, clauses
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.anchor_links import anchor_links, links_between
from hlg.retrieval.ranker.candidates import propose
from hlg.retrieval.ranker.scores import Scores, score_all
from hlg.retrieval.ranker.signals import (
    UNSPLIT,
    VOTERS,
    agreement_signals,
    all_signals,
    as_matrix,
    split_signals,
)
from hlg.retrieval.retrievers.page_rank import personalised_page_rank
from hlg.schema import CONCEPT_WEIGHT
from hlg.strings import Strings
from support.passage_worlds import asked, harbour_world, snapshot_of

QUESTION = "Where was the director of the film The Amber Quay born?"


@pytest.fixture(scope="module")
def passages() -> Passages:
    return Passages.of(snapshot_of(harbour_world()))


@pytest.fixture(scope="module")
def question(passages: Passages) -> MatchedQuestion:
    return asked(QUESTION, passages)


@pytest.fixture(scope="module")
def scores(passages: Passages, question: MatchedQuestion) -> Scores:
    return score_all(passages, question)


def test_a_question_names_the_longest_entities_and_titles(
    passages: Passages, question: MatchedQuestion
) -> None:
    keys = [passages.snapshot.entity_keys[row] for row in question.entities]
    assert keys == ["amber quay"]
    assert [passages.snapshot.source_titles[row] for row in question.sources] == ["amber quay"]


def test_a_walk_goes_to_what_shares_a_name_before_what_shares_a_common_noun() -> None:
    told = {
        "start": [("It lies there.", ["Port Sellow", "harbour"])],
        "noun": [("It has one.", ["harbour"])],
        "name": [("It is nearby.", ["Port Sellow"])],
    }
    snapshot = snapshot_of(told)
    starts = np.array([1.0, 0.0, 0.0])

    def reached(snapshot: Snapshot) -> list[float]:
        nowhere = np.zeros(len(snapshot.entity_keys))
        return personalised_page_rank(snapshot, starts, nowhere, 0.5).tolist()

    _, noun, name = reached(snapshot)
    assert noun == pytest.approx(name)
    harbour = snapshot.entity_keys.find("harbour")
    weights = snapshot.entity_weights.copy()
    weights[harbour] = CONCEPT_WEIGHT
    _, noun, name = reached(replace(snapshot, entity_weights=weights))
    assert 0 < noun < name / 2


@pytest.mark.parametrize("text", ["", "？", "誰が監督しましたか", "x " * 25_000, "the of and"])
def test_any_question_has_candidates_and_signals(text: str, passages: Passages) -> None:
    question = asked(text, passages)
    scores = score_all(passages, question)
    rows = propose(scores)
    links = anchor_links(scores, rows)
    columns = all_signals(scores, rows, links)
    assert np.isfinite(as_matrix(columns)[0]).all()


def test_candidates_are_the_best_of_every_search_and_what_they_link_to(
    passages: Passages, question: MatchedQuestion, scores: Scores
) -> None:
    rows = propose(scores)
    assert (np.diff(rows) > 0).all()
    for values in (scores.dense, scores.statement, scores.words):
        assert values.argmax() in rows
    assert {0, 1} <= set(rows.tolist())


def test_a_director_is_linked_to_his_film_by_name_and_title(
    passages: Passages, question: MatchedQuestion, scores: Scores
) -> None:
    film, director, other = (np.array([row], np.int32) for row in (0, 1, 5))
    rows = np.concatenate([film, director, other])
    found = links_between(scores, rows, film, np.ones(1, "f4"))
    assert found.title[:, 0].tolist() == [0, 1, 0]
    assert found.bridge[1, 0] > 0 == found.bridge[2, 0]
    assert passages.snapshot.entity_keys[int(found.via[1, 0])] == "odile varnier"
    assert found.composed[1, 0] > found.composed[2, 0]
    assert found.shared[0, 0] == 0, "a passage is no evidence for itself"


def test_a_signal_of_a_candidate_does_not_depend_on_the_others(
    passages: Passages, question: MatchedQuestion, scores: Scores
) -> None:
    rows = propose(scores)
    whole = anchor_links(scores, rows)
    half = links_between(scores, rows[::2], whole.anchors, whole.standing)
    np.testing.assert_allclose(half.shared, whole.shared[::2], atol=1e-6)
    np.testing.assert_allclose(half.composed, whole.composed[::2], atol=1e-5)


def test_clauses_find_what_the_whole_question_is_far_from(passages: Passages) -> None:
    asking = asked(
        "Who grew up over a bakery, and where was the first chess congress held?", passages
    )
    scores = score_all(passages, asking)
    director = 1
    assert scores.by_clause.shape == (len(asking.clauses), len(passages.snapshot.chunk_ids))
    assert scores.clause_statement.argmax() == director
    np.testing.assert_array_equal(
        scores.by_clause.max(0), np.maximum(scores.clause, scores.clause_statement)
    )


def test_statements_of_chunks_are_found_and_judged_together(passages: Passages) -> None:
    chunks = np.array([3, 0, 1])
    places, bounds = passages.places_of(chunks)
    slots = [passages.statement_slots(int(chunk)) for chunk in chunks]
    expected = np.concatenate([np.arange(slot.start, slot.stop) for slot in slots])
    np.testing.assert_array_equal(places, expected)
    np.testing.assert_array_equal(np.diff(bounds), [slot.stop - slot.start for slot in slots])
    nothing, none = passages.places_of(chunks[:0])
    assert len(nothing) == 0
    assert none.tolist() == [0]


def test_the_highest_of_each_run_is_nought_where_a_run_is_empty() -> None:
    values = np.array([[1, -4], [3, -2], [-5, 0]], np.float32)
    found = highest(values, np.array([0, 2, 2, 3]))
    assert found.tolist() == [[3, -2], [0, 0], [-5, 0]]
    assert highest(values[:0], np.array([0])).shape == (0, 2)


def test_passages_with_one_score_share_a_rank(scores: Scores) -> None:
    rows = np.arange(len(scores.dense))
    ranks = scores.ranks("words", rows)
    assert ranks.min() == 0
    for row in rows.tolist():
        assert ranks[row] == (scores.words > scores.words[row]).sum()


def test_two_passages_split_a_question_whose_clauses_have_nothing_in_common(
    passages: Passages,
) -> None:
    asking = asked("Where was the director of the film that is a 1961 drama born?", passages)
    assert asking.disjoint_clauses.any()
    np.testing.assert_array_equal(asking.disjoint_clauses, asking.disjoint_clauses.T)
    assert not asking.disjoint_clauses.diagonal().any()
    scores = score_all(passages, asking)
    rows, film = np.array([0, 1, 5], np.int32), np.array([0], np.int32)
    found = links_between(scores, rows, film, np.ones(1, "f4"))
    columns = split_signals(scores, rows, found)
    assert columns["near_split"][1] > columns["near_split"][2], "the director is linked"
    assert columns["near_split"][0] == columns["near_split_any"][0] == UNSPLIT, "not with itself"


def test_a_beam_leaves_its_seeds_for_what_they_share_entities_with(
    passages: Passages, question: MatchedQuestion, scores: Scores
) -> None:
    assert (scores.beam >= scores.beam_deep).all()
    assert (scores.beam > 0).sum() >= 2
    np.testing.assert_array_equal(scores.beam_depth > 0, scores.beam_deep > 0)


def test_searches_that_agree_say_so(
    passages: Passages, question: MatchedQuestion, scores: Scores
) -> None:
    rows = np.arange(len(passages.snapshot.chunk_ids), dtype=np.int32)
    columns = agreement_signals(scores, rows)
    assert columns["votes_first"].sum() == len(VOTERS)
    assert columns["votes_first"].argmax() == columns["mean_rank"].argmin() == 0
    assert set(columns["leaders"].tolist()) <= {1.0, 2.0, 3.0, 4.0}


@pytest.mark.parametrize("text", ["", "?", "a", "Petrel", "où est la bibliothèque", "東京 は どこ"])
def test_a_question_without_clauses_is_its_own(text: str, passages: Passages) -> None:
    assert clauses(text) == []
    asking = asked(text or "?", passages)
    assert len(asking.clauses) == 1
    np.testing.assert_array_equal(asking.clauses[0], asking.embedding)


def test_a_long_question_has_few_clauses() -> None:
    long = "Who led the firm that the town of Oake gave to the son of the baker? " * 900
    assert len(clauses(long)) == MOST


def test_titles_lose_what_tells_them_apart() -> None:
    assert subject("hello love (song") == subject("hello love (song)") == "hello love"
    assert subject("springfield, illinois") == "springfield"
    assert subject("(untitled)") == "(untitled)"


@given(st.lists(st.text("ab é", max_size=4), unique=True), st.text("ab é", max_size=3))
def test_the_strings_with_a_prefix_stand_together(words: list[str], prefix: str) -> None:
    column = Strings.of(sorted(words, key=str.encode))
    low, high = column.starting_with(prefix)
    assert column.find("zoo") == -1
    expected = [i for i in range(len(column)) if column[i].startswith(prefix)]
    assert list(range(low, high)) == expected
    for row in range(len(column)):
        within = (low, high)
        assert column.find(column[row], within) == (row if row in expected else -1)
