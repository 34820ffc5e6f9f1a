"""Whether a sentence states what a frame says, or only names it, asks, supposes or denies it."""

from hlg.ingest.extract.local.frames.clauses import is_finite, outwards, said_by, with_auxiliaries
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.frames.denied import INVERTED, is_denying
from hlg.ingest.extract.local.parse import Sentence

SUBJECTS = frozenset(("nsubj", "nsubjpass"))
OPEN = frozenset(("if", "unless", "whether", "lest", "without"))
"""Words that lead in what is not stated."""
_WHENEVER = frozenset(("when", "whenever", "once", "until", "till"))
"""Words that lead in, with a verb of the present, what is so at times or not yet."""
_DENIALS = frozenset(
    f"{stem}{end}"
    for stem, ends in (("den", "y ies ied ying"), ("disput", "e es ed"), ("refut", "e es ed"))
    for end in ends.split()
)
"""Verbs whose clause is what did not happen."""
_SUPPOSING = frozenset(("assume", "imagine", "suppose", "supposing"))
_UNTRUE = frozenset(("baseless", "false", "incorrect", "unfounded", "untrue", "wrong"))


def is_stated(sentence: Sentence, frame: Frame) -> bool:
    """Whether the sentence says that it is so, and does not only name it, ask, suppose, plan or
    deny it: "cannot be concluded that". What somebody claims is stated, on their word."""
    if (
        _asks(sentence)
        or _breaks_off(sentence, frame.head)
        or any(
            frame.head in range(span.first, span.end)
            for other in sentence.frames
            if other.head != frame.head
            for span in other.of("condition")
        )
    ):
        return False
    for clause, governor in outwards(sentence, frame):
        led = {sentence.words[at].lower() for at in sentence.children[clause] if at < clause}
        if led & OPEN or _is_whenever(sentence, clause):
            return False
        if governor == clause or _stands_alone(sentence, clause, governor):
            return True
        if sentence.deps[clause] == "pcomp" or _is_denied(sentence, governor):
            return False
        if sentence.tags[clause] in ("VB", "VBG") and not (
            is_finite(sentence, clause) or _tells_of(sentence, clause, frame)
        ):
            return False
    return True


def is_of_a_verb(sentence: Sentence, frame: Frame) -> bool:
    """Whether what a noun would be by a preposition is said with a surer verb that has both: of
    "Buy the Petrel from Ada Thorne" the Petrel is not from her."""
    if frame.kind == "stated":
        return False
    parts = frame.of("subject") + frame.of("argument")
    own = {(span.first, span.end) for span in parts}
    return any(sentence.tags[first] == "IN" for first, _ in own) and any(
        other.kind == "stated"
        and other.chance > frame.chance
        and own <= {(span.first, span.end) for span in other.spans}
        for other in sentence.frames
    )


def _stands_alone(sentence: Sentence, clause: int, governor: int) -> bool:
    """Whether a clause is whole and only stands before another that the parser hangs it on: "It
    must work, it can't be a sketch"."""
    return (
        sentence.deps[clause] == "ccomp"
        and sentence.right_edge(clause) < governor
        and sentence.words[governor].lower() not in _DENIALS
        and is_finite(sentence, clause)
        and any(sentence.deps[at] == "nsubj" for at in sentence.children[clause])
    )


def ordered(sentence: Sentence, frame: Frame) -> list[Span]:
    """The subject of an imperative, which has no words; none where a frame is not one."""
    if frame.kind != "stated" or frame.of("subject") or sentence.tags[frame.head] != "VB":
        return []
    (clause, governor), *_ = outwards(sentence, frame)
    beside = {*sentence.children[frame.head], *sentence.children[clause]}
    if governor != clause or sentence.words[frame.head].lower() in ("be", "have"):
        return []  # "be whole" is an item of what somebody must
    if any(
        sentence.tags[at] in ("MD", "TO") or sentence.deps[at] in ("nsubj", "nsubjpass")
        for at in beside
    ):
        return []
    return [Span("subject", frame.head, frame.head, 1.0)]


def _tells_of(sentence: Sentence, clause: int, frame: Frame) -> bool:
    """Whether a participle says what the noun that it hangs on does: "the bridge crossing"."""
    noun = sentence.heads[clause]
    return (sentence.tags[clause], sentence.deps[clause]) == ("VBG", "acl") and any(
        span.first <= noun < span.end for span in frame.of("subject")
    )


def _is_whenever(sentence: Sentence, clause: int) -> bool:
    """Whether a clause beside another says what is so at times, or not yet: "when it rains"."""
    led = {
        sentence.words[at].lower()
        for at in sentence.children[clause]
        if at < clause and sentence.deps[at] in ("advmod", "mark")
    }
    present = any(sentence.tags[at] in ("VBP", "VBZ") for at in with_auxiliaries(sentence, clause))
    return sentence.heads[clause] != clause and present and not led.isdisjoint(_WHENEVER)


def _is_denied(sentence: Sentence, word: int) -> bool:
    """Whether a word denies or is denied, or the verb that says it of something: "is not aware";
    or that is called untrue."""
    near = {*sentence.children[word], *sentence.children[said_by(sentence, word)]}
    verb = sentence.heads[word] if sentence.deps[word] in SUBJECTS else word
    if not _UNTRUE.isdisjoint(sentence.words[at].lower() for at in sentence.children[verb]):
        return True
    return sentence.words[word].lower() in _DENIALS or any(is_denying(sentence, at) for at in near)


def _asks(sentence: Sentence) -> bool:
    """Whether all of it is asked or supposed."""
    if sentence.words[0].lower() in _SUPPOSING:
        return True
    last = [word for word in sentence.words if word not in "\"”’'»)"][-1:]
    begun = sentence.deps[0] in ("aux", "auxpass") and sentence.words[0].lower() in INVERTED
    return last == ["?"] or (last == [":"] and begun)


def _breaks_off(sentence: Sentence, head: int) -> bool:
    """Whether what it depends on stands below: "you qualify if:"."""
    behind = {word.lower() for word in sentence.words[head + 1 :]}
    return sentence.words[-1] == ":" and not behind.isdisjoint(("if", "unless"))
