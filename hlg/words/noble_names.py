"""Words of the names of kings and nobles: ranks, and given names that are rare elsewhere."""

from hlg.words import words
from hlg.words.given_names import GIVEN_NAMES

PEERS = words("noble_names", "peers")
"""Ranks that may follow a name: "Edmund of Langley, 1st Duke of York"."""
NOBLE_RANKS = PEERS | words("noble_names", "noble ranks") - {"baronet"}
"""And those that may stand before one."""

NOBLE_GIVEN_NAMES = (GIVEN_NAMES | words("noble_names", "rare given names")) - words(
    "noble_names", "no given names"
)
"""Given names that with a place behind them name a person: "Philippa of Hainault"."""
SECOND_NAMES = words("noble_names", "second names")
"""Second given names, hardly anyone's surname: "Caroline Amalie of Augustenburg"."""
