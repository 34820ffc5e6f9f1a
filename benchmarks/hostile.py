"""What documents cost that no person would write: processor seconds a megabyte as each grows.

Each kind is made at one, two and four times a small size, and read, chunked and extracted
in a process of its own. The exponent is that of the time in the size: 1 is linear.

    python benchmarks/hostile.py                     # every kind
    python benchmarks/hostile.py quotes brackets     # some
    python benchmarks/hostile.py --scale 8 --seconds 300 quotes
"""

import argparse
import json
import math
import os
import random
import resource
import signal
import tempfile
import time
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from hlg.ids import source_id
from hlg.ingest.chunk.chunkers import open_chunker
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.load.file import FileRequest
from hlg.ingest.load.reading import read_file
from hlg.records import Document
from hlg.reports import Failure

SIZES = (1, 2, 4)
Maker = Callable[[float], bytes]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file; ``make`` gives its bytes at a multiple of its smallest size."""

    suffix: str
    make: Maker


@dataclass(frozen=True, slots=True)
class Cost:
    """What one file cost, in seconds; ``memory`` is the peak above the start, in MB."""

    size: float
    megabytes: float
    load: float
    chunk: float
    extract: float
    statements: int
    memory: float
    failed: str = ""

    @property
    def seconds(self) -> float:
        """All stages."""
        return self.load + self.chunk + self.extract


def _repeat(piece: str, megabytes: float) -> Maker:
    """A text of one piece again and again, ``megabytes`` long at its smallest."""
    data = piece.encode()
    return lambda size: data * max(1, int(size * megabytes * 1e6 / len(data)))


def _lines(line: Callable[[int], str], megabytes: float, header: str = "") -> Maker:
    """Numbered lines."""
    width = len(line(5_000).encode()) + 1

    def make(size: float) -> bytes:
        count = int(size * megabytes * 1e6 / width)
        return (header + "\n".join(map(line, range(count))) + "\n").encode()

    return make


_SUBJECTS = [
    "engineer",
    "teacher",
    "river",
    "council",
    "company",
    "court",
    "painter",
    "mayor",
    "port",
    "school",
]
_VERBS = [
    "built",
    "bought",
    "described",
    "crossed",
    "founded",
    "studied",
    "left",
    "joined",
    "measured",
    "sold",
]
_PLACES = [
    "Grantham",
    "Port Ellery",
    "Marlund",
    "Skarn",
    "Corven",
    "Hallam",
    "Oake",
    "Leeds",
    "Turin",
    "Bergen",
]


def _ordinary(size: float) -> bytes:
    """Prose of plain sentences with names, in paragraphs."""
    chance = random.Random(7)
    pick = chance.choice
    text = []
    length = 0
    while length < size * 60_000:
        sentence = (
            f"The {pick(_SUBJECTS)} of {pick(_PLACES)} {pick(_VERBS)} a {pick(_SUBJECTS)} in "
            f"{chance.randint(1800, 2020)}, and the {pick(_SUBJECTS)} {pick(_VERBS)} it."
        )
        text.append(sentence + ("\n\n" if chance.random() < 0.2 else " "))
        length += len(text[-1])
    return "".join(text).encode()


def _names(number: int) -> str:
    return f"{_PLACES[number % 8]} {_name(number)}"


def _name(number: int) -> str:
    """A name of its own for every number."""
    letters = "bdfgklmnprst"
    name = ""
    while number or len(name) < 4:
        number, rest = divmod(number, 60)
        name += letters[rest % 12] + "aeiou"[rest // 12]
    return name.capitalize()


def _wide_csv(size: float) -> bytes:
    columns = int(size * 2_000)
    row = ",".join(str(number % 97) for number in range(columns))
    return "\n".join(
        [",".join(f"column {n}" for n in range(columns)), *[f"Row {i},{row}" for i in range(40)]]
    ).encode()


def _html_table(size: float) -> bytes:
    rows = "".join(
        f"<tr><td>{_name(n)} Works</td><td>{n}</td><td>{n % 7}.{n % 10} million</td></tr>"
        for n in range(int(size * 5_500))
    )
    return f"<html><body><table><tr><th>Name<th>Id<th>Sum</tr>{rows}</table></body></html>".encode()


def _pdf(size: float) -> bytes:
    """A small file whose one page unpacks to megabytes of drawing and text."""
    line = b"BT /F1 12 Tf 72 720 Td (The mill of Corven burned.) Tj ET\n"
    content = zlib.compress(line * int(size * 6_000_000 / len(line)), 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data = b"%PDF-1.4\n"
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        data
        + b"xref\n0 6\n0000000000 65535 f \n%strailer\n<< /Size 6 /Root 1 0 R >>\n" % (table)
        + b"startxref\n%d\n%%%%EOF\n" % len(data)
    )


def _long_id(size: float) -> bytes:
    record = {"_id": "x" * int(size * 125_000), "text": "The mill of Corven burned in 1904."}
    return json.dumps(record).encode() + b"\n"


def _front_matter(size: float) -> bytes:
    lines = "".join(f"key{n}: value {n}\n" for n in range(int(size * 7_000)))
    return f"---\n{lines}---\n\nThe mill of Corven burned in 1904.\n".encode()


KINDS: dict[str, Kind] = {
    "ordinary": Kind(".txt", _ordinary),
    "one word": Kind(".txt", _repeat("mill ", 0.025)),
    "abbreviations": Kind(".txt", _repeat("U.S. e.g. Dr. ", 0.0575)),
    "dots": Kind(".txt", _repeat(".", 0.0625)),
    "Chinese": Kind(".txt", _repeat("磨坊在科文于一九零四年被烧毁", 0.1125)),
    "names": Kind(".txt", _lines(_names, 0.08)),
    "names in a row": Kind(".txt", lambda size: _lines(_names, 0.08)(size).replace(b"\n", b", ")),
    "headings": Kind(".md", _lines(lambda n: f"# {_name(n)} heading {n}\n", 0.0575)),
    "emphasis": Kind(".md", _repeat("**a *b ", 0.0375)),
    "closed emphasis": Kind(".md", _repeat("**a** *b* ", 0.0375)),
    "links": Kind(".md", _repeat("[a](http://b.c/d) ", 0.03)),
    "open links": Kind(".md", _repeat("[a](", 0.03)),
    "Markdown table": Kind(
        ".md",
        _lines(
            lambda n: f"| {_name(n)} | {n} | {n % 7} million |",
            0.039,
            "| Name | Id | Sum |\n|---|---|---|\n",
        ),
    ),
    "pipes": Kind(".md", _repeat("| | |- ", 0.039)),
    "front matter": Kind(".md", _front_matter),
    "open front matter": Kind(".md", lambda size: _front_matter(size).replace(b"\n---", b"\n")),
    "CSV": Kind(
        ".csv",
        _lines(lambda n: f"{_name(n)} Works,{n},{n % 7} million", 0.125, "Name,Id,Sum\n"),
    ),
    "wide CSV": Kind(".csv", _wide_csv),
    "open CSV quotes": Kind(".csv", _repeat('a,"b,', 0.125)),
    "HTML table": Kind(".html", _html_table),
    "HTML entities": Kind(".html", _repeat("&lt;&amp;", 0.31)),
    "nested HTML": Kind(".html", _repeat("<div><b>a", 0.03)),
    "PDF": Kind(".pdf", _pdf),
    "long id": Kind(".jsonl", _long_id),
    "one line": Kind(
        ".txt", lambda size: _ordinary(4 * size).replace(b"\n", b" ").replace(b".", b"")
    ),
    "numbers": Kind(".txt", _lines(lambda n: str(n * 7919 % 100_003), 0.12)),
    "numbers in a row": Kind(".txt", lambda size: _lines(str, 0.12)(size).replace(b"\n", b" ")),
    "tiny paragraphs": Kind(".txt", _lines(lambda n: f"a {n}\n", 0.1)),
    "brackets": Kind(".txt", _repeat("(", 0.025)),
    "pairs of brackets": Kind(".txt", _repeat("[(a)] ", 0.025)),
    "quotes": Kind(".txt", _repeat('"', 0.0875)),
    "no words": Kind(".txt", _repeat("?! -- ... ;; ", 0.05)),
    "capitals": Kind(".txt", _repeat("A B. C D ", 0.05)),
    "spaces": Kind(".txt", _repeat(" ", 0.5)),
    "line ends": Kind(".md", _repeat("\n", 0.5)),
    "rules": Kind(".md", _repeat("- - - ", 0.05)),
    "list items": Kind(".md", _repeat("- a\n", 0.05)),
}


def main() -> None:
    """Print a line for each kind."""
    parser = argparse.ArgumentParser(description="What hostile documents cost.")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of: {', '.join(KINDS)}")
    parser.add_argument("--scale", type=float, default=1.0, help="of every size")
    parser.add_argument("--seconds", type=float, default=60.0, help="the most for one kind")
    given = parser.parse_args()
    if unknown := [kind for kind in given.kinds if kind not in KINDS]:
        parser.error(f"no such kind: {', '.join(unknown)}")
    tools = Tools()
    header = ("kind", "MB", *[f"s/MB {n}x" for n in SIZES], "load", "chunk", "extract")
    print("| " + " | ".join((*header, "exponent", "statements", "MB of memory")) + " |")
    print("|---" * (len(header) + 3) + "|", flush=True)
    for name in given.kinds or KINDS:
        costs = _measured(tools, KINDS[name], given.scale, given.seconds)
        print(_row(name, costs, given.seconds), flush=True)


class Tools:
    """Chunker and extractor, loaded before anything is timed."""

    def __init__(self) -> None:
        self.chunker = open_chunker("fixed")
        self.extractor = LocalExtractor()
        self.cost(Document("warm", "", "The mill of Corven burned. It was old."))

    def cost(self, document: Document) -> tuple[float, float, int]:
        """Seconds to chunk and to extract, and the statements found."""
        started = time.process_time()
        chunks = self.chunker.chunk(document, source_id(document.uri))
        chunked = time.process_time()
        extraction = self.extractor.extract(document, chunks)
        return chunked - started, time.process_time() - chunked, len(extraction.statements)


def _measured(tools: Tools, kind: Kind, scale: float, seconds: float) -> list[Cost]:
    """The costs at each size, as far as a child process came in the time."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        signal.setitimer(signal.ITIMER_PROF, seconds)
        with os.fdopen(writing, "w") as out, tempfile.TemporaryDirectory() as folder:
            for size in SIZES:
                cost = _cost(tools, kind, size, scale, Path(folder))
                print(json.dumps(asdict(cost)), file=out, flush=True)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as lines:
        costs = [Cost(**json.loads(line)) for line in lines]
    os.waitpid(child, 0)
    return costs


