"""What can be seen of a name, as traits with weights: where it stands, its words, its shape.

A trait is a short text such as ``dep=nsubj``; the judge of names (``judge.py``) has learned
what each says of a name's class. Traits of places are shares of a name's mentions, those of the
name itself are 1 but for counts, which are logarithms.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from hlg.ingest.extract.local.names.mentions import Mention
from hlg.ingest.extract.local.names.votes import GIVEN
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.spacy_pipeline import english_describing_words, is_english_noun, is_english_verb
from hlg.words.given_names import GIVEN_NAMES
from hlg.words.lexicon import (
    CORPORATE_ENDINGS,
    HONORIFICS,
    LEADING_NAME_WORDS,
    NAME_WORDS,
    NOUN_CLASSES,
    SPEECH_VERBS,
)
from hlg.words.organization_names import ORGANIZATION_NAMES
from hlg.words.place_names import PLACE_NAMES
from hlg.words.work_names import WORK_NAMES

__all__ = ["Seen", "around", "mention_traits", "name_traits", "noun_traits"]

BESIDE = 20
"""Words before and after a name in its sentence that are read with it."""
BESIDE_IN_CHAT = 140
"""Characters before and after one in a chat, whose sentences are short: the answer to "How is
Max?" tells who Max is."""
LONGEST_SPELT = 24
"""Characters of a name of which letters on end are looked at."""
_DIGITS = re.compile(r"\d")
_BE = frozenset(("is", "was", "are", "were", "'s", "be", "been", "became", "remains"))
_QUOTES = frozenset(('"', "“", "``", "«", "'", "‘", "”", "''", "»", "’"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))


@dataclass(slots=True)
class Seen:
    """What a document's sentences show of one name: how many of its mentions have a trait.

    ``beside`` are the words around the first of them.
    """

    beside: str = ""
    mentions: int = 0
    traits: Counter[str] = field(default_factory=Counter)

    def add(self, traits: Iterable[str], beside: str) -> None:
        """Take in one mention, and the words around it."""
        self.beside = self.beside or beside
        self.mentions += 1
        self.traits.update(traits)

    def join(self, other: "Seen") -> None:
        """Take in the mentions of another name of the same thing."""
        self.beside = self.beside or other.beside
        self.mentions += other.mentions
        self.traits.update(other.traits)


def mention_traits(sentence: Sentence, mention: Mention, *, doubtful: bool) -> list[str]:
    """What a sentence shows of a name that stands in it."""
    found = [f"said={mention.entity_class} {mention.votes}"]
    if doubtful:
        found.append("doubtful")
    label, exact = _label(sentence, mention.first, mention.end)
    found += (f"label={label}", f"label={label} {exact}")
    found += _around(sentence, mention.first, mention.end)
    found += _grammar(sentence, mention.first, mention.end)
    return found


def around(sentence: Sentence, first: int, end: int, chat: str = "") -> str:
    """The words between which a name stands, as the cross-encoder reads them.

    :param chat: the whole text, if it is one.
    """
    if chat:
        start, stop = sentence.starts[first], sentence.ends[end - 1]
        before = chat[max(0, start - BESIDE_IN_CHAT) : start]
        after = chat[stop : stop + BESIDE_IN_CHAT]
        cut = len(before) == BESIDE_IN_CHAT, len(after) == BESIDE_IN_CHAT
        before = before.partition(" ")[2] if cut[0] else before
        after = after.rpartition(" ")[0] if cut[1] else after
        return " ".join(f"{before}{chat[start:stop]}{after}".split())
    return sentence.text(max(0, first - BESIDE), min(len(sentence.words), end + BESIDE))


def noun_traits(sentence: Sentence, first: int, end: int) -> list[str]:
    """What a sentence shows of a common noun's phrase."""
    return ["noun", *_around(sentence, first, end), *_grammar(sentence, first, end)]


