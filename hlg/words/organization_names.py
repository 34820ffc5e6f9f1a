"""Organisations that many texts mention: names that are theirs in whatever document."""

from hlg.words import words

MAKERS = words("organization_names", "makers")
"""Those after whom what they make is called: "my Garmin", "a Subaru"."""
ORGANIZATION_NAMES = MAKERS | words("organization_names", "organization names")
