"""The commands that the documents show, run in their order on the demo's texts.

What a page prints below a command is what the command prints, but for times and, from one
processor to another, the last digits of scores. Those that need Neo4j are tried elsewhere.
"""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from hlg.demo import TEXTS
from support.command_line import hlg, ran

ROOT = Path(__file__).parent.parent.parent
PAGES = {"README.md": (), "docs/guide.md": (("build", "."),)}
"""Pages, each with the commands that its reader has run before."""
STAND_INS = {"notes/": ".", "report.pdf": "petrel.md", "papers/**/*.md": "*.md"}
"""What stands for documents of the reader's own."""
WRITTEN_HERE = {"corpus.jsonl": '{"id": "1", "text": "Vessen lies on the Lune."}\n'}
LEFT_OUT = re.compile(r"neo4j|--where|^hlg (?:demo|browse)\b")
"""Neo4j's; what asks for documents with other metadata; and the demo, which has its own test."""


def commands(page: str) -> list[tuple[str, list[str]]]:
    """The ``$ hlg …`` lines of a page, each with the lines that it prints there."""
    text = (ROOT / page).read_text("utf-8")
    shown = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, *printed = part.rstrip("\n").split("\n")
            if line.startswith("hlg ") and not LEFT_OUT.search(line):
                shown.append((line, printed))
    return shown


def without_times(lines: list[str]) -> list[str]:
    return [re.sub(r"\d+(?:\.\d+)? (ms|s)\b", r"… \1", line) for line in lines if line]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_what_a_page_shows_is_what_its_commands_print(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(TEXTS, tmp_path / "town")
    monkeypatch.chdir(tmp_path / "town")
    for name, text in WRITTEN_HERE.items():
        if page == "README.md":
            Path(name).write_text(text, "utf-8")
    for before in PAGES[page]:
        ran(*before)
    shown = commands(page)
    assert shown
    otherwise = []
    for line, printed in shown:
        arguments = [STAND_INS.get(word, word) for word in shlex.split(line, comments=True)[1:]]
        done = hlg(*arguments)
        # A stand-in names files twice over, and all but the first are left out.
        assert done.exit_code in (0, 1), f"{line}: {done.output}"
        said = (done.stdout + done.stderr).splitlines()
        if printed and without_times(said) != without_times(printed):
            otherwise.append("\n".join((line, *said)))
    assert not otherwise, "\n\n".join(otherwise)
