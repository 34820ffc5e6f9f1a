"""Files as tests have them read: written into the current folder, and loaded."""

import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from hlg.ingest.load.sources import load
from hlg.records import Document
from hlg.reports import Failure


def write(name: str, content: str | bytes) -> Path:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def found(
    path: str | Path, content: str | bytes | None = None, **options: Any
) -> list[Document | Failure]:
    """The documents and failures of a file, which is written first where there is ``content``."""
    where = path if content is None else write(str(path), content)
    return [each for each in load([where], **options) if isinstance(each, Document | Failure)]


def read(path: str | Path, content: str | bytes | None = None, **options: Any) -> list[Document]:
    """The documents of a file that can be read."""
    documents = found(path, content, **options)
    assert all(isinstance(each, Document) for each in documents), documents
    return [each for each in documents if isinstance(each, Document)]


def only(path: str | Path, content: str | bytes | None = None, **options: Any) -> Document:
    """The one document of a file."""
    (document,) = read(path, content, **options)
    return document


def reason(path: str | Path, content: str | bytes | None = None, **options: Any) -> str:
    """Why a file can't be read."""
    (failure,) = found(path, content, **options)
    assert isinstance(failure, Failure), failure
    return failure.reason


def zipped(members: Mapping[str, str | bytes]) -> bytes:
    """An archive of files by name."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file.getvalue()
