"""Formats that are text: titles, sections, metadata, records, delimiters and languages."""

import gzip
import io
import json
import time
import zipfile
from pathlib import Path

import pytest
import yaml

from hlg.ingest.load.file import RecordFields
from hlg.ingest.load.limits import Limits
from hlg.ingest.load.sources import load
from hlg.ingest.text.headings import plain_title
from hlg.records import Document
from hlg.reports import Failure
from support.files import found, only, read, reason

DATA = Path(__file__).parent.parent / "data" / "kinds"
"""A file of each kind, and beside it its title, metadata and text."""
KINDS = sorted(path.name for path in DATA.iterdir() if path.suffix != ".md")


pytestmark = pytest.mark.usefixtures("folder")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The organ\n=========\n\nText.", "The organ"),
        ("Text.\n\nThe *tide*\norgan\n---\n", "The tide organ"),
        ("<div><h1 class='x'>The <b>organ</b></h1></div>\n\n## Later", "The organ"),
        ("```\n# no heading\n```\n\n## Yes", "Yes"),
        ("+++\ntitle = 'Toml'\n+++\n# Other", "Toml"),
        ("---\nno front matter\n---\n", "no front matter"),
        ("plain", "a"),
    ],
)
def test_markdown_finds_its_title(text: str, title: str) -> None:
    document = only("a.md", text)
    assert (document.title, document.text) == (title, text)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("The lighthouse of Skarvnes\n\nIt stands on an island.", "The lighthouse of Skarvnes"),
        ("\nMinutes of the board\n12 March 2025, hall\n\nPresent: Ada", "Minutes of the board"),
        ("It stands on an island.\n\nIt is old.", ""),
        ("Ada: Hello\n\nBob: Hi", ""),
        ("A line that was cut where\nthe page ended, as a mail is.\n\nMore.", ""),
        ("- milk\n- bread\n\nFriday", ""),
        ("One line alone", ""),
        (
            "Harbour Studies Today, Vol. 12\n\nOrgans and the Reefs They Guard\n\nAbstract\nWe",
            "Organs and the Reefs They Guard",
        ),
    ],
)
def test_plain_text_is_called_by_the_line_that_stands_first_and_apart(
    text: str, title: str
) -> None:
    assert plain_title(text) == title


def test_front_matter_is_metadata() -> None:
    text = "---\ntitle: T\ndate: 2024-02-03\ntags: [a, b]\nempty:\n---\nText."
    assert only("a.md", text).metadata == {"date": "2024-02-03", "tags": ["a", "b"]}


def test_front_matter_that_is_a_bomb_or_broken_is_no_metadata() -> None:
    bomb = "---\na: &a [x, x]\nb: &b [*a, *a]\n---\nText."
    assert only("a.md", bomb).metadata == {}
    assert only("b.md", "---\na: [\n---\nText.").metadata == {}
    started = time.perf_counter()
    assert only("c.md", "---\n" + "a: b\n" * 200_000 + "---\nText.").metadata == {}
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize(
    ("name", "text", "media_type"),
    [
        ("a.csv", "name;sum\nHelix;5,1\nTern;2,2\n", "text/csv;delimiter=semicolon"),
        ("a.csv", 'name,note\nHelix,"a;b;c"\n', "text/csv"),
        ("a.csv", "name\tsum\nHelix\t5\n", "text/tab-separated-values"),
        ("a.tsv", "name\tsum\nHelix\t5\n", "text/tab-separated-values"),
        ("a.csv", "name|sum\nHelix|5\n", "text/csv;delimiter=pipe"),
        ("a.csv", "just one column\nof words\n", "text/csv"),
    ],
)
def test_the_delimiter_of_a_table_is_found(name: str, text: str, media_type: str) -> None:
    document = only(name, text)
    assert (document.media_type, document.text) == (media_type, text)


def test_fields_of_records_have_the_names_that_are_given() -> None:
    lines = [
        {"key": 1, "question": "Who?", "answer": "Ada.", "year": 2024},
        {"question": "x", "answer": "y"},
        {"key": "k" * 2_000, "answer": "y"},
        {"key": 2},
    ]
    data = "\n".join(map(json.dumps, lines))
    fields = RecordFields(text="answer", id="key", title="question")
    first, *rest = found("a.jsonl", data, fields=fields)
    assert first == Document("a.jsonl#1", "Who?", "Ada.", {"year": 2024})
    assert [each.reason for each in rest if isinstance(each, Failure)] == [
        'it has no "key"',
        "its id is longer than 1,000 characters",
        'no record: an object with a string "answer" is needed',
    ]


