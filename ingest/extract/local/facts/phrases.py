"""Phrases around a noun, and the nouns that are joined to one."""

from hlg.ingest.extract.local.parse import Sentence

LONGEST = 14
"""Words of the longest phrase."""
_NOT_IN_PHRASE = frozenset(("relcl", "appos", "acl", "punct", "cc", "conj", "advcl", "ccomp"))
_DETERMINERS = frozenset(("DT", "POS", "PDT"))


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
            if edge - first > LONGEST or "(" in sentence.words[head:edge]:
                break
            end = edge
    while first < head and (tags[first] in _DETERMINERS or deps[first] in ("punct", "prep", "cc")):
        first += 1
    return first, end


def _phrase_end(sentence: Sentence, child: int) -> int:
    """Where what follows a noun ends: after a preposition, with that noun's own phrase, and
    those of the same kind that are joined to it: "between reviewers and authors"."""
    if sentence.deps[child] == "prep":
        for object_ in sentence.children[child]:
            if sentence.deps[object_] == "pobj":
                joined = _with_conjuncts(sentence, object_)
                kinds = {sentence.tags[each].rstrip("S") for each in joined}
                last = joined[-1] if len(kinds) == 1 or len(joined) > 2 else object_
                return noun_phrase(sentence, last)[1]
    return sentence.right_edge(child) + 1


def _with_conjuncts(sentence: Sentence, token: int) -> list[int]:
    """A noun and those joined to it."""
    found = [token]
    for each in found:
        found += [at for at in sentence.children[each] if sentence.deps[at] == "conj"]
    return found
