"""String metrics of answers, against values worked out by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.answers import Answer
from hlg.evaluation.answers import evaluate_answers
from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.answers import best_of, exact_match, rouge_l, token_f1


@pytest.mark.parametrize(
    ("answer", "gold", "em", "f1", "rouge"),
    [
        ("The Petrel!", "petrel", 1, 1, 2 / 3),
        ("Lotte Wiek", "Wiek", 0, 2 / 3, 2 / 3),
        ("3 May 1904", "May 3, 1904", 0, 1, 2 / 3),
        ("police killed the gunman", "police kill the gunman", 0, 2 / 3, 3 / 4),
        ("the gunman kill police", "police kill the gunman", 0, 1, 1 / 2),
        ("yes", "yes it is", 0, 0, 1 / 2),
        ("", "petrel", 0, 0, 0),
        ("", "", 1, 1, 1),
    ],
)
def test_known_values(answer: str, gold: str, em: float, f1: float, rouge: float) -> None:
    assert exact_match(answer, gold) == em
    assert token_f1(answer, gold) == pytest.approx(f1)
    assert rouge_l(answer, gold) == pytest.approx(rouge)


@given(st.text(max_size=30), st.text(max_size=30))
def test_metrics_are_shares_and_symmetric(one: str, other: str) -> None:
    for metric in (exact_match, token_f1, rouge_l):
        assert 0 <= metric(one, other) <= 1
        assert metric(one, other) == pytest.approx(metric(other, one))
        assert metric(one, one) == 1


def test_the_nearest_of_several_answers_counts() -> None:
    assert best_of(exact_match, "Hall", ["G. Stanley Hall", "Hall"]) == 1
    assert best_of(exact_match, "Hall", []) == 0


def test_answers_are_counted_by_type_and_silence_is_wrong() -> None:
    questions = [
        Question("1", "Who?", "bridge", answers=("Ada",)),
        Question("2", "When?", "comparison", answers=("1904",)),
        Question("3", "Where?", "bridge"),
    ]
    told = {"Who?": Answer("Who?", "Ada", is_answered=True), "When?": Answer("When?")}
    report = evaluate_answers("small", questions, told.__getitem__, lambda progress: None)
    rows = {row[0]: row[1:4] for row in report.table().rows}
    assert rows["all"][:2] == ("2", "0.500")
    assert rows["bridge"][2].startswith("1.000")
    assert rows["comparison"][2].startswith("0.000")
    assert len(report.document()["questions"]) == 2  # type: ignore[arg-type]


def test_answers_that_came_otherwise_than_asked_are_told() -> None:
    questions = [Question(str(i), f"Who {i}?", answers=("Ada",)) for i in range(2)]
    failed = Answer("Who 1?", "Ada", notes=("the model failed; by extraction instead",))
    told = {"Who 0?": Answer("Who 0?", "Ada", by="tiny"), "Who 1?": failed}
    report = evaluate_answers("small", questions, told.__getitem__, lambda progress: None)
    assert report.noted == ["the model failed; by extraction instead"]
    assert [each.by for each in report.asked] == ["tiny", "extraction"]
