"""What trafilatura and our HTML reader keep of real pages.

    pip install --target elsewhere trafilatura lxml_html_clean
    PYTHONPATH=elsewhere python benchmarks/html_readers.py FOLDER --files 20

Of each HTML file under the folder (at most two of a package, after
``benchmarks/real_files.py``): the words that each reader keeps of those that the page's body
has, its headings, its rows of tables and its blocks of code.
"""

import argparse
import importlib
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from lxml import html

from hlg.ingest.load.sources import load
from hlg.records import Document

A_PACKAGE = 2
SMALLEST, LARGEST = 2_000, 200_000
COLUMNS = ("words", "headings", "rows", "code")
_WORD = re.compile(r"\w+")


def main() -> None:
    """Print what each reader keeps, file by file and together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=20)
    options = parser.parse_args()
    extract = importlib.import_module("trafilatura").extract
    totals: dict[str, Counter[str]] = {
        "page": Counter(),
        "hlg": Counter(),
        "trafilatura": Counter(),
    }
    print("| file | words of the body | hlg | trafilatura |\n|---|---|---|---|")
    for path in pages(options.folder, options.files):
        body = whole(path)
        ours = "".join(found.text for found in load([path]) if isinstance(found, Document))
        theirs = extract(path.read_text("utf-8", "replace"), output_format="markdown") or ""
        told = {
            "page": body,
            "hlg": words_in(ours, body),
            "trafilatura": words_in(theirs, body),
        }
        for reader, counts in told.items():
            totals[reader].update(counts)
        shares = [told[each]["words"] / max(1, body["words"]) for each in ("hlg", "trafilatura")]
        print(f"| {path.name} | {body['words']} | {shares[0]:.0%} | {shares[1]:.0%} |")
    print(f"\n| reader | {' | '.join(COLUMNS)} |\n|---|{'---|' * len(COLUMNS)}")
    for reader, counts in totals.items():
        print(f"| {reader} | {' | '.join(str(counts[column]) for column in COLUMNS)} |")


def pages(folder: Path, most: int) -> Sequence[Path]:
    """A few HTML files of each package, in the order of their names."""
    taken: Counter[str] = Counter()
    found = []
    for path in sorted(folder.rglob("*.html")):
        package = path.relative_to(folder).parts[0]
        if taken[package] < A_PACKAGE and SMALLEST < path.stat().st_size < LARGEST:
            taken[package] += 1
            found.append(path)
    return found[:most]


def whole(path: Path) -> Counter[str]:
    """What a page's body has, scripts and styles aside."""
    tree = html.fromstring(path.read_bytes())
    for element in tree.xpath("//script | //style | //noscript | //head"):
        element.drop_tree()
    return Counter(
        words=len(_WORD.findall(tree.text_content())),
        headings=len(tree.xpath("//h1 | //h2 | //h3 | //h4 | //h5 | //h6")),
        rows=len(tree.xpath("//tr")),
        code=len(tree.xpath("//pre")),
    )


def words_in(markdown: str, body: Counter[str]) -> Counter[str]:
    """What a reader's Markdown has of it."""
    lines = markdown.splitlines()
    rows = [line for line in lines if line.startswith("|") and not set(line) <= set("|-: ")]
    text = re.sub(r"^#+ |^\|?[-:| ]+\|$|^```.*$", "", markdown, flags=re.MULTILINE)
    return Counter(
        words=min(len(_WORD.findall(text)), body["words"]),
        headings=sum(re.match(r"#{1,6} ", line) is not None for line in lines),
        rows=len(rows),
        code=sum(line.startswith("```") for line in lines) // 2,
    )


if __name__ == "__main__":
    main()
