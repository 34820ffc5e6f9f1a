"""Scans: pages that are pictures, read by tesseract, or said to want it.

Most of these run a program of a few lines in tesseract's place, which answers in its protocol
and "reads" a page by its shade; one asks tesseract itself.
"""

import os
import shutil
import stat
import sys
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

from hlg.ingest.load import reader_process
from hlg.ingest.load.limits import Limits
from hlg.ingest.load.readers import ocr
from hlg.ingest.load.sources import load
from hlg.records import Document
from hlg.reports import Failure
from support.pdf import mixed, pdf, scan

PROGRAM = """#!{python}
import sys, time
from PIL import Image
arguments = sys.argv[1:]
if arguments[0] == "--version":
    print("tesseract 5.3.0")
elif arguments[0] == "--list-langs":
    print("List of available languages (3):", "deu", "eng", "osd", sep="\\n")
else:
    picture, output = arguments[:2]
    page = Image.open(picture).convert("L")
    grey = page.getpixel((page.width // 2, page.height // 2))
    time.sleep(9 if grey == 80 else 0)
    assert grey != 90, "no page of mine"
    said = {{200: "The keeper Ellen Tarrant", 210: "wrote every line"}}.get(grey, "")
    said += " " + arguments[arguments.index("-l") + 1] if said else ""
    names = "level page_num block_num par_num line_num word_num left top width height conf text"
    rows = [names.split()]
    for i, word in enumerate(said.split()):
        rows.append([5, 1, 1, 1, 1, i, 20 + 100 * i, 300, 80, 46, 95, word])
    with open(output + ".tsv", "w") as out:
        out.writelines("\\t".join(map(str, row)) + "\\n" for row in rows)
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The current folder and the cache, empty; programs that were found are forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HLG_CACHE", str(tmp_path / "cache"))
    ocr._installed.cache_clear()
    reader_process.close()  # it keeps its environment
    yield tmp_path
    reader_process.close()


@pytest.fixture
def tesseract(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The small program, on the PATH in tesseract's place."""
    program = here / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text(PROGRAM.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.fixture
def no_tesseract(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(here))


def read(name: str, data: bytes, languages: str = "", seconds: float = 300) -> Document | Failure:
    Path(name).write_bytes(data)
    (found,) = load([name], limits=Limits(seconds=seconds), ocr_languages=languages)
    assert isinstance(found, Document | Failure)
    return found


def text_of(found: Document | Failure) -> str:
    assert isinstance(found, Document), found
    return found.text


@pytest.mark.usefixtures("tesseract")
def test_pages_that_are_pictures_are_read_beside_pages_that_have_text() -> None:
    found = read("a.pdf", mixed(pdf("A printed page."), scan(200, 210), pdf("The last.")))
    text = text_of(found)
    assert text == (
        "A printed page.\n\nThe keeper Ellen Tarrant eng+deu wrote every line eng+deu\n\nThe last."
    )
    starts = found.metadata["pages"] if isinstance(found, Document) else []
    assert [text[start:][:9] for start in starts] == [
        "A printed",
        "The keepe",
        "wrote eve",
        "The last.",
    ]


@pytest.mark.usefixtures("tesseract")
def test_a_picture_is_read_by_name_in_the_languages_that_are_wanted() -> None:
    file = BytesIO()
    Image.new("L", (600, 800), 200).save(file, "PNG")
    assert text_of(read("a.png", file.getvalue(), "deu")) == "The keeper Ellen Tarrant deu"
    lacking = read("a.png", file.getvalue(), "deu+fra")
    assert isinstance(lacking, Failure)
    assert "no fra, only eng, deu" in lacking.reason


@pytest.mark.usefixtures("tesseract")
def test_what_was_read_is_kept_and_a_page_that_fails_is_named() -> None:
    found = read("a.pdf", scan(200, 90))
    assert isinstance(found, Document)
    assert (found.text, found.metadata["unread_pages"]) == ("The keeper Ellen Tarrant eng+deu", [2])
    program = PROGRAM.format(python=sys.executable).replace("Ellen", "Nell")
    Path("bin/tesseract").write_text(program)
    assert "Ellen" in text_of(read("a.pdf", scan(200)))
    assert "Nell" in text_of(read("a.pdf", scan(200), "eng"))
    failed = read("a.pdf", scan(90))
    assert isinstance(failed, Failure)
    assert "no page of mine" in failed.reason
    file = BytesIO()
    Image.new("L", (600, 800), 80).save(file, "TIFF")
    late = read("a.tiff", file.getvalue(), seconds=3)
    assert isinstance(late, Failure)
    assert "raise the setting document_seconds" in late.reason


@pytest.mark.usefixtures("no_tesseract")
def test_without_tesseract_a_scan_says_what_to_install() -> None:
    whole = read("a.pdf", scan(200))
    assert isinstance(whole, Failure)
    assert "a scan: to have it read install the program tesseract" in whole.reason
    part = read("a.pdf", mixed(pdf("Ellen Tarrant kept the register."), scan(200, 210)))
    assert isinstance(part, Document)
    assert part.metadata["unread_pages"] == [2, 3]


@pytest.mark.slow
def test_a_tilted_noisy_page_is_read_by_tesseract_itself() -> None:
    if not shutil.which("tesseract"):
        pytest.fail("tesseract is missing: make tesseract, or apt-get install tesseract-ocr")
    page = Image.new("L", (1400, 700), 250)
    draw, font = ImageDraw.Draw(page), ImageFont.load_default(size=42)
    for row, line in enumerate(
        (
            "The first keeper was Ellen Tarrant, who had been",
            "clerk to the pilots for eleven years.",
        )
    ):
        draw.text((120, 150 + 64 * row), line, fill=20, font=font)
    for row, cells in enumerate((("Year", "Ships"), ("1908", "412"), ("1909", "437"))):
        for column, cell in enumerate(cells):
            draw.text((120 + 600 * column, 380 + 64 * row), cell, fill=20, font=font)
    speckled = Image.blend(page, Image.effect_noise(page.size, 60), 0.2)
    file = BytesIO()
    speckled.rotate(-3, fillcolor=225, expand=True).save(file, "JPEG", quality=80)
    assert text_of(read("a.jpg", file.getvalue())) == (
        "The first keeper was Ellen Tarrant, who had been clerk to the pilots for eleven years."
        "\n\n| Year | Ships |\n| --- | --- |\n| 1908 | 412 |\n| 1909 | 437 |"
    )
