"""How a verb is written as a predicate: one spelling for what means the same.

Forms of "be" become "is"; a present tense its third person; a past tense, a participle, a
negation, a modal verb and a particle stay: "founded", "is not", "can carry out",
"was born" as "born", "seeks to facilitate".
"""

from hlg.ingest.parse import Sentence

__all__ = ["is_passive", "verb_phrase"]

_BE = frozenset(
    ["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "’s", "’re", "’m"]
)
_HAVE = frozenset(["have", "has", "had", "having", "'ve", "'d", "’ve"])
_DO = frozenset(["do", "does", "did"])
_NEGATIONS = frozenset(("not", "n't", "never", "n’t"))
_MODALS = {"'ll": "will", "’ll": "will", "wo": "will", "ca": "can", "'d": "would", "’d": "would"}
_THIRD_PERSON = {"have": "has", "'ve": "has", "’ve": "has", "be": "is", "do": "does", "go": "goes"}


def is_passive(sentence: Sentence, verb: int) -> bool:
    """Whether a verb is said of what it was done to."""
    if sentence.tags[verb] != "VBN":
        return False
    auxiliaries = [child for child in sentence.children[verb] if sentence.deps[child] == "aux"]
    if any(sentence.deps[child] == "auxpass" for child in sentence.children[verb]):
        return True
    return not any(sentence.words[child].lower() in _HAVE for child in auxiliaries)


def verb_phrase(sentence: Sentence, verb: int) -> str:
    """A verb as a predicate, with its negation, modal verb and particle."""
    words, deps = sentence.words, sentence.deps
    word, tag = words[verb].lower(), sentence.tags[verb]
    before: list[str] = []
    after: list[str] = []
    negated = did = False
    for child in sentence.children[verb]:
        lowered = words[child].lower()
        if deps[child] == "neg" or lowered in _NEGATIONS:
            negated = True
        elif deps[child] == "aux":
            if sentence.tags[child] == "MD":
                before.append(_MODALS.get(lowered, lowered))
            did = did or lowered in _DO
        elif deps[child] == "prt":
            after.append(lowered)
    if word in _BE and tag != "VBG":
        word = "be" if before else "is"
        return " ".join([*before, "not", word] if negated and before else _negated(word, negated))
    if negated and not before:
        if is_passive(sentence, verb):
            before = ["is"]
        elif tag in ("VB", "VBP") or did:
            past = any(words[child].lower() == "did" for child in sentence.children[verb])
            before = ["did" if past else "does"]
    elif tag in ("VB", "VBP") and not before:
        word = _third_person(word)
    return " ".join([*before, *(["not"] if negated else []), word, *after])


def _negated(word: str, negated: bool) -> list[str]:
    return [word, "not"] if negated else [word]


def _third_person(word: str) -> str:
    if word in _THIRD_PERSON:
        return _THIRD_PERSON[word]
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
