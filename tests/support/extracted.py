"""What the local extractor takes from a text."""

from hlg.ids import chunk_id, source_id
from hlg.ingest.base import Extraction
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.records import Chunk, Document, Fact


def extracted(text: str, title: str = "") -> Extraction:
    """From a document of one chunk."""
    source = source_id("d")
    chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
    return LocalExtractor().extract(Document("d", title, text), [chunk])


def facts_in_words(extraction: Extraction) -> list[tuple[str, str, str, Fact]]:
    """Subject, predicate and object in words, and the fact."""
    names = {entity.id: entity.name for entity in extraction.entities}
    return [
        (
            names[each.subject_id],
            each.predicate,
            names.get(each.object_id or "", each.object_value or ""),
            each,
        )
        for each in extraction.facts
    ]
