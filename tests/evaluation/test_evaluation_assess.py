"""Hits are judged by the documents, the text and the answers that a question is known by."""

import pytest

from hlg.errors import InputError
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question, Span
from hlg.evaluation.metrics.assess import Assessor
from hlg.evaluation.metrics.positions import COVERAGE, RANKS, TOKENS
from hlg.records import Hit, Passage, SourceRef

LONG = "Ada met Charles in London. " + "Nothing more is said of it. " * 300
DOCUMENTS = (
    DatasetDocument("ada", "Ada", LONG),
    DatasetDocument("c#1", "Charles", "Charles designed an engine of brass."),
)
QUESTION = Question(
    "q",
    "What did the man whom Ada met design?",
    "bridge",
    ("ada", "c#1"),
    (1, 1),
    spans=(Span("ada", 0, 26), Span("c#1", 0, 36)),
    answers=("an engine", "a machine"),
)


def hit(rank: int, document: int, start: int, end: int) -> Hit:
    id_, title, text = DOCUMENTS[document]
    source = SourceRef(f"s{document}", f"data/x#y/corpus.jsonl#{id_}", title)
    passage = Passage(
        "Statement", f"{document}-{start}", text[start:end], "", start, end, "c", "", source
    )
    return Hit(rank, 1 / rank, passage)


@pytest.fixture
def assessor() -> Assessor:
    dataset = Dataset("tiny", DOCUMENTS, (QUESTION,))
    return Assessor(dataset, lambda text: len(text.split()), budgets=(5, 100))


def test_documents_are_ranked_by_their_best_hit_once_each(assessor: Assessor) -> None:
    hits = [hit(1, 1, 0, 8), hit(2, 0, 0, 26), hit(3, 1, 9, 36)]
    outcome = assessor.outcome(QUESTION, hits, 1.5, 3)
    assert outcome.documents == ("c#1", "ada")
    assert (outcome.question_id, outcome.latency_ms, outcome.store_calls) == ("q", 1.5, 3)


def test_evidence_answers_and_segments_are_measured_in_the_hits_texts(assessor: Assessor) -> None:
    values = assessor.outcome(QUESTION, [hit(1, 0, 0, 26), hit(2, 1, 0, 36)], 1.0, 1).values
    assert values["span_recall@5"] == pytest.approx(26 / 62)
    assert values["span_recall@100"] == 1
    assert values["gold_recall@5"] == 0.5
    assert values["gold_recall@100"] == 1
    assert values["evidence_map@10"] == pytest.approx((1 + 1 / 2) / 2)
    assert values["t1em"] == 0
    assert values["answer_mrr"] == 0.5
    # The long document's segment is its gold span, the short one's is all of it.
    assert values["t1o"] == values["bo"] == 1
    assert values["ao"] < 1


def test_an_answer_that_no_gold_document_has_is_not_measured(assessor: Assessor) -> None:
    question = Question("q", "Both?", "comparison", ("c#1",), (1,), answers=("yes",))
    values = assessor.outcome(question, [hit(1, 1, 0, 36)], 1.0, 1).values
    named = {"t1o", "bo", "ao", "gold_recall@5", "gold_recall@100", COVERAGE, *RANKS, *TOKENS}
    assert values.keys() == named


def test_a_null_question_has_no_values(assessor: Assessor) -> None:
    question = Question("n", "Nothing?", answers=("Insufficient information.",))
    outcome = assessor.outcome(question, [hit(1, 1, 0, 36)], 1.0, 1)
    assert outcome.documents == ("c#1",)
    assert not outcome.values


def test_a_source_of_another_corpus_is_refused(assessor: Assessor) -> None:
    assert assessor.document_id("corpus.jsonl#ada") == assessor.document_id("ada") == "ada"
    for uri in ("notes/ada.md", "corpus.jsonl#eve", "corpus.jsonl#ada#eve"):
        with pytest.raises(InputError, match="no document of this data set"):
            assessor.document_id(uri)
