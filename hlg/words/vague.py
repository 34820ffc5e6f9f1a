"""English words that make a phrase vague or only part of what it names."""

from hlg.words import words

VAGUE_ADJECTIVES = words("vague", "vague adjectives")
"""What begins with one of them names nothing that stands by itself: "other patients"."""
GENERAL_NOUNS = words("vague", "general nouns")
"""Nouns too general to be a thing by themselves."""
NARROWING_WORDS = words("vague", "narrowing words")
"""Before a noun they say that only some of what it names are meant."""
DEMONSTRATIVES = frozenset(("that", "these", "this", "those"))
LOOSE_ENDS = words("vague", "loose ends")
"""No phrase ends with one of them."""
JUDGING_ADJECTIVES = words("vague", "judging adjectives")
"""Adjectives of an "it" that stands for nothing before it: "it is important"."""
