"""English verbs that extraction knows: their forms, and what they make of their complement."""

from collections.abc import Iterable

from hlg.words import sections, words

__all__ = [
    "ACCOUNT_FORMS",
    "DANGLING_FORMS",
    "DENYING_FORMS",
    "FACTIVE_FORMS",
    "HOLDING_FORMS",
    "MADE_OF_FORMS",
    "RAISING_FORMS",
    "SPOKEN_TO",
    "infinitive",
    "inflections",
    "past_participle",
]

_PAST_AND_PARTICIPLE = {
    base: (past, participle)
    for base, past, participle in map(str.split, sections("verbs")["irregular"])
}
_DOUBLED = frozenset(("admit", "compel", "commit", "permit", "plan", "prefer", "refer", "rebut"))


def inflections(base: str) -> tuple[str, str, str, str, str]:
    """A verb's infinitive, third person, past, past participle and present participle."""
    third = base + ("es" if base.endswith(("s", "x", "z", "ch", "sh")) else "s")
    present = base[:-1] + "ing" if base.endswith("e") and base[-2:] != "ee" else base + "ing"
    if base.endswith("y") and base[-2] not in "aeiou":
        third, regular = base[:-1] + "ies", base[:-1] + "ied"
    elif base in _DOUBLED:
        regular, present = base + base[-1] + "ed", base + base[-1] + "ing"
    else:
        regular = base + ("d" if base.endswith("e") else "ed")
    past, participle = _PAST_AND_PARTICIPLE.get(base, (regular, regular))
    return base, third, past, participle, present


def _forms(bases: Iterable[str]) -> frozenset[str]:
    return frozenset(form for base in bases for form in inflections(base))


FACTIVE_FORMS = _forms(words("verbs", "factive forms"))
"""Verbs that take their complement for true: "showed that"."""
HOLDING_FORMS = _forms(words("verbs", "holding forms")) | {"has"}
"""Verbs behind which a list of what they take may stand at once: "The kit contains:"."""
MADE_OF_FORMS = frozenset(
    ("composed", "comprised", "consist", "consisted", "consists", "divided", "made", "split")
)
"""Those behind whose "of" or "into" it may."""
SPOKEN_TO = frozenset(("asked", "informed", "reminded", "tell", "tells", "told", "warned"))
"""Verbs whose object was spoken to."""
ACCOUNT_FORMS = _forms(words("verbs", "account forms"))
"""Verbs whose subject gives an account of their complement: "said that", "fears that"."""
RAISING_FORMS = _forms(words("verbs", "raising forms"))
"""Verbs that make their object's doing their own: "forced X to sell", "let X go"."""
DANGLING_FORMS = words("verbs", "dangling forms")
"""Participles before a clause that are often not its subject's doing: "speaking of cats"."""
DENYING_FORMS = _forms(
    (
        "deny",
        "doubt",
        "dispute",
        "refute",
        "rebut",
        "disprove",
    )
)
"""Verbs that take their complement for false or doubtful: "denied that"."""
_BY_PAST = dict(_PAST_AND_PARTICIPLE.values())


def infinitive(third_person: str) -> str:
    """The infinitive of a third person of the present: "produces" gives "produce"."""
    if third_person in ("has", "does", "goes"):
        return {"has": "have", "does": "do", "goes": "go"}[third_person]
    if third_person.endswith("ies") and len(third_person) > 4:
        return third_person[:-3] + "y"
    if third_person.endswith(("sses", "xes", "zzes", "ches", "shes")):
        return third_person[:-2]
    return third_person.removesuffix("s")


def past_participle(word: str, tag: str) -> str:
    """The past participle of a verb's form with its Penn tag: "asks" as VBZ gives "asked"."""
    if tag == "VBN":
        return word
    if tag == "VBD":
        return _BY_PAST.get(word, word)
    return inflections(infinitive(word) if tag == "VBZ" else word)[3]
