"""Common given names: a name that begins with one is a person's, in whatever document."""

from hlg.words import words

__all__ = ["GIVEN_NAMES"]

GIVEN_NAMES = words("given_names", "given names") - words("given_names", "also other things")
"""Without those that begin names of other things at least as often."""
