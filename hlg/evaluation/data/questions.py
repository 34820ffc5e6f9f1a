"""What a data set is: documents, and questions with what is known of their evidence."""

from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple


class DatasetDocument(NamedTuple):
    """One item of a corpus, with the id that questions name it by."""

    id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """The characters ``[start, end)`` of a document's text."""

    document_id: str
    start: int
    end: int

    def overlaps(self, start: int, end: int) -> bool:
        """Whether characters ``[start, end)`` of its document are partly its own."""
        return start < self.end and self.start < end


@dataclass(frozen=True, slots=True)
class Question:
    """A question and what is known of its evidence.

    ``gold`` names the documents that together hold the evidence; it is empty where the
    corpus has no answer (a null question). ``grades`` are their relevance, 1 unless the
    data set says otherwise.
    """

    id: str
    text: str
    type: str = ""
    gold: tuple[str, ...] = ()
    grades: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    answers: tuple[str, ...] = ()

    @property
    def graded(self) -> dict[str, int]:
        """The gold documents with their grades."""
        return dict(zip(self.gold, self.grades or (1,) * len(self.gold), strict=True))


@dataclass(frozen=True, slots=True)
class Dataset:
    """A corpus with questions; ``corpus_file`` is its JSONL file, None where it has none."""

    name: str
    documents: tuple[DatasetDocument, ...]
    questions: tuple[Question, ...]
    corpus_file: Path | None = None

    def answerable(self) -> tuple[Question, ...]:
        """The questions whose evidence is known; null questions are left out."""
        return tuple(question for question in self.questions if question.gold)

    def missing_gold(self) -> int:
        """How many gold ids name no document: no retriever can find those."""
        known = {document.id for document in self.documents}
        return sum(gold not in known for question in self.questions for gold in question.gold)

    def fingerprint(self) -> str:
        """Digest of all documents and questions; it moves when any of them does."""
        digest = blake2b(digest_size=16)
        for record in (*self.documents, *self.questions):
            digest.update(repr(record).encode("utf-8", "surrogatepass") + b"\n")
        return digest.hexdigest()
