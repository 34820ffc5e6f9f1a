"""How a verb is written as a predicate: one spelling for what means the same.

Forms of "be" become "is", "was" or "has been"; a present tense its third person; a past tense,
a participle, a negation, a modal verb, an adverb that limits it and a particle stay: "founded",
"is not", "never visited", "can carry out", "allegedly bought", "was born" as "born", "seeks to
facilitate".
"""

import re
from dataclasses import dataclass, field

from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words
from hlg.words.vague import ADVERBS_OF_DOUBT, ADVERBS_OF_EXTENT, ADVERBS_OF_REVERSAL
from hlg.words.verbs import infinitive, past_participle

__all__ = ["is_negative", "is_passive", "raised_phrase", "shares_auxiliaries", "verb_phrase"]

_BE = words("facts", "be")
_WAS = frozenset(("was", "were"))
_HAVE = frozenset(["have", "has", "had", "having", "'ve", "'d", "’ve"])
_NOT = frozenset(("not", "n't", "n’t", "nor", "neither"))
_HARDLY = frozenset(("never", "hardly", "scarcely", "barely", "rarely", "seldom"))
_DIRECTIONS = words("facts", "directions")
_BEHIND = _DIRECTIONS | {"badly", "poorly", "well"}
_NO_WAYS = frozenset(
    (
        "account",
        "case",
        "circumstance",
        "circumstances",
        "condition",
        "event",
        "means",
        "time",
        "way",
    )
)
_HELPING = frozenset(("help", "helps", "helped", "helping"))
_ONLY = frozenset(("only", "just", "merely", "simply"))
_NOT_WHOLLY = words("facts", "not wholly")
"""Adverbs that leave something of what "not" before them denies."""
_DENIALS = _HARDLY | {"not", "no"}
_MODALS = {"'ll": "will", "’ll": "will", "wo": "will", "ca": "can", "'d": "would", "’d": "would"}
_THIRD_PERSON = {"have": "has", "'ve": "has", "’ve": "has", "be": "is", "do": "does", "go": "goes"}
_SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "expl"))
_KEPT = ADVERBS_OF_DOUBT | ADVERBS_OF_EXTENT | ADVERBS_OF_REVERSAL


@dataclass(slots=True)
class _Helpers:
    """What stands around a verb: its auxiliaries, negation, adverbs and particle."""

    modals: list[str] = field(default_factory=list)
    adverbs: list[str] = field(default_factory=list)
    after: list[str] = field(default_factory=list)
    helping: str = ""
    negation: str = ""
    did: bool = False
    had: bool = False
    passive: bool = False
    was: bool = False


def is_negative(phrase: str) -> bool:
    """Whether a predicate denies what it says."""
    return any(word in _DENIALS for word in phrase.split())


def is_passive(sentence: Sentence, verb: int) -> bool:
    """Whether a verb is said of what it was done to."""
    if sentence.tags[verb] != "VBN":
        return False
    helper = _helped(sentence, verb)
    children = sentence.children[helper]
    if any(sentence.deps[child] == "auxpass" for child in children):
        return True
    auxiliaries = [child for child in children if sentence.deps[child] == "aux"]
    return not any(sentence.words[child].lower() in _HAVE for child in auxiliaries)


def shares_auxiliaries(sentence: Sentence, verb: int) -> bool:
    """Whether a joined verb leans on the auxiliaries of the one before: "did not buy or sell"."""
    head = sentence.heads[verb]
    if sentence.deps[verb] != "conj" or not sentence.tags[head].startswith("VB"):
        return False
    deps = [sentence.deps[child] for child in sentence.children[verb]]
    return (
        sentence.tags[verb] in ("VB", "VBN", "VBG")
        and sentence.tags[verb] == sentence.tags[head]
        and not any(dep in ("aux", "auxpass") or dep in _SUBJECTS for dep in deps)
    )


def _helped(sentence: Sentence, verb: int) -> int:
    """The verb whose auxiliaries a verb has."""
    while shares_auxiliaries(sentence, verb):
        verb = sentence.heads[verb]
    return verb


