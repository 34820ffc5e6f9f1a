"""What fits: passages and facts within so many tokens, the strongest first.

Pure: how a choice reads and how many tokens that has is given by the caller. Every count
is that of the whole text, so the bound holds exactly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from hlg.records import Passage
from hlg.retrieval.context.serialization import Triple

Span = tuple[int, int]
"""Where something begins and ends in its source."""
Render = Callable[[Sequence[Passage], Sequence[Triple]], str]
"""The text of passages and facts, both strongest first."""

FACT_SHARE = 0.4
"""Part of the room that passages leave to facts, where there are as many."""
LARGEST_FACT = 0.25
"""Part of the room that one fact may take; a larger one is left out, never shortened."""
LARGEST_PASSAGE = 0.5
"""Part of their room to which passages are shortened where the strongest would not fit."""
ELLIPSIS = " …"


@dataclass(frozen=True, slots=True)
class Packed:
    """What fits, in the order given. ``shortened`` counts passages that are there in part."""

    passages: tuple[Passage, ...]
    triples: tuple[Triple, ...]
    shortened: int = 0


def pack(
    passages: Sequence[Passage],
    triples: Sequence[Triple],
    render: Render,
    count: Callable[[str], int],
    max_tokens: int,
    sentences: Mapping[str, Span] | None = None,
) -> Packed | None:
    """The strongest of both whose text has at most ``max_tokens`` tokens.

    None where not even the text without any has so few.

    :param sentences: by a passage's id where in its source the sentence stands that answers:
        of a passage that does not fit, that is what stays.
    """
    marked = sentences or {}

    def size(some: Sequence[Passage], facts: Sequence[Triple]) -> int:
        return count(render(some, facts))

    if size(passages, triples) <= max_tokens:
        return Packed(tuple(passages), tuple(triples))
    room = max_tokens - size((), ())
    if room < 0:
        return None
    likely = triples[:room]  # A fact has a token at least.
    largest = max_tokens - room * (1 - LARGEST_FACT)
    likely = [fact for fact in likely if size((), (fact,)) <= largest]
    facts_need = size((), likely) - size((), ())
    for_passages = max_tokens - min(facts_need, round(room * FACT_SHARE))
    chosen, shortened = _passages(passages, lambda some: size(some, ()), for_passages, marked)
    facts = likely[: _longest(len(likely), lambda n: size(chosen, likely[:n]) <= max_tokens)]
    if not shortened:
        chosen, shortened = _passages(passages, lambda some: size(some, facts), max_tokens, marked)
    return Packed(tuple(chosen), tuple(facts), shortened)


def _passages(
    passages: Sequence[Passage],
    size: Callable[[Sequence[Passage]], int],
    max_tokens: int,
    marked: Mapping[str, Span],
) -> tuple[list[Passage], int]:
    """The passages that fit, stronger ones first; of one that doesn't stays its marked sentence,
    or it makes way for the next.

    The strongest is there in any case: shortened where it has to be, from its marked sentence on.
    """
    chosen: list[Passage] = []
    shortened = 0
    empty = size(())
    largest = empty + (max_tokens - empty) * LARGEST_PASSAGE
    for passage in passages:
        if size([*chosen, passage]) <= max_tokens:
            chosen.append(passage)
            continue
        if not chosen:
            begun = _begun(passage, marked.get(passage.id))
            part = _shortened(begun, lambda text: size([text]) <= largest)
            part = part or _shortened(begun, lambda text: size([text]) <= max_tokens)
        else:
            part = _sentence(passage, marked.get(passage.id))
            part = part if part is not None and size([*chosen, part]) <= max_tokens else None
        if part is not None:
            chosen.append(part)
            shortened += 1
    return chosen, shortened


def _begun(passage: Passage, sentence: Span | None) -> Passage:
    """A passage from its marked sentence on."""
    if sentence is None or sentence[0] <= passage.start:
        return passage
    return replace(passage, text=f"{ELLIPSIS[1:]} {passage.text[sentence[0] - passage.start :]}")


def _sentence(passage: Passage, sentence: Span | None) -> Passage | None:
    """A passage's marked sentence alone."""
    if sentence is None:
        return None
    start, end = (place - passage.start for place in sentence)
    before = f"{ELLIPSIS[1:]} " if start > 0 else ""
    after = ELLIPSIS if end < len(passage.text) else ""
    return replace(passage, text=f"{before}{passage.text[start:end]}{after}")


def _shortened(passage: Passage, fits: Callable[[Passage], bool]) -> Passage | None:
    """A passage up to a word's end and an ellipsis; None where not even a word fits."""

    def part(length: int) -> Passage:
        text = passage.text[:length]
        if not passage.text[length : length + 1].isspace():
            text = text.rpartition(" ")[0] or text
        return replace(passage, text=text.rstrip() + ELLIPSIS)

    length = _longest(len(passage.text), lambda n: n == 0 or fits(part(n)))
    return part(length) if length else None


def _longest(most: int, fits: Callable[[int], bool]) -> int:
    """A length of at most ``most`` that fits, the longest where longer ones never fit better;
    0 is taken to fit."""
    fitting, beyond = 0, most + 1
    while beyond - fitting > 1:
        middle = (fitting + beyond) // 2
        if fits(middle):
            fitting = middle
        else:
            beyond = middle
    return fitting
