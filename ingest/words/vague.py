"""English words that make a phrase vague, doubtful or only part of what it names."""

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


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


VAGUE_ADJECTIVES = _words(
    """
    above additional adequate alternative another anticipated appropriate available below best
    better certain common comparable corresponding current different eligible entire equal exact
    existing expected extra final first following former full further good great high higher huge
    important incoming individual initial insufficient large larger latter less little long low
    lower main major many more most much multiple necessary new next numerous old other overall own
    particular possible previous primary proper recent relevant respective same second several short
    significant similar simple single small smaller sole special specific such total true various
    whole wide wrong
    """
)
"""What begins with one of them names nothing that stands by itself: "other patients"."""
GENERAL_NOUNS = _words(
    """
    ability access action actions activity amount amounts analysis approach approaches area
    areas authors benefits cases cause causes change changes characteristics child children
    circumstances companies conclusion conclusions condition conditions control costs countries
    data date dates days decision decisions details development difference differences effect
    effects effort efforts elements events evidence examples experience experiments factors
    features files findings folks form forms friends function functions game games goal goals
    groups guys hours idea ideas impact individuals information instances interest issues items
    kids kinds level levels life list lists location locations measures mechanisms members
    memories men method methods minutes models moments months names needs numbers objects
    observations opportunities options others outcome outcomes parameters parents participants
    parties patients patterns people persons places plans players points positions practices
    problems process processes products programs progress properties questions reason reasons
    requirements research resources responses results returns risk risks role roles rules sales
    sections services sets settings shares sites situations skills solutions someone sources
    stage standards state statements states steps strategies studies study subjects success
    support surroundings system systems tasks team teams terms tests themes things time times
    tool tools topics total trends type types user users values variables version versions views
    ways weeks women words work works world years
    """
)
"""Nouns too general to be a thing by themselves."""
NARROWING_WORDS = _words(
    """
    all another any both certain each either enough her his its many most my other
    our several some such that their these this those your
    """
)
"""Before a noun they say that only some of what it names are meant."""
ADVERBS_OF_DOUBT = _words(
    """
    allegedly almost apparently formerly initially likely maybe nearly once originally ostensibly
    perhaps possibly potentially presumably previously probably purportedly reportedly supposedly
    temporarily theoretically traditionally transiently unlikely virtually
    """
)
"""They leave open whether something is so, or is so now."""
ADVERBS_OF_REVERSAL = _words("conversely inversely negatively oppositely reversely wrongly")
"""They turn what a verb says around: "inversely correlated"."""
ADVERBS_OF_EXTENT = _words(
    """
    commonly frequently generally mainly mostly normally occasionally often only partially
    partly primarily sometimes typically usually
    """
)
"""They say how often or how far something is so; without them it is so always."""
DEMONSTRATIVES = _words("that these this those")
NOUNS_OF_FACT = _words(
    """
    discovery evidence fact finding knowledge news proof realisation
    """
)
"""What follows them with "that" is so."""
NOUNS_OF_CLAIM = _words(
    """
    allegation argument assertion assumption belief claim conjecture fear feeling hope hypothesis
    idea impression notion opinion possibility prediction rumor rumors rumour rumours story
    suggestion suspicion theory view
    """
)
"""What follows them with "that" is only said or thought."""
LOOSE_ENDS = _words(
    """
    a an and as at but by for from in into of on or than the to with
    """
)
"""No phrase ends with one of them."""
JUDGING_ADJECTIVES = _words(
    """
    advisable clear common crucial difficult easy essential good great hard important impossible
    likely necessary nice obvious possible true unclear unlikely vital worth
    """
)
"""Adjectives of an "it" that stands for nothing before it: "it is important"."""
SET_PHRASE_NOUNS = _words(
    """
    addition case detail example fact general instance order part particular practice theory total
    turn
    """
)
"""With a preposition they lead to nothing: "in order", "for example"."""
