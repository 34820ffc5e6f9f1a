"""What facts say of the attribute that a question asks for, over one fact and over two."""

import pytest

from hlg.records import Passage, SourceRef
from hlg.retrieval.answers.asked import asked_for
from hlg.retrieval.answers.attributes import accounted, held_of
from hlg.retrieval.answers.evidence import EvidenceStatement, FactWords, NamedEntity
from hlg.retrieval.answers.signals import read


def said(
    text: str, facts: list[tuple[str, str, str]], names: list[NamedEntity], title: str = "Ships"
) -> EvidenceStatement:
    source = SourceRef(title, f"{title}.md", title)
    passage = Passage("Statement", text, text, "", 0, len(text), "c", "", source)
    known = {entity.name for entity in names}
    words = tuple(FactWords(*fact, fact[2] not in known) for fact in facts)
    return EvidenceStatement(passage, 1, tuple(names), words)


PETREL = NamedEntity("The Petrel", "Thing", ("Petrel", "the Petrel"))
YARD = NamedEntity("Oake Yard", "Organization")
RASK, LIND = NamedEntity("Theodor Rask", "Person"), NamedEntity("Jonas Lind", "Person")
BUILT = said(
    "The Petrel was built at Oake Yard.", [("The Petrel", "built at", "Oake Yard")], [PETREL, YARD]
)
FOUNDED = said(
    "Oake Yard was founded by Theodor Rask in 1871.",
    [("Oake Yard", "founded by", "Theodor Rask"), ("Oake Yard", "founded in", "1871")],
    [YARD, RASK],
)
MASTER = said(
    "Jonas Lind was the Petrel's first master.",
    [("Jonas Lind", "was first master of", "The Petrel")],
    [LIND, PETREL],
)
STEAMER = said(
    "The Petrel was a mail steamer designed by Jonas Lind.",
    [("The Petrel", "was", "a mail steamer designed by Jonas Lind")],
    [PETREL, LIND],
)
DENIED = said(
    "Oake Yard was not founded by Jonas Lind.",
    [("Oake Yard", "was not founded by", "Jonas Lind")],
    [YARD, LIND],
)


def told(question: str, *evidence: EvidenceStatement) -> dict[str, tuple[float, float]]:
    """By span what chains of one fact and of two account for."""
    spans = read(question, asked_for(question), evidence).spans
    found = accounted(question, evidence, spans)
    return {span.text: tuple(row) for span, row in zip(spans, found.tolist(), strict=True)}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who founded Oake Yard?", "Theodor Rask"),
        ("When was Oake Yard founded?", "1871"),
        ("Who was the first master of the Petrel?", "Jonas Lind"),
    ],
)
def test_a_fact_of_what_is_named_accounts_for_its_attribute(question: str, answer: str) -> None:
    found = told(question, BUILT, FOUNDED, MASTER)
    assert found[answer] == (1.0, 0.0)
    assert found["Oake Yard"] < found[answer]


def test_two_facts_lead_from_what_is_named_to_the_attribute() -> None:
    found = told("Who founded the yard that built the Petrel?", BUILT, FOUNDED, MASTER)
    assert found["Theodor Rask"] == (0.0, 1.0)
    assert found["Jonas Lind"] == (0.0, 0.0)


def test_a_value_that_names_somebody_says_in_which_part() -> None:
    found = told("Who designed the Petrel?", STEAMER, MASTER)
    assert found["Jonas Lind"] == (1.0, 0.0)


def test_the_same_attribute_of_another_subject_accounts_for_nothing() -> None:
    assert set(told("Who founded Brenn Yard?", BUILT, FOUNDED).values()) == {(0.0, 0.0)}
    assert set(told("What does Solveig earn?", BUILT, FOUNDED).values()) == {(0.0, 0.0)}


def test_what_a_fact_denies_is_no_attribute() -> None:
    assert told("Who founded Oake Yard?", DENIED)["Jonas Lind"] == (0.0, 0.0)


def test_without_spans_there_is_nothing_to_account_for() -> None:
    assert accounted("Who founded Oake Yard?", [FOUNDED], []).shape == (0, 2)


def test_the_words_of_a_question_are_looked_for_in_each_statement() -> None:
    evidence = [FOUNDED, MASTER]
    held = held_of("Who founded Oake Yard?", evidence)
    assert held.names.tolist() == [1.0, 0.0]
    assert held.others.tolist() == [1.0, 0.0]
    assert held.missing == 0.0
    assert held_of("When was the hospital at Oake founded?", evidence).missing == pytest.approx(
        1 / 3
    )
    assert held_of("who is it?", evidence).names.tolist() == [1.0, 1.0]
    assert held_of("Was hat Æthelstan \ud800 gebaut?", evidence).missing == 1.0
    assert held_of("", []).missing == 0.0


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Who rewrote the S3 backend?", "The S3 backend was rewritten by Carla Mendes."),
        ("Who sold the mill?", "The mill was a loss: selling it took Ada a year."),
        ("How long is the warranty?", "The warranty is two years."),
    ],
)
def test_forms_of_a_verb_are_one_word_and_how_long_is_none_to_look_for(
    question: str, text: str
) -> None:
    assert held_of(question, [said(text, [], [])]).missing == 0
