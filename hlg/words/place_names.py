"""Countries, states and large cities: names that are places in whatever document."""

from hlg.words import words

PLACE_NAMES = words("place_names", "place names")
