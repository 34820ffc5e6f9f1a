"""How likely it is that a fact was read rightly in a frame: trees over the reader's chances and
grammar, which the network that says how sure it is weighs."""

from math import exp
from pathlib import Path

import numpy as np

from hlg.ingest.extract.local.frames.decode import KINDS, ROLES, Frame, Span
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.trees import load_trees

MODEL = Path(__file__).with_name("confidence_trees.txt")
"""Trees that learned from the facts of marked sentences that the networks did not learn from
(``benchmarks/frames.py measure`` makes it)."""
SIGNALS = (
    *("head", "subject", "object", "predicate", "least", "together"),
    *("object_words", "subject_words", "words", "behind", "role", "kind"),
    *("subject_hangs", "object_hangs", "subjects", "arguments", "object_at", "subject_at"),
    *("subject_relation", "object_relation", "head_relation", "head_tag"),
    *("object_begins", "object_ends", "subject_begins", "subject_ends"),
    *("predicate_begins", "predicate_ends"),
    *("object_of_another", "subject_of_another", "verbs_between", "marks_between"),
    *("subject_rank", "subject_tag", "object_last_tag", "later_objects"),
)
"""Chances; sizes, and the words behind the object; what it is, and what kind of predicate; whether
subject and object hang on the predicate; how many there are; how far from the head they begin;
what their top words and the head are in the parse; the chances of where they begin and end; that
another predicate has the object, or the subject as an object; verbs and marks between head and
object; the subject's chance beside the likeliest's, what words subject and object end with, and
the likeliest object behind."""
RELATIONS = (
    *("nsubj", "nsubjpass", "dobj", "pobj", "attr", "acomp", "conj", "appos", "ROOT", "relcl"),
    *("acl", "advcl", "ccomp", "xcomp", "prep", "npadvmod", "advmod", "compound", "poss", "amod"),
    *("pcomp", "dep"),
)
_OBJECTS = ("argument", "time", "place", "other")
_MARKS = frozenset(",;:()")
_TAGS = (
    *("VBD", "VBZ", "VBP", "VBN", "VBG", "VB", "NN", "NNS", "NNP", "JJ", "CD", "RB", "PRP", "IN"),
)


def chance_of(sentence: Sentence, frame: Frame, subject: Span, object_: Span) -> float:
    """That the sentence states what a subject, the predicate and an object say together.

    :raises ModelError: the trees are missing or damaged.
    """
    row = np.array([signals(sentence, frame, subject, object_)], np.float32)
    return 1 / (1 + exp(-float(load_trees(MODEL, SIGNALS).scores(row)[0])))


def signals(sentence: Sentence, frame: Frame, subject: Span, object_: Span) -> tuple[float, ...]:
    """What the trees weigh: numbers in the order of :data:`SIGNALS`.

    :param subject: empty where it is meant without a word (:func:`.asserted.ordered`).
    """
    words, head = frame.of("predicate"), frame.head
    predicate = {head}.union(*(range(span.first, span.end) for span in words))
    top, object_top = (top_of(sentence, span.first, span.end) for span in (subject, object_))
    between = range(min(object_.end, head + 1), max(head, object_.first))
    later = [span.chance for span in frame.of(object_.role) if span.first > object_.first]
    return (
        frame.chance,
        subject.chance,
        object_.chance,
        min((span.chance for span in words), default=frame.chance),
        min(span.chance for span in frame.spans),
        frame.chance * subject.chance * object_.chance,
        len(object_),
        len(subject),
        len(sentence.words),
        len(sentence.words) - object_.end,
        ROLES.index(object_.role),
        KINDS.index(frame.kind),
        bool(subject) and sentence.heads[top] in predicate,
        any(sentence.heads[at] in predicate for at in loose(sentence, object_)),
        len(frame.of("subject")),
        len(frame.of("argument")),
        object_.first - head,
        subject.first - head,
        place_of(RELATIONS, sentence.deps[top] if subject else ""),
        place_of(RELATIONS, sentence.deps[object_top]),
        place_of(RELATIONS, sentence.deps[head]),
        place_of(_TAGS, sentence.tags[head]),
        object_.begins,
        object_.ends,
        subject.begins,
        subject.ends,
        min((span.begins for span in words), default=1.0),
        min((span.ends for span in words), default=1.0),
        _as_object(sentence, frame, object_top),
        _as_object(sentence, frame, top) if subject else 0.0,
        sum(sentence.tags[at][:2] == "VB" and at not in predicate for at in between),
        sum(sentence.words[at] in _MARKS for at in between),
        subject.chance / max((span.chance for span in frame.of("subject")), default=1.0),
        place_of(_TAGS, sentence.tags[top]) if subject else -1,
        place_of(_TAGS, sentence.tags[object_.end - 1]),
        max(later, default=-1.0),
    )


def _as_object(sentence: Sentence, frame: Frame, word: int) -> float:
    """The chance that another predicate has a word in what is said with it."""
    return max(
        (
            other.chance * span.chance
            for other in sentence.frames
            if other.head != frame.head
            for span in other.spans
            if span.first <= word < span.end and span.role in _OBJECTS
        ),
        default=0.0,
    )


def top_of(sentence: Sentence, first: int, end: int) -> int:
    """The word that the others of a span hang on, a noun if it can be."""
    heads = sentence.heads
    tops = [at for at in range(first, end) if not first <= heads[at] < end or heads[at] == at]
    nouns = [at for at in tops if sentence.tags[at][:2] in ("NN", "PR", "CD")]
    return (nouns or tops or [end - 1])[0]


def loose(sentence: Sentence, span: Span) -> list[int]:
    """Words of a span that hang on none of it."""
    inside = range(span.first, span.end)
    return [at for at in inside if sentence.heads[at] not in inside]


def place_of(names: tuple[str, ...], name: str) -> int:
    """Where a name stands among those that trees know by number; -1 for another."""
    return names.index(name) if name in names else -1
