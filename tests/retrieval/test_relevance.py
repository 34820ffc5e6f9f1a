"""Which of the statements that were found are shown."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hlg.records import Passage, SourceRef
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.extractive import extract
from hlg.retrieval.answers.parts import STEPS, Part
from hlg.retrieval.answers.read_evidence import ReadEvidence, read_evidence
from hlg.retrieval.answers.relevance import MOST, chosen_statements, relevances, statement_signals


def said(text: str, title: str, rank: int = 1, start: int = 0) -> EvidenceStatement:
    source = SourceRef(title, f"{title}.md", title)
    end = start + len(text)
    return EvidenceStatement(
        Passage("Statement", text, text, "", start, end, f"{title}-c", "", source), rank
    )


def found(question: str, *statements: EvidenceStatement) -> ReadEvidence:
    """Evidence whose statements are as near to the question as each other."""
    return read_evidence(question, statements, np.full(len(statements), 0.6, np.float32), 0.9)


def shown(evidence: ReadEvidence, taken: Sequence[int] = ()) -> list[int]:
    return chosen_statements(evidence, relevances(statement_signals(evidence)), taken)


def test_what_answers_is_shown_before_what_has_the_words() -> None:
    evidence = found(
        "When did the ferry to Skarn begin to run?",
        said("The ferry to Skarn is painted blue and white.", "Ferries"),
        said("Nobody knows who thought of the ferry to Skarn.", "Skarn", rank=2),
        said("The ferry to Skarn has run since 4 May 1911.", "Harbours", rank=3),
    )
    assert shown(evidence)[0] == 2


def test_steps_are_shown_by_what_they_stand_under() -> None:
    def step(text: str, heading: str) -> EvidenceStatement:
        part = Part(STEPS, 0, len(text), text, heading, items=((0, len(text)),))
        return replace(said(text, "The mill"), part=part)

    start = step("1. Open the sluice slowly and let the wheel turn.", "The mill > Starting")
    stop = step("1. Lower the sluice and wait for the wheel.", "The mill > Stopping")
    assert shown(found("How do I stop the mill?", start, stop))[0] == 1
    assert shown(found("How do I start the mill?", stop, start))[0] == 1


def test_what_a_lead_rests_on_comes_first_and_nothing_is_shown_twice() -> None:
    text = "The yard at Oake built the Petrel in 1904."
    evidence = found(
        "Which yard built the Petrel?",
        said("The yard at Corven was closed in 1931.", "Corven"),
        said(text, "The Petrel"),
        said(text, "Ships", rank=2),
        said("The yard at Oake also built the Tern.", "The Tern", rank=3),
        said("The yard that built the Petrel stood at Oake.", "Oake", rank=4),
    )
    places = shown(evidence, taken=(0,))
    assert places[0] == 0
    assert len({1, 2}.intersection(places)) == 1
    assert len(places) <= MOST


def test_where_none_says_something_the_first_hit_is_shown() -> None:
    evidence = found(
        "When was the yard opened?", said("Opened", "Yard"), said("Yard", "Oake", rank=2)
    )
    assert not evidence.told
    assert shown(evidence) == [0]


@pytest.mark.parametrize("question", ["", "?", "\ud800 \x00", "who " * 3_000])
def test_odd_questions_have_signals_of_every_statement(question: str) -> None:
    evidence = found(question, said("The yard at Oake built the Petrel in 1904.", "Oake"))
    assert np.isfinite(statement_signals(evidence)).all()
    assert shown(evidence) == [0]
    nothing = found(question)
    assert shown(nothing) == []


def test_what_answers_best_comes_first_wherever_it_stands() -> None:
    place = said("The dryer stands in the cellar beside the two washing machines.", "Laundry")
    tokens = said("The caretaker sells tokens for the dryer.", "Laundry", start=500)
    evidence = found("how do I pay for the dryer", place, tokens)
    assert extract(evidence).places == (1, 0)
