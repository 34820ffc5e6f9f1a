"""The Ladybug engine: opening a file, running named statements, transactions, errors."""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shutil import disk_usage
from threading import RLock
from time import monotonic, sleep
from typing import Any, TypeAlias, TypeVar, Unpack

import ladybug
import pyarrow as pa
from filelock import FileLock

from hlg import cypher
from hlg.cypher import Filled
from hlg.errors import StoreError, StoreLocked
from hlg.schema import EDGES
from hlg.store.ladybug import locks
from hlg.store.ladybug.faults import translated_errors
from hlg.store.ladybug.locks import Readers
from hlg.store.ladybug.place import check_room, is_there
from hlg.store.processes import OfOneProcess
from hlg.store.shared.kinds import EdgeKind
from hlg.store.shared.rows import Sent

BUFFER_POOL_BYTES = 1 << 30
CHECKPOINT_BYTES = 1 << 26
"""A checkpoint costs as much as writing a few thousand statements; the log is moved into
the file when it is as large as this, and nobody reads."""

_COLUMNS = ("from", "to", *EDGES["SAME_AS"].properties)
"""What statements call the values of a row, by their order."""

_logger = logging.getLogger(__name__)

Result = TypeVar("Result")
Work: TypeAlias = Callable[["Session"], Result]


class Session:
    """One connection. A table given to a statement may be given to one only: the engine
    keeps and reuses what it prepared for it, and frees that when the connection closes."""

    def __init__(self, database: ladybug.Database, path: Path) -> None:
        self._connection = ladybug.Connection(database)
        self._path = path

    def __call__(
        self, name: str, parameters: Mapping[str, Any] | None = None, /, **filled: Unpack[Filled]
    ) -> list[Any]:
        """What a statement of :mod:`hlg.cypher` returns: rows, embeddings as float32 arrays."""
        return _as_rows(self.table(name, parameters, **filled))

    def send(self, name: str, rows: Sent, *, edge: EdgeKind | None = None) -> None:
        if rows:
            self(name, {"rows": columns_of(rows, _COLUMNS[: len(rows[0])])}, edge=edge)

    def table(
        self, name: str, parameters: Mapping[str, Any] | None = None, /, **filled: Unpack[Filled]
    ) -> pa.Table:
        """The same as an Arrow table."""
        statement = cypher.load(name, "ladybug", **filled)
        with translated_errors(self._path):
            result = self._connection.execute(statement, dict(parameters or {}))
            assert isinstance(result, ladybug.QueryResult)
            with result:
                return result.get_as_arrow(-1) if result.has_next() else pa.table({})

    def execute(self, statement: str) -> None:
        """Run BEGIN, COMMIT, ROLLBACK, CHECKPOINT or a setting of the engine."""
        with translated_errors(self._path):
            self._connection.execute(statement)

    def close(self) -> None:
        self._connection.close()


class LadybugDatabase(OfOneProcess):
    """A Ladybug file, with the locks of its one writer and of its readers.

    The engine's own lock is one of the process: it neither keeps out a second writer in
    the same process, nor outlives a reader that this process closes. So a writer also
    holds ``FILE.lock``, which is free as soon as its process is gone. A file that is not
    there is made, and locked, by :meth:`open` alone.

    What a writer commits is in its log, which readers load when they open the file. The
    log is moved into the file (a checkpoint) by a commit, or by :meth:`close`, that finds
    no reader; until then it grows (see :class:`hlg.store.ladybug.locks.Readers`).
    """

    def __init__(self, path: Path, *, read_only: bool) -> None:
        super().__init__(str(path))
        self.path = path
        self.read_only = read_only
        self.calls = 0
        self._lock: FileLock | None = None
        self._is_closed = False
        self._readers = Readers(path)
        self._database: ladybug.Database | None = None
        self._reader: Session | None = None
        self._reading, self._writing, self._opening = RLock(), RLock(), RLock()
        if is_there(path) or read_only:
            self.open()

    def is_there(self) -> bool:
        """Whether there is a file; it is open then."""
        self.check_process()
        if self._reader is None and is_there(self.path):
            self.open()
        return self._reader is not None

    def open(self) -> None:
        """Open the file, which is made where it is missing; opening it twice is fine.

        :raises StoreError: it was closed.
        """
        # Threads that find it closed would take each other for another process.
        with self._opening:
            if self._reader is not None:
                return
            if self._is_closed:
                raise self._closed()
            try:
                self._database = self._opened()
                self._reader = Session(self._database, self.path)
            except BaseException:
                self._unlock()
                raise

    def read(self, work: Work[Result]) -> Result:
        """Run work whose statements all see the same state; one call."""
        self.check_process()
        with self._reading:
            if self._reader is None:
                raise self._closed()
            with _transaction(self._reader, "BEGIN TRANSACTION READ ONLY"):
                self.calls += 1
                return work(self._reader)

    def write(self, work: Work[Result]) -> Result:
        """Run work in a transaction on a connection of its own; one call.

        :raises StoreError: the store was opened read-only, or its disk is full.
        """
        self.check_process()
        if self.read_only:
            raise StoreError(f"{self.path} was opened read-only", address=str(self.path))
        with self._writing:
            self.open()
            check_room(self.path)
            assert self._database is not None
            with closing(Session(self._database, self.path)) as session:
                self.calls += 1
                with _transaction(session, "BEGIN TRANSACTION"):
                    result = work(session)
                self._checkpoint(session, CHECKPOINT_BYTES)
        return result

    def close(self) -> None:
        """Let go of the file for good; a forked child holds nothing of it."""
        if not self.is_of_this_process():
            return
        with self._writing, self._reading, self._opening:
            self._is_closed = True
            try:
                if self._reader is not None and not self.read_only:
                    self._checkpoint(self._reader, 1)
            finally:
                if self._reader is not None and self._database is not None:
                    self._reader.close()
                    self._database.close()
                    self._reader = self._database = None
                self._unlock()

    def _opened(self) -> ladybug.Database:
        if self.read_only:
            return _open_to_read(self.path, self._readers)
        self._lock = locks.lock_to_write(self.path, locks.LOCK_SECONDS)
        if not is_there(self.path):
            check_room(self.path)
        return _open_to_write(self.path)

    def _checkpoint(self, session: Session, at_least: int) -> None:
        """Move a log of so many bytes into the file, where there is room, unless somebody reads."""
        log = self.path.with_name(f"{self.path.name}.wal")
        size = log.stat().st_size if log.exists() else 0
        # Its pages are written twice: beside the file, then into it.
        if size < at_least or disk_usage(self.path.parent).free < 2 * size + CHECKPOINT_BYTES:
            return
        if not self._readers.exclude():
            return
        try:
            session.execute("CHECKPOINT")
        finally:
            self._readers.leave()

    def _closed(self) -> StoreError:
        return StoreError(f"{self.path} is closed; open it again", address=str(self.path))

    def _unlock(self) -> None:
        self._readers.leave()
        if self._lock is not None:
            self._lock.release()


