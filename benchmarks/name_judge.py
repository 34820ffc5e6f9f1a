"""Train the judge of names, and say how often it is right of names that it has not seen.

    python benchmarks/name_judge.py benchmarks/name_marks.tsv DATA/multihoprag DATA/scifact … \
        --chats benchmarks/chats.jsonl --documentation FOLDER \
        --out ingest/extract/local/names/names_model.npz

The marks are lines of set, document, name and a letter: P person, L place, O organisation,
W work, E event, G group of people, D product, C term, T other, X no entity. They are joined
with the data folders of these names; the marks of "documentation" with files below FOLDER, by
the end of their paths. The chats were written for this, and bring the letters of all their
names with them: what is found besides is no name. Marks whose document is not there are left
out, and said. Other documents of the folders give names that nobody marked.

Prints, a row a set: today's rules, the share of names to which they give the class of the
mark; and of a judge that was trained without a third of the documents, or without a third of
the sets, by the thresholds of ``hlg.ingest.extract.local.names.judge``, the share of the names
that are kept whose class is the mark's, and the share of the real names that are dropped.
"""

import argparse
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np

from hlg.evaluation.data.layouts import read_corpus
from hlg.evaluation.training.names import (
    FOLDS,
    LETTERS,
    LONGEST_TEXT,
    Example,
    Judged,
    Mark,
    examples_of,
    held_out,
    read_name_marks,
    train_judge,
)
from hlg.ingest.extract.local.names.judge import CLASSES, ruled
from hlg.ingest.words.lexicon import CONCEPT, PRODUCT, THING
from hlg.models.embedders import open_embedder
from hlg.names import normalize_name
from hlg.records import Document

DOCUMENTATION, CHATS = "documentation", "written_chats"
UNMARKED_TEXT = 3_000
"""Characters that are read of a document that nobody marked."""
Letters = dict[tuple[str, str, str], str]


def main() -> None:
    """Train, print the table, write the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("marks", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--documentation", type=Path, nargs="*", default=[])
    parser.add_argument("--chats", type=Path, help="texts whose names are all marked (JSONL)")
    parser.add_argument("--unmarked", type=int, default=500, help="other documents of each set")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    marks = read_name_marks(options.marks)
    letters = {(mark.set, mark.document, mark.name): mark.letter for mark in marks}
    work = [
        *_documents(options.data, marks, options.unmarked),
        *_files(options.documentation, marks),
    ]
    with ProcessPoolExecutor(options.processes) as pool:
        found = pool.map(
            _examples, ((set_, document, letters) for set_, document in work), chunksize=20
        )
        examples = [example for each in found for example in each]
        if options.chats:
            lines = options.chats.read_text("utf-8").splitlines()
            for each in pool.map(_examples_of_chat, lines):
                examples += each
    marked = sum(bool(example.letter) for example in examples)
    print(f"{marked} of {len(marks)} marks found, {len(examples) - marked} other names")
    embedder = open_embedder()
    sets = sorted({example.set for example in examples})
    by_document = [zlib.crc32(f"{each.set} {each.document}".encode()) % FOLDS for each in examples]
    by_set = [sets.index(each.set) % FOLDS for each in examples]
    _report(sets, held_out(examples, embedder, by_document), held_out(examples, embedder, by_set))
    if options.out:
        told = {"marks": marked, "other names": len(examples) - marked, "sets": sets}
        train_judge(examples, embedder, {**told, "made by": "benchmarks/name_judge.py"}).save(
            options.out
        )


def _examples(asked: tuple[str, Document, Letters]) -> list[Example]:
    return examples_of(*asked)


def _examples_of_chat(line: str) -> list[Example]:
    """The names that are found in a chat, each with the letter of what it was written as."""
    chat = json.loads(line)
    letters = {normalize_name(name): letter for name, letter in chat["names"].items()}
    document = Document(chat["_id"], chat["title"], chat["text"])
    return [
        replace(example, letter=_letter(normalize_name(example.name), letters))
        for example in examples_of(CHATS, document, {})
        if example.entity_class != CONCEPT
    ]


def _letter(name: str, letters: Mapping[str, str]) -> str:
    """The letter of a name; a part of a person's name is one too, any other part is none."""
    persons = (whole.split() for whole, letter in letters.items() if letter == "P")
    words = name.split()
    part = any(words in (whole[: len(words)], whole[-len(words) :]) for whole in persons)
    return letters.get(name, "P" if part else "X")


