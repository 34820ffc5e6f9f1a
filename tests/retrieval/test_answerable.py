"""How likely what is shown answers."""

import numpy as np
import pytest

from hlg.records import Passage, SourceRef
from hlg.retrieval.answers.answerable import LEAST
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.extractive import extract
from hlg.retrieval.answers.read_evidence import read_evidence

TEXTS = (
    ("Opening hours", "The office is open from 9 to 12, on Thursdays until six in the evening."),
    ("Bikes", "A bike without a green tag is taken away in April and kept for ninety days."),
    ("Laundry", "The dryer takes tokens of 80 cents, which the caretaker sells."),
)


def chance(question: str, texts: tuple[tuple[str, str], ...] = TEXTS) -> float:
    """Of an answer out of these texts, all as near to the question as each other."""
    statements = [
        EvidenceStatement(
            Passage(
                "Statement", text, text, "", 0, len(text), title, "",
                SourceRef(title, f"{title}.md", title),
            ),
            rank,
        )
        for rank, (title, text) in enumerate(texts, start=1)
    ]  # fmt: skip
    cosines = np.full(len(statements), 0.4, np.float32)
    return extract(read_evidence(question, statements, cosines, 0.5)).chance


@pytest.mark.parametrize(
    "question",
    [
        "how long do they store a bike that was removed",
        "where do I get a token for the tumble dryer",
        "until when can I come to the office on thursday",
    ],
)
def test_what_is_told_in_other_words_answers(question: str) -> None:
    assert chance(question) > LEAST


@pytest.mark.parametrize(
    "question",
    [
        "who won the boat race in 1998",
        "how do I renew my passport",
        "what is the capital of the island",
    ],
)
def test_what_is_about_something_else_does_not(question: str) -> None:
    assert chance(question) < LEAST


def test_without_evidence_nothing_answers() -> None:
    assert chance("who invented the dryer", ()) == 0
