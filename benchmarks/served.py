"""What asking at once costs: one client and fifty ask ``hlg serve`` the same questions.

Says how many answers a second there are, how long one takes, and how long the calls of the
embedded graph wait for the one connection that reads.

    python benchmarks/served.py                      # the demo's graph and questions
    python benchmarks/served.py --store notes.lbug --questions questions.txt
"""

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import RLock, local
from urllib.request import Request, urlopen

import numpy as np

from hlg.demo import QUESTIONS, TEXTS
from hlg.graph import LexicalGraph
from hlg.serve.app import application
from hlg.serve.service import GraphService, opened
from hlg.serving.listening import running
from hlg.settings import load_settings


class TimedLock:
    """A lock that adds up how long it was waited for, and how long it was held."""

    def __init__(self) -> None:
        self._lock, self._mine = RLock(), local()
        self.waited = self.held = 0.0

    def __enter__(self) -> None:
        asked = time.perf_counter()
        self._lock.acquire()
        self._mine.since = time.perf_counter()
        self.waited += self._mine.since - asked

    def __exit__(self, *error: object) -> None:
        self.held += time.perf_counter() - self._mine.since
        self._lock.release()


def main() -> None:
    """Print a line for one client and a line for many."""
    parser = argparse.ArgumentParser(description="What asking at once costs.")
    parser.add_argument("--store", type=Path, help="an embedded graph; without, the demo's")
    parser.add_argument("--questions", type=Path, help="a file with a question a line")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--asked", type=int, default=100, help="questions in all")
    given = parser.parse_args()
    lines = given.questions.read_text("utf-8").splitlines() if given.questions else QUESTIONS
    questions = [lines[i % len(lines)] for i in range(given.asked)]
    lock = TimedLock()
    print("clients | answers/s | median ms | 95 % ms | store held ms | waited for it ms")
    with _store(given.store) as store:
        settings = load_settings(store=str(store))

        def service() -> GraphService:
            made = opened(settings, None)
            made.graph.store._ladybug._reading = lock  # type: ignore[attr-defined]
            return made

        with running(application(service), "127.0.0.1", 0) as address:
            _asked(address, questions[:8], 1)
            for clients in (1, given.clients):
                lock.waited = lock.held = 0.0
                started = time.perf_counter()
                times = 1000 * np.array(_asked(address, questions, clients))
                spent = time.perf_counter() - started
                held, waited = (1000 * x / len(questions) for x in (lock.held, lock.waited))
                median, most = np.percentile(times, [50, 95])
                print(
                    f"{clients:>7} | {len(questions) / spent:>9.1f} | {median:>9.0f} | "
                    f"{most:>7.0f} | {held:>13.1f} | {waited:>16.1f}"
                )
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; ms are of one answer")


@contextmanager
def _store(path: Path | None) -> Iterator[Path]:
    if path is not None:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        with LexicalGraph.open(Path(folder) / "graph.lbug") as graph:
            graph.build([TEXTS])
        yield Path(folder) / "graph.lbug"


def _asked(address: str, questions: Sequence[str], clients: int) -> list[float]:
    """The seconds that each answer took."""

    def ask(question: str) -> float:
        started = time.perf_counter()
        body = json.dumps({"question": question}).encode()
        with urlopen(Request(f"{address}api/v1/ask", body)) as answer:
            json.load(answer)
        return time.perf_counter() - started

    with ThreadPoolExecutor(clients) as pool:
        return list(pool.map(ask, questions))


if __name__ == "__main__":
    main()
