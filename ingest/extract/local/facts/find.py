"""Subject, predicate and object from a sentence's grammar.

A triple names its subject and object by tokens; what a token stands for (a name, a
pronoun's antecedent, a value) is for the caller to say. The predicate carries what the
sentence says of it: its negation, its modal verb, its condition and whose account it is.
"""

from collections.abc import Iterator, Sequence, Set

from hlg.ingest.extract.local.facts.assertions import Called, find_claim, is_raised
from hlg.ingest.extract.local.facts.complements import clauses, complements
from hlg.ingest.extract.local.facts.denials import is_denied, is_doubtful
from hlg.ingest.extract.local.facts.noun_facts import noun_triples
from hlg.ingest.extract.local.facts.phrases import is_cut, leans_on_joined, with_conjuncts
from hlg.ingest.extract.local.facts.predicates import is_negative, raised_phrase, verb_phrase
from hlg.ingest.extract.local.facts.prepositions import Complement
from hlg.ingest.extract.local.facts.scope import (
    disagrees,
    is_aside,
    is_joint,
    is_limited_subject,
    is_purpose,
    was_until,
)
from hlg.ingest.extract.local.facts.settings import LIMITING_BEHIND
from hlg.ingest.extract.local.facts.triples import Triple
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.spacy_pipeline import is_english_verb
from hlg.words.verbs import DANGLING_FORMS, RAISING_FORMS

__all__ = ["find_triples", "verb_predicate", "verb_subjects"]

_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
_COMPLETING = frozenset(("acomp", "attr", "ccomp", "oprd", "xcomp"))
_BESIDE = frozenset(
    ("after", "before", "besides", "despite", "instead", "since", "than", "when", "while")
)
"""Prepositions whose clause is apart from the verb's: "sank after hitting a rock"."""
_COMMON = frozenset(("CD", "JJ", "NN", "NNS"))
_RELATIVE = frozenset(("who", "which", "that", "whom", "where", "whose"))


def find_triples(
    sentence: Sentence, named: Sequence[int], values: Set[int], called: Called
) -> Iterator[Triple]:
    """All triples of a sentence, verbs first to last, then noun phrases.

    :param named: for each token the number of the name or value that it is part of, or -1.
    :param values: tokens of dates and amounts.
    :param called: what a token's phrase is called: a pronoun by what it stands for.
    """
    if "?" in sentence.words[-3:]:
        return
    for token, (tag, dep) in enumerate(zip(sentence.tags, sentence.deps, strict=True)):
        if tag.startswith("VB") and dep not in ("aux", "auxpass", "amod", "compound"):
            yield from _verb_triples(sentence, token, named, values, called)
        elif tag.startswith("NN") or tag == "PRP":
            yield from noun_triples(sentence, token, named)


def _verb_triples(
    sentence: Sentence, verb: int, named: Sequence[int], values: Set[int], called: Called
) -> Iterator[Triple]:
    subjects = verb_subjects(sentence, verb, named)
    if not subjects or not is_english_verb(sentence.words[verb].lower()):
        return
    compares = sentence.words[verb].lower() in ("compared", "comparing", "relating")
    if compares and sentence.deps[verb] in ("acl", "advcl", "prep"):
        return
    if _is_stray_participle(sentence, verb) or _is_scrap(sentence, verb):
        return
    if not is_raised(sentence, verb) and (is_purpose(sentence, verb) or disagrees(sentence, verb)):
        return
    claim = find_claim(sentence, verb, called)
    if not claim.asserted:
        return
    denied = _is_group_denied(sentence, subjects)
    predicate = verb_predicate(sentence, verb, denied)
    if predicate is None:
        return
    found = list(complements(sentence, verb, predicate, named, values, called))
    if not found:
        found = list(clauses(sentence, verb, predicate))
    else:
        found = [
            each
            for each in found
            if not is_cut(sentence, verb, each[1], each[2])
            and not is_aside(sentence, verb, each[1])
            and not was_until(sentence, verb, each[1])
            and not any(sentence.tags[at] == "PRP" and named[at] < 0 for at in range(*each[2]))
        ]
        found = [each for each in found if not _is_told_whole(sentence, each, found, named)]
    for subject in subjects:
        about = _of_nobody(sentence, subject)
        if about < 0 or is_doubtful(sentence, about):
            continue
        if is_aside(sentence, verb, about) or is_limited_subject(sentence, about):
            continue
        if leans_on_joined(sentence, subject, subjects):
            continue
        for words, object_, phrase in found:
            several = len(subjects) > 1 or _has_joined(sentence, about)
            if several and is_joint(sentence, verb, about, phrase):
                continue
            if object_ != about and not about < object_ < phrase[0]:
                yield Triple(about, words + claim.suffix, object_, phrase)


