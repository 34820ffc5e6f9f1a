"""How sure a fact is that was read in a frame: the reader's chances, and whether grammar agrees."""

from math import exp, log

from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence

WEIGHTS = (
    -0.5125,
    0.2016,
    0.1434,
    0.0837,
    0.0295,
    0.5824,
    0.5197,
    0.3272,
    0.5858,
    -0.0738,
    0.2669,
    0.8226,
    -2.2449,
    -0.5114,
    -0.0208,
    0.5294,
    0.6285,
    -0.1513,
    -0.6124,
    -0.6721,
    -0.3478,
    0.0284,
    -0.0562,
)
"""A logistic regression over the facts of marked sentences that the networks did not learn from
(``benchmarks/frames.py measure`` prints it), in the order of :func:`signals`."""
_LEAST = 1e-3


def chance_of(sentence: Sentence, frame: Frame, subject: Span, object_: Span) -> float:
    """That the sentence states what a subject, the predicate and an object say together."""
    found = signals(sentence, frame, subject, object_)
    return 1 / (1 + exp(-sum(a * b for a, b in zip(WEIGHTS, found, strict=True))))


def signals(sentence: Sentence, frame: Frame, subject: Span, object_: Span) -> tuple[float, ...]:
    """What :data:`WEIGHTS` weigh: one; log-odds of the head, the subject, the object and the
    predicate's words; sizes; what the object is; what kind of predicate; and how far grammar has
    subject and object hang on the predicate."""
    words = frame.of("predicate")
    predicate = {frame.head}.union(*(range(span.first, span.end) for span in words))
    role, top = object_.role, top_of(sentence, subject.first, subject.end)
    return (
        1.0,
        _odds(frame.chance),
        _odds(subject.chance),
        _odds(object_.chance),
        _odds(min((span.chance for span in words), default=frame.chance)),
        log(len(object_)),
        log(len(subject)),
        float(role == "time"),
        float(role == "place"),
        float(role == "other"),
        float(role in ("condition", "source")),
        float(frame.kind == "is"),
        float(frame.kind == "has"),
        log(len(sentence.words)),
        float(sentence.tags[top].startswith("PR")),
        float(sentence.heads[top] in predicate),
        float(any(sentence.heads[at] in predicate for at in _loose(sentence, object_))),
        float(len(_loose(sentence, object_)) > 1),
        float(len(_loose(sentence, subject)) > 1),
        float(len(frame.of("subject")) > 1),
        log(1 + abs(frame.head - object_.first)),
        log(1 + abs(frame.head - subject.first)),
        float(len(frame.of("argument"))),
    )


def top_of(sentence: Sentence, first: int, end: int) -> int:
    """The word that the others of a span hang on, a noun if it can be."""
    heads = sentence.heads
    tops = [at for at in range(first, end) if not first <= heads[at] < end or heads[at] == at]
    nouns = [at for at in tops if sentence.tags[at][:2] in ("NN", "PR", "CD")]
    return (nouns or tops or [end - 1])[0]


def _loose(sentence: Sentence, span: Span) -> list[int]:
    """Words of a span that hang on none of it."""
    inside = range(span.first, span.end)
    return [at for at in inside if sentence.heads[at] not in inside]


def _odds(chance: float) -> float:
    kept = min(max(chance, _LEAST), 1 - _LEAST)
    return log(kept / (1 - kept))
