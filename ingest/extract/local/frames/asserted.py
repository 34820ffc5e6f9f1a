"""How a sentence states what a frame says: denied, hedged, on a condition, on whose word, or only
named and not stated at all."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hlg.facts import DENYING
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.frames.limits import limits_of, only_joins
from hlg.ingest.extract.local.parse import Sentence
from hlg.records import AFFIRMED, DENIED

__all__ = [
    "INVERTED",
    "beside",
    "denies",
    "denying_end",
    "first_joined",
    "hedges",
    "is_condition",
    "is_contrasted",
    "is_less",
    "is_stated",
    "leads_in_clause",
    "ordered",
    "qualified",
    "top_verb",
]

_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
YEAR = re.compile(r"[12]\d{3}")
_BEFORE_NOUN = frozenset(("DT", "IN", "PRP$", "TO"))
LONGEST_CLAIM = 8
"""Words of what a clause hangs on that are kept."""
_MODALS = {"ca": "can", "wo": "will", "sha": "shall", "'ll": "will", "’ll": "will", "'d": "would"}
_HEDGES = frozenset(
    (
        *("allegedly", "apparently", "conceivably", "likely", "maybe", "perhaps", "possibly"),
        *("presumably", "probably", "purportedly", "reportedly", "seemingly", "supposedly"),
        "necessarily",
        *("almost", "nearly", "virtually", "barely", "hardly", "rarely", "scarcely", "seldom"),
        *("only", "directly", "solely", "exclusively", "mainly", "mostly", "primarily", "partly"),
        *("usually", "generally", "typically", "normally", "often", "sometimes", "occasionally"),
    )
)
_CONDITIONAL = frozenset(("if", "unless", "provided", "providing", "lest", "assuming"))
_OPEN = frozenset(("if", "unless", "whether", "lest", "without"))
"""Words that lead in what is not stated."""
_WHENEVER = frozenset(("when", "whenever", "once", "until", "till"))
"""Words that lead in, with a verb of the present, what is so at times or not yet."""
INVERTED = frozenset(("do", "does", "did", "has", "have", "had", "will", "would", "can", "could"))
_DENIALS = frozenset(
    f"{stem}{end}"
    for stem, ends in (("den", "y ies ied ying"), ("disput", "e es ed"), ("refut", "e es ed"))
    for end in ends.split()
)
"""Verbs whose clause is what did not happen."""
_SUPPOSING = frozenset(("assume", "imagine", "suppose", "supposing"))
_UNTRUE = frozenset(("baseless", "false", "incorrect", "unfounded", "untrue", "wrong"))
_SCENES = frozenset(("absence", "case", "event", "presence"))
_IDLE = frozenset(
    ("means", "way", "circumstances", "circumstance", "time", "account", "event", "case")
)
_OF_ANOTHER = frozenset(("ccomp", "csubj", "csubjpass", "acl", "xcomp", "pcomp"))
"""What a clause is to the word that it is part of what is said of."""


def qualified(sentence: Sentence, frame: Frame) -> dict[str, str]:
    """How the frame's facts are stated: the fields of a fact's ``Factuality`` but its chance
    and those that :func:`beside` gives."""
    hedging = [
        word for at in hedges(sentence, frame) if (word := sentence.words[at].lower()) in _HEDGES
    ]
    modal = [
        _MODALS.get(word, word)
        for at in sorted(_own(frame))
        if sentence.tags[at] == "MD" and (word := sentence.words[at].lower())
    ]
    sources = _side_by_side(
        [
            _with_verb(sentence, span)
            for span in frame.spans
            if span.role == "source" or _is_source(sentence, span)
        ]
    )
    claims = [] if sources else _claims(sentence, frame)
    return {
        "polarity": DENIED if denies(sentence, frame) else AFFIRMED,
        "modality": " ".join([*hedging, *_supposed(sentence, frame), *modal]),
        "attributed_to": "; ".join(filter(None, [_texts(sentence, sources), *claims])),
    }


def _side_by_side(spans: list[Span]) -> list[Span]:
    """Spans of which one begins where another ends as one: "said" and "Ada Lind"."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda each: each.first):
        if found and found[-1].end >= span.first:
            found[-1] = replace(found[-1], end=max(found[-1].end, span.end))
        else:
            found.append(span)
    return found


