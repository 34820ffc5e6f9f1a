"""Labels of a table's rows: which of them name something without the rows around them."""

from hlg.models.spacy_pipeline import english_describing_words, is_english_noun, is_english_verb
from hlg.words import words
from hlg.words.no_names import NO_NAMES

_NO_FIRST_WORDS = words("names", "no first words")
"""What a row's label begins with that says something only beside the other rows."""
_STATES = frozenset(
    ("balance", "balances", "outstanding", "unvested", "nonvested", "released", "vested")
)
_ALWAYS_SMALL = words("names", "always small")


def is_titled(text: str) -> bool:
    """Whether all of a label's words begin as names do: "Lumen Press", not "Deferred revenue"."""
    words = [word for word in text.split() if word.lower() not in _ALWAYS_SMALL]
    return bool(words) and all(not word[0].isalpha() or word[0].isupper() for word in words)


def is_label(cell: str) -> bool:
    """Whether a row's label names something without the rows around it; not "Less: costs", "Other",
    "At end of the year", "Vested", "Balance as at 1 April"."""
    words = cell.lower().replace(":", " ").split()
    return bool(words) and not (
        words[0] in _NO_FIRST_WORDS
        or " as at " in cell
        or " as of " in cell
        or (":" in cell and " " in cell)
        or (cell[0].isdigit() and " " in cell and words[1] in ("-", "–", "to"))
        or (words[0] in _STATES and not {"of", "at"}.isdisjoint(words))
        or (len(words) == 1 and not is_english_noun(words[0]) and _describes(words[0]))
        or (len(words) == 1 and words[0] in ("other", "others", "total", "balance", "foreign"))
    )


def tells_what_follows(heading: str) -> bool:
    """Whether a heading says what stands below it and not of what: "Technical data"."""
    *before, last = heading.lower().split() or [""]
    return last in NO_NAMES and all(_describes(each) or is_english_noun(each) for each in before)


def _describes(word: str) -> bool:
    return word in english_describing_words() or is_english_verb(word)
