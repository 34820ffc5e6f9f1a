"""Mail with what it holds; files of Office and others that are bad, or called something else."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from hlg.ingest.load.limits import Limits
from support.files import read, reason, zipped

pytestmark = pytest.mark.usefixtures("folder")


DATA = Path(__file__).parent.parent / "data" / "kinds"
"""Whole files are there, each with what it says beside it."""
WORD, SLIDES, WORKBOOK, OPENDOCUMENT = (
    (DATA / name).read_bytes() for name in ("plan.docx", "deck.pptx", "book.xlsx", "costs.odt")
)


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


BOMB = {"word/document.xml": "<a>" + " " * 5_000_000 + "</a>", "content.xml": " " * 5_000_000}


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("cut.docx", WORD[:-40], "broken Word file"),
        ("cut.pptx", SLIDES[:2000], "broken PowerPoint file"),
        ("cut.xlsx", WORKBOOK[:-40], "broken workbook"),
        ("cut.odt", OPENDOCUMENT[:-30], "broken OpenDocument file"),
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
    assert read("a.txt", WORD)[0].format == "Word"
    assert read("b.doc", WORD)[0].format == "Word"
    assert read("c", b"<!DOCTYPE html><title>T</title><p>x</p>")[0].text == "x"
    assert read("d.txt", rb"{\rtf1\ansi Caf\'e9 {\b bold}\par}")[0].text.strip() == "Café bold"
