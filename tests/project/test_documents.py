"""Records as plain documents."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from hlg.documents import document_of
from hlg.errors import ModelError, StoreLocked, UsageError
from hlg.records import Community, Hit, Passage, PathStep, SourceRef
from hlg.reports import BuildReport, Explanation, Failure, ImportReport, SearchResult
from support.graphs import source_graph

PASSAGE = Passage("Chunk", "c1", "Text.", "", 3, 8, "c1", "", SourceRef("d", "yard.md", "Yard"))
HIT = Hit(1, 0.5, PASSAGE, {"path": 0.25}, (PathStep("Chunk", "c1", "Text."),))


def report(*failed: Failure) -> BuildReport:
    return BuildReport({"Source": 1}, 1, 0, 0, 0, failed, {"total": 0.5})


def test_a_hit_is_its_passage_with_rank_score_signals_and_path() -> None:
    assert document_of(HIT) == {
        "rank": 1,
        "score": 0.5,
        "kind": "Chunk",
        "id": "c1",
        "text": "Text.",
        "details": "",
        "start": 3,
        "end": 8,
        "chunk_id": "c1",
        "topic": "",
        "source": {"id": "d", "uri": "yard.md", "title": "Yard"},
        "confidence": 0.0,
        "signals": {"path": 0.25},
        "path": [{"kind": "Chunk", "id": "c1", "text": "Text.", "via_kind": "", "via": ""}],
    }


def test_what_a_search_did_not_give_is_not_there() -> None:
    bare = SearchResult("q", "chunks", (HIT,), 1, {"total": 2.0})
    assert not {"explanation", "answer", "notes"} & document_of(bare).keys()
    explained = SearchResult("q", "chunks", (), 1, {}, Explanation(("a",)), "An answer.")
    assert document_of(explained)["explanation"]["keywords"] == ["a"]
    assert document_of(explained)["answer"] == "An answer."


def test_an_import_lists_all_that_was_left_out() -> None:
    triples, texts = report(Failure("kg.csv:3", "no object")), report(Failure("a.pdf", "damaged"))
    told = document_of(ImportReport({}, 2, ("a note",), triples, documents=texts))
    assert [each["uri"] for each in told["failed"]] == ["kg.csv:3", "a.pdf"]
    assert "relations" not in told
    assert "relations" not in told["triples"]
    assert told["documents"]["added"] == 1


def test_a_community_is_told_without_its_members() -> None:
    community = Community("i", 0, "A and B", "They met.", None, 2, ("a", "b"), "hash")
    (told,) = document_of([community])
    assert (told["id"], told["size"]) == ("i", 2)
    assert not {"entity_ids", "content_hash"} & told.keys()


def test_every_record_of_a_graph_becomes_json() -> None:
    graph = source_graph("a.txt", [("Ada founded Helix.", [("Ada", "founded", "Helix")])])
    told = json.loads(json.dumps(document_of(graph)))
    assert told["statements"][0]["text"] == "Ada founded Helix."
    assert told["facts"][0]["subject_id"] == graph.facts[0].subject_id


def test_errors_carry_what_a_program_needs() -> None:
    told = document_of(UsageError("no format 'x'", option="format", known=("a", "b")))
    assert (told["error"], told["option"], told["known"]) == ("UsageError", "format", ["a", "b"])
    told = document_of(StoreLocked("busy", address="g.lbug"))
    assert (told["address"], told["retryable"], told["exit_code"]) == ("g.lbug", True, 3)
    assert document_of(ModelError("gone", model="m"))["model"] == "m"


def test_values_of_other_kinds() -> None:
    given = {1: Path("a/b"), "x": {"b", "a"}, "y": (np.float32(0.5), np.arange(2)), "z": None}
    assert document_of(given) == {"1": "a/b", "x": ["a", "b"], "y": [0.5, [0, 1]], "z": None}
    with pytest.raises(TypeError, match="object is nothing that JSON has"):
        document_of([object()])


@dataclass
class Own:
    """A record of somebody else's."""

    hit: Hit


def test_records_of_other_modules_are_objects_of_their_fields() -> None:
    assert document_of(Own(HIT)) == {"hit": document_of(HIT)}
