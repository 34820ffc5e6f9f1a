"""What a verb takes, as predicate and object: objects, what prepositions lead to, clauses."""

from collections.abc import Iterator, Sequence, Set

from hlg.ingest.extract.local.facts.assertions import Called
from hlg.ingest.extract.local.facts.conditions import is_inverted
from hlg.ingest.extract.local.facts.denials import is_denied, is_doubtful
from hlg.ingest.extract.local.facts.phrases import (
    BEFORE_NOUNS,
    LONGEST_INNER_OBJECT,
    LONGEST_VALUE,
    NO_OBJECTS,
    leans_on_joined,
    noun_phrase,
    with_conjuncts,
)
from hlg.ingest.extract.local.facts.predicates import is_negative, is_passive
from hlg.ingest.extract.local.facts.prepositions import (
    Complement,
    inner_object,
    prepositional,
    prepositions_of,
)
from hlg.ingest.extract.local.facts.scope import is_governed, is_sharing_only
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import CALENDAR, SPEECH_VERBS
from hlg.words.vague import DEMONSTRATIVES
from hlg.words.verbs import (
    ACCOUNT_FORMS,
    DENYING_FORMS,
    FACTIVE_FORMS,
    RAISING_FORMS,
    SPOKEN_TO,
)

__all__ = ["clauses", "complements"]

_OBJECTS = frozenset(("dobj", "dative", "oprd", "attr", "acomp"))
_TO = frozenset(("IN", "TO"))
_WITHOUT_ON = frozenset(
    ("every", "last", "next", "that", "this", "today", "tomorrow", "tonight", "yesterday")
)
_POINTERS = DEMONSTRATIVES | {"such"}
_TELLING = ACCOUNT_FORMS | DENYING_FORMS | FACTIVE_FORMS | RAISING_FORMS | SPEECH_VERBS
_GIVEN_BY = frozenset(
    (
        "advice",
        "approval",
        "backing",
        "funding",
        "help",
        "money",
        "permission",
        "pressure",
        "support",
    )
)
"""Nouns that what stands behind "from" gives: "launched with backing from" X."""
_GOES_ON = frozenset(("conj", "acl", "relcl", "ccomp", "xcomp"))
_WHEN = frozenset(("in", "on", "since", "until", "during", "from", "at", "by"))


def complements(
    sentence: Sentence,
    verb: int,
    predicate: str,
    named: Sequence[int],
    values: Set[int],
    called: Called,
) -> Iterator[Complement]:
    """Predicate, object and the object's phrase for all that a verb takes."""
    tags, deps = sentence.tags, sentence.deps
    passive = is_passive(sentence, verb)
    if not passive and (_lacks_object(sentence, verb) or _is_telling(sentence, verb)):
        return
    if _has_misread_object(sentence, verb):
        return
    is_be = predicate.removesuffix(" not") in ("is", "was", "has been")
    there = any(deps[child] == "expl" for child in sentence.children[verb])
    with_object = predicate if there else _with_object(sentence, verb, predicate, passive, called)
    for child in sentence.children[verb]:
        dep = deps[child]
        if dep in ("prep", "agent") or (dep == "dative" and tags[child] in ("IN", "TO")):
            loose = _is_loose(sentence, verb, child, is_be=is_be)
            loose = loose or is_governed(sentence, verb, child)
            if with_object is not None and not loose:
                for found in prepositional(sentence, with_object, child, named):
                    if (child > verb or (named[found[1]] >= 0 and not is_be)) and not (
                        there and (named[found[1]] < 0 or found[1] in values)
                    ):
                        yield found
        elif dep in _OBJECTS and _is_part(sentence, verb, child):
            continue
        elif dep in _OBJECTS and not there and (dep != "dobj" or not passive or child > verb):
            given = _receiver(sentence, verb, called) if dep == "dobj" else ""
            yield from _objects(sentence, f"{predicate}{given}", child, named, values)
        elif dep == "npadvmod" and named[child] >= 0 and child > verb and with_object is not None:
            first, end = noun_phrase(sentence, child)
            if sentence.words[first].lower() in _WITHOUT_ON:
                yield with_object, child, (first, end)
            elif any(word.lower().rstrip(".") in CALENDAR for word in sentence.words[first:end]):
                yield f"{with_object} on", child, (first, end)
            elif any(word[0].isdigit() for word in sentence.words[first:end]):
                yield with_object, child, (first, end)
        elif dep == "advmod" and tags[child].startswith("RB") and with_object is not None:
            for preposition in sentence.children[child]:
                if deps[preposition] == "prep" and child > verb:
                    adverb = sentence.words[child].lower()
                    known = with_object.endswith(f" {adverb}")
                    words = with_object if known else f"{with_object} {adverb}"
                    yield from prepositional(sentence, words, preposition, named)


