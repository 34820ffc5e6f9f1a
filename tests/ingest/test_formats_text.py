"""Formats that are text: titles, sections, metadata, records, delimiters and languages."""

import gzip
import io
import json
import time
import zipfile
from pathlib import Path

import pytest

from hlg.ingest.load.file import RecordFields
from hlg.ingest.load.limits import Limits
from hlg.ingest.load.sources import load
from hlg.records import Document
from hlg.reports import Failure


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, empty."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(
    name: str, data: str | bytes, **options: RecordFields | Limits
) -> list[Document | Failure]:
    Path(name).write_bytes(data.encode() if isinstance(data, str) else data)
    return [each for each in load([name], **options) if isinstance(each, Document | Failure)]  # type: ignore[arg-type]


def read(name: str, data: str | bytes, **options: RecordFields | Limits) -> list[Document]:
    documents = found(name, data, **options)
    assert all(isinstance(each, Document) for each in documents), documents
    return [each for each in documents if isinstance(each, Document)]


def only(name: str, data: str | bytes, **options: RecordFields | Limits) -> Document:
    (document,) = read(name, data, **options)
    return document


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


def test_front_matter_is_metadata() -> None:
    text = "---\ntitle: T\ndate: 2024-02-03\ntags: [a, b]\nempty:\n---\nText."
    assert only("a.md", text).metadata == {"date": "2024-02-03", "tags": ["a", "b"]}


def test_front_matter_that_is_a_bomb_or_broken_is_no_metadata() -> None:
    bomb = "---\na: &a [x, x]\nb: &b [*a, *a]\n---\nText."
    assert only("a.md", bomb).metadata == {}
    assert only("b.md", "---\na: [\n---\nText.").metadata == {}
    started = time.perf_counter()
    assert only("c.md", "---\n" + "a: b\n" * 200_000 + "---\nText.").metadata == {}
    assert time.perf_counter() - started < 3


def test_rst_gives_headings_lists_tables_code_and_the_text_of_roles() -> None:
    text = """
The organ
=========

See :ref:`the guide <guide>` and :py:class:`~hlg.graph.LexicalGraph`, or ``x``.

.. toctree:: :maxdepth: 2

.. versionadded:: 2.1 It plays by itself.

.. function:: play(tide)
   :noindex:

   Plays at the *tide*.

Pipes
-----

* tin
* lead

====  ===
Year  Sum
====  ===
2001  5
====  ===

::

    a = 1

.. include:: /etc/passwd
"""
    document = only("a.rst", text)
    assert document.title == "The organ"
    assert document.text == (
        "# The organ\n\nSee the guide and LexicalGraph, or x.\n\n2.1 It plays by itself.\n\n"
        "play(tide)\n\nPlays at the tide.\n\n## Pipes\n\n- tin\n- lead\n\n"
        "| Year | Sum |\n| --- | --- |\n| 2001 | 5 |\n\n```\na = 1\n```"
    )


def test_the_name_of_a_field_stands_with_its_text() -> None:
    text = ":Number of pipes: 14\n\n:Metals:\n    - tin\n    - lead\n\n:Empty:\n"
    assert only("a.rst", text).text == "Number of pipes: 14\n\nMetals:\n\n- tin\n- lead\n\nEmpty:"
    page = "<dl><dt>Maker:</dt><dd>Ada</dd><dt>play(tide)</dt><dd>Plays.</dd></dl><p>End.</p>"
    assert only("a.html", page).text == "Maker: Ada\n\nplay(tide)\n\nPlays.\n\nEnd."


def test_html_leaves_navigation_out_and_keeps_what_the_head_says() -> None:
    html = """<html lang="en"><head><title>Organ - Docs</title>
    <meta name="author" content="Ada"><meta name="description" content="On pipes"></head><body>
    <nav>Home</nav><div class="sphinxsidebar">Previous topic</div><div role="main">
    <h1>Organ<a class="headerlink" href="#organ">¶</a></h1><p>It has 40 pipes of tin, and the
    tide plays them.</p><div class="toc">1. Organ</div></div><footer>Copyright</footer></body>"""
    document = only("a.html", html)
    assert document.text == "# Organ\n\nIt has 40 pipes of tin, and the tide plays them."
    assert document.title == "Organ - Docs"
    assert document.metadata["author"] == "Ada"
    assert document.metadata["description"] == "On pipes"


