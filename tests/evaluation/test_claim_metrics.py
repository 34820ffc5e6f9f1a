"""RAGChecker's metrics and agreement, against values worked out by hand and laws."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hlg.evaluation.judging.judges import RAG_CHECKER
from hlg.evaluation.metrics.claims import ClaimChecks, cohen_kappa, rag_checker_metrics


def checks(
    right: list[int], said: list[int], right_in: list[list[int]], said_in: list[list[int]]
) -> ClaimChecks:
    return ClaimChecks(*(np.array(each, bool) for each in (right, said, right_in, said_in)))


def test_a_case_worked_out_by_hand() -> None:
    """Three right claims, four said ones, three passages; the third bears out no right claim."""
    found = rag_checker_metrics(
        checks(
            right=[1, 0, 0],
            said=[1, 0, 0, 0],
            right_in=[[1, 0, 0], [0, 1, 0], [0, 0, 0]],
            said_in=[[1, 0, 0], [0, 1, 1], [0, 0, 1], [0, 0, 0]],
        )
    )
    assert tuple(found) == RAG_CHECKER
    assert found == pytest.approx(
        {
            "precision": 1 / 4,
            "recall": 1 / 3,
            "F1": 2 / 7,
            "claim recall": 2 / 3,
            "context precision": 2 / 3,
            "context utilization": 1 / 2,
            "faithfulness": 3 / 4,
            "noise, relevant": 1 / 4,
            "noise, irrelevant": 1 / 4,
            "hallucination": 1 / 4,
            "self-knowledge": 0,
        }
    )


def test_an_answer_that_claims_nothing_has_no_precision_and_an_f1_of_zero() -> None:
    found = rag_checker_metrics(
        ClaimChecks(
            np.zeros(2, bool), np.zeros(0, bool), np.zeros((2, 0)) > 0, np.zeros((0, 0)) > 0
        )
    )
    assert found == {"recall": 0, "F1": 0, "claim recall": 0}


@given(st.data(), st.integers(1, 5), st.integers(1, 5), st.integers(1, 4))
def test_wrong_claims_are_noise_or_hallucination(
    data: st.DataObject, right: int, said: int, passages: int
) -> None:
    found = rag_checker_metrics(
        ClaimChecks(
            *(
                data.draw(arrays(bool, shape))
                for shape in (right, said, (right, passages), (said, passages))
            )
        )
    )
    assert all(0 <= value <= 1 for value in found.values())
    wrong = found["noise, relevant"] + found["noise, irrelevant"] + found["hallucination"]
    assert wrong == pytest.approx(1 - found["precision"])
    backed = found["hallucination"] + found["self-knowledge"]
    assert found["faithfulness"] == pytest.approx(1 - backed)


def test_kappa() -> None:
    person = [True] * 25 + [False] * 25
    judge = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    assert cohen_kappa(person, judge) == pytest.approx(0.4)
    assert cohen_kappa(person, person) == 1
    assert math.isnan(cohen_kappa([True], [True]))
    assert math.isnan(cohen_kappa([], []))
