"""Which names a statement says, and how many statements say each."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from hlg.names import normalize_name
from hlg.records import Entity, Statement

_WORD = re.compile(r"\w+(?:['’.&-]\w+)*")


class SaidWords:
    """The words of a statement, to look normalised names up in."""

    def __init__(self, text: str) -> None:
        self._words = f" {' '.join(_WORD.findall(normalize_name(text)))} "

    def __contains__(self, key: object) -> bool:
        return f" {' '.join(_WORD.findall(str(key)))} " in self._words


def counted(statements: Iterable[Statement], entities: Mapping[str, Entity]) -> tuple[Entity, ...]:
    """The entities, by id, that statements mention; ``degree`` counts those of each.

    :param entities: by id.
    """
    degrees = Counter(id_ for each in statements for id_ in each.entity_ids)
    return tuple(replace(entities[id_], degree=degrees[id_]) for id_ in sorted(degrees))
