"""The Ladybug engine: opening a file, running named statements, transactions, errors."""

import logging
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from time import monotonic, sleep
from typing import Any, TypeAlias, TypeVar

import ladybug
import psutil
import pyarrow as pa
from filelock import FileLock, Timeout

from hlg import cypher
from hlg.errors import StoreDenied, StoreError, StoreLocked, StoreMissing
from hlg.store.shared.rows import EdgeKind

BUFFER_POOL_BYTES = 1 << 30
CHECKPOINT_BYTES = 1 << 26
"""A checkpoint costs as much as writing a few thousand statements; the log is moved into
the file when it is as large as this."""
LOCK_SECONDS = 5.0
"""How long a second writer waits for the first before it gives up."""
RETRY_SECONDS = 0.05

_logger = logging.getLogger(__name__)
_LOCK_HOLDER = re.compile(r"held by PID (\d+)")

Result = TypeVar("Result")
Work: TypeAlias = Callable[["Session"], Result]


@dataclass(frozen=True, slots=True)
class Lacks:
    """What the file of an older hlg has no tables for: types of relationships.

    ``instead`` names what answers for a statement about them; nothing: there are no rows.
    """

    types: frozenset[str] = frozenset()
    instead: Mapping[str, str] = field(default_factory=dict)


class Session:
    """One connection. A table given to a statement may be given to one only: the engine
    keeps and reuses what it prepared for it, and frees that when the connection closes."""

    def __init__(self, database: ladybug.Database, path: Path) -> None:
        self._connection = ladybug.Connection(database)
        self._path = path
        self.lacks = Lacks()

    def __call__(
        self,
        name: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        label: str | None = None,
        edge: EdgeKind | None = None,
        property: str | None = None,
    ) -> list[Any]:
        """What a statement of :mod:`hlg.cypher` returns: rows, embeddings as float32 arrays."""
        return _as_rows(self.table(name, parameters, label=label, edge=edge, property=property))

    def table(
        self,
        name: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        label: str | None = None,
        edge: EdgeKind | None = None,
        property: str | None = None,
    ) -> pa.Table:
        """The same as an Arrow table."""
        name = self.lacks.instead.get(name, name)
        if not name or (edge is not None and edge[0] in self.lacks.types):
            return pa.table({})
        statement = cypher.load(name, "ladybug", label=label, edge=edge, property=property)
        with translated_errors(self._path):
            result = self._connection.execute(statement, dict(parameters or {}))
            assert isinstance(result, ladybug.QueryResult)
            try:
                return result.get_as_arrow(-1) if result.has_next() else pa.table({})
            finally:
                result.close()

    def execute(self, statement: str) -> None:
        """Run BEGIN, COMMIT or ROLLBACK."""
        with translated_errors(self._path):
            self._connection.execute(statement)

    def close(self) -> None:
        self._connection.close()


class LadybugDatabase:
    """A Ladybug file, with the lock that keeps a second writer out.

    The engine's own lock is one of the process: it neither keeps out a second writer in
    the same process, nor outlives a reader that this process closes. So a writer also
    holds ``FILE.lock``, which is free as soon as its process is gone. A file that is not
    there is made, and locked, by :meth:`open` alone.
    """

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self.path = path
        self.read_only = read_only
        self.calls = 0
        self.lacks = Lacks()
        """What answers for a reading statement; whoever writes has all tables."""
        self._lock: FileLock | None = None
        self._database: ladybug.Database | None = None
        self._reader: Session | None = None
        self._reading, self._writing = RLock(), RLock()
        if read_only or path.exists():
            self.open()

    def is_there(self) -> bool:
        """Whether there is a file; it is open then."""
        if self._reader is None and self.path.exists():
            self.open()
        return self._reader is not None

    def open(self) -> None:
        """Open the file, which is made where it is missing; opening it twice is fine."""
        if self._reader is not None:
            return
        self._lock = None if self.read_only else _locked(self.path)
        try:
            self._database = _opened(self.path, read_only=self.read_only)
            self._reader = Session(self._database, self.path)
        except BaseException:
            self._unlock()
            raise

    def run(
        self,
        name: str,
        parameters: Mapping[str, Any] | None = None,
        /,
        *,
        label: str | None = None,
        edge: EdgeKind | None = None,
    ) -> list[Any]:
        """Run one reading statement; see :class:`Session`."""
        with self._reading:
            self.calls += 1
            return self._open_reader()(name, parameters, label=label, edge=edge)

    def read(self, work: Work[Result]) -> Result:
        """Run work whose statements all see the same state; one call."""
        with self._reading:
            reader = self._open_reader()
            with _transaction(reader, "BEGIN TRANSACTION READ ONLY"):
                self.calls += 1
                return work(reader)

    def write(self, work: Work[Result]) -> Result:
        """Run work in a transaction on a connection of its own; one call.

        :raises StoreError: the store was opened read-only.
        """
        if self.read_only:
            raise StoreError(f"{self.path} was opened read-only", address=str(self.path))
        with self._writing:
            self.open()
            assert self._database is not None
            session = Session(self._database, self.path)
            try:
                self.calls += 1
                with _transaction(session, "BEGIN TRANSACTION"):
                    result = work(session)
            finally:
                session.close()
        self.lacks = Lacks()
        return result

    def close(self) -> None:
        with self._writing, self._reading:
            if self._reader is not None and self._database is not None:
                self._reader.close()
                self._database.close()
                self._reader = self._database = None
            self._unlock()

    def _open_reader(self) -> Session:
        if self._reader is None:
            raise StoreError(f"{self.path} is closed", address=str(self.path))
        self._reader.lacks = self.lacks
        return self._reader

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()


