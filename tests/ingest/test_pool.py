"""Workers: a document that takes too long, or kills its worker, costs the others nothing."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hlg.ids import chunk_id
from hlg.ingest import pool
from hlg.ingest.base import Extraction
from hlg.ingest.deadline import Deadline, OutOfTime
from hlg.ingest.parent import DIED
from hlg.ingest.pool import ExtractionPool
from hlg.ingest.recipe import Recipe
from hlg.records import Chunk, Document

RECIPE = Recipe("fixed", 300, 0.2, "local", "minilm-int8")
SECONDS = 0.5


def _scripted() -> Any:
    """The work of a worker whose extractor does as a document's text says.

    Made inside a function, so that it is sent to the workers whole.
    """

    class Whole:
        def chunk(self, document: Document, source_id: str) -> list[Chunk]:
            end = len(document.text)
            id_ = chunk_id(source_id, 0, end)
            return [Chunk(id_, source_id, 0, 0, end, document.text)]

    class Scripted:
        name = "scripted"

        def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
            if document.text == "stuck":
                re.match(r"(a+)+$", "a" * 60 + "b")  # for years, and no Python runs beside it
            elif document.text == "slow":
                while True:
                    time.sleep(0.01)
            elif document.text == "dies":
                os.kill(os.getpid(), signal.SIGKILL)
            return Extraction()

    def scripted(number: int, documents: Sequence[Document], recipe: Recipe) -> Any:
        from hlg.ingest import pool as there
        from hlg.ingest import recipe as module

        module.tools = lambda recipe: (Whole(), Scripted())  # type: ignore[assignment]
        return there._work(number, documents, recipe)

    return scripted


def _errors(batches: list[list[str]]) -> list[list[str]]:
    """The error of each document of batches of texts, through real worker processes."""

    def documents() -> Iterator[list[Document]]:
        for number, texts in enumerate(batches):
            yield [Document(f"{number}-{i}", "", text) for i, text in enumerate(texts)]

    with ExtractionPool(RECIPE, 2, SECONDS) as running:
        results = [extracted for extracted, _ in running.run(documents())]
    uris = [[extracted.document.uri for extracted in batch] for batch in results]
    assert uris == [[document.uri for document in batch] for batch in documents()]
    return [[extracted.error for extracted in batch] for batch in results]


def test_what_takes_too_long_or_kills_its_worker_is_named_and_the_rest_is_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pool, "INLINE_CHARACTERS", 0)
    monkeypatch.setattr(pool, "_work", _scripted())
    texts = [["a", "slow", "b"], ["c", "stuck", "d"], ["e", "f"], ["dies", "g"]]

    errors = _errors(texts)

    late = "took more than 0.5 s to chunk and extract; raise the setting document_seconds"
    assert errors == [["", late, ""], ["", late, ""], ["", ""], [DIED, ""]]


def test_what_a_killed_process_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], stdout=-1)
    left, other = (tmp_path / f"hlg-workers-{pid}-x" for pid in (int(ended.stdout), os.getpid()))
    left.mkdir()
    other.mkdir()
    with ExtractionPool(RECIPE, 2, SECONDS):
        assert not left.exists()
        assert len(list(tmp_path.iterdir())) == 2
    assert list(tmp_path.iterdir()) == [other]


def test_a_deadline_ends_what_runs_too_long_and_nothing_after_it() -> None:
    deadline = Deadline(0.1)

    def forever() -> None:
        while True:
            time.sleep(0.01)

    started = time.monotonic()
    with pytest.raises(OutOfTime):
        deadline.run(forever)
    assert time.monotonic() - started < 5
    assert [deadline.run(lambda number=number: number) for number in range(50)] == list(range(50))
    deadline.close()


def test_after_a_deadline_a_debugger_can_trace() -> None:
    # CPython 3.11 goes round in one instruction for good, traced, where it still looks for an
    # error that was taken back; so in a process of its own.
    program = (
        "import sys\n"
        "from hlg.ingest.deadline import Deadline\n"
        "def work(): return 1\n"
        "deadline = Deadline(60)\n"
        "for _ in range(100): deadline.run(work)\n"
        "sys.settrace(lambda *event: None)\n"
        "print(work())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "1\n", done.stderr
