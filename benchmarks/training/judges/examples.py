"""What the judge of names learns from: names as extraction sees them, with their marks.

An example holds all that a model needs, so that a file of them is trained on where there is
no extractor, such as on a machine with a GPU.
"""

import gzip
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """A name of a document of a set.

    ``mark`` is what people said of it, empty if nobody did. ``pair`` is what the cross-encoder
    reads, ``traits`` what the other model sees. The rest is what the rules know of it
    (:func:`hlg.ingest.extract.local.names.judge.ruled`).
    """

    set: str
    document: str
    mark: str
    pair: tuple[str, str]
    traits: Mapping[str, float]
    entity_class: str = ""
    given: bool = False
    is_topic: bool = False
    told: bool = False


def save_examples(examples: Iterable[Example], path: Path) -> None:
    """Write examples as gzipped JSON, a line for each."""
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for each in examples:
            file.write(json.dumps(asdict(each)) + "\n")


def load_examples(path: Path) -> list[Example]:
    """All examples of a file of :func:`save_examples`."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [_example(json.loads(line)) for line in file]


def _example(fields: dict[str, Any]) -> Example:
    first, second = fields.pop("pair")
    return Example(pair=(first, second), **fields)
