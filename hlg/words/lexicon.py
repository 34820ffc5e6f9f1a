"""English words that extraction knows: which class of thing a noun names, and what points where.

Classes are few and coarse, because an entity is its name and its class: two documents
meet in an entity only where both see the same class in it.
"""

from itertools import chain

from hlg.schema import CONCEPT as CONCEPT
from hlg.words import sections, words

PERSON, ORGANIZATION, PLACE, WORK = "Person", "Organization", "Place", "Work"
EVENT, PRODUCT, GROUP, THING = "Event", "Product", "Group", "Thing"
ANIMAL = "Animal"

VALUE_LABELS = frozenset(
    ("DATE", "TIME", "MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL", "VALUE")
)
"""Labels whose spans are values, never entities."""


_AMBIGUOUS = words("english", "ambiguous nouns")

NOUN_CLASSES: dict[str, str] = {
    noun: class_
    for class_, nouns in sections("noun_classes").items()
    for noun in nouns
    if noun not in _AMBIGUOUS
}
NOUN_CLASSES |= {
    f"{prefix}-{noun}": class_
    for noun, class_ in NOUN_CLASSES.items()
    if class_ == PERSON
    for prefix in ("co", "ex", "vice")
}
"""Class of what a common noun names, for nouns that leave little doubt."""

NAME_WORDS: dict[str, str] = {
    word: class_ for class_, found in sections("name_words").items() for word in found
}
"""Class that a name's last word (or first, "Mount", "Battle", "University") gives it."""

HONORIFICS = words("english", "honorifics")
RANKS = HONORIFICS - {"st", "st."}
"""Honorifics that are no part of a name, as "St Kilda" has one."""
JOINING_WORDS = frozenset(("of", "&", "and", "or"))
"""Before one of these a rank is no rank: "General and administrative"."""
MALE_WORDS = words("english", "male words")
FEMALE_WORDS = words("english", "female words")
ANIMALS = words("english", "animals")
"""What pets and farm animals are called."""
VESSELS = words("english", "vessels")
"""What "she" may mean too."""

MONTHS = words("calendar", "months") | words("calendar", "short months")
CALENDAR = frozenset(chain(*sections("calendar").values()))

HE, SHE, IT, THEY = "he", "she", "it", "they"
PRONOUNS: dict[str, str] = (
    dict.fromkeys(("he", "him", "his", "himself"), HE)
    | dict.fromkeys(("she", "her", "hers", "herself"), SHE)
    | dict.fromkeys(("it", "its", "itself"), IT)
    | dict.fromkeys(("they", "them", "their", "theirs", "themselves"), THEY)
)
"""Third-person pronouns by what they agree with."""

CORPORATE_ENDINGS = words("english", "corporate endings")

VAGUE_NOUNS = words("english", "vague nouns")
"""Nouns that name nothing by themselves."""

STOP_WORDS = words("english", "stop words")
"""Words that say nothing about a text's subject."""

NARROWING_WORDS = words("vague", "narrowing words")
"""Before a noun they say that only some of what it names are meant."""
