"""An extra is installed as hlg was."""

import json
import sys
from pathlib import Path

import pytest

from hlg import extras
from hlg.errors import UsageError
from hlg.extras import how_to_install, needing


class Installed:
    """A distribution that was installed from somewhere."""

    def __init__(self, origin: object) -> None:
        self._origin = origin

    def read_text(self, name: str) -> str | None:
        assert name == "direct_url.json"
        return None if self._origin is None else json.dumps(self._origin)


@pytest.fixture
def pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment that has pip, and in it hlg of a checkout in ``a b``."""
    checkout = {"url": (tmp_path / "a b").as_uri(), "dir_info": {"editable": True}}
    monkeypatch.setattr(extras, "distribution", lambda name: Installed(checkout))
    monkeypatch.setattr(extras, "find_spec", lambda name: object())
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    (tmp_path / "a b").mkdir()


@pytest.mark.usefixtures("pip")
class TestCommand:
    def test_a_checkout_is_named_by_its_path(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert how_to_install("torch") == f"pip install '{tmp_path}/a b[torch]'"
        monkeypatch.chdir(tmp_path / "a b")
        assert how_to_install("torch") == "pip install '.[torch]'"

    @pytest.mark.parametrize("origin", [None, {"url": "file:///x/hlg.whl", "archive_info": {}}])
    def test_a_wheel_by_its_name(self, origin: object, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(extras, "distribution", lambda name: Installed(origin))
        assert how_to_install("llm") == "pip install 'hlg[llm]'"

    @pytest.mark.parametrize(
        ("receipt", "command"),
        [
            ("uv-receipt.toml", "uv tool install --force "),
            ("pipx_metadata.json", "pipx install --force "),
        ],
    )
    def test_a_tool_is_installed_anew(self, receipt: str, command: str, tmp_path: Path) -> None:
        (tmp_path / receipt).touch()
        assert how_to_install("tune").startswith(command)

    def test_without_pip_it_is_uv(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(extras, "find_spec", lambda name: None)
        assert how_to_install("tune").startswith("uv pip install ")


def test_sources_that_were_never_installed_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    def missing(name: str) -> None:
        raise extras.PackageNotFoundError(name)

    monkeypatch.setattr(extras, "distribution", missing)
    assert str(Path(extras.__file__).resolve().parents[1]) in how_to_install("torch")


def test_a_package_that_is_missing_is_named_with_its_extra() -> None:
    with (
        pytest.raises(UsageError, match=r"^hlg x needs no_such, which is not installed: .*\[y\]'$"),
        needing("y", "hlg x"),
    ):
        import no_such  # type: ignore[import-not-found]  # noqa: F401
