"""A chunker or an extractor of the caller's own, in this process and in others."""

import threading
from dataclasses import dataclass, replace

import pytest

from hlg.errors import UsageError
from hlg.ids import chunk_id
from hlg.ingest.base import Extraction
from hlg.ingest.deadline import Deadline
from hlg.ingest.pool import ExtractionPool
from hlg.ingest.recipe import Recipe, extract_batch
from hlg.records import Chunk, Document

TEXT = "One line.\nAnother line."


@dataclass
class Lines:
    """A chunk a line."""

    name: str = "lines-1"

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        chunks, start = [], 0
        for ordinal, line in enumerate(document.text.splitlines(keepends=True)):
            end = start + len(line.rstrip())
            text = document.text[start:end]
            id_ = chunk_id(source_id, start, end)
            chunks.append(Chunk(id_, source_id, ordinal, start, end, text))
            start += len(line)
        return chunks


class Locked(Lines):
    def __init__(self) -> None:
        self.lock = threading.Lock()


class Nothing:
    """Finds nothing."""

    name = "nothing"

    def extract(self, document: Document, chunks: object) -> Extraction:
        return Extraction()


OWN = Recipe(Lines(), 300, 0.2, Nothing(), "minilm")


def test_an_own_chunker_cuts_the_documents() -> None:
    OWN.check()
    ((extracted,), _) = extract_batch([Document("d", "", TEXT)], OWN, Deadline(60))
    assert [chunk.text for chunk in extracted.chunks] == TEXT.splitlines()


@pytest.mark.slow
def test_an_own_chunker_goes_to_worker_processes() -> None:
    documents = [Document(f"d{n}", "", "A line of text.\n" * 6_000) for n in range(3)]
    with ExtractionPool(OWN, workers=2) as pool:
        found = [each for batch, _ in pool.run([d] for d in documents) for each in batch]
    assert [each.document.uri for each in found] == ["d0", "d1", "d2"]
    assert all(len(each.chunks) == 6_000 and not each.error for each in found)


def test_an_own_chunkers_name_is_in_the_fingerprint() -> None:
    assert OWN.fingerprint() == replace(OWN, chunker=Lines()).fingerprint()
    assert OWN.fingerprint() != replace(OWN, chunker=Lines("lines-2")).fingerprint()


def test_an_object_that_is_no_chunker_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^chunker=object object: it has no method chunk\(\)"):
        replace(OWN, chunker=object()).check()  # type: ignore[arg-type]


def test_a_chunker_that_cannot_leave_the_process_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^chunker=Locked object: it can't be sent to worker"):
        replace(OWN, chunker=Locked()).check()
