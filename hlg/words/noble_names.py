"""Ranks of kings and nobles."""

from hlg.words import words

PEERS = words("noble_names", "peers")
"""Ranks that may follow a name: "Edmund of Langley, 1st Duke of York"."""
NOBLE_RANKS = PEERS | words("noble_names", "noble ranks") - {"baronet"}
"""And those that may stand before one."""
