"""Extraction on all cores: batches of documents through worker processes, in order."""

import math
import os
import signal
import struct
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self, cast

from hlg.errors import HlgError
from hlg.folders import temporary_folder
from hlg.ingest.deadline import Deadline
from hlg.ingest.parent import DIED, LONGEST_TIMER, end_with
from hlg.ingest.recipe import Extracted, Recipe, extract_batch, out_of_time
from hlg.models.spacy_pipeline import run_in_own_process
from hlg.records import Document

if TYPE_CHECKING:
    from joblib.externals.loky import ProcessPoolExecutor

INLINE_CHARACTERS = 150_000
"""Up to here starting processes, each with its own models, costs more than it saves."""

_MARK = struct.Struct("=qqd")
"""What a worker is at: number of a batch, position in it, and since when."""


@dataclass(slots=True)
class _Station:
    """Where a worker process works: its clock, and the file in which it says what it is at."""

    deadline: Deadline
    file: int

    def mark(self, batch: int, position: int) -> None:
        os.pwrite(self.file, _MARK.pack(batch, position, time.monotonic()), 0)


_station: _Station | None = None


def _start_worker(parent: int, folder: str, seconds: float) -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone."""
    global _station
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    run_in_own_process()
    file = os.open(Path(folder) / str(os.getpid()), os.O_CREAT | os.O_RDWR, 0o600)
    _station = _Station(Deadline(seconds, end_process=True), file)
    end_with(parent)


def _work(
    number: int, documents: Sequence[Document], recipe: Recipe
) -> tuple[list[Extracted], float]:
    """:func:`extract_batch` in a worker."""
    station = cast(_Station, _station)
    try:
        return extract_batch(
            documents, recipe, station.deadline, lambda position: station.mark(number, position)
        )
    finally:
        station.mark(-1, -1)


@dataclass(slots=True)
class _Batch:
    """Documents on their way through a worker."""

    number: int
    documents: Sequence[Document]
    future: "Future[tuple[list[Extracted], float]]" = field(default_factory=Future)
    sent: list[int] = field(default_factory=list)
    """Positions of the documents that ``future`` is about."""
    done: dict[int, Extracted] = field(default_factory=dict)
    """What came of the others, by position."""

    def result(self) -> tuple[list[Extracted], float]:
        """What came of all of them.

        :raises BrokenExecutor: the workers are gone.
        """
        extracted, seconds = self.future.result()
        self.done.update(zip(self.sent, extracted, strict=True))
        return [self.done[position] for position in range(len(self.documents))], seconds

    @property
    def is_lost(self) -> bool:
        """Whether it has to be sent again after the workers died."""
        return not self.future.done() or self.future.exception() is not None


class ExtractionPool:
    """Runs :func:`extract_batch` on batches, ahead of the reader but boundedly so.

    The first ``INLINE_CHARACTERS`` are extracted in this process; only a larger build
    starts workers. A document at which a worker dies, for it took too long or too much
    memory, is given back with its error; what else the workers were at is done again.

    :param document_seconds: the most that one document may take.
    """

    stopped = ""
    """It never ends before the documents do."""

    def __init__(self, recipe: Recipe, workers: int, document_seconds: float = math.inf) -> None:
        self._recipe = recipe
        self._workers = workers
        self._seconds = min(document_seconds, LONGEST_TIMER)
        self._deadline = Deadline(self._seconds)
        self._executor: ProcessPoolExecutor | None = None
        self._marks = temporary_folder("workers")
        self._characters = 0
        self._batches = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._deadline.close()
        self._stop(kill=error is not None)
        self._marks.cleanup()

    def run(self, batches: Iterator[list[Document]]) -> Iterator[tuple[list[Extracted], float]]:
        """Results in the order of ``batches``; at most two batches a worker wait."""
        waiting: deque[_Batch] = deque()
        for documents in batches:
            waiting.append(self._begin(documents))
            while waiting and (len(waiting) > 2 * self._workers or waiting[0].future.done()):
                yield self._finish(waiting)
        while waiting:
            yield self._finish(waiting)

    def _begin(self, documents: list[Document]) -> _Batch:
        self._batches += 1
        self._characters += sum(len(document.text) for document in documents)
        batch = _Batch(self._batches, documents, sent=list(range(len(documents))))
        if self._characters > INLINE_CHARACTERS:
            self._send(batch)
        else:
            batch.future.set_result(extract_batch(documents, self._recipe, self._deadline))
        return batch

    def _finish(self, waiting: deque[_Batch]) -> tuple[list[Extracted], float]:
        while True:
            try:
                result = waiting[0].result()
            except BrokenExecutor:
                self._recover(waiting)
            else:
                waiting.popleft()
                return result

    def _send(self, batch: _Batch) -> None:
        """Hand what is not done of a batch to the workers."""
        batch.sent = [i for i in range(len(batch.documents)) if i not in batch.done]
        documents = [batch.documents[position] for position in batch.sent]
        try:
            sent = self._pool().submit(_work, batch.number, documents, self._recipe)
        except BrokenExecutor as error:
            batch.future = Future()
            batch.future.set_exception(error)
        else:
            batch.future = cast("Future[tuple[list[Extracted], float]]", sent)

    def _recover(self, waiting: Sequence[_Batch]) -> None:
        """Start new workers with what the dead ones left; name the documents that killed them.

        Where none was out of its time, those that were under way are tried one by one.

        :raises HlgError: the workers died before they began a document.
        """
        under_way = self._under_way()
        self._stop(kill=True)
        lost = [batch for batch in waiting if batch.is_lost]
        found = [(batch, *under_way[batch.number]) for batch in lost if batch.number in under_way]
        if not found:
            raise HlgError("worker processes died at their start; is there memory enough?")
        late = [each for each in found if each[2] > self._seconds]
        for batch, index, _ in late or found:
            position = batch.sent[index]
            document = batch.documents[position]
            batch.done[position] = (
                Extracted(document, error=out_of_time(self._seconds))
                if late
                else self._alone(document)
            )
        for batch in lost:
            self._send(batch)

    def _alone(self, document: Document) -> Extracted:
        """What comes of a document when no other is under way."""
        batch = _Batch(0, [document])
        self._send(batch)
        try:
            return batch.result()[0][0]
        except BrokenExecutor:
            late = any(seconds > self._seconds for _, seconds in self._under_way().values())
            self._stop(kill=True)
            return Extracted(document, error=out_of_time(self._seconds) if late else DIED)

    def _under_way(self) -> dict[int, tuple[int, float]]:
        """By a batch's number the document that its worker is at, and for how many seconds."""
        now = time.monotonic()
        marks = [path.read_bytes() for path in Path(self._marks.name).iterdir()]
        found = [_MARK.unpack(mark) for mark in marks if len(mark) == _MARK.size]
        return {batch: (index, now - begun) for batch, index, begun in found if batch >= 0}

    def _pool(self) -> "ProcessPoolExecutor":
        if self._executor is None:
            # loky's workers start without running the caller's main module again, which
            # multiprocessing's would: a script that builds needs no __main__ guard.
            from joblib.externals.loky import ProcessPoolExecutor

            self._executor = ProcessPoolExecutor(
                self._workers,
                initializer=_start_worker,
                initargs=(os.getpid(), self._marks.name, self._seconds),
            )
        return self._executor

    def _stop(self, *, kill: bool) -> None:
        """End the workers, and forget what they were at."""
        if self._executor is None:
            return
        self._executor.shutdown(wait=True, kill_workers=kill)
        self._executor = None
        for path in Path(self._marks.name).iterdir():
            path.unlink()
