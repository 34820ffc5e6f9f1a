"""Office files, OpenDocument, books, mail and notebooks: what each gives, and bad ones named."""

import json
from email.message import EmailMessage
from io import BytesIO

import pytest

from hlg.ingest.load.limits import Limits
from support.files import read, reason, zipped

pytestmark = pytest.mark.usefixtures("folder")


def word() -> bytes:
    from docx import Document as Word

    document = Word()
    document.core_properties.title = "Annual plan"
    document.core_properties.author = "Ada Oake"
    document.add_heading("The plan", 0)
    document.add_heading("Costs", 1)
    document.add_paragraph("Helix spends 5 million.")
    document.add_paragraph("one", style="List Bullet")
    table = document.add_table(2, 2)
    for number, text in enumerate(("Year", "Sum", "2001", "5")):
        table.cell(*divmod(number, 2)).text = text
    file = BytesIO()
    document.save(file)
    return file.getvalue()


def slides() -> bytes:
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    assert slide.shapes.title is not None
    slide.shapes.title.text = "Results"
    slide.placeholders[1].text = "Sales rose.\nCosts fell."
    slide.notes_slide.notes_text_frame.text = "Thank the team."
    table = slide.shapes.add_table(2, 2, *map(Inches, (1, 1, 4, 1))).table
    for number, text in enumerate(("Year", "Sum", "2001", "5")):
        table.cell(*divmod(number, 2)).text = text
    deck.slides.add_slide(deck.slide_layouts[6])
    file = BytesIO()
    deck.save(file)
    return file.getvalue()


def workbook() -> bytes:
    from datetime import date

    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.title = "Sales"
    for row in (["Year", "Day", "Sum"], [], [2001, date(2001, 2, 3), 5.5], [2002, None, 7.0]):
        sheet.append(row)
    book.create_sheet("Empty")
    file = BytesIO()
    book.save(file)
    return file.getvalue()


OFFICE = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
TEXT = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
TABLE = 'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
DRAW = 'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"'