def _as_rows(table: pa.Table) -> list[Any]:
    if "embedding" not in table.column_names:
        return list(table.to_pylist())
    vectors = table["embedding"].combine_chunks()
    matrix = vectors.flatten().to_numpy().reshape(len(vectors), -1)
    rows = list(table.drop_columns("embedding").to_pylist())
    for row, vector in zip(rows, matrix, strict=True):
        row["embedding"] = vector
    return rows


@contextmanager
def _transaction(session: Session, begin: str) -> Iterator[None]:
    session.execute(begin)
    try:
        yield
        session.execute("COMMIT")
    except BaseException:
        try:
            session.execute("ROLLBACK")
        except StoreError as error:
            # A statement that fails while it loads rows has rolled back by itself.
            if "No active transaction" not in str(error):
                raise
        raise


def _opened(path: Path, *, read_only: bool) -> ladybug.Database:
    """Open a file, after waiting for a checkpoint or a writer that is just ending."""
    deadline = monotonic() + LOCK_SECONDS
    while True:
        try:
            with translated_errors(path):
                return ladybug.Database(
                    str(path),
                    buffer_pool_size=BUFFER_POOL_BYTES,
                    checkpoint_threshold=CHECKPOINT_BYTES,
                    read_only=read_only,
                    # A process killed while it writes leaves a torn record at the log's end.
                    throw_on_wal_replay_failure=False,
                )
        except StoreLocked:
            if monotonic() > deadline:
                raise
        if read_only:
            _recover(path)
        sleep(RETRY_SECONDS)


def _recover(path: Path) -> None:
    """End a checkpoint whose process was killed: only a writer can."""
    lock = FileLock(_lock_path(path))
    try:
        with lock.acquire(timeout=0):
            _opened(path, read_only=False).close()
    except (Timeout, OSError, StoreError) as error:
        _logger.debug("%s is not recovered: %s", path, error)


def _lock_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.lock")


def _locked(path: Path) -> FileLock:
    lock_path = _lock_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(lock_path)
        lock.acquire(timeout=LOCK_SECONDS)
        lock_path.write_text(str(os.getpid()))
    except Timeout:
        raise _locked_by(path, _holder(lock_path)) from None
    except OSError as error:
        raise _file_error(path, error.strerror or str(error)) from error
    return lock


def _holder(lock_path: Path) -> int | None:
    holder = lock_path.read_text()
    return int(holder) if holder.isdecimal() else None


def absent(path: Path) -> StoreError:
    """What says that there is no graph in a file, or that one is being built there."""
    lock_path = _lock_path(path)
    try:
        if lock_path.exists():
            with FileLock(lock_path).acquire(timeout=0):
                pass
    except Timeout:
        return StoreLocked(
            f"the graph in {path} is being built by {_described(_holder(lock_path))}; ask again "
            "when it has its first documents",
            address=str(path),
        )
    except OSError as error:
        _logger.debug("%s is not looked at: %s", lock_path, error)
    return StoreMissing(f"no graph in {path}; hlg build makes one", address=str(path))


def _locked_by(path: Path, pid: int | None) -> StoreLocked:
    return StoreLocked(
        f"{path} is being written by {_described(pid)}; try again when it is done",
        address=str(path),
    )


def _described(pid: int | None) -> str:
    if pid is None:
        return "another process"
    try:
        command = " ".join(" ".join(psutil.Process(pid).cmdline()).split())
    except psutil.Error:
        return f"process {pid}"
    return f"process {pid} ({command[:80]})"


def _file_error(path: Path, problem: str) -> StoreError:
    return StoreDenied(
        f"{path} can't be opened: {problem}; check the path and its permissions",
        address=str(path),
    )


@contextmanager
def translated_errors(path: Path) -> Iterator[None]:
    """The engine's RuntimeErrors as those of :mod:`hlg.errors`, in one line."""
    try:
        yield
    except RuntimeError as error:
        problem = str(error).splitlines()[0] if str(error) else type(error).__name__
        if "Could not set lock" in problem:
            found = _LOCK_HOLDER.search(problem)
            raise _locked_by(path, int(found[1]) if found else None) from error
        if "checkpoint recovery is pending" in problem:
            raise _locked_by(path, None) from error
        if "not a valid Lbug database" in problem:
            raise StoreError(
                f"{path} is not a Ladybug database; choose another --store", address=str(path)
            ) from error
        if "empty database under READ ONLY" in problem:
            raise absent(path) from error
        if problem.startswith("IO exception: Cannot open") or "cannot be a directory" in problem:
            raise _file_error(path, problem.rpartition(": ")[2]) from error
        raise StoreError(f"{path}: {problem}", address=str(path)) from error
