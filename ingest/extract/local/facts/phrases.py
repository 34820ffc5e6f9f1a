"""Phrases around a noun, and the nouns that are joined to one."""

from collections.abc import Sequence

from hlg.ingest.extract.local.parse import Sentence

__all__ = [
    "BEFORE_NOUNS",
    "LONGEST_INNER_OBJECT",
    "LONGEST_VALUE",
    "NO_OBJECTS",
    "completed",
    "is_cut",
    "leans_on_joined",
    "noun_phrase",
    "with_conjuncts",
]

LONGEST_VALUE = 14
"""Words of the longest phrase that is kept as an object."""
LONGEST_INNER_OBJECT = 5
"""Words of an object that a predicate can hold: "bought the yard in" 1990."""
FARTHEST_OBJECT = 20
"""Tokens from a verb to what the parser can be trusted to see as its object."""
NO_OBJECTS = frozenset(("WDT", "WP", "WP$", "PRP", "DT", "EX"))
"""Tags of words that are no object of a fact by themselves."""

BEFORE_NOUNS = frozenset(("a", "an", "both", "neither", "no", "nor", "the"))
"""Words before a noun that are no part of its phrase."""

_NOT_IN_PHRASE = frozenset(("relcl", "appos", "acl", "punct", "cc", "conj", "advcl", "ccomp"))
_DETERMINERS = frozenset(("DT", "POS", "PDT"))
_NOUN_TAGS = frozenset(("CD", "NN", "NNS", "NNP", "NNPS", "JJ", "HYPH", "SYM"))
_NEEDED = frozenset(("prep", "xcomp", "ccomp"))
_BREAKS = frozenset((";", ":", "—", "–", "--", "...", "…", "|"))
_CONTRASTS = frozenset(("not", "than", "except", "instead", "excluding"))


def noun_phrase(sentence: Sentence, head: int) -> tuple[int, int]:
    """The phrase around a noun without determiner, relative clause or apposition."""
    deps, tags = sentence.deps, sentence.tags
    first, end = head, head + 1
    for child in reversed(sentence.children[head]):
        if child < head:
            if deps[child] in _NOT_IN_PHRASE and deps[child] != "punct":
                break
            first = sentence.left_edge(child)
    for child in sentence.children[head]:
        if child > head:
            if (child != end or deps[child] in _NOT_IN_PHRASE) and sentence.words[child] != "-":
                break
            edge = _phrase_end(sentence, child)
            if edge - first > LONGEST_VALUE or "(" in sentence.words[head:edge]:
                break
            end = edge
    while first < head and (tags[first] in _DETERMINERS or deps[first] in ("punct", "prep", "cc")):
        first += 1
    return first, end


def completed(sentence: Sentence, head: int, phrase: tuple[int, int]) -> tuple[int, int] | None:
    """An object's phrase with the clause that it needs: "a chance to go", "a library that
    prints"; None if that is too long, or speaks of "them" and "you".
    """
    first, end = phrase
    for child in sentence.children[head] if sentence.tags[head].startswith("NN") else ():
        restricts = sentence.deps[child] in ("acl", "relcl")
        if restricts and not _is_infinitive(sentence, child) and sentence.left_edge(child) == end:
            end = sentence.right_edge(child) + 1
            while end > head + 1 and not sentence.words[end - 1][0].isalnum():
                end -= 1
            whole = end - first <= LONGEST_VALUE and "PRP" not in sentence.tags[first:end]
            return (first, end) if whole else None
    for child in sentence.children[head]:
        clause = sentence.deps[child] == "acl" and sentence.tags[child] == "VB"
        if child >= end and (clause or sentence.deps[child] in ("ccomp", "xcomp")):
            end = sentence.right_edge(child) + 1
            return (first, end) if end - first <= LONGEST_VALUE else None
    return first, end


def _is_infinitive(sentence: Sentence, verb: int) -> bool:
    helpers = [child for child in sentence.children[verb] if sentence.deps[child] == "aux"]
    return sentence.tags[verb] == "VB" and all(sentence.tags[child] == "TO" for child in helpers)


def is_cut(sentence: Sentence, verb: int, head: int, phrase: tuple[int, int]) -> bool:
    """Whether a phrase is not all of a verb's object, or is hardly its object at all.

    "159 grade" 3-4 adverse events, "devoted" to altering, what stands behind a dash or far
    from its verb, and what comes before "is".
    """
    first, end = phrase
    tags, words = sentence.tags, sentence.words
    following = words[end].lower() if end < len(words) else ""
    if following == "of" or (following and tags[end] in _NOUN_TAGS and sentence.heads[end] != verb):
        return True
    if tags[head].startswith(("JJ", "VB")) and any(
        child >= end and sentence.deps[child] in _NEEDED for child in sentence.children[head]
    ):
        return True
    if tags[head] == "VBG" and end - first > 1 and sentence.deps[head] != "pobj":
        return True
    if tags[first] == "IN" and first != head:
        return True
    if head < verb:
        return sentence.deps[head] in ("attr", "acomp")
    return head - verb > FARTHEST_OBJECT or any(word in _BREAKS for word in words[verb:first])


def _phrase_end(sentence: Sentence, child: int) -> int:
    """Where what follows a noun ends: after a preposition, with that noun's own phrase, and
    those of the same kind that are joined to it: "between reviewers and authors"."""
    if sentence.deps[child] == "prep":
        for object_ in sentence.children[child]:
            if object_ > child and sentence.deps[object_] == "pobj":
                joined = with_conjuncts(sentence, object_)
                kinds = {sentence.tags[each].rstrip("S") for each in joined}
                last = joined[-1] if len(kinds) == 1 or len(joined) > 2 else object_
                return noun_phrase(sentence, last)[1]
    return sentence.right_edge(child) + 1


def leans_on_joined(sentence: Sentence, noun: int, joined: Sequence[int]) -> bool:
    """Whether a noun in a list needs what stands with a later one: "binding and activation of"
    X, "bitmap or vector images"."""
    if noun == joined[-1] or sentence.deps[joined[-1]] != "conj":
        return False
    own = [child for child in sentence.children[noun] if sentence.deps[child] == "prep"]
    last = joined[-1]
    if not own and any(
        sentence.words[child].lower() == "of" and child == last + 1
        for child in sentence.children[last]
    ):
        return True
    following = joined[joined.index(noun) + 1]
    owned = [c for c in sentence.children[noun] if sentence.deps[c] in ("det", "poss")]
    one = [sentence.words[child].lower() for child in owned] in (["a"], ["an"])
    bare = sentence.tags[noun] == "NN" and (not owned or one)
    first = sentence.left_edge(following)
    joint = sentence.words[noun + 1 : first]
    return (
        bare
        and [word.lower() for word in joint] in (["and"], ["or"], ["and/or"])
        and sentence.deps[first] == "compound"
        and first < following
    )


def with_conjuncts(sentence: Sentence, token: int) -> list[int]:
    """A noun and those joined to it, without what is set against it: "X but not Y"."""
    found = [token]
    for each in found:
        for child in sentence.children[each]:
            if sentence.deps[child] == "conj" and not sentence.tags[child].startswith("VB"):
                first = sentence.left_edge(child)
                joint = {word.lower() for word in sentence.words[each + 1 : child]}
                between = {
                    word.lower() for word in sentence.words[max(each + 1, first - 2) : first]
                }
                if not between & _CONTRASTS and not ("not" in joint and first > each + 1):
                    found.append(child)
    return found
