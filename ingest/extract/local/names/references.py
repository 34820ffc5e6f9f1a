"""Which earlier names the pronouns and bare definites of a sentence stand for."""

from collections.abc import Container, Sequence

from hlg.ingest.extract.local.names.focus import Focus, Spoken
from hlg.ingest.extract.local.names.links import link
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import IT, PRONOUNS

LEAST, LEAST_DEFINITE, LEAST_BY_WORD = 0.3, 0.75, 0.5
"""Chance from which on a pronoun is linked at all, "the company", and "the guild" to a name that
has the word."""
OF_TOPIC = 0.7
"""Chance that "the company" means the one that the document is about, where nothing says so."""
OF_IT = 0.85
"""So many times as often as the trees say is what they take an "it" for right, over all genres:
.59 of what they link from .5 on (``benchmarks/frames.py links``)."""
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_OF_OTHERS = frozenset(("attr", "compound"))
"""Relations of nouns that only say what another is: "it is a fog signal"."""
_POINTERS = frozenset(("that", "the", "these", "this", "those"))
_FIRST_PERSON = frozenset(("i", "me", "my", "mine"))
_TELLS_MORE = frozenset(("prep", "relcl", "acl", "appos", "poss", "compound", "nummod", "amod"))


def find_references(
    sentence: Sentence, focus: Focus, keys: Sequence[str | None], values: Container[int]
) -> tuple[dict[int, Spoken], dict[int, float]]:
    """For each token that points back what it stands for, and the chance of that; the focus takes
    in what the sentence names.

    :param keys: for each token the key of the name that it belongs to, or None.
    :param values: tokens of dates and amounts.
    """
    found: dict[int, Spoken] = {}
    chances: dict[int, float] = {}
    subject: Spoken | None = None
    for token, (tag, dep) in enumerate(zip(sentence.tags, sentence.deps, strict=True)):
        key, meant = keys[token], None
        if key is not None:
            if keys[sentence.heads[token]] != key or sentence.heads[token] == token:
                meant = focus.name(key, sentence, token)
        elif (antecedent := _antecedent(sentence, token, focus)) is not None:
            meant, chances[token] = antecedent
            found[token] = meant
        if meant is None and tag in ("NN", "NNS") and dep not in _OF_OTHERS and token not in values:
            name = name_of(sentence, token, keys)
            if name is None:
                meant = focus.common(sentence, token)
            else:
                focus.call(keys[name] or "", sentence.words[token])
        if dep in _SUBJECTS and subject is None:
            subject = meant
    focus.end(subject)
    return found, chances


def name_of(sentence: Sentence, noun: int, keys: Sequence[str | None]) -> int | None:
    """Where the name stands that a common noun is told by as well: "his sister Ingrid"."""
    for child in sentence.children[noun]:
        if child > noun and sentence.deps[child] == "appos" and keys[child] is not None:
            return child
    return None


def _antecedent(sentence: Sentence, token: int, focus: Focus) -> tuple[Spoken, float] | None:
    """What a pronoun or bare definite stands for, and the chance of that; None where it is too
    small, or the token is neither."""
    tag, word = sentence.tags[token], sentence.words[token].lower()
    kind = PRONOUNS.get(word, "") if tag in ("PRP", "PRP$") else ""
    if not kind and not (tag in ("NN", "NNP") and _is_bare_definite(sentence, token)):
        return None
    likeliest, chance = link(sentence, token, kind, focus)
    if kind:
        chance *= OF_IT if kind == IT else 1.0
        likeliest = likeliest if chance >= LEAST else None
    else:
        own = likeliest is not None and any(word in key.split() for key in likeliest.keys)
        if likeliest is None or chance < (LEAST_BY_WORD if own else LEAST_DEFINITE):
            likeliest, chance = focus.topic(word, sentence, token), OF_TOPIC
    if likeliest is None or not (kind or likeliest.keys):
        return None
    focus.point(likeliest, kind, sentence, token)
    return likeliest, chance


def _is_bare_definite(sentence: Sentence, token: int) -> bool:
    """Whether a noun has nothing but "the" to say which one is meant."""
    beside = sentence.children[sentence.heads[token]]
    called = any(sentence.deps[at] == "attr" and sentence.tags[at] == "NNP" for at in beside)
    if called or sentence.deps[token] in ("compound", "amod", "attr"):
        return False  # "the director has been Ada Thorne" says who is the director
    own = sentence.children[token]
    pointed = any(sentence.words[child].lower() in _POINTERS for child in own)
    return pointed and _TELLS_MORE.isdisjoint(sentence.deps[child] for child in own)


def first_person(sentence: Sentence) -> list[int]:
    """Tokens with which a speaker means himself."""
    return [
        token
        for token, tag in enumerate(sentence.tags)
        if tag in ("PRP", "PRP$") and sentence.words[token].lower() in _FIRST_PERSON
    ]
