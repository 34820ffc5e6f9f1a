"""Marked sentences as the network learns from them: a label for each word."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.frames.marks import Marked, MarkedFrame, Piece
from hlg.ingest.extract.local.frames.decode import KINDS, LABELS, ROLES
from hlg.ingest.extract.local.frames.features import Features, branches, distances, features
from hlg.ingest.extract.local.parse import Sentence, parse

ANY = {"begin": -1, "inside": -2}
"""Labels of words that are in any role but the predicate's and the subject's."""


@dataclass(frozen=True, slots=True)
class Role:
    """A predicate's head and kind, and of each word the label to it."""

    head: int
    kind: str
    labels: NDArray[np.int64]
    branches: NDArray[np.int64]
    distances: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence, parsed; ``roles`` by head, of which each has one."""

    marked: Marked
    sentence: Sentence
    features: Features
    kinds: NDArray[np.int64]
    roles: tuple[Role, ...]


def merged(sentences: Sequence[Sentence]) -> Sentence | None:
    """What the parser took for several sentences as one, each part with its own root."""
    if not sentences:
        return None
    found = Sentence([], [], [], [], [], [], [], [])
    for part in sentences:
        offset = len(found.words)
        found.words.extend(part.words)
        found.tags.extend(part.tags)
        found.deps.extend(part.deps)
        found.heads.extend(head + offset for head in part.heads)
        found.children.extend([child + offset for child in row] for row in part.children)
        found.starts.extend(part.starts)
        found.ends.extend(part.ends)
        found.entities.extend((first + offset, end + offset, x) for first, end, x in part.entities)
    return found


def examples(marked: Sequence[Marked]) -> list[Example]:
    """Each with its parse; sentences without a word are left out."""
    found = []
    parsed = parse((0, each.text) for each in marked)
    for each, sentences in zip(marked, parsed, strict=True):
        sentence = merged(sentences)
        if sentence is None:
            continue
        seen = features(sentence)
        kinds = np.zeros(len(seen), np.int64)
        roles: list[Role] = []
        for frame in each.frames:
            role = _role(sentence, len(seen), frame, {role.head for role in roles})
            if role is not None:
                kinds[role.head] = KINDS.index(role.kind)
                roles.append(role)
        found.append(Example(each, sentence, seen, kinds, tuple(roles)))
    return found


def words_in(sentence: Sentence, piece: Piece) -> range:
    """The words of which a piece has any letter."""
    start, end = piece
    inside = [
        at
        for at, (first, last) in enumerate(zip(sentence.starts, sentence.ends, strict=True))
        if first < end and last > start
    ]
    return range(inside[0], inside[-1] + 1) if inside else range(0)


def _role(sentence: Sentence, count: int, frame: MarkedFrame, taken: set[int]) -> Role | None:
    labels = np.zeros(count, np.int64)
    head = _head(sentence, frame, taken)
    if head is None or head >= count:
        return None
    pieces = [("argument" if role == "any?" else role, piece) for role, piece in frame.arguments]
    pieces += [("subject", piece) for piece in frame.subjects]
    pieces += [("predicate", piece) for piece in frame.predicate]
    for role, piece in pieces:
        for at, word in enumerate(words_in(sentence, piece)):
            if word < count:
                mark = "inside" if at else "begin"
                known = role in ROLES
                labels[word] = LABELS.index(f"{mark} {role}") if known else ANY[mark]
    _mend(labels)
    return Role(head, frame.kind, labels, branches(sentence, head)[:count], distances(count, head))


def _mend(labels: NDArray[np.int64]) -> None:
    """Where one piece lies in another the rest of the outer one begins anew."""
    earlier = 0
    for at, label in enumerate(labels.tolist()):
        if label > 0 and label % 2 == 0 and earlier not in (label, label - 1):
            labels[at] = label - 1
        elif label == ANY["inside"] and earlier not in ANY.values():
            labels[at] = ANY["begin"]
        earlier = int(labels[at])


def _head(sentence: Sentence, frame: MarkedFrame, taken: set[int]) -> int | None:
    """The word that stands for a frame: the predicate's last verb, else its last describing
    word or noun; of what no word states, the head of the thing that something is or has."""
    if frame.kind != "stated":
        spans = [piece for role, piece in frame.arguments if role in ("argument", "any")]
        words = [*words_in(sentence, spans[0])] if spans else []
        tops = [at for at in words if sentence.heads[at] not in words or sentence.heads[at] == at]
        return next((at for at in tops if at not in taken), None)
    words = [at for piece in frame.predicate for at in words_in(sentence, piece)]
    return next((at for at in _by_rank(sentence, words) if at not in taken), None)


def _by_rank(sentence: Sentence, words: Sequence[int]) -> Iterator[int]:
    for tags in (("VB",), ("JJ",), ("NN", "MD"), ("",)):
        yield from (at for at in reversed(words) if sentence.tags[at].startswith(tags))
