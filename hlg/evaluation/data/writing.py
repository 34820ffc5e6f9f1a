"""A data set as files that :func:`hlg.evaluation.data.datasets.load_dataset` reads."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from hlg.evaluation.data.questions import Dataset, Question
from hlg.whole_file import write_whole

__all__ = ["write_corpus", "write_dataset"]


def write_dataset(dataset: Dataset, folder: Path) -> None:
    """Write ``corpus.jsonl`` and ``queries.jsonl`` into a folder, which is made.

    :raises UsageError: it can't be written.
    """
    write_corpus(dataset, folder / "corpus.jsonl")
    _write(folder / "queries.jsonl", (_record(question) for question in dataset.questions))


def write_corpus(dataset: Dataset, path: Path) -> Path:
    """Write the documents alone, a line each; gives the path.

    :raises UsageError: it can't be written.
    """
    documents = dataset.documents
    _write(path, ({"_id": each.id, "title": each.title, "text": each.text} for each in documents))
    return path


def _record(question: Question) -> Mapping[str, object]:
    spans = [{"doc": at.document_id, "start": at.start, "end": at.end} for at in question.spans]
    record: dict[str, object] = {"_id": question.id, "text": question.text, "type": question.type}
    record |= {"gold": list(question.gold), "spans": spans}
    return record | ({"answer": list(question.answers)} if question.answers else {})


def _write(path: Path, records: Iterable[Mapping[str, object]]) -> None:
    lines = ((json.dumps(record, ensure_ascii=False) + "\n").encode() for record in records)
    write_whole(path, lines, make_folder=True)
