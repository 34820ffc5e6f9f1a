"""Subject, predicate and object from a sentence's grammar.

A triple names its subject and object by tokens; what a token stands for (a name, a
pronoun's antecedent, a value) is for the caller to say.
"""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from hlg.ingest.extract.local.parse import Sentence
from hlg.ingest.extract.local.predicates import is_passive, verb_phrase
from hlg.ingest.words.lexicon import CALENDAR

__all__ = ["Triple", "find_triples", "noun_phrase"]

LONGEST_VALUE = 14
"""Words of the longest phrase that is kept as an object."""

_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_OBJECTS = frozenset(("dobj", "dative", "oprd", "attr", "acomp"))
_RELATIVE = frozenset(("who", "which", "that", "whom", "where", "whose"))
_NOT_IN_PHRASE = frozenset(("relcl", "appos", "acl", "punct", "cc", "conj", "advcl", "ccomp"))
_CLAUSE = frozenset(("ccomp", "xcomp"))
_NOT_A_RELATION = frozenset(("according", "like", "than", "as", "such", "including", "because"))
_WHEN = frozenset(("in", "on", "since", "until", "during", "from", "at", "by"))
_NO_OBJECTS = frozenset(("WDT", "WP", "WP$", "PRP", "DT", "EX"))
_DETERMINERS = frozenset(("DT", "PRP$", "POS", "PDT"))


@dataclass(frozen=True, slots=True)
class Triple:
    """``subject`` and ``object`` are tokens; ``phrase`` spans the object's tokens."""

    subject: int
    predicate: str
    object: int
    phrase: tuple[int, int]


def find_triples(sentence: Sentence, named: Sequence[int], values: Set[int]) -> Iterator[Triple]:
    """All triples of a sentence, verbs first to last, then noun phrases.

    :param named: for each token the number of the name or value that it is part of, or -1.
    :param values: tokens of dates and amounts.
    """
    for token, (tag, dep) in enumerate(zip(sentence.tags, sentence.deps, strict=True)):
        if tag.startswith("VB") and dep not in ("aux", "auxpass", "amod", "compound"):
            yield from _verb_triples(sentence, token, named, values)
        elif tag.startswith("NN") or tag == "PRP":
            yield from _noun_triples(sentence, token, named, values)


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


def _phrase_end(sentence: Sentence, child: int) -> int:
    """Where what follows a noun ends: after a preposition, with that noun's own phrase."""
    if sentence.deps[child] == "prep":
        for object_ in sentence.children[child]:
            if object_ > child and sentence.deps[object_] == "pobj":
                return noun_phrase(sentence, object_)[1]
    return sentence.right_edge(child) + 1


def _verb_triples(
    sentence: Sentence, verb: int, named: Sequence[int], values: Set[int]
) -> Iterator[Triple]:
    subjects = _subjects(sentence, verb, named)
    if not subjects:
        return
    predicate = _predicate(sentence, verb)
    complements = list(_complements(sentence, verb, predicate, named, values))
    if not complements:
        complements = list(_clauses(sentence, verb, predicate, named))
    for subject in subjects:
        for words, object_, phrase in complements:
            if object_ != subject and not subject < object_ < phrase[0]:
                yield Triple(subject, words, object_, phrase)


def _predicate(sentence: Sentence, verb: int) -> str:
    """The verb's phrase after those of the verbs that it completes."""
    words = verb_phrase(sentence, verb)
    head = sentence.heads[verb]
    if (
        sentence.deps[verb] == "xcomp"
        and sentence.tags[head].startswith("VB")
        and head < verb
        and not any(sentence.deps[child] == "dobj" for child in sentence.children[head])
    ):
        if sentence.tags[verb] == "VB":
            words = f"to {sentence.words[verb].lower()}"
        return f"{verb_phrase(sentence, head)} {words}"
    return words


def _subjects(sentence: Sentence, verb: int, named: Sequence[int], depth: int = 0) -> list[int]:
    """Tokens that a verb is said of: its own subject's, or that of the verb it leans on."""
    deps, head = sentence.deps, sentence.heads[verb]
    if any(deps[child] == "expl" for child in sentence.children[verb]):
        return [child for child in sentence.children[verb] if deps[child] == "attr"]
    own = [child for child in sentence.children[verb] if deps[child] in _SUBJECTS]
    if own:
        subject = own[-1]
        if sentence.tags[subject] in ("WDT", "WP") or (
            deps[verb] == "relcl" and sentence.words[subject].lower() in _RELATIVE
        ):
            return _antecedents(sentence, verb, named) if deps[verb] == "relcl" else []
        return _with_conjuncts(sentence, subject)
    if head == verb or depth > 6:
        return []
    dep = deps[verb]
    if dep == "acl":
        return _antecedents(sentence, verb, named) if sentence.tags[verb] != "VB" else []
    if dep == "xcomp":
        objects = [child for child in sentence.children[head] if deps[child] == "dobj"]
        if objects:
            return [object_ for object_ in objects if named[object_] >= 0]
    if dep in ("conj", "xcomp") or (dep in ("advcl", "dep") and sentence.tags[verb] != "VB"):
        return _subjects(sentence, head, named, depth + 1)
    if dep == "pcomp" and deps[head] == "prep":
        return _subjects(sentence, sentence.heads[head], named, depth + 1)
    return []


