"""Explanations: paths, signals and what was left out, in three forms."""

import json
from dataclasses import replace

from hlg.documents import document_of
from hlg.records import Hit, Passage, PathStep, SourceRef
from hlg.reports import Explanation, SearchResult
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.explain import explanation_text, signal_groups
from support.passage_worlds import asked, harbour_world, rank, snapshot_of


def result_of(text: str, entity: str) -> SearchResult:
    start = PathStep("Statement", "s1", "The Petrel was built at Oake Yard.")
    end = PathStep("Statement", "s2", text, via_kind="Entity", via=entity)
    passage = Passage(
        "Statement", "s2", text, "", 3, 9, "c1", "", SourceRef("d", "yard.md", "Yard")
    )
    return SearchResult(
        query="Who founded the yard that built the Petrel?",
        retriever="statement-graph",
        hits=(Hit(1, 0.5, passage, {"path": 0.5}, (start, end)),),
        store_calls=2,
        timings_ms={"embed": 3.0, "total": 9.0},
        explanation=Explanation(("petrel",), {"s9": "s2"}, {"corven": 99}, ("a note",)),
    )


def test_the_text_shows_path_signals_and_what_was_left_out() -> None:
    text = explanation_text(result_of("Henrike Oake started it.", "Oake Yard"))
    assert "statement “The Petrel was built at Oake Yard.”" in text
    assert "through entity 'Oake Yard' to statement “Henrike Oake started it.”" in text
    assert "yard.md:3-9" in text
    assert "graph: path 0.5" in text
    assert "keywords: petrel" in text
    assert "not walked: corven, named in 99 statements" in text
    assert "left out, as s2 says the same: s9" in text
    assert "2 store calls" in text


def test_signals_are_told_in_a_few_groups() -> None:
    passages = Passages.of(snapshot_of(harbour_world()))
    signals = rank(passages, asked("Who directed The Amber Quay?", passages), 1)[0].signals
    told = signal_groups(signals)
    assert len(signals) > 50
    assert set(told) <= {"similarity", "words", "graph", "names", "agreement"}
    assert {"similarity", "words", "names"} <= set(told)
    assert max(map(len, told.values())) < 100
    assert signal_groups({"cosine": 0.5, "mine": 2.0}) == {
        "similarity": "cosine 0.5",
        "other": "mine 2",
    }


def test_an_answer_comes_before_the_hits() -> None:
    result = replace(result_of("Henrike Oake started it.", "Oake Yard"), answer="It was she.")
    text = explanation_text(result)
    assert 0 < text.index("answer: It was she.") < text.index("1. 0.5000")


def test_the_document_is_json() -> None:
    document = json.loads(json.dumps(document_of(result_of("x", "y"))))
    assert document["explanation"]["not_walked"] == {"corven": 99}