def _supposed(sentence: Sentence, frame: Frame) -> list[str]:
    """The modal by which there only may be what the frame is said of: "there could be a flaw that
    stops it"."""
    clause = first_joined(sentence, top_verb(sentence, frame))
    verb = sentence.heads[sentence.heads[clause]]
    beside = sentence.children[verb]
    if sentence.deps[clause] not in ("acl", "relcl") or all(
        sentence.deps[at] != "expl" for at in beside
    ):
        return []
    return [sentence.words[at].lower() for at in beside if sentence.tags[at] == "MD"]


def beside(sentence: Sentence, frame: Frame, object_: Span) -> dict[str, str]:
    """When it is so, on what condition and within what limits, besides an object that says so
    itself: what is so on one date is not so on another."""
    dated = object_.role == "time" and _has_year(sentence, object_)
    hedging = set(hedges(sentence, frame))
    times = [
        span
        for span in frame.of("time")
        if not span.first <= object_.first < span.end
        and not _is_source(sentence, span)
        and not is_contrasted(sentence, frame, span)
        and not DENYING.issuperset(map(str.lower, sentence.words[span.first : span.end]))
        and not (dated and _has_year(sentence, span))
        and not hedging.issuperset(range(span.first, span.end))  # which the predicate has
    ]
    limiting = limits_of(sentence, frame)
    conditions = [
        span
        for span in frame.spans
        if (is_condition(sentence, span) or span in limiting)
        and not span.first <= object_.first < span.end
        and not only_joins(sentence, frame, span)
    ]
    return {"time": _texts(sentence, times), "condition": _texts(sentence, conditions)}


def _has_year(sentence: Sentence, span: Span) -> bool:
    return any(map(YEAR.fullmatch, sentence.words[span.first : span.end]))


def denies(sentence: Sentence, frame: Frame) -> bool:
    """Whether a frame's predicate is denied, by its own words or by what hangs on it."""
    own = _own(frame) | {top_verb(sentence, frame)}
    hung = {
        child
        for at in own
        for child in sentence.children[at]
        if sentence.deps[child] in ("neg", "preconj", "advmod", "prep")
    }
    if any(_is_denying(sentence, at) for at in own | hung):
        return True
    opened = any(
        span.first > 1 and sentence.words[span.first - 1].lower() in INVERTED
        for span in frame.of("subject")
    )  # "Not once did she"
    return (opened and _is_denying(sentence, 0)) or _is_joined_by_nor(sentence, max(own))


def _is_joined_by_nor(sentence: Sentence, verb: int) -> bool:
    """ "neither wrote nor edited", "nor did he visit"."""
    before = sentence.heads[verb] if sentence.heads[verb] < verb else -1
    return any(
        sentence.words[at].lower() == "nor" and sentence.heads[at] in (before, verb)
        for at in range(before + 1, verb)
    )


def _is_denying(sentence: Sentence, at: int) -> bool:
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


def hedges(sentence: Sentence, frame: Frame) -> list[int]:
    """Places of adverbs by which what is said is less than sure or not quite so: "reportedly",
    "nearly"."""
    own = _own(frame) | {top_verb(sentence, frame)}
    return [
        at
        for at in sorted({child for each in own for child in sentence.children[each]} | own)
        if _is_hedge(sentence, at)
        and not any(at in range(span.first, span.end) for span in frame.of("argument"))
    ]


def _is_hedge(sentence: Sentence, at: int) -> bool:
    """An adverb of doubt or measure; not the "only" of "not only"; "always" in "not always"."""
    word = sentence.words[at].lower()
    before = sentence.words[at - 1].lower() if at else ""
    if word == "always":
        return before in DENYING
    return word in _HEDGES and (word, before) != ("only", "not")


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
    for clause, governor in _outwards(sentence, frame):
        led = {sentence.words[at].lower() for at in sentence.children[clause] if at < clause}
        if led & _OPEN or _is_whenever(sentence, clause):
            return False
        if governor == clause or _stands_alone(sentence, clause, governor):
            return True
        if sentence.deps[clause] == "pcomp" or _is_denied(sentence, governor):
            return False
        if sentence.tags[clause] in ("VB", "VBG") and not (
            _is_finite(sentence, clause) or _tells_of(sentence, clause, frame)
        ):
            return False
    return True


def _stands_alone(sentence: Sentence, clause: int, governor: int) -> bool:
    """Whether a clause is whole and only stands before another that the parser hangs it on: "It
    must work, it can't be a sketch"."""
    return (
        sentence.deps[clause] == "ccomp"
        and sentence.right_edge(clause) < governor
        and sentence.words[governor].lower() not in _DENIALS
        and _is_finite(sentence, clause)
        and any(sentence.deps[at] == "nsubj" for at in sentence.children[clause])
    )


