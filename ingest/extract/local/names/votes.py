"""How much each kind of evidence counts for a name's class."""

GIVEN, SURE, UNSURE = 60, 4, 1
"""Votes for a class: by the name's own words, by a model, and by a guess."""
TOLD = 12
"""Votes of a sentence that says what a name is."""
