"""How fast a model is asked: calls at once, requests and tokens a minute, and pauses."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Gate", "Limits"]

MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a provider allows, and for how long one call is tried again.

    :param concurrency: calls at once.
    :param requests_per_minute: 0 is any number; ``tokens_per_minute`` likewise.
    :param wait_seconds: the most that one call waits between its tries, all of them together.
    """

    concurrency: int = 4
    requests_per_minute: int = 0
    tokens_per_minute: int = 0
    wait_seconds: float = 120.0


class Gate:
    """Lets calls through as the limits allow, in any number of threads.

    :param clock: seconds that never go back; ``wait`` passes seconds: for tests.
    """

    def __init__(
        self,
        limits: Limits,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        self._limits = limits
        self._slots = threading.BoundedSemaphore(limits.concurrency)
        self._lock = threading.Lock()
        self._passed: deque[tuple[float, int]] = deque()
        self._closed_until = 0.0
        self.clock = clock
        self.wait = wait

    @contextmanager
    def passing(self, tokens: int) -> Iterator[None]:
        """Wait for a place, and until a call of so many tokens may go."""
        with self._slots:
            while delay := self._delay(tokens):
                self.wait(delay)
            yield

    def pause(self, seconds: float) -> None:
        """Let nobody through for so long: the provider said that it is too much."""
        with self._lock:
            self._closed_until = max(self._closed_until, self.clock() + seconds)

    def _delay(self, tokens: int) -> float:
        """Seconds until the call may go; 0 counts it as gone."""
        with self._lock:
            now = self.clock()
            while self._passed and now - self._passed[0][0] >= MINUTE:
                self._passed.popleft()
            if now < self._closed_until:
                return self._closed_until - now
            if self._passed and self._is_full(tokens):
                return MINUTE - (now - self._passed[0][0])
            self._passed.append((now, tokens))
            return 0.0

    def _is_full(self, tokens: int) -> bool:
        requests, most = self._limits.requests_per_minute, self._limits.tokens_per_minute
        sent = sum(each for _, each in self._passed)
        return bool((requests and len(self._passed) >= requests) or (most and sent + tokens > most))
