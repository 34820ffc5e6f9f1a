"""What limits a whole clause: what a sentence sets before its subject, "In rodents, ...", and
what stands behind a long object."""

from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words
from hlg.words.lexicon import CALENDAR
from hlg.words.vague import DEMONSTRATIVES

__all__ = ["GIVEN_NOUNS", "LIMITING_BEHIND", "setting_before", "setting_behind"]

LONGEST_SETTING = 8
"""Words of what is set before a subject."""
_LIMITING_WORDS = "after among at despite during for in on under upon with within without"
_LIMITING = frozenset(_LIMITING_WORDS.split())
_LIMITING_BEHIND = "after among during following in under upon within without"
LIMITING_BEHIND = frozenset(_LIMITING_BEHIND.split())
"""Prepositions that limit a clause from behind its object: "reduces pain in" mice."""
_LIMITS_NOTHING = words("facts", "limits nothing")
GIVEN_NOUNS = frozenset(("absence", "presence"))
"""What holds in their setting holds nowhere else: "in the absence of VPU"."""
_POINTING = DEMONSTRATIVES | {"our"}


def setting_before(sentence: Sentence, preposition: int) -> str:
    """The phrase of a preposition before a verb's subject, in small letters: "in rodents".

    Empty where it says when, where in the text, or by name; facts of their own tell that.
    """
    words = sentence.words
    if sentence.deps[preposition] != "prep" or words[preposition].lower() not in _LIMITING:
        return ""
    first, end = sentence.left_edge(preposition), sentence.right_edge(preposition) + 1
    before = words[first - 1] if first else ""
    if first != preposition or not (before in ("", ",", "that") or before.isupper()):
        return ""
    if words[end - 1] == ",":
        end -= 1
    if words[end : end + 1] != [","] or not 1 < end - first <= LONGEST_SETTING:
        return ""
    if sentence.heads[preposition] < end or "," in words[first:end]:
        return ""
    if not _limits(sentence, preposition, end):
        return ""
    text = sentence.text(first, end)
    return text[0].lower() + text[1:]


def setting_behind(sentence: Sentence, preposition: int) -> str:
    """The phrase of a verb's preposition behind its object: "under hypoxia"; likewise."""
    words = sentence.words
    if sentence.deps[preposition] != "prep" or words[preposition].lower() not in LIMITING_BEHIND:
        return ""
    end = sentence.right_edge(preposition) + 1
    if words[preposition - 1] == "," or not 1 < end - preposition <= LONGEST_SETTING:
        return ""
    if "," in words[preposition:end] or not _limits(sentence, preposition, end):
        return ""
    return sentence.text(preposition, end)


def _tells_name(sentence: Sentence, noun: int, end: int) -> bool:
    """Whether a name stands behind a noun, and not only before it, as in "HFD-fed mice"."""
    return any(sentence.tags[at] in ("NNP", "NNPS") for at in range(noun, end))


def _limits(sentence: Sentence, preposition: int, end: int) -> bool:
    """Whether a preposition leads to a common noun that says where or how, in few plain words."""
    tags = sentence.tags
    noun = next((c for c in sentence.children[preposition] if sentence.deps[c] == "pobj"), -1)
    if noun < 0 or tags[noun] not in ("NN", "NNS"):
        return False
    if sentence.words[noun].lower() in GIVEN_NOUNS:
        return True
    if sentence.words[noun].lower() in _LIMITS_NOTHING:
        return False
    if any(tags[at] == "CD" for at in range(preposition, end)) or _tells_name(sentence, noun, end):
        return False
    lowered = (word.lower() for word in sentence.words[preposition:end])
    return (CALENDAR | _POINTING).isdisjoint(lowered)
