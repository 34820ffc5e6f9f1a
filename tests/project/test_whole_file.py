"""Files are written whole or not at all, and only plain files are ever replaced."""

import os
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from hlg.errors import UsageError
from hlg.whole_file import write_whole, write_whole_text


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_made_as_any_program_makes_one(tmp_path: Path) -> None:
    assert write_whole(tmp_path / "new", [b"one", b"two"]) == 6
    (tmp_path / "plain").write_bytes(b"")
    assert (tmp_path / "new").read_bytes() == b"onetwo"
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "plain").stat().st_mode
    assert names(tmp_path) == ["new", "plain"]


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    old = tmp_path / "old"
    old.write_text("before")
    old.chmod(0o640)
    write_whole_text(old, "after")
    assert (old.read_text(), old.stat().st_mode & 0o777) == ("after", 0o640)


def test_a_links_target_is_replaced_and_not_the_link(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    target, link = tmp_path / "kept" / "target", tmp_path / "link"
    link.symlink_to("kept/target")
    for text in ("made through the link", "replaced through the link"):
        write_whole_text(link, text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert names(tmp_path / "kept") == ["target"]


@pytest.mark.parametrize("error", [RuntimeError("a fault"), KeyboardInterrupt()])
def test_what_ends_the_work_leaves_what_was_there(tmp_path: Path, error: BaseException) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"x" * 100_000
        raise error

    (tmp_path / "old").write_text("before")
    with pytest.raises(type(error)):
        write_whole(tmp_path / "old", pieces())
    with pytest.raises(type(error)):
        write_whole(tmp_path / "new", pieces())
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "before"


def test_a_full_disk_leaves_what_was_there(tmp_path: Path) -> None:
    """The limit on a file's size stands for the end of the disk: both fail in ``write``."""
    (tmp_path / "old").write_text("before")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        for size in (11_000, 1_000_000):
            with pytest.raises(UsageError, match="old can't be written: File too large"):
                write_whole(tmp_path / "old", [b"x" * size])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert names(tmp_path) == ["old"]
    assert (tmp_path / "old").read_text() == "before"


def test_a_pipe_gets_a_stream_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", list[bytes]()
    os.mkfifo(pipe)
    reader = Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(pipe, [b"one", b"two"])
    reader.join(10)
    assert read == [b"onetwo"]
    assert pipe.is_fifo()


def test_a_reader_that_leaves_is_no_error_of_the_path(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)

    def pieces() -> Iterator[bytes]:
        os.close(reader)
        yield b"x" * 100_000

    with pytest.raises(BrokenPipeError):
        write_whole(pipe, pieces())


def test_a_socket_gets_a_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        server.listen()
        write_whole(Path("socket"), [b"one", b"two"])
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as received:
            assert received.read() == b"onetwo"
    assert Path("socket").is_socket()


def test_a_terminal_is_written_to_and_stays(tmp_path: Path) -> None:
    master, slave = os.openpty()
    (tmp_path / "terminal").symlink_to(os.ttyname(slave))
    write_whole(tmp_path / "terminal", [b"one"])
    assert os.read(master, 100) == b"one"
    assert (tmp_path / "terminal").is_char_device()
    os.close(master)
    os.close(slave)


def test_what_standard_output_goes_to_is_not_replaced(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; from hlg.whole_file import write_whole;"
        "print('first', flush=True); write_whole(Path('/dev/stdout'), [b'second\\n']);"
        "print('third')"
    )
    with (tmp_path / "out").open("wb") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True, timeout=60)
    assert (tmp_path / "out").read_text() == "first\nsecond\nthird\n"


def test_what_takes_no_bytes_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_text("")
    for name, said in {
        ".": "is a folder; give the name of a file",
        "loop": "can't be written: Too many levels of symbolic links",
        "none/file": "can't be written: there is no folder",
        "file/in": "can't be written: Not a directory",
    }.items():
        with pytest.raises(UsageError, match=said) as caught:
            write_whole(tmp_path / name, [b""])
        assert caught.value.option == "out"
    assert names(tmp_path) == ["file", "loop"]


def test_folders_are_made_where_that_is_wanted(tmp_path: Path) -> None:
    write_whole_text(tmp_path / "a" / "b" / "c", "\ud800 is no character", make_folder=True)
    assert (tmp_path / "a" / "b" / "c").read_text() == "\\ud800 is no character"
