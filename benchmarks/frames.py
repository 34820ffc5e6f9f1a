"""Train and measure the reader of frames, from which the local extractor takes its facts.

``python benchmarks/frames.py train DATA --carb CARB --base MINILM --out FOLDER`` learns from the
marked sentences (``benchmarks/training/frames/marks.jsonl.xz``; those of corpora are read in
DATA) but for a third of the documents, and from half of CaRB's, and writes ``states.onnx`` and
``roles.onnx``. ``measure DATA`` counts facts of that third, by genre and by bound, and prints
the weights of a fact's chance. ``carb CARB`` gives the sentences of CaRB's development part to
its own scorer, those that were not learned from by themselves, beside what OpenIE 5 gives.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.training.frames.carb import score, score_openie5, tuples
from benchmarks.training.frames.examples import Example, examples
from benchmarks.training.frames.marks import carb, read_marks
from benchmarks.training.frames.measure import (
    Binary,
    binary,
    count,
    is_held_out,
    right_ones,
)
from hlg.ingest.extract.local.frames.decode import Frame
from hlg.ingest.extract.local.frames.reader import FrameReader, shipped

MARKS = Path(__file__).parent / "training" / "frames" / "marks.jsonl.xz"
BOUNDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
SHOWN = 0.5


def main() -> None:
    """Run one of the three commands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("data", type=Path)
    training.add_argument("--carb", type=Path, required=True)
    training.add_argument("--base", type=Path, required=True)
    training.add_argument("--out", type=Path, required=True)
    training.set_defaults(run=_train)
    measuring = commands.add_parser("measure")
    measuring.add_argument("data", type=Path)
    measuring.add_argument("--reader", type=Path)
    measuring.set_defaults(run=_measure)
    scoring = commands.add_parser("carb")
    scoring.add_argument("data", type=Path)
    scoring.add_argument("--reader", type=Path)
    scoring.set_defaults(run=_carb)
    given = parser.parse_args()
    given.run(given)


def _train(given: argparse.Namespace) -> None:
    from benchmarks.training.frames.export import export
    from benchmarks.training.frames.train import Options, load_network, train

    learned = [each for each in _marked(given.data) if not is_held_out(each.marked.document)]
    learned += _carb_examples(given.carb)[0]
    options = Options()
    given.out.mkdir(parents=True, exist_ok=True)
    export(train(load_network(given.base, options), learned, options, print), given.out)


def _measure(given: argparse.Namespace) -> None:
    held = [each for each in _marked(given.data) if is_held_out(each.marked.document)]
    read = [
        list(binary(each.sentence, frames))
        for each, frames in zip(held, _read(given.reader, held), strict=True)
    ]
    print(f"{len(held)} sentences that were not learned from")
    for bound in BOUNDS:
        print(f"from {bound:.1f}   {count(held, _from(read, bound)).line}")
    genres: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(held):
        genres[each.marked.genre].append(at)
    for genre, places in sorted(genres.items()):
        found = count([held[at] for at in places], _from([read[at] for at in places], SHOWN))
        print(f"{genre:14}{found.line}")
    print("weights of a fact's chance:", ", ".join(map(str, _weights(held, read))))


def _weights(held: Sequence[Example], read: Sequence[Sequence[Binary]]) -> list[float]:
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    signals = np.array([each.signals[1:] for found in read for each in found])
    right = [each for at, found in enumerate(read) for each in right_ones(held[at], found)]
    scaler = StandardScaler().fit(signals)
    model = LogisticRegression().fit(scaler.transform(signals), np.array(right))
    weights = model.coef_[0] / scaler.scale_
    return [
        round(float(each), 4) for each in (model.intercept_[0] - weights @ scaler.mean_, *weights)
    ]


def _carb(given: argparse.Namespace) -> None:
    learned, held = _carb_examples(given.data)
    for name, part in (("not learned from", held), ("all", learned + held)):
        rows = [
            (each.marked.text, *row)
            for each, frames in zip(part, _read(given.reader, part, style=1), strict=True)
            for row in tuples(each, frames)
        ]
        texts = {each.marked.text for each in part}
        print(f"{name}: {len(part)} sentences, {len(rows)} tuples")
        print("  reader   ", score(given.data, rows, texts))
        print("  OpenIE 5 ", score_openie5(given.data, texts))


def _marked(data: Path) -> list[Example]:
    return examples(read_marks(MARKS, data))


def _carb_examples(folder: Path) -> tuple[list[Example], list[Example]]:
    """Those that are learned from, and the others."""
    found = examples(carb(folder / "dev.tsv"))
    return found[::2], found[1::2]


def _read(folder: Path | None, given: Sequence[Example], style: int = 0) -> list[tuple[Frame, ...]]:
    reader = FrameReader(folder, style=style) if folder else shipped(style)
    return reader.read([each.sentence for each in given])


def _from(read: Sequence[Sequence[Binary]], bound: float) -> list[list[Binary]]:
    return [[each for each in found if each.chance >= bound] for found in read]


if __name__ == "__main__":
    main()
