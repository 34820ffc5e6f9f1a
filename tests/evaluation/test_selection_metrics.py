"""What a model made of what it was given, worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.positions import (
    MODEL,
    RANKS,
    TOKENS,
    Given,
    ModelRun,
    cost_metrics,
    hits_by_bin,
    places,
    selection_metrics,
)

QUESTIONS = (
    Question("q1", "One?", gold=("a", "b"), grades=(1, 1)),
    Question("q2", "Two?", gold=("c",), grades=(1,)),
    Question("q3", "Nothing?"),
)
RUNS = (
    ModelRun(
        "q1",
        ("x", "a"),
        (Given(("x",), 50), Given(("a",), 30), Given(("b", "x"), 20, by_graph=True)),
        {MODEL: 3, "search": 2},
        900,
        100,
        2.5,
        0.01,
    ),
    ModelRun("q2", (), (Given(("c",), 10),), {MODEL: 1}, 40, 10, 0.5),
    ModelRun("q3", ("x",)),
)


def test_what_was_selected_is_measured_as_a_ranking_is() -> None:
    found = selection_metrics(QUESTIONS, RUNS)
    assert found["hits@1"].tolist()[:2] == [0, 0]
    assert found["hits@5"].tolist()[:2] == [1, 0]
    assert found["recall@20"].tolist()[:2] == [0.5, 0]
    assert found["mrr@100"].tolist()[:2] == [0.5, 0]
    assert found["documents"].tolist()[:2] == [0.5, 1]
    assert found["graph"].tolist()[:2] == [0.5, 0]
    assert found["both"].tolist()[:2] == [1, 1]
    assert found["answer"].tolist()[:2] == [0.5, 0]
    assert all(np.isnan(column[2]) for column in found.values())


def test_calls_tokens_and_money_are_told_by_question() -> None:
    found = cost_metrics(RUNS)
    assert [column.tolist()[0] for column in found.values()] == [3, 2, 1000, 2.5, 0.01]


def test_evidence_stands_where_it_is_met_first() -> None:
    (a, b) = places(QUESTIONS[0].gold, RUNS[0])
    assert (a.rank, a.tokens, a.share, a.in_documents, a.is_extracted) == (2, 50, 0.5, True, True)
    assert (b.rank, b.tokens, b.share, b.in_documents, b.is_extracted) == (3, 80, 0.8, False, False)
    hits = hits_by_bin([a, b])
    assert [hits[name] for name in RANKS[:3]] == [(0, 0), (1, 0), (0, 1)]
    assert (hits[TOKENS[5]], hits[TOKENS[8]]) == ((1, 0), (0, 1))
    assert places(("nowhere",), RUNS[0]) == []


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 50)), max_size=80))
def test_every_place_is_in_one_bin_of_each_kind(pieces: list[tuple[str, int]]) -> None:
    run = ModelRun("q", ("a", "b"), tuple(Given((name,), tokens) for name, tokens in pieces))
    found = places("abcdef", run)
    hits = hits_by_bin(found)
    for names in (RANKS, TOKENS):
        counts = [hits[name] for name in names]
        assert sum(right for right, _ in counts) == sum(each.is_extracted for each in found)
        assert sum(map(sum, counts)) == len(found) == len({name for name, _ in pieces})


def test_ranks_without_an_end_are_the_last_bin() -> None:
    run = ModelRun("q", (), tuple(Given((str(each),), 1) for each in range(60)))
    assert hits_by_bin(places(("59",), run))[RANKS[-1]] == (0, 1)
    assert places(("59",), run)[0].share == pytest.approx(59 / 60)
