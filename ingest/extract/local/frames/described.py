"""What a sentence says to be something: in "X is a film directed by Y" it is X that Y directed."""

from collections.abc import Mapping
from dataclasses import replace

from hlg.ingest.extract.local.frames.asserted import is_stated
from hlg.ingest.extract.local.frames.confidence import top_of
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.frames.denied import denies, denies_subject
from hlg.ingest.extract.local.frames.objects import COPULA
from hlg.ingest.extract.local.frames.qualified import qualified
from hlg.ingest.extract.local.parse import Sentence

_LIMITS = frozenset(("time", "condition", "source"))
_POINTING = ("EX", "DT", "W")
"""Tags of words of which a clause behind the noun says nothing: "it was Ada who left"."""


def described_in(sentence: Sentence) -> dict[int, Span]:
    """By the noun of each description the thing that is said to be it, at any time and on
    nobody's word: "film" and X of "X is a film", and of "X, a film"."""
    found: dict[int, Span] = {}
    for frame in sorted(sentence.frames, key=lambda each: -each.chance):
        things = frame.of("subject")
        if len(things) != 1 or not _is_plain(sentence, frame, things[0]):
            continue
        (thing,) = things
        named = top_of(sentence, thing.first, thing.end)
        for span in frame.of("argument"):
            noun = top_of(sentence, span.first, span.end)
            apposed = (sentence.deps[noun], sentence.heads[noun]) == ("appos", named)
            if sentence.tags[noun] in ("NN", "NNS") and (frame.kind == "stated" or apposed):
                found.setdefault(noun, replace(thing, chance=min(thing.chance, frame.chance)))
    return found


def of_the_thing(sentence: Sentence, frame: Frame, described: Mapping[int, Span]) -> Frame:
    """A frame whose subjects are the things that they describe."""
    spans = list(frame.spans)
    for at, span in enumerate(frame.spans):
        thing = described.get(top_of(sentence, span.first, span.end))
        if span.role != "subject" or not thing:
            continue
        if not any(each.first < thing.end and thing.first < each.end for each in spans):
            spans[at] = replace(thing, chance=min(thing.chance, span.chance))
    return replace(frame, spans=tuple(sorted(spans, key=lambda each: each.first)))


def _is_plain(sentence: Sentence, frame: Frame, thing: Span) -> bool:
    """Whether it says without any reserve that something is something."""
    words = [sentence.text(at.first, at.end).lower() for at in frame.of("predicate")]
    is_copula = len(words) == 1 and words[0] in COPULA if frame.kind == "stated" else not words
    if frame.kind == "has" or not is_copula or not _LIMITS.isdisjoint(x.role for x in frame.spans):
        return False
    pointing = sentence.tags[thing.first].startswith(_POINTING) and len(thing) == 1
    pointing = pointing or sentence.words[thing.first].lower() == "it"
    denied = denies(sentence, frame) or denies_subject(sentence, thing)
    how = qualified(sentence, frame)
    reserved = how["modality"] or how["attributed_to"]
    return not (pointing or denied or reserved) and is_stated(sentence, frame)
