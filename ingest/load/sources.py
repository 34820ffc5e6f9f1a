"""Documents from files, folders, globs and standard input, one at a time.

A document's uri is its file's path with links resolved: relative to the current folder
where it is inside it, else absolute, always with ``/``. So it is the same however the
path was spelt, and a folder of documents can move together with its graph. A record's
uri has ``#`` and its id (or its number, where it has none) behind that; text from
standard input is ``stdin#`` and a hash of it.
"""

import glob
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path
from typing import IO

from hlg.arguments import takes_several
from hlg.errors import InputError
from hlg.ids import content_id
from hlg.ingest.composed import is_composed
from hlg.ingest.load.encoding import SAMPLE, decode
from hlg.ingest.load.file import FileRequest, Found, RecordFields
from hlg.ingest.load.formats import PLAIN_TEXT, format_of
from hlg.ingest.load.limits import Limits, check_size
from hlg.ingest.load.markdown import markdown_title
from hlg.ingest.load.metadata import bounded
from hlg.ingest.load.reader_process import read_files
from hlg.ingest.load.readers.records import is_record, parse_json, read_jsonl
from hlg.ingest.load.selection import OUR_OWN, left_out_kind
from hlg.records import Document
from hlg.reports import Failure, LeftOut

STDIN = "-"
_OF_STDIN = "stdin#"
_LONGEST_PATH = 4096


@takes_several
def load(
    paths: Sequence[str | Path],
    *,
    limits: Limits | None = None,
    fields: RecordFields | None = None,
    ocr_languages: str = "",
) -> Iterator[Found]:
    """The documents that ``paths`` name, in that order, folders sorted by name.

    A path is a file, a folder (searched to its depths, hidden files aside), a glob or
    ``-`` for standard input (a text, or JSONL). In folders, files of no format in
    :data:`hlg.ingest.load.formats.FORMATS` are left out and named as such; a file that is
    named itself is read as text. Each file is read once. What can't be read is a failure
    and never stops the rest.

    :param limits: what one file, or line of a JSONL file, may take.
    :param fields: what the fields of records are called.
    :param ocr_languages: what scans are in, such as ``deu+fra``; empty: what tesseract has.
    :raises HlgError: no process can be started to read the files.
    """
    limits, fields = limits or Limits(), fields or RecordFields()
    seen: set[str] = set()
    for is_stdin, group in groupby(map(str, paths), lambda path: path == STDIN):
        if is_stdin:
            for _ in group:
                yield from read_stdin(sys.stdin.buffer, limits.file_bytes, fields)
        else:
            yield from read_files(
                FileRequest(str(found[0].absolute()), found[1], limits, fields, ocr_languages)
                if isinstance(found, tuple)
                else found
                for found in _files(group, seen)
            )


@takes_several
def list_files(paths: Sequence[str | Path]) -> Iterator[tuple[str, str] | Failure | LeftOut]:
    """What :func:`load` would read, and nothing of it read: each uri with its format's name."""
    seen: set[str] = set()
    for path in map(str, paths):
        if path == STDIN:
            yield STDIN, "standard input"
            continue
        for found in _files([path], seen):
            if isinstance(found, tuple):
                yield found[1], format_of(found[0].name) or PLAIN_TEXT
            else:
                yield found


@takes_several
def sizes_of(paths: Sequence[str | Path]) -> dict[str, int] | None:
    """Bytes of each file that :func:`load` would read, by uri; None with standard input.

    Only names are looked at, so that it takes a moment even for many files.
    """
    named = list(map(str, paths))
    if STDIN in named:
        return None
    sizes = {}
    for found in _files(named, set()):
        if isinstance(found, tuple):
            with suppress(OSError):
                sizes[found[1]] = found[0].stat().st_size
    return sizes


def uri_of(path: str | Path) -> str:
    """The uri of a file: the same however its path is spelt."""
    resolved = Path(os.path.realpath(path))
    here = Path.cwd().resolve()
    return (resolved.relative_to(here) if resolved.is_relative_to(here) else resolved).as_posix()


def is_stdin(uri: str) -> bool:
    """Whether a uri is of text from standard input."""
    return uri.startswith(_OF_STDIN)


@takes_several
def covered_by(paths: Sequence[str | Path]) -> Callable[[str], bool]:
    """Whether a uri is one that these paths could have named: what is gone from them.

    True of every record of a named file, every file under a named folder, and every
    match of a glob; never of a source that was composed and not read.
    """
    roots = [uri_of(path) for path in map(str, paths) if path != STDIN]

    def covers(uri: str) -> bool:
        if is_composed(uri):
            return False
        files = [uri, *(uri[: mark.start()] for mark in re.finditer("#", uri))]
        return any(_is_under(file, root) for file in files for root in roots)

    return covers


