"""What of a sentence's facts its wording does not vouch for: halves, alternatives, pointers."""

import re

from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words
from hlg.words.lexicon import SPEECH_VERBS
from hlg.words.vague import DEMONSTRATIVES

__all__ = [
    "is_alternative",
    "is_cut",
    "is_sound",
    "says_something",
]

_SPEAKERS = re.compile(
    r"(?<!class )(?<!type )\b(?:I|I['’]\w+|[Mm]e|[Mm]y|[Mm]yself|[Yy]ou|[Yy]ours?)\b(?!\.)"
    r"|\b(?:our|ours|ourselves)\b"
)
"""Who speaks and who is spoken to: nobody, away from the text."""
_SPOKEN_TO = re.compile(r"\b(?:I|[Ww]e|me|my|myself|you|yours?)\b")
_OTHERS = re.compile(r"(?i)(?:us|them|him)\b")
_POINTING_START = re.compile(
    r"(?i)(?:it|they|he|she|this|these|there|here|as (?:many|much|long|close))\b"
)
_SOMEBODY = re.compile(r"(?:[Ii]t|He|She|They|His|Her|Their)(?:['’ ]|$)")
"""How what is said begins where only the text before it tells of whom."""
_POINTING_TOLD = re.compile(
    r"(?i)(?:that )?(?:(?:this|that) is\b"
    r"|the (?!(?:country|economy|government|market|public|war|world)\b)[a-z]+ "
    r"(?:is|are|was|were|has|had|will|would|can|could|may|might|must|should)\b)"
)
"""How it begins where the text before it tells of what: "the company would pause"."""
_RELATIVE_DATE = re.compile(
    r"(?i)(?:(?:late|early) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"(?: (?:morning|afternoon|evening|night))?"
    r"|today|tonight|yesterday|tomorrow|nowadays|recently|soon"
    r"|(?:last|next|this|the other) (?:night|morning|afternoon|evening|day|week|weekend|month|year"
    r"|summer|winter|spring|autumn|fall|season|time"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day))"
)
_SHOWN = (
    r"(?:year|season|week|weekend|month|day|morning|evening|afternoon|night|summer|winter|spring"
    r"|autumn|fall|time|century|decade|quarter|agreement|section|article|document|file|licen[cs]e"
    r"|package|manual|page|option|command|program|software|module|clause|schedule|exhibit|report"
    r"|contract|directory|function|library|version|release|table|study|paper|way)s?\b"
)
"""What "this" before it means without the words around it, or near enough."""
_POINTED_AT = re.compile(
    rf"\b(?:this|these|those) (?!(?:{_SHOWN}|who|that|which|in|of|with|are|is|have)\b)[a-z]"
    rf"|\b(?:of|with|in|for|from|on|to|at|by) that (?!(?:{_SHOWN}|of|is|it|they)\b)[a-z]"
)
_BROKEN = re.compile(r"\.\.|\s[-–—]\s|[!?]\s|\s[&+]$")
_PARTIAL = words("facts", "partial")
"""Adjectives that say nothing without what follows them."""
_POINTERS = DEMONSTRATIVES | {"another", "such"}
_POINTING_ADJECTIVES = frozenset(
    (
        "above",
        "aforementioned",
        "below",
        "following",
        "foregoing",
        "latter",
        "other",
        "preceding",
        "respective",
        "specified",
    )
)
_COMPARED = re.compile(
    r"(?i)(?:even |far |many |much )?(?:fewer|less|more) (?!than\b|or less\b)[a-z]"
)
_RELATIONS = words("facts", "relations")
"""Whom only the one names whose they are."""
_MORE = tuple([word] for word in ("earlier", "fewer", "higher", "later", "less", "lower", "more"))
_KNOWN_OWNERS = frozenset(("earth", "moon", "sun", "universe", "world"))
_POINTING = re.compile(r"\b(?:above|aforementioned|following|preceding) \w")
_BROKEN_PREDICATE = re.compile(
    r"\b(?:about|at|by|for|from|in|of|on|with|without) (?:is|has) not\b|\blikes has\b"
    r"|\b(?:is|was) got\b| (?:and|or)$|\baccording to (?:her|him|it|them)\b"
    r"|, (?:he|she|they|we|who) \w"
)


def is_sound(predicate: str) -> bool:
    """Whether a predicate is whole, and says nothing of "me" and "you"."""
    if predicate.count('"') % 2 or "`" in predicate:
        return False
    if any(predicate.count(a) != predicate.count(b) for a, b in ("()", "[]", "“”")):
        return False
    if _POINTING.search(predicate):
        return False
    return not _BROKEN_PREDICATE.search(predicate) and not _SPOKEN_TO.search(predicate)


