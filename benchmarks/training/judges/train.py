"""Training of the judge of names, and what it says of what it has not learned from.

It is two models. The softmax over traits learns from the marks. Of the cross-encoder a teacher
with all of MiniLM's layers learns from the marks first; the student that ships has fewer layers
and learns from marks and teacher alike, on what nobody marked too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.judges.cross_encoder import (
    SEED,
    Options,
    ReadingNetwork,
    Task,
    chances,
    export,
    load_network,
    train,
    train_head,
)
from benchmarks.training.judges.examples import Example
from benchmarks.training.judges.exported import read_exported
from benchmarks.training.judges.marks import NAME_MARKS
from benchmarks.training.judges.softmax import fit_softmax, trait_matrix
from hlg.ingest.extract.local.judge import Judge
from hlg.ingest.extract.local.names.judge import CLASSES

TEACHER = Options(layers=(0, 1, 2, 3, 4, 5), batch=96, learning_rate=1.2e-4)
STUDENT = Options(layers=(0, 1, 2, 3), batch=96, learning_rate=2e-4)
FURTHER = Options(layers=STUDENT.layers, epochs=4, batch=48, learning_rate=1e-4)
PENALTY = 10.0
"""Of the square of what a softmax's weights learn."""
CROSS_ENCODER, TRAITS = "cross_encoder.onnx", "names/names_model.npz"
"""Where the models lie below a folder, ``ingest/extract/local`` where they ship."""
UNMARKED = 4
"""So many that nobody marked are shown for each new name, with what was said of them before."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Trained:
    """Both models of the judge."""

    traits: Judge
    network: ReadingNetwork


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Chances of each class, a row a name: ``seen`` by traits, ``read`` by the cross-encoder."""

    seen: NDArray[np.float32]
    read: NDArray[np.float32]


def marked(examples: Sequence[Example]) -> list[Example]:
    """Those that people marked."""
    return [each for each in examples if each.mark]


def train_judge(
    examples: Sequence[Example],
    base: Path,
    progress: Progress,
    sets: str = "",
    student: Options = STUDENT,
    teacher: Options = TEACHER,
) -> Trained:
    """A judge of all marks.

    :param base: a folder with MiniLM's weights.
    :param sets: for the models' provenance.
    """
    names = marked(examples)
    task = Task([each.pair for each in names], _targets(names))
    known = train(load_network(base, teacher), task, teacher, progress)
    others = [each for each in examples if not each.mark and each.pair[1]]
    taught = _taught([], names, others, known, teacher)
    network = train(load_network(base, student), taught, student, progress)
    return _trained(names, network, sets)


def train_further(
    fresh: Sequence[Example],
    known: Sequence[Example],
    base: Path,
    onto: Path,
    sets: str = "",
    options: Options = FURTHER,
) -> Trained:
    """A judge that goes on from that of a folder, for want of a GPU or of some documents.

    Of the cross-encoder the head learns; the layers stay. It is shown as many examples that it
    knows as there are new ones, their marks halfway between people and what it says itself, so
    that it keeps what it has learned. Weights of traits stay near to what they were. So that other
    texts' names are judged as before, names that nobody marked are shown too, with what the models
    said of them.

    :param fresh: examples with new marks.
    :param known: those that were learned from before, or some of them.
    :param base: a folder with MiniLM's weights, for the network's shape.
    :param onto: a folder that :func:`save_judge` wrote.
    :raises ModelError: a file is missing, or not of such a model.
    """
    new = marked(fresh)
    again = {(each.set, each.document, each.pair) for each in new}
    old = _shuffled(
        [each for each in marked(known) if (each.set, each.document, each.pair) not in again]
    )
    others = _shuffled([each for each in known if not each.mark])[: UNMARKED * len(new)]
    network = read_exported(onto / CROSS_ENCODER, load_network(base, options)).eval()
    task = _taught(new, old[: len(new)], others, network, options)
    learned = train_head(network, task, options)
    return _trained([*old, *new], learned, sets, Judge.load(onto / TRAITS), others)


def _shuffled(examples: Sequence[Example]) -> list[Example]:
    order = np.random.default_rng(SEED).permutation(len(examples)).tolist()
    return [examples[at] for at in order]


def _taught(
    new: Sequence[Example],
    known: Sequence[Example],
    others: Sequence[Example],
    teacher: ReadingNetwork,
    options: Options,
) -> Task:
    """New examples by their marks, known ones halfway between marks and teacher, and what the
    teacher says of others that have no mark."""
    pairs = [each.pair for each in (*new, *known, *others)]
    targets = chances(teacher, pairs, options)
    targets[: len(new)] = _targets(new)
    halfway = slice(len(new), len(new) + len(known))
    targets[halfway] = (targets[halfway] + _targets(known)) / 2
    return Task(pairs, targets)


def _trained(
    names: Sequence[Example],
    network: ReadingNetwork,
    sets: str,
    start: Judge | None = None,
    others: Sequence[Example] = (),
) -> Trained:
    """The judge: a model of traits that learns from these marks, and a network that has.

    :param others: unmarked names, of which the start is believed.
    """
    told = {"made by": "benchmarks.judges", "sets": sets, "names": len(names)}
    targets = _targets(names)
    if others and start:
        said = start.chances([each.traits for each in others])
        names, targets = [*names, *others], np.concatenate([targets, said])
    return Trained(Judge(_softmax(names, targets, start), told), network)


def save_judge(trained: Trained, folder: Path) -> None:
    """Write both models as they ship, below a folder."""
    (folder / TRAITS).parent.mkdir(parents=True, exist_ok=True)
    trained.traits.save(folder / TRAITS)
    told = {key: trained.traits.provenance[key] for key in ("made by", "sets")}
    export(trained.network, folder / CROSS_ENCODER, told)


def verdicts(trained: Trained, names: Sequence[Example]) -> Verdicts:
    """What the judge says of names, of one at least."""
    return Verdicts(
        trained.traits.chances([each.traits for each in names]),
        chances(trained.network, [each.pair for each in names], STUDENT),
    )


def _targets(names: Sequence[Example]) -> NDArray[np.float32]:
    rows = np.eye(len(CLASSES), dtype=np.float32)
    return rows[[NAME_MARKS[each.mark] for each in names]]


def _softmax(
    examples: Sequence[Example], targets: NDArray[np.float32], start: Judge | None
) -> NDArray[np.float32]:
    rows = trait_matrix([each.traits for each in examples])
    begun = start.weights.astype(np.float64) if start else None
    return fit_softmax(rows, targets.astype(np.float64), PENALTY, begun).astype(np.float32)
