"""What importing hlg and asking for help pull in: nothing that takes long."""

import subprocess
import sys

import pytest

HEAVY = {
    "bm25s",
    "igraph",
    "ladybug",
    "lark",
    "leidenalg",
    "llama_index",
    "lxml",
    "neo4j",
    "numpy",
    "onnxruntime",
    "pandas",
    "psutil",
    "pyarrow",
    "pydantic_settings",
    "pypdf",
    "rich",
    "scipy",
    "sklearn",
    "spacy",
    "tokenizers",
    "torch",
}


def modules_after(code: str) -> set[str]:
    """All modules that a fresh interpreter holds after running ``code``."""
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules, file=sys.stderr)"],
        check=True,
        capture_output=True,
        text=True,
    )
    return set(done.stderr.split())


HELP = "from typer.testing import CliRunner; from hlg.cli.main import app; "


@pytest.mark.parametrize(
    "code",
    [
        "import hlg",
        HELP + "assert 'neo4j' in CliRunner().invoke(app, ['--help']).stdout",
        HELP + "assert '--top-k' in CliRunner().invoke(app, ['query', '--help']).stdout",
        HELP + "assert CliRunner().invoke(app, ['bild']).exit_code == 2",
    ],
    ids=["import", "help", "help of a command", "wrong command"],
)
def test_nothing_heavy_is_imported(code: str) -> None:
    assert {name.partition(".")[0] for name in modules_after(code)} & HEAVY == set()


def test_importing_hlg_imports_nothing_else_of_it() -> None:
    names = modules_after("import hlg; dir(hlg)")
    assert {name for name in names if name.startswith("hlg.")} == set()


def test_a_command_does_not_import_the_others() -> None:
    names = modules_after(HELP + "CliRunner().invoke(app, ['status', '--help'])")
    commands = {name for name in names if name.startswith("hlg.cli.")}
    shared = ("completion", "console", "ending", "group", "main", "options")
    assert commands == {f"hlg.cli.{name}" for name in (*shared, "status")}