def test_a_page_that_is_only_navigation_is_read_whole() -> None:
    assert only("a.html", "<nav><ul><li>One</li></ul></nav>").text == "- One"


def test_docbook_gives_titles_paragraphs_and_tables() -> None:
    xml = """<?xml version="1.0"?><!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/passwd">]>
    <article><title>The organ</title><sect1><title>Pipes</title><para>Of <emphasis>tin</emphasis>
    &x; only.</para><itemizedlist><listitem><para>one</para></listitem></itemizedlist>
    <programlisting>a = 1</programlisting><informaltable><tgroup><tbody><row><entry>Year</entry>
    <entry>Sum</entry></row><row><entry>2001</entry><entry>5</entry></row></tbody></tgroup>
    </informaltable></sect1></article>"""
    document = only("a.xml", xml)
    assert document.title == "The organ"
    assert document.text == (
        "# The organ\n\n## Pipes\n\nOf tin only.\n\none\n\n```\na = 1\n```\n\n"
        "| Year | Sum |\n| --- | --- |\n| 2001 | 5 |"
    )


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


def test_tables_in_utf_16_and_text_in_latin_1_are_read() -> None:
    assert only("a.csv", "name;Größe\nHelix;5\n".encode("utf-16")).text.startswith("name;Größe")
    latin = "Der Käufer überwies fünfzig Euro für die Größe der Tür. Das hören wir häufig."
    assert only("a.txt", latin.encode("latin-1")).text == latin


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


PYTHON = '''#!/usr/bin/env python
"""Organs and their pipes."""
import os

# How many pipes there are.
PIPES = 40


class Organ:
    """An organ by the sea."""

    def play(self, tide: int) -> str:
        """Play one note.

        Louder at high tide.
        """
        return "C" * tide


@cached
def tune(organ):
    return organ
'''


def test_python_gives_definitions_as_sections_with_their_docstrings() -> None:
    document = only("organ.py", PYTHON)
    headings = [line for line in document.text.splitlines() if line.startswith("#")]
    assert headings[0] == "# organ.py"
    assert "## class Organ" in headings
    assert "### def play(self, tide: int) -> str" in headings
    assert "## def tune(organ)" in headings
    prose = "Play one note.\n\nLouder at high tide.\n\n```python\ndef play"
    assert prose in document.text
    assert "\n\nAn organ by the sea.\n\n" in document.text
    assert "\n\nOrgans and their pipes.\n\n" in document.text


def test_other_languages_give_comments_as_text() -> None:
    comment = "/**\n * Plays a note.\n * @param tide how high\n */\n"
    script = comment + "function play(tide) {\n  return 1;\n}\n"
    assert only("a.js", script).text == (
        "# a.js\n\n## function play(tide)\n\nPlays a note.\n@param tide how high\n\n"
        "```javascript\nfunction play(tide) {\n  return 1;\n}\n```"
    )
    shell = "#!/bin/sh\n# Backs up\n# the organ.\ntar c organ\n"
    assert only("b.sh", shell).text == (
        "# b.sh\n\nBacks up\nthe organ.\n\n```bash\ntar c organ\n```"
    )
    commented = "x=1\n# Usage: push array value\n#\n# Appends it.\npush() { :; }  # no text\n#\n"
    assert only("c.sh", commented).text == (
        "# c.sh\n\n```bash\nx=1\n```\n\nUsage: push array value\n\nAppends it.\n\n"
        "```bash\npush() { :; }  # no text\n#\n```"
    )


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
    (failure,) = found(
        "b.txt.gz", gzip.compress(b"x" * 3_000_000), limits=Limits(unpacked_bytes=2**20)
    )
    assert isinstance(failure, Failure)
    assert "unpacks to more than 1 MiB" in failure.reason
    (cut,) = found("c.txt.gz", gzip.compress(b"Some text " * 100)[:-20])
    assert isinstance(cut, Failure)
    assert "broken gzip file" in cut.reason


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


