"""Answers that were paid for once: kept in a file, and asked for by one thread at a time."""

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hlg.folders import cache_folder
from hlg.ids import content_id
from hlg.models.language.cache import AnswerCache, CachedAnswer
from hlg.models.language.ledger import BatchLedger
from hlg.models.language.question import Question
from hlg.settings import CACHE_OFF

CACHE_FILE = "answers.sqlite"
REFUSAL_SECONDS = 7 * 86_400
"""An endpoint that knew no schemas is asked for one again after so long: it may have learnt."""


class CachedAnswers:
    """The answers of a model in a cache, or in none; safe for any number of threads."""

    def __init__(self, cache: AnswerCache | None, model: str) -> None:
        self._cache = cache
        self._model = model
        self.ledger = BatchLedger(cache) if cache is not None else None
        """What is out in batches; None without a cache."""
        self._asking: dict[str, tuple[threading.Lock, int]] = {}
        self._lock = threading.Lock()

    def get(self, question: Question) -> CachedAnswer | None:
        """The answer that is kept, if there is one."""
        return self._cache.get(question.key) if self._cache else None

    def put(self, question: Question, answer: CachedAnswer) -> None:
        """Keep an answer, where answers are kept."""
        if self._cache is not None:
            self._cache.put(question.key, self._model, question.prompt.fingerprint, answer)

    def is_awaited(self, question: Question) -> bool:
        """Whether the question is out in a batch."""
        return self.ledger is not None and self.ledger.is_awaited(question.key)

    def made(self, name: str, given: Sequence[str], make: Callable[[], list[str]]) -> list[str]:
        """See :meth:`hlg.models.language.door.ModelDoor.kept_list`."""
        key = content_id("made", name, *given)
        known = self._cache.get(key) if self._cache else None
        if known is not None:
            return list(json.loads(known.text))
        made = make()
        if self._cache is not None:
            self._cache.put(key, name, "", CachedAnswer(json.dumps(made), 0, 0))
        return made

    def remember_refusal(self, address: str) -> None:
        """Note for the next process that the model there answers by no schema."""
        if self._cache is not None:
            told = CachedAnswer(str(time.time()), 0, 0)
            self._cache.put(self._refusal(address), self._model, "", told)

    def remembers_refusal(self, address: str) -> bool:
        """Whether that was noted lately."""
        known = self._cache.get(self._refusal(address)) if self._cache else None
        return known is not None and time.time() - float(known.text) < REFUSAL_SECONDS

    def _refusal(self, address: str) -> str:
        return content_id("refused schemas", self._model, address)

    @contextmanager
    def alone(self, question: Question) -> Iterator[None]:
        """Only one thread at a time asks the same."""
        key = question.key
        with self._lock:
            lock, waiting = self._asking.get(key, (threading.Lock(), 0))
            self._asking[key] = lock, waiting + 1
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, waiting = self._asking.pop(key)
                if waiting > 1:
                    self._asking[key] = lock, waiting - 1

    def close(self) -> None:
        """Let go of the file."""
        if self._cache is not None:
            self._cache.close()


def open_cache(setting: str) -> AnswerCache | None:
    """The cache that the setting ``llm_cache`` names; None where it is off.

    :raises ModelError: its file can't be used.
    """
    if setting == CACHE_OFF:
        return None
    return AnswerCache(Path(setting).expanduser() if setting else cache_folder() / CACHE_FILE)
