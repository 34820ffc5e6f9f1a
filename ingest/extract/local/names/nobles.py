"""Names of people with a place or a peerage: "Philippa of Hainault", "Charles VI of France",
"Edmund of Langley, 1st Duke of York". The tagger sees two names in most of them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hlg.ingest.extract.local.names.spans import Span
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.spacy_pipeline import (
    english_describing_words,
    is_english_noun,
    is_english_verb,
)
from hlg.words.lexicon import LEADING_NAME_WORDS, NAME_WORDS, NOUN_CLASSES, PERSON
from hlg.words.noble_names import NOBLE_GIVEN_NAMES, NOBLE_RANKS, PEERS, SECOND_NAMES
from hlg.words.organization_names import ORGANIZATION_NAMES
from hlg.words.place_names import PLACE_NAMES

__all__ = ["NOBLE", "bare_name", "is_noble", "noble_names"]

NOBLE = "NOBLE"
"""Label of a name that is a person's by its form."""
LONGEST_CORE = 4
"""Words of a name before its place or peerage."""
LONGEST_PLACE = 4
_NUMERAL = re.compile(r"(?:X{0,2}(?:IX|IV|V?I{1,3}|V)|X{1,2})")
_ORDINAL = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_NO_PLACES = frozenset(("faith", "god", "heaven", "hearts", "operations", "sales"))
_DASHES = frozenset("-–")
_ROYAL = NOBLE_RANKS - {
    *("sir", "dame", "lord", "lady", "saint", "pope"),
    *("baron", "baroness", "earl", "marquess", "marquis", "viscount", "viscountess"),
}
"""Ranks of those who are called by given name and place: "Baron Ponsonby of Sysonby" is not."""
_JOINTS = frozenset(("de", "del", "della", "di", "du", "la", "le", "van", "von", "y", "zu"))
_JOINING = _JOINTS | _DASHES
_LEADS = NOBLE_RANKS | {"grand"}
_GENERIC = frozenset((*NAME_WORDS, *LEADING_NAME_WORDS))


def noble_names(sentence: Sentence) -> Iterator[Span]:
    """Where a sentence names a person with a place or a peerage, from the rank before on."""
    words, tags = sentence.words, sentence.tags
    stop = 0
    for first, word in enumerate(words):
        if first < stop or not word[0].isupper():
            continue
        before = words[first - 1] if first else ""
        ranked = word.lower() in NOBLE_RANKS
        if not (ranked or tags[first].startswith("NNP") or word.lower() in NOBLE_GIVEN_NAMES):
            continue
        inside = before[:1].isupper() and tags[first - 1].startswith("NNP")
        inside = (inside and before.lower() not in NOBLE_RANKS) or before in _JOINING
        if inside and not ranked:
            continue
        if before == "of" and first > 1 and words[first - 2].lower() in PEERS:
            continue  # the place of a peerage, which another may follow
        stop = end_of_noble(words, first)
        if stop:
            yield first, stop, NOBLE


def is_noble(name: str) -> bool:
    """Whether a whole name is a person's with a place or a peerage.

    >>> is_noble("Prince Rupert of the Rhine"), is_noble("Bank of England")
    (True, False)
    """
    words = name.replace(",", " ,").split()
    return bool(words) and words[0][0].isupper() and end_of_noble(words, 0) == len(words)


def end_of_noble(words: Sequence[str], first: int) -> int:
    """Where the name ends that begins at a word; 0 if none of this kind does."""
    start = first
    while start < len(words) - 2 and words[start].lower() in _LEADS:
        start += 1
    core = _Core(words, start, _core_end(words, start), words[start - 1] if start > first else "")
    if core.end == start:
        return 0
    placed = _placed(core)
    return _with_peerage(core, placed) or placed


def bare_name(words: Sequence[str]) -> Sequence[str]:
    """The words of such a name without the ranks of nobles before it."""
    start = 0
    while start < len(words) - 1 and words[start].lower() in PEERS | {"grand", "empress", "tsar"}:
        start += 1
    return words[start:] if start and is_noble(" ".join(words)) else words


@dataclass(frozen=True, slots=True)
class _Core:
    """What of a name, words ``[start, end)``, comes before its place, and the rank before that."""

    words: Sequence[str]
    start: int
    end: int
    rank: str

    @property
    def names(self) -> list[str]:
        return [word.lower() for word in self.words[self.start : self.end]]

    @property
    def is_given(self) -> bool:
        return self.names[0] in NOBLE_GIVEN_NAMES

    @property
    def is_numbered(self) -> bool:
        return (
            self.end - self.start > 1 and _NUMERAL.fullmatch(self.words[self.end - 1]) is not None
        )


