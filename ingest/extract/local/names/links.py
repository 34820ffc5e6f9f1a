"""Which of the things spoken of before a pronoun means, or "the company", and how sure that is."""

from collections.abc import Sequence
from itertools import islice
from math import exp
from pathlib import Path

import numpy as np

from hlg.ingest.extract.local.frames.confidence import place_of
from hlg.ingest.extract.local.names.focus import Focus, Spoken
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.trees import load_trees
from hlg.words import words
from hlg.words.lexicon import (
    ANIMAL,
    CONCEPT,
    EVENT,
    GROUP,
    HE,
    IT,
    NAME_WORDS,
    NOUN_CLASSES,
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
    *("kind", "possessive", "relation", "place", "clause", "judged", "subjects"),
    *("class", "named", "plural", "gender", "distance", "between", "relation_before"),
    *("same_relation", "rank", "rank_agreeing", "agreeing", "mentions", "meant", "title"),
    *("barred", "above", "same_verb", "led", "again", "noun", "determiner", "key_words"),
)
"""Of what points back: as what, where, and what its verb has besides. Of what it may mean: what
it is, how far back and as what it stood, its place among all and among those that agree by their
class, how often it came up, what grammar says against it, whether it led the sentence before and
was meant by the last such pronoun, and whether it is called by the noun ("the guild")."""
REMEMBERED = 14
"""Of what was spoken of last, how much is weighed."""
FARTHEST = 8
"""Sentences after which only names are."""
_KINDS = (HE, SHE, IT, THEY, "")
_RELATIONS = (
    *("nsubj", "nsubjpass", "dobj", "pobj", "poss", "conj", "dative", "attr", "ROOT", "appos"),
    *("compound", "expl"),
)
_CLASSES = (PERSON, ANIMAL, ORGANIZATION, GROUP, PLACE, WORK, EVENT, THING, CONCEPT)
_SUBJECTS = ("nsubj", "nsubjpass")
_OBJECTS = ("dobj", "dative")
_OF = frozenset(("of", "for", "in", "on", "at"))
_DETERMINERS = ("the", "a", "an", "this", "that", "these", "those", "no", "any", "some", "every")
NO_DETERMINER, OWNED = -2, -3
"""Beside the places of determiners: of a bare noun, and of "her mother"."""
_JUDGING = words("vague", "judging adjectives")
"""Adjectives of an "it" that stands for nothing before it: "it is important"."""
_FAR = 30


def link(sentence: Sentence, token: int, kind: str, focus: Focus) -> tuple[Spoken | None, float]:
    """What a token most likely means, and the chance of that.

    :param kind: what the pronoun agrees with; empty for "the company".
    :raises ModelError: the trees are missing or damaged.
    """
    candidates = candidates_of(sentence, token, kind, focus)
    if not candidates:
        return None, 0.0
    rows = np.array(signals(sentence, token, kind, candidates, focus), np.float32)
    scores = load_trees(MODEL, SIGNALS).scores(rows)
    best = int(scores.argmax())
    return candidates[best], 1 / (1 + exp(-float(scores[best])))


def candidates_of(sentence: Sentence, token: int, kind: str, focus: Focus) -> list[Spoken]:
    """What a token may mean, the last spoken of first."""
    fitting = (each for each in focus.latest() if _fits(sentence, token, kind, each, focus))
    return list(islice(fitting, REMEMBERED))


def _fits(sentence: Sentence, token: int, kind: str, spoken: Spoken, focus: Focus) -> bool:
    if not kind:
        noun = sentence.words[token].lower()
        return spoken.noun == noun or _called(spoken, noun, focus) > 0
    if kind in (HE, SHE) and (
        focus.is_speaker(spoken) or focus.gender_of(spoken) not in ("", kind)
    ):
        return False
    if not spoken.keys and (focus.sentences - spoken.at > FARTHEST):
        return False
    if kind == THEY:
        return True
    return not _is_plural(spoken) and (bool(spoken.keys) or _agreement(spoken, kind, focus) > 0)


def _is_plural(spoken: Spoken) -> bool:
    return len(spoken.keys) > 1 or (
        bool(spoken.noun) and spoken.sentence.tags[spoken.token] in ("NNS", "NNPS")
    )


