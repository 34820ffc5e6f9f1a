"""Data sets and other files of a JSON record a line."""

import json
from collections.abc import Iterable
from pathlib import Path


def write_lines(path: Path, records: Iterable[object]) -> None:
    lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    path.write_text("".join(lines), "utf-8")


def write_dataset(folder: Path, **files: Iterable[object]) -> Path:
    """A folder with ``corpus``, ``queries`` and whatever else as JSONL."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, records in files.items():
        write_lines(folder / f"{name}.jsonl", records)
    return folder
