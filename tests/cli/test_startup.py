"""What importing hlg and asking for help pull in: nothing that takes long."""

import subprocess
import sys
from pathlib import Path

import pytest

from hlg.retrieval.registry import RETRIEVERS
from support.stores import EMBEDDED, StorePlace
from support.worlds import QUESTION, open_world

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
    shared = ("command", "completion", "console", "ending", "main", "options", "parameters")
    assert commands == {f"hlg.cli.{name}" for name in (*shared, "status")}


def test_a_question_is_answered_without_the_parser(tmp_path: Path) -> None:
    address = str(tmp_path / "world.lbug")
    open_world(StorePlace(address)).close()
    asked = "; ".join(
        f"assert CliRunner().invoke(app, ['query', {QUESTION!r}, '--store', {address!r}, "
        f"'--graph', {EMBEDDED!r}, '--retriever', {name!r}]).exit_code == 0, {name!r}"
        for name in RETRIEVERS
        if name != "chunks-rerank"  # its model is PyTorch's
    )
    assert not {"spacy", "torch"} & modules_after(HELP + asked)


@pytest.mark.parametrize("first", ["load_english()", "is_english_noun('mill')"])
@pytest.mark.parametrize(("own", "imports"), [("run_in_own_process(); ", False), ("", True)])
def test_a_command_parses_text_without_pytorch_and_a_program_as_it_likes(
    own: str, imports: bool, first: str
) -> None:
    names = modules_after(
        "from hlg.models.spacy_pipeline import is_english_noun, load_english, run_in_own_process; "
        f"{own}{first}"
    )
    assert ("torch" in names) == imports
    assert "spacy" in names
