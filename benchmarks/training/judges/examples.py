"""What the judges learn from: facts and names as extraction sees them, with their marks.

An example holds all that a model needs, so that a file of them is trained on where there is
no extractor, such as on a machine with a GPU.
"""

import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Example", "Examples", "load_examples", "save_examples"]


@dataclass(frozen=True, slots=True)
class Example:
    """A fact or a name of a document of a set.

    ``mark`` is what people said of it, empty if nobody did. ``pair`` is what the cross-encoder
    reads, ``traits`` what the other model sees. Of a fact ``between`` says that both ends are
    names; of a name the rest is what the rules know of it
    (:func:`hlg.ingest.extract.local.names.judge.ruled`).
    """

    set: str
    document: str
    mark: str
    pair: tuple[str, str]
    traits: Mapping[str, float]
    between: bool = False
    entity_class: str = ""
    given: bool = False
    is_topic: bool = False
    told: bool = False
    is_short: bool = False


@dataclass(frozen=True, slots=True)
class Examples:
    """``facts`` and ``names``, marked and not."""

    facts: Sequence[Example] = field(default_factory=list)
    names: Sequence[Example] = field(default_factory=list)


def save_examples(examples: Iterable[Examples], path: Path) -> None:
    """Write examples as gzipped JSON, a line for each document."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for each in examples:
            file.write(json.dumps(asdict(each)) + "\n")


def load_examples(path: Path) -> Examples:
    """All examples of a file of :func:`save_examples`."""
    facts: list[Example] = []
    names: list[Example] = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            found = json.loads(line)
            facts += (_example(each) for each in found["facts"])
            names += (_example(each) for each in found["names"])
    return Examples(facts, names)


def _example(fields: dict[str, Any]) -> Example:
    first, second = fields.pop("pair")
    return Example(pair=(first, second), **fields)
