"""Lists of words: once for the whole house, as text that is read when a module needs it.

In each file, entries stand between commas under the ``[section]`` that they belong to; a line
that begins with ``#`` is a remark.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

__all__ = ["sections", "word_set", "words"]


def words(file: str, section: str) -> frozenset[str]:
    """The entries of a section of ``{file}.txt``."""
    return frozenset(sections(file)[section])


@cache
def sections(file: str) -> Mapping[str, tuple[str, ...]]:
    """All sections of ``{file}.txt`` by name, in their order; a broken line counts as a space."""
    found: dict[str, tuple[str, ...]] = {}
    text = (files(__name__) / f"{file}.txt").read_text("utf-8")
    lines = "\n" + "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for part in lines.split("\n[")[1:]:
        name, _, entries = part.partition("]\n")
        found[name] = tuple(" ".join(entry.split()) for entry in entries.split(","))
    return MappingProxyType(found)


def word_set(text: str) -> frozenset[str]:
    """The words of a text, as a set: a short list that only one module knows."""
    return frozenset(text.split())
