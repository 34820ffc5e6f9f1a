"""Packed files: their members and what they unpack to, never more than is allowed."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from hlg.errors import InputError
from hlg.ingest.load.limits import Limits

ENCRYPTED = 0x1
PIECE = 1 << 20


@contextmanager
def opened_zip(data: bytes, limits: Limits, kind: str) -> Iterator[zipfile.ZipFile]:
    """The members of a ZIP file, which together unpack to no more than the limit.

    The sizes in its directory can be believed: no member gives more than it announces.

    :raises InputError: it is broken, encrypted or too large, there or while it is read.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            members = archive.infolist()
            limits.check_unpacked(sum(member.file_size for member in members))
            if any(member.flag_bits & ENCRYPTED for member in members):
                raise InputError(f"encrypted {kind}; save a copy without its password")
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, KeyError) as error:
        raise InputError(f"broken {kind}: {str(error).strip(chr(39)) or 'cut off'}") from error


def gunzipped(data: bytes, limits: Limits) -> bytes:
    """What a gzip file holds, its members one after the other.

    :raises InputError: it is broken, or unpacks to more than the limit.
    """
    pieces = []
    size = 0
    try:
        while data:
            member = zlib.decompressobj(wbits=31)
            while not member.eof:
                piece = member.decompress(data, PIECE)
                data = member.unconsumed_tail
                if not piece and not data and not member.eof:
                    raise InputError("broken gzip file: cut off")
                size += len(piece)
                limits.check_unpacked(size)
                pieces.append(piece)
            data = member.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise InputError(f"broken gzip file: {error}") from error
    return b"".join(pieces)
