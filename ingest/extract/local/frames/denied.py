"""What a sentence says is not so."""

from hlg.facts import DENYING
from hlg.ingest.extract.local.frames.clauses import own_places, top_verb
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence

INVERTED = frozenset(("do", "does", "did", "has", "have", "had", "will", "would", "can", "could"))
_IDLE = frozenset(
    ("means", "way", "circumstances", "circumstance", "time", "account", "event", "case")
)


def denies(sentence: Sentence, frame: Frame) -> bool:
    """Whether a frame's predicate is denied, by its own words or by what hangs on it."""
    own = own_places(frame) | {top_verb(sentence, frame)}
    hung = {
        child
        for at in own
        for child in sentence.children[at]
        if sentence.deps[child] in ("neg", "preconj", "advmod", "prep")
    }
    if any(is_denying(sentence, at) for at in own | hung):
        return True
    opened = any(
        span.first > 1 and sentence.words[span.first - 1].lower() in INVERTED
        for span in frame.of("subject")
    )  # "Not once did she"
    return (opened and is_denying(sentence, 0)) or _is_joined_by_nor(sentence, max(own))


def denies_subject(sentence: Sentence, span: Span) -> bool:
    """ "No plant", "not Ada Thorne", "all ports except Oslo"."""
    words = sentence.words
    before = words[span.first - 1].lower() if span.first else ""
    if "nor" in words[span.first : span.end]:
        return True
    return words[span.first].lower() in DENYING or before in ("not", "except", "neither", "nor")


def _is_joined_by_nor(sentence: Sentence, verb: int) -> bool:
    """ "neither wrote nor edited", "nor did he visit"."""
    before = sentence.heads[verb] if sentence.heads[verb] < verb else -1
    return any(
        sentence.words[at].lower() == "nor" and sentence.heads[at] in (before, verb)
        for at in range(before + 1, verb)
    )


def is_denying(sentence: Sentence, at: int) -> bool:
    """Whether a word, or a phrase that begins with it, denies."""
    denying = sentence.words[at].lower() in DENYING and not is_less(sentence, at)
    return denying or denying_end(sentence, at) > at


def is_less(sentence: Sentence, at: int) -> bool:
    """Whether a "no" or "not" denies nothing: it only measures ("not only", "no fewer than", "no
    later than"), or there is "no doubt"."""
    word, after = [*sentence.words[at + 1 : at + 3], "", ""][:2]
    compared = sentence.tags[at + 1 : at + 2] in (["JJR"], ["RBR"])
    is_sure = (sentence.words[at].lower(), word.lower()) == ("no", "doubt")
    return (
        is_sure
        or word.lower() in ("only", "just", "merely", "least")
        or (compared and (after.lower() == "than" or word.lower() not in ("longer", "more")))
    )


def denying_end(sentence: Sentence, first: int) -> int:
    """Where "by no means", "under no circumstances", "at no time" ends; else ``first``."""
    words = [word.lower() for word in sentence.words[first : first + 3]]
    return first + 3 if len(words) == 3 and words[1] == "no" and words[2] in _IDLE else first
