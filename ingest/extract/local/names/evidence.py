"""What a sentence says about the classes of its names, besides their words and the tagger.

"the carmaker Ford", "Basel, Switzerland", "the city of Nuuk", "Ada Thorne, who left", and lists:
what stands between names of people is a name of people.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from hlg.ingest.extract.local.names.likely import is_title_case
from hlg.ingest.extract.local.names.mentions import VALUE, Mention, class_of_name
from hlg.ingest.extract.local.names.votes import GIVEN, TOLD
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words
from hlg.words.lexicon import (
    EVENT,
    GROUP,
    NOUN_CLASSES,
    ORGANIZATION,
    PERSON,
    PLACE,
    THING,
    WORK,
)

__all__ = ["class_votes"]

FEWEST_ALIKE = 2
"""Names of one class that a list needs to tell the class of its others."""

_PERSON_NAME = re.compile(r"(?:[^\W\d_][\w'’.-]* ){1,3}[^\W\d_][\w'’-]+")
_WITH_INITIALS = re.compile(r"[^\W\d_][\w'’-]+(?: [^\W\d_][\w'’-]+)? [A-Z]{1,3}")
_BETWEEN = frozenset((",", ";", "and", "&", "or", "&amp;"))
_OF_TOWNS = words("names", "of towns")
_MADE = frozenset(("choreographed", "co-written", "directed", "narrated", "penned", "written"))
"""What is "by" somebody, and by no firm."""
_SHOWN = frozenset(
    (
        *("documentary", "drama", "episode", "film", "movie", "musical", "novel", "play"),
        *("screenplay", "series", "song"),
    )
)
_CLOSING = frozenset((",", ".", ")", ";", "]", ":"))
_ALIKE = frozenset((PERSON, PLACE, ORGANIZATION, GROUP))
_TOLD_BY_LISTS = frozenset((PERSON, PLACE))


def class_votes(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[tuple[int, str, int]]:
    """The number of a mention, a class that the sentence speaks for, and the votes for it."""
    for number, mention in enumerate(mentions):
        if mention.entity_class != VALUE:
            for class_ in _told(sentence, mention):
                yield number, class_, TOLD
    yield from _places_in_places(sentence, mentions)
    for first, end in _lists(sentence, mentions):
        yield from _like_the_others(mentions, first, end)


def _told(sentence: Sentence, mention: Mention) -> Iterator[str]:
    """Classes of the common nouns that are said of a name, and of "who"."""
    words, deps, heads = sentence.words, sentence.deps, sentence.heads
    before = mention.first - 1
    noun = words[before].lower() if before >= 0 else ""
    head = mention.end - 1
    if (
        before >= 0
        and sentence.tags[before] == "NN"
        and deps[before] in ("compound", "nmod", "amod")
        and heads[before] == head
        and words[before].islower()
        and mention.end - mention.first > 1
        and NOUN_CLASSES.get(noun) == PERSON
    ):
        yield PERSON
    if noun == "of" and before and words[before - 1].lower() in _OF_TOWNS:
        yield PLACE
    if _is_maker(sentence, mention):
        yield PERSON
    if deps[head] == "appos" and words[before] not in (",", "(", "-", "–", "—"):
        described = heads[head]
        if sentence.tags[described] == "NN" and described == before:
            yield from _class(words[described])
    for child in sentence.children[head]:
        if deps[child] == "appos" and sentence.tags[child] == "NN" and child > head:
            first = sentence.words[sentence.left_edge(child)].lower()
            if first in ("a", "an", "the"):
                yield from _class(words[child])
        elif deps[child] == "relcl" and child > head + 1:
            subject = next((c for c in sentence.children[child] if deps[c] == "nsubj"), -1)
            near = subject in (head + 1, head + 2)
            if near and words[subject].lower() == "who" and _may_be_one_person(sentence, mention):
                yield PERSON


def _is_maker(sentence: Sentence, mention: Mention) -> bool:
    """Whether a name is of who made or plays something: "a film directed by", "starring"."""
    words = [word.lower() for word in sentence.words]
    before = words[max(0, mention.first - 2) : mention.first]
    made = len(before) == 2 and before[1] == "by" and before[0] in _MADE
    if not (made or before[-1:] == ["starring"]) or _SHOWN.isdisjoint(words):
        return False
    personal = mention.name.isalpha() or _PERSON_NAME.fullmatch(mention.name) is not None
    return personal and class_of_name(mention.name) in ("", PERSON)


def _may_be_one_person(sentence: Sentence, mention: Mention) -> bool:
    before = sentence.words[max(0, mention.first - 1)].lower()
    return (
        sentence.tags[mention.end - 1] == "NNP"
        and before != "the"
        and not mention.name.isupper()
        and not mention.name.endswith("s")
    )


def _class(noun: str) -> Iterator[str]:
    class_ = NOUN_CLASSES.get(noun.lower())
    if class_ and class_ != EVENT:
        yield class_


def _places_in_places(
    sentence: Sentence, mentions: Sequence[Mention]
) -> Iterator[tuple[int, str, int]]:
    """ "Basel" of "Basel, Switzerland": a known place behind one comma, where no list goes on."""
    words = sentence.words
    for number in range(len(mentions) - 1):
        inner, outer = mentions[number], mentions[number + 1]
        if words[inner.end : outer.first] != [","] or outer.votes != GIVEN:
            continue
        closed = words[outer.end : outer.end + 1]
        listed = words[outer.end + 1 : outer.end + 2] in (["and"], ["or"], ["&"])
        follows = any(each.first == outer.end + 1 for each in mentions)
        ends = not closed or (closed[0] in _CLOSING and not listed and not follows)
        if (
            outer.entity_class == PLACE
            and ends
            and inner.votes != GIVEN
            and not (inner.entity_class == ORGANIZATION and " " in inner.name)
            and words[max(0, inner.first - 1)] not in (",", "and", "&")
            and _is_short_name(inner)
        ):
            yield number, PLACE, TOLD


def _is_short_name(mention: Mention) -> bool:
    name = mention.name
    return len(name.split()) <= 3 and name.replace(" ", "").isalpha() and not name.isupper()


def _lists(sentence: Sentence, mentions: Sequence[Mention]) -> Iterator[tuple[int, int]]:
    """Runs ``[first, end)`` of at least three mentions with nothing but commas between them."""
    first = 0
    for number in range(1, len(mentions) + 1):
        if number < len(mentions):
            between = sentence.words[mentions[number - 1].end : mentions[number].first]
            if between and all(word.lower() in _BETWEEN for word in between):
                continue
        listed = mentions[first:number]
        if len(listed) > FEWEST_ALIKE and (not is_title_case(sentence) or _is_by_line(listed)):
            yield first, number
        first = number


def _is_by_line(mentions: Sequence[Mention]) -> bool:
    """Whether most of a list's names are written as people's: the authors of something."""
    named = [each for each in mentions if each.entity_class != VALUE]
    persons = [each for each in named if each.entity_class == PERSON or _surnamed(each)]
    return len(named) > FEWEST_ALIKE and 2 * len(persons) > len(named)


def _surnamed(mention: Mention) -> bool:
    """Whether a name ends in initials, as in lists of references: "Patel DK"."""
    return _WITH_INITIALS.fullmatch(mention.name) is not None


def _like_the_others(
    mentions: Sequence[Mention], first: int, end: int
) -> Iterator[tuple[int, str, int]]:
    """Votes for the class that most names of a list have, for those that have none for sure."""
    counts: Counter[str] = Counter()
    for mention in mentions[first:end]:
        if mention.entity_class in _ALIKE:
            counts[mention.entity_class] += 1 + (mention.votes == GIVEN)
        elif _surnamed(mention):
            counts[PERSON] += 1
    if not counts:
        return
    class_, most = min(counts.items(), key=lambda each: (-each[1], each[0]))
    if class_ not in _TOLD_BY_LISTS or most <= FEWEST_ALIKE or 3 * most < 2 * sum(counts.values()):
        return
    for number in range(first, end):
        mention = mentions[number]
        if mention.votes == GIVEN or mention.entity_class in (VALUE, WORK):
            continue
        if class_ == PERSON and not (_PERSON_NAME.fullmatch(mention.name) or _surnamed(mention)):
            continue
        if class_ == PLACE and (mention.entity_class != THING or not _is_short_name(mention)):
            continue
        if class_of_name(mention.name) in ("", class_):
            yield number, class_, TOLD