def verb_phrase(sentence: Sentence, verb: int, *, negated: bool = False) -> str:
    """A verb as a predicate, with its negation, modal verb, limiting adverbs and particle.

    :param negated: its subject denies it: "no plant produces" is "does not produce".
    """
    found = _helpers(sentence, verb)
    if negated and not found.negation:
        found.negation = "not"
    wholly = _not_wholly(sentence, verb)
    adverbs = [word for word in found.adverbs if word != wholly]
    phrase = " ".join([*adverbs, *_inflected(sentence, verb, found), *found.after])
    return re.sub(r"\bnot\b", f"not {wholly}", phrase, count=1) if wholly else phrase


def _not_wholly(sentence: Sentence, verb: int) -> str:
    """The adverb behind a verb's "not" that leaves something: "is not always"."""
    for child in sentence.children[verb]:
        word = sentence.words[child].lower()
        before = sentence.words[child - 1].lower() if child else ""
        if sentence.deps[child] == "advmod" and word in _NOT_WHOLLY and before in _NOT:
            return word
    return ""


def _helpers(sentence: Sentence, verb: int) -> _Helpers:
    found = _Helpers()
    owner = _helped(sentence, verb)
    for token in dict.fromkeys((verb, owner)):
        for child in sentence.children[token]:
            _note(sentence, child, found, own=token == verb)
    if owner != verb and _is_contrasted(sentence, verb):
        found.negation = _own_negation(sentence, verb)
    elif not found.negation:
        found.negation = _joined_negation(sentence, verb)
    return found


def _note(sentence: Sentence, child: int, found: _Helpers, *, own: bool) -> None:
    dep, word = sentence.deps[child], sentence.words[child].lower()
    if word == "not" and " ".join(sentence.words[child + 1 : child + 2]).lower() in _ONLY:
        return
    if word in _HARDLY and dep in ("neg", "advmod"):
        found.negation = word
    elif _is_ruled_out(sentence, child):
        found.negation = "not"
    elif dep == "neg" or (word in _NOT and dep in ("advmod", "preconj", "cc", "neg")):
        if not (dep == "cc" and word == "nor" and own and child > sentence.heads[child]):
            found.negation = "no longer" if _is_no_longer(sentence, child) else "not"
    elif dep == "advmod" and word == "longer" and _is_no_longer(sentence, child):
        found.negation = "no longer"
    elif dep == "advmod" and word in _KEPT and child < sentence.heads[child] + 2:
        found.adverbs.append(word)
    elif dep == "auxpass":
        found.passive = True
        found.was = found.was or word in _WAS
    elif dep == "aux":
        if sentence.tags[child] == "MD" and not _is_had(sentence, child):
            found.modals.append(_MODALS.get(word, word))
            return
        if word in _HELPING:
            found.helping = word
            return
        found.did = found.did or word == "did"
        found.was = found.was or word in _WAS
        found.had = found.had or word in _HAVE
    elif (
        own
        and word not in found.after
        and (dep == "prt" or (word in _BEHIND and child == sentence.heads[child] + 1))
    ):
        found.after.append(word)


def _is_had(sentence: Sentence, token: int) -> bool:
    """Whether "'d" is "had": "I'd been wanting to"."""
    after = sentence.words[token + 1 : token + 2]
    return sentence.words[token].lower() in ("'d", "’d") and after == ["been"]


def _is_ruled_out(sentence: Sentence, child: int) -> bool:
    """Whether a verb's adverbial denies it: "under no circumstances", "by no means", "nowhere"."""
    if sentence.deps[child] == "prep":
        return any(
            sentence.words[below].lower() in _NO_WAYS
            and any(sentence.words[each].lower() == "no" for each in sentence.children[below])
            for below in sentence.children[child]
        )
    if sentence.deps[child] not in ("advmod", "neg"):
        return False
    word = sentence.words[child].lower()
    below = [sentence.words[c].lower() for c in sentence.children[child]]
    never = word in ("before", "again") and "never" in below
    return word == "nowhere" or never or (word == "more" and "no" in below)


def _is_no_longer(sentence: Sentence, token: int) -> bool:
    return "no longer" in " ".join(sentence.words[max(0, token - 1) : token + 2]).lower()


