"""A dozen short texts about one invented town, and questions that need two of them."""

from pathlib import Path

__all__ = ["QUESTIONS", "TEXTS"]

TEXTS = Path(__file__).resolve().with_name("texts")
"""Folder of the texts, in Markdown."""

QUESTIONS = (
    "Who founded the yard that built the Petrel?",
    "Who taught the inventor of the tide organ?",
    "In which port was the maker of the tide organ?",
)
"""The answer to each is in a text that the question doesn't name."""
