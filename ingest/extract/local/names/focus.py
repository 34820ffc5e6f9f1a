"""What a text is talking about at each point: antecedents of pronouns and of "the company"."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.words.given_names import gender_of
from hlg.words.lexicon import (
    ANIMAL,
    FEMALE_WORDS,
    GROUP,
    HE,
    IT,
    MALE_WORDS,
    NOUN_CLASSES,
    ORGANIZATION,
    PERSON,
    SHE,
    THING,
    VESSELS,
)

REMEMBERED = 24
"""Names that stay in mind."""
FORGOTTEN = 99
FRESH = 2
"""Sentences after which "it" and "they" no longer mean a name that hasn't come up again."""
_PARTS = frozenset(
    ("board", "committee", "department", "division", "faculty", "subsidiary", "unit", "venture")
)
"""Organisations that are another one's, which "the" with the noun does not name."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How many sentences ago a key came up, its rank among what sentences were about, how often it
    came up, and whether it led the last sentence, was in it, or was one of two that it joined."""

    distance: int
    rank: int
    mentions: int
    led: bool
    latest: bool
    joined: bool


class Focus:
    """The names in mind while a document is read, the likeliest antecedent first.

    :param title: key of the document's title where it names a thing, else None.
    """

    def __init__(self, names: DocumentNames, title: str | None) -> None:
        self._names = names
        self._title = title
        self._recent: list[str] = []
        self._subjects: list[str] = []
        self._pair: tuple[str, ...] = ()
        self._gender: dict[str, str] = {}
        self._last_read: dict[str, int] = {}
        self._sentences = 0
        self._nouns: defaultdict[str, set[str]] = defaultdict(set)
        self._speakers: set[str] = set()
        self._leading: tuple[str, ...] = ()
        self._latest: tuple[str, ...] = ()
        self._mentions: Counter[str] = Counter()

    @property
    def title(self) -> str | None:
        """Key of what the document is about."""
        return self._title

    def enter(self, key: str) -> None:
        """Go under a heading that names what the text goes on about."""
        self._title = key

    def hear(self, speaker: str) -> None:
        """Begin a turn of a chat: who speaks is "I" and not "she"; "it" is something new."""
        self._speakers.add(speaker)
        self._sentences += FRESH
        self._pair = ()

    def read(
        self,
        subjects: Sequence[str],
        mentioned: Iterable[str],
        pair: bool,
    ) -> None:
        """Take in a clause's subjects and all that it mentions.

        :param pair: the subjects are joined by "and", so that "they" may mean them all.
        """
        mentioned = list(mentioned)
        self._sentences += 1
        self._mentions.update(mentioned)
        self._leading, self._latest = tuple(subjects), tuple(mentioned)
        self._last_read.update(dict.fromkeys([*subjects, *mentioned], self._sentences))
        if subjects:
            self._subjects = _first_unique([*subjects, *self._subjects])
            self._pair = tuple(subjects) if pair else ()
        self._recent = _first_unique([*subjects, *mentioned, *self._recent])

    def call(self, key: str, noun: str) -> None:
        """Note that a thing was called by a common noun: it is "a film"."""
        noun = noun.lower()
        self._nouns[key].add(noun)
        if noun in MALE_WORDS:
            self._gender[key] = HE
        elif noun in FEMALE_WORDS:
            self._gender[key] = SHE

    def pronoun(self, kind: str, before: Sequence[str] = ()) -> tuple[str, ...]:
        """Keys of a pronoun's antecedents; empty where there is no good one.

        :param before: names before it in its own sentence, the likeliest first.
        """
        if kind in (HE, SHE):
            return self._person(kind, _first_unique([*before, *self._subjects, *self._recent]))
        candidates = _first_unique([*before, *self._subjects])
        if kind == IT:
            fitting = [
                key
                for key in candidates
                if self._is_thing(key) and (key in before or self._is_fresh(key))
            ]
            title = self._title
            # A text goes on about its own subject more often than not.
            if (
                title
                and title not in before
                and self._is_thing(title)
                and (not fitting or title in self._subjects[:2])
            ):
                return (title,)
            return tuple(fitting[:1])
        if self._pair and not before and self._is_fresh(self._pair[0]):
            return self._pair
        fitting = [
            key
            for key in candidates
            if self._class(key) in (GROUP, ORGANIZATION)
            and (key in before or self._is_fresh(key) or key == self._title)
        ]
        return tuple(fitting[:1])

    def standing(self, key: str) -> Standing:
        """What the sentences before tell of a key."""
        return Standing(
            distance=self._sentences - self._last_read.get(key, -FORGOTTEN) + 1,
            rank=self._subjects.index(key) if key in self._subjects else REMEMBERED,
            mentions=self._mentions[key],
            led=key in self._leading,
            latest=key in self._latest,
            joined=key in self._pair,
        )

    def agreeing(self, kind: str, before: Iterable[str]) -> list[str]:
        """Keys that may be meant by their class, the likeliest first.

        :param kind: what a pronoun agrees with; empty for "the company".
        :param before: names before it in its own sentence.
        """
        title = [self._title] if self._title else []
        keys = dict.fromkeys([*before, *self._subjects, *self._recent, *title])
        if kind not in (HE, SHE, IT):
            return list(keys)
        persons = kind != IT
        return [key for key in keys if (self._class(key) in (PERSON, ANIMAL)) == persons]

    @property
    def sentences(self) -> int:
        """How many were read."""
        return self._sentences

    def class_of(self, key: str) -> str:
        """The class that most evidence so far speaks for."""
        return self._class(key)

    def form(self, key: str) -> str:
        """How the name of a key was mostly written so far."""
        return self._names.form(key)

    def definite(self, noun: str) -> tuple[str, ...]:
        """Keys of what "the" with a common noun points back at."""
        noun = noun.lower()
        candidates = _first_unique([*self._subjects, *self._recent])
        if self._title and self._title not in candidates:
            candidates.append(self._title)
        for key in candidates:
            if noun in self._nouns[key] or noun in key.split():
                return (key,)
        class_ = NOUN_CLASSES.get(noun)
        if class_ is None or noun in _PARTS:
            return ()
        if self._title and self._class(self._title) == class_:
            return (self._title,)
        for key in candidates:
            if self._class(key) == class_ and self._nouns[key] <= {noun}:
                return (key,)
        return ()

    def _person(self, kind: str, candidates: list[str]) -> tuple[str, ...]:
        people = [
            key
            for key in candidates
            if key not in self._speakers
            and (self._class(key) == PERSON or (kind == SHE and self._nouns[key] & VESSELS))
        ]
        for key in people:
            if self._gender_of(key) in ("", kind):
                self._gender[key] = kind
                return (key,)
        title = self._title
        if title and self._class(title) in (PERSON, THING) and self._gender_of(title) in ("", kind):
            self._gender[title] = kind
            self._names.vote(title, PERSON)
            return (title,)
        return ()

    def _gender_of(self, key: str) -> str:
        """What the text told of a person, or else the name; empty where both leave it open, as
        that of a ship does and a last name: "James Joyce ... Joyce"."""
        told = self._gender.get(key, "")
        if told or self._class(key) != PERSON or self._nouns[key] & VESSELS:
            return told
        is_last = any(each.endswith(f" {key}") for each in (*self._recent, self._title or ""))
        return "" if is_last else gender_of(self._names.form(key))

    def _is_fresh(self, key: str) -> bool:
        return self._sentences - self._last_read.get(key, -FRESH) < FRESH

    def _is_thing(self, key: str) -> bool:
        return self._class(key) not in (PERSON, GROUP, "")

    def _class(self, key: str) -> str:
        return self._names.class_of(key)


def _first_unique(keys: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(keys))[:REMEMBERED]
