"""The triples that a text for a language model holds: what it was written from."""

import re

from hlg.retrieval.context.serialization import Triple

_ESCAPE = re.compile(r"\\(?:u([0-9a-f]{4})|(.))", re.DOTALL)
_OF_LETTER = {"n": "\n", "r": "\r", "t": "\t"}


def parse_triples(text: str) -> list[Triple]:
    """The triples of a text of :func:`triples_text`.

    :raises ValueError: a line is none of them; says which.
    """
    found = []
    for line in filter(None, text.split("\n")):
        parts = line[1:-1].split(", ", 2)
        if len(parts) != 3 or line[0] != "<" or line[-1] != ">":
            raise ValueError(f"not <subject, predicate, object>: {line!r}")
        found.append(Triple(*map(_plain, parts)))
    return found


def parse_grouped(text: str) -> list[Triple]:
    """The triples of a text of :func:`grouped_text`.

    :raises ValueError: a line is none of them; says which.
    """
    found = []
    for line in filter(None, text.split("\n")):
        subject, opened, rest = line.partition(" - ")
        if rest.startswith("("):
            predicates, closed, object_ = rest[1:].partition(") - ")
            each = predicates.split("|")
        else:
            predicate, closed, object_ = rest.partition(" - ")
            each = [predicate]
        if not opened or not closed:
            raise ValueError(f"not subject - (predicate|predicate) - object: {line!r}")
        found += [Triple(_plain(subject), _plain(name), _plain(object_)) for name in each]
    return found


def _plain(text: str) -> str:
    """The text that the text was given."""
    return _ESCAPE.sub(
        lambda found: chr(int(found[1], 16)) if found[1] else _OF_LETTER.get(found[2], found[2]),
        text,
    )
