"""How an extra is added to hlg here: as hlg itself was installed."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from hlg.errors import UsageError


def how_to_install(extra: str) -> str:
    """The command that adds an extra, such as ``torch``, to this installation of hlg.

    A checkout is named by its path, a release by its name; uv's and pipx's tools are
    installed anew, and an environment without pip is uv's.
    """
    folder = _checkout()
    what = "hlg" if folder is None else "." if folder == Path.cwd() else str(folder)
    wanted = f"'{what}[{extra}]'"
    tool = _tool()
    return f"{tool} install --force {wanted}" if tool else f"{_pip()} install {wanted}"


@contextmanager
def needing(extra: str, what: str) -> Iterator[None]:
    """Imports that need an extra.

    :raises UsageError: a package is missing; says which, and how it is installed.
    """
    try:
        yield
    except ImportError as error:
        raise UsageError(
            f"{what} needs {error.name}, which is not installed: {how_to_install(extra)}"
        ) from error


def how_to_install_package(package: str) -> str:
    """The command that puts another package beside this installation of hlg."""
    tool = _tool()
    if tool == "pipx":
        return f"pipx inject hlg {package}"
    return f"{tool} install hlg --with {package}" if tool else f"{_pip()} install {package}"


def _tool() -> str:
    """What hlg was installed with as a tool of its own; empty where it was not."""
    prefix = Path(sys.prefix)
    if (prefix / "uv-receipt.toml").is_file():
        return "uv tool"
    return "pipx" if (prefix / "pipx_metadata.json").is_file() else ""


def _pip() -> str:
    return "pip" if find_spec("pip") else "uv pip"


def _checkout() -> Path | None:
    """The folder of the sources that hlg was installed from, or is run in."""
    try:
        told = distribution("hlg").read_text("direct_url.json")
    except PackageNotFoundError:
        return Path(__file__).resolve().parents[1]
    origin = json.loads(told) if told else {}
    if "dir_info" not in origin:
        return None
    return Path(url2pathname(urlsplit(origin["url"]).path))
