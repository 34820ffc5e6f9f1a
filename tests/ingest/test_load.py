"""Loading: every kind of document, each bad one named, and nothing altered."""

import io
import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.ingest.load.limits import Limits
from hlg.ingest.load.sources import covered_by, list_files, load, uri_of
from hlg.records import Document
from hlg.reports import Failure, LeftOut
from hlg.settings import SETTINGS_FILE
from support.files import only, reason, write
from support.pdf import pdf

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


pytestmark = pytest.mark.usefixtures("folder")


def uris(*paths: str | Path) -> list[str]:
    return [found.uri for found in load(paths)]


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), min_size=1))
def test_text_is_never_altered(text: str) -> None:
    text = f"Keep: _this_ \t{text}\r\nas\rit is\n"
    assert only(write("a.txt", text)).text == text


@pytest.mark.parametrize(
    ("name", "content", "title", "media_type"),
    [
        ("annual_report-2023.txt", "x", "annual report 2023", "text/plain"),
        ("a.md", "intro\n\n## Helix *Ltd* ##\n\n# Second", "Helix Ltd", "text/markdown"),
        ("b.md", '---\ndate: 1\ntitle: "The firm"\n---\n# Other', "The firm", "text/markdown"),
        ("no_heading.MD", "text", "no heading", "text/markdown"),
        (
            "paper.txt",
            "Licence: free for all readers\nHarbour Institute\nTides of the Long Sound\n"
            "Ada Thorne\n\nAbstract\nWe count.",
            "Tides of the Long Sound",
            "text/plain",
        ),
        ("p2.txt", "# Why Tides?\nAda Thorne\n### Abstract\nWe.", "Why Tides?", "text/plain"),
        ("p3.txt", "Notes On Many Long Tides\nwe count", "p3", "text/plain"),
        ("c.html", "<title>T\n t</title><h1>H</h1>x", "T t", "text/markdown"),
        ("d.htm", "<h1>H <i>i</i></h1>x", "H i", "text/markdown"),
        ("e.csv", "a,b\n1,2\n", "e", "text/csv"),
        ("f.tsv", "a\tb\n1\t2\n", "f", "text/tab-separated-values"),
        ("g.json", "[1, 2]", "g", "application/json"),
        ("h.pdf", pdf("Hello", title="Paper"), "Paper", "text/markdown"),
        ("i_i.pdf", pdf("Hello"), "i i", "text/markdown"),
    ],
)
def test_each_kind_has_its_title_and_media_type(
    name: str, content: str | bytes, title: str, media_type: str
) -> None:
    document = only(write(name, content))
    assert (document.uri, document.title, document.media_type) == (name, title, media_type)
    if media_type != "text/markdown" and isinstance(content, str):
        assert document.text == content


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfna\xc3\xafve caf\xc3\xa9",
        "\ufeffnaïve café".encode("utf-16-le"),
        "\ufeffnaïve café".encode("utf-16-be"),
        "\ufeffnaïve café".encode("utf-32-le"),
        "\ufeffnaïve café".encode("utf-32-be"),
        "naïve café".encode(),
    ],
)
def test_byte_order_marks_are_read_and_removed(data: bytes) -> None:
    assert only(write("a.txt", data)).text == "naïve café"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Der Käufer überwies fünfzig Euro für die Größe der Tür. Das hören wir häufig.", "cp1252"),
        ("Москва является столицей России. Это очень большой город на реке.", "cp1251"),
        ("Le café de la gare est fermé.", "latin-1"),
        ("El niño comió piñas en España.", "latin-1"),
        ("Åsa går på en väg i Göteborg.", "latin-1"),
        ("Élève", "cp1252"),
        ("It cost £5 at 20°C.", "latin-1"),
        ("Привет, мир", "cp1251"),
        ("Łódź jest dużym miastem w Polsce.", "iso8859-2"),
        ("İstanbul şehri güzeldir.", "cp1254"),
        ("Le café est fermé", "cp850"),
        ("東京は日本の首都です。人口はとても多いです。", "shift_jis"),
        ("Élodie Lefèvre, Zoë Müller, Zürich, Jürgen Weiß", "latin-1"),
        ("Zoë, Søren, François, Müller, Ñandú", "latin-1"),
        ("A naïve café.\r\nIt costs 9 €.", "utf-16-le"),
        ("A naïve café.\r\nIt costs 9 €.", "utf-16-be"),
        ("Москва является столицей России.", "utf-16-le"),
    ],
)
def test_other_encodings_are_recognised(text: str, encoding: str) -> None:
    assert only(write("a.txt", text.encode(encoding))).text == text


