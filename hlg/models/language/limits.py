"""How fast a model is asked: calls at once, requests and tokens a minute, and pauses."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

MINUTE = 60.0
LONGEST_NAP = 1.0


class Closed(Exception):
    """The provider wants everybody to wait for longer than anybody waits."""

    def __init__(self, seconds: float, patience: float) -> None:
        super().__init__(
            f"the provider wants calls to wait for {seconds:,.0f} s (Retry-After), and a call "
            f"waits for {patience:g} s at most (llm_wait_seconds)"
        )


@dataclass(frozen=True, slots=True)
class Limits:
    """What a provider allows, and for how long one call is tried again.

    :param concurrency: calls at once.
    :param requests_per_minute: 0 is any number; ``tokens_per_minute`` likewise.
    :param wait_seconds: the most that one call waits between its tries, all of them together;
        the tries themselves are not counted.
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
        self.places = threading.BoundedSemaphore(limits.concurrency)
        """Those for calls at once."""
        self._lock = threading.Lock()
        self._passed: deque[tuple[float, int]] = deque()
        self._closed_until = 0.0
        self.clock = clock
        self.wait = wait

    def enter(self, tokens: int, patience: float) -> None:
        """Wait until a try of so many tokens may go.

        :param patience: seconds that a provider may have all wait for.
        :raises Closed: it wants them to wait for longer.
        """
        while delay := self._delay(tokens, patience):
            self.wait(delay)

    def close(self, seconds: float) -> None:
        """Let nobody through for so long: the provider said that it is too much."""
        with self._lock:
            self._closed_until = max(self._closed_until, self.clock() + seconds)

    def _delay(self, tokens: int, patience: float) -> float:
        """Seconds until the try may go; 0 counts it as gone."""
        with self._lock:
            now = self.clock()
            while self._passed and now - self._passed[0][0] >= MINUTE:
                self._passed.popleft()
            if now < self._closed_until:
                left = self._closed_until - now
                if left > patience:
                    raise Closed(left, patience)
                # Looked at again soon: another call may be told of a longer wait meanwhile.
                return min(left, LONGEST_NAP)
            if self._passed and self._is_full(tokens):
                return MINUTE - (now - self._passed[0][0])
            self._passed.append((now, tokens))
            return 0.0

    def _is_full(self, tokens: int) -> bool:
        requests, most = self._limits.requests_per_minute, self._limits.tokens_per_minute
        sent = sum(each for _, each in self._passed)
        return bool((requests and len(self._passed) >= requests) or (most and sent + tokens > most))