def _cost(tools: Tools, kind: Kind, size: int, scale: float, folder: Path) -> Cost:
    data = kind.make(size * scale)
    path = folder / f"{size}{kind.suffix}"
    path.write_bytes(data)
    before = _memory()
    started = time.process_time()
    read = list(read_file(FileRequest(str(path), path.name)))
    load_seconds = time.process_time() - started
    chunk = extract = 0.0
    statements = 0
    for document in read:
        if isinstance(document, Document):
            times = tools.cost(document)
            chunk, extract, statements = (
                chunk + times[0],
                extract + times[1],
                statements + times[2],
            )
    return Cost(
        size=size,
        megabytes=len(data) / 1e6,
        load=load_seconds,
        chunk=chunk,
        extract=extract,
        statements=statements,
        memory=_memory() - before,
        failed="; ".join(each.reason for each in read if isinstance(each, Failure)),
    )


def _memory() -> float:
    """The most memory that this process ever had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000


def _row(name: str, costs: list[Cost], seconds: float) -> str:
    rates = [f"{cost.seconds / cost.megabytes:.2f}" for cost in costs]
    rates += [f"over {seconds:.0f} s"] * (1 if len(costs) < len(SIZES) else 0)
    rates += ["–"] * (len(SIZES) - len(rates))
    if not costs:
        return f"| {name} | – | {' | '.join(rates)} | – | – | – | – | – | – |"
    last = costs[-1]
    exponent = "–"
    if len(costs) > 1 and costs[0].seconds:
        growth = math.log(last.seconds / costs[0].seconds)
        exponent = f"{growth / math.log(last.size / costs[0].size):.2f}"
    cells = (
        name + (f" ({last.failed})" if last.failed else ""),
        f"{last.megabytes:.2f}",
        *rates,
        *[f"{stage:.2f}" for stage in (last.load, last.chunk, last.extract)],
        exponent,
        last.statements,
        f"{max(cost.memory for cost in costs):.0f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


if __name__ == "__main__":
    main()