def test_an_html_file_says_its_own_encoding() -> None:
    html = '<meta charset="iso-8859-2"><p>Łódź</p>'.encode("iso-8859-2")
    assert only(write("a.html", html)).text == "Łódź"


@given(st.text(alphabet="<>/ab=\"'&;!-tdrplih123 \n", max_size=80))
def test_no_html_breaks_the_reader(html: str) -> None:
    assert len(list(load([write("a.html", html)]))) == 1


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "", "empty"),
        ("a.txt", " \n\t\u2003", "empty"),
        ("a.md", "\ufeff", "empty"),
        ("a.html", "<p> </p>", "empty"),
        ("a.pdf", "", "empty"),
        ("a.json", " ", "empty"),
        ("a.jsonl", "\n\n", "empty"),
        ("a.txt", PNG, ".*picture"),
        ("a.txt", b"a\0b" * 9, "binary, not text"),
        ("a.csv", bytes(range(256)), "binary, not text"),
        ("a.txt", b"\xff\xfea", "not valid UTF-16 text"),
        ("a.pdf", b"%PDF-1.4 broken", "broken PDF"),
        ("a.pdf", pdf("Hello")[:300], "broken PDF"),
        ("a.pdf", pdf(), "empty"),
        ("a.pdf", pdf("Hello", password="secret"), "encrypted PDF"),
        ("a.json", '{"a": \n 1,}', "not valid JSON: .* \\(line 2, column"),
        ("a.json", "[" * 100_000, "not valid JSON"),
        ("a.json", "9" * 10_000, "not valid JSON: Exceeds the limit"),
    ],
)
def test_what_cant_be_read_is_a_failure_with_its_reason(
    name: str, content: str | bytes, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = write(name, content)
    (failure,) = load([path])
    assert isinstance(failure, Failure)
    assert failure.uri == name
    assert re.match(message, failure.reason), failure.reason
    assert capfd.readouterr() == ("", "")


def test_a_file_over_the_limit_is_named_with_the_setting() -> None:
    write("a.txt", "x" * 2_000_000)
    message = "a file of more than 1 MiB; raise the setting max_file_mb"
    assert reason("a.txt", limits=Limits(file_bytes=2**20)) == message
    assert only("a.txt").text == "x" * 2_000_000


def test_what_is_no_file_is_a_failure() -> None:
    os.mkfifo("pipe.txt")
    assert reason("pipe.txt") == "not a regular file"
    assert reason("gone.txt") == "No such file or directory"
    Path("dangling.md").symlink_to("nowhere")
    assert reason("dangling.md") == "No such file or directory"
    assert reason("*.pdf") == "nothing matches"
    assert reason("x" * 300) == "File name too long"
    assert reason("*?" * 15_000) == "30,000 characters, and no path has so many"
    Path("a.txt").mkdir()
    assert reason("a.txt").startswith("no documents in this folder")


def test_jsonl_records_and_each_broken_line() -> None:
    lines: list[object] = [
        {"_id": "a", "id": "z", "title": "A", "text": "One\r\n two", "year": 1999, "empty": None},
        {"id": 7, "text": "x", "metadata": {"url": "u"}},
        {"text": "no id"},
        {"_id": "a", "text": "again"},
        {"_id": "b", "text": ""},
        {"_id": "c", "title": "no text"},
        [1],
        {"_id": "d", "text": "\ud800\x00' }) DETACH DELETE n //"},
    ]
    data = "\ufeff" + "\n\n".join(map(json.dumps, lines)) + '\n{"_id": "e", "te\n\xe9'
    write("r.jsonl", data.encode("latin-1", "ignore").replace(b"{", b"\xef\xbb\xbf{", 1))
    found = list(load(["r.jsonl"]))
    documents = [item for item in found if isinstance(item, Document)]
    assert [item.uri for item in documents] == ["r.jsonl#a", "r.jsonl#7", "r.jsonl#5", "r.jsonl#d"]
    assert documents[0] == Document("r.jsonl#a", "A", "One\r\n two", {"year": 1999})
    assert documents[1].metadata == {"url": "u"}
    assert documents[3].text == "\ud800\x00' }) DETACH DELETE n //"
    failures = {item.uri: item.reason for item in found if isinstance(item, Failure)}
    assert failures == {
        "r.jsonl:7": "has the same id as r.jsonl:1, which was kept",
        "r.jsonl:9": "empty text",
        "r.jsonl:11": 'no record: an object with a string "text" is needed',
        "r.jsonl:13": 'no record: an object with a string "text" is needed',
        "r.jsonl:16": failures["r.jsonl:16"],
        "r.jsonl:17": "not UTF-8, which JSONL has to be",
    }
    assert failures["r.jsonl:16"].startswith("not valid JSON")


def test_a_line_over_the_limit_is_named_and_the_rest_lands() -> None:
    long = json.dumps({"_id": "long", "text": "x" * 3_000_000})
    short = json.dumps({"_id": "short", "text": "x"})
    write("r.jsonl", f"{long}\n{short}\n{long}")
    found = list(load(["r.jsonl"], limits=Limits(file_bytes=2**20)))
    assert [item.uri for item in found] == ["r.jsonl:1", "r.jsonl#short", "r.jsonl:3"]
    assert isinstance(found[0], Failure)
    assert "line of more than 1 MiB; raise the setting max_file_mb" in found[0].reason


def test_json_is_a_record_a_list_of_records_or_text() -> None:
    write("one.json", '{"id": "x", "text": "hello", "title": 1984}')
    write("list.json", '[{"text": "a"}, {"_id": "b", "text": "c"}, 3]')
    assert only("one.json") == Document("one.json#x", "1984", "hello")
    assert uris("list.json") == ["list.json#1", "list.json#b", "list.json:3"]


def test_folders_are_searched_in_order_without_hidden_files_or_loops() -> None:
    for name in ("docs/b.txt", "docs/a/z.md", "docs/c.jsonl", "docs/.hidden.txt", "docs/.git/x.md"):
        write(name, '{"_id": "r", "text": "x"}')
    write("docs/picture.png", PNG)
    write("docs/program.py", "print()")
    write("docs/blob.bin", PNG)
    Path("docs/a/loop").symlink_to("..")
    Path("docs/again.txt").symlink_to("b.txt")
    write("docs/settings.cfg", "a = 1")
    write(f"docs/{SETTINGS_FILE}", "llm_api_key = 'secret'")
    write("docs/README", "Read me.")
    write("docs/data", PNG)
    read = ["docs/README", "docs/a/z.md", "docs/b.txt", "docs/c.jsonl#r", "docs/program.py"]
    assert [found.uri for found in load(["docs"]) if isinstance(found, Document)] == read
    left_out = {found.uri: found.kind for found in load(["docs"]) if isinstance(found, LeftOut)}
    assert left_out == {
        "docs/blob.bin": "binary files",
        "docs/data": "binary files",
        f"docs/{SETTINGS_FILE}": "settings of hlg",
        "docs/picture.png": "pictures",
        "docs/settings.cfg": ".cfg files",
    }
    assert [found for found in load(["docs"]) if isinstance(found, Failure)] == []
    assert {each[0] for each in list_files(["docs"]) if isinstance(each, tuple)} == {
        uri.removesuffix("#r") for uri in read
    }
    assert uris("docs/**/*.md") == ["docs/a/z.md"]
    assert "print()" in only("docs/program.py").text
    assert only("docs/settings.cfg").text == "a = 1"
    assert "picture" in reason("docs/picture.png")


def test_a_file_has_one_uri_however_it_is_spelt(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("docs/a.txt", "x")
    spellings = ["docs/a.txt", "./docs//a.txt", "docs/../docs/a.txt", folder / "docs" / "a.txt"]
    assert {uri_of(spelling) for spelling in spellings} == {"docs/a.txt"}
    assert uris(*spellings, "docs", "d*/*.txt") == ["docs/a.txt"]
    monkeypatch.chdir(folder / "docs")
    assert uris(folder / "docs") == ["a.txt"]
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert uris("../docs") == [(folder / "docs/a.txt").resolve().as_posix()]


def test_what_paths_cover_is_what_they_could_have_named(folder: Path) -> None:
    write("docs/r.jsonl", "{}")
    assert covered_by(["docs"])("docs/sub/gone.txt")
    assert not covered_by(["docs"])("docs2/gone.txt")
    assert covered_by(["docs/r.jsonl"])("docs/r.jsonl#gone#1")
    assert not covered_by(["docs/r.jsonl"])("docs/r.jsonl.txt")
    assert covered_by([folder])("docs/gone.txt")
    assert not covered_by(["."])("/elsewhere/gone.txt")
    assert covered_by(["docs/*.jsonl"])("docs/gone.jsonl#7")
    assert not covered_by(["docs/*.jsonl"])("docs/sub/gone.jsonl")
    assert covered_by(["docs/**/*.txt"])("docs/a/b/gone.txt")
    assert covered_by(["docs/**/*.txt"])("docs/gone.txt")
    assert not covered_by(["-"])("docs/gone.txt")


def from_stdin(
    monkeypatch: pytest.MonkeyPatch, data: bytes, limits: Limits | None = None
) -> list[Document | Failure]:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    return list(load(["-"], limits=limits))


def test_standard_input_is_records_or_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    (text,) = from_stdin(monkeypatch, b"# Note\n\nAda founded Helix.\n")
    assert isinstance(text, Document)
    assert (text.title, text.text) == ("Note", "# Note\n\nAda founded Helix.\n")
    assert from_stdin(monkeypatch, b"# Note\n\nAda founded Helix.\n") == [text]
    (other,) = from_stdin(monkeypatch, b"other")
    assert other.uri.startswith("stdin#")
    assert other.uri != text.uri
    records = b'{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}\nbroken'
    assert [found.uri for found in from_stdin(monkeypatch, records)] == [
        "stdin#1",
        "stdin#2",
        "stdin:3",
    ]
    assert from_stdin(monkeypatch, b" \n") == [Failure("stdin", "empty")]
    assert from_stdin(monkeypatch, PNG) == [Failure("stdin", "binary, not text")]
    (large,) = from_stdin(monkeypatch, b"x" * 3_000_000, Limits(file_bytes=2**20))
    assert isinstance(large, Failure)
    assert "text of more than 1 MiB" in large.reason


def test_few_documents_are_read_before_they_are_asked_for() -> None:
    names = [write(f"{number}.txt", "x").name for number in range(20)]
    found = load([*names, "later.txt"])
    assert next(found).uri == "0.txt"
    write("later.txt", "written after loading began")
    *_, last = found
    assert isinstance(last, Document)


def test_a_link_has_the_title_of_its_target() -> None:
    write("kept/annual_report.txt", "Ada founded Helix.")
    Path("link.txt").symlink_to("kept/annual_report.txt")
    assert only("link.txt") == only("kept/annual_report.txt")
    assert only("link.txt").title == "annual report"


def test_metadata_is_held_to_bounds_and_says_what_it_lost() -> None:
    def nested(depth: int) -> object:
        return [nested(depth - 1)] if depth else 1

    fields = {"year": 1911, "deep": nested(500), "wide": {str(i): i for i in range(200_000)}}
    front = f"---\nyear: 1911\ndeep: {nested(60)}\nlong: {'x' * 10}\n---\nHelix."
    write("r.jsonl", json.dumps({"text": "Helix.", "title": "t" * 5_000, **fields}))
    write("a.md", front)
    for name, lost in (("r.jsonl", ["deep", "wide"]), ("a.md", ["deep"])):
        document = only(name)
        assert document.metadata["year"] == 1911
        assert document.metadata["unread_fields"] == lost
        assert not {"deep", "wide"} & set(document.metadata)
        assert len(document.title) <= 1_000
