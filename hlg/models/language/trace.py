"""A file with one JSON line a call: what was asked, what was answered, and what it cost."""

import json
import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

from hlg.errors import UsageError


class CallTrace:
    """Appends to a file, which only its owner can read.

    :raises UsageError: the file can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._append(b"")

    def write(self, call: Mapping[str, object]) -> None:
        """One line, with the time in UTC."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"at": now, **call}, ensure_ascii=False)
        self._append(line.encode("utf-8", "backslashreplace") + b"\n")

    def _append(self, data: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            with self._lock, os.fdopen(os.open(self._path, flags, 0o600), "ab") as file:
                file.write(data)
        except OSError as error:
            raise UsageError(
                f"{self._path}: the trace can't be written: {error.strerror}", option="llm_trace"
            ) from error
