"""Train and measure the reader of frames and names, from which the local extractor takes its facts
and its entities.

``python -m benchmarks.frames train DATA --carb CARB --base MINILM --out FOLDER`` learns from the
marked sentences (``benchmarks/training/frames/marks.jsonl.xz``; those of corpora are read in
DATA) but for a third of the documents, and from half of CaRB's, and writes ``states.onnx`` and
``roles.onnx``; then, from what the first gives and from names that were marked elsewhere (GUM in
DATA, ``name_marks.tsv.xz``, ``chats.jsonl.xz``, ``written_names.txt``), ``names.onnx``, which
``train-names DATA --out FOLDER`` alone trains upon a folder's ``states.onnx``.

``measure DATA`` counts facts of that third, by genre and by bound. The trees that give a fact its
chance learn from that third too, each time without the documents of which they judge the facts;
with ``--out`` those that learned from all of it are written, as ``confidence_trees.txt``.
``graph DATA`` counts what of it stands in the graph, judged likewise, by words.

``told DATA --out FILE`` learns how sure it is that a fact is true as it is told
(``told.onnx``), from facts of other documents that were judged by reading
(``judged.jsonl.xz``), and counts on a fifth of the documents, of which one network learns nothing:
by the trees of ``measure``, and by the network, whose chance is a fact's confidence.

``entities DATA --out FILE`` learns how sure it is that an entity is one (``entities.npz``), from
entities that were judged by reading (``entities.jsonl.xz``), and counts on those of documents that
it did not learn from.

``carb CARB`` gives the sentences of CaRB's development part to its own scorer, those that were
not learned from by themselves, beside what OpenIE 5 gives. ``names DATA`` counts names of that
third, by the reader alone and in the graph, and of GUM's development part. ``links DATA --out
FILE`` learns what a pronoun means and how sure that is (``links.txt``), from GUM's coreference and
from texts of which that was marked for this (``coref.jsonl.xz``), but for a fourth of these, and
counts on that fourth and on GUM's development part.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import lightgbm
import numpy as np
from numpy.typing import NDArray

from benchmarks.training.confidence import area_under_curve
from benchmarks.training.frames.carb import score, score_openie5, tuples
from benchmarks.training.frames.confidence import by_folds, reliability, trees_file
from benchmarks.training.frames.examples import Example, examples
from benchmarks.training.frames.gum import FREE_GENRES, gum
from benchmarks.training.frames.links import (
    COREF,
    Pointer,
    by_bound,
    coref_texts,
    is_tested,
    learned,
    links_file,
    marked_corefs,
    pointers_of,
)
from benchmarks.training.frames.marks import carb, read_marks
from benchmarks.training.frames.measure import (
    Binary,
    Counts,
    binary,
    count,
    is_held_out,
)
from benchmarks.training.frames.measure_graph import count_facts
from benchmarks.training.frames.measure_names import (
    NameCounts,
    calibration,
    count_in_graph,
    count_names,
    recorded_names,
)
from benchmarks.training.frames.names import (
    NameExample,
    NameText,
    chats,
    marked_names,
    name_examples,
    partly_marked,
    recased,
    written,
)
from hlg.ingest.extract.local.frames.decode import Frame
from hlg.ingest.extract.local.frames.named import Name
from hlg.ingest.extract.local.frames.reader import FrameReader, shipped
from hlg.ingest.extract.local.frames.told import confidence_of
from hlg.schema import SURE

NAMES = Path(__file__).parent / "training" / "frames"
MARKS = NAMES / "marks.jsonl.xz"
BOUNDS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
SHOWN = 0.5
RECORDED = 200
"""Documents of which recorded names are counted."""


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("data", type=Path)
    training.add_argument("--carb", type=Path, required=True)
    training.add_argument("--base", type=Path, required=True)
    training.add_argument("--out", type=Path, required=True)
    training.set_defaults(run=_train)
    naming = commands.add_parser("train-names")
    naming.add_argument("data", type=Path)
    naming.add_argument("--out", type=Path, required=True)
    naming.set_defaults(run=_train_names)
    measuring = commands.add_parser("measure")
    measuring.add_argument("data", type=Path)
    measuring.add_argument("--reader", type=Path)
    measuring.add_argument("--out", type=Path)
    measuring.set_defaults(run=_measure)
    standing = commands.add_parser("graph")
    standing.add_argument("data", type=Path)
    standing.set_defaults(run=_graph)
    telling = commands.add_parser("told")
    telling.add_argument("data", type=Path)
    telling.add_argument("--out", type=Path)
    telling.set_defaults(run=_told)
    weighing = commands.add_parser("entities")
    weighing.add_argument("data", type=Path)
    weighing.add_argument("--out", type=Path)
    weighing.set_defaults(run=_entities)
    scoring = commands.add_parser("carb")
    scoring.add_argument("data", type=Path)
    scoring.add_argument("--reader", type=Path)
    scoring.set_defaults(run=_carb)
    counting = commands.add_parser("names")
    counting.add_argument("data", type=Path)
    counting.add_argument("--reader", type=Path)
    counting.set_defaults(run=_names)
    linking = commands.add_parser("links")
    linking.add_argument("data", type=Path)
    linking.add_argument("--out", type=Path)
    linking.set_defaults(run=_links)
    given = parser.parse_args()
    given.run(given)


def _train(given: argparse.Namespace) -> None:
    from benchmarks.training.frames.export import export
    from benchmarks.training.frames.train import Options, load_network, train

    taught = [each for each in _marked(given.data) if not is_held_out(each.marked.document)]
    taught += _carb_examples(given.carb)[0]
    options = Options()
    given.out.mkdir(parents=True, exist_ok=True)
    export(train(load_network(given.base, options), taught, options, print), given.out)
    _train_names(given)


def _train_names(given: argparse.Namespace) -> None:
    from benchmarks.training.frames.export import export_names
    from benchmarks.training.frames.train_names import NameOptions, train_names

    marked = [each for each in _marked_names(given.data) if not is_held_out(each.document)]
    talks = [each for each in chats(NAMES / "chats.jsonl.xz") if each.names]
    texts = [
        *marked,
        *2 * list(gum(given.data / "gum" / "train.conllu", free=True)),
        *chats(NAMES / "chats.jsonl.xz"),
        *partly_marked(NAMES / "name_marks.tsv.xz", given.data),
        *written(NAMES / "written_names.txt"),
        *recased(marked, 8),
        *recased(talks, 10),
    ]
    taught = list(name_examples(texts))
    network = train_names(FrameReader(given.out), taught, NameOptions(), print)
    export_names(network, given.out)


def _names(given: argparse.Namespace) -> None:
    held = [each for each in _marked_names(given.data) if is_held_out(each.document)]
    other = list(gum(given.data / "gum" / "dev.conllu", free=False))
    reader = FrameReader(given.reader) if given.reader else shipped()
    everything: list[NameExample] = []
    found: list[tuple[Name, ...]] = []
    for title, texts in (("not learned from", held), ("GUM, development part", other)):
        parts = list(name_examples(texts))
        read = [each.names for each in reader.read([each.sentence for each in parts])]
        print(f"{title}, {len(parts)} sentences, by the reader alone")
        _print_names(count_names(parts, read))
        print(f"{title}, in the graph")
        _print_names(count_in_graph(texts))
        everything += parts
        found += read
    table, (slope, shift) = calibration(everything, found)
    for chance, right, of in table:
        print(f"chance {chance:.2f}: right {right:.2f} of {of}")
    print(f"log-odds times {slope:.3f} plus {shift:.3f} would fit better")
    names, known = recorded_names(given.data / "musique_train100", RECORDED)
    print(f"recorded names of musique_train100 in the graph: {known / names:.3f} of {names}")


def _links(given: argparse.Namespace) -> None:
    folder = given.data / "gum"
    marked = list(marked_corefs(COREF, given.data))
    known = [each for each in marked if not is_tested(each)]
    booster = learned([*coref_texts(folder / "train.conllu", free=True), *known])
    tested = (
        ("GUM, development part", coref_texts(folder / "dev.conllu", free=False)),
        ("texts marked for this", filter(is_tested, marked)),
    )
    for title, texts in tested:
        _print_links(title, booster, [p for text in texts for p in pointers_of(text, booster)])
    if given.out:
        given.out.write_text(links_file(booster), "utf-8")


def _print_links(title: str, booster: lightgbm.Booster, held: Sequence[Pointer]) -> None:
    print(f"{title}: {len(held)} point back, {sum(each.refers for each in held)} of them")
    print("at what was named before")
    genres = {each.genre for each in held}
    for what, part in (("all", genres), ("genres of GUM that were learned", FREE_GENRES & genres)):
        if part:
            print(what)
            for line in by_bound(booster, [x for x in held if x.genre in part], BOUNDS):
                print(f"  {line}")
    for genre in sorted(genres):
        for line in by_bound(booster, [x for x in held if x.genre == genre], [SHOWN]):
            print(f"{genre:17}{line}")


def _print_names(counts: dict[str, NameCounts]) -> None:
    whole = NameCounts()
    for source, of in sorted(counts.items()):
        print(f"  {source:14}{of.line}")
        for each in fields(NameCounts):
            setattr(whole, each.name, getattr(whole, each.name) + getattr(of, each.name))
    print(f"  {'all':14}{whole.line}")


def _measure(given: argparse.Namespace) -> None:
    held = [each for each in _marked(given.data) if is_held_out(each.marked.document)]
    read = by_folds(
        held,
        [
            list(binary(each.sentence, frames))
            for each, frames in zip(held, _read(given.reader, held), strict=True)
        ],
    )
    print(f"{len(held)} sentences that were not learned from, the chance of each by folds")
    for bound in BOUNDS:
        print(f"from {bound:.1f}   {count(held, _from(read, bound)).line}")
    genres: dict[str, list[int]] = defaultdict(list)
    for at, each in enumerate(held):
        genres[each.marked.genre].append(at)
    for genre, places in sorted(genres.items()):
        found = count([held[at] for at in places], _from([read[at] for at in places], SHOWN))
        print(f"{genre:14}{found.line}")
    for chance, right, of in reliability(held, read):
        print(f"chance {chance:.2f}: right {right:.2f} of {of}")
    if given.out:
        given.out.write_text(trees_file(held, read), "utf-8")


def _graph(given: argparse.Namespace) -> None:
    held = [each for each in _marked(given.data) if is_held_out(each.marked.document)]
    read = _read(None, held)
    facts = [list(binary(x.sentence, frames)) for x, frames in zip(held, read, strict=True)]
    whole = Counts()
    for genre, of in sorted(count_facts(held, facts, SURE).items()):
        print(f"{genre:14}{of.line}")
        for each in fields(Counts):
            setattr(whole, each.name, getattr(whole, each.name) + getattr(of, each.name))
    print(f"{'all':14}{whole.line}, {whole.read} shown")


def _told(given: argparse.Namespace) -> None:
    from sklearn.linear_model import LogisticRegression

    from benchmarks.training.frames import told
    from benchmarks.training.frames.export import export_told

    rows = told.judged(given.data)
    right = np.array([each.right for each in rows])
    print(f"{len(rows)} facts that were judged, of which {right.mean():.3f} are right")
    tested = [each for each in rows if each.fold == 0]
    network = told.train([each for each in rows if each.fold != 0], print)
    odds = told.score(network, tested)
    right = np.array([each.right for each in tested])
    linked = 1 / (1 + np.exp(-np.array([each.given["chances"][1] for each in tested])))
    for name, chances in {"trees": linked, "network": confidence_of(odds)}.items():
        area = area_under_curve(chances, right)
        print(f"{name}, of a fifth of the documents: area under the curve {area:.3f}")
        for bound in BOUNDS:
            print(f"  from {bound}", _share(right, chances >= bound))
    for low in np.arange(0, 1, 0.1):
        its = right[(low <= confidence_of(odds)) & (confidence_of(odds) < low + 0.1)]
        print(f"chance {low + 0.05:.2f}: right {its.mean():.2f} of {len(its)}")
    fitted = LogisticRegression(C=1e6).fit(odds[:, None], right)
    scale, shift = fitted.coef_[0, 0], fitted.intercept_[0]
    print(f"log-odds times {scale:.3f} plus {shift:.3f} would fit best")
    for genre in sorted({each.genre for each in tested}):
        own = np.array([each.genre == genre for each in tested])
        print(f"{genre:22}", _share(right[own], confidence_of(odds)[own] >= SURE))
    if given.out:
        export_told(told.train(rows, print), given.out)


def _entities(given: argparse.Namespace) -> None:
    from benchmarks.training.frames import entities

    rows = entities.judged_entities(given.data)
    right = np.array([each.right for each in rows])
    print(f"{len(rows)} entities that were judged, of which {right.mean():.3f} are right")
    chances = entities.entities_by_folds(rows)
    print(f"area under the curve {area_under_curve(chances, right):.3f}")
    for bound in BOUNDS:
        print(f"  from {bound}", _share(right, chances >= bound))
    for kind in ([each.entity_class for each in rows], [each.source for each in rows]):
        names = np.array(kind)
        for name in sorted(set(kind)):
            own = names == name
            judged = f"{name:18} {int(own.sum()):5}, {right[own].mean():.3f} right;"
            print(judged, _share(right[own], chances[own] >= SHOWN))
    if given.out:
        entities.write_entities(entities.train_entities(rows), given.out)


def _share(right: NDArray[np.bool_], kept: NDArray[np.bool_]) -> str:
    count, found = int(kept.sum()), int(right[kept].sum())
    precision, recall = found / max(1, count), found / max(1, int(right.sum()))
    return f"{count:5} told, {precision:.3f} of them right, {recall:.3f} of the right ones told"


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


def _marked_names(data: Path) -> list[NameText]:
    return list(marked_names(read_marks(MARKS, data)))


def _marked(data: Path) -> list[Example]:
    return examples(read_marks(MARKS, data))


def _carb_examples(folder: Path) -> tuple[list[Example], list[Example]]:
    """Those that are learned from, and the others."""
    found = examples(carb(folder / "dev.tsv"))
    return found[::2], found[1::2]


def _read(folder: Path | None, given: Sequence[Example], style: int = 0) -> list[tuple[Frame, ...]]:
    reader = FrameReader(folder, style=style) if folder else shipped(style)
    return [each.frames for each in reader.read([each.sentence for each in given])]


def _from(read: Sequence[Sequence[Binary]], bound: float) -> list[list[Binary]]:
    return [[each for each in found if each.chance >= bound] for found in read]


if __name__ == "__main__":
    main()
