"""Questions made of a document's own sentences: what one of its clauses says, less a part.

The part is the subject, an object or complement, or an adjunct with a time, place, sum or name in
it; the question word stands for it, the verb is put before the subject as English does, and what
else the clause says is left out now and then, so that the question is not the sentence again. A
pronoun that opens a sentence is asked about by the document's title.
"""

import random
from collections.abc import Iterator
from typing import Any

SUBJECTS, OBJECTS = ("nsubj", "nsubjpass"), ("dobj", "attr", "oprd", "dative")
KEPT = (*SUBJECTS, *OBJECTS, "prep", "agent", "prt", "neg", "acomp", "advmod", "xcomp", "npadvmod")
AUXILIARIES = ("aux", "auxpass")
FOR_CLASS = {
    "PERSON": "who", "DATE": "when", "TIME": "when", "GPE": "where", "LOC": "where",
    "FAC": "where", "MONEY": "how much", "PERCENT": "what percentage", "CARDINAL": "how many",
    "QUANTITY": "how much", "ORG": "what organization", "WORK_OF_ART": "what work",
    "EVENT": "what event", "LANGUAGE": "what language", "NORP": "what group",
    "PRODUCT": "what product", "LAW": "what law",
}  # fmt: skip
POINTING = frozenset(("he", "she", "it", "they"))
LONGEST, SHORTEST = 30, 5
MOST_WORDS = 8
"""Of an answer."""


def questions(document: Any, title: str, draw: random.Random) -> Iterator[tuple[str, int, int]]:
    """Questions of a parsed document, each with the characters that answer it.

    :param document: spaCy's, with parse and entities.
    """
    for sentence in document.sents:
        verb = sentence.root
        if not SHORTEST <= len(sentence) <= LONGEST or verb.pos_ not in ("VERB", "AUX"):
            continue
        parts = [each for each in verb.children if each.dep_ in KEPT]
        subject = next((each for each in parts if each.dep_ in SUBJECTS), None)
        named = subject is not None and _named(subject, title)
        if subject is None or not named or sentence.text.rstrip().endswith("?"):
            continue
        for part in parts:
            made = _of_part(verb, parts, subject, part, named, draw)
            if made is not None and len(made[0].split()) >= SHORTEST:
                yield made


def _of_part(
    verb: Any, parts: list[Any], subject: Any, part: Any, named: str, draw: random.Random
) -> tuple[str, int, int] | None:
    answer = _answer(part)
    if answer is None or (part is subject and subject.lower_ in POINTING):
        return None
    start, end, class_ = answer
    word = _asking(part, class_, verb, draw)
    if not word:
        return None
    others = [each for each in parts if each is not part and each is not subject]
    kept = [each for each in others if each.dep_ in ("prt", "neg", "acomp", "xcomp", *OBJECTS)]
    kept += [each for each in others if each not in kept and draw.random() < 0.5]
    before = [each for each in verb.children if each.dep_ in AUXILIARIES and each.i < verb.i]
    rest = " ".join(_words(each) for each in sorted(kept, key=lambda each: each.i))
    if part is subject:
        auxiliaries = " ".join(each.text for each in before)
        return _asked(f"{word} {auxiliaries} {verb.text} {rest}"), start, end
    left = "" if part.dep_ not in ("prep", "agent") or word in ("when", "where") else part.text
    if verb.lemma_ == "be":
        said = f"{verb.text} {named} {rest}"
    elif before:
        more = " ".join(each.text for each in before[1:])
        said = f"{before[0].text} {named} {more} {verb.text} {rest}"
    else:
        helps = "did" if verb.tag_ == "VBD" else "does" if verb.tag_ == "VBZ" else "do"
        said = f"{helps} {named} {verb.lemma_} {rest}"
    return _asked(f"{word} {said} {left}"), start, end


def _named(subject: Any, title: str) -> str:
    """What a question calls the subject; nothing where its words alone mean nothing."""
    if subject.lower_ in POINTING:
        return title
    return "" if subject.pos_ == "PRON" else _words(subject)


def _answer(part: Any) -> tuple[int, int, str] | None:
    """The characters that a part answers with, and the class of the name in it."""
    inner = next((each for each in part.children if each.dep_ == "pobj"), None)
    head = inner if part.dep_ in ("prep", "agent") else part
    if head is None or head.pos_ not in ("NOUN", "PROPN", "NUM"):
        return None
    names = [each for each in head.doc.ents if each.start <= head.i < each.end]
    if names and names[0].end - names[0].start <= MOST_WORDS:
        return names[0].start_char, names[0].end_char, names[0].label_
    chunk = [each for each in head.subtree if each.i <= head.i]
    if len(chunk) > MOST_WORDS or chunk[-1].i - chunk[0].i + 1 != len(chunk):
        return None
    if chunk[0].pos_ == "DET" and len(chunk) > 1:
        chunk = chunk[1:]
    return chunk[0].idx, head.idx + len(head), ""


def _asking(part: Any, class_: str, verb: Any, draw: random.Random) -> str:
    """The words that ask for a part; nothing where it is hard to say."""
    if part.dep_ in ("advmod", "acomp", "xcomp", "prt", "neg"):
        return ""
    if class_ in ("CARDINAL", "QUANTITY", "ORDINAL"):
        return ""
    if part.dep_ == "prep" and class_ not in FOR_CLASS and draw.random() < 0.5:
        return ""
    word = FOR_CLASS.get(class_, "what")
    if class_ == "DATE":
        word = draw.choice(("when", "when", "in what year" if part.dep_ == "prep" else "when"))
    if word in ("when", "where") and part.dep_ not in ("prep", "npadvmod"):
        word = "what place" if word == "where" else "what date"
    if class_ in ("GPE", "LOC") and part.dep_ == "prep" and part.lower_ not in ("in", "at", "near"):
        word = "what place"
    if part.dep_ == "prep" and class_ == "PERSON":
        word = "whom" if draw.random() < 0.3 else "who"
    return word.split()[0] if word.startswith("what ") and draw.random() < 0.4 else word


def _words(token: Any) -> str:
    """The words of a phrase without relative clauses and asides."""
    left_out: set[int] = set()
    for each in token.subtree:
        if each.dep_ in ("relcl", "appos", "acl", "advcl", "punct", "parataxis", "conj", "cc"):
            left_out.update(inner.i for inner in each.subtree)
    return " ".join(each.text for each in token.subtree if each.i not in left_out)


def _asked(words: str) -> str:
    said = " ".join(words.split()).replace(" 's", "'s").replace(" - ", "-")
    return f"{said[:1].upper()}{said[1:]}?"
