"""The tools that write: they take what lies in one folder, wherever links in it lead."""

import os
import re
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from threading import Event, Lock
from typing import Annotated

from anyio import CancelScope, from_thread, get_cancelled_exc_class, to_thread
from anyio.lowlevel import current_token
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult
from pydantic import Field

from hlg.errors import UsageError
from hlg.ingest.composed import is_composed
from hlg.ingest.load.sources import is_stdin
from hlg.mcp import results as out
from hlg.mcp.access import Opened
from hlg.mcp.telling import result
from hlg.records import Source
from hlg.reports import BuildReport, Progress
from hlg.unicode import one_line

MOST_LEFT_OUT = 50
_WIDTH = 120
FilePath = Annotated[
    str, Field(description="A file or a folder in the server's folder.", max_length=4096)
]


class Folder:
    """The folder that may be built.

    :raises UsageError: it is none.
    """

    def __init__(self, path: Path) -> None:
        self.root = Path(os.path.realpath(path))
        if not self.root.is_dir():
            raise UsageError(f"--write {path}: there is no such folder", option="write")

    def within(self, path: str) -> Path:
        """Where a path leads, links resolved.

        :raises UsageError: not into the folder.
        """
        try:
            found = Path(os.path.realpath(self.root / path))
        except (OSError, ValueError) as error:
            raise UsageError(f"{path[:80]!r} is no path", option="path") from error
        if not found.is_relative_to(self.root):
            raise UsageError(
                f"{path[:80]!r} is outside the folder: give one inside, such as notes/today.md",
                option="path",
            )
        return found

    def documents(self, path: str) -> Path:
        """The file or folder that a path names, to be built.

        :raises UsageError: it is not there, or it or a link in it leads out of the folder.
        """
        named = self.within(path)
        if not named.exists():
            raise UsageError(f"there is no {path[:80]!r} in the folder", option="path")
        for link in _links_in(named):
            if not Path(os.path.realpath(link)).is_relative_to(self.root):
                raise UsageError(
                    f"{str(link.relative_to(self.root))!r} is a link that leads out of the folder; "
                    "build what lies beside it, file by file",
                    option="path",
                )
        return named

    def holds(self, source: Source, path: Path) -> bool:
        """Whether a source was read from a path, or below it."""
        read = [each for each in source.addresses if not is_composed(each) and not is_stdin(each)]
        files = [each[: mark.start()] for each in read for mark in re.finditer("#|$", each)]
        return any(Path(os.path.realpath(each)).is_relative_to(path) for each in files)


def _links_in(folder: Path) -> Iterator[Path]:
    """Symbolic links among what a build of a folder would look at."""
    for at, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".")]
        for each in (*folders, *files):
            path = Path(at, each)
            if not each.startswith(".") and path.is_symlink():
                yield path


class _Gone(BaseException):
    """Whoever asked for a build has gone away: what is committed stays."""


class WriteTools:
    """What is registered where the graph may be written. One thing is written at a time."""

    def __init__(self, opened: Opened, folder: Folder) -> None:
        self._opened = opened
        self._folder = folder
        self._lock = Lock()

    async def build(
        self, context: Context, path: FilePath = "."
    ) -> Annotated[CallToolResult, out.Built]:
        """Bring the graph up to date with a file, or with the documents of a folder: what is new
        or was changed is read, a changed one takes the place of what was read of it before."""
        token, steps, is_gone, is_done = current_token(), count(1), Event(), Event()

        def show(progress: Progress) -> None:
            if is_gone.is_set():
                raise _Gone
            told = f"{progress.stage}: {progress.line(None, _WIDTH)}"
            from_thread.run(context.report_progress, next(steps), None, told, token=token)

        def work() -> BuildReport:
            try:
                with self._lock:
                    named = self._folder.documents(path)
                    return self._opened().graph.build(named, on_progress=show)
            finally:
                is_done.set()

        try:
            report = await to_thread.run_sync(work, abandon_on_cancel=True)
        except get_cancelled_exc_class():
            is_gone.set()
            with CancelScope(shield=True):
                await to_thread.run_sync(is_done.wait)
            raise
        await context.notify_resources_changed()
        return _built(report)

    async def delete(
        self, context: Context, path: FilePath
    ) -> Annotated[CallToolResult, out.Deleted]:
        """Delete from the graph what was read from a file, or from all files of a folder, and what
        only that supported. The files stay; building them takes them in again."""
        gone = await to_thread.run_sync(lambda: self._delete(path))
        await context.notify_resources_changed()
        model = out.Deleted(deleted=gone)
        before = f"{len(gone)} documents deleted from the graph"
        return result("deleted", model, "\n".join(map(one_line, gone)), before=before)

    def _delete(self, path: str) -> list[str]:
        named = self._folder.within(path)
        at = self._opened()
        with self._lock:
            found = [each for each in at.library.sources() if self._folder.holds(each, named)]
            if not found:
                raise UsageError(
                    f"nothing was read from {path[:80]!r}; sources lists the documents",
                    option="path",
                )
            at.graph.delete([each.id for each in found])
        return [each.uri for each in found]


def _built(report: BuildReport) -> CallToolResult:
    left = [out.Left(uri=each.uri, reason=one_line(each.reason, _WIDTH)) for each in report.failed]
    model = out.Built(
        added=report.added,
        changed=report.changed,
        unchanged=report.skipped,
        left_out=left[:MOST_LEFT_OUT],
        stopped=report.stopped,
    )
    named = "\n".join(f"{one_line(each.uri)}: {each.reason}" for each in model.left_out)
    return result("failed", model, named, before=report.summary(), after=report.stopped)
