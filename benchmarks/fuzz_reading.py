"""Damaged files of every kind, read as a build reads them: none may cost more than itself.

Valid files of every kind are made, and so many copies of them damaged: bits flipped, cut off,
ranges deleted, doubled or taken from another file, in the file or in a member of its archive.

    python benchmarks/fuzz_reading.py                      # 2,000 files, seed 1
    python benchmarks/fuzz_reading.py --files 500 --seed 7
    python benchmarks/fuzz_reading.py --small 2000         # what the process costs small files
"""

import argparse
import gzip
import io
import json
import random
import tempfile
import time
import zipfile
from collections import Counter
from pathlib import Path

from hlg.ingest.load import reader_process
from hlg.ingest.load.file import FileRequest
from hlg.ingest.load.formats import FORMATS, format_of
from hlg.ingest.load.limits import Limits
from hlg.ingest.load.reading import read_file
from hlg.ingest.parent import DIED
from hlg.records import Document
from hlg.reports import Failure

PROSE = "The mill of Corven burned in 1904. Ada Thorne built it anew, and Helix Ltd bought it."
ESCAPED = "broken "
"""How the reason of a file begins over which a library raised what its reader does not name."""


def main() -> None:
    """Damage the files, read them, and report."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--files", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20, help="what a file may take")
    parser.add_argument("--small", type=int, default=0, help="time so many small files instead")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.small:
            compare(Path(folder), given.small)
        else:
            fuzz(Path(folder), given.files, random.Random(given.seed), given.seconds)


def fuzz(folder: Path, files: int, chance: random.Random, seconds: float) -> None:
    """Read damaged files one by one, and print what came of them."""
    valid = valid_files()
    unread = [name for name in valid if read(folder, name, valid[name], seconds)[1] == "failed"]
    names = sorted(valid)
    deaths = 0
    outcomes: Counter[str] = Counter()
    slowest: list[tuple[float, str]] = []
    for number in range(files):
        name = names[number % len(names)]
        other = valid[chance.choice(names)]
        begun = time.perf_counter()
        try:
            reason, outcome = read(folder, name, damaged(valid[name], other, chance), seconds)
        except Exception as error:
            reason, outcome = repr(error), "escaped"
            print(f"{name} ({number}): {reason}")
        outcomes[outcome] += 1
        outcomes["fell over"] += reason.startswith(ESCAPED)
        deaths += reason == DIED or "document_seconds" in reason
        slowest.append((time.perf_counter() - begun, f"{name} ({number})"))
    kinds = {format_of(name) for name in names}
    print(f"{files} damaged files of {len(names)} sorts, {len(kinds)} of {len(FORMATS)} formats")
    print(f"valid files without a text: {', '.join(unread) or 'none'}")
    print(f"read {outcomes['read']}, left out with a reason {outcomes['failed']}")
    print(f"escapes {outcomes['escaped']}; left out for what a library raised ", end="")
    print(f"{outcomes['fell over']}; processes that had to be ended or died {deaths}")
    print("slowest: " + ", ".join(f"{took:.2f} s {name}" for took, name in sorted(slowest)[:-4:-1]))


def read(folder: Path, name: str, data: bytes, seconds: float) -> tuple[str, str]:
    """Why a file was left out, and whether it was."""
    path = folder / name
    path.write_bytes(data)
    request = FileRequest(str(path), name, Limits(seconds=seconds))
    found = list(reader_process.read_files([request]))
    reasons = [each.reason for each in found if isinstance(each, Failure)]
    texts = any(isinstance(each, Document) for each in found)
    return "; ".join(reasons), "read" if texts else "failed"


def damaged(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """A file with one to three damages, half of those of archives in a member of it."""
    if data.startswith(b"PK") and chance.random() < 0.5:
        return _damaged_member(data, other, chance)
    for _ in range(chance.randint(1, 3)):
        data = _damage(data, other, chance)
    return data


def _damage(data: bytes, other: bytes, chance: random.Random) -> bytes:
    if not data:
        return other
    start = chance.randrange(len(data))
    end = min(len(data), start + 1 + int(chance.expovariate(1 / 40)))
    kind = chance.randrange(5)
    if kind == 0:
        flipped = bytearray(data)
        for _ in range(chance.randint(1, 20)):
            flipped[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        return bytes(flipped)
    if kind == 1:
        return data[:start]
    if kind == 2:
        return data[:start] + data[end:]
    if kind == 3:
        return data[:end] + data[start:end] * chance.choice((1, 5, 500)) + data[end:]
    at = chance.randrange(len(other)) if other else 0
    return data[:start] + other[at : at + chance.randint(1, 400)] + data[end:]


def _damaged_member(data: bytes, other: bytes, chance: random.Random) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w") as new:
        hit = chance.choice(old.namelist())
        for name in old.namelist():
            member = old.read(name)
            new.writestr(name, _damage(member, other, chance) if name == hit else member)
    return packed.getvalue()


def compare(folder: Path, count: int) -> None:
    """Print what reading small Markdown files takes in the process, to reading them in this."""
    requests = []
    for number in range(count):
        path = folder / f"{number}.md"
        path.write_text(f"---\ntags: [a]\n---\n# Mill {number}\n\n{PROSE * 8}\n")
        requests.append(FileRequest(str(path), path.name))
    rounds = []
    for _ in range(4):  # the first warms both
        begun = time.perf_counter()
        here = sum(1 for request in requests for _ in read_file(request))
        middle = time.perf_counter()
        isolated = sum(1 for _ in reader_process.read_files(requests))
        rounds.append((middle - begun, time.perf_counter() - middle))
        assert here == isolated == count
    _, (here_seconds, isolated_seconds), *_ = sorted(rounds[1:], key=lambda each: each[1] / each[0])
    print(
        f"{count} small files: here {here_seconds:.2f} s, in the process {isolated_seconds:.2f} s, "
        f"{isolated_seconds / here_seconds:.2f} times"
    )


def valid_files() -> dict[str, bytes]:
    """A file of each sort, by a name for it."""
    texts = {
        "a.txt": PROSE,
        "a.md": f"---\ntitle: Mill\ntags: [a, b]\n---\n# Mill\n\n{PROSE}\n\n| a | b |\n|---|---|\n",
        "a.rst": f"Mill\n====\n\n{PROSE} :ref:`x <y>`\n\n.. note:: {PROSE}\n\n- a\n- b\n",
        "a.org": f"#+TITLE: Mill\n* Past\n{PROSE}\n| a | b |\n#+BEGIN_SRC c\nx\n#+END_SRC\n",
        "a.adoc": f"= Mill\n:author: Ann\n\n== Past\n{PROSE}\n\n|===\n|a |b\n\n|1 |2\n|===\n",
        "a.mediawiki": f"{{{{Box|a=b}}}}\n== Past ==\n{PROSE} [[a|b]]\n{{|\n! a\n|-\n| b\n|}}\n",
        "a.tex": f"\\title{{Mill}}\\begin{{document}}\\section{{Past}}{PROSE} $x^2$ \\'e"
        "\\begin{tabular}{ll}a & b \\\\ c & d\\end{tabular}\\end{document}",
        "a.1": f".TH MILL 1\n.SH NAME\nmill \\- grinds\n.SH PAST\n{PROSE}\n.B bold \\fIx\\fR\n",
        "a.html": f"<html><head><title>Mill</title></head><body><h1>Mill</h1><p>{PROSE}</p>"
        "<table><tr><th>a<th>b</tr><tr><td rowspan=2>1<td>2</tr></table></body></html>",
        "a.xml": f"<article><title>Mill</title><para>{PROSE}</para></article>",
        "a.rtf": f"{{\\rtf1\\ansi {{\\b Mill}}\\par {PROSE} \\'e9\\u8212?\\par}}",
        "a.eml": "From: a@x.org\nTo: b@x.org\nSubject: Mill\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n"
        f"Message-ID: <1@x.org>\n\n{PROSE}\n",
        "a.csv": "name,year\nMill,1904\nYard,1911\n",
        "a.tsv": "name\tyear\nMill\t1904\n",
        "a.srt": f"1\n00:00:01,000 --> 00:00:02,000\n{PROSE}\n\n",
        "a.yaml": f"title: Mill\nabout:\n  - {PROSE}\n",
        "a.toml": f'title = "Mill"\n[about]\ntext = "{PROSE}"\n',
        "a.bib": f"@article{{k, title = {{Mill}}, year = 1904, abstract = {{{PROSE}}}}}\n",
        "a.ics": f"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:Mill\nDTSTART:20240101T100000Z\n"
        f"DESCRIPTION:{PROSE}\nEND:VEVENT\nEND:VCALENDAR\n",
        "a.vcf": f"BEGIN:VCARD\nFN:Ada Thorne\nTEL:+1 2\nNOTE:{PROSE}\nEND:VCARD\n",
        "a.py": f'"""{PROSE}"""\n\ndef mill(x: int) -> int:\n    """Grinds."""\n    return x\n',
        "a.sh": f"# {PROSE}\nmill() {{ echo x; }}\n",
    }
    texts["a.mbox"] = f"From a@x.org Mon Jan 1 10:00:00 2024\n{texts['a.eml']}\n" * 2
    record = {"_id": "1", "title": "Mill", "text": PROSE, "year": 1904, "of": {"a": [1, {"b": 2}]}}
    features = [{"properties": {"name": "Mill"}, "geometry": {"type": "Point"}}]
    cells = [
        {"cell_type": "markdown", "source": [f"# Mill\n{PROSE}"]},
        {"cell_type": "code", "source": "x", "outputs": [{"text": ["1"]}]},
    ]
    values: dict[str, object] = {
        "a.json": [record, {**record, "_id": "2"}],
        "a.ipynb": {"cells": cells, "metadata": {"kernelspec": {"language": "python"}}},
        "a.geojson": {"type": "FeatureCollection", "features": features},
    }
    texts |= {name: json.dumps(value) for name, value in values.items()}
    texts["a.jsonl"] = f"{json.dumps(record)}\n" * 3
    data = {name: text.encode() for name, text in texts.items()}
    data |= _office_files() | _packages() | _pictures()
    data["a.md.gz"] = gzip.compress(data["a.md"], mtime=0)
    inside = ("a.md", "a.json", "a.docx", "a.eml", "a.md.gz")
    data["a.zip"] = _zipped({f"d/{name}": data[name] for name in inside})
    return data


def _office_files() -> dict[str, bytes]:
    from docx import Document as Word
    from openpyxl import Workbook
    from pptx import Presentation

    word = Word()
    word.add_heading("Mill", 1)
    word.add_paragraph(PROSE)
    table = word.add_table(2, 2)
    table.cell(0, 0).text = "a"
    book = Workbook()
    for row in (("name", "year"), ("Mill", 1904)):
        book.active.append(row)
    slides = Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[1])
    slide.shapes.title.text, slide.placeholders[1].text = "Mill", PROSE
    made = {}
    for name, document in (("a.docx", word), ("a.xlsx", book), ("a.pptx", slides)):
        file = io.BytesIO()
        document.save(file)
        made[name] = file.getvalue()
    return made


def _packages() -> dict[str, bytes]:
    """OpenDocument files and a book."""
    office = "urn:oasis:names:tc:opendocument:xmlns:"
    spaces = "".join(f' xmlns:{each}="{office}{each}:1.0"' for each in ("office", "text", "table"))

    def content(body: str) -> str:
        inner = f"<office:body>{body}</office:body>"
        return f"<office:document-content{spaces}>{inner}</office:document-content>"

    text = f'<office:text><text:h text:outline-level="1">Mill</text:h><text:p>{PROSE}</text:p>'
    cells = "".join(
        f'<table:table-cell office:value-type="string"><text:p>{each}</text:p></table:table-cell>'
        for each in ("Mill", "1904")
    )
    rows = f'<table:table table:name="A"><table:table-row>{cells}</table:table-row></table:table>'
    mime = "application/vnd.oasis.opendocument."
    package = (
        '<package xmlns:dc="x"><metadata><dc:title>Mill</dc:title></metadata><manifest>'
        '<item id="c" href="c.xhtml"/></manifest><spine><itemref idref="c"/></spine></package>'
    )
    return {
        "a.odt": _zipped(
            {"mimetype": f"{mime}text", "content.xml": content(f"{text}</office:text>")}
        ),
        "a.ods": _zipped(
            {
                "mimetype": f"{mime}spreadsheet",
                "META-INF/manifest.xml": f'<manifest:manifest xmlns:manifest="{office}manifest"/>',
                "content.xml": content(f"<office:spreadsheet>{rows}</office:spreadsheet>"),
            }
        ),
        "a.epub": _zipped(
            {
                "META-INF/container.xml": '<c><rootfile full-path="p.opf"/></c>',
                "p.opf": package,
                "c.xhtml": f"<html><body><h1>Mill</h1><p>{PROSE}</p></body></html>",
            }
        ),
    }


def _pictures() -> dict[str, bytes]:
    """A PDF with a text, and pictures of pages."""
    from PIL import Image

    stream = f"BT /F1 12 Tf 20 200 Td ({PROSE}) Tj ET"
    objects = (
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 300]/Contents 4 0 R"
        "/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
        f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream",
    )
    body = "".join(f"{i} 0 obj\n{each}\nendobj\n" for i, each in enumerate(objects, 1))
    made = {"a.pdf": f"%PDF-1.4\n{body}trailer\n<</Root 1 0 R>>\n%%EOF".encode()}
    for name, kind in (("a.tiff", "TIFF"), ("a.png", "PNG"), ("a.jpg", "JPEG")):
        file = io.BytesIO()
        Image.new("L", (60, 40), 250).save(file, kind)
        made[name] = file.getvalue()
    return made


def _zipped(members: "dict[str, str] | dict[str, bytes]") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


if __name__ == "__main__":
    main()
