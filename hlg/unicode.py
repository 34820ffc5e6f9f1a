"""Text for libraries that take UTF-8 only, and for terminals, which obey what they are shown."""

import re

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a terminal may obey, or turn round, instead of showing it; tabs and newlines aside."""
_SPACE = re.compile(r"\s+")
_SURROGATES = re.compile("[\ud800-\udfff]")


def without_surrogates(text: str) -> str:
    """The text with U+FFFD in place of each lone surrogate: same length, valid UTF-8."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def counted(label: str, total: int) -> str:
    """How many of a thing there are, in words: "1 entity", "2,000 entities"."""
    plural = {"Entity": "entities", "Community": "communities"}.get(label, f"{label.lower()}s")
    return f"{total:,} {label.lower() if total == 1 else plural}"


def one_line(text: str, width: int = 0) -> str:
    """The text, :func:`printable`, in one line without runs of spaces, cut at ``width``."""
    line = _SPACE.sub(" ", printable(text)).strip()
    return line if not width or len(line) <= width else line[: width - 1].rstrip() + "…"


def printable(text: str) -> str:
    """The text with U+FFFD in place of each :data:`CONTROL` character: same length, valid UTF-8."""
    return CONTROL.sub("\ufffd", text)
