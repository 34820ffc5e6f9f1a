"""Spans that end where their phrase or clause does: the network may stop before the noun that a
word of it belongs to, before what the noun is of, or within "as they begin to earn more"."""

from collections.abc import Sequence
from dataclasses import replace

from hlg.ingest.extract.local.frames.confidence import top_of
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import word_set

LONGEST_REST = 8
"""Words that a span is lengthened by, at most."""
_APART = word_set("""
conj cc preconj punct appos parataxis dep nsubj nsubjpass aux auxpass cop mark expl advcl ccomp
""")
"""Relations to a noun of what is no part of its phrase, or of a verb that was taken for one."""
_HELD = frozenset(("argument", "place", "other"))
"""Roles of spans that may stand in a longer one: the others are told beside it."""
_CIRCUMSTANCES = ("time", "condition", "source")
_CLAUSES = frozenset(("advcl", "acl", "relcl", "pcomp"))
"""Relations of the verbs of clauses that hang on something."""
_MODIFIERS = frozenset(("amod", "compound", "nmod", "nummod", "poss"))


def with_whole_spans(sentence: Sentence, frame: Frame) -> Frame:
    """A frame whose objects have the noun that their last word belongs to, or what they are
    compared with: "a Nokia" and "Volvo adviser" are one, as are "more points" and "than Bo"; and
    whose circumstances have the whole of a clause that they begin."""
    spans: list[Span] = []
    whole = 0  # what stands before is in the last one that was lengthened
    for span in sorted(frame.spans, key=lambda each: each.first):
        if span.end <= whole:
            continue
        if span.role == "argument":
            span = replace(span, end=_whole_end(sentence, frame, span))
            whole = span.end
        spans.append(span)
    return _lengthened(sentence, replace(frame, spans=tuple(spans)), _CIRCUMSTANCES)


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


def readings(sentence: Sentence, frame: Frame) -> list[Frame]:
    """A frame as it was read, and with all that hangs on its subjects, on its objects, on both."""
    whole = with_whole_spans(sentence, frame)
    found = [whole]
    for roles in (("subject",), ("argument",), ("subject", "argument")):
        longer = _lengthened(sentence, whole, roles)
        if longer not in found:
            found.append(longer)
    return found


def _lengthened(sentence: Sentence, frame: Frame, roles: Sequence[str]) -> Frame:
    """What stands in a longer span is no span of its own."""
    spans = list(frame.spans)
    for span in frame.spans:
        if span.role not in roles or span not in spans:
            continue
        first, end = _all_of(sentence, span)
        inside = [at for at in spans if at is not span and at.first < end and first < at.end]
        is_free = all(at.role in _HELD and first <= at.first and at.end <= end for at in inside)
        longer = end - first - len(span)
        if is_free and 0 < longer <= LONGEST_REST and not first <= frame.head < end:
            spans = [at for at in spans if at not in inside]
            spans[spans.index(span)] = replace(span, first=first, end=end)
    return replace(frame, spans=tuple(spans))


def _all_of(sentence: Sentence, span: Span) -> tuple[int, int]:
    """Where a span begins and ends with all of its noun's phrase, or of a clause that it begins."""
    top = top_of(sentence, span.first, span.end)
    if span.role == "subject" and sentence.tags[top] == "DT" and sentence.heads[top] > top:
        top = sentence.heads[top]  # "the" of "the film"
    is_circumstance = span.role in _CIRCUMSTANCES
    if is_circumstance or (span.role != "subject" and sentence.tags[top][:2] == "VB"):
        begun = (at for at in range(span.first, span.end) if sentence.deps[at] in _CLAUSES)
        tops = begun if is_circumstance else (top,)
        last = max([span.end - 1, *map(sentence.right_edge, tops)])
        while last >= span.end and sentence.deps[last] in ("punct", "cc", "case"):
            last -= 1
        return span.first, last + 1
    if sentence.tags[top][:2] != "NN":
        return span.first, span.end
    own = [at for at in sentence.children[top] if sentence.deps[at] not in _APART]
    first = min([span.first, *(sentence.left_edge(at) for at in own)])
    return first, max([span.end, top + 1, *(sentence.right_edge(at) + 1 for at in own)])