def read_stdin(
    stdin: IO[bytes], max_bytes: int, fields: RecordFields
) -> Iterator[Document | Failure]:
    """Records where the first line is one, else one text."""
    first = [stdin.readline(max_bytes + 1)]
    if _is_record_line(first[0], fields):
        lines = lambda limit: first.pop() if first else stdin.readline(limit)  # noqa: E731
        yield from map(bounded, read_jsonl(lines, "stdin", max_bytes, fields))
        return
    try:
        data = first[0] + stdin.read(max_bytes)
        check_size(len(data), max_bytes, "text")
        text = decode(data)
        if not text.strip():
            raise InputError("empty")
        yield Document(f"{_OF_STDIN}{content_id(text)[:12]}", markdown_title(text), text)
    except InputError as error:
        yield Failure("stdin", str(error))


def _is_record_line(line: bytes, fields: RecordFields) -> bool:
    try:
        return is_record(parse_json(line.decode("utf-8-sig")), fields)
    except (UnicodeDecodeError, InputError):
        return False


def _is_under(file: str, root: str) -> bool:
    if root == ".":
        return not file.startswith("/")
    if glob.has_magic(root) and _matches(file.split("/"), root.split("/")):
        return True
    return file == root or file.startswith(f"{root.rstrip('/')}/")


def _matches(parts: Sequence[str], pattern: Sequence[str]) -> bool:
    """Whether a path matches a glob, part by part; ``**`` is any number of folders."""
    if not pattern:
        return not parts
    if pattern[0] == "**":
        return any(_matches(parts[i:], pattern[1:]) for i in range(len(parts) + 1))
    return bool(parts) and fnmatch(parts[0], pattern[0]) and _matches(parts[1:], pattern[1:])


def _files(paths: Iterable[str], seen: set[str]) -> Iterator[tuple[Path, str] | Failure | LeftOut]:
    """The files that arguments name, each once, with their uris.

    :param seen: the uris that were given before; those that are given now are added.
    """
    for path in paths:
        for found in _named_by(path):
            if not isinstance(found, Path):
                yield found
            elif (uri := uri_of(found)) not in seen:
                seen.add(uri)
                yield found, uri


def _named_by(path: str) -> Iterator[Path | Failure | LeftOut]:
    """The files that one argument names."""
    if len(path) > _LONGEST_PATH:
        yield Failure(f"{path[:60]}…", f"{len(path):,} characters, and no path has so many")
        return
    named = Path(path).expanduser()
    try:
        is_folder = named.is_dir()
    except OSError as error:
        yield Failure(path, error.strerror or str(error))
        return
    if is_folder:
        yield from _documents_in(named)
    elif os.path.lexists(named) or not glob.has_magic(path):
        yield named
    else:
        matches = sorted(glob.glob(str(named), recursive=True))  # noqa: PTH207 (may be absolute)
        if not matches:
            yield Failure(path, "nothing matches")
        yield from (_if_document(each) for each in map(Path, matches) if not each.is_dir())


def _documents_in(folder: Path) -> Iterator[Path | Failure | LeftOut]:
    found = False
    for entry in _walk(folder, set()):
        found = found or not isinstance(entry, LeftOut)
        yield entry
    if not found:
        yield Failure(
            uri_of(folder), "no documents in this folder; hlg build --list shows what is there"
        )


def _walk(folder: Path, seen: set[str]) -> Iterator[Path | Failure | LeftOut]:
    """A folder's documents by name, its folders among them; each folder once."""
    real = os.path.realpath(folder)
    if real in seen:
        return
    seen.add(real)
    try:
        entries = sorted(entry for entry in folder.iterdir() if not entry.name.startswith("."))
    except OSError as error:
        yield Failure(uri_of(folder), error.strerror or str(error))
        return
    for entry in entries:
        if entry.is_dir() and not entry.name.endswith(OUR_OWN):
            yield from _walk(entry, seen)
        else:
            yield _if_document(entry)


def _if_document(path: Path) -> Path | Failure | LeftOut:
    """The file, where it is one that folders are searched for."""
    uri = uri_of(path)

    def beginning() -> bytes | None:
        if not stat.S_ISREG(path.stat().st_mode):
            return None
        with path.open("rb") as file:
            return file.read(SAMPLE)

    try:
        kind = left_out_kind(path.name, beginning)
    except OSError as error:
        return Failure(uri, error.strerror or str(error))
    return LeftOut(uri, kind) if kind else path
