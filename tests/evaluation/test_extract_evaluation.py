"""The comparison with what a model extracted, in both layouts, on texts made here."""

from pathlib import Path

import pytest

from benchmarks.openie import evaluate_extraction
from hlg.errors import InputError
from hlg.ingest.extract.extractors import open_extractor
from support.datasets import write_lines

TEXT = "Lisbon is the capital of Portugal. Ada Thorne was born in Lisbon in 1990."


def test_flat_triples_are_compared_by_names_and_values(tmp_path: Path) -> None:
    write_lines(tmp_path / "corpus.jsonl", [{"_id": "a", "title": "Lisbon", "text": TEXT}])
    triples = [["Ada Thorne", "born in", "Lisbon"], ["too short"]]
    entities = ["Lisbon", "the Portugal", "Ada Thorne", "1990", "Madrid"]
    write_lines(
        tmp_path / "openie_model.jsonl", [{"_id": "a", "entities": entities, "triples": triples}]
    )
    report = evaluate_extraction(tmp_path, open_extractor("local"))
    assert (report.entities.wanted_matched, report.entities.wanted) == (3, 5)
    assert (report.named_entities.wanted_matched, report.named_entities.wanted) == (3, 4)
    assert (report.with_values.wanted_matched, report.with_values.wanted) == (4, 5)
    assert report.entities.precision == 1
    assert report.triples.recall == 1
    assert report.fact_share == 1
    assert len(list(report.lines())) == 9


def test_nested_statements_are_compared_too(tmp_path: Path) -> None:
    fact = {
        "subject": {"value": "Ada Thorne"},
        "predicate": {"value": "BORN IN"},
        "object": None,
        "complement": {"value": "Lisbon"},
    }
    topic = {"entities": [{"value": "Lisbon"}], "statements": [{"facts": [fact]}]}
    write_lines(
        tmp_path / "extractions.jsonl",
        [{"chunk_id": "c", "text": TEXT, "topics": {"topics": [topic]}}],
    )
    report = evaluate_extraction(tmp_path, open_extractor("local"))
    assert (report.entities.recall, report.triples.recall) == (1, 1)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [("other.jsonl", "{}", "nothing to compare"), ("extractions.jsonl", "{", ":1: Invalid JSON")],
)
def test_what_cannot_be_compared_is_said(
    tmp_path: Path, name: str, content: str, message: str
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        evaluate_extraction(tmp_path, open_extractor("local"))
