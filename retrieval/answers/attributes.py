"""What facts say of the attribute that is asked for, over one fact or over two.

"Who founded the yard that built the Petrel?" names the Petrel. A fact joins it to Oake Yard by
"built at", and another that yard to somebody by "founded by". Such a chain accounts for words of
the question: the name's, the relations', and those of what lies between. The more of them it
accounts for, the likelier it ends at the answer.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hlg.facts import denies
from hlg.names import normalize_name
from hlg.retrieval.answers.evidence import EvidenceStatement, FactWords, words_about
from hlg.retrieval.answers.spans import Span
from hlg.retrieval.answers.words import keys, share, weigh

_ASKED = re.compile(
    r"\b(how|which|what) "
    r"(?!(?:do|does|did|is|are|was|were|can|could|should|would|will|to|ha[sd]|have|may)\b)\w+",
    re.IGNORECASE,
)
"""With what is asked about, which a statement that answers need not say: "which year"."""
_BARE = re.compile(r"^\W+|(?:['’]s)?\W*$")
NEAR = 3
"""Words before a name within a fact's value that say what it is to the subject."""


class _Link(NamedTuple):
    """A fact seen from one of its ends: the other end, and what its predicate says."""

    other: str
    said: frozenset[str]


def accounted(
    question: str, evidence: Sequence[EvidenceStatement], spans: Sequence[Span]
) -> NDArray[np.float64]:
    """How much of the question's words the best chain of facts that ends at each span accounts
    for, from 0 to 1: chains of one fact, and of two. Shape (spans, 2).

    A chain begins at something that the question names, and the relation at its end is one that
    the question asks about.
    """
    chains = _Chains(question, evidence)
    return np.array([chains.of(span) for span in spans], float).reshape(-1, 2)


class Held(NamedTuple):
    """Which share of a question's words the statements hold, each with its source and what it is
    about: of those in capitals, shape (statements,), of the others likewise, 1 where the question
    has none; the words that no statement holds, as they stand; and their share of all."""

    names: NDArray[np.float64]
    others: NDArray[np.float64]
    unsaid: tuple[str, ...]
    missing: float


def held_of(question: str, evidence: Sequence[EvidenceStatement]) -> Held:
    """What of a question the evidence is about."""
    words = _ASKED.sub(r"\1", question).split()
    named = {key for word in words[1:] if word[:1].isupper() for key in keys(word)}
    others = set(keys(" ".join(words))) - named
    held = words_about(evidence)
    asked = named | others
    return Held(
        np.array([len(named & each) / len(named) if named else 1.0 for each in held]),
        np.array([len(others & each) / len(others) if others else 1.0 for each in held]),
        tuple(dict.fromkeys(_BARE.sub("", word) for word in words if _is_unsaid(word, held))),
        len(asked.difference(*held)) / len(asked) if asked else 0.0,
    )


def _is_unsaid(word: str, held: Iterable[frozenset[str]]) -> bool:
    return bool(keys(word)) and all(each.isdisjoint(keys(word)) for each in held)


class _Chains:
    """The facts of the evidence as links between names."""

    def __init__(self, question: str, evidence: Sequence[EvidenceStatement]) -> None:
        self._question = f" {normalize_name(question)} "
        self._evidence = evidence
        told = [frozenset(keys(f"{e.passage.source.title} {e.passage.text}")) for e in evidence]
        self._weights = weigh(keys(question), told)
        self._named = self._names()
        self._links = self._linked()
        self._known: dict[tuple[str, frozenset[str]], tuple[float, float]] = {}

    def of(self, span: Span) -> tuple[float, float]:
        """What chains of one fact and of two account for."""
        links = [*self._links.get(span.key, ()), *self._within(span)]
        found = [self._ended(link) for link in links if link.other != span.key]
        one, two = zip(*found, strict=True) if found else ((0.0,), (0.0,))
        return max(one), max(two)

    def _names(self) -> Mapping[str, frozenset[str]]:
        """The entities that the question names, with the words that it names them by."""
        found = {}
        for statement in self._evidence:
            for entity in statement.entities:
                forms = map(normalize_name, (entity.name, *entity.aliases))
                said = [form for form in forms if form and f" {form} " in self._question]
                if said:
                    found[normalize_name(entity.name)] = frozenset(keys(max(said, key=len)))
        return found

    def _linked(self) -> Mapping[str, list[_Link]]:
        found: dict[str, dict[_Link, None]] = defaultdict(dict)
        for statement in self._evidence:
            names = [entity.name for entity in statement.entities]
            for fact in statement.facts:
                subject = normalize_name(fact.subject)
                held = [name for name in names if name in fact.object] if fact.is_value else []
                for name in held or [fact.object]:
                    link = self._link(fact, name)
                    if link is not None:
                        found[subject][_Link(normalize_name(name), link.said)] = None
                        found[normalize_name(name)][link] = None
        return {name: list(links) for name, links in found.items()}

    def _within(self, span: Span) -> list[_Link]:
        """Of the values that hold a span: "a drama film directed by Henri Decoin"."""
        facts = self._evidence[span.place].facts if span.start >= 0 else ()
        links = [self._link(fact, span.text) for fact in facts if span.text in fact.object]
        return [link for link in links if link is not None]

    def _link(self, fact: FactWords, text: str) -> _Link | None:
        """To a fact's subject from what of its object; None where the fact denies it."""
        if denies(fact.predicate):
            return None
        before = fact.object.partition(text)[0].split()[-NEAR:]
        said = " ".join((*before, "" if len(before) == NEAR else fact.predicate))
        return _Link(normalize_name(fact.subject), self._asked(said))

    def _asked(self, said: str) -> frozenset[str]:
        return frozenset(key for key in keys(said) if key in self._weights)

    def _ended(self, link: _Link) -> tuple[float, float]:
        known = self._known.get(link)
        if known is None:
            known = self._known[link] = self._best(link)
        return known

    def _best(self, last: _Link) -> tuple[float, float]:
        """What a chain accounts for that ends with a link."""
        begins = self._named.get(last.other)
        if begins is not None:
            return (share(self._weights, begins | last.said) if last.said - begins else 0.0), 0.0
        between = self._asked(last.other)
        two = [
            share(self._weights, named | first.said | between | last.said)
            for first in self._links.get(last.other, ())
            if (named := self._named.get(first.other)) is not None and last.said - named
        ]
        return 0.0, max(two, default=0.0)