KINDS = {
    "a.tex": (
        r"\documentclass{article}\title{On \emph{Tides}}\author{A. B\"uchner}\begin{document}"
        "\\section{Intro} Water~rises~\\cite{k} by 5\\% if $x^2$ --- often\\footnote{No.}. % c\n"
        r"\begin{itemize}\item one \item[two] b\end{itemize}\begin{tabular}{ll}A & B \\ 1 & 2"
        r"\end{tabular}\end{document}",
        "On Tides",
        "## Intro\n\nWater rises by 5% if $x^2$ — often (No.).\n\n- one \n- two:  b\n\n"
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ),
    "a.org": (
        "#+TITLE: Harbour\n* TODO Works :tag:\n:PROPERTIES:\n:ID: 1\n:END:\nSee [[http://x][it]].\n"
        "+ item\n| a | b |\n|---+---|\n| 1 | 2 |\n#+BEGIN_SRC python\nx = 1\n#+END_SRC\n",
        "Harbour",
        "# Works\n\nSee it.\n- item\n\n| a | b |"
        "\n| --- | --- |\n| 1 | 2 |\n\n```python\nx = 1\n```",
    ),
    "a.adoc": (
        "= Guide\n:author: Ann Lee\n\nSee link:http://x[it] and <<a,there>>.\n\n* one\n** two\n\n"
        "[source]\n----\nx = 1\n----\n|===\n|A |B\n\n|1 |2\n|===\n",
        "Guide",
        "# Guide\n\nSee it and there.\n\n- one\n  - two\n\n```\nx = 1\n```\n\n"
        "| A | B |\n| --- | --- |\n| 1 | 2 |",
    ),
    "a_town.mediawiki": (
        "{{Box|a={{b}}}}'''Oake''' is a [[town|small town]].<ref>x</ref>\n== Past ==\n"
        '* It [http://x burned].\n{|\n! A !! B\n|-\n| style="c" | 1 || 2\n|}',
        "a town",
        "Oake is a small town.\n\n## Past\n\n- It burned.\n\n| A | B |\n| --- | --- |\n| 1 | 2 |",
    ),
    "a.srt": (
        "1\n00:00:01,000 --> 00:00:02,000\n<i>It</i>\nburned.\n\n"
        "2\n00:01:00,000 --> 00:01:01,000\nOh.\n",
        "a",
        "It\nburned.\n\nOh.",
    ),
    "a.yaml": (
        "title: Port\nowner:\n  since: 2001-02-03\n",
        "Port",
        "title: Port\nowner.since: 2001-02-03",
    ),
    "a.toml": ('[tool]\nname = "x"\n', "a", "tool.name: x"),
    "b.yaml": ("a: &x 1\nb: *x\n", "b", "a: &x 1\nb: *x\n"),
    "a.bib": (
        "@string{j = {J}}\n"
        "@article{k, title = {Literate {P}rogramming}, year=1984, journal=j # { C}}",
        "Literate Programming",
        "kind: article\ntitle: Literate Programming\nyear: 1984\njournal: j C",
    ),
    "a.ics": (
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:u1\r\nSUMMARY:Board\\, me\r\n et\r\n"
        "DTSTART:20240131T090000Z\r\nATTENDEE;CN=Ann:mailto:a@x.org\r\nBEGIN:VALARM\r\n"
        "DESCRIPTION:no\r\nEND:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
        "Board, meet",
        "title: Board, meet\nstart: 2024-01-31 09:00\nattendee: Ann <a@x.org>",
    ),
    "a.vcf": (
        "BEGIN:VCARD\nFN:Ada Thorne\nADR:;;1 Mill St;Oake;;;UK\nPHOTO;ENCODING=b:AAAA\nEND:VCARD\n",
        "Ada Thorne",
        "name: Ada Thorne\naddress: 1 Mill St, Oake, UK",
    ),
    "a.geojson": (
        '{"features": [{"properties": {"name": "Oake"}, "geometry": {"type": "Point", '
        '"coordinates": [1.5, 2]}}]}',
        "Oake",
        "name: Oake\ntitle: Oake\ncoordinates: 1.5, 2",
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_what_other_kinds_say_is_text_with_a_title(name: str, tmp_path: Path) -> None:
    data, title, text = KINDS[name]
    (tmp_path / name).write_text(data)
    (document,) = load([tmp_path])
    assert isinstance(document, Document)
    assert (document.title, document.text) == (title, text)


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
