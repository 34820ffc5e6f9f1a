"""A small world in documents that only together answer a question, as sources' graphs.

Vectors are the default embedder's, so that searches for words of the world find them.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache

from hlg.ingest.communities.build import build_communities
from hlg.ingest.communities.find import CommunityOptions
from hlg.ingest.communities.summaries import ExtractiveSummarizer
from hlg.models.embedders import open_embedder
from hlg.models.language.door import open_door
from hlg.records import Embeddings, SourceGraph
from hlg.retrieval.arrays.source import SnapshotSource
from hlg.retrieval.base import SearchSession, Trace
from hlg.store import GraphStore
from support.graphs import Triple, source_graph
from support.language_model_server import ScriptedServer
from support.stores import EMBEDDED, StorePlace, wipe

DOCUMENTS: dict[str, tuple[str, Sequence[tuple[str, Sequence[Triple]]]]] = {
    "petrel": (
        "The Petrel",
        [
            (
                "The Petrel was built by Marrow Yard in 1911.",
                [("Marrow Yard", "built", "Petrel"), ("Petrel", "built in", "=1911")],
            ),
            (
                "The Petrel carried mail to Skerry Island.",
                [("Petrel", "sailed to", "Skerry Island")],
            ),
            ("Its hull was painted red after the war.", []),
        ],
    ),
    "yard": (
        "Marrow Yard",
        [
            ("Marrow Yard was founded by Edith Vale.", [("Edith Vale", "founded", "Marrow Yard")]),
            ("Marrow Yard employed 340 people.", [("Marrow Yard", "employed", "=340 people")]),
            ("Marrow Yard closed after a fire in 1932.", [("Marrow Yard", "closed in", "=1932")]),
        ],
    ),
    "vale": (
        "Edith Vale",
        [
            ("Edith Vale was born in Port Ellery.", [("Edith Vale", "born in", "Port Ellery")]),
            (
                "Edith Vale studied engineering with Bela Kovacs.",
                [("Edith Vale", "studied with", "Bela Kovacs")],
            ),
            ("She never married and kept bees.", []),
        ],
    ),
    "ellery": (
        "Port Ellery",
        [
            ("Port Ellery lies on the Tarn river.", [("Port Ellery", "lies on", "Tarn river")]),
            ("The harvest fair of Port Ellery draws crowds.", [("Port Ellery", "holds", "=fair")]),
        ],
    ),
    "kovacs": (
        "Bela Kovacs",
        [
            ("Bela Kovacs invented a tidal lamp.", [("Bela Kovacs", "invented", "tidal lamp")]),
            (
                "The tidal lamp lit the Skerry Island light.",
                [("tidal lamp", "lit", "Skerry Island")],
            ),
        ],
    ),
}
ALIASES = {"Marrow Yard": ["Marrow Shipbuilding"], "Bela Kovacs": ["B. Kovacs"]}
QUESTION = "Who founded the yard that built the Petrel?"


@cache
def world() -> tuple[SourceGraph, ...]:
    """All documents."""
    return tuple(
        embedded(
            source_graph(
                f"world/{name}.txt", texts, title=title, topic=f"About {title}", aliases=ALIASES
            )
        )
        for name, (title, texts) in DOCUMENTS.items()
    )


def embedded(graph: SourceGraph) -> SourceGraph:
    """A source's graph with the default embedder's vectors."""

    def vectors(texts: Sequence[str]) -> Embeddings | None:
        return open_embedder().embed(texts) if texts else None

    return replace(
        graph,
        chunk_embeddings=vectors([chunk.text for chunk in graph.chunks]),
        topic_embeddings=vectors([topic.name for topic in graph.topics]),
        statement_embeddings=vectors([statement.text for statement in graph.statements]),
        entity_embeddings=vectors([entity.name for entity in graph.entities]),
    )


def open_world(place: StorePlace, graphs: Sequence[SourceGraph] | None = None) -> GraphStore:
    """A store of its own that holds the world, or what is given."""
    store = place.connect(EMBEDDED)
    embedder = open_embedder()
    store.set_up(embedder.name, embedder.dimensions)
    wipe(store)
    store.write(world() if graphs is None else graphs)
    summarizer = ExtractiveSummarizer(embedder.count_tokens)
    build_communities(store, embedder, summarizer, CommunityOptions())
    return store


def open_context(store: GraphStore, max_mb: int = 64) -> SearchSession:
    """What retrievers take; a budget of 0 makes them walk in the store."""
    return SearchSession(store, open_embedder(), _snapshots(store, max_mb), Trace())


@lru_cache(maxsize=16)
def _snapshots(store: GraphStore, max_mb: int) -> SnapshotSource:
    """The snapshots of an open store, each read once."""
    return SnapshotSource(store, None, max_mb)


def session_with(store: GraphStore, server: ScriptedServer) -> SearchSession:
    """Likewise, with the server's language model."""
    door = open_door(server.settings())
    return replace(open_context(store), door=lambda: door)
