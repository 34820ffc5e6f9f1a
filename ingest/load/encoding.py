"""Bytes to text: marks of byte order, UTF-8, and only then a guess."""

import codecs
import re

from hlg.errors import InputError

_MARKS = (
    # UTF-32's little-endian mark begins with UTF-16's.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
BINARY = "binary, not text"
SAMPLE = 65_536
"""Bytes that tell text from binary, and one encoding from another."""


def decode(data: bytes, declared: str = "") -> str:
    """The text as it stands in a file, all but its byte order mark.

    :param declared: an encoding that the file names itself; tried after UTF-8.
    :raises InputError: the bytes are no text in any encoding that can be recognised.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode(data, encoding)
    if is_binary(data[:SAMPLE]) or b"\0" in data:
        raise InputError(BINARY)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode(data, declared or _guess(data))


def is_binary(sample: bytes) -> bool:
    """Whether bytes have a NUL, or more control characters than any text has."""
    if any(sample.startswith(mark) for mark, _ in _MARKS):
        return False
    return b"\0" in sample or len(_CONTROLS.findall(sample)) * 50 > len(sample)


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise InputError(f"not valid {encoding.removesuffix('-sig').upper()} text") from error


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    # Around the first byte that is not ASCII: there is nothing to tell before it.
    first = next((i for i, byte in enumerate(data) if byte > 127), 0)
    start = max(0, first - SAMPLE // 2)
    best = from_bytes(data[start : start + SAMPLE]).best()
    if best is None:
        raise InputError("its encoding can't be recognised; save it as UTF-8")
    return best.encoding