def says_something(value: str, predicate: str) -> bool:
    """Whether a value stands by itself: it points at nothing outside, and is no broken piece."""
    told = predicate.rsplit(" ", 1)[-1] in SPEECH_VERBS and " " in value
    if told:
        return not (
            _SOMEBODY.match(value) or _POINTING_TOLD.match(value) or _POINTED_AT.search(value)
        )
    if _OTHERS.match(value) or (value.startswith("that ") and predicate.endswith("make")):
        return False
    if value.endswith((" there", " then", " here")):
        return False  # "opened a store there"
    if _COMPARED.match(value) and " than " not in value:
        return False  # "provides more bonuses"
    last = re.split(r"[ -]", value.lower())[-1]
    if predicate in ("is", "was") and last in _RELATIONS and "'s " not in value:
        return False  # whose?
    if value.lower() in _POINTING_ADJECTIVES or _RELATIVE_DATE.fullmatch(value):
        return False  # "consists of the following", "left yesterday"
    if _POINTED_AT.search(value):
        return False  # "overpriced even with this discount"
    if _SPEAKERS.search(value) or _POINTING_START.match(value) or _BROKEN.search(value):
        return False
    return not (
        predicate.endswith(("is", "was", "been", "is not", "was not")) and value.lower() in _PARTIAL
    )


def is_alternative(sentence: Sentence, token: int, phrase: tuple[int, int]) -> bool:
    """Whether "or" joins what a noun says to something outside its phrase: it may be either."""
    if not sentence.tags[token].startswith(("NN", "CD", "JJ")):
        return False
    head = token
    while sentence.deps[head] == "conj" and sentence.heads[head] != head:
        head = sentence.heads[head]
    pending, joined = [head], [head]
    while pending:
        new = [c for each in pending for c in sentence.children[each] if sentence.deps[c] == "conj"]
        joined += new
        pending = new
    return len(joined) > 1 and any(
        sentence.deps[child] == "cc"
        and sentence.words[child].lower() in ("or", "either")
        and not phrase[0] <= child < phrase[1]
        for each in joined
        for child in sentence.children[each]
    )


def is_cut(sentence: Sentence, phrase: tuple[int, int], token: int) -> bool:
    """Whether a phrase leaves out what it needs: its noun, or what it points at.

    "a disorder with recurrent" goes on behind the comma, "in that match" says which one
    elsewhere, and what stands in a parenthesis is no object of the verb before it.
    """
    first, end = phrase
    whole = end - first < 2 or sentence.tags[end - 2] == "DT"
    if not whole and sentence.tags[end - 1] in ("JJ", "JJR", "VBG", "IN"):
        following = sentence.words[end : end + 1]
        before = sentence.tags[end - 2]
        if following in ([","], ["and"]) or before == "IN":
            return True
    if "than" in sentence.words[end : end + 2] or _is_open(sentence, end):
        return True
    if _ends_with_second_count(sentence, first, end):
        return True
    if sentence.words[end : end + 2] == ["over", "year"] or _goes_on_behind(sentence, end):
        return True
    if _parts_word(sentence, first) or _parts_word(sentence, end):
        return True
    only = "only" in (sentence.words[first].lower(), *sentence.words[max(0, first - 1) : first])
    if only and sentence.words[end : end + 1] in ([","], ["and"], ["or"]):
        return True  # and the others too
    if any(_is_somebodys(sentence, at) for at in range(first, end)):
        return True
    if first and sentence.words[first - 1] == "(" and sentence.heads[token] < first - 1:
        return True
    return any(
        (word in _POINTERS and sentence.deps[child] in ("det", "predet"))
        or (word in _POINTING_ADJECTIVES and child < token)
        for child in sentence.children[token]
        for word in (sentence.words[child].lower(),)
    )


def _ends_with_second_count(sentence: Sentence, first: int, end: int) -> bool:
    """Whether a phrase ends where a second count begins: "six that ended early and three", but
    not "1990 and 1995"."""
    joined = end - first > 2 and sentence.words[end - 2].lower() in ("and", "or")
    return joined and sentence.tags[end - 1] == "CD" != sentence.tags[end - 3]


def _goes_on_behind(sentence: Sentence, end: int) -> bool:
    """Whether a noun follows behind a bracket: "optical character recognition (OCR) tool"."""
    if sentence.words[end : end + 1] != ["("] or ")" not in sentence.words[end:]:
        return False
    after = sentence.words.index(")", end) + 1
    return sentence.tags[after : after + 1] in (["NN"], ["NNS"])


def _is_open(sentence: Sentence, end: int) -> bool:
    """Whether "or" goes on behind an amount: "30% or more", "$18 (around £15) or 10%"."""
    after = end
    if sentence.words[end : end + 1] == ["("] and ")" in sentence.words[end:]:
        after = sentence.words.index(")", end) + 1
    goes_on = [word.lower() for word in sentence.words[after : after + 2]]
    return goes_on[:1] == ["or"] and (after > end or goes_on[1:2] in _MORE)


def _is_somebodys(sentence: Sentence, token: int) -> bool:
    """Whether a noun is the owner of something, and the text says elsewhere who it is: "the
    company's board"."""
    return (
        sentence.deps[token] == "poss"
        and sentence.tags[token] == "NN"
        and sentence.words[token].lower() not in _KNOWN_OWNERS
        and any(
            sentence.words[child].lower() in ("the", "this", "that")
            for child in sentence.children[token]
        )
    )


def _parts_word(sentence: Sentence, token: int) -> bool:
    """Whether a token is the end of a word that the tokenizer parts: "id", "cannot"."""
    return (
        0 < token < len(sentence.words)
        and sentence.starts[token] == sentence.ends[token - 1]
        and sentence.words[token][0].isalnum()
        and sentence.words[token - 1][-1].isalnum()
    )