def _has_joined(sentence: Sentence, subject: int) -> bool:
    return any(sentence.deps[child] in ("appos", "conj") for child in sentence.children[subject])


def _is_told_whole(
    sentence: Sentence, told: Complement, others: Sequence[Complement], named: Sequence[int]
) -> bool:
    """Whether another fact has a common noun and what it needs: "cause tears in" tendons, or
    what limits it: "reduces blood pressure in" mice."""
    words, object_, (first, end) = told
    begins = f"{words} {sentence.text(first, end)} "
    longer = [each for each in others if f"{each[0]} ".startswith(begins)]
    if is_negative(words) and any(
        other.removeprefix(begins).split()[0] in LIMITING_BEHIND for other, _, _ in longer
    ):
        return True  # "does not form it in" plasma
    if named[object_] >= 0 or sentence.tags[object_] not in _COMMON:
        return False
    return any(
        end - first == 1
        or (named[further] < 0 and other.removeprefix(begins).split()[0] in LIMITING_BEHIND)
        for other, further, _ in longer
    )


def _is_group_denied(sentence: Sentence, subjects: Sequence[int]) -> bool:
    """Whether subjects are said of not to do it: "no plant", "neither X nor Y"."""
    return any(
        is_denied(sentence, subject) or _is_joined_by_nor(sentence, subject) for subject in subjects
    )


def _is_joined_by_nor(sentence: Sentence, subject: int) -> bool:
    return any(
        sentence.deps[child] == "cc" and sentence.words[child].lower() == "nor"
        for child in sentence.children[subject]
    )


def _of_nobody(sentence: Sentence, subject: int) -> int:
    """What "none of" and "neither of" are said of; -1 where nothing is named."""
    if sentence.words[subject].lower() not in ("none", "neither", "nothing", "nobody"):
        return subject
    for child in sentence.children[subject]:
        if sentence.words[child].lower() == "of":
            for object_ in sentence.children[child]:
                if sentence.deps[object_] == "pobj":
                    return object_
    return -1