def ordered(sentence: Sentence, frame: Frame) -> list[Span]:
    """The subject of an imperative, which has no words; none where a frame is not one."""
    if frame.kind != "stated" or frame.of("subject") or sentence.tags[frame.head] != "VB":
        return []
    (clause, governor), *_ = _outwards(sentence, frame)
    beside = {*sentence.children[frame.head], *sentence.children[clause]}
    if governor != clause or sentence.words[frame.head].lower() in ("be", "have"):
        return []  # "be whole" is an item of what somebody must
    if any(
        sentence.tags[at] in ("MD", "TO") or sentence.deps[at] in ("nsubj", "nsubjpass")
        for at in beside
    ):
        return []
    return [Span("subject", frame.head, frame.head, 1.0)]


def _outwards(sentence: Sentence, frame: Frame) -> Iterator[tuple[int, int]]:
    """The frame's clause and those that it is part of what is said of, each with what it hangs
    on, the last with itself."""
    clause = first_joined(sentence, top_verb(sentence, frame))
    while True:
        governor, dep = sentence.heads[clause], sentence.deps[clause]
        of_another = dep in _OF_ANOTHER or (dep == "relcl" and _is_whole(sentence, clause))
        if governor == clause or not of_another or governor in _own(frame):
            yield clause, clause
            return
        yield clause, governor
        if dep in ("acl", "relcl"):
            return
        clause = first_joined(sentence, governor)


def _is_whole(sentence: Sentence, clause: int) -> bool:
    """Whether a clause behind "that" lacks nothing: what a rumour says, not what a ship is."""
    own = [at for at in sentence.children[clause] if sentence.words[at].lower() != "that"]
    return len(own) < len(sentence.children[clause]) and {"nsubj", "dobj"} <= {
        sentence.deps[at] for at in own
    }


def _claims(sentence: Sentence, frame: Frame) -> Iterator[str]:
    """The words that the frame's clause hangs on by a "that": "it is possible".

    The parser also hangs on a verb what only stands beside it; the reader finds other accounts.
    """
    for clause, governor in _outwards(sentence, frame):
        led = [at for at in sentence.children[clause] if sentence.words[at].lower() == "that"]
        if not led or led[0] > clause:
            continue
        first, end = sentence.left_edge(_said_by(sentence, governor)), sentence.left_edge(clause)
        if end <= first:
            first, end = sentence.right_edge(clause) + 1, governor + 1
        first = max(first, end - LONGEST_CLAIM)
        if first <= governor < end and _is_account(sentence, governor):
            yield sentence.text(first, end).strip(" ,;:")


def _is_account(sentence: Sentence, governor: int) -> bool:
    """Whether a noun, or a verb of somebody, is what a claim hangs on: not "keep in mind"."""
    verb = first_joined(sentence, _said_by(sentence, governor))
    is_verb = sentence.tags[verb].startswith(("VB", "MD"))
    subjects = (*_SUBJECTS, "csubj", "expl")
    has_subject = any(sentence.deps[at] in subjects for at in sentence.children[verb])
    tags = {sentence.tags[at] for at in _with_auxiliaries(sentence, verb)}
    return not is_verb or (has_subject and not tags.isdisjoint(("VBD", "VBZ", "VBP", "MD")))


def _tells_of(sentence: Sentence, clause: int, frame: Frame) -> bool:
    """Whether a participle says what the noun that it hangs on does: "the bridge crossing"."""
    noun = sentence.heads[clause]
    return (sentence.tags[clause], sentence.deps[clause]) == ("VBG", "acl") and any(
        span.first <= noun < span.end for span in frame.of("subject")
    )


def _is_finite(sentence: Sentence, verb: int) -> bool:
    return any(
        sentence.tags[at] in ("VBD", "VBZ", "VBP", "MD") for at in (verb, *sentence.children[verb])
    )


def _is_whenever(sentence: Sentence, clause: int) -> bool:
    """Whether a clause beside another says what is so at times, or not yet: "when it rains"."""
    led = {
        sentence.words[at].lower()
        for at in sentence.children[clause]
        if at < clause and sentence.deps[at] in ("advmod", "mark")
    }
    present = any(sentence.tags[at] in ("VBP", "VBZ") for at in _with_auxiliaries(sentence, clause))
    return sentence.heads[clause] != clause and present and not led.isdisjoint(_WHENEVER)


