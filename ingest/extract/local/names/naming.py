"""Which names in a document are one entity, and of which class it is."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from hlg.ids import entity_id
from hlg.ingest.extract.local.names.confidence import Mentions, Named, confidences
from hlg.ingest.extract.local.names.votes import SURE
from hlg.ingest.extract.local.parse import Sentence
from hlg.names import acronyms, normalize_name
from hlg.records import Entity
from hlg.words.lexicon import (
    CONCEPT,
    CORPORATE_ENDINGS,
    GROUP,
    JOINING_WORDS,
    NAME_WORDS,
    ORGANIZATION,
    PERSON,
    PLACE,
    RANKS,
    THING,
)

_GENERATIONS = frozenset(("jr", "sr", "ii", "iii", "iv"))


@dataclass(slots=True)
class _Name:
    """A normalised name: how it was written, what it was taken for, and where it was read."""

    forms: Counter[str] = field(default_factory=Counter)
    votes: Counter[str] = field(default_factory=Counter)
    mentions: Mentions = field(default_factory=Mentions)
    is_sure: bool = False


class DocumentNames:
    """The names of one document as they are read; at the end, the entities they stand for."""

    def __init__(self) -> None:
        self._names: dict[str, _Name] = {}
        self._same: dict[str, str] = {}
        self._preferred: dict[str, str] = {}
        self._topic = ""

    def add(
        self, name: str, entity_class: str, votes: int = SURE, *, doubtful: bool = False
    ) -> str:
        """Note a name; gives its key.

        :param doubtful: it is one only if it is seen elsewhere, or a fact is about it.
        """
        key = normalize_name(_without_honorific(name) if entity_class == PERSON else name)
        record = self._names.get(key)
        if record is None:
            record = self._names[key] = _Name()
        record.forms[" ".join(name.split())] += 1
        record.votes[entity_class] += votes
        record.is_sure = record.is_sure or not doubtful
        return key

    def see(self, key: str, sentence: Sentence, first: int, end: int) -> None:
        """Note where a name is read, tokens ``[first, end)``."""
        self._names[key].mentions.see(sentence, first, end)

    def vote(self, key: str, entity_class: str, weight: int = SURE) -> None:
        """More evidence for a name's class."""
        self._names[key].votes[entity_class] += weight

    def set_topic(self, key: str, name: str) -> None:
        """Say which key the whole document is about, and how that is called."""
        self._topic = key
        self._preferred[key] = name

    def link(self, alias: str, key: str) -> None:
        """Say that two keys name the same thing; the second is its name."""
        alias, key = self.root(alias), self.root(key)
        if alias != key:
            self._same[alias] = key

    def root(self, key: str) -> str:
        """The key that a key was linked to."""
        root = key
        while root in self._same:
            root = self._same[root]
        # Every key on the way now leads there at once, so that no chain is walked twice.
        while key != root:
            self._same[key], key = root, self._same[key]
        return root

    def class_of(self, key: str) -> str:
        """The class that most evidence so far speaks for."""
        record = self._names.get(self.root(key))
        return _winner(record.votes) if record else ""

    def form(self, key: str) -> str:
        """How the name of a key was mostly written so far."""
        root = self.root(key)
        return self._preferred.get(root) or _best_form(self._names[root].forms)

    def entities(self, told: Mapping[str, Sequence[float]], *, measured: bool) -> dict[str, Entity]:
        """For every key its entity, names of one thing merged; none for what stayed doubtful and
        nothing is said of.

        :param told: keys that facts are about, with the confidence of each fact.
        :param measured: say how sure each is; else 1, of a language that is not read so.
        """
        self.settle()
        clusters: dict[str, list[str]] = defaultdict(list)
        for key in self._names:
            clusters[self.root(key)].append(key)
        found: list[tuple[Sequence[str], Entity]] = []
        named: list[Named] = []
        for root, keys in clusters.items():
            is_sure = any(self._names[key].is_sure for key in keys)
            if is_sure or root == self._topic or not told.keys().isdisjoint(keys):
                entity = self._entity(root, keys)
                facts = [each for key in keys for each in told.get(key, ())]
                mentions = [self._names[key].mentions for key in keys]
                found.append((keys, entity))
                named.append(Named(entity.name, entity.entity_class, mentions, facts))
        chances = confidences(named) if measured else [1.0] * len(named)
        return {
            key: entity
            for (keys, bare), chance in zip(found, chances, strict=True)
            for entity in (replace(bare, confidence=chance),)
            for key in keys
        }

    def _entity(self, root: str, keys: Sequence[str]) -> Entity:
        class_ = _winner(sum((self._names[key].votes for key in keys), Counter[str]()))
        name = self.form(root)
        name = _without_honorific(name) if class_ == PERSON else name
        normal = normalize_name(name)
        forms = {form for key in keys for form in self._names[key].forms}
        by_key = {normalize_name(form): form for form in sorted(forms)}
        aliases = sorted(form for other, form in by_key.items() if other != normal)
        return Entity(entity_id(name, class_), name, class_, tuple(aliases))

    def settle(self) -> None:
        """Link the names of one thing, when the whole document has been read."""
        roots = [key for key in self._names if self.root(key) == key]
        words = {key: key.split() for key in roots}
        self._merge_corporate(words)
        self._merge_acronyms(words)
        self._merge_persons(words)

    def _merge_corporate(self, words: dict[str, list[str]]) -> None:
        """ "Apple Inc." and "Apple"; "Embracer Group" and "Embracer"; "Tern Airways" and "Tern"."""
        longs: dict[str, set[str]] = defaultdict(set)
        for key, parts in words.items():
            kept = list(parts)
            while len(kept) > 1 and _is_generic(kept[-1].rstrip(".,")):
                kept.pop()
            short = " ".join(kept).rstrip(",")
            if short != key and short in words:
                longs[short].add(key)
        for short, keys in longs.items():
            if len(keys) == 1 and self.class_of(short) not in (PERSON, PLACE, GROUP):
                self.link(short, next(iter(keys)))

    def _merge_acronyms(self, words: dict[str, list[str]]) -> None:
        long_by_acronym: dict[str, list[str]] = defaultdict(list)
        for key, parts in words.items():
            if len(parts) > 1 and self.class_of(key) not in (PERSON, CONCEPT):
                for acronym in acronyms(parts):
                    long_by_acronym[acronym].append(key)
        for key in words:
            short = key.replace(".", "")
            written = next(iter(self._names[key].forms)).replace(".", "")
            longs = {self.root(long) for long in long_by_acronym.get(short, ())}
            if written.isupper() and 2 <= len(short) <= 7 and len(longs) == 1:
                self.link(key, longs.pop())

    def _merge_persons(self, words: dict[str, list[str]]) -> None:
        """A last (or first) name goes to the one person in the document who bears it; of a name
        with a place or a peerage in it ("Peter I, Duke of Bourbon") the first, if it comes later.
        """
        by_last, by_first = defaultdict(set), defaultdict(set)
        placed: set[str] = set()
        for key in words:
            parts = [part for part in words[key] if part.rstrip(".") not in _GENERATIONS]
            if len(parts) < 2 or self.class_of(key) != PERSON:
                continue
            placed |= {key} if " of " in key or "," in key else set()
            by_first[parts[0]].add(key)
            for start in range(1, len(parts)) if key not in placed else ():
                by_last[" ".join(parts[start:])].add(key)
        order = {key: at for at, key in enumerate(words)}
        for key in words:
            class_ = self.class_of(key)
            bearers = by_last.get(key, set()) - {key}
            if not bearers and class_ in (PERSON, THING):
                bearers = {
                    bearer
                    for bearer in by_first.get(key, set()) - {key}
                    if bearer not in placed or order[bearer] < order[key]
                }
            bearers = {self._topic} if self._topic in bearers else self._longest(bearers)
            may_be_one = class_ == PERSON if key == self._topic else class_ not in (PLACE, GROUP)
            if len(bearers) == 1 and may_be_one:
                self.link(key, bearers.pop())

    def _longest(self, keys: set[str]) -> set[str]:
        """Without the keys that end another: "Denise Levertov" of "Priscilla Denise Levertov"."""
        endings = {
            key[space + 1 :] for key in keys for space, letter in enumerate(key) if letter == " "
        }
        return keys - endings


def _is_generic(word: str) -> bool:
    """Whether a name's last word is often left out: "Inc", "Airways"."""
    return word in CORPORATE_ENDINGS or NAME_WORDS.get(word) == ORGANIZATION


def begins_another(short: str, long: str) -> bool:
    """Whether a key only begins a longer one, which names something else: "GNU" and "GNU Go", but
    not "Tern" and "Tern Airways" or "Tern Air Lines, Inc."."""
    rest = [word.strip(".,") for word in long.removeprefix(f"{short} ").split()]
    is_longer = long.startswith(f"{short} ") and rest[-1] not in CORPORATE_ENDINGS
    return is_longer and not all(map(_is_generic, rest))


def _without_honorific(name: str) -> str:
    words = name.split()
    while len(words) > 1 and words[0].lower() in RANKS and words[1] not in JOINING_WORDS:
        words = words[1:]
    return " ".join(words)


def _best_form(forms: Counter[str]) -> str:
    """The form written most; of several, one in mixed case, then the first in order."""
    return min(forms, key=lambda form: (form.isupper(), form.islower(), -forms[form], form))


def _winner(votes: Counter[str]) -> str:
    return min(votes, key=lambda class_: (-votes[class_], class_))
