"""The words of a frame's predicate, with what denies or hedges it between them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from hlg.facts import denies
from hlg.ingest.extract.local.facts.wording import joined
from hlg.ingest.extract.local.frames.clauses import first_joined
from hlg.ingest.extract.local.frames.decode import Frame
from hlg.ingest.extract.local.frames.denied import is_less
from hlg.ingest.extract.local.frames.qualified import hedges
from hlg.ingest.extract.local.parse import Sentence

if TYPE_CHECKING:
    from hlg.ingest.extract.local.names.resolved import ResolvedSentence

_DIRECT = ("dobj", "obj")
_FINITE = ("MD", "VBD", "VBP", "VBZ")
_SHORTENED = {"ve": "have", "re": "are", "m": "am", "ll": "will"}
_FULL = {f"{mark}{short}": full for mark in "'’" for short, full in _SHORTENED.items()}
_THIRD = {"am": "is", "have": "has", "haven't": "hasn't", "haven’t": "hasn’t"}
_THIRD |= {"don't": "doesn't", "don’t": "doesn’t", "do": "does", "are": "is", "were": "was"}
_NOT_ONLY = frozenset(("not only", "not just", "not merely"))
_SIBILANT = ("s", "sh", "ch", "x", "z", "o")


def predicate_of(resolved: "ResolvedSentence", frame: Frame) -> str:
    """Its words in order, small but for names; empty where it has none of its own."""
    sentence = resolved.sentence
    if frame.kind != "stated":
        apposed = any(
            sentence.deps[at] == "appos" and sentence.heads[at] == frame.head
            for at in (resolved.top(span.first, span.end) for span in frame.of("subject"))
        )
        return "is" if apposed else frame.kind
    places = [
        at
        for span in frame.of("predicate")
        for at in range(span.first, span.end)
        if not _is_not_only(sentence, at)
    ]
    if not places:
        return ""
    said = {
        at
        for at in range(places[0], places[-1])
        if denies(sentence.words[at]) and not is_less(sentence, at)
    }
    hedging = set(hedges(sentence, frame)).difference(places)
    behind = sorted(at for at in hedging if at > places[-1] + 1)
    said.update(_choice(sentence, frame.head), _shared(sentence, frame.head, places[0]))
    said.update(_manner(sentence, frame, range(places[0], places[-1] + 2)))
    order = [*behind, *sorted(said.union(places, hedging).difference(behind))]
    return joined([_word(resolved, at) for at in order])


def with_own_words(sentence: Sentence, frame: Frame) -> Frame:
    """A frame without the words of its predicate that help or deny another verb alone."""
    spans = frame.of("predicate")
    places = [at for span in spans for at in range(span.first, span.end)]
    own = [
        replace(span, first=at, end=at + 1)
        for span in spans
        for at in range(span.first, span.end)
        if not _helps_another(sentence, at, places, frame.head)
    ]
    if len(own) == len(places):
        return frame
    return replace(frame, spans=(*own, *(each for each in frame.spans if each not in spans)))


def unshortened(predicate: str) -> str:
    """As it reads behind a subject of its own: "'ve bought" is "have bought"."""
    verb, _, rest = predicate.partition(" ")
    return f"{_FULL.get(verb, verb)} {rest}".strip()


def in_third_person(sentence: Sentence, predicate: str) -> str:
    """What somebody says with "I", or what is said of several, as it is told of one: "'ve bought"
    is "has bought", "were sold" is "was sold"."""
    said = unshortened(predicate).split()
    tags = dict(zip(map(str.lower, sentence.words), sentence.tags, strict=True))
    for at, verb in enumerate(said):
        tag = tags.get(verb, "")
        if verb in _THIRD or tag == "VBP":
            said[at] = _THIRD.get(verb) or _with_s(verb)
            break
        if tag.startswith(("MD", "TO", "VB")):
            break
    return " ".join(said)


def _with_s(verb: str) -> str:
    if verb.endswith("y") and verb[-2:-1] not in tuple("aeiou"):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(_SIBILANT) else f"{verb}s"


def _helps_another(sentence: Sentence, at: int, places: Sequence[int], head: int) -> bool:
    """Whether an auxiliary, or a "not", is another verb's alone: "was" in "was born in Hest and
    studied law", and not in "was painted and sold"."""
    verb = sentence.heads[at]
    if not sentence.deps[at].startswith(("aux", "neg")) or verb in places or verb == head:
        return False
    if any(
        sentence.deps[each].startswith("aux") and sentence.tags[each] in _FINITE
        for each in sentence.children[head]
    ):
        return True
    forms = {sentence.tags[each] for each in (verb, head)}
    acts = any(sentence.deps[each] in _DIRECT for each in sentence.children[head])
    return len(forms) > 1 or (sentence.deps[at] == "auxpass" and acts)


def _choice(sentence: Sentence, head: int) -> set[int]:
    """The "either" of two verbs of which one is so: "must either ask or take"."""
    verbs = {head, first_joined(sentence, head)}
    beside = {child for verb in verbs for child in sentence.children[verb]}
    joined_by_or = any(sentence.words[at].lower() == "or" for at in beside)
    return {at for at in beside if joined_by_or and sentence.words[at].lower() == "either"}


def _manner(sentence: Sentence, frame: Frame, within: range) -> set[int]:
    """Adverbs among a predicate's words: "was" largely "by design", "were" partially "offset"."""
    return {
        span.first
        for span in frame.of("other")
        if len(span) == 1 and span.first in within and sentence.tags[span.first] == "RB"
    }


def _is_not_only(sentence: Sentence, at: int) -> bool:
    """Whether a word is of a "not only", which no predicate has: the other thing is so too."""
    pairs = (sentence.words[max(0, at - 1) : at + 1], sentence.words[at : at + 2])
    return any(" ".join(pair).lower() in _NOT_ONLY for pair in pairs)


def _shared(sentence: Sentence, head: int, first: int) -> set[int]:
    """The auxiliaries of the verb that one is joined to, where it has none of its own: "was
    arrested and taken", "will buy and sell"; a "to" only behind the predicate's first word:
    "agrees to meet and discuss"."""
    verb, tag = first_joined(sentence, head), sentence.tags[head]
    if verb == head or tag not in ("VB", "VBN") or sentence.tags[verb] != tag:
        return set()
    own, others = (
        {at for at in sentence.children[each] if sentence.deps[at].startswith("aux")}
        for each in (head, verb)
    )
    if tag == "VB":
        others = {at for at in others if at > first or sentence.tags[at] == "MD"}
    acts = any(sentence.deps[at] in _DIRECT for at in sentence.children[head])
    is_passive = any(sentence.deps[at] == "auxpass" for at in others)
    return set() if own or (acts and is_passive) else others


def _word(resolved: "ResolvedSentence", at: int) -> str:
    word = resolved.sentence.words[at]
    return word if resolved.named[at] >= 0 or word[1:].isupper() else word.lower()
