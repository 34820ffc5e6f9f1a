"""Words of statements of accounts: periods, what is measured, and what moves a balance."""

import re

from hlg.words import sections, words

PERIOD_WORDS = words("accounts", "period words")
"""What stands beside a date in a column's header."""
_MEASURED = "|".join(sections("accounts")["measured"])
MEASURES = re.compile(rf"(?i)\b(?:{_MEASURED})\w*")
"""What a row's label or section says was measured."""
MOVES = words("accounts", "moves")
"""Headers that say nothing without the section that a row is of."""