def _core_end(words: Sequence[str], start: int) -> int:
    """Where given names, surnames and a numeral end."""
    end = start
    while end < min(len(words), start + LONGEST_CORE) and _is_name_word(words[end]):
        end += 1
        joined = end + 1 < len(words) and words[end] in _JOINING
        if joined and _is_name_word(words[end + 1]):
            end += 2
        if _NUMERAL.fullmatch(words[end - 1]) and end - 1 > start:
            break
    return end


def _is_name_word(word: str) -> bool:
    letters = re.sub(r"['’.-]", "", word)
    return word[0].isupper() and letters.isalpha() and word.lower() not in _GENERIC


def _placed(core: _Core) -> int:
    """Where the place behind a name ends; 0 if none is there that makes it a person's."""
    words, names = core.words, core.names
    end = _place(words, core.end + 1) if words[core.end : core.end + 1] == ["of"] else 0
    place = " ".join(words[core.end + 1 : end]).lower()
    if not place or place in ORGANIZATION_NAMES:
        return 0
    if core.is_numbered:
        fits = core.is_given or bool(core.rank) or not _is_common(names[0])
    elif core.rank.lower() in _ROYAL:
        fits = all(each in NOBLE_GIVEN_NAMES or not _is_common(each) for each in names)
    else:
        plain = place not in PLACE_NAMES and _is_plain(place.split()[0])
        second = len(names) == 1 or (len(names) == 2 and names[1] in SECOND_NAMES)
        fits = core.is_given and second and not plain and not place.startswith("the ")
        fits = fits and len(place.split()) <= 2
    if not fits:
        return 0
    if (core.is_numbered or core.rank) and place in PLACE_NAMES and words[end : end + 1] == ["and"]:
        other = _place(words, end + 1)
        end = other if " ".join(words[end + 1 : other]).lower() in PLACE_NAMES else end
    return end


def _is_plain(word: str) -> bool:
    """Whether a word with a capital names no place for certain: "God", "Accounting"."""
    return word in _NO_PLACES or word in english_describing_words() or is_english_verb(word)


def _is_common(word: str) -> bool:
    return NOUN_CLASSES.get(word) == PERSON or word in NOBLE_RANKS or is_english_noun(word)


def _place(words: Sequence[str], start: int) -> int:
    """Where a run of capitalised words ends, 0 for none."""
    if words[start : start + 1] == ["the"]:
        start += 1
    end = start
    while end < min(len(words), start + 2 * LONGEST_PLACE):
        joined = words[end] in _DASHES and end > start and end + 1 < len(words)
        if joined and words[end + 1][0].isupper():
            end += 2
        elif _is_place_word(words[end]) and end - start < LONGEST_PLACE:
            end += 1
        else:
            break
    generic = end < len(words) and words[end].lower() in _GENERIC and words[end][0].isupper()
    return end if end > start and not generic else 0


def _is_place_word(word: str) -> bool:
    shouted = len(word) > 1 and word.isupper()
    return _is_name_word(word) and not shouted and word.lower() not in NOBLE_RANKS


def _with_peerage(core: _Core, placed: int) -> int:
    """Where a peerage behind a name ends, 0 if there is none: ", 1st Duke of York".

    :param placed: where the place before it ends, 0 without one.
    """
    words = core.words
    comma = placed or core.end
    ordinal = comma + 1 < len(words) and _ORDINAL.fullmatch(words[comma + 1]) is not None
    rank = comma + 1 + ordinal
    if rank >= len(words) or words[comma] != "," or not words[rank][0].isupper():
        return 0
    peer = words[rank].lower()
    if peer == "baronet":
        return rank + 1 if ordinal else 0
    known = placed or core.is_numbered or (core.is_given and core.end - core.start <= 2)
    if peer not in PEERS or not (ordinal or known):
        return 0
    of = words[rank + 1 : rank + 2] == ["of"]
    if ordinal:
        return _and_more(words, _place(words, rank + 1 + of))
    stop = _place(words, rank + 2) if of else 0
    things = stop and words[rank + 2] == "the" and is_english_noun(words[rank + 3].lower())
    return 0 if things else stop  # "Tom, Lord of the Rings" fan


def _and_more(words: Sequence[str], end: int) -> int:
    """Where a title of two places ends: "Earl of Strathmore and Kinghorne"."""
    if not end or words[end : end + 1] != ["and"] or end + 1 >= len(words):
        return end
    start = end + 1 + (words[end + 1].lower() in PEERS)
    stop = _place(words, start)
    person = not NOBLE_GIVEN_NAMES.isdisjoint(word.lower() for word in words[start:stop])
    return stop if stop and not person and words[stop : stop + 1] != ["of"] else end