def _is_apposed(sentence: Sentence, verb: int, object_: int) -> bool:
    """Whether what looks like an object names what a preposition before it leads to:
    "cooperates with the family members JUN and FOS"."""
    before = sentence.left_edge(object_) - 1
    return (
        sentence.deps[object_] == "dobj"
        and before > verb
        and sentence.deps[before] == "pobj"
        and sentence.heads[sentence.heads[before]] == verb
        and not any(sentence.deps[child] in ("det", "poss") for child in sentence.children[object_])
    )


def _is_second(sentence: Sentence, verb: int, object_: int) -> bool:
    """Whether a verb has an object already, which only a misread list can follow: "had no effect
    on the level, calcium transients and ..."."""
    return sentence.deps[object_] == "dobj" and any(
        sentence.deps[other] == "dobj" and verb < other < object_
        for other in sentence.children[verb]
    )


def _is_loose(sentence: Sentence, verb: int, preposition: int, *, is_be: bool) -> bool:
    """Whether what a preposition leads to is hardly the verb's: "fell, with losses in May"."""
    before, word = sentence.words[max(0, preposition - 1)], sentence.words[preposition].lower()
    if before == "," and word == "with":
        return True
    if word == "from" and before.lower() in _GIVEN_BY:
        return True
    if any(
        sentence.words[other].lower() in ("despite", "without") and verb < other < preposition
        for other in sentence.children[verb]
    ):
        return True
    return is_be and any(
        sentence.deps[other] == "prep" and verb < other < preposition
        for other in sentence.children[verb]
    )


def _is_telling(sentence: Sentence, verb: int) -> bool:
    """Whether a verb names who was spoken to, and not what was said: "told Reuters"."""
    return sentence.words[verb].lower() in SPOKEN_TO and not any(
        sentence.deps[child] in ("ccomp", "xcomp") for child in sentence.children[verb]
    )


def _has_misread_object(sentence: Sentence, verb: int) -> bool:
    """Whether the parser takes a name behind a verb for an adverb: "dropped Resendiz with"."""
    return any(
        child == verb + 1
        and sentence.deps[child] == "advmod"
        and sentence.words[child][0].isupper()
        for child in sentence.children[verb]
    )


def _lacks_object(sentence: Sentence, verb: int) -> bool:
    """Whether a verb's object is the noun that its clause hangs on: "the help that X gave"."""
    if sentence.deps[verb] != "relcl":
        return False
    children = sentence.children[verb]
    own = [child for child in children if sentence.deps[child] in ("nsubj", "nsubjpass")]
    return any(sentence.tags[child] not in ("WDT", "WP") for child in own) and not any(
        sentence.deps[child] in ("dobj", "attr", "acomp") and sentence.tags[child] != "WDT"
        for child in children
    )


def _receiver(sentence: Sentence, verb: int, called: Called) -> str:
    """Whom a verb's object goes to, behind a space: "gave Australia" a start; empty for nobody."""
    return "".join(
        f" {called(child)}"
        for child in sentence.children[verb]
        if sentence.deps[child] == "dative" and sentence.tags[child] not in _TO
    )