def _called(spoken: Spoken, noun: str, focus: Focus) -> int:
    """How a name fits "the" with a noun: that is its kind, or the text calls it so."""
    if any(_is_kind(noun, key.split()) for key in spoken.keys):
        return 2
    return int(focus.is_called(spoken, noun))


def _is_kind(noun: str, name: Sequence[str]) -> bool:
    """Whether a noun is what a name says that it is: of "Oake Yard", "Museum of Art", "Lake
    Corven"; "prostate" is not so of "Prostate Cancer"."""
    if noun not in name or name[-1] == noun:
        return noun in name
    kinds_first = noun in NOUN_CLASSES or noun in NAME_WORDS
    return name[name.index(noun) + 1] in _OF or (name[0] == noun and kinds_first)


def signals(
    sentence: Sentence, token: int, kind: str, candidates: list[Spoken], focus: Focus
) -> list[tuple[float, ...]]:
    """What the trees weigh of each: numbers in the order of :data:`SIGNALS`."""
    deps, words = sentence.deps, sentence.words
    head, relation = sentence.heads[token], deps[token]
    noun = words[token].lower()
    beside = sentence.children[head]
    hung = {deps[child] for child in beside}
    here = (
        _KINDS.index(kind),
        sentence.tags[token] == "PRP$",
        place_of(_RELATIONS, relation),
        min(token, _FAR),
        ("ccomp" in hung) + 2 * ("xcomp" in hung) + 4 * ("advcl" in hung),
        any(words[child].lower() in _JUDGING for child in beside),
        sum(deps[each] in _SUBJECTS for each in range(token)),
    )
    above = _above(sentence, token)
    fitting = [_agreement(each, kind, focus) for each in candidates]
    agreeing = sum(fit > 0 for fit in fitting)
    rows: list[tuple[float, ...]] = []
    nearer = 0
    for rank, (each, fit) in enumerate(zip(candidates, fitting, strict=True)):
        then, at = each.sentence, each.token
        same = then is sentence
        before = then.deps[at]
        rows.append(
            (
                *here,
                place_of(_CLASSES, focus.class_of(each)),
                len(each.keys),
                _is_plural(each),
                fit,
                min(focus.sentences - each.at, _FAR),
                token - at if same else -1,
                place_of(_RELATIONS, before),
                before == relation,
                rank,
                nearer,
                agreeing,
                min(len(each.starts), _FAR),
                min(each.meant, _FAR),
                focus.is_title(each),
                same and before in _SUBJECTS and relation in _OBJECTS and then.heads[at] == head,
                same and at in above,
                same and then.heads[at] in above,
                each is focus.subject,
                focus.was_meant(kind, each),
                _called(each, noun, focus) if not kind else 0,
                _determiner(then, at),
                len(each.keys[0].split()) if each.keys else 0,
            )
        )
        nearer += fit > 0
    return rows


def _determiner(sentence: Sentence, noun: int) -> int:
    """What a noun's first word says of whether it is known, or whose it is."""
    first = next(iter(sentence.children[noun]), noun)
    if first >= noun:
        return NO_DETERMINER
    is_owned = sentence.tags[first] == "PRP$"
    return OWNED if is_owned else place_of(_DETERMINERS, sentence.words[first].lower())


def _agreement(spoken: Spoken, kind: str, focus: Focus) -> int:
    """Positive where gender, number or class let it be meant, negative where they don't."""
    class_ = focus.class_of(spoken)
    if kind in (HE, SHE):
        gender = focus.gender_of(spoken)
        if gender:
            return 2 if gender == kind else -2
        return 1 if class_ in (PERSON, ANIMAL) or not (class_ or spoken.noun) else -1
    if kind == THEY:
        return 1 if _is_plural(spoken) or class_ in (GROUP, ORGANIZATION) else -1
    return -1 if kind == IT and class_ in (PERSON, GROUP) else 1


def _above(sentence: Sentence, token: int) -> set[int]:
    """The words that one hangs on."""
    found: set[int] = set()
    while (token := sentence.heads[token]) not in found:
        found.add(token)
    return found
