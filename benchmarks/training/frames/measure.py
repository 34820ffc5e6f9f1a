"""How many of the facts that a sentence states are read, and how many of those read it states."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.training.frames.examples import Example, words_in
from hlg.ingest.extract.local.frames.asserted import ordered
from hlg.ingest.extract.local.frames.confidence import signals
from hlg.ingest.extract.local.frames.decode import Frame
from hlg.ingest.extract.local.parse import Sentence

ENOUGH = 0.5
"""F1 of the words of two subjects, or of two objects, from which on they are the same."""
PARTS, HELD_OUT = 3, 0


@dataclass(frozen=True, slots=True)
class Binary:
    """One subject, a predicate and one argument, as positions of words; that of an imperative
    has none."""

    subject: frozenset[int]
    predicate: frozenset[int]
    kind: str
    argument: frozenset[int]
    role: str
    signals: tuple[float, ...] = ()
    chance: float = 1.0


@dataclass(slots=True)
class Counts:
    """``stated`` facts of which ``found`` are read, and ``read`` ones of which ``right`` are."""

    stated: int = 0
    found: int = 0
    read: int = 0
    right: int = 0

    @property
    def line(self) -> str:
        precision, recall = self.right / max(1, self.read), self.found / max(1, self.stated)
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        return f"precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f} of {self.stated}"


def is_held_out(document: str) -> bool:
    """Whether a document's sentences test and don't train: a third, by a hash of its name."""
    return zlib.crc32(document.encode()) % PARTS == HELD_OUT


def binary(sentence: Sentence, frames: Iterable[Frame]) -> Iterator[Binary]:
    """What frames say of two things each."""
    sentence = replace(sentence, frames=tuple(frames))
    for frame in sentence.frames:
        predicate = frozenset(
            at for span in frame.of("predicate") for at in range(span.first, span.end)
        )
        for subject in frame.of("subject") or ordered(sentence, frame):
            for span in frame.spans:
                if span.role in ("predicate", "subject"):
                    continue
                yield Binary(
                    frozenset(range(subject.first, subject.end)),
                    predicate,
                    frame.kind,
                    frozenset(range(span.first, span.end)),
                    span.role,
                    signals(sentence, frame, subject, span),
                )


def marked_facts(example: Example) -> Iterator[Binary]:
    """Likewise of what people marked."""
    sentence = example.sentence
    for frame in example.marked.frames:
        predicate = _words(sentence, frame.predicate)
        for subject in frame.subjects or (None,):
            for role, piece in frame.arguments:
                yield Binary(
                    _words(sentence, [subject] if subject else []),
                    predicate,
                    frame.kind,
                    _words(sentence, [piece]),
                    role,
                )


def count(examples: Sequence[Example], read: Sequence[Sequence[Binary]]) -> Counts:
    """Of all sentences together; a fact counts where subject, predicate and argument agree."""
    counts = Counts()
    for example, found in zip(examples, read, strict=True):
        stated = list(marked_facts(example))
        counts.stated += len(stated)
        counts.read += len(found)
        counts.found += sum(any(_same(example, each, other) for other in found) for each in stated)
        counts.right += sum(right_ones(example, found))
    return counts


def right_ones(example: Example, found: Sequence[Binary]) -> list[bool]:
    """Of each fact whether its sentence states it."""
    stated = list(marked_facts(example))
    return [any(_same(example, other, each) for other in stated) for each in found]


def _words(sentence: Sentence, pieces: Iterable[tuple[int, int]]) -> frozenset[int]:
    return frozenset(at for piece in pieces for at in words_in(sentence, piece))


def _same(example: Example, one: Binary, other: Binary) -> bool:
    return (
        _agree(one.subject, other.subject) >= ENOUGH
        and _agree(one.argument, other.argument) >= ENOUGH
        and _same_predicate(example.sentence, one, other)
    )


def _same_predicate(sentence: Sentence, one: Binary, other: Binary) -> bool:
    if one.kind != "stated" or other.kind != "stated":
        return one.kind == other.kind or bool(
            {one.kind, other.kind} == {"is", "stated"}
            and {sentence.words[at].lower() for at in one.predicate | other.predicate}
            & {"is", "was", "are", "were", "'s", "be"}
        )
    shared = one.predicate & other.predicate
    full = {at for at in shared if sentence.deps[at] not in ("aux", "auxpass", "neg", "prep")}
    return bool(full or (shared and len(one.predicate) == 1 == len(other.predicate)))


def _agree(one: frozenset[int], other: frozenset[int]) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other)) if one or other else 1.0
