"""How a verb is written as a predicate: one spelling for what means the same.

Forms of "be" become "is"; a present tense its third person; a past tense, a participle, a
negation, a modal verb and a particle stay: "founded", "is not", "can carry out",
"was born" as "born", "seeks to facilitate".
"""

from hlg.ingest.extract.local.parse import Sentence

__all__ = ["is_passive", "verb_phrase"]

_BE = frozenset(
    ["be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m", "’s", "’re", "’m"]
)
_HAVE = frozenset(["have", "has", "had", "having", "'ve", "'d", "’ve"])
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
    negated = did = had = passive = False
    for child in sentence.children[verb]:
        lowered = words[child].lower()
        if deps[child] == "neg" or lowered in _NEGATIONS:
            negated = True
        elif deps[child] == "auxpass":
            passive = True
        elif deps[child] == "aux":
            if sentence.tags[child] == "MD":
                before.append(_MODALS.get(lowered, lowered))
            did = did or lowered == "did"
            had = had or lowered in _HAVE
        elif deps[child] == "prt":
            after.append(lowered)
    not_ = ["not"] if negated else []
    if before:
        between = [*(["have"] if had else []), *(["been" if had else "be"] if passive else [])]
        return " ".join([*before, *not_, *between, word, *after])
    if word in _BE and tag != "VBG":
        return " ".join(["is", *not_])
    if negated:
        if tag in ("VBN", "VBG"):
            before = ["is"] if is_passive(sentence, verb) or tag == "VBG" else ["has"]
        elif tag in ("VB", "VBP"):
            before = ["did" if did else "does"]
    elif tag in ("VB", "VBP"):
        word = _third_person(word)
    return " ".join([*before, *not_, word, *after])


def _third_person(word: str) -> str:
    if word in _THIRD_PERSON:
        return _THIRD_PERSON[word]
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"