def opendocument(body: str, meta: str = "") -> bytes:
    content = (
        f"<office:document-content {OFFICE} {TEXT} {TABLE} {DRAW}>{body}</office:document-content>"
    )
    members = {"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content}
    if meta:
        dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
        members["meta.xml"] = f"<office:meta {OFFICE} {dc}>{meta}</office:meta>"
    return zipped(members)


def test_word_keeps_headings_lists_tables_and_properties() -> None:
    (document,) = read("plan.docx", word())
    assert document.text == (
        "# The plan\n\n# Costs\n\nHelix spends 5 million.\n\n- one\n\n| Year | Sum |\n| 2001 | 5 |"
    )
    assert (document.title, document.metadata["author"]) == ("Annual plan", "Ada Oake")
    assert document.format == "Word"


def test_powerpoint_is_a_section_a_slide_with_tables_and_notes() -> None:
    (document,) = read("deck.pptx", slides())
    assert document.text == (
        "## Results\n\n- Sales rose.\n- Costs fell.\n\n| Year | Sum |\n| --- | --- |\n| 2001 | 5 |"
        "\n\nThank the team.\n\n## Slide 2"
    )


def test_a_workbook_is_a_table_a_sheet() -> None:
    (document,) = read("book.xlsx", workbook())
    assert document.text == (
        "## Sales\n\n| Year | Day | Sum |\n| --- | --- | --- |\n"
        "| 2001 | 2001-02-03 | 5.5 |\n| 2002 |  | 7 |"
    )


def test_opendocument_keeps_headings_lists_tables_notes_and_slides() -> None:
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    row = "<table:table-row>{}</table:table-row>"
    rows = row.format(cell.format("Year") + cell.format("Sum"))
    rows += row.format(
        '<table:table-cell table:number-columns-repeated="2"><text:p>5</text:p></table:table-cell>'
    )
    body = (
        '<text:h text:outline-level="1">Costs</text:h><text:p>Helix<text:s/>spends<text:tab/>5'
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>in euros"
        "</text:p></text:note-body></text:note>.</text:p><text:list><text:list-item><text:p>one"
        "</text:p><text:list><text:list-item><text:p>two</text:p></text:list-item></text:list>"
        f"</text:list-item></text:list><table:table>{rows}</table:table>"
        '<draw:page draw:name="Last"><text:p>Bye</text:p></draw:page>'
    )
    (document,) = read("a.odt", opendocument(body, "<dc:title>Plan</dc:title>"))
    assert document.text == (
        "# Costs\n\nHelix spends 5 (in euros).\n\n- one\n  - two\n\n"
        "| Year | Sum |\n| --- | --- |\n| 5 | 5 |\n\n## Last\n\nBye"
    )
    assert document.title == "Plan"


def test_a_book_gives_its_chapters_in_the_order_of_its_spine() -> None:
    container = '<container><rootfiles><rootfile full-path="OPS/p.opf"/></rootfiles></container>'
    package = (
        '<package xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Gull'
        "</dc:title><dc:creator>Lotte Wiek</dc:creator></metadata><manifest>"
        '<item id="n" href="nav.xhtml" properties="nav"/><item id="b" href="two.xhtml"/>'
        '<item id="a" href="one%20x.xhtml"/></manifest><spine><itemref idref="n"/>'
        '<itemref idref="a"/><itemref idref="b"/><itemref idref="gone"/></spine></package>'
    )
    members = {
        "META-INF/container.xml": container,
        "OPS/p.opf": package,
        "OPS/nav.xhtml": "<p>Contents</p>",
        "OPS/two.xhtml": "<h1>Two</h1><p>Second.</p>",
        "OPS/one x.xhtml": "<h1>One</h1><p>First.</p>",
    }
    (document,) = read("b.epub", zipped(members))
    assert document.text == "# One\n\nFirst.\n\n# Two\n\nSecond."
    assert (document.title, document.metadata["author"]) == ("The Gull", "Lotte Wiek")


def message(number: int = 1) -> EmailMessage:
    mail = EmailMessage()
    mail["From"] = "Jürgen Oake <j@example.org>"
    mail["To"] = "ada@example.org"
    mail["Subject"] = "Größe der Orgel"
    mail["Date"] = "Mon, 05 Feb 2024 10:00:00 +0100"
    mail["Message-ID"] = f"<m{number}@example.org>"
    if number > 1:
        mail["In-Reply-To"] = f"<m{number - 1}@example.org>"
        mail["References"] = "<m1@example.org>"
    mail.set_content(f"Die Orgel Nummer {number} ist zwölf Meter hoch.\n", cte="quoted-printable")
    return mail


def test_a_message_is_decoded_with_its_thread_and_attachments() -> None:
    mail = message(2)
    mail.add_alternative("<p>not this</p>", subtype="html")
    mail.add_attachment("# Notes\n\nThe pipes are tin.", subtype="markdown", filename="notes.md")
    mail.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="pipe.png")
    letter, notes = read("a.eml", mail.as_bytes())
    assert letter.title == "Größe der Orgel"
    assert letter.text.startswith("From: Jürgen Oake <j@example.org>\nTo: ada@example.org\n")
    assert letter.text.endswith("\n\nDie Orgel Nummer 2 ist zwölf Meter hoch.")
    assert letter.metadata["thread"] == "m1@example.org"
    assert letter.metadata["in_reply_to"] == "m1@example.org"
    assert letter.metadata["date"] == "2024-02-05T10:00:00+01:00"
    assert letter.metadata["attachments"] == ["notes.md", "pipe.png"]
    assert (notes.uri, notes.title, notes.format) == ("a.eml#notes.md", "Notes", "Markdown")


