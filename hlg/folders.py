"""Where hlg keeps things, and folders that are there whole or not at all.

A draft is written beside its place and renamed into it. Its name holds the process that writes
it, so that what a killed one left can be told from what is being written.
"""

import os
import re
import shutil
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir, mkdtemp

import psutil

_DRAFT = "draft-"
_WRITER = re.compile(rf"{_DRAFT}(\d+)-")


def cache_folder() -> Path:
    """Where hlg keeps what can be had again: ``HLG_CACHE``, else the user's cache."""
    if named := os.environ.get("HLG_CACHE"):
        return Path(named).expanduser()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "hlg"


def beside(address: str, name: str) -> Path:
    """Where what was learned for a store is kept: beside its file; for a server's graphs, in
    ``.hlg``."""
    return Path(".hlg") / name if "://" in address else Path(f"{address}.{name}")


@contextmanager
def draft_of(target: Path) -> Iterator[Path]:
    """A folder to write into that becomes ``target``, unless another process was first.

    :raises OSError: it can't be written, or not be renamed.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f"{_DRAFT}{os.getpid()}-", dir=target.parent))
    try:
        yield draft
        if not target.exists():
            draft.rename(target)
    except OSError:
        if not target.exists():
            raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def temporary_folder(name: str) -> "TemporaryDirectory[str]":
    """A folder for this process among the temporary ones, after removing those that killed
    processes left."""
    for left in Path(gettempdir()).glob(f"hlg-{name}-*-*"):
        process = left.name.split("-")[-2]
        if process.isdecimal() and not psutil.pid_exists(int(process)):
            shutil.rmtree(left, ignore_errors=True)
    return TemporaryDirectory(prefix=f"hlg-{name}-{os.getpid()}-", ignore_cleanup_errors=True)


def sweep(folder: Path, keep: Collection[str]) -> None:
    """Remove the folders in ``folder`` but those to keep, and drafts that are being written."""
    if not folder.is_dir():
        return
    for found in folder.iterdir():
        if found.is_dir() and found.name not in keep and not _is_written(found.name):
            shutil.rmtree(found, ignore_errors=True)


def _is_written(name: str) -> bool:
    writer = _WRITER.match(name)
    return writer is not None and psutil.pid_exists(int(writer[1]))
