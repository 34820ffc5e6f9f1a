"""Lists of words: each stands once, and is read."""

import re
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest

from hlg.words import sections

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(
    path.name.removesuffix(".txt")
    for path in files("hlg.words").iterdir()
    if path.name.endswith(".txt")
)


@pytest.mark.parametrize("file", FILES)
def test_a_list_has_no_empty_entries(file: str) -> None:
    assert sections(file)
    assert all(all(entries) for entries in sections(file).values())


def test_no_list_stands_twice() -> None:
    lists = {
        (file, name): set(entries) for file in FILES for name, entries in sections(file).items()
    }
    long = {place: entries for place, entries in lists.items() if len(entries) >= 10}
    assert [
        pair
        for pair in combinations(long, 2)
        if len(long[pair[0]] & long[pair[1]]) > 0.75 * len(long[pair[0]] | long[pair[1]])
    ] == []


def test_every_list_is_read() -> None:
    """By its name, or with all others of its file."""
    code = "".join(
        path.read_text("utf-8")
        for part in ("hlg", "ingest", "retrieval")
        for path in (ROOT / part).rglob("*.py")
    )
    read = set(re.findall(r'words\(\s*"(\w+)", "([^"]+)"\s*\)', code))
    read |= set(re.findall(r'sections\("(\w+)"\)\["([^"]+)"\]', code))
    whole = set(re.findall(r'sections\("(\w+)"\)(?!\[)', code))
    assert {(file, name) for file in FILES if file not in whole for name in sections(file)} <= read