def _is_part(sentence: Sentence, verb: int, object_: int) -> bool:
    """Whether an object is only part of what is said: "gave Ada" the yard, "asked Ada" to go."""
    receivers = [c for c in sentence.children[verb] if sentence.deps[c] == "dative"]
    if any(sentence.tags[receiver] == "PRP" for receiver in receivers):
        return True
    if sentence.deps[object_] == "dative":
        return any(sentence.deps[other] == "dobj" for other in sentence.children[verb])
    if _is_apposed(sentence, verb, object_) or _is_second(sentence, verb, object_):
        return True
    return _goes_on(sentence, verb, object_)


def _goes_on(sentence: Sentence, verb: int, object_: int) -> bool:
    """Whether a verb and its object say nothing whole without the clause that follows.

    "Asked Tower" to build, "told Reuters" that it fell, "banned it" from flying, "is unable"
    to sail.
    """
    deps, tags = sentence.deps, sentence.tags
    if deps[object_] == "dobj":
        for child in sentence.children[verb]:
            if child > object_ and (
                (deps[child] == "xcomp" and tags[child] == "VB")
                or deps[child] == "ccomp"
                or any(deps[below] == "pcomp" for below in sentence.children[child])
            ):
                return True
    beneath = [*sentence.children[object_], *sentence.children[verb]]
    return deps[object_] in ("acomp", "oprd") and any(
        deps[child] in ("xcomp", "ccomp") and child > object_ for child in beneath
    )


def _with_object(
    sentence: Sentence, verb: int, predicate: str, passive: bool, called: Called
) -> str | None:
    """A predicate with its object, for what else the verb takes: "bought the yard" in 1990.

    None where the object is too long, or a pronoun that stands for nothing known.
    """
    direct = any(sentence.deps[child] == "dobj" for child in sentence.children[verb])
    for child in sentence.children[verb]:
        dep = sentence.deps[child]
        if dep not in _OBJECTS or (dep == "dative" and direct) or sentence.tags[child] in _TO:
            continue
        if dep == "dobj" and passive and child < verb:
            continue
        if sentence.tags[child] in NO_OBJECTS:
            name = called(child)
            if name == sentence.words[child]:
                return None
            return f"{predicate} {name}"
        first, end = noun_phrase(sentence, child)
        if any(sentence.deps[each] in _GOES_ON for each in sentence.children[child]):
            return None
        if end - first > LONGEST_INNER_OBJECT:
            if sentence.words[child + 1 : child + 2] == ["of"]:
                return None  # "part" of what?
            end = child + 1
        if end - first > LONGEST_INNER_OBJECT or is_doubtful(sentence, child):
            return None
        if _is_pointed_at(sentence, child):
            return None
        no = " no" if is_denied(sentence, child) else ""
        given = _receiver(sentence, verb, called) if dep == "dobj" else ""
        if given and sentence.tags[first] == "PRP$":
            return None
        return f"{predicate}{given}{no} {inner_object(sentence, first, end)}"
    if any(sentence.deps[child] in ("xcomp", "ccomp") for child in sentence.children[verb]):
        return None
    return predicate


def _is_pointed_at(sentence: Sentence, noun: int) -> bool:
    """Whether the text says elsewhere what a noun means: "filled that role at"."""
    return any(sentence.words[child].lower() in _POINTERS for child in sentence.children[noun])


