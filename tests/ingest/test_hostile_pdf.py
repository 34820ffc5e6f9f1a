"""PDFs that no person would make are ended in time and named, and the next one is read."""

import os
import signal
import subprocess
import sys
import time
from multiprocessing import Pipe
from pathlib import Path

import psutil
import pytest

from hlg.ingest.load import reader_process
from hlg.ingest.load.file import FileRequest
from hlg.ingest.load.limits import MEBIBYTE, Limits
from hlg.ingest.load.sources import load
from hlg.ingest.parent import DIED
from hlg.records import Document
from hlg.reports import Failure
from support.pdf import glyphs, nested_forms, paths, pdf

LATE = "takes more than 3 s to read; raise the setting document_seconds"


def read(folder: Path, limits: Limits) -> dict[str, str]:
    """By a file's name its text, or why it was left out."""
    return {
        Path(found.uri).name: found.reason if isinstance(found, Failure) else found.text
        for found in load([folder], limits=limits)
    }


@pytest.mark.parametrize(
    "hostile",
    [paths(900_000), glyphs(150_000), nested_forms(30)],
    ids=["paths", "letters", "forms"],
)
def test_a_page_of_hours_is_named_and_what_follows_is_read(tmp_path: Path, hostile: bytes) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("Before"))
    (tmp_path / "b.pdf").write_bytes(hostile)
    (tmp_path / "c.pdf").write_bytes(pdf("After"))
    begun = time.monotonic()
    found = read(tmp_path, Limits(seconds=3))
    assert found == {"a.pdf": "Before", "b.pdf": LATE, "c.pdf": "After"}
    assert time.monotonic() - begun < 60  # forms of that depth would take hours


def test_a_page_that_fills_all_memory_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader_process.close()
    monkeypatch.setattr(reader_process, "MOST_MEMORY", 300 * MEBIBYTE)
    (tmp_path / "b.pdf").write_bytes(nested_forms(30))
    (tmp_path / "c.pdf").write_bytes(pdf("After"))
    assert read(tmp_path, Limits()) == {"b.pdf": DIED, "c.pdf": "After"}
    reader_process.close()


def test_one_process_reads_them_all_and_ends_with_what_asked(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("Before"))
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.4 broken")
    (tmp_path / "c.pdf").write_bytes(pdf("After"))
    reader_process.close()
    before = {each.pid for each in psutil.Process().children()}
    found = load([tmp_path])
    assert isinstance(next(found), Document)
    [process] = [each for each in psutil.Process().children() if each.pid not in before]
    assert [type(each) for each in found] == [Failure, Document]
    assert process.is_running()
    assert os.getpgid(process.pid) == process.pid  # Ctrl-C in a terminal is not for it
    reader_process.close()
    assert not process.is_running()


def test_it_ends_with_what_asked_when_that_is_killed() -> None:
    start = "from hlg.ingest.load.reader_process import _Process; process = _Process()"
    stay = "print(process._process.pid, flush=True); import time; time.sleep(100)"
    killed = subprocess.Popen(
        [sys.executable, "-c", f"{start}; {stay}"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with killed:
        assert killed.stdout is not None
        assert killed.stderr is not None
        reader = psutil.Process(int(killed.stdout.readline()))
        assert reader.is_running()
        killed.kill()
        assert killed.stderr.read() == b""  # nobody holds it any more
        reader.wait(timeout=20)


def test_code_that_lets_no_python_run_ends_without_what_asked() -> None:
    ours, theirs = Pipe()
    handle = theirs.fileno()
    stuck = (
        "import re; from hlg.ingest.load import reader_process, reading\n"
        "reading.read_file = lambda file: re.match('(a+)+$', 'a' * 60 + 'b')\n"
        f"reader_process.serve({handle}, reader_process.MOST_MEMORY)"
    )
    with subprocess.Popen([sys.executable, "-c", stuck], pass_fds=(handle,)) as reader:
        ours.send(FileRequest("a.txt", "a.txt", Limits(seconds=0.1)))
        assert reader.wait(timeout=60) == -signal.SIGALRM
