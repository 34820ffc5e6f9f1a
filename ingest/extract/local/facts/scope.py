"""What limits a verb's fact in ways that its words would leave out.

Clauses that only name a purpose, clauses of another line, and phrases that mean what they
mean by what follows: "an interface that ...", "only letters, digits and points".
"""

from hlg.ingest.extract.local.parse import Sentence
from hlg.words.vague import DEMONSTRATIVES

__all__ = [
    "disagrees",
    "is_aside",
    "is_governed",
    "is_joint",
    "is_limited_subject",
    "is_of_some",
    "is_purpose",
    "is_restricted",
    "is_sharing_only",
    "was_until",
]

_DASHES = frozenset(("–", "—", "--"))
_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_CLAUSES = frozenset(("acl", "relcl"))
_MANY = frozenset(("are", "’re", "'re", "have", "say"))
"""Verbs that one company or a crowd may stand before."""
_OF_ANY = frozenset(("a", "an", "another", "any", "each", "every", "no", "some", "such"))
_JOINTLY = frozenset(("collectively", "jointly", "mutually", "respectively", "together"))
_SHARES = frozenset(("%", "percent", "per", "total", "combined"))
"""Of what is counted together each has only a part."""
_SOME = frozenset(
    ("certain", "half", "many", "most", "numerous", "other", "several", "some", "various")
)
_GOVERNING = frozenset(
    f"{verb}{ending}"
    for verb in ("amount", "appl", "belong", "consist", "correspond", "depend", "refer", "rel")
    for ending in ("", "s", "ed", "red", "y", "ies", "ied", "ate", "ates", "ated")
)
"""Verbs that say nothing without the noun that their preposition leads to."""


def is_purpose(sentence: Sentence, verb: int) -> bool:
    """Whether a verb is an infinitive that nobody is said to have done.

    "Hard for users to prevent", and one that is joined to a verb which is none: "where X
    runs or to create it".
    """
    if not _has_to(sentence, verb):
        return False
    if any(sentence.deps[child] in _SUBJECTS for child in sentence.children[verb]):
        return True
    head = sentence.heads[verb]
    return sentence.deps[verb] == "conj" and head != verb and not _has_to(sentence, head)


def _has_to(sentence: Sentence, verb: int) -> bool:
    return any(
        sentence.deps[child] == "aux" and sentence.tags[child] == "TO"
        for child in sentence.children[verb]
    )


def is_aside(sentence: Sentence, verb: int, token: int) -> bool:
    """Whether a bracket or a colon parts a verb from a noun: "fall (Ada Reuss)", "ed: add"."""
    first, end = sorted((verb, token))
    between = sentence.words[first + 1 : end]
    opened = sum(word in "([" for word in between) - sum(word in ")]" for word in between)
    dashes = sum(word in _DASHES for word in between)
    if token < verb and between[-1:] == [","] and between.count(",") == 1:
        return sentence.right_edge(token) >= verb - 2  # "the library, is a pain"
    return opened != 0 or (token < verb and (":" in between or dashes == 1))


def disagrees(sentence: Sentence, verb: int) -> bool:
    """Whether a verb's form and its subject's don't fit, so that the parse can't be right.

    "Dockerfile build configuration flags", "lists of names and release history".
    """
    children = sentence.children[verb]
    own = [child for child in children if sentence.deps[child] in _SUBJECTS]
    if any(sentence.deps[child].startswith("aux") for child in children):
        return False
    if not own and sentence.deps[verb] == "conj" and sentence.tags[sentence.heads[verb]] == "VBZ":
        return sentence.tags[verb] in ("VB", "VBP")
    if not own and sentence.deps[verb] == "conj" and sentence.tags[verb] in ("VB", "VBP"):
        first = sentence.left_edge(verb)
        return "so" in sentence.words[max(0, first - 1) : first + 1]  # an order follows
    if not own or own[-1] > verb:
        return False
    if sentence.tags[verb] == "VB":
        return sentence.deps[verb] in ("ROOT", "conj", "relcl")
    one = sentence.tags[own[-1]] in ("NN", "NNP") and not any(
        sentence.deps[child] in ("cc", "conj", "prep") for child in sentence.children[own[-1]]
    )
    plain = sentence.words[verb].lower() not in _MANY
    wished = sentence.deps[verb] == "ccomp"  # "suggested that X sell"
    return one and plain and not wished and sentence.tags[verb] == "VBP"


def is_of_some(sentence: Sentence, clause: int) -> bool:
    """Whether a clause says of which of several things something holds: "hosts where X runs"."""
    noun, first = sentence.heads[clause], sentence.left_edge(clause)
    begins = [word.lower() for word in sentence.words[first : first + 2]]
    where = begins[0] in ("where", "when", "whose") or "which" in begins[1:]
    return (
        sentence.deps[clause] == "relcl"
        and first > 0
        and sentence.words[first - 1] != ","
        and where
        and sentence.tags[noun] == "NNS"
    )


def is_joint(sentence: Sentence, verb: int, subject: int, phrase: tuple[int, int]) -> bool:
    """Whether several subjects do only together what a verb says: "X and Y together form",
    "account for 43% of"."""
    head = sentence.left_edge(verb)
    around = [word.lower() for word in sentence.words[head : sentence.right_edge(verb) + 1]]
    if not _JOINTLY.isdisjoint(around) or "each other" in " ".join(around):
        return True
    told = sentence.children[verb]
    kinds = any(sentence.deps[at] == "attr" and sentence.tags[at] == "NNS" for at in told)
    if kinds and sentence.tags[subject] in ("NN", "NNP"):
        return True  # "the clock and the cycle are systems": each is one of them
    object_ = (word.lower() for word in sentence.words[phrase[0] : phrase[1]])
    return not _SHARES.isdisjoint(object_)


def is_limited_subject(sentence: Sentence, noun: int) -> bool:
    """Whether a name stands for some of its kind, or one of which the text spoke before.

    "Any new ABI they introduce", "this ID", "most Kestrels".
    """
    first = sentence.left_edge(noun)
    before = [sentence.words[c].lower() for c in sentence.children[noun] if c < noun]
    if not _SOME.isdisjoint(before):
        return True
    if any(word in _OF_ANY for word in before) and is_restricted(sentence, noun):
        return True
    return noun == first + 1 and sentence.words[first].lower() in DEMONSTRATIVES


def is_restricted(sentence: Sentence, noun: int) -> bool:
    """Whether a clause right behind a noun says which of its kind is meant."""
    return any(
        sentence.deps[child] in _CLAUSES and sentence.left_edge(child) == noun + 1
        for child in sentence.children[noun]
        if child > noun
    )


def is_sharing_only(sentence: Sentence, noun: int) -> bool:
    """Whether "only" limits several nouns together: of none alone is it true."""
    joined = any(sentence.deps[child] == "conj" for child in sentence.children[noun])
    return joined and any(
        sentence.words[at].lower() == "only" for at in range(sentence.left_edge(noun), noun)
    )


def is_governed(sentence: Sentence, verb: int, preposition: int) -> bool:
    """Whether a verb needs another preposition's noun first: "refers" to X "in" Y."""
    return sentence.words[verb].lower() in _GOVERNING and any(
        sentence.deps[child] == "prep" and verb < child < preposition
        for child in sentence.children[verb]
    )


def was_until(sentence: Sentence, verb: int, token: int) -> bool:
    """Whether something was so only up to a time that the fact leaves out."""
    return sentence.deps[token] in ("attr", "acomp") and any(
        sentence.words[child].lower() in ("until", "till") for child in sentence.children[verb]
    )
