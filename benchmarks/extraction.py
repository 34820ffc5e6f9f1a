"""How fast the local extractor is beside the bare spaCy pipeline that it runs on.

``python benchmarks/extraction.py DIR [DOCUMENTS]`` reads ``corpus.jsonl`` of a folder and
prints words a second of both, each over the same documents with the same components, and how
many facts a hundred statements give. The two take turns, so that a machine's other work falls on
both alike.
"""

import json
import sys
import time
from pathlib import Path

from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.models.spacy_pipeline import load_english
from hlg.records import Chunk, Document

ROUNDS = 4
SHOWN = 0.5
"""Chance from which on a fact is shown."""


def read_documents(path: Path, limit: int) -> list[Document]:
    """The first ``limit`` documents of a corpus."""
    with path.open(encoding="utf-8") as lines:
        records = [json.loads(line) for line, _ in zip(lines, range(limit), strict=False)]
    return [Document(record["_id"], record["title"], record["text"]) for record in records]


def whole(document: Document) -> list[Chunk]:
    """The document as one chunk."""
    source, end = source_id(document.uri), len(document.text)
    return [Chunk(chunk_id(source, 0, end), source, 0, 0, end, document.text)]


def main(directory: str, limit: int = 10_000) -> None:
    """Time both and print what they did."""
    documents = read_documents(Path(directory) / "corpus.jsonl", limit)
    pipeline, extractor = load_english(), LocalExtractor()
    words = sum(len(document.text.split()) for document in documents)
    bare = ours = 0.0
    statements = kept = shown = 0
    for turn in range(ROUNDS):
        part = documents[turn::ROUNDS]
        started = time.perf_counter()
        for _ in pipeline.pipe([document.text for document in part], batch_size=64):
            pass
        bare += time.perf_counter() - started
        started = time.perf_counter()
        for document in part:
            found = extractor.extract(document, whole(document))
            statements += len(found.statements)
            kept += len(found.facts)
            shown += sum(fact.confidence >= SHOWN for fact in found.facts)
        ours += time.perf_counter() - started
    print(f"documents   {len(documents)}, {words} words, {statements} statements")
    print(f"spaCy       {words / bare:.0f} words/s ({', '.join(pipeline.pipe_names)})")
    print(f"extractor   {words / ours:.0f} words/s, {statements / ours:.0f} statements/s")
    print(
        f"facts       {100 * shown / statements:.1f} shown and {100 * kept / statements:.1f} kept "
        "a hundred statements"
    )
    print(f"ratio       {bare / ours:.2f}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python benchmarks/extraction.py DIR [DOCUMENTS]")
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) == 3 else 10_000)
