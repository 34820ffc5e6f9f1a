"""What an interrupted experiment leaves behind: a line of JSON for every finished question."""

import json
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import IO

from pydantic import TypeAdapter, ValidationError

from hlg.evaluation.metrics.assess import Outcome
from hlg.whole_file import write_whole_text

_OUTCOME = TypeAdapter(tuple[str, Outcome])


class Journal:
    """Outcomes by retriever and question id, each on disk as soon as it is known."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.outcomes: dict[str, dict[str, Outcome]] = defaultdict(dict)

    def add(self, retriever: str, outcome: Outcome) -> None:
        """Keep an outcome."""
        self.outcomes[retriever][outcome.question_id] = outcome
        self._file.write(_line(retriever, outcome))
        self._file.flush()


@contextmanager
def open_journal(path: Path, key: str) -> Iterator[Journal]:
    """The journal at ``path``, with what an earlier run of the same experiment left there.

    The first line names the experiment; a journal with another ``key`` is begun anew. A
    line that a kill cut off is dropped, and the file is written afresh without it, so that
    what is appended starts on a line of its own.
    """
    known = list(_read(path, key))
    lines = [json.dumps(key) + "\n", *(_line(*each) for each in known)]
    write_whole_text(path, "".join(lines), make_folder=True)
    with path.open("a", encoding="utf-8") as file:
        journal = Journal(file)
        for retriever, outcome in known:
            journal.outcomes[retriever][outcome.question_id] = outcome
        yield journal


def _line(retriever: str, outcome: Outcome) -> str:
    return json.dumps([retriever, asdict(outcome)]) + "\n"


def _read(path: Path, key: str) -> Iterator[tuple[str, Outcome]]:
    if not path.is_file():
        return
    first, *lines = path.read_text(encoding="utf-8").split("\n")
    if first != json.dumps(key):
        return
    for line in lines:
        try:
            yield _OUTCOME.validate_json(line)
        except ValidationError:
            return
