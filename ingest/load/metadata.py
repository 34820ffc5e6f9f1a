"""What a file says of itself, held to what a graph can keep: it may say anything."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from hlg.records import Document

LONGEST_TITLE = 1_000
"""Characters."""
MOST_DEPTH = 16
"""Lists and objects in one another."""
MOST_VALUES = 100_000
MOST_CHARACTERS = 2**20
UNREAD = "unread_fields"
"""In a document's metadata: names of fields of it that were left out."""
_MOST_NAMED = 8
_LONGEST_NAME = 60

Item = TypeVar("Item")


def bounded(found: Item) -> Item:
    """A document whose title and metadata are no larger than the bounds; all else as it is.

    A field with which they would be larger is left out, and named in :data:`UNREAD`.
    """
    if not isinstance(found, Document):
        return found
    readable: dict[str, object] = {}
    left_out: list[str] = []
    values = characters = 0
    for name, value in found.metadata.items():
        size = _size(value, MOST_VALUES - values, MOST_CHARACTERS - characters - len(name))
        if size is None:
            left_out.append(name[:_LONGEST_NAME])
        else:
            readable[name] = value
            values, characters = values + size[0], characters + size[1] + len(name)
    if not left_out and len(found.title) <= LONGEST_TITLE:
        return found
    if left_out:
        readable[UNREAD] = left_out[:_MOST_NAMED]
    return replace(found, title=found.title[:LONGEST_TITLE], metadata=readable)


def _size(value: object, values: int, characters: int) -> tuple[int, int] | None:
    """How many values and characters there are in a value of JSON; None beyond the bounds."""
    stack = [(value, 1)]
    count = length = 0
    while stack:
        item, depth = stack.pop()
        count += 1
        if isinstance(item, Mapping):
            length += sum(map(len, item))
            inside = list(item.values())
        elif isinstance(item, list | tuple):
            inside = list(item)
        else:
            length += len(item) if isinstance(item, str) else 1
            inside = []
        if depth > MOST_DEPTH or count + len(inside) > values or length > characters:
            return None
        stack += [(each, depth + 1) for each in inside]
    return count, length
