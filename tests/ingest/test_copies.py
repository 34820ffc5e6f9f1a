"""The same text under two paths is one source with two addresses."""

from pathlib import Path

import pytest

from hlg.graph import LexicalGraph
from hlg.records import ALSO_AT, Source
from hlg.reports import BuildReport
from support.command_line import ran

TEXT = "Edith Vale founded Oake Yard. Oake Yard built the Petrel."
OTHER = "Jonas Wiek built Skarn Light."


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    for name in ("a/yard.txt", "b/copy.txt", "b/sub/again.txt", "b/light.txt"):
        path = tmp_path / "notes" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(OTHER if "light" in name else TEXT)
    return tmp_path / "notes"


def build(notes: Path, *parts: str, prune: bool = False) -> BuildReport:
    with LexicalGraph.open(notes.parent / "g.lbug") as graph:
        return graph.build([notes / part for part in parts or (".",)], prune=prune)


def sources(notes: Path) -> dict[str, list[str]]:
    """The further addresses of each source, by the names of files."""
    with LexicalGraph.open(notes.parent / "g.lbug") as graph:
        return {Path(each.uri).name: addresses(each) for each in graph.sources()}


def addresses(source: Source) -> list[str]:
    return [Path(each).name for each in source.metadata.get(ALSO_AT, ())]


def test_copies_are_addresses_of_the_first_and_a_second_build_changes_nothing(
    notes: Path,
) -> None:
    report = build(notes)
    assert (report.added, report.copies, report.failed) == (2, 2, ())
    assert sources(notes) == {"yard.txt": ["copy.txt", "again.txt"], "light.txt": []}
    with LexicalGraph.open(notes.parent / "g.lbug") as graph:
        revision = graph.status().revision
        assert graph.store.counts()["Statement"] == 3
        found = graph.retrieve("Who founded Oake Yard?", where='path like "*/copy.txt"')
        assert found[0].passage.source.uri.endswith("yard.txt")
    again = build(notes)
    assert (again.skipped, again.copies, again.added, again.deleted) == (2, 2, 0, 0)
    with LexicalGraph.open(notes.parent / "g.lbug") as graph:
        assert graph.status().revision == revision


def test_a_copy_that_is_built_by_itself_is_known_again(notes: Path) -> None:
    build(notes)
    report = build(notes, "b")
    assert (report.added, report.skipped, report.copies) == (0, 1, 2)
    assert sources(notes)["yard.txt"] == ["copy.txt", "again.txt"]


def test_sources_of_one_text_become_one_where_they_meet(notes: Path) -> None:
    build(notes, "b/copy.txt")
    build(notes, "a")
    assert sources(notes) == {"copy.txt": [], "yard.txt": []}
    report = build(notes)
    assert (report.deleted, report.copies) == (1, 2)
    assert sources(notes) == {"yard.txt": ["copy.txt", "again.txt"], "light.txt": []}


def test_a_copy_that_changes_is_a_source_of_its_own(notes: Path) -> None:
    build(notes)
    (notes / "b/copy.txt").write_text("Mara Quill sold the Gannet.")
    assert build(notes).added == 1
    assert sources(notes) == {"yard.txt": ["again.txt"], "copy.txt": [], "light.txt": []}


def test_where_the_first_changes_or_goes_a_copy_takes_its_place(notes: Path) -> None:
    build(notes)
    (notes / "a/yard.txt").write_text("Mara Quill sold the Gannet.")
    report = build(notes)
    assert (report.added, report.changed) == (1, 1)
    assert sources(notes) == {"yard.txt": [], "copy.txt": ["again.txt"], "light.txt": []}
    (notes / "b/copy.txt").unlink()
    assert build(notes, prune=True).deleted == 1
    assert sources(notes) == {"yard.txt": [], "again.txt": [], "light.txt": []}


def test_an_address_goes_with_its_file_where_that_is_asked_for(notes: Path) -> None:
    build(notes)
    (notes / "b/copy.txt").unlink()
    build(notes)
    assert sources(notes)["yard.txt"] == ["copy.txt", "again.txt"]
    build(notes, prune=True)
    assert sources(notes)["yard.txt"] == ["again.txt"]


def test_records_of_one_file_stay_apart(tmp_path: Path) -> None:
    lines = (f'{{"id": "{number}", "text": "{TEXT}"}}\n' for number in range(2))
    (tmp_path / "corpus.jsonl").write_text("".join(lines))
    with LexicalGraph.open(tmp_path / "g.lbug") as graph:
        assert graph.build([tmp_path / "corpus.jsonl"]).added == 2


def test_the_command_says_so(notes: Path) -> None:
    store = str(notes.parent / "g.lbug")
    result = ran("build", str(notes), "--store", store)
    assert "copies: 2 of them have the text of another" in result.output


def test_any_address_deletes_the_source_from_all_of_them(notes: Path) -> None:
    build(notes)
    store = ["--store", str(notes.parent / "g.lbug")]
    with LexicalGraph.open(notes.parent / "g.lbug") as graph:
        (first,) = (each for each in graph.sources() if each.uri.endswith("yard.txt"))
    done = ran("sources", "delete", first.addresses[1], "--yes", *store)
    assert all(address in done.stdout for address in first.addresses)
    assert sources(notes) == {"light.txt": []}
    assert build(notes, "b").added == 1
