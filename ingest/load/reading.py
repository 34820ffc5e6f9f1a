"""Reading a file by its kind, and what is in it by theirs; what a reader raises names the file."""

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from hlg.errors import InputError
from hlg.ingest.load.archive import GZIP, gunzipped, opened_zip
from hlg.ingest.load.blocks import one_line
from hlg.ingest.load.encoding import SAMPLE
from hlg.ingest.load.file import File, FileRequest, Found
from hlg.ingest.load.formats import (
    ARCHIVE,
    FORMATS,
    PLAIN_TEXT,
    format_of,
    recognised,
    title_of_name,
    unpacked_name,
)
from hlg.ingest.load.limits import Spent, check_size
from hlg.ingest.load.metadata import bounded
from hlg.ingest.load.readers.records import LONGEST_ID, read_jsonl
from hlg.ingest.load.selection import is_hidden, left_out_kind
from hlg.ingest.text.language import detect_language
from hlg.records import Document
from hlg.reports import Failure, LeftOut

MOST_MEMBERS = 10_000
"""Files of an archive."""
LONGEST_REASON = 200
"""Characters of what a library says of a broken file."""


def read_file(request: FileRequest) -> Iterator[Found]:
    """The documents in a file; a kind that isn't known is read as plain text.

    What can't be read is a failure with its reason, whatever its reader raises.

    :raises MemoryError: there is no room for it.
    """
    path = Path(request.path)
    try:
        with _opened(path) as stream:
            if request.is_stream:
                most = request.limits.file_bytes
                found = read_jsonl(stream.readline, request.uri, most, request.fields)
                yield from (_described(each, "JSONL") for each in found)
                return
            check_size(os.fstat(stream.fileno()).st_size, request.limits.file_bytes, "file")
            data = stream.read()
    except Exception as error:
        yield _failure(request.uri, "JSONL", error)
        return
    # A link is read as what it is called, and has the title that its target has.
    title = title_of_name(PurePosixPath(request.uri).name)
    spent = Spent(request.limits)
    yield from read_inside(
        File(data, request.uri, path.name, spent, title, request.fields, request.ocr_languages)
    )


def _opened(path: Path) -> BinaryIO:
    try:
        if stat.S_ISREG(path.stat().st_mode):
            return path.open("rb")
    except OSError as error:
        raise InputError(error.strerror or str(error)) from error
    raise InputError("not a regular file")


def read_inside(file: File) -> Iterator[Found]:
    """The documents in a file's bytes, as :func:`read_file`."""
    kind = format_of(file.name) or PLAIN_TEXT
    try:
        if file.data.startswith(GZIP):
            data = gunzipped(file.data, file.spent)
            file = replace(file, data=data, name=unpacked_name(file.name))
        kind = recognised(file) or kind
        if not file.data.strip():
            raise InputError("empty")
        file = replace(file, title=file.title or title_of_name(file.name))
        for found in FORMATS[kind].load()(file):
            if isinstance(found, Document) and not found.text.strip():
                yield Failure(found.uri, "empty")
            else:
                yield _described(found, kind)
    except Exception as error:
        yield _failure(file.uri, kind, error)


def _failure(uri: str, kind: str, error: Exception) -> Failure:
    """Why a file is left out: what hlg says of it, or what a library fell over."""
    if isinstance(error, MemoryError):
        raise error
    if isinstance(error, InputError):
        return Failure(uri, str(error))
    if isinstance(error, RecursionError):
        return Failure(uri, "too deeply nested")
    said = one_line(str(error))[:LONGEST_REASON]
    return Failure(uri, f"broken {kind} file: {type(error).__name__}{said and f': {said}'}")


def _described(found: Found, kind: str) -> Found:
    """The document with its language, and the format it came from."""
    if not isinstance(found, Document) or found.format:  # what is inside has its own
        return found
    found = bounded(found)
    metadata = found.metadata
    if language := detect_language(found.text):
        metadata = {**metadata, "language": metadata.get("language") or language}
    return replace(found, metadata=metadata, format=kind)


def read_archive(file: File) -> Iterator[Found]:
    """The documents in a ZIP archive, by the names of its members, as a folder's are by its files.

    Those names are never paths: a member is read from the archive's own bytes.

    :raises InputError: it has too many members, or they unpack to too much.
    """
    with opened_zip(file, ARCHIVE) as archive:
        members = [each for each in archive.infolist() if not each.is_dir()]
        shown = [each for each in members if not is_hidden(each.filename)]
        if len(shown) > MOST_MEMBERS:
            raise InputError(f"an archive of more than {MOST_MEMBERS:,} files")
        if not shown:
            raise InputError("no file in it")
        for member in sorted(shown, key=lambda each: each.filename):
            name = member.filename
            try:
                if len(name) > LONGEST_ID:
                    raise InputError(f"its name has more than {LONGEST_ID:,} characters")
                inside = file.inside(archive.read(member), name)
            except Exception as error:
                yield _failure(f"{file.uri}#{name[:LONGEST_ID]}", ARCHIVE, error)
                continue
            if kind := left_out_kind(name, partial(bytes, inside.data[:SAMPLE])):
                yield LeftOut(inside.uri, kind)
            else:
                yield from read_inside(inside)
