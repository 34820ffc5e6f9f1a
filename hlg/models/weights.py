"""Weights and vocabularies: where they are, and that they are the ones that were pinned; and the
files of small models that hlg trains itself."""

import json
from collections.abc import Callable
from hashlib import file_digest
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from hlg.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

Model = TypeVar("Model")


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


def read_model(
    path: Path, what: str, make: Callable[[Any], Model], remedy: str, format_: int | None = None
) -> Model:
    """What is made of the JSON in a trained model's file.

    :param what: it is, for messages; ``remedy`` is what a person can do.
    :param format_: which one its ``format`` has to be, where it has any.
    :raises ModelError: the file is missing, damaged, or of another version of hlg.
    """
    try:
        model = json.loads(path.read_text("utf-8"))
        if format_ is not None and model["format"] != format_:
            raise ValueError(f"it is of format {model['format']}, this hlg reads {format_}")
        return make(model)
    except OSError as error:
        raise ModelError(f"no {what} at {path} ({error.strerror}); {remedy}") from error
    except (ValueError, KeyError, TypeError) as error:
        reason = str(error).partition("\n")[0]
        raise ModelError(f"the {what} {path} can't be used ({reason}); {remedy}") from error


def own_network(path: Path, threads: int = 1) -> "InferenceSession":
    """A network that comes with hlg, to be run on the processor.

    :raises ModelError: its file is missing or damaged.
    """
    from onnxruntime import InferenceSession, SessionOptions

    options = SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.enable_mem_pattern = False
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        # onnxruntime raises bare exceptions of its own.
        reason = str(error).strip().partition("\n")[0]
        raise ModelError(f"{path} can't be read ({reason}): install hlg again") from error
