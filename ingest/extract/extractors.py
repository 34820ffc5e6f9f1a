"""Extractors by name."""

from pathlib import Path

from hlg.errors import UsageError
from hlg.ingest.base import Extractor
from hlg.ingest.composed import COMPOSED, ComposedExtractor

EXTRACTORS = ("local", "replay:FILE")


def open_extractor(name: str) -> Extractor:
    """The extractor of that name; ``replay:FILE`` takes entities and facts from a file.

    :raises UsageError: there is none; the message lists the right names.
    :raises InputError: the file to replay is no file of extractions.
    """
    kind, _, path = name.partition(":")
    if kind == "replay" and path:
        from hlg.ingest.extract.replay import ReplayExtractor

        return ReplayExtractor(Path(path))
    if name == COMPOSED:
        return ComposedExtractor()
    if name != "local":
        raise UsageError(f"no extractor {name!r}; choose one of: {', '.join(EXTRACTORS)}")
    from hlg.ingest.extract.local.extractor import LocalExtractor

    return LocalExtractor()
