"""What a set of questions is made from: a graph's sources with their texts."""

from collections.abc import Iterator

from hlg.evaluation.data.questions import DatasetDocument
from hlg.graph import LexicalGraph
from hlg.records import SourceGraph

BATCH = 64


def sources_of(graph: LexicalGraph) -> Iterator[tuple[DatasetDocument, SourceGraph]]:
    """Each source as a document of a data set, with what it brought into the graph."""
    ids = [source.id for source in graph.sources()]
    for first in range(0, len(ids), BATCH):
        batch = ids[first : first + BATCH]
        texts = {each.source.id: each.text for each in graph.store.texts(batch)}
        for each in graph.store.read(batch):
            source = each.source
            yield DatasetDocument(source.uri, source.title, texts[source.id]), each
