"""What a text has spoken of so far: names, and common nouns that pronouns may mean as well."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.given_names import gender_of
from hlg.words.lexicon import (
    FEMALE_WORDS,
    HE,
    MALE_WORDS,
    NOUN_CLASSES,
    ORGANIZATION,
    PERSON,
    SHE,
    VESSELS,
)

_PARTS = frozenset(
    ("board", "committee", "department", "division", "faculty", "subsidiary", "unit", "venture")
)
"""Organizations that are another one's, which "the" with the noun does not name."""


@dataclass(slots=True, eq=False)
class Spoken:
    """What a text spoke of: one name, two that "and" joins, or what a common noun stands for.

    ``keys`` are of the names, none of a common noun; ``noun`` is the common noun, else empty.
    ``sentence`` and ``token`` are where it was last, ``at`` the number of that sentence;
    ``named`` where it was last by its name or noun, ``starts`` all those places in the text, and
    ``meant`` how often a pronoun meant it.
    """

    keys: tuple[str, ...]
    noun: str
    gender: str
    sentence: Sentence
    token: int
    at: int
    named: tuple[Sentence, int]
    starts: list[int] = field(default_factory=list)
    meant: int = 0


class Focus:
    """What is in mind while a document is read; ``title`` is the key of what it is about."""

    def __init__(self, names: DocumentNames, title: str | None) -> None:
        self._names = names
        self.title = title
        self.sentences = 0
        self.subject: Spoken | None = None
        self._opening: Spoken | None = None
        self._spoken: dict[tuple[tuple[str, ...], str], Spoken] = {}
        self._nouns: dict[str, set[str]] = {}
        self._gender: dict[str, str] = {}
        self._bearers: dict[str, str] = {}
        self._speakers: set[str] = set()
        self._last: dict[str, Spoken] = {}

    def hear(self, speaker: str) -> None:
        """Begin a turn of a chat: who speaks is "I" and not "she"."""
        self._speakers.add(speaker)

    def end(self, subject: Spoken | None) -> None:
        """A sentence about a subject is over."""
        if not self.sentences and subject is not None and self.class_of(subject) == PERSON:
            self._opening = subject
        self.sentences += 1
        self.subject = subject

    def name(self, key: str, sentence: Sentence, token: int) -> Spoken:
        """A name stands at a token, alone; behind "and" it stands with the person before it too."""
        found = self._note((key,), "", sentence, token)
        if sentence.deps[token] == "conj" and self.class_of(found) == PERSON:
            first = sentence.heads[token]
            named = (each for each in self.latest() if each.keys and each.sentence is sentence)
            before = next((each for each in named if each.token == first), None)
            if before and before.keys != (key,) and self.class_of(before) == PERSON:
                both = self._note((*before.keys, key), "", sentence, first)
                both.starts[-1] = sentence.starts[token - 1]  # of "and", which is in neither
        return found

    def common(self, sentence: Sentence, token: int) -> Spoken:
        """A common noun stands at a token."""
        return self._note((), sentence.words[token].lower(), sentence, token)

    def point(self, spoken: Spoken, kind: str, sentence: Sentence, token: int) -> None:
        """A pronoun of a kind at a token means what was spoken of."""
        spoken.meant += 1
        self._stand(spoken, sentence, token)
        if kind in (HE, SHE):
            spoken.gender = kind
        self._last[kind] = spoken

    def topic(self, noun: str, sentence: Sentence, token: int) -> Spoken | None:
        """What the document is about, where both it and "the" with a noun at a token are an
        organization as a whole; None else."""
        classes = self._names.class_of(self.title or ""), NOUN_CLASSES.get(noun)
        if self.title is None or classes != (ORGANIZATION, ORGANIZATION) or noun in _PARTS:
            return None
        return self.name(self.title, sentence, token)

    def call(self, key: str, noun: str) -> None:
        """Note that a thing was called by a common noun: it is "a film"."""
        noun = noun.lower()
        self._nouns.setdefault(key, set()).add(noun)
        gender = HE if noun in MALE_WORDS else SHE if noun in FEMALE_WORDS | VESSELS else ""
        if gender:
            self._gender[key] = gender

    def latest(self) -> Iterator[Spoken]:
        """Everything, what was last spoken of first."""
        return reversed(self._spoken.values())

    def class_of(self, spoken: Spoken) -> str:
        """The class that most evidence so far speaks for; of a common noun what it says."""
        if not spoken.keys:
            return NOUN_CLASSES.get(spoken.noun, "")
        return self._names.class_of(spoken.keys[-1])

    def gender_of(self, spoken: Spoken) -> str:
        """What the text told of a person, or else the name does."""
        told = self._gender.get(spoken.keys[0], "") if len(spoken.keys) == 1 else ""
        return told or spoken.gender

    def is_title(self, spoken: Spoken) -> bool:
        """Whether it is what the document is about: what its title names, or else the person with
        whom it opens."""
        title = self.title
        if title is None:
            return spoken is self._opening and len(spoken.keys) == 1
        return [self._names.root(key) for key in spoken.keys] == [title]

    def is_speaker(self, spoken: Spoken) -> bool:
        """Whether it takes part in the chat."""
        return not self._speakers.isdisjoint(spoken.keys)

    def was_meant(self, kind: str, spoken: Spoken) -> bool:
        """Whether the last pronoun of a kind meant it."""
        return self._last.get(kind) is spoken

    def is_called(self, spoken: Spoken, noun: str) -> bool:
        """Whether the text said that it is a noun: "a guild"."""
        return any(noun in self._nouns.get(key, ()) for key in spoken.keys)

    def _note(self, keys: tuple[str, ...], noun: str, sentence: Sentence, token: int) -> Spoken:
        found = self._spoken.get((keys, noun))
        if found is None:
            gender, named = self._named_gender(keys, noun), (sentence, token)
            found = Spoken(keys, noun, gender, sentence, token, 0, named)
        found.named = sentence, token
        found.starts.append(sentence.starts[token])
        self._stand(found, sentence, token)
        return found

    def _stand(self, spoken: Spoken, sentence: Sentence, token: int) -> None:
        """It is what was spoken of last now."""
        spoken.sentence, spoken.token, spoken.at = sentence, token, self.sentences
        self._spoken.pop((spoken.keys, spoken.noun), None)
        self._spoken[spoken.keys, spoken.noun] = spoken

    def _named_gender(self, keys: tuple[str, ...], noun: str) -> str:
        """A last name has that of the person who bears it: "James Joyce ... Joyce"."""
        if len(keys) != 1:
            return gender_of(noun)
        first, _, last = keys[0].rpartition(" ")
        if not first and last in self._bearers:
            return self._bearers[last]
        found = gender_of(self._names.form(keys[0]))
        self._bearers.setdefault(last, found)
        return found