def _objects(
    sentence: Sentence, predicate: str, child: int, named: Sequence[int], values: Set[int]
) -> Iterator[Complement]:
    """A verb's object, those joined to it, and what their own prepositions lead to."""
    denied = False
    if is_sharing_only(sentence, child):
        return
    joined = with_conjuncts(sentence, child)
    for object_ in joined:
        own = is_denied(sentence, object_)
        if object_ != child and is_denied(sentence, child) and _has_preposition(sentence, child):
            break  # "no effect on calcium, transients and contractions"
        denied = own or (denied and _is_joined_by_or(sentence, object_))
        if named[object_] < 0 and leans_on_joined(sentence, object_, joined):
            continue
        if denied and is_negative(predicate):
            continue
        if is_doubtful(sentence, object_) and not denied and named[object_] >= 0:
            continue
        words = f"{predicate} no" if denied else predicate
        if sentence.tags[object_] in NO_OBJECTS and named[object_] < 0:
            continue
        first, end = noun_phrase(sentence, object_)
        while first < object_ and sentence.words[first].lower() in BEFORE_NOUNS:
            first += 1
        if sentence.words[object_].lower() not in ("nothing", "none", "nobody", "neither"):
            yield words, object_, (first, end)
        else:
            words = predicate
        yield from _of_object(sentence, words, object_, named)
        yield from _when(sentence, words, object_, named, values)


def _has_preposition(sentence: Sentence, noun: int) -> bool:
    return any(sentence.deps[child] == "prep" and child > noun for child in sentence.children[noun])


def _is_joined_by_or(sentence: Sentence, object_: int) -> bool:
    """Whether "no" before one noun is meant of this one too: "no fuel or keeper"."""
    before = [
        word.lower() for word in sentence.words[max(0, sentence.left_edge(object_) - 2) : object_]
    ]
    determined = any(sentence.deps[child] == "det" for child in sentence.children[object_])
    return "nor" in before or (("or" in before or "and" in before) and not determined)


def _when(
    sentence: Sentence, predicate: str, object_: int, named: Sequence[int], values: Set[int]
) -> Iterator[Complement]:
    """A date that the parser hangs on an object is the verb's: met Ada "in 1990"."""
    for child in sentence.children[object_]:
        if sentence.deps[child] == "prep" and sentence.words[child].lower() in _WHEN:
            first = noun_phrase(sentence, object_)[0]
            if object_ + 1 - first > LONGEST_INNER_OBJECT:
                continue
            words = f"{predicate} {inner_object(sentence, first, object_ + 1)}"
            for complement in prepositional(sentence, words, child, named):
                if complement[1] in values:
                    yield complement


def _of_object(
    sentence: Sentence, predicate: str, object_: int, named: Sequence[int]
) -> Iterator[Complement]:
    """What an object's own prepositions lead to: "is capital of" France."""
    if named[object_] >= 0 and not sentence.tags[object_].startswith("JJ"):
        return
    if _is_pointed_at(sentence, object_):
        return
    first = noun_phrase(sentence, object_)[0]
    if object_ + 1 - first > LONGEST_INNER_OBJECT:
        return
    for child in prepositions_of(sentence, object_):
        words = f"{predicate} {inner_object(sentence, first, child)}"
        for complement in prepositional(sentence, words, child, named):
            if named[complement[1]] >= 0 or sentence.tags[object_].startswith("JJ"):
                yield complement


def clauses(sentence: Sentence, verb: int, predicate: str) -> Iterator[Complement]:
    """What was said or thought, where a verb has no other object."""
    word = sentence.words[verb].lower()
    tells = word in _TELLING
    if not tells or is_passive(sentence, verb):
        return
    for child in sentence.children[verb]:
        if (
            sentence.deps[child] == "ccomp"
            and not is_inverted(sentence, child)
            and sentence.tags[child].startswith("VB")
            and (child > verb or word in SPEECH_VERBS or word == "reported")
        ):
            first, end = sentence.left_edge(child), sentence.right_edge(child) + 1
            if first < verb < end:
                first, end = (first, verb) if child < verb else (verb + 1, end)
            while first < end and not sentence.words[first][0].isalnum():
                first += 1
            if 2 < end - first <= 2 * LONGEST_VALUE and first <= child < end:
                yield predicate, child, (first, end)
