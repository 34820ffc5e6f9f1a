"""A passage as text to compare and to judge: with what its own words leave out."""

from hlg.records import Passage


def with_details(text: str, details: str) -> str:
    """A statement's text with what it leaves out."""
    return f"{text} ({details})" if details else text


def text_with_details(passage: Passage) -> str:
    """A statement with what its text leaves out; a chunk below the context that it is in."""
    if passage.kind == "Chunk" and passage.details:
        return f"{passage.details}\n{passage.text}"
    return with_details(passage.text, passage.details)
