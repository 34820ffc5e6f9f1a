"""What changes in files and folders, as a build needs to hear of it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from hlg.arguments import takes_several
from hlg.errors import UsageError
from hlg.ingest.extent import file_of
from hlg.ingest.load.sources import STDIN, covered_by, list_files

STEP_MS = 200
"""Changes are told once nothing more has changed for so long …"""
DEBOUNCE_MS = 2_000
"""… or when they have gone on for so long."""
TICK_MS = 1_000


@dataclass(frozen=True, slots=True)
class Changes:
    """What has to be read again, and which sources are gone, by uri."""

    read: tuple[str, ...]
    gone: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.read or self.gone)


@takes_several
def touched(paths: Sequence[str], stop: Event) -> Iterator[frozenset[Path]]:
    """The files and folders under ``paths`` that change, until ``stop`` is set.

    Watching has begun when the first set is given, and it is empty; an empty one comes
    every second in which nothing changes, so that a caller can try again what failed.

    :raises UsageError: a path can't be watched.
    """
    from watchfiles import watch

    for path in paths:
        if path == STDIN or not Path(path).expanduser().exists():
            raise UsageError(
                f"{path}: only files and folders that are there can be watched", option="paths"
            )
    # A file that an editor replaces is another file: its folder is what is watched.
    named = [Path(path).expanduser() for path in paths]
    folders = {each if each.is_dir() else each.absolute().parent for each in named}
    for changes in watch(
        *sorted(folders),
        step=STEP_MS,
        debounce=DEBOUNCE_MS,
        stop_event=stop,
        rust_timeout=TICK_MS,
        yield_on_timeout=True,
    ):
        yield frozenset(Path(path) for _, path in changes)


@takes_several
def changes_of(paths: Sequence[str], changed: Iterable[Path], sources: Iterable[str]) -> Changes:
    """What changed files and folders mean to a graph of ``paths``.

    :param sources: the uris that the graph holds.
    """
    files = [found[0] for found in list_files(paths) if isinstance(found, tuple)]
    is_changed = covered_by(list(changed))
    is_ours = covered_by(paths)
    there = set(files)
    return Changes(
        read=tuple(uri for uri in files if is_changed(uri)),
        gone=tuple(
            uri
            for uri in sources
            if file_of(uri) not in there and uri not in there and is_ours(uri) and is_changed(uri)
        ),
    )
