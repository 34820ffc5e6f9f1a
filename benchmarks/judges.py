"""Train the judge of names on names that people marked, and say how often it is right.

    cd benchmarks/training/judges
    python -m benchmarks.judges collect name_marks.tsv.xz DATA/multihoprag DATA/scifact … \
        --chats chats.jsonl.xz --documentation FOLDER --out examples.jsonl.gz
    python -m benchmarks.judges train examples.jsonl.gz --base MINILM --out MODELS
    python -m benchmarks.judges further fresh.jsonl.gz examples.jsonl.gz --base MINILM \
        --onto ingest/extract/local --out MODELS
    python -m benchmarks.judges measure examples.jsonl.gz --base MINILM --by documents --out D.npz
    python -m benchmarks.judges report examples.jsonl.gz D.npz

``collect`` finds the marked names again in their documents: a data folder's, a chat's
of the file, or a file's below FOLDER (packages, each unpacked into a folder of its name). What
is not found any more is left out, and counted. ``train`` and ``measure`` need ``hlg[torch]``, onnx
and neither the documents nor an extractor; a GPU makes minutes of hours. ``further`` goes on from
models that were trained before, with marks that they have not seen, in minutes on any machine.
MINILM is the folder of
all-MiniLM-L6-v2 (``hlg[torch]`` brings it). ``measure`` trains without a part of the documents,
or of the sets, and keeps what the judge says of that part; ``--part`` does one of them.
``report`` prints, a row a set: how many marks there are, the share of the marked that have the
rules' class, and of what the judge keeps, by the bounds that ship, the share that is right and
the share of the real names that is kept.
"""

import argparse
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.judges.examples import Example, load_examples, save_examples
from benchmarks.training.judges.marks import NAME_MARKS, Marks, read_marks
from hlg.records import Document

PARTS = {"documents": 5, "sets": 4}
FIELDS = ("seen", "read")
Asked = tuple[str, Document, Marks, Mapping[str, str] | None]


