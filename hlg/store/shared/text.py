"""A reversible escape for the one kind of text that no database holds: lone surrogates.

They are what Python makes of bytes that aren't UTF-8 and of halves of UTF-16 pairs. Each
becomes a character of plane 16's private use area; one that was in that block already
gets an escape character before it. All other text, NUL included, is left as it is.
"""

import re

_SURROGATES = 0xD800
_BLOCK = 0x10F000
_ESCAPE = "\U0010f800"
_SHIFT = _BLOCK - _SURROGATES
_TO_ENCODE = re.compile("[\ud800-\udfff\U0010f000-\U0010f800]")
_TO_DECODE = re.compile("\U0010f800.|[\U0010f000-\U0010f7ff]", re.DOTALL)


def encode_text(text: str) -> str:
    """Text that UTF-8 can hold; ordinary text is given back as the same object."""
    if text.isascii():
        return text
    return _TO_ENCODE.sub(_encode_character, text)


def decode_text(text: str) -> str:
    """The text that :func:`encode_text` was given."""
    if text.isascii():
        return text
    return _TO_DECODE.sub(_decode_character, text)


def _encode_character(match: re.Match[str]) -> str:
    character = match[0]
    if character < "\ue000":
        return chr(ord(character) + _SHIFT)
    return _ESCAPE + character


def _decode_character(match: re.Match[str]) -> str:
    found = match[0]
    return found[1] if found[0] == _ESCAPE else chr(ord(found) - _SHIFT)
