"""Whether a sentence is typed with care, and a line is an order of a list of changes."""

import re

from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words

_CARELESS = words("facts", "careless")
"""Spellings of those who type as they speak."""
_SLIPS = re.compile(
    r"(?<![\w.])i (?:a[mn]|have|had|was|think|know|want|will|would|can|do|don|never|just|also|agree"
    r"|hope|guess|use|work|like|love|need|find|get|got|go|went|don['’]t)\b"
    r"|(?<!\w)i['’](?:m|ve|ll|d)\b"
    r"|\b(?:dont|doesnt|didnt|cant|couldnt|wont|wouldnt|isnt|wasnt|arent|im|ive|hes|shes|thats)\b"
    r"|(?:^|\s)[:;]-?[()DPp](?!\w)|[a-z]\s?\.{2,}\s*[A-Za-z]|[!?]{2,}|\b[Ll][Oo]+[Ll]\b"
)
_ORDERS = words("facts", "orders")
"""Verbs that a line of a list of changes begins with."""
_MAYBE_ORDERS = words("facts", "maybe orders")
"""Those that are nouns too: they are verbs where a line ends without a full stop."""


def is_careless(text: str) -> bool:
    """Whether a sentence is typed as one talks: small "i", no apostrophes, smileys, dots for
    commas. What is a name in it, and where it ends, can't be told for sure."""
    return bool(_SLIPS.search(text)) or any(word.lower() in _CARELESS for word in text.split())


def is_order(sentence: Sentence) -> bool:
    """Whether a line says what was changed, without saying who did: "Fix compile when ..."."""
    start = _start(sentence)
    first = sentence.words[start].lower()
    after = " ".join(sentence.words[start + 1 : start + 2]).lower()
    maybe = sentence.words[-1][-1] not in ".!?:;" or (
        first == "use" and after not in ("case", "cases", "of")
    )
    return (first in _ORDERS or (first in _MAYBE_ORDERS and maybe)) and (
        sentence.tags[start] != "VBN" and not sentence.words[start].isupper()
    )


def _start(sentence: Sentence) -> int:
    """Where a line begins behind a tag in brackets: "[svg] Fix ..."."""
    words = sentence.words
    if words[0] == "[" and "]" in words[:-1]:
        return words.index("]") + 1
    return 0
