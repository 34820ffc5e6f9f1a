"""Words of questions and statements as they are compared: stems, and relations by any name.

"Who was the director" is answered by "directed by", "his wife" by "married": words of one
relation count as one, and of the others only the beginning of the stem counts.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

import numpy as np

from hlg.lexical.analysis import analyze
from hlg.words import sections

PREFIX = 5
"""Characters of a stem that count: *director* and *directed* are one."""
GROUP = "="
"""What the key of words that mean one relation or measure begins with."""

_BEFORE_VERBS = ("re", "over", "under", "out", "un", "mis")
_RELATIONS = (
    "born birth birthplace native birthday",
    "died death die dead dies killed deceased",
    "wife husband spouse married marry marriage widow",
    "father mother parent parents son daughter child children",
    "founded founder established created formed set creator foundation",
    "wrote written author writer novelist penned",
    "composed composer music score soundtrack",
    "perform performer sung singer sings recorded vocals artist",
    "located based headquartered situated lies location headquarters",
    "portrayed stars starring starred role cast actor actress",
    "nationality citizenship citizen country",
    "built constructed build construction architect designed",
    "studied educated attended graduated alma education",
    "taught teach teaches teacher tutor mentor",
    "released release publication published premiered",
    "invented inventor patented patent",
    "owner owned owns bought acquired purchased",
    "brother sister sibling",
    "president leader head led chairman",
    "price priced cost costs expensive costly cheap cheaper cheapest",
    "weight weigh weighs heavy heavier heaviest light lighter lightest",
    "height tall taller tallest",
    "age old older oldest young younger youngest",
)


@lru_cache(maxsize=1)
def _groups() -> Mapping[str, str]:
    """The key of each stem that has one of another word: of a relation, or of an irregular verb,
    with "re", "over" or the like before it too ("rewrote")."""
    found: dict[str, str] = {}
    for base, *forms in map(str.split, sections("english")["irregular verbs"]):
        for before in ("", *_BEFORE_VERBS):
            for key in analyze(f"{before}{base}"):
                found |= dict.fromkeys(
                    analyze(" ".join(f"{before}{x}" for x in forms)), key[:PREFIX]
                )
    groups = {stem: f"{GROUP}{group.split()[0]}" for group in _RELATIONS for stem in analyze(group)}
    return found | groups


@lru_cache(maxsize=4096)
def keys(text: str) -> tuple[str, ...]:
    """What a text's words are compared by, in order."""
    groups = _groups()
    return tuple(groups.get(stem, stem[:PREFIX]) for stem in analyze(text))


def weigh(asked: Iterable[str], texts: Sequence[frozenset[str]]) -> dict[str, float]:
    """How much each word of a question weighs: log(1 + n / (1 + df)) over the n texts at hand."""
    return {
        key: float(np.log1p(len(texts) / (1 + sum(key in text for text in texts))))
        for key in dict.fromkeys(asked)
    }


def share(weights: Mapping[str, float], held: Collection[str]) -> float:
    """How much of what words weigh is held, of 1; 0 where nothing weighs anything."""
    total = sum(weights.values())
    return sum(weight for key, weight in weights.items() if key in held) / total if total else 0.0
