"""What a sentence begins with, before it says anything of its subject: what that holds for, or
words that only join it to the one before."""

from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence

_SETTING = frozenset(("in", "on", "at", "for", "under", "within", "among", "outside", "from"))
_JOINING = frozenset(
    (
        *("in other words", "on the other hand", "on the one hand", "at the end of the day"),
        *("in the end", "at the same time", "in any case", "on the contrary", "at any rate"),
        *("as a result", "as a consequence", "as a rule"),
    )
)
_NEEDING = frozenset(("must", "should", "need", "needs", "have", "has", "can", "may"))


def settings(sentence: Sentence, frame: Frame) -> list[Span]:
    """Circumstances at the sentence's beginning that limit what it says: "in most cases", "in
    Drosophila"; of what somebody must do what that is needed for: "to qualify"."""
    return [
        span
        for span in frame.spans
        if _stands_first(frame, span)
        and not only_joins(sentence, frame, span)
        and len(span) > 1
        and _limits(sentence, frame, span)
    ]


def only_joins(sentence: Sentence, frame: Frame, span: Span) -> bool:
    """Whether it says nothing of its own: "in addition", "on top of that"."""
    words = [word.lower() for word in sentence.words[span.first : span.end]]
    is_bare = words[0] in _SETTING and sentence.tags[span.first + 1 : span.first + 2] == ["NN"]
    points = words[-2:] in (["of", "that"], ["to", "that"], ["to", "this"])
    is_idiom = " ".join(words) in _JOINING or (is_bare and (len(span) == 2 or points))
    return is_idiom and _stands_first(frame, span)


def _stands_first(frame: Frame, span: Span) -> bool:
    first = min([frame.head, *(each.first for each in frame.of("subject"))])
    return span.role in ("place", "other") and span.end <= first


def _limits(sentence: Sentence, frame: Frame, span: Span) -> bool:
    first = sentence.words[span.first].lower()
    if first == "to" and sentence.tags[span.first + 1] == "VB":
        own = {
            sentence.words[at].lower()
            for each in frame.of("predicate")
            for at in range(each.first, each.end)
        }
        return not frame.of("subject") or not own.isdisjoint(_NEEDING)
    return first in _SETTING
