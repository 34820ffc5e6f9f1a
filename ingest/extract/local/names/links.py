"""How sure it is that a pronoun, or "the company", means the name that it was taken for."""

from collections.abc import Mapping
from math import exp
from pathlib import Path

import numpy as np

from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.trees import load_trees
from hlg.words.given_names import gender_of
from hlg.words.lexicon import (
    ANIMAL,
    CONCEPT,
    EVENT,
    GROUP,
    HE,
    IT,
    ORGANIZATION,
    PERSON,
    PLACE,
    SHE,
    THEY,
    THING,
    WORK,
)

MODEL = Path(__file__).with_name("links.txt")
"""Trees that learned from the coreference of GUM (``benchmarks/frames.py links`` makes it)."""
SIGNALS = (
    *("kind", "possessive", "relation", "class", "gender", "distance", "place", "agreeing"),
    *("led", "latest", "rank", "title", "joined", "relation_before", "mentions", "at"),
    *("subjects_before", "nouns_before", "words_between", "sentences", "words", "name_words"),
    *("has_clause", "has_complement", "in_name"),
)
"""What points back, and as what; the name's class, whether its gender agrees, how many sentences
ago it was; its place among those that could be meant; what it was in the sentence before; how
much else is named there; and whether the name has the noun itself ("the guild")."""
_KINDS = (HE, SHE, IT, THEY, "")
_RELATIONS = (
    *("nsubj", "nsubjpass", "dobj", "pobj", "poss", "conj", "dative", "attr", "ROOT", "appos"),
    *("compound", "expl"),
)
_CLASSES = (PERSON, ANIMAL, ORGANIZATION, GROUP, PLACE, WORK, EVENT, THING, CONCEPT)
_SUBJECTS = ("nsubj", "nsubjpass")
_FAR = 30


def link_chance(
    sentence: Sentence, token: int, kind: str, key: str, own: Mapping[str, int], focus: Focus
) -> float:
    """That a token means what a key names.

    :param kind: what the pronoun agrees with; empty for "the company".
    :param own: keys that the sentence named before the token, each with where it did last.
    :raises ModelError: the trees are missing or damaged.
    """
    row = np.array([signals(sentence, token, kind, key, own, focus)], np.float32)
    return 1 / (1 + exp(-float(load_trees(MODEL, SIGNALS).scores(row)[0])))


def signals(
    sentence: Sentence, token: int, kind: str, key: str, own: Mapping[str, int], focus: Focus
) -> tuple[float, ...]:
    """What the trees weigh: numbers in the order of :data:`SIGNALS`."""
    deps, tags, at = sentence.deps, sentence.tags, own.get(key, -1)
    agreeing = focus.agreeing(kind, own)
    standing = focus.standing(key)
    beside = {deps[child] for child in sentence.children[sentence.heads[token]]}
    gender = gender_of(focus.form(key))
    subjects = sum(deps[each] in _SUBJECTS for each in range(token))
    return (
        _KINDS.index(kind),
        tags[token] == "PRP$",
        _place(_RELATIONS, deps[token]),
        _place(_CLASSES, focus.class_of(key)),
        (gender == kind) - (gender not in ("", kind)),
        0 if at >= 0 else min(standing.distance, _FAR),
        agreeing.index(key) if key in agreeing else _FAR,
        len(agreeing),
        standing.led,
        standing.latest,
        min(standing.rank, _FAR),
        key == focus.title,
        standing.joined,
        _place(_RELATIONS, deps[at]) if at >= 0 else -1,
        min(standing.mentions, _FAR),
        token,
        subjects,
        sum(tag in ("NN", "NNS") for tag in tags[:token]),
        token - at if at >= 0 else -1,
        min(focus.sentences, _FAR),
        len(sentence.words),
        len(key.split()),
        "ccomp" in beside or "xcomp" in beside,
        "acomp" in beside or "attr" in beside,
        sentence.words[token].lower() in key.split(),
    )


def _place(names: tuple[str, ...], name: str) -> int:
    return names.index(name) if name in names else -1
