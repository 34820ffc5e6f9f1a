"""Text for libraries that take UTF-8 only."""

import re

_SURROGATES = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    """The text with U+FFFD in place of each lone surrogate: same length, valid UTF-8."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)
