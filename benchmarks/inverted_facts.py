"""Facts that may have lost their "not": a scan by a rule that knows nothing of grammar.

``python benchmarks/inverted_facts.py DIR... [--limit N]`` extracts the first N documents of
each ``DIR/corpus.jsonl`` and prints the facts whose statement has a negation a few words
before the predicate's verb while neither predicate nor object has one. Read what it prints:
the rule is crude, and what it finds is often right ("not only", another clause's "no").
"""

import argparse
import json
import re
from collections.abc import Iterator
from pathlib import Path

from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.records import Chunk, Document

CUES = r"no|not|n't|never|neither|nor|none|nobody|nothing|hardly|scarcely|without|cannot"
DENIED = re.compile(
    rf"\b(?:{CUES}|rarely|seldom|barely|unable|unlikely|fail\w*|refus\w*|deni\w*|lack\w*)\b", re.I
)
WITHIN = 3
"""Words between a negation and the verb that it may belong to."""


def suspects(documents: Iterator[Document]) -> Iterator[tuple[str, str, str]]:
    """The document, the fact and the statement of each fact that the rule finds."""
    extractor = LocalExtractor()
    for document in documents:
        source, end = source_id(document.uri), len(document.text)
        chunk = Chunk(chunk_id(source, 0, end), source, 0, 0, end, document.text)
        extraction = extractor.extract(document, [chunk])
        names = {entity.id: entity.name for entity in extraction.entities}
        statements = {statement.id: statement.text for statement in extraction.statements}
        for fact in extraction.facts:
            object_ = names[fact.object_id] if fact.object_id else fact.object_value or ""
            if DENIED.search(f"{fact.predicate} {object_}"):
                continue
            words = [word for word in re.findall(r"\w+", fact.predicate) if len(word) > 3]
            if not words:
                continue
            gap = rf"(?:\W+\w+){{0,{WITHIN}}}\W+"
            negated = re.compile(rf"(?:\b(?:{CUES})|n't){gap}{re.escape(words[0])}\b", re.I)
            text = " ".join(statements[fact.statement_ids[0]].split())
            if negated.search(text):
                yield document.uri, f"{names[fact.subject_id]} | {fact.predicate} | {object_}", text


def read(directory: Path, limit: int) -> Iterator[Document]:
    """The first documents of a data set."""
    with (directory / "corpus.jsonl").open(encoding="utf-8") as lines:
        for _, line in zip(range(limit), lines, strict=False):
            record = json.loads(line)
            yield Document(record["_id"], record.get("title") or "", record["text"])


def main() -> None:
    """Print what the rule finds in each data set, and how much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directories", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=300)
    given = parser.parse_args()
    for directory in given.directories:
        found = list(suspects(read(directory, given.limit)))
        for uri, fact, text in found:
            print(f"{uri}: {fact}\n    {text[:300]}")
        print(f"{directory.name}: {len(found)} suspects in {given.limit} documents")


if __name__ == "__main__":
    main()