def _documents(
    folders: Sequence[Path], marks: Sequence[Mark], unmarked: int
) -> Iterator[tuple[str, Document]]:
    wanted = {(mark.set, mark.document) for mark in marks}
    for folder in folders:
        others = []
        for each in read_corpus(folder / "corpus.jsonl"):
            if (folder.name, each.id) in wanted:
                yield folder.name, Document(each.id, each.title, each.text[:LONGEST_TEXT])
            elif is_for_training(folder.name, each.id):
                others.append(each)
        others.sort(key=lambda each: hashlib.sha256(each.id.encode()).digest())
        for each in others[:unmarked]:
            yield folder.name, Document(each.id, each.title, each.text[:UNMARKED_TEXT])


def is_for_training(set_: str, id_: str) -> bool:
    """Whether a document is of the half that may be looked at; the other is for measuring."""
    return int(hashlib.sha256(f"{set_}{id_}".encode()).hexdigest(), 16) % 2 == 0


def _files(folders: Sequence[Path], marks: Sequence[Mark]) -> Iterator[tuple[str, Document]]:
    wanted = {mark.document for mark in marks if mark.set == DOCUMENTATION}
    names = {path.rsplit("/", 1)[-1] for path in wanted}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.name not in names or not path.is_file():
                continue
            ending = next((each for each in wanted if str(path).endswith(f"/{each}")), "")
            if ending:
                wanted.discard(ending)
                text = path.read_text("utf-8", errors="replace")
                if path.name == "METADATA":
                    text = text.split("\n\n", 1)[-1]
                yield (
                    DOCUMENTATION,
                    Document(ending, "", text[:LONGEST_TEXT], media_type="text/markdown"),
                )


def _report(sets: Sequence[str], documents: Judged, families: Judged) -> None:
    print("| set | marks | rules | documents left out: right, lost | sets left out: right, lost |")
    print("|---|---|---|---|---|")
    for set_ in [*sets, ""]:
        rows = [at for at, each in enumerate(documents.examples) if set_ in ("", each.set)]
        if rows:
            rules = np.mean([_rules_right(documents.examples[at]) for at in rows])
            cells = [
                f"{right:.3f}, {lost:.3f}"
                for right, lost in (_shares(documents, rows), _shares(families, rows))
            ]
            print(f"| {set_ or 'all'} | {len(rows)} | {rules:.3f} | {cells[0]} | {cells[1]} |")


def _rules_right(example: Example) -> bool:
    class_ = THING if example.entity_class in (CONCEPT, PRODUCT) else example.entity_class
    return CLASSES[LETTERS[example.letter]] == class_


def _shares(judged: Judged, rows: Sequence[int]) -> tuple[float, float]:
    """The share of the kept that have the mark's class, and of the real names that are lost."""
    kept = right = real = lost = 0
    for at in rows:
        example = judged.examples[at]
        told = ruled(
            judged.chances[at].tolist(),
            example.entity_class,
            given=example.given,
            is_topic=example.is_topic,
            told=example.told,
            is_short=example.is_short,
        )
        marked = CLASSES[LETTERS[example.letter]]
        kept += bool(told)
        right += bool(told) and told == marked
        real += bool(marked)
        lost += bool(marked) and not told
    return right / max(kept, 1), lost / max(real, 1)


if __name__ == "__main__":
    main()
