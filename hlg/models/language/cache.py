"""Answers that were paid for, kept by what was asked: one SQLite file for all graphs.

Its key is a hash of the model, where it answers, its parameters, the prompt with its version,
and everything that was filled into it; not of the random boundary of a call. Several processes
may use it at once (write-ahead log).
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from hlg.errors import ModelError

BUSY_SECONDS = 30.0
"""How long another process's write is waited for."""

_TABLE = """CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, prompt TEXT NOT NULL, text TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, asked_at REAL NOT NULL
) WITHOUT ROWID"""
_GET = "SELECT text, tokens_in, tokens_out FROM answers WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer's text, and the tokens of the call that gave it."""

    text: str
    tokens_in: int
    tokens_out: int


class AnswerCache:
    """Answers in a file, which is made where there is none; for any number of threads.

    :raises ModelError: the file can't be made or read.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists():
                path.touch(mode=0o600)  # answers say what private documents say
            self._connection = sqlite3.connect(path, BUSY_SECONDS, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute(_TABLE)
            self._connection.commit()
        except (OSError, sqlite3.Error) as error:
            raise self._broken(error) from error

    def get(self, key: str) -> CachedAnswer | None:
        """What was answered, or None."""
        with self._lock:
            try:
                row = self._connection.execute(_GET, (key,)).fetchone()
            except sqlite3.Error as error:
                raise self._broken(error) from error
        return CachedAnswer(*row) if row else None

    def put(self, key: str, model: str, prompt: str, answer: CachedAnswer) -> None:
        """Keep an answer; it is on disk when this returns."""
        with self.transaction() as connection:
            self.put_in(connection, key, model, prompt, answer)

    def put_in(
        self,
        connection: sqlite3.Connection,
        key: str,
        model: str,
        prompt: str,
        answer: CachedAnswer,
    ) -> None:
        """:meth:`put` as a part of a transaction."""
        text = answer.text.encode("utf-8", "replace").decode()
        row = (key, model, prompt, text, answer.tokens_in, answer.tokens_out, time.time())
        connection.execute(_PUT, row)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """What is done in the block is done whole or not at all, and by no other thread.

        :raises ModelError: the file can't be read or written.
        """
        with self._lock:
            try:
                with self._connection:
                    yield self._connection
            except sqlite3.Error as error:
                raise self._broken(error) from error

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()

    def _broken(self, error: Exception) -> ModelError:
        return ModelError(
            f"{self._path}: answers of the language model can't be kept there ({error}); move "
            "the file away, or set llm_cache to another one or to off"
        )
