"""Files that are written whole or not at all.

What is written goes into a new file beside the target and is then renamed over it, so that a
full disk, a fault or Ctrl-C leaves what was there, and nobody reads half of it. Only a plain
file, or none, is ever replaced: a device, a pipe or a socket is written to as a stream, and of
a link the target is replaced, not the link.
"""

import os
import secrets
import shutil
import socket
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from hlg.errors import UsageError

_STANDARD_STREAMS = (1, 2)


def write_whole(path: Path, pieces: Iterable[bytes], *, make_folder: bool = False) -> int:
    """Write ``pieces`` to ``path``, which is replaced when all of them are; the bytes written.

    A file that is replaced keeps its permissions, and its owner where that is allowed.

    :param make_folder: make the folder that the file is to be in, where there is none.
    :raises UsageError: ``path`` is a folder or can't be written, or the disk is full.
    """
    found: os.stat_result | None = None
    with _named(path), suppress(FileNotFoundError):
        found = path.stat()
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise UsageError(f"{path} is a folder; give the name of a file", option="out")
    stream = _stream(path, found)
    if stream is not None:
        return _write(stream, pieces, path)
    return _replace(path, Path(os.path.realpath(path)), found, pieces, make_folder)


def write_whole_text(path: Path, text: str, *, make_folder: bool = False) -> int:
    """:func:`write_whole` of a text, in UTF-8."""
    return write_whole(path, [text.encode("utf-8", "backslashreplace")], make_folder=make_folder)


def _stream(path: Path, found: os.stat_result | None) -> BinaryIO | None:
    """What takes bytes at a path where no plain file is to be replaced."""
    if found is None:
        return None
    with _named(path):
        for descriptor in _STANDARD_STREAMS:
            # /dev/stdout, whatever it was sent to: the shell's file is not to be replaced.
            with suppress(OSError):
                if os.path.samestat(os.fstat(descriptor), found):
                    return os.fdopen(os.dup(descriptor), "wb")
        if stat.S_ISSOCK(found.st_mode):
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
                connection.connect(os.fspath(path))
                return connection.makefile("wb")
        if not stat.S_ISREG(found.st_mode):
            return path.open("wb")
    return None


def _replace(
    path: Path,
    target: Path,
    found: os.stat_result | None,
    pieces: Iterable[bytes],
    make_folder: bool,
) -> int:
    if found is not None and not os.access(target, os.W_OK):
        raise UsageError(f"{path} can't be written: it is read-only", option="out")
    partial = target.with_name(f".hlg-{secrets.token_hex(8)}.partial")
    try:
        with _named(path):
            if make_folder:
                target.parent.mkdir(parents=True, exist_ok=True)
            file = partial.open("xb")
        size = _write(file, pieces, path)
        with _named(path):
            if found is not None:
                _keep_owner_and_mode(partial, found)
            partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    return size


def _write(file: BinaryIO, pieces: Iterable[bytes], path: Path) -> int:
    """All pieces on their way, and the file closed; what makes the pieces raises its own errors."""
    size = 0
    try:
        for piece in pieces:
            with _named(path):
                size += file.write(piece)
        with _named(path):
            file.flush()
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                os.fsync(file.fileno())
    finally:
        # What could not be written can't be when it is closed, and that was said.
        with suppress(OSError):
            file.close()
    return size


def _keep_owner_and_mode(partial: Path, found: os.stat_result) -> None:
    with suppress(PermissionError):
        shutil.chown(partial, found.st_uid, found.st_gid)
    partial.chmod(stat.S_IMODE(found.st_mode))


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors of the system as errors that name ``path``; a reader who left is no error of ours."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, FileNotFoundError):
            reason = f"there is no folder {path.parent}"
        raise UsageError(f"{path} can't be written: {reason}", option="out") from error
