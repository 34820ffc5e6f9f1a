"""Arrays on disk: what was written comes back, and what is not whole is refused."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from hlg.arrays import ArraysError, cached_record, read_arrays, write_arrays
from hlg.strings import Strings

ARRAYS = {
    "ids": np.array([b"a", b"bc"], "S32"),
    "rows": np.arange(5, dtype=np.int32),
    "vectors": np.ones((2, 3), np.float16),
    "nothing": np.zeros((0, 4), np.float32),
    "number": np.array("a revision"),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_arrays(tmp_path / "kept", ARRAYS, version="test 1")
    return tmp_path / "kept"


def test_arrays_come_back_as_they_were(folder: Path) -> None:
    found = read_arrays(folder, version="test 1")
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        np.testing.assert_array_equal(found[name], array)
        assert found[name].dtype == array.dtype


def test_another_version_is_refused(folder: Path) -> None:
    with pytest.raises(ArraysError, match="version 'test 1', not 'test 2'"):
        read_arrays(folder, version="test 2")


def test_a_folder_without_arrays_is_refused(folder: Path, tmp_path: Path) -> None:
    for place in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(ArraysError, match="no whole arrays"):
            read_arrays(place, version="test 1")
    (folder / "arrays.json").write_text("{")
    with pytest.raises(ArraysError, match="no whole arrays"):
        read_arrays(folder, version="test 1")


@pytest.mark.parametrize("damage", ["missing", "cut", "other type", "empty"])
def test_damage_is_told(folder: Path, damage: str) -> None:
    path = folder / "rows.npy"
    if damage == "missing":
        path.unlink()
    elif damage == "cut":
        path.write_bytes(path.read_bytes()[:-8])
    elif damage == "other type":
        np.save(path, np.arange(5, dtype=np.int64))
    else:
        path.write_bytes(b"")
    with pytest.raises(ArraysError, match=r"rows\.npy is damaged"):
        read_arrays(folder, version="test 1")


def test_objects_are_never_read(folder: Path) -> None:
    np.save(folder / "rows.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    with pytest.raises(ArraysError, match=r"rows\.npy is damaged"):
        read_arrays(folder, version="test 1")


@dataclass(frozen=True)
class Record:
    size: int
    names: Strings
    rows: NDArray[np.int32]
    known: dict[str, int] = field(default_factory=dict, init=False)


RECORD = Record(2, Strings.of(["oak", "ash"]), np.arange(3, dtype=np.int32))


def test_a_record_is_built_once_a_version(tmp_path: Path) -> None:
    built: list[str] = []

    for version in ("1", "1", "2"):

        def build(version: str = version) -> Record:
            built.append(version)
            return RECORD

        found = cached_record(tmp_path / "record", Record, version, build)
        names = [found.names[row] for row in range(found.size)]
        assert (names, found.known) == (["oak", "ash"], {})
        np.testing.assert_array_equal(found.rows, RECORD.rows)
    assert built == ["1", "2"]


def test_a_record_is_built_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert cached_record(tmp_path / "file" / "record", Record, "1", lambda: RECORD) is RECORD
