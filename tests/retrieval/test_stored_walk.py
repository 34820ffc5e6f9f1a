"""A graph over the snapshot's budget is walked in its store, and gives the same hits."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from numpy.typing import NDArray

from hlg.ids import entity_id
from hlg.models.embedders import open_embedder
from hlg.records import SameAs
from hlg.retrieval.base import Query
from hlg.retrieval.finish.confidence import with_confidence
from hlg.retrieval.registry import open_retriever
from hlg.retrieval.view.open import open_view
from hlg.schema import CONCEPT
from hlg.store import GraphStore
from hlg.store.records import Continuation, WalkedPath, WalkStep
from support.graphs import source_graph
from support.stores import StorePlace
from support.worlds import QUESTION, embedded, open_context, open_world

NAMES = (
    "chunks",
    "statements",
    "topics",
    "keywords",
    "bm25",
    "statement-graph",
    "topic-graph",
    "local",
    "global",
    "drift",
)
QUESTIONS = (
    QUESTION,
    "Where was the founder of Marrow Yard born?",
    "What did B. Kovacs invent, and what did the lamp light?",
    "red hull",
    "Who were the shares of MW's founder sold to?",
    "What did the Marrow works and E. Vale do?",
)
OPTIONS: dict[str, list[dict[str, object]]] = {
    "statement-graph": [
        {"seeds": 2},
        {"seeds": 1, "max_degree": 3},
        {"seeds": 1, "width": 1},
        {"seeds": 3, "width": 2, "beam": "union"},
    ],
    "topic-graph": [{"topics": 1, "seeds": 1}],
}
CALLS = {
    "chunks": 2,
    "statements": 2,
    "topics": 2,
    "keywords": 5,
    "bm25": 2,
    "statement-graph": 5,
    "topic-graph": 5,
    "local": 3,
    "global": 4,
    "drift": 4,
}
"""Store calls of a walk at most; marking the sentences of chunks takes one more."""


@pytest.fixture(scope="module")
def store(kept_place: StorePlace) -> GraphStore:
    # One name in two classes is one entity on a walk; common nouns and what is unsure join less.
    ship = embedded(
        source_graph(
            "world/ship.txt",
            [("A petrel is on the badge of the ship Tern.", [("Petrel", "is on", "Tern")])],
            entity_class=CONCEPT,
            sure={"Tern": 0.8},
        )
    )
    # Merged entities are one, and found by every member's name and alias.
    letters = embedded(
        source_graph(
            "world/letters.txt",
            [
                ("The Marrow works built another ship.", [("Marrow works", "built", "Tern")]),
                ("The Marrow works paid in shares.", [("Marrow works", "paid", "E. Vale")]),
                ("E. Vale sold the shares to a bank.", [("E. Vale", "sold to", "Skerry bank")]),
            ],
            entity_class="Organization",
            aliases={"Marrow works": ["MW"]},
        )
    )
    store = open_world(kept_place)
    store.write([ship, letters])
    yard, vale, tern = (
        (entity_id(name, class_), entity_id(canonical, other), 0.9)
        for name, class_, canonical, other in (
            ("Marrow works", "Organization", "Marrow Yard", "Thing"),
            ("E. Vale", "Organization", "Edith Vale", "Thing"),
            ("Tern", "Organization", "Tern", CONCEPT),
        )
    )
    store.write_merges([SameAs(*yard), SameAs(*vale), SameAs(*tern)])
    return store


# Words are matched by Lucene in Neo4j, with its own analyser and weights.
@pytest.mark.parametrize("name", [name for name in NAMES if name != "bm25"])
def test_both_walks_give_the_same_hits(store: GraphStore, name: str) -> None:
    further = [[each] for each in OPTIONS.get(name, ())] or [[]]
    for question, more in zip(QUESTIONS, cycle(further), strict=False):
        for options in ({}, *more):
            options = {"rerank": "none", **options}
            in_memory, in_store = open_context(store), open_context(store, max_mb=0)
            expected = open_retriever(name, in_memory, options).retrieve(question, 20)
            found = open_retriever(name, in_store, options).retrieve(question, 20)
            assert [hit.passage.id for hit in found] == [hit.passage.id for hit in expected]
            np.testing.assert_allclose(
                [hit.score for hit in found], [hit.score for hit in expected], atol=1e-3
            )
            assert [hit.path for hit in found] == [hit.path for hit in expected]
            assert in_store.trace.not_walked == in_memory.trace.not_walked


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{}, {"form": "chunks"}], ids=["as it is", "as chunks"])
def test_a_walk_in_the_store_takes_few_calls(
    store: GraphStore, name: str, options: dict[str, object]
) -> None:
    if name in ("chunks", "local", "drift") and options:
        options = {"diversity": True}
    retriever = open_retriever(name, open_context(store, max_mb=0), options)
    assert retriever.retrieve(QUESTION, 5)
    calls = store.calls
    retriever.retrieve(QUESTION, 5)
    assert store.calls - calls <= CALLS[name]


class Recording:
    """The default embedder, with the texts that it was given beside questions."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.name, self.dimensions = open_embedder().name, open_embedder().dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.texts += texts
        return open_embedder().embed(texts)

    def embed_spans(self, text: str, spans: Sequence[tuple[int, int]]) -> NDArray[np.float32]:
        return open_embedder().embed_spans(text, spans)

    def count_tokens(self, text: str) -> int:
        return open_embedder().count_tokens(text)