def columns_of(rows: Iterable[Sequence[object]], names: Sequence[str]) -> pa.Table:
    """Rows as a table whose columns have these names."""
    columns = zip(*rows, strict=True)
    return pa.table([pa.array(column) for column in columns], names=list(names))


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
            # A statement that fails while it loads rows has rolled back by itself; and what
            # went wrong first is what there is to say.
            _logger.debug("not rolled back: %s", error)
        raise


def _open_to_read(path: Path, readers: Readers) -> ladybug.Database:
    """Open a file among its readers, after waiting for a checkpoint that is just ending."""
    if not is_there(path):
        raise locks.absent(path)
    deadline = monotonic() + locks.LOCK_SECONDS
    unended: StoreError | None = None
    while readers.join(deadline - monotonic()):
        try:
            return _opened(path, read_only=True)
        except StoreLocked:
            readers.leave()
            if monotonic() > deadline:
                if unended is not None and _is_half_checkpointed(path):
                    raise unended from None
                raise
        unended = _recover(path)
        sleep(locks.RETRY_SECONDS)
    raise locks.locked_by(path, None)


def _open_to_write(path: Path) -> ladybug.Database:
    """Open a file whose lock is held, after waiting for a writer that is just ending."""
    deadline = monotonic() + locks.LOCK_SECONDS
    while True:
        try:
            return _recovered(path)
        except StoreLocked:
            if monotonic() > deadline:
                raise
        sleep(locks.RETRY_SECONDS)


def _recovered(path: Path) -> ladybug.Database:
    """Open a file to write; what a killed process left of a checkpoint is ended."""
    readers = Readers(path)
    if _is_half_checkpointed(path) and not readers.exclude():
        raise StoreLocked(
            f"{path} has a checkpoint to end and is being read; try again when it is not",
            address=str(path),
        )
    try:
        database = _opened(path, read_only=False)
        with closing(Session(database, path)) as session:
            # Closing would move the log into the file, whoever reads it.
            session.execute("CALL force_checkpoint_on_close=false")
        return database
    finally:
        readers.leave()


def _opened(path: Path, *, read_only: bool) -> ladybug.Database:
    with translated_errors(path):
        return ladybug.Database(
            str(path),
            buffer_pool_size=BUFFER_POOL_BYTES,
            read_only=read_only,
            auto_checkpoint=False,
            # A process killed while it writes leaves a torn record at the log's end.
            throw_on_wal_replay_failure=False,
        )


def _recover(path: Path) -> StoreError | None:
    """End a checkpoint whose process was killed; returns why not, where nobody is doing so.

    Only a writer can.
    """
    try:
        lock = locks.lock_to_write(path, 0)
        try:
            _open_to_write(path).close()
        finally:
            lock.release()
    except StoreError as error:
        _logger.debug("%s is not recovered: %s", path, error)
        return None if isinstance(error, StoreLocked) else error
    return None


def _is_half_checkpointed(path: Path) -> bool:
    return any(path.with_name(path.name + end).exists() for end in (".shadow", ".wal.checkpoint"))
