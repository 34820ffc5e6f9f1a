"""What a clause claims stands in its facts: negation, modality, condition, hearsay.

``clauses.jsonl`` has a sentence a line. ``facts`` are what it says, of which most must come out.
``guards`` are words of which every fact of the sentence that is shown must have one, in its words
or in how it is said to be stated; ``never``: words that stand in none that is affirmed;
``nothing``: none is affirmed without a condition, a hedge or whose word it is.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hlg.records import DENIED, Fact
from hlg.schema import SURE
from tests.support.extracted import extracted

CLAUSES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "clauses.jsonl").read_text("utf-8").splitlines()
]
FOUND = 0.9
"""Share of the facts whose subject and object come out together."""


class Told:
    """A fact in words."""

    def __init__(self, fact: Fact, names: dict[str, str]) -> None:
        self.subject = names[fact.subject_id]
        self.object = names[fact.object_id] if fact.object_id else fact.object_value or ""
        self.predicate, self.confidence = fact.predicate, fact.confidence
        self.denied = fact.polarity == DENIED
        self.stated = (fact.modality, fact.condition, fact.attributed_to)
        denial = "not never no" if self.denied else ""
        self.guarded = " ".join((*self.words, *self.stated, fact.time, denial)).lower()

    def __repr__(self) -> str:
        return " | ".join((*self.words, *self.stated, "denied" if self.denied else ""))

    @property
    def words(self) -> tuple[str, str, str]:
        return self.subject, self.predicate, self.object

    def has(self, subject: str, object_: str) -> bool:
        return (
            subject.lower() in f"{self.subject} {self.predicate}".lower()
            and object_.lower().removeprefix("that ") in f"{self.predicate} {self.object}".lower()
        )

    def is_against(self, clause: dict[str, Any]) -> bool:
        text = " ".join(self.words)
        guards = clause.get("guards", [])
        return (
            (bool(clause.get("nothing")) and not (self.denied or any(self.stated)))
            or (not self.denied and any(word in text for word in clause.get("never", ())))
            or (bool(guards) and not any(re.search(rf"\b{each}", self.guarded) for each in guards))
        )


def facts_of(sentence: str) -> list[Told]:
    extraction = extracted(sentence)
    names = {entity.id: entity.name for entity in extraction.entities}
    return [Told(fact, names) for fact in extraction.facts]


@pytest.fixture(scope="module")
def found() -> dict[str, list[Told]]:
    return {clause["sentence"]: facts_of(clause["sentence"]) for clause in CLAUSES}


def test_there_are_clauses_of_many_kinds() -> None:
    assert len(CLAUSES) >= 300
    assert len({clause["sentence"] for clause in CLAUSES}) == len(CLAUSES)


def test_no_fact_says_the_opposite_of_its_clause(found: dict[str, list[Told]]) -> None:
    inverted = [
        (clause["sentence"], fact)
        for clause in CLAUSES
        for fact in found[clause["sentence"]]
        if fact.confidence >= SURE and fact.is_against(clause)
    ]
    assert not inverted


def test_what_a_clause_says_comes_out(found: dict[str, list[Told]]) -> None:
    wanted = [(clause["sentence"], each) for clause in CLAUSES for each in clause["facts"]]
    missing = [
        (sentence, each)
        for sentence, each in wanted
        if not any(fact.has(each[0], each[2]) for fact in found[sentence])
    ]
    assert len(missing) <= (1 - FOUND) * len(wanted), missing
