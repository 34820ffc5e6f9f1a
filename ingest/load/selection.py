"""Which files of a folder or an archive are documents, by their names and first bytes."""

import mimetypes
import zlib
from collections.abc import Callable
from contextlib import suppress

from hlg.ingest.load.archive import GZIP
from hlg.ingest.load.encoding import SAMPLE, is_binary
from hlg.ingest.load.file import suffix_of
from hlg.ingest.load.formats import format_of, unpacked_name

OUR_OWN = (".lbug", ".lbug.lock", ".lbug.readers.lock", ".lbug.wal", ".lbug.snapshots")
_SETTINGS = "hlg.toml"
"""Holds keys and passwords."""
_KINDS = {"image": "pictures", "audio": "sound", "video": "films", "font": "fonts"}
_KINDS_BY_SUFFIX = {
    "graphs of hlg": OUR_OWN,
    "packed files": (".7z", ".bz2", ".deb", ".rar", ".tar", ".tgz", ".whl", ".xz", ".zst"),
    "binary files": (".bin", ".class", ".dll", ".exe", ".jar", ".o", ".pyc", ".so"),
}
_NOT_PROSE = (".css", ".lock", ".map", ".min.js", ".po", ".pot", ".inv")


def is_hidden(path: str) -> bool:
    """Whether a name of an archive's member is one that a folder would not show."""
    parts = path.split("/")
    return "__MACOSX" in parts or any(part.strip(".") and part.startswith(".") for part in parts)


def left_out_kind(name: str, beginning: Callable[[], bytes | None]) -> str:
    """The kind of a file that is no document, or nothing.

    :param beginning: gives its first bytes, where its name does not tell; None if it is no
        regular file.
    """
    name = unpacked_name(name.lower())
    if name.rpartition("/")[2] == _SETTINGS:
        return "settings of hlg"
    for kind, suffixes in _KINDS_BY_SUFFIX.items():
        if name.endswith(suffixes):
            return kind
    if name.endswith(_NOT_PROSE):
        return f"{suffix_of(name)} files"
    if suffix_of(name) and format_of(name):
        return ""
    media = (mimetypes.guess_type(name)[0] or "").partition("/")[0]
    if media in _KINDS:
        return _KINDS[media]
    sample = beginning()
    if sample is None:
        return "no regular files"
    if sample.startswith(GZIP):
        with suppress(zlib.error):
            sample = zlib.decompressobj(wbits=31).decompress(sample, SAMPLE)
    if is_binary(sample):
        return "binary files"
    return "" if format_of(name) else f"{suffix_of(name)} files"