def verb_predicate(sentence: Sentence, verb: int, denied: bool) -> str | None:
    """The verb's phrase after those of the verbs that it completes; None where it is lost."""
    plain = verb_phrase(sentence, verb)
    if not _is_whole(sentence, verb):
        return None
    head, dep = sentence.heads[verb], sentence.deps[verb]
    if is_raised(sentence, verb) or (dep == "xcomp" and _has_object(sentence, head)):
        # "Use it to run" asks for something and says nothing.
        owners = [child for child in sentence.children[head] if sentence.deps[child] in _SUBJECTS]
        asked = sentence.tags[head] == "VB" and not owners and sentence.heads[head] == head
        lost = denied or asked or any(is_denied(sentence, owner) for owner in owners)
        raises = owners and sentence.words[head].lower() in RAISING_FORMS
        return None if lost or not raises else raised_phrase(sentence, head, verb)
    lead: str | None
    if dep == "xcomp" and sentence.tags[head].startswith("VB") and head < verb:
        if sentence.tags[verb] in ("VBD", "VBN") and "," in sentence.words[head:verb]:
            return None
        lead = verb_predicate(sentence, head, denied)
        return lead and f"{lead} {_infinite(sentence, verb, plain)}"
    if dep == "xcomp" and sentence.tags[head].startswith("JJ") and head < verb:
        lead = verb_predicate(sentence, sentence.heads[head], denied)
        return lead and f"{lead} {sentence.words[head].lower()} {_infinite(sentence, verb, plain)}"
    if dep == "pcomp":
        if sentence.words[head].lower() in _BESIDE:
            return None
        above = sentence.heads[head]
        beside = sentence.children[above]
        if _has_own_subject(sentence, verb):
            return None
        if (
            not sentence.tags[above].startswith("VB")
            or above > verb
            or _has_object(sentence, above)
            or sentence.deps[above] in ("acl", "advcl")
            or any(sentence.deps[child] in _COMPLETING for child in beside)
        ):
            return None
        lead = verb_predicate(sentence, above, denied)
        return lead and f"{lead} {sentence.words[head].lower()} {plain}"
    joined = dep == "conj" and not _has_own_subject(sentence, verb)
    if joined and (
        sentence.deps[head] == "pcomp"
        or (
            sentence.tags[verb] == "VB" == sentence.tags[head]
            and sentence.deps[head] in ("xcomp", "ccomp")
            and not _has_modal(sentence, verb)
        )
    ):
        lead = verb_predicate(sentence, head, denied)
        return lead and f"{lead.rsplit(' ', 1)[0]} {sentence.words[verb].lower()}"
    if denied and is_negative(plain):
        return None
    return verb_phrase(sentence, verb, negated=denied)


def _is_stray_participle(sentence: Sentence, verb: int) -> bool:
    """Whether a participle is joined to a present tense, which takes none beside it: it stands
    before a noun, "grants options, restricted shares or units"."""
    return (
        sentence.tags[verb] == "VBN"
        and sentence.deps[verb] == "conj"
        and sentence.tags[sentence.heads[verb]] in ("VBZ", "VBP")
        and not any(sentence.deps[child].startswith("aux") for child in sentence.children[verb])
        and not any(
            sentence.deps[child].startswith("aux")
            for child in sentence.children[sentence.heads[verb]]
        )
    )


def _is_scrap(sentence: Sentence, verb: int) -> bool:
    """Whether a verb is a piece of one that the text writes apart: "I 'm"."""
    word = sentence.words[verb].lower()
    after = verb and sentence.words[verb - 1] in ("'", "’")
    return not word.strip("'’") or bool(after and word in ("m", "s", "re", "ve", "d", "ll"))


def _has_modal(sentence: Sentence, verb: int) -> bool:
    return any(sentence.tags[child] == "MD" for child in sentence.children[verb])


def _is_whole(sentence: Sentence, verb: int) -> bool:
    """Whether a verb has what its form needs: "can perform", "will be looking"."""
    helpers = [child for child in sentence.children[verb] if sentence.deps[child] == "aux"]
    modal = any(sentence.tags[child] == "MD" for child in helpers)
    be = any(sentence.words[child].lower() in ("be", "been") for child in helpers)
    return not modal or be or sentence.tags[verb] != "VBG"


def _infinite(sentence: Sentence, verb: int, plain: str) -> str:
    """A verb behind the one that it completes: "to buy", "buying"."""
    deps = {sentence.deps[child] for child in sentence.children[verb]}
    if sentence.tags[verb] == "VBN" and "auxpass" in deps:
        return f"to be {plain}"
    if sentence.tags[verb] == "VBG":
        before = [child for child in sentence.children[verb] if child < verb]
        helpers = {sentence.words[child].lower() for child in before}
        to = "to be " if {"to", "be"} <= helpers else "to " if "to" in helpers else ""
        not_ = "not " if "neg" in deps else ""
        return f"{to}{not_}{sentence.words[verb].lower()}"
    if sentence.tags[verb] != "VB":
        return plain
    not_ = "not " if "neg" in deps else ""
    passive = "be " if "auxpass" in deps else ""
    particle = plain.removeprefix(plain.split()[0]) if "prt" in deps else ""
    return f"{not_}to {passive}{sentence.words[verb].lower()}{particle}"


