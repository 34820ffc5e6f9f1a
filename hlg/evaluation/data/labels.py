"""What is known of answers beside the questions: a person's marks, and earlier answers."""

from collections.abc import Iterator
from pathlib import Path

from pydantic import BaseModel, ValidationError

from hlg.errors import InputError

__all__ = ["LABELS_FILE", "EarlierAnswer", "Label", "read_earlier", "read_labels"]

LABELS_FILE = "labels.jsonl"
"""In a data set's folder."""


class Label(BaseModel):
    """An answer that a person marked: the question's id, the answer, whether it is correct."""

    question: str
    answer: str
    correct: bool


class EarlierAnswer(BaseModel):
    """An answer out of a file of ``hlg eval answers --out``."""

    question_id: str
    lead: str = ""
    text: str
    is_answered: bool


class _Earlier(BaseModel):
    questions: list[EarlierAnswer]


def read_labels(directory: Path) -> tuple[Label, ...]:
    """The marks in a data set's folder; none where it has no ``labels.jsonl``.

    :raises InputError: a line of it is wrong; says which.
    """
    path = directory / LABELS_FILE
    return tuple(_labels(path)) if path.is_file() else ()


def _labels(path: Path) -> Iterator[Label]:
    for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
        if line.strip():
            try:
                yield Label.model_validate_json(line)
            except ValidationError as error:
                raise InputError(f"{path}:{number}: {_first(error)}") from error


def read_earlier(path: Path) -> dict[str, EarlierAnswer]:
    """The answers of an earlier evaluation by the question's id.

    :raises InputError: the file can't be read, or is none of ``hlg eval answers --out``.
    """
    try:
        earlier = _Earlier.model_validate_json(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path}: can't be read: {error.strerror}") from error
    except ValidationError as error:
        raise InputError(
            f"{path}: is no file of hlg eval answers --out: {_first(error)}"
        ) from error
    return {each.question_id: each for each in earlier.questions}


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]
