"""Spans ``[start, end)`` of a text."""

from typing import TypeAlias

Span: TypeAlias = tuple[int, int]


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without the white space at its ends."""
    piece = text[start:end]
    return end - len(piece.lstrip()), start + len(piece.rstrip())
