"""The front door is true: its example runs, and its output is what the command prints."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hlg.demo import TEXTS

ROOT = Path(__file__).parent.parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.mark.slow
def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(TEXTS, tmp_path / "town")
    monkeypatch.chdir(tmp_path)
    (example,) = blocks("python")
    exec(example, {})
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"\d+ statements", lines[0])
    assert len(lines) == 4
    assert any("Henrike Oake started it" in line for line in lines[1:])


@pytest.mark.slow
def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    (shown,) = (block for block in blocks("console") if block.startswith("$ hlg demo\n"))

    done = subprocess.run(
        [Path(sys.executable).with_name("hlg"), "demo"],
        cwd=tmp_path,
        text=True,
        capture_output=True,
        check=True,
    )

    def without_figures(text: str) -> str:
        # Times differ from run to run, scores in the last digits from processor to processor.
        text = re.sub(r"\d+(?:\.\d+)? (?:ms|s)\b", "… s", text)
        return re.sub(r"^( \d+)  \d+\.\d+  ", r"\1  ", text, flags=re.MULTILINE).strip()

    assert without_figures(done.stdout) == without_figures(shown.removeprefix("$ hlg demo\n"))
    assert list(tmp_path.iterdir()) == []


def test_a_benchmark_that_needs_its_package_is_named_as_a_module() -> None:
    named = {
        name
        for page in (*ROOT.glob("*.md"), *ROOT.glob("benchmarks/*.md"), *ROOT.glob("docs/*.md"))
        for name in re.findall(r"python benchmarks/(\w+)\.py", page.read_text("utf-8"))
    }
    assert named
    sources = {name: (ROOT / "benchmarks" / f"{name}.py").read_text("utf-8") for name in named}
    assert [name for name, text in sources.items() if "from benchmarks." in text] == []
