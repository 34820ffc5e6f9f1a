"""Folders of files, and what people would ask of them: ``asked.jsonl.xz``, written for this.

A line is a file (``folder``, ``file``, ``text``) or a question: ``q``, its ``kind``, the
``answers`` that a strict reader would accept, and the quotes that are its ``evidence``; of what no
file answers (kind ``none``) those that are ``near``. Every file and every question is of nobody
but the project.
"""

import json
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hlg import LexicalGraph
from hlg.asking.found import FoundEvidence, find_evidence
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question, Span
from hlg.retrieval.answers.evidence import EvidenceStatement

FILE = Path(__file__).with_name("asked.jsonl.xz")
HELD_OUT = ("association", "chats", "clinic", "council", "culture", "friends", "hardware")
"""Folders that trees learn from; the others are for the network to learn from."""
MOST = 0.5
"""Of a quote or of a statement that the other has to have."""


class Quote(NamedTuple):
    """The characters ``[start, end)`` of a file."""

    file: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FolderQuestion:
    """A question, and the quotes that answer it; none where the folder does not."""

    id: str
    text: str
    kind: str
    answers: tuple[str, ...]
    quotes: tuple[Quote, ...]

    @property
    def is_read(self) -> bool:
        """Whether words of the quotes are the answer."""
        return self.kind in ("span", "table", "compare")

    def as_question(self) -> Question:
        """As those of a data set: what is a passage, or yes or no, has no answer in words."""
        gold = tuple(dict.fromkeys(each.file for each in self.quotes))
        answers = self.answers if self.is_read else ()
        spans = tuple(Span(*each) for each in self.quotes)
        return Question(self.id, self.text, self.kind, gold, spans=spans, answers=answers)


@dataclass(frozen=True, slots=True)
class Folder:
    """The texts of its files, by name, and what is asked of it."""

    name: str
    files: dict[str, str] = field(default_factory=dict)
    questions: list[FolderQuestion] = field(default_factory=list)

    def as_dataset(self) -> Dataset:
        """As a data set of its files' texts."""
        documents = [DatasetDocument(file, "", text) for file, text in self.files.items()]
        questions = [each.as_question() for each in self.questions]
        return Dataset(self.name, tuple(documents), tuple(questions))


@cache
def folders() -> Mapping[str, Folder]:
    """All of them, by name."""
    found: dict[str, Folder] = {}
    with lzma.open(FILE, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            folder = found.setdefault(row["folder"], Folder(row["folder"]))
            if "text" in row:
                folder.files[row["file"]] = row["text"]
            else:
                folder.questions.append(_question(row, folder))
    return found


def _question(row: Mapping[str, object], folder: Folder) -> FolderQuestion:
    quotes = [_located(folder.files, **each) for each in row.get("evidence", ())]  # type: ignore[attr-defined]
    return FolderQuestion(
        f"{folder.name}-{len(folder.questions)}",
        str(row["q"]),
        str(row["kind"]),
        tuple(row.get("answers", ())),  # type: ignore[arg-type]
        tuple(quotes),
    )


def _located(files: Mapping[str, str], file: str, quote: str) -> Quote:
    """Where a quote stands; white space may differ."""
    pattern = r"\s+".join(map(re.escape, quote.split()))
    match = re.search(pattern, files[file])
    if match is None:
        raise ValueError(f"{file} does not say {quote!r}")
    return Quote(file, *match.span())


def asked_of(name: str, stores: Path) -> Iterator[tuple[FolderQuestion, FoundEvidence]]:
    """The questions of a folder, with what is found for them in the graph of its files."""
    folder, root = folders()[name], stores / name
    for file, text in folder.files.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    with LexicalGraph.open(stores / f"{name}.lbug") as graph:
        graph.build(root)
        for question in folder.questions:
            yield question, find_evidence(graph, question.text)


def answering(
    question: FolderQuestion, statements: Sequence[EvidenceStatement]
) -> NDArray[np.bool_]:
    """Which statements are mostly in a quote of the question's, or have most of one; shape
    (statements,)."""
    return np.array([_answers(question, each) for each in statements], bool)


def _answers(question: FolderQuestion, statement: EvidenceStatement) -> bool:
    passage = statement.passage
    for quote in question.quotes:
        if passage.source.uri.endswith(f"/{quote.file}"):
            shared = min(quote.end, passage.end) - max(quote.start, passage.start)
            least = min(quote.end - quote.start, passage.end - passage.start)
            if shared >= MOST * least:
                return True
    return False