def _antecedents(sentence: Sentence, verb: int, named: Sequence[int]) -> list[int]:
    """What a relative clause or a participle after a noun is said of.

    A noun that says what something is stands for that thing: in "X is a river that ..."
    it is X. "Who" is no place: in "a sailor from Belgium, who ..." it is the sailor.
    """
    noun = sentence.heads[verb]
    who = any(sentence.words[child].lower() == "who" for child in sentence.children[verb])
    while sentence.deps[noun] == "pobj" and (who or named[noun] < 0):
        preposition = sentence.heads[noun]
        above = sentence.heads[preposition]
        if not sentence.tags[above].startswith("NN") or sentence.deps[preposition] != "prep":
            break
        definite = any(sentence.tags[child] == "DT" for child in sentence.children[noun])
        if not who and (definite or sentence.words[preposition].lower() != "of"):
            break
        noun = above
    if named[noun] < 0 and sentence.deps[noun] in ("attr", "appos"):
        above = sentence.heads[noun]
        if sentence.deps[noun] == "appos":
            return [above]
        if sentence.words[above].lower() in ("is", "was", "are", "were"):
            return _subjects(sentence, above, named, depth=1)
    return _with_conjuncts(sentence, noun) if sentence.deps[verb] == "relcl" else [noun]


def _with_conjuncts(sentence: Sentence, token: int) -> list[int]:
    found = [token]
    for each in found:
        for child in sentence.children[each]:
            if sentence.deps[child] == "conj" and not sentence.tags[child].startswith("VB"):
                found.append(child)
    return found


_Complement = tuple[str, int, tuple[int, int]]


def _complements(
    sentence: Sentence, verb: int, predicate: str, named: Sequence[int], values: Set[int]
) -> Iterator[_Complement]:
    """Predicate, object and the object's phrase for all that a verb takes."""
    tags, deps = sentence.tags, sentence.deps
    passive = is_passive(sentence, verb)
    for child in sentence.children[verb]:
        dep = deps[child]
        if dep in ("prep", "agent") or (dep == "dative" and tags[child] in ("IN", "TO")):
            yield from _prepositional(sentence, predicate, child, named)
        elif dep in _OBJECTS and (dep != "dobj" or not passive or child > verb):
            for object_ in _with_conjuncts(sentence, child):
                if tags[object_] in _NO_OBJECTS and named[object_] < 0:
                    continue
                yield predicate, object_, noun_phrase(sentence, object_)
                yield from _of_object(sentence, predicate, object_, named)
                yield from _when(sentence, predicate, object_, named, values)
        elif dep == "npadvmod" and named[child] >= 0 and child > verb:
            first, end = noun_phrase(sentence, child)
            if any(word.lower().rstrip(".") in CALENDAR for word in sentence.words[first:end]):
                yield f"{predicate} on", child, (first, end)
            elif any(word[0].isdigit() for word in sentence.words[first:end]):
                yield predicate, child, (first, end)
        elif dep == "advmod" and tags[child].startswith("RB"):
            for preposition in sentence.children[child]:
                if deps[preposition] == "prep":
                    yield from _prepositional(sentence, predicate, preposition, named)


def _when(
    sentence: Sentence, predicate: str, object_: int, named: Sequence[int], values: Set[int]
) -> Iterator[_Complement]:
    """A date that the parser hangs on an object is the verb's: met Ada "in 1990"."""
    for child in sentence.children[object_]:
        if sentence.deps[child] == "prep" and sentence.words[child].lower() in _WHEN:
            for complement in _prepositional(sentence, predicate, child, named):
                if complement[1] in values:
                    yield complement


def _of_object(
    sentence: Sentence, predicate: str, object_: int, named: Sequence[int]
) -> Iterator[_Complement]:
    """What an object's own prepositions lead to: "is capital of" France."""
    if named[object_] >= 0 and not sentence.tags[object_].startswith("JJ"):
        return
    words = f"{predicate} {sentence.words[object_].lower()}"
    for child in sentence.children[object_]:
        if sentence.deps[child] == "prep":
            for complement in _prepositional(sentence, words, child, named):
                if named[complement[1]] >= 0 or sentence.tags[object_].startswith("JJ"):
                    yield complement


def _prepositional(
    sentence: Sentence, predicate: str, preposition: int, named: Sequence[int], depth: int = 0
) -> Iterator[_Complement]:
    word = sentence.words[preposition].lower()
    if word in _NOT_A_RELATION or not word.isalpha():
        return
    words, tags = f"{predicate} {word}", sentence.tags
    for child in sentence.children[preposition]:
        if sentence.deps[child] == "pobj":
            for object_ in _with_conjuncts(sentence, child):
                if tags[object_] in _NO_OBJECTS and named[object_] < 0:
                    continue
                yield words, object_, noun_phrase(sentence, object_)
                if named[object_] < 0 and depth < 2:
                    yield from _inner_names(sentence, words, object_, named, depth)
        elif sentence.deps[child] == "prep" and depth < 2:
            yield from _prepositional(sentence, words, child, named, depth + 1)


