"""How a sentence states what a frame says: denied, hedged, when, on what condition and on whose
word."""

import re
from collections.abc import Iterator
from dataclasses import replace

from hlg.facts import DENYING
from hlg.ingest.extract.local.frames.asserted import OPEN, SUBJECTS
from hlg.ingest.extract.local.frames.clauses import (
    first_joined,
    leads_in_clause,
    outwards,
    own_places,
    said_by,
    top_verb,
    with_auxiliaries,
)
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.frames.denied import denies
from hlg.ingest.extract.local.frames.limits import limits_of, only_joins
from hlg.ingest.extract.local.parse import Sentence
from hlg.records import AFFIRMED, DENIED

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
_SCENES = frozenset(("absence", "case", "event", "presence"))


def qualified(sentence: Sentence, frame: Frame) -> dict[str, str]:
    """How the frame's facts are stated: the fields of a fact's ``Factuality`` but its chance
    and those that :func:`beside` gives."""
    hedging = [
        word for at in hedges(sentence, frame) if (word := sentence.words[at].lower()) in _HEDGES
    ]
    modal = [
        _MODALS.get(word, word)
        for at in sorted(own_places(frame))
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


def hedges(sentence: Sentence, frame: Frame) -> list[int]:
    """Places of adverbs by which what is said is less than sure or not quite so: "reportedly",
    "nearly"."""
    own = own_places(frame) | {top_verb(sentence, frame)}
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


def _claims(sentence: Sentence, frame: Frame) -> Iterator[str]:
    """The words that the frame's clause hangs on by a "that": "it is possible".

    The parser also hangs on a verb what only stands beside it, and takes what a noun does for what
    it says; the reader finds other accounts.
    """
    read = [each for other in sentence.frames if other.head == frame.head for each in other.spans]
    subjects = {at for span in read if span.role == "subject" for at in range(span.first, span.end)}
    for clause, governor in outwards(sentence, frame):
        hung = sentence.children[clause]
        led = [at for at in hung if sentence.words[at].lower() == "that"]
        acting = [at for at in hung if at not in led and sentence.deps[at] in SUBJECTS]
        is_account = governor not in subjects or acting
        if not led or led[0] > clause or not is_account:
            continue
        first, end = sentence.left_edge(said_by(sentence, governor)), sentence.left_edge(clause)
        if end <= first:
            first, end = sentence.right_edge(clause) + 1, governor + 1
        first = max(first, end - LONGEST_CLAIM)
        if first <= governor < end and _is_account(sentence, governor):
            yield sentence.text(first, end).strip(" ,;:")


def _is_account(sentence: Sentence, governor: int) -> bool:
    """Whether a noun, or a verb of somebody, is what a claim hangs on: not "keep in mind"."""
    verb = first_joined(sentence, said_by(sentence, governor))
    is_verb = sentence.tags[verb].startswith(("VB", "MD"))
    subjects = (*SUBJECTS, "csubj", "expl")
    has_subject = any(sentence.deps[at] in subjects for at in sentence.children[verb])
    tags = {sentence.tags[at] for at in with_auxiliaries(sentence, verb)}
    return not is_verb or (has_subject and not tags.isdisjoint(("VBD", "VBZ", "VBP", "MD")))


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
        or sentence.words[span.first].lower() in OPEN
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
