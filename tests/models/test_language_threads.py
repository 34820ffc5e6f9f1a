"""Work in threads: in order, boundedly ahead, and nothing that was begun is thrown away."""

import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from hlg.models.language.door import open_door
from hlg.models.language.threads import in_threads
from support.language_model_server import Asked, Says, ScriptedServer


def test_an_error_waits_for_what_was_begun_and_begins_nothing_more() -> None:
    begun, ended = [], []
    second = threading.Event()

    def work(item: int) -> int:
        begun.append(item)
        if item == 0:
            second.wait(5)
            raise ValueError("no")
        second.set()
        time.sleep(0.05)
        ended.append(item)
        return item

    with pytest.raises(ValueError, match="no"):
        list(in_threads(work, range(100), threads=2))
    assert sorted(ended) == sorted(set(begun) - {0})
    assert len(begun) < 10


def test_it_reads_no_more_than_it_needs() -> None:
    read = []

    def items() -> object:
        for item in range(1000):
            read.append(item)
            yield item

    results = in_threads(lambda item: item, items(), threads=3)  # type: ignore[arg-type,var-annotated]
    assert [next(results) for _ in range(5)] == list(range(5))
    results.close()  # type: ignore[attr-defined]
    assert len(read) < 20


_ASKING = """
import sys
from hlg.models.language.door import open_door
from hlg.settings import Settings
door = open_door(Settings(llm="tiny", llm_url=sys.argv[1], llm_cache=sys.argv[2]))
points = [{"question": "?", "points": str(i)} for i in range(40)]
list(door.ask_many("global-answer", points))
"""


def test_a_killed_process_and_the_next_pay_for_nothing_twice(tmp_path: Path) -> None:
    def script(asked: Asked) -> Says:
        if len(server.asked) == 20:
            process.kill()
        return Says(asked.material("points"), seconds=0.01)

    with ScriptedServer(script) as server:
        command = [sys.executable, "-c", _ASKING, server.url, str(tmp_path / "a.sqlite")]
        process = subprocess.Popen(command)
        assert process.wait(60) < 0
        first = Counter(asked.material("points") for asked in server.asked)
        door = open_door(server.settings(llm_cache=str(tmp_path / "a.sqlite")))
        assert door is not None
        points = [{"question": "?", "points": str(number)} for number in range(40)]
        answers = door.ask_many("global-answer", points)
        assert [getattr(each, "text", "") for each in answers] == [
            each["points"] for each in points
        ]
        total = Counter(asked.material("points") for asked in server.asked)
    under_way = 4
    assert len(first) >= 16
    assert sum(total.values()) <= 40 + under_way
