"""Answers that were paid for, kept by what was asked: one SQLite file for all graphs.

Its key is a hash of the model, where it answers, its parameters, the prompt with its version,
and everything that was filled into it; not of the random boundary of a call. Several processes
may use it at once (write-ahead log).
"""

import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hlg.errors import ModelError
from hlg.folders import cache_folder
from hlg.ids import content_id
from hlg.models.language.answers import Reply
from hlg.settings import CACHE_OFF

CACHE_FILE = "answers.sqlite"
BUSY_SECONDS = 30.0
"""How long another process's write is waited for."""
REFUSAL_SECONDS = 7 * 86_400
"""An endpoint that knew no schemas is asked for one again after so long: it may have learnt."""

_TABLE = """CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, prompt TEXT NOT NULL, text TEXT NOT NULL,
    tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, asked_at REAL NOT NULL
) WITHOUT ROWID"""
_GET = "SELECT text, tokens_in, tokens_out FROM answers WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)"


class AnswerCache:
    """A model's answers in a file, which is made where there is none; for any number of threads.

    :param path: None keeps nothing.
    :raises ModelError: the file can't be made or read.
    """

    def __init__(self, path: Path | None, model: str) -> None:
        self._path = path
        self._model = model
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()
        self._asking: dict[str, tuple[threading.Lock, int]] = {}
        self._asking_lock = threading.Lock()
        if path is None:
            return
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

    @property
    def is_on(self) -> bool:
        """Whether answers are kept."""
        return self._path is not None

    def get(self, key: str) -> Reply | None:
        """What was answered, or None."""
        if not self.is_on:
            return None
        with self.transaction() as connection:
            row = connection.execute(_GET, (key,)).fetchone()
        return Reply(*row) if row else None

    def put(self, key: str, prompt: str, answer: Reply) -> None:
        """Keep an answer, where answers are kept; it is on disk when this returns.

        :param prompt: the fingerprint of what was asked with.
        """
        if self.is_on:
            with self.transaction() as connection:
                self.put_in(connection, key, prompt, answer)

    def put_in(self, connection: sqlite3.Connection, key: str, prompt: str, answer: Reply) -> None:
        """:meth:`put` as a part of a transaction."""
        text = answer.text.encode("utf-8", "replace").decode()
        tokens = answer.tokens_in or 0, answer.tokens_out or 0
        connection.execute(_PUT, (key, self._model, prompt, text, *tokens, time.time()))

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """What is done in the block is done whole or not at all, and by no other thread.

        :raises ModelError: the file can't be read or written.
        """
        assert self._connection is not None
        with self._lock:
            try:
                with self._connection:
                    yield self._connection
            except sqlite3.Error as error:
                raise self._broken(error) from error

    def made(self, name: str, given: Sequence[str], make: Callable[[], list[str]]) -> list[str]:
        """See :meth:`hlg.models.language.door.ModelDoor.kept_list`."""
        key = content_id("made", name, *given)
        known = self.get(key)
        if known is not None:
            return list(json.loads(known.text))
        made = make()
        self.put(key, "", Reply(json.dumps(made)))
        return made

    def remember_refusal(self, address: str) -> None:
        """Note for the next process that the model there answers by no schema."""
        self.put(self._refusal(address), "", Reply(str(time.time())))

    def remembers_refusal(self, address: str) -> bool:
        """Whether that was noted lately."""
        known = self.get(self._refusal(address))
        return known is not None and time.time() - float(known.text) < REFUSAL_SECONDS

    @contextmanager
    def alone(self, key: str) -> Iterator[None]:
        """Only one thread at a time asks the same."""
        with self._asking_lock:
            lock, waiting = self._asking.get(key, (threading.Lock(), 0))
            self._asking[key] = lock, waiting + 1
        try:
            with lock:
                yield
        finally:
            with self._asking_lock:
                lock, waiting = self._asking.pop(key)
                if waiting > 1:
                    self._asking[key] = lock, waiting - 1

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            with self._lock:
                self._connection.close()

    def _refusal(self, address: str) -> str:
        return content_id("refused schemas", self._model, address)

    def _broken(self, error: Exception) -> ModelError:
        return ModelError(
            f"{self._path}: answers of the language model can't be kept there ({error}); move "
            "the file away, or set llm_cache to another one or to off"
        )


def cache_path(setting: str) -> Path | None:
    """The file that the setting ``llm_cache`` names; None where it is off."""
    if setting == CACHE_OFF:
        return None
    return Path(setting).expanduser() if setting else cache_folder() / CACHE_FILE
