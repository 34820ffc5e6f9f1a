"""Which questions are never learned from: a third, those of one document together."""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

PARTS = 3
"""One part of so many is held out."""
LINKED = ("2wiki_ctx", "2wiki_kgrag", "hotpotqa", "multihoprag", "musique_train100")
"""Sets whose questions go over several documents, and are told apart by themselves."""


def is_held_out(name: str, query: Mapping[str, Any]) -> bool:
    """Whether a question of a data set is kept to measure by.

    :param query: a line of its ``queries.jsonl``.
    """
    return part_of(group(name, query), PARTS) == 0


def part_of(text: str, parts: int) -> int:
    """One of so many parts, by hash."""
    digest = blake2b(text.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % parts


def group(name: str, query: Mapping[str, Any]) -> str:
    """What questions that belong together have in common: their document, scene or contract."""
    documents = sorted(query.get("gold") or query.get("near") or ())
    if name in LINKED or not documents:
        return str(query["_id"])
    if name == "friendsqa":
        return str(documents[0]).rpartition("-")[0]
    if name == "cuad":
        return str(query["_id"]).rpartition("-")[0]
    return str(documents[0]).partition("-")[0] if name == "condaqa" else str(documents[0])
