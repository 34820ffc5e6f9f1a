"""Extractions of another model in place of the local facts: what a graph takes from them."""

import json
from pathlib import Path

import pytest

from hlg.errors import InputError, UsageError
from hlg.graph import LexicalGraph
from hlg.ingest.base import Extraction
from hlg.ingest.chunk.chunkers import open_chunker
from hlg.ingest.extract.extractors import open_extractor
from hlg.records import Document

TEXT = "Odile Varnier was born in Port Sellow. She directed The Amber Quay in 1961."
RECORD = {
    "_id": "varnier",
    "entities": ["Odile Varnier", "Port Sellow", "The Amber Quay"],
    "triples": [
        ["Odile Varnier", "born in", "Port Sellow"],
        ["Odile Varnier", "directed", "The Amber Quay"],
        ["The Amber Quay", "released in", "1961"],
    ],
}


def written(folder: Path, *records: object) -> Path:
    path = folder / "extractions.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def extracted(path: Path, uri: str = "corpus.jsonl#varnier") -> Extraction:
    document = Document(uri, "Odile Varnier", TEXT)
    chunks = open_chunker("fixed").chunk(document, "0" * 32)
    return open_extractor(f"replay:{path}").extract(document, chunks)


def test_facts_and_entities_are_those_of_the_file(tmp_path: Path) -> None:
    found = extracted(written(tmp_path, RECORD))
    assert {fact.text for fact in found.facts} == {
        "Odile Varnier born in Port Sellow",
        "Odile Varnier directed The Amber Quay",
        "The Amber Quay released in 1961",
    }
    assert {entity.name for entity in found.entities} == set(RECORD["entities"])
    released = next(fact for fact in found.facts if fact.predicate == "released in")
    assert released.object_value == "1961"
    assert released.object_id is None


def test_facts_are_supported_by_the_statements_that_say_them(tmp_path: Path) -> None:
    found = extracted(written(tmp_path, RECORD))
    texts = {statement.id: statement.text for statement in found.statements}
    born = next(fact for fact in found.facts if fact.predicate == "born in")
    assert [texts[id_] for id_ in born.statement_ids] == ["Odile Varnier was born in Port Sellow."]
    directed = next(fact for fact in found.facts if fact.predicate == "directed")
    statement = next(each for each in found.statements if each.id in directed.statement_ids)
    assert "She directed" in statement.text
    assert {directed.subject_id, directed.object_id} <= set(statement.entity_ids)


def test_without_names_an_object_that_looks_like_one_is_an_entity(tmp_path: Path) -> None:
    record = {key: value for key, value in RECORD.items() if key != "entities"}
    found = extracted(written(tmp_path, record))
    assert {entity.name for entity in found.entities} == set(RECORD["entities"])


def test_triples_that_are_none_are_left_out(tmp_path: Path) -> None:
    broken = [["Odile Varnier", "born in"], ["a", "b", "c", "d"], ["", "is", "Port Sellow"]]
    found = extracted(written(tmp_path, {**RECORD, "triples": [*broken, *RECORD["triples"]]}))
    assert found == extracted(written(tmp_path, RECORD))


def test_a_document_without_a_record_is_read_locally(tmp_path: Path) -> None:
    path = written(tmp_path, RECORD)
    document = Document("corpus.jsonl#other", "Odile Varnier", TEXT)
    chunks = open_chunker("fixed").chunk(document, "0" * 32)
    local = open_extractor("local").extract(document, chunks)
    assert extracted(path, "corpus.jsonl#other") == local
    assert local.facts


def test_a_changed_file_builds_its_documents_again(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text(json.dumps({"_id": "varnier", "title": "Odile Varnier", "text": TEXT}))
    replay = f"replay:{written(tmp_path, RECORD)}"
    with LexicalGraph.open(tmp_path / "g.lbug") as graph:
        assert graph.build([corpus], extractor=replay).added == 1
        assert graph.build([corpus], extractor=replay).skipped == 1
        written(tmp_path, {**RECORD, "triples": RECORD["triples"][:1]})
        assert graph.build([corpus], extractor=replay).changed == 1
        assert graph.store.counts()["Fact"] == 1


@pytest.mark.parametrize(
    "line", ["{", "[]", '{"_id": "a"}', '{"_id": "a", "triples": [1]}', '{"triples": []}']
)
def test_a_line_that_is_no_extraction_is_named(line: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(RECORD) + "\n" + line + "\n")
    with pytest.raises(InputError, match=r"bad\.jsonl:2: not an extraction"):
        open_extractor(f"replay:{path}")


def test_a_missing_file_and_a_wrong_name_say_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't read the extractions"):
        open_extractor(f"replay:{tmp_path / 'none.jsonl'}")
    with pytest.raises(UsageError, match="replay:FILE"):
        open_extractor("gpt")
