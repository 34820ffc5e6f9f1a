"""The notebooks run from the first cell to the last, and are kept with what they print.

``WRITE_NOTEBOOKS=1 pytest tests/project/test_notebooks.py`` writes what they print now.
"""

import os
import re
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from support.language_model_server import ScriptedServer
from support.neo4j_fixture import Neo4jServer
from support.town_model import town_model

FOLDER = Path(__file__).parent.parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
SECONDS = 240


def read(path: Path) -> Any:
    return nbformat.read(path, as_version=4)


def printed(notebook: Any) -> str:
    """All text that a notebook's cells have put out."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return "".join(
        output.get("text", "") + output.get("data", {}).get("text/plain", "") for output in outputs
    )


def execute(path: Path, folder: Path) -> str:
    notebook = read(path)
    how: Any = {"kernel_name": "python3", "resources": {"metadata": {"path": folder}}}
    NotebookClient(notebook, timeout=SECONDS, record_timing=False, **how).execute()
    if os.environ.get("WRITE_NOTEBOOKS"):
        nbformat.write(notebook, path)
    return printed(notebook)


def names() -> list[str]:
    return [path.name for path in NOTEBOOKS]


@pytest.fixture(autouse=True)
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel of these tests' own Python, whatever else is installed for the user."""
    spec = tmp_path / "jupyter" / "kernels" / "python3"
    spec.mkdir(parents=True)
    command = f'["{sys.executable}", "-m", "ipykernel_launcher", "-f", "{{connection_file}}"]'
    text = f'{{"argv": {command}, "display_name": "Python 3", "language": "python"}}'
    (spec / "kernel.json").write_text(text)
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    monkeypatch.setenv("JUPYTER_PREFER_ENV_PATH", "0")
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=names())
def test_a_notebook_is_kept_whole_with_its_outputs_and_without_this_machine(path: Path) -> None:
    notebook = read(path)
    nbformat.validate(notebook)
    counts = [cell.execution_count for cell in notebook.cells if cell.cell_type == "code"]
    assert counts == list(range(1, len(counts) + 1))
    pictures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
    ]
    assert pictures
    assert not [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", ())
        if output.output_type == "error" or output.get("name") == "stderr"
    ]
    assert not re.search(r"/(tmp|home|root|work|Users|var)/", printed(notebook))
    assert path.stat().st_size < 400_000


@pytest.mark.slow
def test_the_quickstart_runs_and_finds_the_answer(tmp_path: Path) -> None:
    assert "Adela Stroom" in execute(FOLDER / "01_quickstart.ipynb", tmp_path)


@pytest.mark.slow
def test_the_language_models_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = FOLDER / "03_language_models.ipynb"
    with ScriptedServer(town_model) as server:
        for name, value in (("", "town-script"), ("_URL", server.url), ("_API_KEY", "x")):
            monkeypatch.setitem(os.environ, f"HLG_LLM{name}", value)
        found = execute(path, tmp_path)
    # What it cost depends on how long prompts are, which may change; the rest is the same.
    assert without_figures(found) == without_figures(printed(read(path)))
    for text in ("ended early", "understood as: When was Lotte Wiek born?", "by town-script"):
        assert text in found


def without_figures(text: str) -> str:
    """What is printed without counts, money, and hashes of prompts."""
    return re.sub(r"[\d,.]+|(?<=/)[0-9a-f]{12}", "0", text)


@pytest.mark.slow
@pytest.mark.neo4j
def test_the_graph_in_neo4j_runs(
    tmp_path: Path, neo4j_reference: Neo4jServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = neo4j_reference
    monkeypatch.setitem(os.environ, "HLG_NEO4J_URI", server.uri)
    monkeypatch.setitem(os.environ, "HLG_NEO4J_USER", server.user)
    monkeypatch.setitem(os.environ, "HLG_NEO4J_PASSWORD", server.password)
    found = execute(FOLDER / "02_neo4j.ipynb", tmp_path)
    assert "12 sources copied" in found
    assert "level 0" in found
    assert "lotte_wiek.md" in found
