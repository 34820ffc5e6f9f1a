"""Spans that end where their phrase does: the network may stop before the noun that a word of it
belongs to."""

from dataclasses import replace

from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence

LONGEST_REST = 8
"""Words that a span is lengthened by, at most."""
_MODIFIERS = frozenset(("amod", "compound", "nmod", "nummod", "poss"))


def with_whole_spans(sentence: Sentence, frame: Frame) -> Frame:
    """A frame whose objects have the noun that their last word belongs to, or what they are
    compared with: "a Nokia" and "Volvo adviser" are one, as are "more points" and "than Bo"."""
    spans: list[Span] = []
    whole = 0  # what stands before is in the last one that was lengthened
    for span in sorted(frame.spans, key=lambda each: each.first):
        if span.end <= whole:
            continue
        if span.role == "argument":
            span = replace(span, end=_whole_end(sentence, frame, span))
            whole = span.end
        spans.append(span)
    return replace(frame, spans=tuple(spans))


def _whole_end(sentence: Sentence, frame: Frame, span: Span) -> int:
    is_compared = sentence.words[span.end : span.end + 1] == ["than"]
    last = sentence.right_edge(span.end) if is_compared else span.end - 1
    while (
        sentence.deps[last] in _MODIFIERS
        and (noun := sentence.heads[last]) > last
        and (sentence.tags[noun] in ("NN", "NNS") or sentence.deps[last] == "poss")
    ):
        last = noun
    taken = [each for each in frame.spans if span.end <= each.first <= last]
    is_alone = not taken and (frame.kind != "stated" or sentence.deps[span.end - 1] == "poss")
    parted = any(each.end > last + 1 for each in taken)
    foreign = not is_compared and any(each.role != span.role for each in taken)
    if is_alone or parted or foreign or last >= span.end + LONGEST_REST:
        return span.end
    return last + 1
