"""Which groups of entities may be one thing: candidate pairs by rules over their names.

Each rule puts groups into buckets by a key that the two must share, or finds near names by
an inverted index of rare character n-grams; so the number of pairs grows with the number
of entities, not with its square.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import sparse

from hlg.ingest.resolve.names import (
    NameParts,
    differ_by_one,
    name_parts,
    without_ending,
    without_title,
)
from hlg.lexical.tf_idf import tf_idf
from hlg.names import acronyms
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import PERSON

LARGEST_BUCKET = 12
"""Groups under one key beyond which the key says nothing."""
GRAM = 4
RAREST_GRAMS = 200
"""An n-gram in more names than this leads to too many of them to be of use."""
LEAST_SIMILAR = 0.5
ROWS_AT_ONCE = 2_000
_SHORTEST_NEAR = 5
_SHORTEST_SURNAME = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Entities that are one so far. ``row`` is the canonical one's, ``rows`` are all of them.

    ``entity_class`` is the one that most mentions speak for; ``keys`` are the normalised
    names, ``aliases`` the normalised aliases of all.
    """

    row: int
    rows: tuple[int, ...]
    name: str
    parts: NameParts
    entity_class: str
    classes: frozenset[str]
    mentions: int
    keys: frozenset[str]
    aliases: frozenset[str]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Two groups that a rule found; ``directed``: the first is a short form of the second."""

    rule: str
    one: Group
    other: Group
    directed: bool = False
    recorded: bool = False
    """A source uses both names for one thing."""


def same_names(groups: Sequence[Group]) -> Iterator[Candidate]:
    """Groups that have a normalised name in common, whatever their classes."""
    by_key = _buckets((key, group) for group in groups for key in sorted(group.keys))
    for bucket in by_key.values():
        yield from _pairs("same name", bucket)


def spellings(groups: Sequence[Group]) -> Iterator[Candidate]:
    """Groups whose names are other spellings or fuller forms of each other."""
    named = [g for g in groups if g.parts.words]
    others = [g for g in named if g.entity_class != PERSON]
    full = [g for g in named if len(g.parts.words) > 1]
    for rule, buckets in (
        ("spelling", ((g.parts.fold, g) for g in named)),
        ("ending", ((without_ending(g.parts.words), g) for g in others)),
    ):
        for bucket in _buckets(buckets).values():
            for found in _pairs(rule, bucket):
                # One name in two classes is for the first round to judge.
                if found.one.keys.isdisjoint(found.other.keys):
                    yield found
    yield from _titles(full)
    yield from _initials([g for g in full if g.entity_class == PERSON])
    yield from _aliases(groups)


def short_forms(groups: Sequence[Group]) -> Iterator[Candidate]:
    """Acronyms and surnames with the one longer name that they can stand for."""
    yield from _acronyms(groups)
    yield from _surnames(groups)


def surnames_of_many(groups: Iterable[Group]) -> set[str]:
    """Last words of several names: by itself such a word says little."""
    lasts = Counter(g.parts.words[-1] for g in groups if len(g.parts.words) > 1)
    return {word for word, count in lasts.items() if count > 1}


def near_names(names: Sequence[NameParts]) -> set[tuple[int, int]]:
    """Pairs of rows whose names differ by a letter or a plural in one word.

    Blocked by TF-IDF of character n-grams: names that have enough rare n-grams in common
    (cosine at least :data:`LEAST_SIMILAR`) are compared, all others never are.
    """
    return {(one, other) for one, other in _blocked(names) if _is_near(names[one], names[other])}


def near(pairs: Iterable[tuple[int, int]], groups: Sequence[Group]) -> Iterator[Candidate]:
    """The pairs of :func:`near_names` whose rows name groups."""
    by_row = {group.row: group for group in groups}
    for one, other in sorted(pairs):
        if one in by_row and other in by_row:
            yield Candidate("near name", *_ordered(by_row[one], by_row[other]))


def _blocked(names: Sequence[NameParts]) -> Iterator[tuple[int, int]]:
    rows = np.array(
        [i for i, parts in enumerate(names) if len(parts.fold) >= _SHORTEST_NEAR], np.int64
    )
    weighed = tf_idf((_grams(names[i].words) for i in rows), min_texts=2, max_texts=RAREST_GRAMS)
    if not len(weighed.vocabulary):
        return
    shape = (weighed.size, len(weighed.vocabulary))
    grams = sparse.csr_array(
        sparse.csc_array((weighed.values, weighed.rows, weighed.indptr), shape)
    )
    transposed = sparse.csr_array(grams.T)
    for start in range(0, len(rows), ROWS_AT_ONCE):
        similar = sparse.coo_array(grams[start : start + ROWS_AT_ONCE] @ transposed)
        near = (similar.data >= LEAST_SIMILAR) & (similar.coords[0] + start < similar.coords[1])
        for i, j in zip(similar.coords[0][near], similar.coords[1][near], strict=True):
            yield int(rows[i + start]), int(rows[j])


def _grams(words: Iterable[str]) -> Iterator[str]:
    """The character n-grams of each word, which a space begins and ends."""
    for word in words:
        spaced = f" {word} "
        yield from (spaced[i : i + GRAM] for i in range(max(1, len(spaced) - GRAM + 1)))


def _is_near(one: NameParts, other: NameParts) -> bool:
    if len(one.words) != len(other.words) or one.fold == other.fold:
        return False
    differing = [(a, b) for a, b in zip(one.words, other.words, strict=True) if a != b]
    if len(differing) != 1:
        return False
    a, b = sorted(differing[0], key=lambda word: (len(word), word))
    if any(character.isdigit() for character in a + b):
        return False
    return (len(a) >= _SHORTEST_NEAR and differ_by_one(a, b)) or (len(a) > 3 and b == a + "s")


def _titles(groups: Sequence[Group]) -> Iterator[Candidate]:
    """ "President Ada Thorne" with "Ada Thorne"."""
    by_words = _buckets((g.parts.words, g) for g in groups)
    for group in groups:
        bare = without_title(group.parts.words)
        if bare != group.parts.words:
            for base in by_words.get(bare, ()):
                yield Candidate("title", group, base, directed=True)


def _initials(persons: Sequence[Group]) -> Iterator[Candidate]:
    """ "J. Smith" with the one "John Smith" that there is."""
    by_name = _buckets(((g.parts.words[0][0], g.parts.words[1:]), g) for g in persons)
    for bucket in by_name.values():
        short = [g for g in bucket if len(g.parts.words[0]) == 1]
        full = [g for g in bucket if len(g.parts.words[0]) > 1]
        if len(short) == len(full) == 1:
            yield Candidate("initials", short[0], full[0], directed=True)


def _aliases(groups: Sequence[Group]) -> Iterator[Candidate]:
    """A name that a source uses for another group's thing, and no second group's."""
    holders = _buckets((alias, g) for g in groups for alias in sorted(g.aliases))
    by_key = _buckets((key, g) for g in groups for key in sorted(g.keys))
    for alias, bucket in holders.items():
        for named in by_key.get(alias, ()):
            others = [g for g in bucket if g.row != named.row]
            if len(others) == 1 and not _is_short(named.parts, others[0].parts):
                yield Candidate("alias", named, others[0], recorded=True)


def _is_short(one: NameParts, other: NameParts) -> bool:
    """Whether either is a part or an acronym of the other, which other rules judge."""
    words, others = set(one.words), set(other.words)
    if words <= others or others <= words:
        return True
    return one.fold in acronyms(other.key.split()) or other.fold in acronyms(one.key.split())


def _acronyms(groups: Sequence[Group]) -> Iterator[Candidate]:
    shorts = _buckets(
        (group.parts.fold, group)
        for group in groups
        if len(group.parts.words) == 1 and group.name.replace(".", "").isupper()
    )
    longs = _buckets(
        (acronym, group)
        for group in groups
        if len(group.parts.words) > 1 and group.entity_class != PERSON and not group.name.islower()
        for acronym in acronyms(group.parts.key.split()) & shorts.keys()
    )
    for acronym, bucket in longs.items():
        for short in shorts[acronym]:
            recorded = [g for g in bucket if not short.keys.isdisjoint(g.aliases)]
            meant = recorded or bucket
            if len(meant) == 1:
                yield Candidate("acronym", short, meant[0], directed=True, recorded=bool(recorded))


def _surnames(groups: Sequence[Group]) -> Iterator[Candidate]:
    bearers = _buckets(
        (name_parts(words[-1]).fold, group)
        for group in groups
        if len(words := group.name.split()) > 1
    )
    for group in groups:
        word = group.parts.fold
        if " " in group.name or word in GIVEN_NAMES or len(word) < _SHORTEST_SURNAME:
            continue
        bucket = bearers.get(word, [])
        if len(bucket) == 1 and _is_persons_name(bucket[0]):
            recorded = not group.keys.isdisjoint(bucket[0].aliases)
            yield Candidate("surname", group, bucket[0], directed=True, recorded=recorded)


def _is_persons_name(group: Group) -> bool:
    """Whether a name has the form of a person's: two or three words, each with a capital."""
    words = group.name.split()
    return (
        group.entity_class == PERSON
        and len(words) in (2, 3)
        and (group.mentions > 1 or words[0].lower() in GIVEN_NAMES)
        and all(word[0].isupper() and not word.endswith(("'s", "’s")) for word in words)
    )


def _buckets(pairs: Iterable[tuple[object, Group]]) -> dict[object, list[Group]]:
    """Groups by key; a group comes with each of its keys once."""
    buckets: dict[object, list[Group]] = defaultdict(list)
    for key, group in pairs:
        buckets[key].append(group)
    return buckets


def _pairs(rule: str, bucket: Sequence[Group]) -> Iterator[Candidate]:
    if 1 < len(bucket) <= LARGEST_BUCKET:
        for one, other in combinations(bucket, 2):
            yield Candidate(rule, *_ordered(one, other))


def _ordered(one: Group, other: Group) -> tuple[Group, Group]:
    """The less mentioned one first."""
    if (one.mentions, -one.row) > (other.mentions, -other.row):
        return other, one
    return one, other
