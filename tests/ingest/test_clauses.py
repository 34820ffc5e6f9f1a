"""What a clause claims stands in its facts: negation, modality, condition, hearsay.

``clauses.jsonl`` has a sentence a line. ``facts`` are what it says, of which most must come out.
``guards`` are the words of which every fact of the sentence must have one, in its words or in
how it is said to be stated; ``never``: words that stand in no fact.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.records import Chunk, Document

CLAUSES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parent / "clauses.jsonl").read_text("utf-8").splitlines()
]
Triple = tuple[str, str, str]


def facts_of(sentence: str) -> set[Triple]:
    source = source_id(sentence)
    end = len(sentence)
    chunk = Chunk(chunk_id(source, 0, end), source, 0, 0, end, sentence)
    extraction = LocalExtractor().extract(Document(sentence, "", sentence), [chunk])
    names = {entity.id: entity.name for entity in extraction.entities}
    return {
        (
            names[fact.subject_id],
            fact.predicate,
            names[fact.object_id] if fact.object_id else fact.object_value or "",
        )
        for fact in extraction.facts
    }


@pytest.fixture(scope="module")
def found() -> dict[str, set[Triple]]:
    return {clause["sentence"]: facts_of(clause["sentence"]) for clause in CLAUSES}


def test_there_are_clauses_of_many_kinds() -> None:
    assert len(CLAUSES) >= 300
    assert len({clause["sentence"] for clause in CLAUSES}) == len(CLAUSES)


def test_no_fact_says_the_opposite_of_its_clause(found: dict[str, set[Triple]]) -> None:
    inverted = [
        (clause["sentence"], fact)
        for clause in CLAUSES
        for fact in found[clause["sentence"]]
        if clause.get("nothing")
        or any(word in " ".join(fact) for word in clause.get("never", ()))
        or (
            "guards" in clause
            and not any(
                re.search(rf"\b{re.escape(word)}", f"{fact[1]} {fact[2]}")
                for word in clause["guards"]
            )
        )
    ]
    assert inverted == []


def test_what_a_clause_says_comes_out(found: dict[str, set[Triple]]) -> None:
    missing = [
        (clause["sentence"], fact)
        for clause in CLAUSES
        for fact in clause["facts"]
        if tuple(fact) not in found[clause["sentence"]]
    ]
    assert missing == []
