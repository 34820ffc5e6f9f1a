"""Whether a text is typed with care, and a line is an order of a list of changes."""

import re

from hlg.ingest.extract.local.parse import Sentence
from hlg.words import words

WORDS_A_SLIP = 60
"""Words for each slip of the pen, up to which a whole text is typed without care."""

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


def is_careless_text(text: str) -> bool:
    """Whether a text is typed as one talks: small "i", no apostrophes, smileys, dots for commas.

    Its sentences can't be told apart for sure, nor its names from its other words.
    """
    words = text.split()
    slips = len(_SLIPS.findall(text)) + sum(word.lower() in _CARELESS for word in words)
    return slips > 0 and slips * WORDS_A_SLIP >= len(words)


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
