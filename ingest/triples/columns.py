"""Which column of a table of triples is what, by the many names that people give them."""

import re
from collections.abc import Sequence

from hlg.facts import FACTUALITY

ROLES = (
    "subject",
    "predicate",
    "object",
    "subject_class",
    "object_class",
    "subject_id",
    "object_id",
    "document",
    "weight",
    *FACTUALITY,
)
"""What a column can be, by its own name."""

_SUBJECTS = ("subject", "subj", "s", "head", "h", "from", "src", "start", "x", "node1", "entity1")
_OBJECTS = ("object", "obj", "o", "tail", "t", "to", "dst", "end", "y", "node2", "entity2")
_PAIRED = ("source", "target")
"""``source`` is the subject where ``target`` is there too, else the document."""
_PREDICATES = (
    *("predicate", "pred", "p", "relation", "rel", "r", "relationship", "property", "edge"),
    *("edge_type", "relation_type", "relationship_type", "display_relation", "type", "label"),
)
_DOCUMENTS = ("document", "document_id", "doc", "doc_id", "reference", "provenance", "source")
_WEIGHTS = ("weight", "score")
_NAMES, _CLASSES, _IDS = ("", "_name"), ("_class", "_type"), ("_id",)
_JOINTS = re.compile(r"[\s\-.:]+")


def find_columns(header: Sequence[str]) -> dict[str, int]:
    """The position of each of :data:`ROLES` that a header names.

    Empty where it doesn't name a subject, a predicate and an object. A subject or object
    that has an id and no name is called by its id.
    """
    keys = [_JOINTS.sub("_", name.strip().casefold()).strip("_") for name in header]
    place = {key: i for i, key in reversed(list(enumerate(keys))) if key}
    found: dict[str, int] = {}

    def take(role: str, names: Sequence[str]) -> bool:
        position = next((place[name] for name in names if name in place), None)
        if position is not None and position not in found.values():
            found[role] = position
        return role in found

    def take_end(role: str, stem: str) -> bool:
        named = take(role, [stem + ending for ending in _NAMES])
        identified = take(f"{role}_id", [stem + ending for ending in _IDS])
        if named or identified:
            take(f"{role}_class", [stem + ending for ending in _CLASSES])
            if not named:
                found[role] = found[f"{role}_id"]
        return named or identified

    subject, object_ = _PAIRED if place.keys() >= set(_PAIRED) else ("", "")
    for role, stems in (("subject", [*_SUBJECTS, subject]), ("object", [*_OBJECTS, object_])):
        if not any(take_end(role, stem) for stem in stems if stem):
            return {}
    if not take("predicate", _PREDICATES):
        return {}
    take("document", _DOCUMENTS)
    take("weight", _WEIGHTS)
    for role in FACTUALITY:
        take(role, [role])
    return {role: found[role] for role in ROLES if role in found}
