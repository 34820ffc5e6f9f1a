"""Main clauses of a French sentence as subject, predicate and object, in Universal Dependencies.

Only what the sentence asserts itself: no question, condition, conditional or subjunctive, no
hearsay, no quotation, nothing that a verb with a verb or a clause as its object says. What
negates stands in the predicate: "n'a jamais vendu".
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words

_DOUBT = words("foreign", "french doubt")
"""What says that somebody only says, hopes or supposes what is said."""
_QUOTES = frozenset(["«", "»", "“", "”", '"', "?"])
_SPOKEN_FOR = frozenset(("ccomp", "xcomp", "csubj"))
_NEGATED = frozenset(("aucun", "aucune", "nul", "nulle", "personne", "rien"))
_UNREAL = ("Mood=Cnd", "Mood=Sub", "Mood=Imp")
_CONDITIONAL = re.compile(r"r(?:ais|ait|aient|ions|iez)$", re.IGNORECASE)
"""How a conditional ends where the pipeline does not know it; some imperfects do as well."""
_NOUNS = ("NOUN", "PROPN", "NUM")


class Clause(NamedTuple):
    """A subject's token, the predicate in words, the object's token and its phrase
    ``[first, end)``."""

    subject: int
    predicate: str
    object: int
    first: int
    end: int


def clauses(sentence: Sentence) -> Iterator[Clause]:
    """What the main clauses say, an item an object."""
    lowered = {word.lower().replace("’", "'") for word in sentence.words}
    joined = " ".join(sentence.words).lower().replace("’", "'").replace("' ", "'")
    if lowered & (_DOUBT | _QUOTES) or "d'après" in joined:
        return
    for verb in _main_verbs(sentence):
        subject = _subject(sentence, verb)
        if subject is None or _is_unreal(sentence, verb):
            continue
        if any(sentence.deps[child] == "cop" for child in sentence.children[verb]):
            yield from _copula(sentence, verb, subject)
        else:
            yield from _objects(sentence, verb, subject)


def _main_verbs(sentence: Sentence) -> list[int]:
    """The root, and what is coordinated with it."""
    found: list[int] = []
    for token, dep in enumerate(sentence.deps):
        head = sentence.heads[token]
        if dep == "ROOT" or (dep == "conj" and head in found):
            found.append(token)
    return [
        token
        for token in found
        if sentence.tags[token].startswith("VERB")
        or any(sentence.deps[child] == "cop" for child in sentence.children[token])
    ]


def _subject(sentence: Sentence, verb: int) -> int | None:
    """The noun that is the verb's subject, or that of the verb that it is coordinated with."""
    while not (own := [x for x in sentence.children[verb] if sentence.deps[x][:5] == "nsubj"]):
        if sentence.deps[verb] != "conj":
            return None
        verb = sentence.heads[verb]
    subject = own[0]
    joined = any(sentence.deps[child] == "conj" for child in sentence.children[subject])
    is_noun = sentence.tags[subject].startswith(("NOUN", "PROPN", "ADJ", "X"))
    return subject if is_noun and not joined and not _is_negated(sentence, subject) else None


def _is_negated(sentence: Sentence, noun: int) -> bool:
    return any(sentence.words[x].lower() in _NEGATED for x in (noun, *sentence.children[noun]))


def _is_unreal(sentence: Sentence, verb: int) -> bool:
    """Whether a verb says what may be, or what another verb or clause is about."""
    parts = [verb, *(x for x in sentence.children[verb] if sentence.deps[x][:3] in ("aux", "cop"))]
    if any(mood in sentence.tags[part] for part in parts for mood in _UNREAL):
        return True
    if any(_CONDITIONAL.search(sentence.words[part]) for part in parts):
        return True
    return any(sentence.deps[child] in _SPOKEN_FOR for child in sentence.children[verb])


def _phrase(sentence: Sentence, verb: int) -> list[int]:
    """The tokens of the verb with its auxiliaries, reflexive and what negates or qualifies it."""
    parts = [verb]
    for child in sentence.children[verb]:
        dep, word = sentence.deps[child], sentence.words[child].lower()
        adverb = dep == "advmod" and child <= verb + 2 and word != "y"
        if adverb or dep.startswith(("aux", "expl", "cop")):
            parts.append(child)
    return sorted(parts)


def _words(sentence: Sentence, tokens: list[int]) -> str:
    """Tokens as words, without a space after an elision."""
    text = " ".join(sentence.words[token] for token in tokens)
    return text.replace("’", "'").replace("' ", "'")


def _copula(sentence: Sentence, noun: int, subject: int) -> Iterator[Clause]:
    """ "Jean Moulin est un résistant"."""
    parts = [
        child
        for child in sentence.children[noun]
        if sentence.deps[child] == "cop"
        or sentence.deps[child].startswith(("aux", "expl"))
        or (sentence.deps[child] == "advmod" and child < noun)
    ]
    after = max(parts) + 1
    if subject < after <= noun:
        yield Clause(subject, _words(sentence, sorted(parts)), noun, after, _end(sentence, noun))


def _objects(sentence: Sentence, verb: int, subject: int) -> Iterator[Clause]:
    predicate = _phrase(sentence, verb)
    if subject > verb:
        return
    for child in sentence.children[verb]:
        dep = sentence.deps[child]
        if not sentence.tags[child].startswith(_NOUNS) or child < verb:
            continue
        first = sentence.left_edge(child)
        if dep == "obj":
            yield Clause(subject, _words(sentence, predicate), child, first, _end(sentence, child))
        elif dep.startswith("obl"):
            cases = [x for x in sentence.children[child] if sentence.deps[x] == "case"]
            if cases:
                words = _words(sentence, [*predicate, *cases])
                yield Clause(subject, words, child, max(cases) + 1, _end(sentence, child))


def _end(sentence: Sentence, noun: int) -> int:
    """Where a noun's phrase ends: before a comma, a clause, and what is coordinated."""
    end = noun + 1
    for child in sentence.children[noun]:
        dep = sentence.deps[child]
        if child > noun:
            if not dep.startswith(("amod", "flat", "nmod", "fixed", "compound", "nummod")):
                break
            end = sentence.right_edge(child) + 1
    for token in range(noun + 1, end):
        if sentence.words[token] in {",", ";", "(", ":", "–", "—"}:
            return token
    return end
