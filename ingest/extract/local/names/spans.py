"""Where a name begins and ends, where the tagger joins words to it or cuts it short."""

import re
from collections.abc import Iterator, Sequence

from hlg.ingest.extract.local.names.likely import is_title_case
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.spacy_pipeline import (
    english_describing_words,
    is_english_noun,
    is_english_verb,
)
from hlg.words import words
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import CALENDAR, HONORIFICS, NAME_WORDS, NOUN_CLASSES, PERSON
from hlg.words.no_names import INTERJECTIONS
from hlg.words.organization_names import ORGANIZATION_NAMES
from hlg.words.place_names import PLACE_NAMES

__all__ = [
    "Span",
    "begins",
    "called_names",
    "dated_names",
    "end_of_entity",
    "fitted",
    "hyphened",
    "is_large_adjective",
    "owned_names",
    "parted",
]

Span = tuple[int, int, str]
"""Tokens ``[first, end)`` and the label of what they name."""

LONGEST_SYLLABLE = 4
"""Letters of the small second half of a given name: "Soo-ah"."""

_KNOWN = PLACE_NAMES | ORGANIZATION_NAMES
_PROPER = frozenset(("NNP", "NNPS"))
_DASHES = frozenset("-–—")
_WHOLE = frozenset(("WORK_OF_ART", "LAW", "TITLE"))
"""Labels of what may have any words in it."""
_FOR_PERSONS = frozenset(("ask", "book", "call", "hug", "kiss", "message", "phone", "ping", "text"))
"""Orders that look like nouns: "Hug Bilal"."""
_KIN = frozenset(("aunt", "auntie", "aunty", "cousin", "gran", "grandma", "grandpa", "uncle"))
_GREETINGS = frozenset(("afternoon", "evening", "goodnight", "morning", "night", "rip"))
_WISHES = frozenset(("happy", "merry"))
_WISHED = frozenset(("birthday", "christmas", "day", "easter", "holidays", "year"))
_LOOSE_ADJECTIVES = frozenset(("lovely", "poor", "stringent", "typical"))
_CALLED = frozenset(("called", "dubbed", "entitled", "named", "nicknamed", "titled"))
_OFFICES = frozenset(("best", "ceo", "cfo", "chief", "coo", "cto", "head", "most", "vice"))
_IN_NAMES = frozenset(
    ("a", "an", "and", "at", "de", "del", "der", "do", "for", "in", "la", "of", "on", "the", "to")
)
_PARTING = frozenset((*_CALLED, "again", "against", "gives", "versus", "via", "with"))
_SPANS = frozenset(("month", "season", "week", "weekend", "year"))
_DAYS = words("calendar", "days")
_COUNTS = frozenset(
    ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "hundred")
)
_NUMBER = re.compile(r"\d+(?:[-–]\d+)?")


def parted(sentence: Sentence, span: Span) -> Iterator[Span]:
    """The names of a span, of which words that stand between names are no part.

    "Pune called Copper Monsoon", "Feyenoord 1-3 Atletico", "the Israel-Hamas" war.
    """
    first, end, label = span
    if label in _WHOLE and not _are_played(sentence, first):
        yield span
        return
    start = first
    for token in range(first, end):
        if start <= token and _parts(sentence, first, token, end):
            if start < token:
                yield start, token, label
            start = token + 1
    if start < end:
        if start > first and sentence.words[start].lower() in ("a", "an", "and", "the"):
            start += 1
        yield start, end, label


def _are_played(sentence: Sentence, first: int) -> bool:
    """Whether what begins here is played, or is a kind of game: "games like Civilization and
    Total War"."""
    before = [word.lower() for word in sentence.words[max(0, first - 3) : first]]
    last = before[-1] if before else ""
    return last in ("play", "played", "playing", "plays") or (
        "games" in before and last in ("as", "for", "like")
    )


def _parts(sentence: Sentence, first: int, token: int, end: int) -> bool:
    words = sentence.words
    word = words[token]
    if word in _DASHES and first < token < end - 1:
        spaced = _spaced(sentence, token) and _spaced(sentence, token + 1)
        return spaced or _is_pair(sentence, first, token, end)
    lowered = word.lower()
    before = words[token - 1].lower() if token else ""
    if word.islower() and first < token:
        if lowered == "to":
            return words[max(0, first - 1)].lower() == "from"
        if lowered in ("and", "or"):
            if _are_played(sentence, first):
                return True
            return words[token + 1 : token + 2] == ["the"] or _both_known(words, first, token, end)
        return lowered in _PARTING or (
            sentence.tags[token] in ("VBD", "VBP", "VBZ") and token == end - 1
        )
    return (
        _NUMBER.fullmatch(word) is not None
        and first < token < end - 1
        and ("-" in word or "–" in word)
        and before not in _DASHES
    )


def _spaced(sentence: Sentence, token: int) -> bool:
    """Whether a token has a space before it."""
    return token > 0 and sentence.starts[token] > sentence.ends[token - 1]


