"""Training of both judges, and what they say of what they have not learned from.

Each judge is two models. The softmax over traits learns from the marks. Of the cross-encoder a
teacher with all of MiniLM's layers learns from the marks first; the student that ships has
fewer layers and learns from marks and teacher alike, on what nobody marked too.
"""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from benchmarks.training.judges.examples import Example, Examples
from benchmarks.training.judges.exported import read_exported
from benchmarks.training.judges.marks import FACT_MARKS, NAME_MARKS
from benchmarks.training.judges.softmax import fit_softmax, trait_matrix
from hlg.ingest.extract.local.judge import Judge

__all__ = [
    "FURTHER",
    "STUDENT",
    "TEACHER",
    "Trained",
    "Verdicts",
    "marked",
    "save_judges",
    "train_further",
    "train_judges",
    "turned",
    "verdicts",
]

TEACHER = Options(layers=(0, 1, 2, 3, 4, 5), batch=96, learning_rate=1.2e-4)
STUDENT = Options(layers=(0, 1, 2, 3), batch=96, learning_rate=2e-4)
FURTHER = Options(layers=STUDENT.layers, epochs=4, batch=48, learning_rate=1e-4)
PENALTY = 10.0
"""Of the square of what a softmax's weights learn."""
CROSS_ENCODER = "cross_encoder.onnx"
FACTS_MODEL, NAMES_MODEL = "facts/facts_model.npz", "names/names_model.npz"
"""Where the models lie below a folder, ``ingest/extract/local`` where they ship."""
TURNED = 6
"""One right fact in so many is also told the wrong way round."""
_EITHER_WAY = frozenset(
    (
        "is",
        "was",
        "are",
        "were",
        "be",
        "been",
        "becomes",
        "became",
        "equals",
        "has",
        "have",
        "had",
        "includes",
        "and",
        "with",
        "between",
        "married",
        "met",
        "resembles",
        "like",
    )
)
"""Words of predicates that may say as much, or no more nonsense, when they are turned round."""
UNMARKED = 4
"""So many that nobody marked are shown for each new name, with what was said of them before."""
_MARKS = {"facts": FACT_MARKS, "names": NAME_MARKS}
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Trained:
    """Both models of both judges."""

    facts: Judge
    names: Judge
    network: ReadingNetwork


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What models say: ``seen`` those of traits, ``read`` the cross-encoder's.

    Of facts the chance that each is right, shape (n,); of names a row of chances each.
    """

    facts_seen: NDArray[np.float32]
    facts_read: NDArray[np.float32]
    names_seen: NDArray[np.float32]
    names_read: NDArray[np.float32]


def marked(examples: Sequence[Example]) -> list[Example]:
    """Those that people marked."""
    return [each for each in examples if each.mark]


def train_judges(
    examples: Examples,
    base: Path,
    progress: Progress,
    sets: str = "",
    student: Options = STUDENT,
    teacher: Options = TEACHER,
) -> Trained:
    """Judges of all marks.

    :param base: a folder with MiniLM's weights.
    :param sets: for the models' provenance.
    """
    facts, names = marked(examples.facts), marked(examples.names)
    read = [*facts, *turned(facts)]
    tasks = [_task("facts", read), _task("names", names)]
    known = train(load_network(base, teacher), tasks, teacher, progress)
    learned = [
        _taught("facts", read, examples.facts, known, teacher),
        _taught("names", names, examples.names, known, teacher),
    ]
    network = train(load_network(base, student), learned, student, progress)
    return _trained(facts, names, network, sets)


def train_further(
    fresh: Examples,
    known: Examples,
    base: Path,
    onto: Path,
    progress: Progress,
    sets: str = "",
    options: Options = FURTHER,
) -> Trained:
    """Judges that go on from those of a folder, for want of a GPU or of some documents.

    Of facts and of names alike the cross-encoder is shown as many examples that it knows as there
    are new ones of the more numerous kind, their marks halfway between people and what it says
    itself, so that it keeps what it has learned. Weights of traits stay near to what they were.
    New marks of names alone are learned by the head for names: the layers stay, and with them all
    that the judge of facts says. So that other texts' names are judged as before, names that
    nobody marked are shown too, with what the models said of them.

    :param fresh: examples with new marks.
    :param known: those that were learned from before, or some of them.
    :param base: a folder with MiniLM's weights, for the network's shape.
    :param onto: a folder that :func:`save_judges` wrote.
    :raises ModelError: a file is missing, or not of such a model.
    """
    new = {(each.set, each.document, each.pair) for each in (*fresh.facts, *fresh.names)}

    def joined(kind: str) -> tuple[list[Example], list[Example]]:
        old = [
            each
            for each in marked(getattr(known, kind))
            if (each.set, each.document, each.pair) not in new
        ]
        return marked(getattr(fresh, kind)), _shuffled(old)

    (new_facts, old_facts), (new_names, old_names) = joined("facts"), joined("names")
    others = _shuffled([each for each in known.names if not each.mark])
    others = others[: UNMARKED * len(new_names)]
    network = read_exported(onto / CROSS_ENCODER, load_network(base, options)).eval()
    shown = max(len(new_facts), len(new_names))
    of_names = _kept("names", new_names, old_names[:shown], network, options, others)
    if new_facts:
        read = [*new_facts, *turned(new_facts)]
        tasks = [_kept("facts", read, old_facts[:shown], network, options), of_names]
        learned = train(network, tasks, options, progress)
    else:
        learned = train_head(network, of_names, options)
    facts, names = [*old_facts, *new_facts], [*old_names, *new_names]
    starts = Judge.load(onto / FACTS_MODEL), Judge.load(onto / NAMES_MODEL)
    trained = _trained(facts, names, learned, sets, starts, others)
    return trained if new_facts else replace(trained, facts=starts[0])


def _shuffled(examples: Sequence[Example]) -> list[Example]:
    order = np.random.default_rng(SEED).permutation(len(examples)).tolist()
    return [examples[at] for at in order]


def _kept(
    head: str,
    new: Sequence[Example],
    old: Sequence[Example],
    network: ReadingNetwork,
    options: Options,
    others: Sequence[Example] = (),
) -> Task:
    """New examples, old ones, and others that have no mark."""
    pairs = [each.pair for each in (*new, *old, *others)]
    targets = chances(network, pairs, head, options)
    targets[: len(new)] = _targets(head, new)
    known = slice(len(new), len(new) + len(old))
    targets[known] = (targets[known] + _targets(head, old)) / 2
    return Task(head, pairs, targets)


def _trained(
    facts: Sequence[Example],
    names: Sequence[Example],
    network: ReadingNetwork,
    sets: str,
    starts: tuple[Judge | None, Judge | None] = (None, None),
    others: Sequence[Example] = (),
) -> Trained:
    """Both judges: models of traits that learn from these marks, and a network that has.

    :param others: unmarked names, of which the start of the judge of names is believed.
    """
    told = {"made by": "benchmarks.judges", "sets": sets}
    of_facts = _softmax(facts, _right(facts), starts[0])
    targets = _targets("names", names)
    if others and starts[1]:
        said = starts[1].chances([each.traits for each in others])
        names, targets = [*names, *others], np.concatenate([targets, said])
    of_names = _softmax(names, targets, starts[1])
    return Trained(
        Judge(of_facts, {**told, "facts": len(facts)}),
        Judge(of_names, {**told, "names": len(marked(names))}),
        network,
    )


def save_judges(trained: Trained, folder: Path) -> None:
    """Write the three models as they ship, below a folder."""
    for name in (FACTS_MODEL, NAMES_MODEL, CROSS_ENCODER):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    trained.facts.save(folder / FACTS_MODEL)
    trained.names.save(folder / NAMES_MODEL)
    told = {key: trained.facts.provenance[key] for key in ("made by", "sets")}
    export(trained.network, folder / CROSS_ENCODER, told)


def verdicts(trained: Trained, facts: Sequence[Example], names: Sequence[Example]) -> Verdicts:
    """What judges say of facts and names, of one each at least."""
    return Verdicts(
        trained.facts.chances([each.traits for each in facts])[:, 0],
        chances(trained.network, [each.pair for each in facts], "facts", STUDENT)[:, 0],
        trained.names.chances([each.traits for each in names]),
        chances(trained.network, [each.pair for each in names], "names", STUDENT),
    )


def turned(facts: Sequence[Example]) -> list[Example]:
    """Some of the right facts the wrong way round: extraction makes few such, and what has never
    seen one believes "the yard | bought | Ada"."""
    found = []
    for fact in facts:
        subject, predicate, object_ = (*fact.pair[0].split(" | ", 2), "", "")[:3]
        words = set(predicate.split())
        chosen = zlib.crc32(fact.pair[0].encode("utf-8", "replace")) % TURNED == 0
        if fact.mark == "r" and object_ and chosen and words.isdisjoint(_EITHER_WAY):
            pair = (f"{object_} | {predicate} | {subject}", fact.pair[1])
            found.append(replace(fact, mark="ws", pair=pair))
    return found


def _task(head: str, examples: Sequence[Example]) -> Task:
    return Task(head, [each.pair for each in examples], _targets(head, examples))


def _taught(
    head: str,
    known: Sequence[Example],
    everything: Sequence[Example],
    teacher: ReadingNetwork,
    options: Options,
) -> Task:
    """Marks halfway between people and teacher, and what the teacher says of the rest."""
    others = [each for each in everything if not each.mark and each.pair[1]]
    pairs = [each.pair for each in (*known, *others)]
    targets = chances(teacher, pairs, head, options)
    targets[: len(known)] = (targets[: len(known)] + _targets(head, known)) / 2
    return Task(head, pairs, targets)


def _targets(head: str, examples: Sequence[Example]) -> NDArray[np.float32]:
    marks = _MARKS[head]
    rows = np.eye(max(marks.values()) + 1, dtype=np.float32)
    return rows[[marks[each.mark] for each in examples]]


def _right(facts: Sequence[Example]) -> NDArray[np.float32]:
    right = _targets("facts", facts)[:, 0]
    return np.stack([right, 1 - right], axis=1)


def _softmax(
    examples: Sequence[Example], targets: NDArray[np.float32], start: Judge | None
) -> NDArray[np.float32]:
    rows = trait_matrix([each.traits for each in examples])
    begun = start.weights.astype(np.float64) if start else None
    return fit_softmax(rows, targets.astype(np.float64), PENALTY, begun).astype(np.float32)
