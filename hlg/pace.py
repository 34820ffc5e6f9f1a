"""How long the rest of a long piece of work takes."""

from collections import deque

from hlg.reports import Progress

__all__ = ["Pace"]

SECONDS_OF_PACE = 60.0
SECONDS_BEFORE_A_PACE = 2.0
FURTHEST_AHEAD = 50
"""How many times as far as a stage has come in seconds it is told how far it has to go: the
first files say nothing of ten thousand others."""
SECONDS_BETWEEN_MARKS = 0.5


class Pace:
    """How long the rest of a stage takes, at the pace of the last minute.

    :param now: seconds of a clock that never goes back, here and below.
    """

    def __init__(self, now: float) -> None:
        self._stage = ""
        self._last = self._began = now
        self._seen: deque[tuple[float, float]] = deque()

    def left(self, progress: Progress, now: float) -> float | None:
        """Seconds until the stage's end; None where that can't be said yet."""
        if progress.stage != self._stage:
            self._stage = progress.stage
            self._began = self._last
            self._seen = deque([(self._began, 0.0)])
        self._last = now
        part = progress.part
        if part is None:
            return None
        if now - self._seen[-1][0] >= SECONDS_BETWEEN_MARKS:
            self._seen.append((now, part))
        while len(self._seen) > 2 and now - self._seen[1][0] > SECONDS_OF_PACE:
            self._seen.popleft()
        since, before = self._seen[0]
        if now - since < SECONDS_BEFORE_A_PACE or part <= before:
            return None
        left = (1 - part) * (now - since) / (part - before)
        return left if left <= FURTHEST_AHEAD * (now - self._began) else None
