"""Games, series, films and books that many texts mention: names that are theirs in whatever
document. Those that are plain words, alone or behind an article, are left out."""

from hlg.words import words

WORK_NAMES = words("work_names", "work names")
NUMBERED_WORKS = words("work_names", "numbered works")
"""Plain words and other names that a number makes works of: "FIFA 23", "Civilization VI"."""
