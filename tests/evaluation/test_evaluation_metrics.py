"""Measures of rankings and evidence keep the laws that their definitions state."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.evaluation.data.questions import Span
from hlg.evaluation.metrics import bootstrap
from hlg.evaluation.metrics.assess import RetrievedSpan, evidence_recall
from hlg.evaluation.metrics.ranking import (
    RANKING_MEASURES,
    multihop_rag_metrics,
    ranking_metrics,
)
from hlg.evaluation.metrics.thesis import (
    chunk_metrics,
    coverage,
    gold_span_metrics,
    longest_common_subsequence,
    overlap,
)

CUTOFFS = (1, 2, 3, 5, 10)
ids = st.text(alphabet="abcdef\0\ud800 ", min_size=1, max_size=3)
golds = st.dictionaries(ids, st.integers(1, 3), min_size=1, max_size=5)
rankings = st.lists(ids, unique=True, max_size=12)
words = st.lists(st.sampled_from(["one", "two", "three", "four", "five"]), max_size=12)
spans = st.builds(
    lambda document, start, length: Span(document, start, start + length),
    st.sampled_from(["d1", "d2"]),
    st.integers(0, 50),
    st.integers(1, 30),
)


def of_one(gold: dict[str, int], ranking: Sequence[str]) -> dict[str, float]:
    values = ranking_metrics([gold], [ranking], CUTOFFS)
    return {name: float(column[0]) for name, column in values.items()}


@given(golds, rankings)
def test_ranking_measures_are_bounded_and_agree_with_their_definitions(
    gold: dict[str, int], ranking: list[str]
) -> None:
    values = of_one(gold, ranking)
    assert values.keys() == {f"{name}@{k}" for name in RANKING_MEASURES for k in CUTOFFS}
    assert all(0 <= value <= 1 + 1e-9 for value in values.values())
    for k in CUTOFFS:
        relevant = [id_ in gold for id_ in ranking[:k]]
        assert values[f"recall@{k}"] == pytest.approx(sum(relevant) / len(gold))
        assert values[f"precision@{k}"] == pytest.approx(sum(relevant) / k)
        assert values[f"hits@{k}"] == any(relevant)
        assert values[f"all_gold@{k}"] == (sum(relevant) == len(gold))
        first = 1 / (relevant.index(True) + 1) if any(relevant) else 0.0
        assert values[f"mrr@{k}"] == pytest.approx(first)
        precisions = [sum(relevant[:i]) / i for i, held in enumerate(relevant, 1) if held]
        assert values[f"map@{k}"] == pytest.approx(sum(precisions) / len(gold))
        gain = sum(gold.get(id_, 0) / math.log2(i + 2) for i, id_ in enumerate(ranking[:k]))
        ideal = sum(
            grade / math.log2(i + 2)
            for i, grade in enumerate(sorted(gold.values(), reverse=True)[:k])
        )
        assert values[f"ndcg@{k}"] == pytest.approx(gain / ideal, abs=1e-5)


def test_a_question_without_gold_has_no_value_and_does_not_shift_the_others() -> None:
    values = ranking_metrics([{}, {"a": 1}], [["a"], ["b", "a"]], (2,))
    assert math.isnan(values["recall@2"][0])
    assert values["mrr@2"][1] == 0.5


@given(st.lists(spans, min_size=1, max_size=4), st.lists(spans, max_size=6), st.data())
def test_evidence_recall_is_bounded_and_grows_with_the_budget(
    gold: list[Span], found: list[Span], data: st.DataObject
) -> None:
    retrieved = [RetrievedSpan(span, data.draw(st.integers(1, 20))) for span in found]
    budgets = range(0, 150, 7)
    values = list(evidence_recall(gold, retrieved, budgets).values())
    assert values == sorted(values)
    assert 0 <= values[0] <= values[-1] <= 1
    wanted = {(s.document_id, i) for s in gold for i in range(s.start, s.end)}
    read = {(s.document_id, i) for s in found for i in range(s.start, s.end)}
    assert values[-1] == pytest.approx(len(wanted & read) / len(wanted))


def test_a_passage_that_does_not_fit_is_read_as_far_as_the_budget_goes() -> None:
    gold = [Span("d", 0, 100)]
    retrieved = [RetrievedSpan(Span("d", 0, 100), 10), RetrievedSpan(Span("d", 50, 60), 1)]
    assert evidence_recall(gold, retrieved, [5]) == {"span_recall@5": 0.5}


def test_multihop_rag_counts_each_fact_once_at_its_first_text() -> None:
    texts = ["nothing", "fact one here", "fact\none and fact two"]
    assert multihop_rag_metrics(["fact one", "fact two"], texts) == {
        "evidence_hits@4": 1.0,
        "evidence_hits@10": 1.0,
        "evidence_map@10": pytest.approx((1 / 2 + 1 / 3) / 2),
        "evidence_mrr@10": 0.5,
    }
    assert set(multihop_rag_metrics(["absent"], texts).values()) == {0.0}


def slow_lcs(left: Sequence[str], right: Sequence[str]) -> int:
    if not left or not right:
        return 0
    if left[-1] == right[-1]:
        return slow_lcs(left[:-1], right[:-1]) + 1
    return max(slow_lcs(left[:-1], right), slow_lcs(left, right[:-1]))


@given(words.filter(lambda w: len(w) < 7), words.filter(lambda w: len(w) < 7))
def test_the_longest_common_subsequence_equals_its_recursive_definition(
    left: list[str], right: list[str]
) -> None:
    assert longest_common_subsequence(left, right) == slow_lcs(left, right)


@given(words, words)
def test_overlap_is_bounded_by_the_common_subsequence_and_one_for_equal_texts(
    left: list[str], right: list[str]
) -> None:
    first, second = " ".join(left), " ".join(right)
    longest = longest_common_subsequence(left, right)
    assert 0 <= overlap(first, second) <= 2 * longest / max(len(left) + len(right), 1)
    assert (overlap(first, second) > 0) == bool(set(left) & set(right))
    assert not left or overlap(first.upper(), first) == 1


@given(words, words, words.filter(bool))
def test_a_segment_in_a_longer_text_overlaps_by_all_its_words(
    before: list[str], after: list[str], segment: list[str]
) -> None:
    text = " ".join([*before, "(", *segment, ")", *after])
    total = len(before) + len(after) + 2 * len(segment)
    assert overlap(text, " ".join(segment)) == pytest.approx(2 * len(segment) / total)


@given(
    st.lists(words, min_size=1, max_size=8), st.lists(words.filter(bool), min_size=1, max_size=3)
)
def test_chunk_accuracy_is_ordered_and_looks_at_five_texts(
    texts: list[list[str]], segments: list[list[str]]
) -> None:
    found, wanted = [" ".join(text) for text in texts], [" ".join(words) for words in segments]
    values = chunk_metrics(wanted, found)
    assert values["t1o"] <= values["bo"] <= 1
    assert values["ao"] <= values["bo"] + 1e-12
    assert values == chunk_metrics(wanted[::-1], found[:5]) | {"ao": pytest.approx(values["ao"])}


def test_overlap_is_the_ratio_of_matching_blocks() -> None:
    # The block is "m n", with nothing before it on the right: the LCS is "a b c".
    assert overlap("a 1 b 2 c m n", "m n a b c") == pytest.approx(2 * 2 / 12)
    # A word that is frequent in a long text is a word like others.
    assert overlap("the end", "the " * 300) == pytest.approx(2 / 302)


@given(words.filter(bool), st.lists(words, max_size=5))
def test_exact_match_does_not_depend_on_case(answer: list[str], texts: list[list[str]]) -> None:
    joined = [" ".join(text) for text in texts]
    scores = [0.5] * len(joined)
    lower = gold_span_metrics([" ".join(answer)], joined, scores)
    assert gold_span_metrics([" ".join(answer).upper()], joined, scores) == lower


@given(st.lists(words.filter(bool), min_size=1, max_size=7), words.filter(bool))
def test_the_thesis_metrics_are_ordered_as_their_definitions_say(
    texts: list[list[str]], answer: list[str]
) -> None:
    joined = [" ".join(text) for text in texts]
    values = gold_span_metrics([" ".join(answer)], joined, [0.5] * len(joined))
    assert values["t1em"] <= values["t5em"]
    assert values["t1em"] <= values["answer_mrr"] <= values["t5em"]
    assert values["t1c"] <= values["bc"] <= values["mc"]
    assert values["ac"] <= values["bc"] + 1e-12  # a mean is rounded
    assert values["bc"] <= 1
    assert values["at1s"] == 0.5
    of_chunks = chunk_metrics([joined[0], "elsewhere"], joined)
    assert of_chunks["t1o"] == of_chunks["bo"] == 1
    assert of_chunks["ao"] <= of_chunks["bo"] + 1e-12


def test_the_thesis_metrics_of_a_worked_example() -> None:
    values = gold_span_metrics(
        ["red brick house"], ["a house of brick", "the red brick house"], [0.75, 0.5]
    )
    assert values == {
        "t1em": 0.0,
        "t5em": 1.0,
        "t1c": pytest.approx(1 / 3),
        "bc": 1.0,
        "ac": pytest.approx(2 / 3),
        "mc": 1.0,
        "answer_mrr": 0.5,
        "at1s": 0.75,
    }
    assert coverage("Brick, house!", "a BRICK in the house") == 1
    assert overlap("a b c d", "b d") == pytest.approx(2 * 2 / 6)


def test_nothing_retrieved_scores_nothing() -> None:
    assert set(gold_span_metrics(["x"], [], []).values()) == {0.0}
    assert set(chunk_metrics(["x"], []).values()) == {0.0}


def test_intervals_hold_their_mean_and_are_the_same_every_time() -> None:
    generator = np.random.default_rng(1)
    values = generator.random((200, 3))
    values[:50, 2] = np.nan
    low, high = bootstrap.intervals(values)
    mean = bootstrap.means(values)
    assert np.all((low < mean) & (mean < high))
    assert mean[2] == pytest.approx(values[50:, 2].mean())
    assert np.array_equal(bootstrap.intervals(values), [low, high])
    # The normal approximation of the same interval.
    spread = 1.96 * values[:, 0].std() / math.sqrt(200)
    assert (low[0], high[0]) == pytest.approx((mean[0] - spread, mean[0] + spread), abs=0.004)


def test_a_constant_has_no_spread_and_a_column_without_values_has_no_interval() -> None:
    values = np.column_stack([np.full(9, 0.25), np.full(9, np.nan)])
    low, high = bootstrap.intervals(values)
    assert low[0] == high[0] == 0.25
    assert np.isnan(low[1])
    assert np.isnan(high[1])
    assert np.isnan(bootstrap.means(values)[1])
