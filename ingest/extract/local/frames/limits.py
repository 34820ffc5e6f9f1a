"""What a sentence says before it names its subject: what the rest is limited to, or words that only
join it to the sentence before."""

from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import word_set

_LIMITING = word_set("in on at for under within among outside from")
_JOINING = frozenset(
    (
        *("in other words", "on the other hand", "on the one hand", "at the end of the day"),
        *("in the end", "at the same time", "in any case", "on the contrary", "at any rate"),
        *("as a result", "as a consequence", "as a rule", "for the avoidance of doubt"),
    )
)
_JOINING_NOUNS = word_set("""
addition brief comparison conclusion consequence contrast essence example fact instance
particular reality response return short sum summary top turn
""")
_NEEDING = word_set("must should need needs can may shall")


def limits_of(sentence: Sentence, frame: Frame) -> list[Span]:
    """Circumstances before a frame's subject that limit what it says, if they do not only join: "in
    most cases", "in Drosophila"; of what somebody must do what that is needed for: "to
    qualify"."""
    return [
        span
        for span in frame.spans
        if len(span) > 1 and _stands_first(frame, span) and _limits(sentence, frame, span)
    ]


def only_joins(sentence: Sentence, frame: Frame, span: Span) -> bool:
    """Whether it stands before the subject and says nothing of its own: "in addition", "on top of
    that"."""
    words = [word.lower() for word in sentence.words[span.first : span.end]]
    is_short = len(words) == 2 or words[2:] in (["of", "that"], ["to", "that"], ["to", "this"])
    is_idiom = is_short and words[0] in _LIMITING and words[1] in _JOINING_NOUNS
    return (is_idiom or " ".join(words) in _JOINING) and _stands_first(frame, span)


def _stands_first(frame: Frame, span: Span) -> bool:
    first = min([frame.head, *(each.first for each in frame.of("subject"))])
    return span.role in ("place", "other") and span.end <= first


def _limits(sentence: Sentence, frame: Frame, span: Span) -> bool:
    words = [word.lower() for word in sentence.words[span.first : span.end]]
    if words[:2] == ["in", "addition"]:
        return False
    is_purpose = words[0] == "to" and sentence.tags[span.first + 1] == "VB"
    if is_purpose or words[:3] == ["in", "order", "to"]:
        own = " ".join(sentence.text(at.first, at.end) for at in frame.of("predicate")).lower()
        has_to = f"{own} ".startswith(("have to ", "has to ", "had to "))
        return not frame.of("subject") or has_to or not _NEEDING.isdisjoint(own.split())
    return words[0] in _LIMITING
