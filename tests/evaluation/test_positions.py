"""Where the evidence stands in what was retrieved."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.evaluation.metrics.positions import COVERAGE, RANKS, TOKENS, positions

HITS = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 300)), max_size=400)


@given(st.sets(st.sampled_from("abcxyz"), min_size=1), HITS)
def test_every_document_that_was_found_stands_somewhere_once(
    gold: set[str], hits: list[tuple[str, int]]
) -> None:
    documents = [document for document, _ in hits]
    found = positions(sorted(gold), documents, [tokens for _, tokens in hits])
    assert found[COVERAGE] == pytest.approx(len(gold & set(documents)) / len(gold))
    for names in (RANKS, TOKENS):
        assert sum(found[name] for name in names) == pytest.approx(found[COVERAGE])


def test_ranks_and_tokens_by_hand() -> None:
    bins = [name.removeprefix("gold_rank_") for name in RANKS]
    assert bins == ["1", "2", "3", "4-5", "6-10", "11-20", "21-50", "51+"]
    late = positions(["a", "b"], [*"cd" * 60, "a"], [1] * 121)
    assert (late["gold_rank_51+"], late[COVERAGE]) == (0.5, 0.5)
    found = positions(["a", "b", "c"], ["a", "d", "b", "a"], [10, 50, 20, 20])
    assert found[COVERAGE] == pytest.approx(2 / 3)
    at = {name: value for name, value in found.items() if value and name != COVERAGE}
    assert at == {
        "gold_rank_1": pytest.approx(1 / 3),
        "gold_rank_3": pytest.approx(1 / 3),
        "gold_tokens_0-10%": pytest.approx(1 / 3),
        "gold_tokens_60-70%": pytest.approx(1 / 3),
    }
