"""Packed files: their members and what they unpack to, never more than is allowed."""

import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from hlg.errors import InputError
from hlg.ingest.load.file import File
from hlg.ingest.load.limits import Spent

GZIP = b"\x1f\x8b"
ENCRYPTED = 0x1
PIECE = 1 << 20


@contextmanager
def opened_zip(file: File, kind: str) -> Iterator[zipfile.ZipFile]:
    """The members of a ZIP file, which together unpack to no more than the limit.

    The sizes in its directory can be believed: no member gives more than it announces.

    :raises InputError: it is encrypted or too large.
    """
    with zipfile.ZipFile(BytesIO(file.data)) as archive:
        members = archive.infolist()
        file.spent.unpack(sum(member.file_size for member in members))
        if any(member.flag_bits & ENCRYPTED for member in members):
            raise InputError(f"encrypted {kind}; save a copy without its password")
        yield archive


def gunzipped(data: bytes, spent: Spent) -> bytes:
    """What a gzip file holds, its members one after the other.

    :raises InputError: it is broken, or unpacks to more than the limit.
    """
    pieces = []
    try:
        while data:
            member = zlib.decompressobj(wbits=31)
            while not member.eof:
                piece = member.decompress(data, PIECE)
                data = member.unconsumed_tail
                if not piece and not data and not member.eof:
                    raise InputError("broken gzip file: cut off")
                spent.unpack(len(piece))
                pieces.append(piece)
            data = member.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise InputError(f"broken gzip file: {error}") from error
    return b"".join(pieces)
