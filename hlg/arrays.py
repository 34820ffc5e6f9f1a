"""Named arrays in a folder, with what is needed to trust them: version, types and shapes.

::

    with draft_of(folder) as draft:                 whole or not at all
        write_arrays(draft, {"ids": ids, "rows": rows}, version="names 1")
    arrays = read_arrays(folder, version="names 1")     mapped, read where they are needed

Each array is an ``.npy`` file; ``arrays.json`` says which there are and is written last.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LAYOUT = "arrays.json"


class ArraysError(ValueError):
    """A folder holds no arrays, or those of another version, or damaged ones."""


def write_arrays(folder: Path, arrays: Mapping[str, NDArray[Any]], *, version: str) -> None:
    """Write arrays into a folder, which is made where it is missing.

    :param version: changes whenever the arrays, or what they mean, do.
    :raises OSError: the folder can't be written to.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array, allow_pickle=False)
    layout = {"version": version, "arrays": {name: _form(array) for name, array in arrays.items()}}
    (folder / _LAYOUT).write_text(json.dumps(layout), "utf-8")


def read_arrays(folder: Path, *, version: str) -> dict[str, NDArray[Any]]:
    """Map the arrays of a folder; their numbers are read where they are needed.

    :raises ArraysError: there are none, or they are damaged, or of another version.
    """
    try:
        layout = json.loads((folder / _LAYOUT).read_text("utf-8"))
        found, forms = str(layout["version"]), dict(layout["arrays"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArraysError(f"there are no whole arrays in {folder}: {error}") from error
    if found != version:
        raise ArraysError(f"the arrays in {folder} are of version {found!r}, not {version!r}")
    return {name: _read(folder / f"{name}.npy", form) for name, form in forms.items()}


def _read(path: Path, form: list[Any]) -> NDArray[Any]:
    try:
        array = _mapped(path)
    except (OSError, ValueError, EOFError) as error:
        raise ArraysError(f"{path} is damaged: {error}") from error
    if _form(array) != form:
        raise ArraysError(f"{path} is damaged: it holds {_form(array)}, not {form}")
    return array


def _form(array: NDArray[Any]) -> list[Any]:
    return [array.dtype.str, list(array.shape)]


def _mapped(path: Path) -> NDArray[Any]:
    try:
        mapped: NDArray[Any] = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
    except ValueError:  # an empty array can't be mapped
        mapped = np.load(path, allow_pickle=False)
    return mapped
