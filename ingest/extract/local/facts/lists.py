"""What a line that leads a list in says of each item: "Oake Yard built three ships:"."""

from collections.abc import Iterator
from dataclasses import dataclass

from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence

COLON = ":"
MOST_ITEMS, LONGEST_ITEM = 40, 6
"""Items of a list within a sentence, and words of one."""
SURE = 0.5
"""Chance of the frame that leads a list in."""
_PLURAL = frozenset(("NNS", "NNPS"))
_ARE = frozenset(("are", "were"))
_IN_GROUP = frozenset(
    ("AFX", "CC", "CD", "DT", "FW", "HYPH", "IN", "JJ", "JJS", "NN", "NNP", "NNPS", "NNS", "POS")
)
_NO_GROUP = frozenset(
    ("following", "example", "examples", "e.g.", "e.g", "such", "other", "others")
)


@dataclass(frozen=True, slots=True)
class VerbLead:
    """The items are what a frame's subject does something to, behind a preposition or none."""

    frame: Frame
    preposition: str = ""


@dataclass(frozen=True, slots=True)
class GroupLead:
    """The items are, or were, among what the tokens ``[first, end)`` call."""

    first: int
    end: int
    predicate: str


def find_lead(sentence: Sentence, colon: int) -> VerbLead | GroupLead | None:
    """What the words before a colon say of what stands behind it, where that is plain."""
    if not any(tag.startswith("VB") or tag == "MD" for tag in sentence.tags[:colon]):
        return _group(sentence, colon)
    stated = [
        frame
        for frame in (*sentence.frames, *_unended(sentence, colon))
        if frame.kind == "stated" and frame.chance >= SURE and len(frame.of("subject")) == 1
    ]
    for frame in stated:
        (subject,) = frame.of("subject")
        verb = frame.of("predicate")[-1:]
        if not verb or subject.end > colon or verb[0].end > colon:
            continue
        objects = [span for span in frame.of("argument") if span.first < colon]
        if not objects and verb[0].end == colon:
            if sentence.words[colon - 1].lower() in _ARE:
                return _members(sentence, subject, colon - 1)
            return VerbLead(frame)
        if len(objects) == 1 and objects[0].end == colon:
            return _announced(sentence, frame, objects[0])
    return None


def _unended(sentence: Sentence, colon: int) -> Iterator[Frame]:
    """The frame of a clause that ends with its verb, which the reader of frames takes for none:
    "Oake Yard consists of:"."""
    end = colon - (sentence.tags[colon - 1] == "IN")
    verb = end - 1
    subject = [at for at in sentence.children[verb] if sentence.deps[at] in ("nsubj", "nsubjpass")]
    if not sentence.tags[verb].startswith("VB") or not subject or sentence.left_edge(verb) > 0:
        return
    first = sentence.right_edge(subject[0]) + 1
    if sentence.left_edge(subject[0]) == 0 and first <= verb:
        spans = (Span("subject", 0, first, 1), Span("predicate", first, colon, 1))
        yield Frame(verb, "stated", 1, spans)


def _announced(sentence: Sentence, frame: Frame, object_: Span) -> VerbLead | None:
    """ "uses the following tools:", "built three ships:", "consists of:"."""
    first, end = object_.first, object_.end
    preposition = ""
    if sentence.tags[first] == "IN":
        preposition = sentence.words[first].lower()
        first += 1
    announced = first == end or "following" in map(str.lower, sentence.words[first:end])
    plural = first < end and sentence.tags[end - 1] in _PLURAL
    whole = "IN" not in sentence.tags[first:end]
    return VerbLead(frame, preposition) if announced or (whole and plural) else None


def _members(sentence: Sentence, subject: Span, verb: int) -> GroupLead | None:
    """ "The members of the board are:"."""
    was = sentence.words[verb].lower() == "were"
    return _whole_group(sentence, subject.first, verb, "was among" if was else "is among")


def _group(sentence: Sentence, colon: int) -> GroupLead | None:
    """ "In addition, the packages in non-free:": a plural that something more is said of."""
    first = colon
    while first > 0 and sentence.words[first - 1] != ",":
        first -= 1
    return _whole_group(sentence, first, colon, "is among")


def _whole_group(sentence: Sentence, first: int, end: int, predicate: str) -> GroupLead | None:
    tags = sentence.tags[first:end]
    words = [word.lower() for word in sentence.words[first:end]]
    plural = next((at for at, tag in enumerate(tags) if tag in _PLURAL), None)
    if plural is None or not _IN_GROUP.issuperset(tags) or not _NO_GROUP.isdisjoint(words):
        return None
    before = [tag for tag in tags[:plural] if tag not in ("DT", "CD")]
    told = "IN" in tags[plural + 1 :] or any(tag.startswith("NN") for tag in before)
    joined = "IN" in before or "CC" in tags
    return GroupLead(first, end, predicate) if told and not joined else None


def inline_items(sentence: Sentence, colon: int) -> list[tuple[int, int]]:
    """The items behind a colon, ``[first, end)`` each; none where what stands there is no list."""
    end = len(sentence.words)
    while end > colon + 1 and sentence.words[end - 1] in (".", ";"):
        end -= 1
    items: list[tuple[int, int]] = []
    start = colon + 1
    for token in range(colon + 1, end + 1):
        if token < end and sentence.words[token].lower() not in (",", ";", "and"):
            continue
        if token > start:
            items.append((start, token))
        start = token + 1
    short = all(last - first <= LONGEST_ITEM for first, last in items)
    return items if 2 <= len(items) <= MOST_ITEMS and short else []


def is_in_list(sentence: Sentence, first: int, end: int, *, of_group: bool) -> bool:
    """Whether tokens are a noun's phrase that can be an item.

    :param of_group: it is said to be in a group; then any one word will do, as in "the
        colours of the flag: red, white".
    """
    tags = sentence.tags[first:end]
    if len(tags) == 1 and of_group:
        return tags[0] in ("FW", "JJ") or tags[0].startswith("NN")
    if len(tags) > 1 and tags[-1] == "CD" and sentence.words[first][:1].isupper():
        tags = [*tags[:-2], "NNP"]  # "Loctite 243"
    return bool(tags) and tags[-1].startswith("NN") and _IN_GROUP.issuperset(tags)
