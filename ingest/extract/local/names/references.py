"""Which earlier names the pronouns and bare definites of a sentence stand for."""

from collections.abc import Sequence

from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.names.links import link_chance
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import (
    GROUP,
    HE,
    IT,
    NOUN_CLASSES,
    ORGANIZATION,
    PERSON,
    PRONOUNS,
    SHE,
    SPEECH_VERBS,
    THEY,
)
from hlg.words.vague import DEMONSTRATIVES, JUDGING_ADJECTIVES

_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_POINTERS = DEMONSTRATIVES | {"the"}
_PLURAL = frozenset(("many", "some", "several", "most", "both", "few", "others", "all"))
_FIRST_PERSON = frozenset(("i", "me", "my", "mine", "we", "us", "our", "ours"))
_BINDING = frozenset(("dobj", "dative"))
_BEFORE_CLAUSES = frozenset(("emerged", "happened", "help", "helped", "helps", "hurt", "matters"))
"""Verbs whose "it" is the clause that follows: "it did not help that"."""
_OF_EVENTS = frozenset(("came", "comes", "happened", "led", "leads", "means", "meant"))
"""Verbs whose "it" is rather what was told before: "it led to two goals"."""
_TELLS_MORE = frozenset(("prep", "relcl", "acl", "appos", "poss", "compound", "nummod", "amod"))


def find_references(
    sentence: Sentence, focus: Focus, keys: Sequence[str | None]
) -> tuple[dict[int, tuple[str, ...]], dict[int, float]]:
    """For each token that points back, the keys of what it stands for; and the chance of that.

    :param keys: for each token the key of the name that it belongs to, or None.
    """
    chances: dict[int, float] = {}
    own: dict[str, int] = {}
    found: dict[int, tuple[str, ...]] = {}
    subjects: list[str] = []
    others: list[str] = []
    unnamed: set[str] = set()
    for token, tag in enumerate(sentence.tags):
        key = keys[token]
        if key is not None:
            (subjects if sentence.deps[token] in _SUBJECTS else others).append(key)
            own[key] = token
            continue
        antecedents: tuple[str, ...] = ()
        kind = ""
        if tag in ("PRP", "PRP$"):
            kind = PRONOUNS.get(sentence.words[token].lower(), "")
            if kind and kind not in unnamed and not _says_nothing(sentence, token):
                before = _allowed(sentence, token, [*subjects, *others], found, keys)
                antecedents = focus.pronoun(kind, before)
        elif tag in ("NN", "NNP") and _is_bare_definite(sentence, token):
            first = token
            while sentence.words[first - 1] == "-" and first > 1:
                first -= 2  # "co-operative"
            antecedents = focus.definite(sentence.text(first, token + 1))
        if antecedents:
            found[token] = antecedents
            chances[token] = min(
                link_chance(sentence, token, kind, each, own, focus) for each in antecedents
            )
            own |= dict.fromkeys(antecedents, token)
            if sentence.deps[token] in _SUBJECTS:
                subjects.extend(antecedents)
        elif sentence.deps[token] in _SUBJECTS and (apposed := apposed_key(sentence, token, keys)):
            subjects.append(apposed)
        elif sentence.deps[token] in _SUBJECTS:
            # What follows more likely stands for this common noun than for an earlier name.
            unnamed.update(_agreeing(sentence.words[token].lower(), tag))
    return found, chances


def apposed_key(sentence: Sentence, noun: int, keys: Sequence[str | None]) -> str | None:
    """Key of the name that stands in apposition to a common noun: "the director, Ada Thorne"."""
    for child in sentence.children[noun]:
        if sentence.deps[child] == "appos" and sentence.words[child - 1].lower() not in (
            "(",
            "not",
        ):
            return keys[child]
    return None


def _agreeing(noun: str, tag: str) -> tuple[str, ...]:
    """Kinds of pronouns that can stand for a common noun."""
    if tag in ("NNS", "NNPS") or noun in _PLURAL:
        return (THEY,)
    if tag not in ("NN", "NNP"):
        return ()
    class_ = NOUN_CLASSES.get(noun)
    if class_ == PERSON:
        return (HE, SHE, THEY)
    return (IT, THEY) if class_ in (ORGANIZATION, GROUP) else (IT,)


def _allowed(
    sentence: Sentence,
    token: int,
    before: list[str],
    found: dict[int, tuple[str, ...]],
    keys: Sequence[str | None],
) -> list[str]:
    """Names that an object pronoun can stand for: not its own verb's subject."""
    if sentence.deps[token] not in _BINDING or sentence.words[token].lower().endswith("self"):
        return before
    verb = sentence.heads[token]
    barred: set[str] = set()
    for child in sentence.children[verb]:
        if sentence.deps[child] in _SUBJECTS:
            key = keys[child]
            barred.update(found.get(child, ()) if key is None else (key,))
    return [key for key in before if key not in barred]


def _says_nothing(sentence: Sentence, token: int) -> bool:
    """Whether an "it" stands for nothing: it rains, it is clear that ..."""
    if sentence.words[token].lower() != "it":
        return False
    if sentence.deps[token] == "expl":
        return True
    verb = sentence.heads[token]
    children = sentence.children[verb]
    if sentence.deps[token] not in _SUBJECTS:
        return False
    has_clause = any(sentence.deps[child] in ("ccomp", "xcomp", "advcl") for child in children)
    if any(
        sentence.deps[child] == "attr"
        and any(sentence.deps[below] == "relcl" for below in sentence.children[child])
        for child in children
    ):
        return True
    word = sentence.words[verb].lower()
    told = any(sentence.deps[child] == "ccomp" for child in children)
    if told and (sentence.deps[token] == "nsubjpass" or word in _BEFORE_CLAUSES):
        return True
    if word in _OF_EVENTS:
        return True
    has_adjective = any(sentence.deps[child] == "acomp" for child in children)
    seems = word in ("seems", "seemed", "appears", "appeared", "turns")
    judged = any(sentence.words[child].lower() in JUDGING_ADJECTIVES for child in children)
    return (has_clause and (has_adjective or seems)) or judged


def _is_bare_definite(sentence: Sentence, token: int) -> bool:
    """Whether a noun has nothing but "the" to say which one is meant."""
    if sentence.deps[token] in ("compound", "amod", "attr"):
        return False
    pointed = False
    for child in sentence.children[token]:
        if sentence.deps[child] in _TELLS_MORE:
            return False
        pointed = pointed or sentence.words[child].lower() in _POINTERS
    return pointed


def find_speaker(sentence: Sentence, keys: Sequence[str | None]) -> str | None:
    """Key of the one who is said to have said something, None where nobody is."""
    for token, dep in enumerate(sentence.deps):
        key = keys[token]
        if key is None:
            continue
        verb = sentence.heads[token]
        if dep in _SUBJECTS and sentence.words[verb].lower() in SPEECH_VERBS:
            return key
        preposition = [word.lower() for word in sentence.words[max(0, verb - 1) : verb + 1]]
        if dep == "pobj" and preposition == ["according", "to"]:
            return key
    return None


def first_person(sentence: Sentence, *, plural: bool = True) -> list[int]:
    """Tokens with which a speaker means himself; of "we" and "our" only where ``plural``."""
    words = _FIRST_PERSON if plural else _FIRST_PERSON - {"we", "us", "our", "ours"}
    return [
        token
        for token, tag in enumerate(sentence.tags)
        if tag in ("PRP", "PRP$") and sentence.words[token].lower() in words
    ]
