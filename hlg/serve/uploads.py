"""Files that are sent to the page: taken into one folder, and built into the graph one batch
after the other."""

import re
import secrets
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from threading import Lock, Thread
from time import monotonic

from hlg.errors import HlgError, UsageError
from hlg.graph import LexicalGraph
from hlg.ingest.load.formats import FORMATS
from hlg.ingest.load.sources import uri_of
from hlg.reports import BuildReport, Pace, Progress
from hlg.serve.models import BuildDocument, FileDocument, Upload

MOST_LISTED = 200
"""Files that the page still tells of; the oldest are forgotten."""
_NAME = re.compile(r"[\w][\w .,()+&'-]*")
_LONGEST = 200
_WIDTH = 120
WAITING, BUILDING, DONE, LEFT_OUT = "waiting", "building", "done", "left out"


class Uploads:
    """Takes files into a folder and has them built, in a thread while any is waiting.

    :param folder: is made where it is missing; nothing is written outside it.
    """

    def __init__(self, graph: LexicalGraph, folder: Path) -> None:
        self._graph = graph
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(
                f"{folder} can't take files: {error.strerror}", option="write"
            ) from error
        self.folder = folder.resolve()
        self.most_bytes = graph.settings.max_file_mb * 2**20
        self._files: dict[str, FileDocument] = {}
        self._progress = ""
        self._lock = Lock()
        self._builder: Thread | None = None

    def check(self, given: Upload, length: str | None) -> None:
        """See that a file can be taken, before it is read.

        :param length: what the request says of its size in bytes.
        :raises UsageError: its name or its size does not do, or there is one of that name.
        """
        name = given.name
        if not _NAME.fullmatch(name) or len(name.encode()) > _LONGEST:
            raise UsageError(
                f"{name!r} is no name for a file here: letters, digits, spaces and .,()+&'-_, "
                f"{_LONGEST} bytes at most, and no folder",
                option="name",
            )
        suffixes = {suffix for row in FORMATS.values() for suffix in row.suffixes}
        if not name.lower().endswith(tuple(suffixes)):
            raise UsageError(
                f"{name!r} is of no kind that is read; docs/formats.md lists them", option="name"
            )
        if length and length.isdecimal() and int(length) > self.most_bytes:
            raise self._too_large(name)
        if (self.folder / name).exists() and not given.replace:
            raise UsageError(f"there is a file {name!r} already; replace=true replaces it")

    def _too_large(self, name: str) -> UsageError:
        limit = self._graph.settings.max_file_mb
        return UsageError(f"{name!r} is of more than {limit} MiB; raise the setting max_file_mb")

    async def take(
        self, given: Upload, length: str | None, body: AsyncIterator[bytes]
    ) -> BuildDocument:
        """Write a file whole or not at all, and have it built.

        :raises UsageError: as :meth:`check`.
        """
        self.check(given, length)
        draft = self.folder / f".{secrets.token_hex(8)}.part"
        try:
            with draft.open("xb") as out:
                size = 0
                async for piece in body:
                    size += len(piece)
                    if size > self.most_bytes:
                        raise self._too_large(given.name)
                    out.write(piece)
            draft.replace(self.folder / given.name)
        except OSError as error:
            raise UsageError(f"{given.name!r} can't be written: {error.strerror}") from error
        finally:
            draft.unlink(missing_ok=True)
        self._add(given.name)
        return self.state()

    def remove(self, addresses: Iterable[str]) -> None:
        """Remove the files of these addresses that lie in the folder: they are built no more."""
        for address in addresses:
            path = Path(address.partition("#")[0])
            if path.is_file() and path.parent.resolve() == self.folder:
                path.unlink()

    def state(self) -> BuildDocument:
        """The files, the latest first, and how far the build is."""
        with self._lock:
            return BuildDocument(
                is_running=self._builder is not None,
                progress=self._progress,
                files=list(self._files.values())[::-1],
            )

    def close(self) -> None:
        """Wait for the build that is going on; what is still waiting is not begun."""
        with self._lock:
            for name, file in self._files.items():
                if file.state == WAITING:
                    self._files[name] = FileDocument(name=name, state=LEFT_OUT, reason="stopped")
            builder = self._builder
        if builder is not None:
            builder.join()

    def _add(self, name: str) -> None:
        with self._lock:
            self._files.pop(name, None)
            self._files[name] = FileDocument(name=name, state=WAITING)
            for oldest in list(self._files)[:-MOST_LISTED]:
                del self._files[oldest]
            if self._builder is None:
                self._builder = Thread(target=self._work, name="hlg build")
                self._builder.start()

    def _work(self) -> None:
        while names := self._next():
            paths = {name: self.folder / name for name in names}
            pace = Pace(monotonic())

            def show(progress: Progress, pace: Pace = pace) -> None:
                left = pace.left(progress, monotonic())
                self._progress = f"{progress.stage}: {progress.line(left, _WIDTH)}"

            try:
                report = self._graph.build(list(paths.values()), on_progress=show)
                reasons = _reasons(report, paths)
            except HlgError as error:
                reasons = dict.fromkeys(names, str(error))
            except Exception as error:
                reasons = dict.fromkeys(names, f"a fault in hlg: {type(error).__name__}: {error}")
            with self._lock:
                for name in names:
                    reason = reasons.get(name, "")
                    state = LEFT_OUT if reason else DONE
                    self._files[name] = FileDocument(name=name, state=state, reason=reason)

    def _next(self) -> list[str]:
        """The files that wait; with none the thread ends."""
        with self._lock:
            names = [each.name for each in self._files.values() if each.state == WAITING]
            for name in names:
                self._files[name] = FileDocument(name=name, state=BUILDING)
            if not names:
                self._builder, self._progress = None, ""
            return names


def _reasons(report: BuildReport, paths: dict[str, Path]) -> dict[str, str]:
    """Why files were left out, by their name."""
    uris = {uri_of(path): name for name, path in paths.items()}
    told = [(each.uri, each.reason) for each in report.failed]
    told += [(each.uri, f"{each.kind}: of no kind that is read") for each in report.left_out]
    found = {uris[uri]: reason for uri, reason in told if uri in uris}
    if report.stopped:
        found |= {name: report.stopped for name in paths if name not in found}
    return found
