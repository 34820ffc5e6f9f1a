"""Train the judge of facts, and say how often it is right of facts that it has not seen.

    python benchmarks/fact_judge.py benchmarks/fact_marks.tsv DATA/multihoprag DATA/scifact … \
        --chats benchmarks/chats.jsonl --documentation FOLDER \
        --out ingest/extract/local/facts/facts_model.npz

The marks are lines of set, document, fact and mark: r right; wc cut short, wg no grammar, wn
a denial or condition lost, ws of the wrong thing, wv saying nothing. They are joined with the
data folders of these names and the chats; those of "documentation" with files below FOLDER
(Debian packages, each unpacked into a folder of its name) by package and name of the file.
Marks whose fact is not found any more are left out, and counted.

Prints, a row a set: the share of the marked facts that are right, and of a judge that was
trained without a fifth of the documents, or without a quarter of the sets, the share of
right ones among those that it keeps, and the share of the right ones that it keeps.
"""

import argparse
import json
import zlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.layouts import read_corpus
from hlg.evaluation.training.facts import (
    FactMark,
    SeenFact,
    held_out,
    read_fact_marks,
    seen_facts,
    train_judge,
)
from hlg.ingest.extract.local.facts.judge import TRUE
from hlg.ingest.load.sources import load
from hlg.records import Document

CHATS, DOCUMENTATION = "written_chats", "documentation"
DOCUMENT_FOLDS, SET_FOLDS = 5, 4
Marks = dict[tuple[str, str, str], str]


def main() -> None:
    """Train, print the table, write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("marks", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--chats", type=Path)
    parser.add_argument("--documentation", type=Path, nargs="*", default=[])
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    marks = read_fact_marks(options.marks)
    by_fact = {(mark.set, mark.document, mark.fact): mark.mark for mark in marks}
    work = [*_documents(options.data, marks)]
    work += _chats(options.chats) if options.chats else []
    work += [each for folder in options.documentation for each in _files(folder, marks)]
    with ProcessPoolExecutor(options.processes) as pool:
        found = pool.map(_seen, ((set_, each, by_fact) for set_, each in work), chunksize=20)
        facts = [fact for each in found for fact in each]
    print(f"{len(facts)} of {len(marks)} marked facts found that the judge has a say in")
    _report(facts)
    if options.out:
        told = {"facts": len(facts), "sets": sorted({fact.set for fact in facts})}
        train_judge(facts, {**told, "made by": "benchmarks/fact_judge.py"}).save(options.out)


def _seen(asked: tuple[str, Document, Marks]) -> list[SeenFact]:
    return seen_facts(*asked)


def _documents(
    folders: Sequence[Path], marks: Sequence[FactMark]
) -> Iterator[tuple[str, Document]]:
    wanted = {(mark.set, mark.document) for mark in marks}
    for folder in folders:
        for each in read_corpus(folder / "corpus.jsonl"):
            if (folder.name, each.id) in wanted:
                yield folder.name, Document(each.id, each.title, each.text)


def _chats(path: Path) -> Iterator[tuple[str, Document]]:
    for line in path.read_text("utf-8").splitlines():
        chat = json.loads(line)
        yield CHATS, Document(chat["_id"], chat["title"], chat["text"])


def _files(folder: Path, marks: Sequence[FactMark]) -> Iterator[tuple[str, Document]]:
    wanted = {mark.document for mark in marks if mark.set == DOCUMENTATION}
    for path in sorted(folder.rglob("*")):
        id_ = f"{path.relative_to(folder).parts[0]}/{path.name}"
        if id_ in wanted and path.is_file():
            wanted.discard(id_)
            for each in load([str(path)]):
                if isinstance(each, Document):
                    yield (
                        DOCUMENTATION,
                        Document(id_, each.title, each.text, media_type=each.media_type),
                    )


def _report(facts: Sequence[SeenFact]) -> None:
    sets = sorted({fact.set for fact in facts})
    by_document = [
        zlib.crc32(f"{fact.set} {fact.document}".encode()) % DOCUMENT_FOLDS for fact in facts
    ]
    by_set = [sets.index(fact.set) % SET_FOLDS for fact in facts]
    judged = (held_out(facts, by_document), held_out(facts, by_set))
    right = np.array([fact.is_right for fact in facts])
    print("| set | marks | right | documents left out: right, kept | sets left out: right, kept |")
    print("|---|---|---|---|---|")
    for set_ in [*sets, ""]:
        rows = np.array([set_ in ("", fact.set) for fact in facts])
        cells = [_shares(chances[rows], right[rows]) for chances in judged]
        share = right[rows].mean()
        print(f"| {set_ or 'all'} | {rows.sum()} | {share:.3f} | {cells[0]} | {cells[1]} |")


def _shares(chances: NDArray[np.float64], right: NDArray[np.bool_]) -> str:
    """The share of right ones among the kept, and of the right ones the share that is kept."""
    kept = chances >= TRUE
    return f"{right[kept].mean():.3f}, {(right & kept).sum() / right.sum():.3f}"


if __name__ == "__main__":
    main()
