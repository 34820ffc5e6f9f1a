"""Files that no person would make, of every kind: none costs the others of a build anything."""

import gzip
import io
import random
from pathlib import Path

import pytest
from openpyxl import Workbook

from hlg import LexicalGraph
from hlg.ingest.parent import DIED
from hlg.settings import Settings
from support.files import zipped
from support.pdf import glyphs, pdf

LAUGHS = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 60))
ENTITIES = "".join(f'<!ENTITY e{i} "&e{i - 1};&e{i - 1};">' for i in range(1, 60))


def nested_zips(depth: int) -> bytes:
    data = b"The mill."
    for _ in range(depth):
        data = zipped({"a.zip" if data[:2] == b"PK" else "a.txt": data})
    return data


def nested_metadata(depth: int) -> str:
    return '{"text": "x", "deep": ' + "[" * depth + "]" * depth + "}"


def far_apart() -> bytes:
    """A workbook of two cells with 17,179,869,182 empty ones between them."""
    book = Workbook()
    book.active["A1"] = book.active["XFD1048576"] = 1
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


NOISE = random.Random(3).randbytes(3_000)
WORST: dict[str, bytes | str] = {
    "cells.xlsx": far_apart(),
    "attributes.html": "<p " + " ".join(f"a{i}=1" for i in range(200_000)) + ">x</p>",
    "glyphs.pdf": glyphs(150_000),
    "deep.jsonl": nested_metadata(500),
    "deeper.jsonl": nested_metadata(100_000),
    "deep.json": "[" * 100_000,
    "deep.md": f"---\na: {'[' * 500}{']' * 500}\n---\nThe mill.",
    "deep.html": "<div>" * 100_000,
    "deep.xml": "<a>" * 100_000,
    "deep.rtf": "{\\rtf1" + "{" * 100_000,
    "seek.rtf": "{\\rtf1\\bin99999999999999999999 x\\u99999999999;}",
    "deep.tex": "\\footnote{" * 500,
    "deep.org": "*" * 100_000 + " x",
    "deep.mediawiki": "{{[[" * 50_000,
    "deep.zip": nested_zips(12),
    "deep.eml": "Subject: x\n" + "Content-Type: message/rfc822\n\n" * 2_000,
    "laughs.yaml": LAUGHS,
    "laughs.xml": f'<!DOCTYPE a [<!ENTITY e0 "ha">{ENTITIES}]><a>&e59;</a>',
    "bomb.zip": zipped({f"{i}.txt": b" " * 2_000_000 for i in range(8)}),
    "bomb.txt.gz": gzip.compress(b" " * 50_000_000),
    "bomb.docx": zipped({"word/document.xml": b" " * 50_000_000}),
    "cut.docx": zipped({"word/document.xml": "<w:document", "word/styles.xml": ""}),
    "cut.pptx": zipped({"ppt/presentation.xml": "<p", "[Content_Types].xml": "<"}),
    "cut.odt": zipped({"content.xml": "<office:document-content"}),
    "cut.epub": zipped({"META-INF/container.xml": '<c><rootfile full-path="../../x"/></c>'}),
    "cut.pdf": pdf("The mill.")[:400],
    "noise.xls": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + NOISE,
    "noise.tiff": b"II*\0" + NOISE,
    "noise.docx": b"PK\x03\x04" + NOISE,
    "noise.txt": NOISE,
}


@pytest.fixture(scope="module")
def failed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """By name why a file was left out of a build of good ones among the worst."""
    folder = tmp_path_factory.mktemp("hostile")
    for number, (name, data) in enumerate(WORST.items()):
        worst = folder / f"{number:02}-worst-{name}"
        worst.write_bytes(data.encode() if isinstance(data, str) else data)
        good = f"# Mill {number}\n\nAda Thorne built mill {number} in Grantham in {1900 + number}."
        (folder / f"{number:02}-good.md").write_text(good)
    store = str(folder.parent / "hostile.lbug")
    settings = Settings(store=store, document_seconds=3, max_unpacked_mb=8)
    with LexicalGraph.open(settings=settings) as graph:
        report = graph.build([folder])
        built = {Path(source.uri).name for source in graph.sources()}
    assert {name for name in built if "good" in name} == {f"{i:02}-good.md" for i in range(30)}
    return {Path(each.uri).name.partition("worst-")[2]: each.reason for each in report.failed}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("cells.xlsx", DIED),
        ("attributes.html", "document_seconds"),
        ("glyphs.pdf", "document_seconds"),
        ("bomb.zip", "max_unpacked_mb"),
        ("bomb.txt.gz", "max_unpacked_mb"),
        ("bomb.docx", "max_unpacked_mb"),
        ("cut.docx", "broken Word file"),
        ("cut.pptx", "broken PowerPoint file"),
        ("cut.odt", "broken OpenDocument file"),
        ("cut.epub", "broken EPUB file"),
    ],
)
def test_the_worst_files_are_named_and_the_good_are_all_built(
    failed: dict[str, str], name: str, reason: str
) -> None:
    assert reason in failed[name]