def main() -> None:
    """Do what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    kinds = parser.add_subparsers(dest="kind", required=True)
    one = kinds.add_parser("collect")
    one.add_argument("names", type=Path)
    one.add_argument("data", type=Path, nargs="+")
    one.add_argument("--chats", type=Path)
    one.add_argument("--documentation", type=Path, nargs="*", default=[])
    one.add_argument("--processes", type=int, default=2)
    one.add_argument("--out", type=Path, required=True)
    for kind in ("further", "train", "measure"):
        one = kinds.add_parser(kind)
        if kind == "further":
            one.add_argument("fresh", type=Path)
            one.add_argument("--onto", type=Path, required=True)
        one.add_argument("examples", type=Path)
        one.add_argument("--base", type=Path, required=True)
        one.add_argument("--out", type=Path, required=True)
    one.add_argument("--by", choices=list(PARTS), default="documents")
    one.add_argument("--part", type=int)
    one = kinds.add_parser("report")
    one.add_argument("examples", type=Path)
    one.add_argument("held_out", type=Path, nargs="+")
    options = parser.parse_args()
    commands = {
        "collect": collect,
        "train": train,
        "further": further,
        "measure": measure,
        "report": report,
    }
    commands[options.kind](options)


def collect(options: argparse.Namespace) -> None:
    """Find the marked again, and write examples."""
    marks = read_marks(options.names)
    work = list(_work(options, marks))
    with ProcessPoolExecutor(options.processes) as pool:
        found = list(chain.from_iterable(pool.map(_examples, work, chunksize=16)))
    save_examples(found, options.out)
    there = sum(bool(each.mark) for each in found)
    print(f"{there} marked names (of {len(marks)} marks), {len(found) - there} others")


def _work(options: argparse.Namespace, marks: Marks) -> Iterator[Asked]:
    from benchmarks.training.judges.marked import CHATS, chats, files, passages

    wanted = {key[:2] for key in marks}
    for set_, document in (
        *passages(options.data, wanted),
        *files(options.documentation, wanted),
    ):
        yield set_, document, marks, None
    for document, letters in chats(options.chats) if options.chats else ():
        yield CHATS, document, marks, letters


def _examples(asked: Asked) -> list[Example]:
    from benchmarks.training.judges.marked import examples_of

    return examples_of(*asked)


def train(options: argparse.Namespace) -> None:
    """Train what ships, of all marks."""
    from benchmarks.training.judges.train import save_judge, train_judge

    examples = load_examples(options.examples)
    save_judge(train_judge(examples, options.base, print, _sets(examples)), options.out)


def further(options: argparse.Namespace) -> None:
    """Train what ships, going on from models that were trained before."""
    from benchmarks.training.judges.train import save_judge, train_further

    fresh, known = load_examples(options.fresh), load_examples(options.examples)
    sets = _sets([*fresh, *known])
    save_judge(train_further(fresh, known, options.base, options.onto, sets), options.out)


def _sets(examples: Sequence[Example]) -> str:
    return " ".join(sorted({each.set for each in examples}))


def measure(options: argparse.Namespace) -> None:
    """Train without each part, and keep what is said of it."""
    from benchmarks.training.judges.train import marked, train_judge, verdicts

    examples = load_examples(options.examples)
    names = marked(examples)
    count = PARTS[options.by]
    parts = range(count) if options.part is None else [options.part]
    said: dict[str, list[NDArray[np.float32]]] = {field: [] for field in FIELDS}
    rows: list[int] = []
    for part in parts:
        out = _Part(examples, options.by, part)
        rest = [each for each in examples if not out.has(each)]
        trained = train_judge(rest, options.base, print)
        left = [row for row, each in enumerate(names) if out.has(each)]
        found = verdicts(trained, [names[row] for row in left])
        for field in FIELDS:
            said[field].append(getattr(found, field))
        rows += left
    kept: dict[str, Any] = {field: np.concatenate(each) for field, each in said.items()}
    np.savez_compressed(options.out, rows=np.array(rows), **kept)


class _Part:
    """Documents, or whole sets, that are left out."""

    def __init__(self, examples: Sequence[Example], by: str, part: int) -> None:
        sets = sorted({each.set for each in examples})
        self._place = {each: at for at, each in enumerate(sets)}
        self._by, self._part = by, part

    def has(self, each: Example) -> bool:
        by_document = zlib.crc32(f"{each.set} {each.document}".encode())
        place = by_document if self._by == "documents" else self._place[each.set]
        return place % PARTS[self._by] == self._part


def report(options: argparse.Namespace) -> None:
    """Print a row a set."""
    from hlg.ingest.extract.local.names.judge import CLASSES, both, ruled

    examples = [each for each in load_examples(options.examples) if each.mark]
    files = [np.load(path) for path in options.held_out]
    names = [examples[row] for each in files for row in each["rows"]]
    seen, read = (np.concatenate([each[field] for each in files]) for field in FIELDS)
    real = [CLASSES[NAME_MARKS[each.mark]] for each in names]
    by_rules = [_one(each.entity_class) for each in names]
    given = [
        ruled(
            row,
            each.entity_class,
            given=each.given,
            is_topic=each.is_topic,
            told=each.told,
        )
        for row, each in zip(both(seen, read).tolist(), names, strict=True)
    ]
    print(
        "| names of | marks | rules | right of the kept | real ones kept |\n|---|---|---|---|---|"
    )
    for set_, rows in _by_set(names):
        rules = np.mean([by_rules[row] == real[row] for row in rows])
        kept = [row for row in rows if given[row]]
        right = np.mean([given[row] == real[row] for row in kept])
        held = np.mean([bool(given[row]) for row in rows if real[row]])
        print(f"| {set_} | {len(rows)} | {rules:.3f} | {right:.3f} | {held:.3f} |")


def _one(class_: str) -> str:
    """A term or a product is a thing, as the marks have it."""
    from hlg.words.lexicon import CONCEPT, PRODUCT, THING

    return THING if class_ in (CONCEPT, PRODUCT) else class_


def _by_set(examples: Sequence[Example]) -> Iterable[tuple[str, list[int]]]:
    for set_ in sorted({each.set for each in examples}):
        yield set_, [row for row, each in enumerate(examples) if each.set == set_]
    yield "all", list(range(len(examples)))


if __name__ == "__main__":
    main()
