"""Extractors by name."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hlg.registry import Registry, Row

if TYPE_CHECKING:
    from hlg.ingest.base import Extractor

EXTRACTORS: "Registry[Row[Callable[[Any], Extractor]]]" = Registry(
    "extractor",
    {
        "local": Row(
            "English grammar, with no language model",
            "hlg.ingest.extract.local.extractor",
            "open_local",
        ),
        "replay": Row(
            "entities and triples that a model has extracted before, from a file",
            "hlg.ingest.extract.replay",
            "open_replay",
            argument="FILE",
        ),
    },
)
"""Every extractor, in the order in which lists show them; each is opened with its options, its
argument, or None."""


def open_extractor(text: str) -> "Extractor":
    """The extractor that a text names; ``replay:FILE`` takes entities and facts from a file.

    :raises UsageError: there is none; the message lists the right names.
    :raises InputError: the file to replay is no file of extractions.
    """
    from hlg.ingest.composed import COMPOSED, ComposedExtractor

    if text == COMPOSED:
        return ComposedExtractor()
    opener, given = EXTRACTORS.open(text)
    extractor: Extractor = opener(given)
    return extractor
