"""Whether a clause says that something is so, or under what condition, and by whose account.

"X bought Y" inside "Reuters said that X bought Y" is Reuters's account, inside "if X buys Y"
it isn't said at all, and in "X will close if sales fall" only under that condition.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hlg.ingest.extract.local.facts.conditions import (
    conditions,
    has_loose_condition,
    is_hypothetical,
    is_if,
    is_inverted,
    is_past_state,
    is_subject,
)
from hlg.ingest.extract.local.facts.denials import is_denied
from hlg.ingest.extract.local.facts.scope import is_of_some
from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words
from hlg.words.lexicon import SPEECH_VERBS
from hlg.words.vague import NOUNS_OF_CLAIM, NOUNS_OF_FACT
from hlg.words.verbs import ACCOUNT_FORMS, FACTIVE_FORMS, SPOKEN_TO

__all__ = [
    "NO_CLAIM",
    "Claim",
    "find_claim",
    "is_raised",
]

LONGEST_ACCOUNT = 8
"""Words of who gives an account that a predicate can hold."""

_BE = frozenset(("is", "was", "are", "were", "be", "been", "'s", "’s", "'re", "’re"))
_NEGATIONS = frozenset(("not", "never", "hardly", "scarcely", "barely", "rarely", "seldom"))
_HARDLY = _NEGATIONS - {"not"}
_UNTRUE = frozenset(("false", "untrue", "wrong", "impossible", "incorrect", "unknown", "unclear"))
_OPINIONS = words("facts", "opinions")
"""Adjectives of those who take a clause for more or less true, and of the clause."""
_OBJECT_FORMS = frozenset(("us", "me", "him", "them", "you"))
_ASKING = frozenset(("WP", "WP$", "WRB", "WDT"))


@dataclass(frozen=True, slots=True)
class Claim:
    """What a clause claims. ``asserted``: it is said to be so, if with ``suffix``.

    ``suffix`` stands behind the predicate: ", if sales fall" or ", Reuters said".
    """

    asserted: bool
    suffix: str = ""


NO_CLAIM = Claim(asserted=False)
"""Of a question, a condition, or what somebody only wonders."""

Called = Callable[[int], str]
"""What a token's phrase is called: a pronoun by what it stands for."""


def find_claim(sentence: Sentence, verb: int, called: Called) -> Claim:
    """What the clause of a verb claims."""
    if has_loose_condition(sentence):
        return NO_CLAIM
    suffixes: list[str] = []
    for condition in conditions(sentence, verb):
        if not condition:
            return NO_CLAIM
        suffixes.append(condition)
    token, account = verb, ""
    while True:
        head, dep = sentence.heads[token], sentence.deps[token]
        if head == token:
            if is_if(sentence, token):
                return NO_CLAIM
            break
        if dep == "advcl" and is_hypothetical(sentence, token):
            return NO_CLAIM
        if dep == "conj" and _is_asked_before(sentence, token, head):
            return NO_CLAIM
        if dep == "relcl" and is_of_some(sentence, token):
            return NO_CLAIM
        if dep == "advcl" and token == verb and is_past_state(sentence, verb):
            return NO_CLAIM
        if dep in ("csubj", "csubjpass") or (dep == "acl" and not _is_told(sentence, token, head)):
            return NO_CLAIM
        if dep in ("ccomp", "pcomp") and sentence.tags[token][:2] in ("VB", "MD"):
            if is_if(sentence, token) or _asks(sentence, token):
                return NO_CLAIM
            if is_inverted(sentence, token):
                return NO_CLAIM
            if is_raised(sentence, token):
                if not any(is_subject(sentence, child) for child in sentence.children[head]):
                    return NO_CLAIM
                if token != verb and set(_as_written(sentence, head).split()) & _NEGATIONS:
                    return NO_CLAIM
                token = head
                continue
            told = _is_speech_inside(sentence, token) or _is_run_on(sentence, token, head)
            if dep == "ccomp" and not told:
                given = _account(sentence, token, head, called)
                if given is None:
                    return NO_CLAIM
                account = account or given
        below_noun = dep in ("relcl", "acl", "ccomp") and sentence.tags[head].startswith("NN")
        if below_noun and (is_denied(sentence, head) or _is_only_claimed(sentence, token, head)):
            return NO_CLAIM
        token = head
    account = account or _said_beside(sentence, verb, called)
    if account:
        suffixes.append(account)
    return Claim(asserted=True, suffix="".join(f", {suffix}" for suffix in dict.fromkeys(suffixes)))


def _is_asked_before(sentence: Sentence, verb: int, first: int) -> bool:
    """Whether the "when" of a joined verb stands before the first: the parser parts a clause,
    "when no level is set and works"."""
    return any(sentence.tags[each] == "WRB" and each < first for each in sentence.children[verb])


def _is_only_claimed(sentence: Sentence, clause: int, noun: int) -> bool:
    """Whether what looks like a relative clause is a claim: "the rumour that X stole Y"."""
    claimed = sentence.words[noun].lower() in NOUNS_OF_CLAIM
    late = sentence.words[noun].lower() == "time" and "that" in _first_words(sentence, clause)
    return (claimed or late) and any(
        is_subject(sentence, child) and sentence.tags[child] not in _ASKING
        for child in sentence.children[clause]
    )


