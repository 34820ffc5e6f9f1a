"""Parent chunks and their children: children are searched, their parents are read."""

from dataclasses import replace

import numpy as np
import pytest

from hlg.errors import StoreError
from hlg.ids import chunk_id
from hlg.ingest.embed import GraphEmbedder
from hlg.models.embedders import open_embedder
from hlg.models.tokens import token_counter
from hlg.records import Chunk, Passage, SourceGraph
from hlg.retrieval.base import CHUNK, Candidate, Query, SearchSession
from hlg.retrieval.context.conversation import Conversation
from hlg.retrieval.pipeline import rank_by_path
from hlg.retrieval.registry import open_retriever
from hlg.store import GraphStore
from hlg.subgraph import ids_of, united
from support.stores import StorePlace
from support.worlds import QUESTION, open_context, open_world, world

OF_CHUNKS = ("chunks", "chunks-rerank", "bm25", "local", "auto")
PATHS = {"arrays": 64, "store": 0}
"""Where the graph is searched, with the memory that its arrays may take."""


def under_a_parent(graph: SourceGraph) -> SourceGraph:
    """A source whose chunks are the children of one that holds all of its text."""
    source, chunks = graph.source.id, graph.chunks
    parent = Chunk(
        id=chunk_id(source, 0, 999),
        source_id=source,
        ordinal=0,
        start=0,
        end=999,
        text="\n".join(chunk.text for chunk in chunks),
        context=graph.source.title,
    )
    children = [
        replace(chunk, ordinal=i, parent_id=parent.id) for i, chunk in enumerate(chunks, start=1)
    ]
    return replace(graph, chunks=(parent, *children))


@pytest.fixture(scope="module")
def graphs() -> list[SourceGraph]:
    return GraphEmbedder(open_embedder()).embed([under_a_parent(graph) for graph in world()])


@pytest.fixture(scope="module")
def store(kept_place: StorePlace, graphs: list[SourceGraph]) -> GraphStore:
    return open_world(kept_place, graphs)


@pytest.fixture(params=PATHS)
def session(store: GraphStore, request: pytest.FixtureRequest) -> SearchSession:
    return open_context(store, PATHS[request.param])


def are_parents(passages: list[Passage]) -> bool:
    return all((each.start, each.end) == (0, 999) for each in passages)


def test_only_children_are_embedded(graphs: list[SourceGraph]) -> None:
    for graph in graphs:
        assert graph.chunk_embeddings is not None
        assert not graph.chunk_embeddings[0].any()
        assert np.allclose(np.linalg.norm(graph.chunk_embeddings[1:], axis=1), 1)


def test_only_children_are_searched(store: GraphStore, graphs: list[SourceGraph]) -> None:
    children = {chunk.id for graph in graphs for chunk in graph.chunks if chunk.parent_id}
    vector = open_embedder().embed([QUESTION])[0]
    assert {each.id for each in store.vector_search(CHUNK, vector, 100)} == children
    by_words = {each.id for each in store.text_search(CHUNK, "Petrel Marrow Yard Edith Vale", 100)}
    assert by_words
    assert by_words <= children
    assert len(store.text_search(CHUNK, "Marrow", 1)) == 1
    assert [len(graph.chunks) for graph in store.read([graphs[0].source.id])] == [3]


@pytest.mark.parametrize("name", OF_CHUNKS)
def test_parents_are_returned_once_each(session: SearchSession, name: str) -> None:
    hits = open_retriever(name, session).retrieve(QUESTION, 2)
    assert len(hits) == 2
    assert are_parents([hit.passage for hit in hits])
    assert len({hit.passage.id for hit in hits}) == len(hits)
    assert [hit.rank for hit in hits] == [1, 2]
    assert all(hit.path and hit.path[-1].id != hit.passage.id for hit in hits)
    assert all(0 < hit.confidence < 1 for hit in hits)


def test_more_is_fetched_where_children_share_their_parents(session: SearchSession) -> None:
    hits = open_retriever("chunks", session, {"candidates": 1}).retrieve(QUESTION, 5)
    assert len(hits) == 5


def test_statements_are_read_in_their_chunks_parent(session: SearchSession) -> None:
    statements = open_retriever("statements", session).retrieve(QUESTION, 4)
    parents = open_retriever("statements", session, {"form": "chunks"}).retrieve(QUESTION, 4)
    assert are_parents([hit.passage for hit in parents])
    assert {hit.passage.chunk_id for hit in statements} <= {hit.passage.id for hit in parents}


def test_a_parent_brings_the_evidence_of_its_children(
    session: SearchSession, graphs: list[SourceGraph]
) -> None:
    hits = open_retriever("chunks", session).retrieve(QUESTION, 1)
    found = united([session.store.evidence(label, ids) for label, ids in ids_of(hits).items()])
    held = {each.properties["text"] for each in found.nodes_of("Statement")}
    source = hits[0].passage.source.id
    (graph,) = (graph for graph in graphs if graph.source.id == source)
    assert held == {statement.text for statement in graph.statements}
    conversation = Conversation()
    conversation.add(hits, found)
    told = conversation.text("statements", 500, token_counter(session.embedder))
    assert {passage.text for passage in told.passages} == held
    assert are_parents(session.store.passages(CHUNK, [each.chunk_id for each in told.passages]))


def test_parents_are_ranked_by_their_best_child(store: GraphStore) -> None:
    session = open_context(store)
    ids = [hit.passage.id for hit in open_retriever("chunks", session).retrieve(QUESTION, 5)]
    found = open_retriever("chunks", session, {"rerank": "path"}).retrieve(QUESTION, 5)
    wanted = [hit.passage.id for hit in found]
    ranked = rank_by_path(
        session, Query(QUESTION, session), [Candidate(CHUNK, id_, 0.0) for id_ in sorted(ids)]
    )
    assert [each.id for each in ranked] == wanted


def test_a_statement_does_not_stand_in_a_parent(
    store: GraphStore, graphs: list[SourceGraph]
) -> None:
    parent = graphs[0].chunks[0].id
    statements = [replace(each, chunk_ids=(parent,)) for each in graphs[0].statements]
    with pytest.raises(StoreError, match="no statement's chunk without parts"):
        store.write([replace(graphs[0], statements=tuple(statements))])