def _inner_names(
    sentence: Sentence, predicate: str, object_: int, named: Sequence[int], depth: int
) -> Iterator[_Complement]:
    """Names behind a common noun: in the state "of Sinaloa"."""
    for child in sentence.children[object_]:
        if sentence.deps[child] == "prep":
            words = f"{predicate} {sentence.words[object_].lower()}"
            for complement in _prepositional(sentence, words, child, named, depth + 1):
                if named[complement[1]] >= 0:
                    yield complement


def _clauses(
    sentence: Sentence, verb: int, predicate: str, named: Sequence[int]
) -> Iterator[_Complement]:
    """What was said or thought, where a verb has no other object."""
    for child in sentence.children[verb]:
        if sentence.deps[child] in _CLAUSE and sentence.tags[child].startswith("VB"):
            if sentence.deps[child] == "xcomp" and _subjects(sentence, child, named):
                continue
            first, end = sentence.left_edge(child), sentence.right_edge(child) + 1
            if first < verb < end:
                first, end = (first, verb) if child < verb else (verb + 1, end)
            while first < end and not sentence.words[first][0].isalnum():
                first += 1
            if first < end:
                yield predicate, child, (first, min(end, first + 2 * LONGEST_VALUE))


def _noun_triples(
    sentence: Sentence, noun: int, named: Sequence[int], values: Set[int]
) -> Iterator[Triple]:
    deps = sentence.deps
    for child in sentence.children[noun]:
        dep = deps[child]
        if dep == "appos":
            yield from _apposition(sentence, noun, child, named)
        elif (
            dep == "prep"
            and named[noun] >= 0
            and sentence.words[child].lower() != "of"
            and sentence.deps[sentence.heads[noun]] != "agent"
        ):
            for words, object_, phrase in _prepositional(sentence, "is", child, named):
                if named[object_] not in (-1, named[noun]) and object_ not in values:
                    yield Triple(noun, words, object_, phrase)
    if named[noun] >= 0:
        yield from _role(sentence, noun, named)


def _apposition(
    sentence: Sentence, noun: int, apposition: int, named: Sequence[int]
) -> Iterator[Triple]:
    """ "X, the author of Y" and "the author of Y, X"."""
    if named[noun] >= 0 and named[apposition] < 0:
        name, role = noun, apposition
    elif named[apposition] >= 0 and named[noun] < 0:
        name, role = apposition, noun
    else:
        return
    if not sentence.tags[role].startswith("NN"):
        return
    before = sentence.left_edge(apposition) - 1
    if before >= 0 and sentence.words[before] in ("(", "["):
        return
    if role == apposition and any(
        sentence.tags[child] == "PRP$" for child in sentence.children[role]
    ):
        return
    yield Triple(name, "is", role, noun_phrase(sentence, role))
    role_word = sentence.words[role].lower()
    for child in sentence.children[role]:
        if sentence.deps[child] == "prep":
            for words, object_, phrase in _prepositional(sentence, f"is {role_word}", child, named):
                if named[object_] >= 0:
                    yield Triple(name, words, object_, phrase)
        elif sentence.deps[child] == "poss":
            yield Triple(name, f"is {role_word} of", child, noun_phrase(sentence, child))


def _role(sentence: Sentence, name: int, named: Sequence[int]) -> Iterator[Triple]:
    """ "film director Steven Spielberg" and "Apple's CEO Tim Cook"."""
    span = _role_span(sentence, name, named)
    if span is None:
        return
    role = " ".join(
        word if word.isupper() else word.lower() for word in sentence.text(*span).split()
    )
    yield Triple(name, "is", span[1] - 1, span)
    for token in (*range(*span), name):
        for child in sentence.children[token]:
            if sentence.deps[child] == "poss" and child < span[0]:
                yield Triple(name, f"is {role} of", child, noun_phrase(sentence, child))


def _role_span(sentence: Sentence, noun: int, named: Sequence[int]) -> tuple[int, int] | None:
    """The common nouns right before a name: "film director" Steven Spielberg."""
    first = noun
    while first > 0 and named[first - 1] == named[noun]:
        first -= 1
    end = first
    while (
        first > 0
        and named[first - 1] < 0
        and sentence.heads[first - 1] >= end - 1
        and _in_role(sentence, first - 1)
    ):
        first -= 1
    if first == end or not sentence.tags[end - 1].startswith("NN"):
        return None
    return first, end


def _in_role(sentence: Sentence, token: int) -> bool:
    return sentence.tags[token] in ("NN", "NNP", "JJ", "VBN", "HYPH") and sentence.deps[token] in (
        "compound",
        "amod",
        "nmod",
        "punct",
    )
