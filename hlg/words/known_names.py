"""Names that many texts mention, by what they are the names of in whatever document; without
those that are plain words, alone or behind an article."""

from hlg.words import words

PLACE_NAMES = words("known_names", "place names")
"""Countries, states and large cities."""
ORGANIZATION_NAMES = words("known_names", "makers") | words("known_names", "organization names")
WORK_NAMES = words("known_names", "work names") | words("known_names", "numbered works")
"""Games, series, films and books; some are works where a number follows: "FIFA 23"."""
