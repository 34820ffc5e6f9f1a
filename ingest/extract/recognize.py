"""The names in a question, by the extractor that finds them in documents (thesis §3.2.2)."""

from collections.abc import Callable, Sequence

from hlg.ingest.extract.extractors import MODEL_EXTRACTORS, open_extractor
from hlg.records import Chunk, Document

MAX_CHARACTERS = 2_000
"""A longer question is read this far."""


def recognizer(extractor: str) -> Callable[[str], Sequence[str]]:
    """A function that gives the names of entities in a text.

    An extractor that replays a file knows no text but those, and one that asks a model makes
    a question wait; the local one stands in.
    """
    stand_in = extractor.startswith("replay:") or extractor in MODEL_EXTRACTORS
    reader = open_extractor("local" if stand_in else extractor)

    def recognize(text: str) -> Sequence[str]:
        text = text[:MAX_CHARACTERS]
        chunk = Chunk(id="", source_id="", ordinal=0, start=0, end=len(text), text=text)
        found = reader.extract(Document(uri="question:", title="", text=text), [chunk])
        return [entity.name for entity in found.entities]

    return recognize