def _own_negation(sentence: Sentence, verb: int) -> str:
    own = any(sentence.deps[child] == "neg" for child in sentence.children[verb])
    return "not" if own else ""


def _is_contrasted(sentence: Sentence, verb: int) -> bool:
    """Whether "but" joins a verb to the one before: "was not built but bought"."""
    return any(
        sentence.words[child].lower() in ("but", "yet")
        for child in sentence.children[sentence.heads[verb]]
        if sentence.deps[child] == "cc" and child < verb
    )


def _joined_negation(sentence: Sentence, verb: int) -> str:
    """A negation that reaches over "or" and "nor" from the verb before."""
    head = sentence.heads[verb]
    if sentence.deps[verb] != "conj" or not sentence.tags[head].startswith(("VB", "MD")):
        return ""
    joint = [
        sentence.words[child].lower()
        for child in sentence.children[head]
        if sentence.deps[child] == "cc" and head < child < verb
    ]
    if "nor" in joint:
        return "not"
    own = any(sentence.deps[child] in _SUBJECTS for child in sentence.children[verb])
    if "or" in joint and not own:
        return _helpers(sentence, head).negation
    return ""


def _inflected(sentence: Sentence, verb: int, found: _Helpers) -> list[str]:
    """The verb with its auxiliaries and its negation."""
    word, tag = sentence.words[verb].lower(), sentence.tags[verb]
    word = "going" if word == "gon" else word
    negation = found.negation
    if found.helping:
        return [*_helped_to(found), "to", word]
    if found.modals:
        between = ["have"] if found.had else []
        between += ["been" if found.had else "be"] if found.passive or tag == "VBG" else []
        return [*found.modals, *([negation] if negation else []), *between, word]
    is_ = "was" if found.was else "is"
    if word in _BE and tag != "VBG":
        has = word == "been" and found.had
        be = "has" if has else "was" if word in _WAS else "is"
        return [be, *([negation] if negation else []), *(["been"] if has else [])]
    if not negation:
        return [_third_person(word) if tag in ("VB", "VBP") else word]
    if found.had and found.passive and tag == "VBN":
        return ["had" if found.was else "has", negation, "been", word]
    if negation != "not":
        passive = tag == "VBG" or (tag == "VBN" and is_passive(sentence, verb))
        here = is_ if passive else "has" if tag == "VBN" else ""
        return [*([here] if here else []), negation, _third_person(word) if tag == "VBP" else word]
    if tag in ("VBN", "VBG"):
        return [is_ if is_passive(sentence, verb) or tag == "VBG" else "has", "not", word]
    if tag == "VBD":
        return ["never", word]
    return ["did" if found.did else "does", "not", infinitive(word) if tag == "VBZ" else word]


def _helped_to(found: _Helpers) -> list[str]:
    """The verb "help" before another one, which the parser takes for an auxiliary of it."""
    negation = [found.negation] if found.negation else []
    if found.modals:
        return [*found.modals, *negation, "help"]
    if negation == ["not"]:
        return ["did" if found.did else "does", "not", "help"]
    return [*negation, _third_person("help") if found.helping == "help" else found.helping]


def _third_person(word: str) -> str:
    if word in _THIRD_PERSON:
        return _THIRD_PERSON[word]
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def raised_phrase(sentence: Sentence, head: int, verb: int) -> str:
    """What is said of the one whom a verb makes do something: "is allowed to buy"."""
    found = _helpers(sentence, head)
    base = sentence.words[head].lower()
    acted = past_participle(base, sentence.tags[head]) if sentence.tags[head] != "VBG" else base
    acted = "allowed" if acted == "let" else acted
    deps = {sentence.deps[child] for child in sentence.children[verb]}
    not_ = "not " if "neg" in deps else ""
    done = sentence.words[verb].lower()
    if sentence.tags[verb] == "VB":
        done = f"to {'be ' if 'auxpass' in deps else ''}{done}"
    negation = [found.negation] if found.negation else []
    is_ = "was" if sentence.tags[head] == "VBD" or found.was else "is"
    be = [*found.modals, *negation, "be"] if found.modals else [is_, *negation]
    return " ".join([*found.adverbs, *be, acted, f"{not_}{done}"])