def _is_pair(sentence: Sentence, first: int, token: int, end: int) -> bool:
    """Whether a hyphen stands between two that have something to do with each other."""
    after = sentence.tags[end : end + 1]
    left = " ".join(sentence.words[first:token]).lower()
    right = " ".join(sentence.words[token + 1 : end]).lower()
    return after in (["NN"], ["NNS"]) and (left in _KNOWN or right in _KNOWN)


def _both_known(words: Sequence[str], first: int, token: int, end: int) -> bool:
    left, right = words[first:token], words[token + 1 : end]
    return (
        " ".join(words[first:end]).lower() not in _KNOWN
        and " ".join(left).lower() in _KNOWN
        and " ".join(right).lower() in _KNOWN
    )


def fitted(sentence: Sentence, span: Span) -> Span:
    """A span without the words before and after that are no part of its name, and with those
    that a hyphen joins to it."""
    first, end, label = span
    if label in _WHOLE:
        return span
    while end - first > 1 and _begins_too_early(sentence, first, end):
        first += 1
    if end - first > 1 and sentence.words[end - 1].islower() and hyphened(sentence, end):
        end -= 1  # "YCombinator co"-founder
    else:
        end = _with_hyphened(sentence, end)
    if first > 1 and hyphened(sentence, first - 1) and sentence.words[first - 1] in _DASHES:
        before = sentence.words[first - 2]
        known = before.lower() in _KNOWN
        if before[0].isupper() and not known and sentence.words[first][1:].islower():
            first -= 2  # "Hi-Fi Rush"
    return first, end, label


def hyphened(sentence: Sentence, token: int) -> bool:
    """Whether a hyphen stands at a token, without a space on either side."""
    return (
        token + 1 < len(sentence.words)
        and sentence.words[token] in _DASHES
        and not _spaced(sentence, token)
        and not _spaced(sentence, token + 1)
    )


def _with_hyphened(sentence: Sentence, end: int) -> int:
    """Where a name ends with what a hyphen joins to it: "Soo-ah", "Lindgren-Obi"."""
    if not hyphened(sentence, end) or sentence.words[end - 1].islower():
        return end
    other, before = sentence.words[end + 1], sentence.words[end - 1].lower()
    if not (other.isalpha() and before.isalpha()) or hyphened(sentence, end + 2):
        return end
    if before in _KNOWN:
        return end
    lowered = other.lower()
    if other[0].isupper():
        joined = other[1:].islower() and lowered not in _KNOWN
        return end + 2 if joined and sentence.tags[end + 1] in _PROPER else end
    common = is_english_noun(lowered) or is_english_verb(lowered)
    common = common or lowered in english_describing_words() or is_english_noun(before)
    return end if common or len(lowered) > LONGEST_SYLLABLE or len(lowered) < 2 else end + 2


def _begins_too_early(sentence: Sentence, first: int, end: int) -> bool:
    """Whether a sentence's first word is an order, a greeting or a judgment of what is named."""
    words, tags = sentence.words, sentence.tags
    if not begins(sentence, first):
        return False
    word, rest = words[first].lower(), words[first + 1 : end]
    if rest[0].islower() or word in GIVEN_NAMES or _spells(words[first]):
        return False
    follows = rest[0].lower()
    single = len(rest) == 1
    if tags[first] in ("VB", "VBP") and is_english_verb(word):
        return word not in NAME_WORDS
    if word in _FOR_PERSONS:
        named = _is_known(rest) or follows in HONORIFICS or follows in _KIN
        return named or (single and not _is_common(follows))
    if word in _GREETINGS:
        return word == "rip" or follows in GIVEN_NAMES or (single and not _is_common(follows))
    if word in _WISHES:
        return rest[-1].lower() in _WISHED or follows in GIVEN_NAMES
    if word in _LOOSE_ADJECTIVES:
        return single and not follows.endswith("s")
    if word.endswith("er") and _is_comparative(word):
        return single and (_is_known(rest) or not _is_common(follows.removesuffix("s")))
    return False


def begins(sentence: Sentence, token: int) -> bool:
    """Whether a sentence, or a part of it behind a mark or a greeting, begins at a token."""
    before = sentence.words[token - 1] if token else ""
    return not before or not before[-1].isalnum() or before.lower() in INTERJECTIONS


def _spells(word: str) -> bool:
    """Whether a word in capitals is an abbreviation and no plain word: "RIP" is one."""
    return word.isupper() and word.lower() not in _GREETINGS


def _is_known(words: Sequence[str]) -> bool:
    return words[0].lower() in GIVEN_NAMES or " ".join(words).lower() in _KNOWN


def _is_common(word: str) -> bool:
    return word in NAME_WORDS or is_english_noun(word) or is_english_verb(word)


def _is_comparative(word: str) -> bool:
    return word[:-2] in english_describing_words() or word[:-1] in english_describing_words()