def _first_words(sentence: Sentence, clause: int) -> list[str]:
    first = sentence.left_edge(clause)
    return [word.lower() for word in sentence.words[first : first + 1]]


def _is_told(sentence: Sentence, clause: int, noun: int) -> bool:
    """Whether a clause behind a noun is so: "the fact that", but not "the claim that"."""
    if not any(is_subject(sentence, child) for child in sentence.children[clause]):
        return True
    return sentence.words[noun].lower() in NOUNS_OF_FACT


def _asks(sentence: Sentence, clause: int) -> bool:
    """Whether a clause is what is asked or left open: "what he did", "how it works"."""
    return any(
        sentence.tags[child] in _ASKING and sentence.words[child].lower() != "that"
        for child in sentence.children[clause]
        if child < clause
    )


def _is_speech_inside(sentence: Sentence, verb: int) -> bool:
    """Whether a clause is itself the account: "X, he said, fell" with "said" below."""
    return (
        sentence.words[verb].lower() in SPEECH_VERBS
        and verb > sentence.heads[verb]
        and ":" not in sentence.words[sentence.heads[verb] : verb]
        and not any(sentence.deps[child] in ("dobj", "ccomp") for child in sentence.children[verb])
    )


def _is_run_on(sentence: Sentence, clause: int, head: int) -> bool:
    """Whether a comma only parts a clause from the next: "it sank in 1990, he wrote a song"."""
    return (
        clause < head
        and sentence.words[head].lower() not in SPOKEN_TO
        and any(
            sentence.deps[child] == "dobj" and child > head for child in sentence.children[head]
        )
    )


def _account(sentence: Sentence, clause: int, head: int, called: Called) -> str | None:
    """Who says or thinks a clause: empty where it is plain fact, None where it isn't so."""
    tag = sentence.tags[head]
    if tag.startswith("JJ"):
        complement, head = sentence.words[head].lower(), sentence.heads[head]
    else:
        complement = next(
            (
                sentence.text(sentence.left_edge(each), each + 1)
                for each in sentence.children[head]
                if sentence.deps[each] in ("acomp", "oprd") and each != clause
            ),
            "",
        )
    if not sentence.tags[head].startswith("VB"):
        return None
    phrase = _as_written(sentence, head)
    subject = next((each for each in sentence.children[head] if is_subject(sentence, each)), -1)
    if subject < 0 or is_denied(sentence, subject):
        return None
    if sentence.words[head].lower() in FACTIVE_FORMS:
        negated = any(word in _NEGATIONS for word in phrase.split())
        return None if negated else ""
    if sentence.words[head].lower() in _BE and not complement:
        return None
    if complement in _UNTRUE or (complement and "not" in phrase.split()):
        return None
    word = sentence.words[head].lower()
    holds = word in ACCOUNT_FORMS or word in SPEECH_VERBS or complement in _OPINIONS
    if called(subject) in _OBJECT_FORMS or not holds:
        return None
    said = f"{called(subject)} {phrase} {complement}".strip()
    return said if len(said.split()) <= LONGEST_ACCOUNT else None


def _as_written(sentence: Sentence, verb: int) -> str:
    """A verb with its auxiliaries and negation, in the text's own form."""
    tokens = [
        child
        for child in sentence.children[verb]
        if sentence.deps[child] in ("aux", "auxpass", "neg")
        or sentence.words[child].lower() in _HARDLY
    ]
    words = [sentence.words[token].lower() for token in sorted([*tokens, verb])]
    return " ".join({"n't": "not", "n’t": "not"}.get(word, word) for word in words)


def _said_beside(sentence: Sentence, verb: int, called: Called) -> str:
    """An account that stands beside a clause: ", he said," or "according to Reuters"."""
    token = verb
    while True:
        for child in sentence.children[token]:
            if sentence.deps[child] in ("parataxis", "ccomp") and _is_speech_inside(
                sentence, child
            ):
                for each in sentence.children[child]:
                    if is_subject(sentence, each):
                        return f"{called(each)} {_as_written(sentence, child)}"
            if sentence.words[child].lower() == "according":
                for preposition in sentence.children[child]:
                    for each in sentence.children[preposition]:
                        if sentence.deps[each] == "pobj":
                            return f"according to {called(each)}"
        if sentence.heads[token] == token:
            return ""
        token = sentence.heads[token]


def is_raised(sentence: Sentence, verb: int) -> bool:
    """Whether a verb's subject is what another verb acts on: "wants X to buy", "made X pay"."""
    head = sentence.heads[verb]
    if sentence.deps[verb] not in ("ccomp", "xcomp") or not sentence.tags[head].startswith("VB"):
        return False
    if sentence.tags[verb] not in ("VB", "VBG"):
        return False
    own = [child for child in sentence.children[verb] if is_subject(sentence, child)]
    helpers = [sentence.tags[c] for c in sentence.children[verb] if sentence.deps[c] == "aux"]
    return (
        bool(own)
        and head < own[0]
        and not any(tag in ("MD", "VBZ", "VBD", "VBP") for tag in helpers)
    )
