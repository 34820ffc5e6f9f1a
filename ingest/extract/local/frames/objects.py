"""What a frame says of its subject: each object with the words that join the two."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from hlg.facts import DENYING
from hlg.ingest.extract.local.frames.clauses import leads_in_clause
from hlg.ingest.extract.local.frames.confidence import top_of
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.frames.denied import denying_end, is_less
from hlg.ingest.extract.local.frames.limits import limits_of, only_joins
from hlg.ingest.extract.local.frames.qualified import YEAR, is_condition, is_contrasted
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import word_set

__all__ = ["Said", "objects_of", "preposition_end"]

LONGEST_KEPT = 12
"""Words of an object that stands in the predicate of what is said besides: "bought the yard in"
1990."""
_TOLD_BESIDE = ("argument", "time", "place", "other", "condition")
_JOINING = frozenset((",", ";", "and", "or", "&", "nor", "/"))
_IN_LISTS = frozenset((",", "CC", "CD", "DT", "JJ", "NN", "NNP", "NNS"))
"""Tags of what may stand between two of a list."""
_LOOSE_ENDS = _JOINING | frozenset(("(", "[", ":", "-", "–", "—"))
_TOGETHER = frozenset(("collectively", "jointly", "respectively", "together"))
_APIECE = frozenset(("apiece", "both", "each"))
_BESIDE = frozenset(("according to", "instead of", "rather than"))
_MONEY = frozenset("$€£¥%")
_PLAIN_MARKS = _MONEY | {"-", "'", "’", "'s", "’s"}
COPULA = word_set("is are was were be been being 's ’s 're ’re 'm ’m")
_LIGHT = COPULA | {"has", "have", "had", "having", "become", "becomes", "became", "becoming"}


@dataclass(frozen=True, slots=True)
class Said:
    """An object, the words between the predicate and it, and whether they deny it; ``is_aside`` if
    it only says when that is so, or what it depends on or is limited to."""

    span: Span
    words: str
    denied: bool
    is_aside: bool = False


def objects_of(sentence: Sentence, frame: Frame) -> Iterator[Said]:
    """A preposition goes to the predicate. An object without one goes there too where something
    else is told besides, unless they are joined by "and"."""
    spans = [_trimmed(sentence, span) for span in frame.spans if span.role in _TOLD_BESIDE]
    spans = [
        span
        for span in _with_choices(sentence, spans)
        if not (
            _is_beside(sentence, span)
            or is_contrasted(sentence, frame, span)
            or only_joins(sentence, frame, span)
        )
    ]
    limits = [_trimmed(sentence, span) for span in limits_of(sentence, frame)]
    aside = [
        span
        for span in spans
        if _is_clause(sentence, span) or (span.role == "other" and span in limits)
    ]
    spans.sort(key=lambda span: (span in aside, span.role != "argument", span.first))
    held, context, joint, counted, lost = "", "", "", False, False
    none_held = False
    before: Span | None = None
    denied = ""
    for at, span in enumerate(spans):
        joined = before is not None and _are_joined(sentence, before, span)
        start = preposition_end(sentence, span)
        words = sentence.text(_led_in(sentence, frame, span.first), start).lower()
        bare = _is_bare(sentence, span)
        context = context if joined else held
        joint = words or joint if joined else words
        first, denial = _denial(sentence, span, start)
        denied = denial or (denied if joined else "")
        after = spans[at + 1] if at + 1 < len(spans) else None
        completed = bare and after is not None and _completes(sentence, span, after)
        if completed and after and _is_given(sentence, span):
            yield Said(span, f"{sentence.text(after.first, after.end)} to", bool(denied))
            if sentence.tags[span.first] == "PRP":
                before = span
                continue  # "gave him" a medal: what was given is told of it alone
        told = bare or _says_something(sentence, start, span)
        # Of what is counted in all, no part is known: "three crews from" here and there.
        listed = joined or _is_followed(sentence, span, after)
        parted = counted and bool(joint) and (listed or "CC" in sentence.tags[start : span.end])
        parted |= _is_given_out(sentence, span, listed=listed)
        # What "must have to move cattle" is for is not told without what one must have.
        told = told and not (lost and sentence.tags[start] == "TO")
        told = told and (bool(held) or not _is_empty(sentence, frame, span, limits))
        if told and not completed and not parted and not _is_summed(sentence, frame, span):
            said = [context, joint, denied if denied == "no" else ""]
            yield Said(
                replace(span, first=first),
                " ".join(filter(None, said)),
                bool(denied) or (none_held and bool(context)),
                span in aside,
            )
        if bare and not joined:
            core = _core(sentence, span)
            lost = core is None
            if core:
                held = sentence.text(span.first, core.end)
                none_held = _is_of_none(sentence, span.first, core.end)
            if core == span and _MONEY.isdisjoint(sentence.words[span.first : span.end]):
                counted = _counts(sentence, span)
        before = span


def _is_given_out(sentence: Sentence, span: Span, *, listed: bool) -> bool:
    """Whether each of several has its own, "respectively", of which a span is one."""
    tags = sentence.tags
    verb = next((at for at in range(span.end, len(tags)) if tags[at].startswith("VB")), len(tags))
    behind = map(str.lower, sentence.words[span.end : verb])
    return (listed or tags[span.end : span.end + 1] == [","]) and "respectively" in behind


def _is_empty(sentence: Sentence, frame: Frame, span: Span, limits: list[Span]) -> bool:
    """Whether a circumstance says nothing without the object, which is not told with it: "is" with
    the rise of prices what is "in demand", "suggested" in 2019 "that the sun rests"."""
    pieces = [sentence.words[at.first : at.end] for at in frame.of("predicate")]
    is_light = {word.lower() for words in pieces for word in words} <= _LIGHT
    is_beside = span.role in ("time", "other", "condition") or span in limits
    return is_beside and any(
        is_light or sentence.words[each.first].lower() == "that" for each in frame.of("argument")
    )


def _is_beside(sentence: Sentence, span: Span) -> bool:
    """Whether a span says by whose account something is so, or what is not so in its place."""
    return " ".join(sentence.words[span.first : span.first + 2]).lower() in _BESIDE


def _is_clause(sentence: Sentence, span: Span) -> bool:
    """Whether it only says when something is so, or what that depends on."""
    is_when = span.role == "time" and leads_in_clause(sentence, span)
    return is_when or is_condition(sentence, span)


def _with_choices(sentence: Sentence, spans: list[Span]) -> list[Span]:
    """With "5000 pounds" and "5500 pounds", or "3.8" and "later", as the one span that "or" makes
    of them."""
    found: list[Span] = []
    for span in spans:
        last = found[-1] if found else None
        words = sentence.words[last.end : span.first] if last else []
        alike = last and (last.role == span.role or len(span) == 1)
        if last and alike and words == ["or"] and not _is_denied(sentence, last):
            found[-1] = replace(last, end=span.end, chance=min(last.chance, span.chance))
        else:
            found.append(span)
    return found


def _is_denied(sentence: Sentence, span: Span) -> bool:
    return not DENYING.isdisjoint(map(str.lower, sentence.words[max(0, span.first - 1) : span.end]))


def _is_of_none(sentence: Sentence, first: int, end: int) -> bool:
    """Whether words deny what they are the object of: "no bread", and not "what is not sold"."""
    return any(
        sentence.words[at].lower() in DENYING and sentence.deps[at] != "neg"
        for at in range(first, end)
    )


def _denial(sentence: Sentence, span: Span, start: int) -> tuple[int, str]:
    """Where an object begins behind what denies it, and that: "no", "not", or nothing."""
    words = [word.lower() for word in sentence.words]
    if words[start] in ("no", "neither", "nor") and start + 1 < span.end:
        if is_less(sentence, start):
            return start, ""
        return start + 1 + (sentence.tags[start + 1] == "DT"), "no"
    against = span.first > 1 and words[span.first - 1] == "not" and words[span.first - 2] != "is"
    joined = against and words[span.first - 2] in (*_JOINING, "but")
    return start, "not" if joined else ""


def _trimmed(sentence: Sentence, span: Span) -> Span:
    """Without joining words, open brackets and what denies the whole at its ends."""
    words, first, end = sentence.words, span.first, span.end
    if denying_end(sentence, first) < end:
        first = denying_end(sentence, first)
    while end - first > 1 and words[end - 1].lower() in _LOOSE_ENDS:
        end -= 1
    while end - first > 1 and words[first].lower() in _JOINING - {"nor"}:
        first += 1
    if first and words[first - 1] in ("'s", "’s", "'", "’") and sentence.tags[first - 1] == "POS":
        owner = sentence.heads[first - 1]
        if first <= sentence.heads[owner] < end:
            first = sentence.left_edge(owner)  # "son" of "Peder's son"
    return replace(span, first=first, end=end)


def _are_joined(sentence: Sentence, one: Span, other: Span) -> bool:
    between = sentence.words[one.end : other.first]
    first = sentence.words[other.first].lower()
    listed = "," in between and _is_bare(sentence, one) and _is_bare(sentence, other)
    listed &= _IN_LISTS.issuperset(sentence.tags[one.end : other.first])
    top = top_of(sentence, other.first, other.end)
    if sentence.deps[top] == "appos" and one.first <= sentence.heads[top] < one.end:
        return one.role == other.role
    return (
        one.role == other.role
        and (one.end < other.first or first == "nor")
        and (listed or all(word.lower() in _JOINING for word in between))
    )


def _is_bare(sentence: Sentence, span: Span) -> bool:
    """Whether it is an argument without a preposition."""
    return span.role == "argument" and preposition_end(sentence, span) == span.first


def _is_followed(sentence: Sentence, span: Span, after: Span | None) -> bool:
    return after is not None and _are_joined(sentence, span, after)


def _completes(sentence: Sentence, span: Span, after: Span) -> bool:
    """Whether a second object follows at once: "made it" successful, "gave Tom" a book."""
    return after.first == span.end and _is_bare(sentence, after)


def _is_given(sentence: Sentence, span: Span) -> bool:
    """Whether what follows is given, told or sold to it."""
    return any(sentence.deps[at] == "dative" for at in range(span.first, span.end))


def _core(sentence: Sentence, span: Span) -> Span | None:
    """As much of an object as can stand in a predicate: all, or what it is before a preposition
    other than "of"; None where that is too long or no plain words."""
    top = top_of(sentence, span.first, span.end)
    is_done = sentence.tags[span.first] == "TO"
    last = span.first if is_done else span.end - 1
    cuts = (
        at
        for at in range(last, top, -1)
        if sentence.tags[at] == "IN" and sentence.words[at] != "of"
    )
    held = (replace(span, end=end) for end in (span.end, *cuts))
    return next((at for at in held if len(at) <= LONGEST_KEPT and _is_plain(sentence, at)), None)


def _is_plain(sentence: Sentence, span: Span) -> bool:
    words = sentence.words[span.first : span.end]
    return all(word[0].isalnum() or word in _PLAIN_MARKS for word in words)


def preposition_end(sentence: Sentence, span: Span) -> int:
    """Where what a span says begins behind its preposition or "that"."""
    tags, deps = sentence.tags, sentence.deps
    at = span.first
    while (
        at < span.end - 1
        and at - span.first < 3
        and (tags[at] == "IN" or (tags[at] in ("TO", "WRB") and deps[at] != "aux"))
    ):
        at += 1
    return at


def _says_something(sentence: Sentence, first: int, span: Span) -> bool:
    """Whether a circumstance names anything: a thing, a date, an amount; or an argument says how
    or what something is."""
    kinds = ("NN", "CD", "PRP", *(("JJ", "VBG", "VBN") if span.role == "argument" else ()))
    return any(tag.startswith(kinds) for tag in sentence.tags[first : span.end])


def _led_in(sentence: Sentence, frame: Frame, first: int) -> int:
    """Where the adverb begins that a preposition hangs on and no span has: "independently of"."""
    before = first - 1
    known = any(span.first <= before < span.end and len(span) > 1 for span in frame.spans)
    hangs = before > frame.head and sentence.tags[before] == "RB"
    hangs &= sentence.heads[first] == before or sentence.words[first] == "of"
    return before if hangs and not known else first


def _is_summed(sentence: Sentence, frame: Frame, span: Span) -> bool:
    """Whether several subjects have it together, so that none of them has it alone."""
    if len(frame.of("subject")) < 2:
        return False
    first, end = min(each.first for each in frame.spans), max(each.end for each in frame.spans)
    words = {word.lower() for word in sentence.words[first : end + 2]}
    counted = span.role == "argument" and _counts(sentence, span) and _APIECE.isdisjoint(words)
    return counted or not _TOGETHER.isdisjoint(words)


def _counts(sentence: Sentence, span: Span) -> bool:
    """Whether it is so many of something: a number that is no year."""
    return any(
        sentence.tags[at] == "CD" and not YEAR.fullmatch(sentence.words[at])
        for at in range(span.first, span.end)
    )
