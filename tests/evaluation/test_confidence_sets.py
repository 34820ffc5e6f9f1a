"""What the confidence is measured on: searches with their evidence in sight, and without it."""

from contextlib import chdir
from dataclasses import replace
from pathlib import Path

from hlg.evaluation.data.datasets import load_dataset
from hlg.evaluation.data.questions import Question, Span
from hlg.evaluation.training.confidence_sets import judged_results
from hlg.graph import LexicalGraph
from hlg.settings import load_settings


def test_a_question_is_asked_again_without_its_evidence(shipyards: Path) -> None:
    with chdir(shipyards):
        dataset = load_dataset("shipyards")
        dataset = replace(dataset, questions=dataset.questions[:2])
        settings = load_settings(store=".hlg/eval/shipyards.lbug")
        with LexicalGraph.open(settings=settings) as graph:
            judged = list(judged_results(graph, dataset, ("auto", "bm25")))
    # The first of two questions is asked twice, each time by two searches.
    assert [each.search for each in judged] == ["auto", "bm25"] * 3
    assert [bool(each.is_evidence.any()) for each in judged] == [True, True, False, False] + [
        True
    ] * 2
    for each in judged:
        assert each.family == "shipyards"
        assert all(len(column) == len(each.is_evidence) for column in each.hits.values())
    seen, masked = judged[0], judged[2]
    assert seen.result["cosine"] > masked.result["cosine"]


def test_only_what_overlaps_a_marked_span_is_evidence_where_spans_are_marked() -> None:
    question = Question("q", "Who?", gold=("a", "b"), spans=(Span("a", 10, 20),))
    assert question.is_evidence("a", 0, 11)
    assert not question.is_evidence("a", 20, 30)
    assert question.is_evidence("b", 0, 5)
    assert not question.is_evidence("c", 10, 20)
