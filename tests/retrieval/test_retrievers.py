"""Every retriever: what it finds in every store, what it costs, what it refuses."""

from dataclasses import replace

import numpy as np
import pytest

from hlg.errors import UsageError
from hlg.records import Hit
from hlg.registry import options_of
from hlg.retrieval.base import Query, SearchSession
from hlg.retrieval.options import Options, StatementOptions, check_options
from hlg.retrieval.registry import RETRIEVERS, open_retriever
from hlg.retrieval.retrievers.statement_graph import BeamOptions
from hlg.retrieval.view.arrays import ArrayView
from hlg.retrieval.view.open import open_view
from hlg.store import GraphStore
from support.graphs import source_graph
from support.stores import ON_FILE, StorePlace
from support.worlds import DOCUMENTS, QUESTION, embedded, open_context, open_world

FOUNDED = "Marrow Yard was founded by Edith Vale."
OF_STATEMENTS = [
    name
    for name, row in RETRIEVERS.items()
    if issubclass(row.options_type() or Options, StatementOptions)
    and name not in ("auto", "bm25", "hybrid", "tri-modal")
]
MAX_CALLS = 4
"""Store calls over arrays: the graph's revision, the passages, and communities with their facts,
which are in the store alone."""


def arrays_of(store: GraphStore) -> SearchSession:
    """Searches that find the graph in memory."""
    session = open_context(store)
    assert session.snapshot() is not None
    return session


@pytest.fixture
def session(store: GraphStore) -> SearchSession:
    return arrays_of(store)


@pytest.fixture(scope="module")
def every_store(kept_place: StorePlace) -> GraphStore:
    return open_world(kept_place)


@pytest.mark.parametrize("name", RETRIEVERS)
def test_the_evidence_is_found_and_cited(every_store: GraphStore, name: str) -> None:
    session = arrays_of(every_store)
    calls = session.store.calls
    hits = open_retriever(name, session).retrieve(QUESTION, 5)
    assert 0 < session.store.calls - calls <= MAX_CALLS
    assert any(FOUNDED in hit.passage.text for hit in hits)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert len({hit.passage.id for hit in hits}) == len(hits) <= 5
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    for hit in hits:
        assert hit.signals
        assert hit.passage.source.uri in {f"world/{document}.txt" for document in DOCUMENTS}
        assert hit.passage.start < hit.passage.end
        assert not hit.path or hit.path[-1].text == hit.passage.text
    assert sum(session.trace.timings_ms.values()) > 0


@pytest.mark.parametrize("name", OF_STATEMENTS)
def test_statements_are_traced_to_their_chunks(session: SearchSession, name: str) -> None:
    calls = session.store.calls
    hits = open_retriever(name, session, {"form": "chunks", "max_chunks": 3}).retrieve(QUESTION, 9)
    assert session.store.calls - calls <= MAX_CALLS
    assert 0 < len(hits) <= 3
    assert all(hit.passage.kind == "Chunk" for hit in hits)
    assert all(hit.path[-1].text in DOCUMENT_TEXT for hit in hits)
    assert any(FOUNDED in hit.passage.text for hit in hits)


DOCUMENT_TEXT = {text for _, statements in DOCUMENTS.values() for text, _ in statements}


def test_an_empty_graph_has_no_hits(place: StorePlace) -> None:
    session = open_context(open_world(place, []))
    for name in RETRIEVERS:
        assert open_retriever(name, session).retrieve(QUESTION, 5) == []


@pytest.mark.parametrize("name", RETRIEVERS)
@pytest.mark.parametrize(
    "question",
    [
        pytest.param("Who founded Marrow Yard? " * 2_000, id="50,000 characters"),
        pytest.param("マロウ造船所は誰が設立しましたか", id="another script"),
        pytest.param("?!", id="no words"),
        pytest.param("lone \ud800 surrogate and NUL \0", id="odd characters"),
    ],
)
def test_odd_questions_get_sensible_answers(
    session: SearchSession, name: str, question: str
) -> None:
    hits = open_retriever(name, session).retrieve(question, 3)
    assert len(hits) <= 3


@pytest.mark.parametrize("name", RETRIEVERS)
def test_an_empty_question_is_refused(session: SearchSession, name: str) -> None:
    with pytest.raises(UsageError, match="question is empty"):
        open_retriever(name, session).retrieve(" \n\t", 3)


@pytest.mark.parametrize(
    ("name", "options", "top_k", "reason"),
    [
        ("chunk", {}, 3, r"no retriever 'chunk'.*chunks, statements"),
        ("statement-graph", {"widht": 3}, 3, r"no option 'widht'.*depth.*width"),
        ("statement-graph", {"width": 0}, 3, "width=.* is not valid"),
        ("statement-graph", {"width": "many"}, 3, "width=.* is not valid"),
        ("statement-graph", {"depth": -1}, 3, "depth=.* is not valid"),
        ("statement-graph", {"form": "words"}, 3, "form=.* is not valid"),
        ("statement-graph", {"diversity_threshold": 2}, 3, "diversity_threshold=.* is not valid"),
        ("chunks", {}, 0, "top_k=0"),
    ],
)
def test_what_is_wrong_with_a_search_is_named(
    session: SearchSession, name: str, options: dict[str, object], top_k: int, reason: str
) -> None:
    with pytest.raises(UsageError, match=reason):
        open_retriever(name, session, options).retrieve(QUESTION, top_k)


