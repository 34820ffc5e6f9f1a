"""Which questions are out in batches: kept beside the answers that they are to become.

A batch is written down before it is sent, with a token that it carries at the provider, and
its number there afterwards: whatever ends the process in between, the batch is found again by
its token and nothing is asked twice. Answers are taken in and the batch is struck out in one
transaction.
"""

import sqlite3
import time
from collections.abc import Mapping
from dataclasses import dataclass

from hlg.models.language.answers import Reply
from hlg.models.language.cache import AnswerCache

_BATCHES = """CREATE TABLE IF NOT EXISTS batches (
    token TEXT PRIMARY KEY, id TEXT NOT NULL, model TEXT NOT NULL, address TEXT NOT NULL,
    begun_at REAL NOT NULL
) WITHOUT ROWID"""
_AWAITED = """CREATE TABLE IF NOT EXISTS awaited (
    key TEXT PRIMARY KEY, token TEXT NOT NULL, prompt TEXT NOT NULL
) WITHOUT ROWID"""
_OPEN = """SELECT token, id, count(key) FROM batches LEFT JOIN awaited USING (token)
WHERE model = ? AND address = ? GROUP BY token ORDER BY begun_at, token"""


@dataclass(frozen=True, slots=True)
class OpenBatch:
    """A batch whose answers are not taken in; ``id`` is empty until it is known to be sent."""

    token: str
    id: str
    questions: int


class BatchLedger:
    """The batches that were begun with a cache's answers; for any number of threads.

    :raises ModelError: the cache's file can't be written.
    """

    def __init__(self, cache: AnswerCache) -> None:
        self._cache = cache
        with cache.transaction() as connection:
            connection.execute(_BATCHES)
            connection.execute(_AWAITED)

    def is_awaited(self, key: str) -> bool:
        """Whether a question is in a batch that is out."""
        with self._cache.transaction() as connection:
            row = connection.execute("SELECT 1 FROM awaited WHERE key = ?", (key,)).fetchone()
        return row is not None

    def begin(self, token: str, model: str, address: str, prompts: Mapping[str, str]) -> set[str]:
        """Write down a batch that is about to be sent; the keys that are in no other.

        :param prompts: by a question's key the fingerprint of its prompt.
        """
        with self._cache.transaction() as connection:
            row = (token, "", model, address, time.time())
            connection.execute("INSERT INTO batches VALUES (?, ?, ?, ?, ?)", row)
            connection.executemany(
                "INSERT OR IGNORE INTO awaited VALUES (?, ?, ?)",
                [(key, token, prompt) for key, prompt in prompts.items()],
            )
            return set(_prompts(connection, token))

    def sent(self, token: str, id_: str) -> None:
        """Note what a batch is called at the provider."""
        with self._cache.transaction() as connection:
            connection.execute("UPDATE batches SET id = ? WHERE token = ?", (id_, token))

    def open(self, model: str, address: str) -> list[OpenBatch]:
        """The batches of a model that are out, the earliest first."""
        with self._cache.transaction() as connection:
            rows = connection.execute(_OPEN, (model, address)).fetchall()
        return [OpenBatch(*row) for row in rows]

    def settle(self, token: str, answers: Mapping[str, Reply]) -> int:
        """Strike out a batch and keep its answers; how many of its questions had one.

        What had none may be asked again.
        """
        with self._cache.transaction() as connection:
            prompts = _prompts(connection, token)
            found = answers.keys() & prompts.keys()
            for key in found:
                self._cache.put_in(connection, key, prompts[key], answers[key])
            connection.execute("DELETE FROM awaited WHERE token = ?", (token,))
            connection.execute("DELETE FROM batches WHERE token = ?", (token,))
        return len(found)


def _prompts(connection: sqlite3.Connection, token: str) -> dict[str, str]:
    """The questions of a batch by key, each with its prompt's fingerprint."""
    return dict(connection.execute("SELECT key, prompt FROM awaited WHERE token = ?", (token,)))