@pytest.mark.parametrize("name", ["statements", "statement-graph", "local"])
def test_what_a_walk_compared_with_the_question_is_not_embedded_again(
    store: GraphStore, name: str
) -> None:
    session = replace(open_context(store, max_mb=0), embedder=Recording())
    hits = open_retriever(name, session, {"rerank": "none"}).retrieve(QUESTION, 5)
    assert session.embedder.texts == []
    again = with_confidence(open_view(session, Query(QUESTION, session)), hits)
    assert session.embedder.texts == [hit.passage.text for hit in hits]
    assert [hit.confidence for hit in hits] == pytest.approx(
        [hit.confidence for hit in again], abs=0.01
    )


class Shortest:
    """A reranker for which short is good; it keeps what it was shown."""

    name = "shortest"

    def __init__(self) -> None:
        self.seen: list[str] = []

    def scores(self, query: str, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen += texts
        return -np.array([len(text) for text in texts], np.float32)


def test_a_model_guides_both_walks_alike_and_within_the_calls(store: GraphStore) -> None:
    unguided = open_context(store, 0)
    open_retriever("topic-graph", unguided).retrieve(QUESTION, 5)
    assert "no model to guide it" in unguided.trace.notes[0]
    shown, found = [], []
    for budget in (64, 0):
        guide = Shortest()
        session = open_context(store, budget)
        session.snapshot()
        options = {"topics": 1, "seeds": 1, "rerank": guide}
        calls = store.calls
        hits = open_retriever("topic-graph", session, options).retrieve(QUESTIONS[1], 20)
        assert store.calls - calls <= 5
        assert max(len(hit.path) for hit in hits) > 1
        assert session.trace.notes == []
        found.append([hit.passage.id for hit in hits])
        shown.append(sorted(guide.seen))
    assert found[0] == found[1]
    assert shown[0] == shown[1], "both show the model the same texts, with their details"


def test_auto_says_that_it_does_without_links(store: GraphStore) -> None:
    session = open_context(store, max_mb=0)
    assert open_retriever("auto", session).retrieve(QUESTION, 5)
    assert any("max_snapshot_mb" in note for note in session.trace.notes)


def test_continuations_are_bounded_and_leave_out_what_was_seen(store: GraphStore) -> None:
    session = open_context(store)
    vector = session.embedder.embed([QUESTION])[0]
    (start,) = store.vector_search("Statement", vector, 1)
    path = WalkedPath((start.id,), (), (1.0,), along=start.score, square=1.0, score=-1.0)

    def walk(
        max_degree: int = 99, max_neighbours: int = 99, limit: int = 99
    ) -> tuple[list[Continuation], dict[str, int]]:
        step = WalkStep([path], vector, [[start.id]], max_degree, max_neighbours, limit)
        return store.continuations(step)

    everything, _ = walk()
    assert len(everything) > 2
    assert all(step.id != start.id and step.path == 0 and step.via for step in everything)
    fewer, _ = walk(max_neighbours=2)
    assert {step.id for step in fewer} <= {step.id for step in everything}
    assert len(fewer) == 2
    weights = [np.exp(step.cosine) for step in everything]
    scores = [
        (path.along + weight * step.cosine) / np.sqrt(1 + 2 * weight * step.product + weight**2)
        for weight, step in zip(weights, everything, strict=True)
    ]
    best, _ = walk(limit=1)
    assert everything[int(np.argmax(scores))] in best
    none, common = walk(max_degree=1, max_neighbours=9)
    assert none == []
    assert common == {"Marrow Yard": 6, "Petrel": 3}
    vectors = store.embeddings("Statement", [start.id, *(step.id for step in everything)])
    np.testing.assert_allclose(
        [step.product for step in everything], vectors[1:] @ vectors[0], atol=1e-5
    )
    np.testing.assert_allclose(
        [step.cosine for step in everything], vectors[1:] @ vector, atol=1e-5
    )


def test_walking_from_nowhere_leads_nowhere(store: GraphStore) -> None:
    vector = open_context(store).embedder.embed(["anything"])[0]
    assert store.continuations(WalkStep([], vector, [], 9, 9, 9)) == ([], {})
    named, nearest = store.seeds(vector, 3, ["nobody"], lambda entities: {})
    assert named == []
    assert len(nearest) == 3