def _with_auxiliaries(sentence: Sentence, verb: int) -> list[int]:
    auxiliaries = [at for at in sentence.children[verb] if sentence.deps[at].startswith("aux")]
    return [verb, *auxiliaries]


def _is_denied(sentence: Sentence, word: int) -> bool:
    """Whether a word denies or is denied, or the verb that says it of something: "is not aware";
    or that is called untrue."""
    near = {*sentence.children[word], *sentence.children[_said_by(sentence, word)]}
    verb = sentence.heads[word] if sentence.deps[word] in _SUBJECTS else word
    if not _UNTRUE.isdisjoint(sentence.words[at].lower() for at in sentence.children[verb]):
        return True
    return sentence.words[word].lower() in _DENIALS or any(_is_denying(sentence, at) for at in near)


def _said_by(sentence: Sentence, word: int) -> int:
    return sentence.heads[word] if sentence.deps[word] in ("acomp", "attr") else word


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


def is_condition(sentence: Sentence, span: Span) -> bool:
    """Whether a circumstance is what it depends on: "provided that", "in the absence of"."""
    words = [word.lower() for word in sentence.words[span.first : span.first + 3]]
    scene = words[0] == "in" and words[-1] in _SCENES
    led = span.role == "other" and (words[0] in _CONDITIONAL or scene)
    return led or span.role == "condition"


def is_contrasted(sentence: Sentence, frame: Frame, span: Span) -> bool:
    """Whether something else is so then or there, its verb left out: "had ten mills in 1939, but
    in 1945 two"."""
    before = [word.lower() for word in sentence.words[frame.head : span.first]]
    is_beside = span.role in ("time", "place", "other")
    denied = "not" in (*before, sentence.words[span.first].lower())
    return is_beside and before[-1:] == ["but"] and not denied


def _is_source(sentence: Sentence, span: Span) -> bool:
    words = [word.lower() for word in sentence.words[span.first : span.first + 2]]
    return words == ["according", "to"]


def _with_verb(sentence: Sentence, span: Span) -> Span:
    """ "It was believed", "it is possible", of which "it was" is no source."""
    if not {"PRP", "VBD", "VBZ"}.issuperset(sentence.tags[span.first : span.end]):
        return span
    verb = sentence.heads[span.first]
    said = [at for at in sentence.children[verb] if sentence.deps[at] in ("acomp", "attr")]
    return replace(span, end=max(span.end, verb + 1, *(at + 1 for at in said if at > verb)))


def _texts(sentence: Sentence, spans: list[Span]) -> str:
    return "; ".join(
        sentence.text(span.first, _whole_end(sentence, span))
        for span in spans
        if len(span) > 1
        or sentence.tags[span.first] not in ("IN", "TO", "DT", "WRB")
        or sentence.words[span.first].lower() in _OPEN
    )


def _whole_end(sentence: Sentence, span: Span) -> int:
    """Where a circumstance ends, with the noun of an article or preposition at its end, or the
    verb of the clause that it leads in."""
    last = span.end - 1
    if leads_in_clause(sentence, span) and sentence.heads[span.first] > last:
        return sentence.right_edge(sentence.heads[span.first]) + 1
    if len(span) == 1 or sentence.tags[last] not in _BEFORE_NOUN:
        return span.end
    is_preposition = sentence.tags[last] in ("IN", "TO")
    top = last if is_preposition else max(last, sentence.heads[last])
    return sentence.right_edge(top) + 1


def leads_in_clause(sentence: Sentence, span: Span) -> bool:
    """Whether it begins as a clause does: "when", "after the Germans"."""
    return sentence.deps[span.first] == "mark" or sentence.tags[span.first] == "WRB"


def _own(frame: Frame) -> set[int]:
    return {at for span in frame.of("predicate") for at in range(span.first, span.end)}


def top_verb(sentence: Sentence, frame: Frame) -> int:
    """The predicate's verb that its others hang on."""
    own = _own(frame) | {frame.head}
    at, seen = frame.head, set[int]()
    while sentence.heads[at] in own and at not in seen and sentence.heads[at] != at:
        seen.add(at)
        at = sentence.heads[at]
    return at


def first_joined(sentence: Sentence, top: int) -> int:
    """The first of the verbs that one is joined to, unless it has a subject of its own."""
    while sentence.deps[top] == "conj" and not any(
        sentence.deps[child] in ("nsubj", "nsubjpass") for child in sentence.children[top]
    ):
        top = sentence.heads[top]
    return top
