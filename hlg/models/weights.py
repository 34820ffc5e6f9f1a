"""Weights and vocabularies: where they are, and that they are the ones that were pinned."""

from hashlib import file_digest
from importlib import import_module
from pathlib import Path

from hlg.errors import ModelError


def verified(path: Path, sha256: str, remedy: str) -> Path:
    """``path``, once the file there is known to have that hash.

    :param remedy: what the user can do about a missing or damaged file.
    :raises ModelError: the file is missing, unreadable or another one.
    """
    try:
        with path.open("rb") as file:
            found = file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ModelError(f"model file {path} can't be read ({error.strerror}): {remedy}") from error
    if found != sha256:
        raise ModelError(
            f"model file {path} is damaged or of another version "
            f"(sha256 {found[:12]}… instead of {sha256[:12]}…): {remedy}"
        )
    return path


def package_folder(package: str, remedy: str) -> Path:
    """The folder of an installed package that carries a model.

    :raises ModelError: the package is not installed.
    """
    try:
        module = import_module(package)
    except ImportError as error:
        raise ModelError(f"package {package} is not installed: {remedy}") from error
    return Path(next(iter(module.__path__)))