def test_a_list_of_objects_is_a_document_each() -> None:
    items = [
        {"id": "a", "name": "Helix", "tags": ["x", "y"], "at": {"town": "Corven"}},
        {"name": "Tern"},
    ]
    first, second = read("a.json", json.dumps(items))
    assert (first.uri, first.text) == (
        "a.json#a",
        "id: a\nname: Helix\ntags: x, y\nat.town: Corven",
    )
    assert (second.uri, second.text) == ("a.json#2", "name: Tern")


def test_an_object_is_a_line_a_field_and_its_list_of_objects_a_table() -> None:
    organ = {
        "title": "The organ",
        "stops": [{"name": "Tern", "feet": 8}, {"name": "Gull", "feet": 4, "wood": True}],
        "odd": [{"a": 1}, {"b": 2}, {"c": 3}],
        "tuner": None,
        "players": [],
    }
    (document,) = read("a.json", json.dumps(organ))
    assert (document.uri, document.title) == ("a.json", "The organ")
    assert document.text.splitlines() == [
        "title: The organ",
        "",
        "stops:",
        "",
        "| name | feet | wood |",
        "| --- | --- | --- |",
        "| Tern | 8 |  |",
        "| Gull | 4 | True |",
        "",
        'odd: [{"a": 1}, {"b": 2}, {"c": 3}]',
    ]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The organ was built by the sea in 1901, and it is played by the tide every day.", "en"),
        (
            "L'orgue a été construit au bord de la mer en 1901 et la marée en joue tous les jours.",
            "fr",
        ),
        ("Die Orgel wurde 1901 am Meer gebaut, und die Flut spielt jeden Tag darauf.", "de"),
        ("オルガンは1901年に海辺に建てられ、潮が毎日それを奏でます。", "ja"),
        ("1901 2002 3003", None),
        ("Helix Ltd", None),
    ],
)
def test_the_language_of_a_document_is_metadata(text: str, language: str | None) -> None:
    assert only("a.txt", text).metadata.get("language") == language


def test_a_language_that_the_document_names_is_kept() -> None:
    text = "---\nlanguage: nl\n---\nThe organ was built by the sea, and it is played by the tide."
    assert only("a.md", text).metadata["language"] == "nl"


def test_packed_files_are_read_as_what_is_in_them() -> None:
    assert only("a.md.gz", gzip.compress(b"# Organ\n\nText.")).title == "Organ"
    bomb = reason("b.txt.gz", gzip.compress(b"x" * 3_000_000), limits=Limits(unpacked_bytes=2**20))
    assert "unpacks to more than 1 MiB" in bomb
    assert "broken gzip file" in reason("c.txt.gz", gzip.compress(b"Some text " * 100)[:-20])


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("entities.html", "<p>" + "&amp;&eacute;&foo; " * 60_000 + "</p>"),
        ("table.html", "<table>" + "<tr><td>a<td>b</tr>" * 40_000 + "</table>"),
        ("nested.html", "<div>" * 50_000 + "deep"),
        ("wide.csv", ",".join(f"c{i}" for i in range(60_000)) + "\n" + "1," * 60_000),
        ("open.md", "[" * 60_000),
        ("many.rst", "`" * 2_000),
        ("lines.txt", "a\n" * 300_000),
    ],
)
def test_reading_takes_time_by_size_alone(name: str, data: str) -> None:
    started = time.process_time()
    found(name, data)
    assert time.process_time() - started < 5


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_file_says_what_is_kept_beside_it(name: str) -> None:
    head, _, text = (DATA / f"{name}.md").read_text("utf-8").partition("\n\n")
    document = only(DATA / name)
    assert document.text == text
    told = {"title": document.title, **document.metadata}
    assert yaml.safe_load(head).items() <= told.items()


def test_archives_are_read_from_a_folder_and_counted_by_what_is_in_them(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("deep.txt", "Deep.")
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("../../m.md", "# Mill")
        archive.writestr("__MACOSX/m.md", "no")
        archive.writestr("inner.zip", inner.getvalue())
        archive.writestr("p.png", b"\x89PNG")
        archive.writestr("bad.json", "{")
    (tmp_path / "notes.gz").write_bytes(gzip.compress(b"The mill burned."))
    read = {each.uri.removeprefix("a.zip"): each for each in load([tmp_path])}
    told = {
        uri: each.format if isinstance(each, Document) else getattr(each, "kind", "")
        for uri, each in read.items()
    }
    assert told == {
        "#../../m.md": "Markdown",
        "#bad.json": "",
        "#inner.zip#deep.txt": "plain text",
        "#p.png": "pictures",
        "notes.gz": "plain text",
    }
    assert not (tmp_path.parent.parent / "m.md").exists()
