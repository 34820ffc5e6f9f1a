"""English words that make a phrase vague, doubtful or only part of what it names."""

from hlg.words import words

__all__ = [
    "ADVERBS_OF_DOUBT",
    "ADVERBS_OF_EXTENT",
    "ADVERBS_OF_REVERSAL",
    "DEMONSTRATIVES",
    "GENERAL_NOUNS",
    "JUDGING_ADJECTIVES",
    "LOOSE_ENDS",
    "NARROWING_WORDS",
    "NOUNS_OF_CLAIM",
    "NOUNS_OF_FACT",
    "SET_PHRASE_NOUNS",
    "VAGUE_ADJECTIVES",
]


VAGUE_ADJECTIVES = words("vague", "vague adjectives")
"""What begins with one of them names nothing that stands by itself: "other patients"."""
GENERAL_NOUNS = words("vague", "general nouns")
"""Nouns too general to be a thing by themselves."""
NARROWING_WORDS = words("vague", "narrowing words")
"""Before a noun they say that only some of what it names are meant."""
ADVERBS_OF_DOUBT = words("vague", "adverbs of doubt")
"""They leave open whether something is so, or is so now."""
ADVERBS_OF_REVERSAL = frozenset(
    ("conversely", "inversely", "negatively", "oppositely", "reversely", "wrongly")
)
"""They turn what a verb says around: "inversely correlated"."""
ADVERBS_OF_EXTENT = words("vague", "adverbs of extent")
"""They say how often or how far something is so; without them it is so always."""
DEMONSTRATIVES = frozenset(("that", "these", "this", "those"))
NOUNS_OF_FACT = words("vague", "nouns of fact")
"""What follows them with "that" is so."""
NOUNS_OF_CLAIM = words("vague", "nouns of claim")
"""What follows them with "that" is only said or thought."""
LOOSE_ENDS = words("vague", "loose ends")
"""No phrase ends with one of them."""
JUDGING_ADJECTIVES = words("vague", "judging adjectives")
"""Adjectives of an "it" that stands for nothing before it: "it is important"."""
SET_PHRASE_NOUNS = words("vague", "set phrase nouns")
"""With a preposition they lead to nothing: "in order", "for example"."""