def _has_object(sentence: Sentence, verb: int) -> bool:
    return sentence.tags[verb].startswith("VB") and any(
        sentence.deps[child] == "dobj" for child in sentence.children[verb]
    )


def _has_own_subject(sentence: Sentence, verb: int) -> bool:
    return any(sentence.deps[child] in _SUBJECTS for child in sentence.children[verb])


def verb_subjects(sentence: Sentence, verb: int, named: Sequence[int], depth: int = 0) -> list[int]:
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
        return with_conjuncts(sentence, subject)
    by_clause = any(deps[child] in ("csubj", "csubjpass") for child in sentence.children[verb])
    if head == verb or depth > 6 or by_clause:
        return []
    dep = deps[verb]
    if dep == "acl":
        if sentence.heads[head] == head and head + 1 == sentence.left_edge(verb):
            return []  # a heading: "Options related to printing"
        return _antecedents(sentence, verb, named) if sentence.tags[verb] != "VB" else []
    if dep == "xcomp":
        objects = [child for child in sentence.children[head] if deps[child] == "dobj"]
        if objects:
            return [object_ for object_ in objects if named[object_] >= 0]
        if sentence.tags[head].startswith("JJ") and deps[head] in ("acomp", "oprd"):
            return verb_subjects(sentence, sentence.heads[head], named, depth + 1)
    if dep in ("conj", "xcomp") or (dep == "advcl" and _is_aside(sentence, verb)):
        return verb_subjects(sentence, head, named, depth + 1)
    if dep == "pcomp" and deps[head] == "prep":
        return verb_subjects(sentence, sentence.heads[head], named, depth + 1)
    return []


def _is_aside(sentence: Sentence, verb: int) -> bool:
    """Whether a participle is said of the main clause's subject: "Founded in 1990, X ..."."""
    children = sentence.children[verb]
    if any(
        sentence.deps[child] in ("mark", "aux") or sentence.tags[child] == "WRB"
        for child in children
    ):
        return False
    if sentence.words[verb].lower() in DANGLING_FORMS:
        return False
    first, head = sentence.left_edge(verb), sentence.heads[verb]
    if head < first - 1 and sentence.words[first - 1] == ",":
        behind = sentence.deps[first - 2] in ("dobj", "attr", "pobj")
        if behind and sentence.tags[first - 2] in ("NN", "NNS"):
            return False  # "had a career, crowned by": the career was
    return sentence.tags[verb] == "VBN" or (sentence.tags[verb] == "VBG" and verb < head)


def _antecedents(sentence: Sentence, verb: int, named: Sequence[int]) -> list[int]:
    """What a relative clause or a participle after a noun is said of: a name.

    A noun that says what something is stands for that thing: in "X is a river that ..."
    it is X. "Who" is no place: in "a sailor from Belgium, who ..." it is the sailor. Of a
    common noun nothing is said: "companies that use asbestos" aren't all companies.
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
            return [above] if named[above] >= 0 else []
        if sentence.words[above].lower() in ("is", "was", "are", "were"):
            if is_negative(verb_phrase(sentence, above)) or is_denied(sentence, noun):
                return []
            found = verb_subjects(sentence, above, named, depth=1)
            return [each for each in found if named[each] >= 0]
    if named[noun] < 0 or ("that" in sentence.words[noun + 1 : noun + 3] and not who):
        return []  # "NATs that change addresses" aren't all of them
    return with_conjuncts(sentence, noun) if sentence.deps[verb] == "relcl" else [noun]