def test_a_mailbox_is_a_document_a_message() -> None:
    box = b"".join(
        b"From j@example.org Mon Feb  5 10:00:00 2024\n" + message(n).as_bytes() + b"\n"
        for n in (1, 2)
    )
    box = box.replace(b"zw=C3=B6lf", b"\n>From then on")
    first, second = read("list.mbox", box)
    assert (first.uri, second.uri) == ("list.mbox#m1@example.org", "list.mbox#m2@example.org")
    assert second.metadata["thread"] == first.metadata["thread"] == "m1@example.org"
    assert "\nFrom then on" in second.text
    assert [each.uri for each in read("old mail", box)] == [
        "old mail#m1@example.org",
        "old mail#m2@example.org",
    ]


def test_a_notebook_gives_prose_code_and_what_it_printed() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Sales\n", "\n", "They rose."]},
        {
            "cell_type": "code",
            "source": "print(5)",
            "outputs": [{"output_type": "stream", "text": ["5\n"]}],
        },
    ]
    notebook = {"cells": cells, "metadata": {"language_info": {"name": "python"}}}
    (document,) = read("n.ipynb", json.dumps(notebook).encode())
    assert document.text == "# Sales\n\nThey rose.\n\n```python\nprint(5)\n```\n\n```\n5\n```"
    assert document.title == "Sales"


BOMB = {"word/document.xml": "<a>" + " " * 5_000_000 + "</a>", "content.xml": " " * 5_000_000}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("cut.docx", word()[:-40], "broken Word file"),
        ("cut.pptx", slides()[:2000], "broken PowerPoint file"),
        ("cut.xlsx", workbook()[:-40], "broken workbook"),
        ("cut.odt", opendocument("<text:p>x</text:p>")[:-30], "broken OpenDocument file"),
        ("bad.odt", zipped({"content.xml": "<a><b></a>"}), "broken OpenDocument file"),
        ("none.epub", zipped({"mimetype": "application/epub+zip"}), "broken EPUB"),
        ("old.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "save it as .docx"),
        (
            "locked.docx",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99,
            "encrypted or of the old",
        ),
        ("empty.docx", b"", "empty"),
        ("text.docx", b"just text", "broken Word file"),
        ("no.eml", b"just text without headers", "no headers"),
        ("no.mbox", b"just text", "no mailbox"),
        ("no.ipynb", b"[]", "no notebook"),
        ("no.ipynb", b"{", "not valid JSON"),
        ("no.rtf", b"plain", "broken RTF"),
        ("cut.zip", zipped({"x.txt": "x" * 999})[:-40], "broken ZIP archive"),
        ("hidden.zip", zipped({".x.txt": "x"}), "no file in it"),
        ("many.zip", zipped({f"{i}.txt": "x" for i in range(10_001)}), "more than 10,000 files"),
        ("bomb.zip", zipped({f"{i}.txt": " " * 400_000 for i in range(3)}), "than 1 MiB"),
        (
            "bomb.docx",
            zipped(BOMB),
            "unpacks to more than 1 MiB; raise the setting max_unpacked_mb",
        ),
        ("bomb.odt", zipped(BOMB), "unpacks to more than 1 MiB"),
        ("bomb.epub", zipped(BOMB), "unpacks to more than 1 MiB"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_cant_be_read_is_named_in_one_line(name: str, data: bytes, message: str) -> None:
    said = reason(name, data, limits=Limits(unpacked_bytes=2**20))
    assert message in said
    assert "\n" not in said


def test_a_file_is_read_as_what_it_is_whatever_it_is_called() -> None:
    assert read("a.txt", word())[0].format == "Word"
    assert read("b.doc", word())[0].format == "Word"
    assert read("c", b"<!DOCTYPE html><title>T</title><p>x</p>")[0].text == "x"
    assert read("d.txt", rb"{\rtf1\ansi Caf\'e9 {\b bold}\par}")[0].text.strip() == "Café bold"