def _label(sentence: Sentence, first: int, end: int) -> tuple[str, str]:
    for start, stop, label in sentence.entities:
        if start < end and first < stop:
            return label, "whole" if (start, stop) == (first, end) else "part"
    return "none", ""


def _around(sentence: Sentence, first: int, end: int) -> Iterator[str]:
    words, tags = sentence.words, sentence.tags
    count = len(words)
    before = _plain(words[first - 1]) if first else "<s>"
    after = _plain(words[end]) if end < count else "</s>"
    yield f"before={before}"
    yield f"after={after}"
    yield f"before tag={tags[first - 1] if first else '<s>'}"
    yield f"after tag={tags[end] if end < count else '</s>'}"
    yield f"before 2={_plain(words[first - 2]) if first > 1 else '<s>'} {before}"
    yield f"after 2={after} {_plain(words[end + 1]) if end + 1 < count else '</s>'}"
    yield f"tags={' '.join(tags[first : min(end, first + 4)])}"
    if class_ := NOUN_CLASSES.get(before):
        yield f"before is {class_}"
    if class_ := NOUN_CLASSES.get(after):
        yield f"after is {class_}"
    if before in HONORIFICS:
        yield "before is honorific"
    if first == 0 or (first == 1 and not words[0][0].isalnum()):
        yield "begins"
    if before in _QUOTES and after in _QUOTES:
        yield "quoted"
    if count <= 8:
        yield f"of {end - first} in {count}"
    capital = sum(word[0].isupper() for word in words)
    if count > 3:
        yield f"capitals {4 * capital // count}"
    if not any(tag.startswith("VB") or tag == "MD" for tag in tags):
        yield "no verb"


def _grammar(sentence: Sentence, first: int, end: int) -> Iterator[str]:
    words, deps, heads = sentence.words, sentence.deps, sentence.heads
    token = next(
        (at for at in range(end - 1, first - 1, -1) if not first <= heads[at] < end), end - 1
    )
    head = heads[token]
    dep = deps[token]
    yield f"dep={dep}"
    if head != token:
        word = _plain(words[head])
        yield f"head={dep} {word}"
        yield f"head tag={dep} {sentence.tags[head]}"
        if word in SPEECH_VERBS:
            yield f"speech={dep}"
        if class_ := NOUN_CLASSES.get(word):
            yield f"head is {dep} {class_}"
        if dep == "pobj" and not first <= heads[head] < end:
            yield f"under={_plain(words[heads[head]])} {word}"
    for child in sentence.children[token]:
        if first <= child < end:
            continue
        relation = deps[child]
        yield f"child={relation}"
        if relation == "appos" or (relation == "compound" and child == first - 1):
            yield f"{relation} word={_plain(words[child])}"
            if class_ := NOUN_CLASSES.get(words[child].lower()):
                yield f"{relation} is {class_}"
    if dep in _SUBJECTS and words[head].lower() in _BE:
        for child in sentence.children[head]:
            if deps[child] == "attr":
                noun = words[child].lower()
                yield f"is={noun}"
                if class_ := NOUN_CLASSES.get(noun):
                    yield f"is a {class_}"


def _plain(word: str) -> str:
    return _DIGITS.sub("0", word.lower()[:20])


def name_traits(
    name: str, votes: Mapping[str, int], lower: Mapping[str, int], seen: Seen
) -> dict[str, float]:
    """What the name itself shows, with what was seen of its mentions.

    :param votes: by class what the rules found so far.
    :param lower: how often each word stands in small letters in the document.
    """
    found = dict.fromkeys(_written(name), 1.0)
    if seen.mentions:
        for trait, count in seen.traits.items():
            found[trait] = count / seen.mentions
    else:
        found["unseen"] = 1.0
    found["mentions"] = math.log1p(seen.mentions)
    best = min(votes, key=lambda class_: (-votes[class_], class_))
    found[f"class={best}"] = 1.0
    total = sum(votes.values())
    for class_, count in votes.items():
        if count:
            found[f"share={class_}"] = count / total
            found[f"votes={class_}"] = math.log1p(count) / 4
            if count >= GIVEN:
                found[f"given={class_}"] = 1.0
    words = name.lower().split()
    small = [lower.get(word, 0) for word in words]
    found["small last"] = math.log1p(small[-1])
    found["small all"] = math.log1p(min(small))
    if len(words) == 1 and words[0] != name:
        ratio = small[0] / (small[0] + max(seen.mentions, 1))
        found[f"small {round(4 * ratio)} of 4"] = 1.0
    return found


