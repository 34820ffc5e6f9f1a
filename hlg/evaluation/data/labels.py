"""What is known of answers beside the questions: a person's marks, and earlier answers."""

from pathlib import Path

from pydantic import BaseModel

from hlg.evaluation.data.records import json_lines, read_text, validated

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
    return tuple(json_lines(path, Label)) if path.is_file() else ()


def read_earlier(path: Path) -> dict[str, EarlierAnswer]:
    """The answers of an earlier evaluation by the question's id.

    :raises InputError: the file can't be read, or is none of ``hlg eval answers --out``.
    """
    wrong = "is no file of hlg eval answers --out"
    earlier = validated(path, _Earlier, read_text(path), wrong)
    return {each.question_id: each for each in earlier.questions}
