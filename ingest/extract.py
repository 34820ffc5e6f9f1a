"""Extractors by name."""

from hlg.errors import UsageError
from hlg.ingest.base import Extractor

EXTRACTORS = ("local",)


def open_extractor(name: str) -> Extractor:
    """The extractor of that name.

    :raises UsageError: there is none; the message lists the right names.
    """
    if name != "local":
        raise UsageError(f"no extractor {name!r}; choose one of: {', '.join(EXTRACTORS)}")
    from hlg.ingest.local import LocalExtractor

    return LocalExtractor()