@lru_cache(maxsize=16_384)
def _written(name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_of_words(name)))


def _of_words(name: str) -> Iterator[str]:
    words = name.split()
    lowered = [_plain(word) for word in words]
    yield "always"
    yield f"shape={' '.join(_shape(word) for word in words[:5])}"
    yield f"words={min(len(words), 6)}"
    yield f"name={' '.join(lowered)}"
    yield f"first={lowered[0]}"
    yield f"last={lowered[-1]}"
    for word in lowered:
        yield f"word={word}"
    for size in (1, 2, 3, 4):
        yield f"ends {lowered[-1][-size:]}"
        yield f"begins {lowered[0][:size]}"
    spelt = f"<{' '.join(lowered)}>"[:LONGEST_SPELT]
    for size in (3, 4):
        for start in range(len(spelt) - size + 1):
            yield f"spelt {spelt[start : start + size]}"
    yield from _listed(name, words, lowered)


def _listed(name: str, words: Sequence[str], lowered: Sequence[str]) -> Iterator[str]:
    whole = " ".join(lowered)
    single = "single " if len(words) == 1 else "first " if words else ""
    if lowered[0] in GIVEN_NAMES:
        yield f"{single}given name"
    if whole in PLACE_NAMES:
        yield "known place"
    if whole in ORGANIZATION_NAMES:
        yield "known organisation"
    if whole in WORK_NAMES or f"the {whole}" in WORK_NAMES:
        yield "known work"
    if len(words) > 1 and any(word in PLACE_NAMES for word in lowered):
        yield "has place"
    if len(words) > 1 and any(word in ORGANIZATION_NAMES for word in lowered):
        yield "has organisation"
    last = lowered[-1].rstrip(".,")
    if last in CORPORATE_ENDINGS:
        yield "firm's ending"
    if lowered[0] in HONORIFICS:
        yield "honorific"
    for where, word in (("first", lowered[0]), ("last", last)):
        if class_ := NAME_WORDS.get(word):
            yield f"{where} names {class_}"
        if class_ := NOUN_CLASSES.get(word):
            yield f"{where} noun {class_}"
    if lowered[0] in LEADING_NAME_WORDS:
        yield "leads"
    if "of" in lowered:
        yield "has of"
    kinds = [_kind(word) for word in lowered[:4]]
    yield f"kinds={' '.join(kinds)}"
    if "-" not in kinds:
        yield "all common"
    if "-" in kinds and len(set(kinds)) == 1:
        yield "none common"
    for mark in "&.-'’/®:@_0":
        if mark in whole:
            yield f"has {mark}"


def _kind(word: str) -> str:
    """Which kinds of common words a word is listed as: n, v, a; "-" for none."""
    kinds = "n" * is_english_noun(word) + "v" * is_english_verb(word)
    return kinds + "a" * (word in english_describing_words()) or "-"


def _shape(word: str) -> str:
    """A word's capitals and small letters, runs as one: "Xx", "X.", "XxX", "x-0"."""
    kinds = [
        "X" if c.isupper() else "x" if c.islower() else "0" if c.isdigit() else c for c in word
    ]
    return "".join(
        kind
        for at, kind in enumerate(kinds)
        if at < 2 or kinds[at - 1] != kind or kinds[at - 2] != kind
    )[:8]