def called_names(sentence: Sentence) -> Iterator[Span]:
    """What something is called, whole: "a band named Sunday Furniture"."""
    words, tags = sentence.words, sentence.tags
    for token, word in enumerate(words[:-1]):
        first = token + 1
        if word not in _CALLED or tags[token] != "VBN" or not words[first][0].isupper():
            continue
        lowered = words[first].lower()
        if lowered in _OFFICES or NOUN_CLASSES.get(lowered) == PERSON or is_title_case(sentence):
            continue
        end = first + 1
        while end < len(words):
            joins = words[end].lower() in _IN_NAMES or words[end] in _DASHES
            if words[end][0].isupper() and words[end].isalnum() and words[end] != "I":
                end += 1
            elif joins and tags[end + 1 : end + 2] != ["PRP"] and _is_large(words, end + 1):
                end += 2
            else:
                break
        if all(words[at].lower() in CALENDAR for at in range(first, end)):
            continue
        yield first, end, "RUN"


def _is_large(words: Sequence[str], token: int) -> bool:
    return token < len(words) and words[token][0].isupper()


def owned_names(sentence: Sentence, named: Sequence[bool]) -> Iterator[Span]:
    """Names that have an owner in them: "Baldur's Gate", "the Player's Handbook".

    What a known firm or place has is another name: "Google's Assistant".

    :param named: of each token whether it is of the name of more than its own word.
    """
    words, tags = sentence.words, sentence.tags
    for token in range(1, len(words) - 1):
        if tags[token] != "POS" or len(words[token]) == 1 or _spaced(sentence, token):
            continue
        owner, owned = words[token - 1], words[token + 1]
        if not _is_owner(owner) or not (owned[0].isupper() and owned[1:].islower()):
            continue
        alone = not (words[token + 2 : token + 3] and tags[token + 2] in _PROPER)
        alone = alone and not (token > 1 and tags[token - 2] in _PROPER)
        alone = alone and tags[token - 1].startswith("NN")
        if alone and not named[token - 1] and not named[token + 1] and _is_owned(owned.lower()):
            yield token - 1, token + 2, "EVENT" if owned in ("Day", "Eve") else "RUN"


def _is_owner(word: str) -> bool:
    return (
        word[0].isupper()
        and word[1:].islower()
        and word.lower() not in _KNOWN
        and word.lower() not in CALENDAR
        and NOUN_CLASSES.get(word.lower(), PERSON) == PERSON
    )


def _is_owned(word: str) -> bool:
    classed = NOUN_CLASSES.get(word) or NAME_WORDS.get(word)
    return is_english_noun(word) and (word == "yard" or not classed) and word not in _SPANS


def dated_names(sentence: Sentence) -> Iterator[Span]:
    """Names with a day or a number in them: "Sunday Furniture", "the Thursday Murder Club"."""
    words, tags, heads = sentence.words, sentence.tags, sentence.heads
    if is_title_case(sentence):
        return
    for token in range(1, len(words) - 1):
        counts = tags[token] in ("CD", "NNP") and words[token].lower() in _COUNTS
        dates = tags[token] in _PROPER and words[token].lower() in _DAYS
        if not (counts or dates) or not words[token][0].isupper() or begins(sentence, token):
            continue
        end = token + 1
        while end < len(words) and tags[end] in _PROPER and words[end].lower() not in CALENDAR:
            end += 1
        joined = token < heads[token] < end and sentence.deps[token] in ("compound", "nummod")
        if joined and end > token + 1:
            yield token, end, "RUN"


def is_large_adjective(sentence: Sentence, first: int, label: str) -> bool:
    """Whether an adjective before an entity is of its name: the "Great" British Bake Off."""
    named = label in ("ORG", "EVENT", "FAC", "WORK_OF_ART")
    inside = any(start < first <= end for start, end, _ in sentence.entities)
    large = sentence.tags[first - 1] == "JJ" and first > 1 and not begins(sentence, first - 1)
    return named and large and not inside and not is_title_case(sentence)


def end_of_entity(sentence: Sentence, first: int, end: int, label: str) -> int:
    """Where the name ends of which the tagger saw one word as an entity: "Usain" Bolt."""
    tags, words = sentence.tags, sentence.words
    stop = end
    while (
        stop < len(words)
        and tags[stop] in _PROPER
        and words[stop][0].isupper()
        and words[stop][1:].islower()
        and not any(start <= stop < last for start, last, _ in sentence.entities)
    ):
        stop += 1
    last = words[stop - 1].lower()
    joined = (
        end - first == 1
        and end < stop <= end + 2
        and end <= sentence.heads[end - 1] < stop
        and sentence.deps[end - 1] == "compound"
        and label in ("ORG", "GPE", "LOC", "PERSON", "FAC", "PRODUCT")
        and not (NOUN_CLASSES.get(last) == PERSON or words[end].lower() in HONORIFICS)
    )
    return stop if joined and not is_title_case(sentence) else end
