"""A passage as text to compare and to judge: with what its own words leave out."""

from collections.abc import Iterable

from hlg.records import Passage

LED_BY = 2
"""Statements of a path that stand before the passage it led to: the last ones."""


def with_details(text: str, details: str) -> str:
    """A statement's text with what it leaves out."""
    return f"{text} ({details})" if details else text


def text_with_details(passage: Passage) -> str:
    """A statement with what its text leaves out; a chunk below the context that it is in."""
    if passage.kind == "Chunk" and passage.details:
        return f"{passage.details}\n{passage.text}"
    return with_details(passage.text, passage.details)


def behind_path(text: str, path: Iterable[str]) -> str:
    """What a reranking model judges: the statements that led to a passage, then the passage.

    A second hop says nothing of what the question names; read behind the first it does.

    :param path: statements, the last of which led to the passage.
    """
    leading = [each for each in dict.fromkeys(path) if each not in text]
    return "\n".join([*leading[-LED_BY:], text])
