"""What is installed: one top-level package, with its data and its types."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PARTS = {
    "hlg": "hlg",
    "cypher": "hlg/cypher",
    "docker/browser": "hlg/browser",
    "ingest": "hlg/ingest",
    "retrieval": "hlg/retrieval",
}
"""Where each of the tree's folders is in an installation."""


@pytest.fixture(scope="module")
def wheel_names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Names in a wheel that was built from a copy of the tree."""
    tree = tmp_path_factory.mktemp("tree")
    for part in PARTS:
        shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "dist", "."],
        cwd=tree,
        check=True,
        capture_output=True,
    )
    (wheel,) = (tree / "dist").glob("hlg-*.whl")
    return zipfile.ZipFile(wheel).namelist()


def test_the_wheel_puts_nothing_but_hlg_into_site_packages(wheel_names: list[str]) -> None:
    tops = {name.split("/")[0] for name in wheel_names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"hlg"}


@pytest.mark.parametrize("part", PARTS)
def test_the_wheel_holds_every_file_of_the_package(wheel_names: list[str], part: str) -> None:
    target = PARTS[part]
    wanted = {
        f"{target}/{path.relative_to(ROOT / part).as_posix()}"
        for path in (ROOT / part).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert wanted <= set(wheel_names)


def test_the_constraints_hold_every_direct_dependency_without_an_address() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    constraints = (ROOT / "constraints.txt").read_text()
    assert "://" not in constraints
    pinned = {line.split("==")[0] for line in constraints.splitlines() if "==" in line}
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    direct = {
        requirement.split(">")[0].split("=")[0].split("[")[0]
        for group in groups
        for requirement in group
    }
    assert direct - {"hlg"} <= pinned
