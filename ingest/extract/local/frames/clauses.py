"""How the clauses of a sentence hang together: which verb is a predicate's, what that is joined to,
and what it is part of."""

from collections.abc import Iterator

from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence

_OF_ANOTHER = frozenset(("ccomp", "csubj", "csubjpass", "acl", "xcomp", "pcomp"))
"""What a clause is to the word that it is part of what is said of."""
_TENSED = ("VBD", "VBZ", "VBP", "MD")


def own_places(frame: Frame) -> set[int]:
    """Of the words of its predicate."""
    return {at for span in frame.of("predicate") for at in range(span.first, span.end)}


def top_verb(sentence: Sentence, frame: Frame) -> int:
    """The predicate's verb that its others hang on."""
    own = own_places(frame) | {frame.head}
    at, seen = frame.head, set[int]()
    while sentence.heads[at] in own and at not in seen and sentence.heads[at] != at:
        seen.add(at)
        at = sentence.heads[at]
    return at


def first_joined(sentence: Sentence, top: int) -> int:
    """The first of the verbs that one is joined to, unless it has a subject of its own, or a tense
    where none of them has: the parser takes "and is paid" to go on with "as declared"."""
    first = top
    tensed = False
    while sentence.deps[first] == "conj" and not any(
        sentence.deps[child] in ("nsubj", "nsubjpass") for child in sentence.children[first]
    ):
        first = sentence.heads[first]
        tensed = tensed or _has_tense(sentence, first)
    return first if tensed or not _has_tense(sentence, top) else top


def outwards(sentence: Sentence, frame: Frame) -> Iterator[tuple[int, int]]:
    """The frame's clause and those that it is part of what is said of, each with what it hangs
    on, the last with itself."""
    clause = first_joined(sentence, top_verb(sentence, frame))
    while True:
        governor, dep = sentence.heads[clause], sentence.deps[clause]
        of_another = dep in _OF_ANOTHER or (dep == "relcl" and _is_whole(sentence, clause))
        if governor == clause or not of_another or governor in own_places(frame):
            yield clause, clause
            return
        yield clause, governor
        if dep in ("acl", "relcl"):
            return
        clause = first_joined(sentence, governor)


def _is_whole(sentence: Sentence, clause: int) -> bool:
    """Whether a clause behind "that" lacks nothing: what a rumour says, not what a ship is."""
    own = [at for at in sentence.children[clause] if sentence.words[at].lower() != "that"]
    return len(own) < len(sentence.children[clause]) and {"nsubj", "dobj"} <= {
        sentence.deps[at] for at in own
    }


def said_by(sentence: Sentence, word: int) -> int:
    """The verb that says what a word is of its subject, where it is one: "is" of "possible"."""
    return sentence.heads[word] if sentence.deps[word] in ("acomp", "attr") else word


def is_finite(sentence: Sentence, verb: int) -> bool:
    """Whether a verb, or one of what hangs on it, has a tense or a modal."""
    return any(sentence.tags[at] in _TENSED for at in (verb, *sentence.children[verb]))


def _has_tense(sentence: Sentence, verb: int) -> bool:
    return any(sentence.tags[at] in _TENSED for at in with_auxiliaries(sentence, verb))


def with_auxiliaries(sentence: Sentence, verb: int) -> list[int]:
    """A verb and its own auxiliaries."""
    auxiliaries = [at for at in sentence.children[verb] if sentence.deps[at].startswith("aux")]
    return [verb, *auxiliaries]


def leads_in_clause(sentence: Sentence, span: Span) -> bool:
    """Whether it begins as a clause does: "when", "after the Germans"."""
    return sentence.deps[span.first] == "mark" or sentence.tags[span.first] == "WRB"
