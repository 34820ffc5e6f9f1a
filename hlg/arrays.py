"""Records of arrays in a folder, with what is needed to trust them: version, types and shapes.

::

    @dataclass
    class Names:
        keys: NDArray[np.bytes_]
        names: Strings                              a record too

    names = cached_record(folder, Names, "names 1", build)   mapped, or built and written first

A record is a dataclass of arrays, numbers, strings and such records. Each array is an ``.npy``
file, named by the path of its field; ``arrays.json`` says which there are and is written last.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from pathlib import Path
from shutil import rmtree
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from hlg.folders import draft_of

RecordT = TypeVar("RecordT")
_LAYOUT = "arrays.json"


class ArraysError(ValueError):
    """A folder holds no arrays, or those of another version, or damaged ones."""


def cached_record(
    folder: Path, kind: type[RecordT], version: str, build: Callable[[], RecordT]
) -> RecordT:
    """The record in a folder, built and written where there is none of that version.

    Where the folder can't be written to, it is built alone: what it is of may be read from there
    all the same.
    """
    try:
        return read_record(folder, kind, version=version)
    except ArraysError:
        rmtree(folder, ignore_errors=True)
        record = build()
    with suppress(OSError), draft_of(folder) as draft:
        write_arrays(draft, arrays_of(record), version=version)
    return record


def read_record(folder: Path, kind: type[RecordT], *, version: str) -> RecordT:
    """Map the record in a folder; its numbers are read where they are needed.

    :raises ArraysError: there is none, or it is damaged, or of another version.
    """
    try:
        return record_of(kind, read_arrays(folder, version=version))
    except KeyError as error:
        raise ArraysError(f"the arrays in {folder} lack {error}") from error


def arrays_of(record: Any, of: str = "") -> dict[str, NDArray[Any]]:
    """All arrays that a record is made of, by the paths of their fields; what it works out for
    itself (``init=False``) aside."""
    found: dict[str, NDArray[Any]] = {}
    for each in fields(record):
        value = getattr(record, each.name)
        if each.init and is_dataclass(value):
            found |= arrays_of(value, f"{of}{each.name}.")
        elif each.init:
            found[f"{of}{each.name}"] = np.asarray(value)
    return found


def record_of(kind: type[RecordT], arrays: Mapping[str, NDArray[Any]], of: str = "") -> RecordT:
    """The record that gave :func:`arrays_of`.

    :raises KeyError: one of its arrays is missing.
    """
    given: dict[str, Any] = {}
    for each in fields(kind):  # type: ignore[arg-type]
        path, type_ = f"{of}{each.name}", each.type
        if isinstance(type_, type) and is_dataclass(type_):
            given[each.name] = record_of(type_, arrays, f"{path}.")
        elif each.init:
            given[each.name] = type_(arrays[path]) if type_ in (int, str) else arrays[path]
    return kind(**given)


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
