"""Files and batches of the OpenAI protocol, for the scripted server.

A batch's lines are answered by the server's script when the batch is first looked at as over:
what the script says becomes a line of the answers, a :class:`Refusal` one of the errors, and a
:class:`Hangup` no line at all, as in a batch that expired.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class BatchEndpoints:
    """What was uploaded and sent; ``status`` is what every batch is said to be."""

    answer: Callable[[dict[str, Any]], tuple[int, dict[str, Any]] | None]
    status: str = "in_progress"
    files: dict[str, bytes] = field(default_factory=dict)
    batches: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The requests of all batches."""
        inputs = [self.files[each["input_file_id"]] for each in self.batches.values()]
        return [json.loads(line) for data in inputs for line in data.splitlines()]

    def upload(self, body: bytes, boundary: str) -> dict[str, Any]:
        """A file out of a form."""
        parts = body.split(f"--{boundary}".encode())
        (content,) = (each for each in parts if b'name="file"' in each)
        _, _, data = content.partition(b"\r\n\r\n")
        return self._kept(data.removesuffix(b"\r\n"))

    def create(self, body: dict[str, Any]) -> dict[str, Any]:
        """A batch of an uploaded file."""
        id_ = f"batch_{len(self.batches) + 1}"
        self.batches[id_] = {
            "id": id_,
            "object": "batch",
            "created_at": 1,
            "status": "validating",
            **body,
        }
        return self.batches[id_]

    def look(self, id_: str) -> dict[str, Any]:
        """A batch as it is now."""
        batch = self.batches[id_]
        if batch["status"] in ("validating", "in_progress"):
            batch["status"] = self.status
            if self.status in ("completed", "expired"):
                self._answer(batch)
            if self.status == "failed":
                batch["errors"] = {"object": "list", "data": [{"message": "no such model"}]}
        return batch

    def list(self) -> dict[str, Any]:
        """All batches, in one page."""
        return {"object": "list", "data": [*self.batches.values()], "has_more": False}

    def _answer(self, batch: dict[str, Any]) -> None:
        answers, errors = [], []
        for line in self.files[batch["input_file_id"]].splitlines():
            request = json.loads(line)
            answered = self.answer(request["body"])
            if answered is None:
                continue
            status, body = answered
            told = {"custom_id": request["custom_id"], "error": None}
            told["response"] = {"status_code": status, "body": body}
            (answers if status == 200 else errors).append(json.dumps(told).encode())
        if answers:
            batch["output_file_id"] = self._kept(b"\n".join(answers))["id"]
        if errors:
            batch["error_file_id"] = self._kept(b"\n".join(errors))["id"]

    def _kept(self, data: bytes) -> dict[str, Any]:
        id_ = f"file-{len(self.files) + 1}"
        self.files[id_] = data
        told = {"id": id_, "object": "file", "created_at": 1, "status": "processed"}
        return told | {"bytes": len(data), "filename": "x.jsonl", "purpose": "batch"}