def test_options_are_given_as_text_or_as_their_record(session: SearchSession) -> None:
    one = open_retriever("statement-graph", session, {"width": "7", "diversity": "true"})
    other = open_retriever("statement-graph", session, BeamOptions(width=7, diversity=True))
    assert one == other
    with pytest.raises(UsageError, match="takes BeamOptions, not Options"):
        open_retriever("statement-graph", session, Options())


@pytest.mark.parametrize("name", RETRIEVERS)
def test_every_option_is_explained(name: str) -> None:
    for option in options_of(RETRIEVERS[name].options_type()):
        assert option.summary, option.name


class Own:
    """A retriever made by a user of hlg."""

    name = "own"

    def retrieve(self, query: str, top_k: int) -> list[Hit]:
        return []


def test_a_retriever_of_ones_own_is_taken_as_it_is(session: SearchSession) -> None:
    own = Own()
    assert open_retriever(own, session) is own
    with pytest.raises(UsageError, match="give it its options yourself"):
        open_retriever(own, session, {"depth": 2})
    with pytest.raises(UsageError, match="int is no retriever"):
        open_retriever(7, session)  # type: ignore[arg-type]


def test_full_text_gives_what_it_is_asked_for(session: SearchSession) -> None:
    def kinds(**options: str) -> set[str]:
        hits = open_retriever("bm25", session, options).retrieve(QUESTION, 5)
        return {f"{hit.passage.kind} {'by words' * ('bm25' in hit.signals)}" for hit in hits}

    assert kinds() == kinds(over="statements") == {"Chunk by words"}
    assert kinds(form="statements") == {"Statement by words"}
    assert kinds(form="statements", over="chunks") == {"Statement by words"}


@pytest.mark.parametrize("name", [*OF_STATEMENTS, "chunks", "chunks-rerank", "entity-link"])
def test_the_path_ranker_ranks_only_what_was_proposed(session: SearchSession, name: str) -> None:
    few = {"candidates": 4, "seeds": 1, "nodes": 6, "chunks": 1, "topics": 1, "depth": 1}
    row = RETRIEVERS[name]
    held = {option.name for option in options_of(row.options_type())}
    given = {option: value for option, value in few.items() if option in held}
    options = check_options(name, row.options_type() or Options, given | {"rerank": "path"})
    proposed = row.load()(open_view(session, Query(QUESTION, session)), options, 4)
    hits = open_retriever(name, session, options).retrieve(QUESTION, 4)
    assert {hit.passage.id for hit in hits} <= {candidate.id for candidate in proposed}
    assert len(hits) == min(4, len(proposed))
    assert len(proposed) < session.store.counts()[hits[0].passage.kind]
    assert all("ranker" in hit.signals for hit in hits)


def test_the_beam_reaches_what_no_search_does(session: SearchSession) -> None:
    options = {"seeds": 1, "form": "statements"}
    hits = open_retriever("statement-graph", session, options).retrieve(
        "When was the Petrel built?", 20
    )
    walked = [hit for hit in hits if hit.signals["depth"] > 0]
    assert walked
    for hit in walked:
        assert len(hit.path) == hit.signals["depth"] + 1
        assert all(step.via for step in hit.path[1:])
        assert hit.path[0].via == ""


def test_hubs_are_reported(session: SearchSession) -> None:
    open_retriever("statement-graph", session, {"max_degree": 3}).retrieve(QUESTION, 5)
    assert session.trace.explanation().not_walked["Marrow Yard"] == 4


def test_keywords_rank_statements(session: SearchSession) -> None:
    hits = open_retriever("keywords", session).retrieve("Is Edith Vale from Port Ellery?", 5)
    assert hits[0].passage.text == "Edith Vale was born in Port Ellery."
    assert hits[0].signals["keywords"] == 2
    assert {"edith vale", "port ellery"} <= set(session.trace.explanation().keywords)
    by_alias = open_retriever("keywords", session).retrieve("What did B. Kovacs invent?", 2)
    assert by_alias[0].passage.text == "Bela Kovacs invented a tidal lamp."


@ON_FILE
def test_repeated_statements_are_dropped_and_told(place: StorePlace) -> None:
    graphs = [
        embedded(source_graph(f"{i}.txt", [(text, [("Petrel", "built in", "=1911")])]))
        for i, text in enumerate(
            ["The Petrel was built in 1911.", "the Petrel was built in 1911", "The Petrel sank."]
        )
    ]
    session = open_context(open_world(place, graphs))
    plain = open_retriever("statements", session).retrieve("When was the Petrel built?", 5)
    assert len(plain) == 3
    fewer = open_retriever("statements", session, {"diversity": True}).retrieve(
        "When was the Petrel built?", 5
    )
    assert len(fewer) == 2
    dropped = session.trace.explanation().dropped
    assert list(dropped.values()) == [fewer[0].passage.id]
    found = [
        len(open_retriever("statements", session, options).retrieve("Petrel?", 5))
        for options in ({"form": "chunks"}, {"form": "chunks", "diversity": True})
    ]
    assert found == [3, 2], "chunks are compared where diversity says so, and only there"


def test_more_hits_than_candidates_can_be_had(session: SearchSession) -> None:
    hits = open_retriever("statements", session, {"candidates": 2}).retrieve(QUESTION, 7)
    assert len(hits) == 7


def test_a_statement_without_a_topic_is_in_none_that_is_near(
    session: SearchSession,
) -> None:
    snapshot = session.snapshot()
    assert snapshot is not None
    bare = replace(snapshot, statement_topic=np.full_like(snapshot.statement_topic, -1))
    assert ArrayView(session, snapshot, Query(QUESTION, session)).of_topics(50, 5)
    assert ArrayView(session, bare, Query(QUESTION, session)).of_topics(50, 5) == []
