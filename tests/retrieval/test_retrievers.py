"""Every retriever on every store: what it finds, what it costs, what it refuses."""

import pytest

from hlg.errors import UsageError
from hlg.models.embedders import open_embedder
from hlg.retrieval.arrays.source import SnapshotSource
from hlg.retrieval.base import SearchSession, Trace
from hlg.retrieval.options import Options, StatementOptions
from hlg.retrieval.registry import RETRIEVERS, open_retriever
from hlg.retrieval.retrievers.beams import BeamOptions
from hlg.store import GraphStore
from support.graphs import source_graph
from support.stores import StorePlace
from support.worlds import DOCUMENTS, QUESTION, embedded, open_context, open_world

FOUNDED = "Marrow Yard was founded by Edith Vale."
OF_STATEMENTS = [
    name
    for name, kind in RETRIEVERS.items()
    if issubclass(kind.options, StatementOptions) and name not in ("auto", "bm25")
]
MAX_CALLS = 5


@pytest.fixture(scope="module")
def store(kept_place: StorePlace) -> GraphStore:
    return open_world(kept_place)


@pytest.fixture(scope="module")
def snapshots(store: GraphStore) -> SnapshotSource:
    snapshots = SnapshotSource(store, None, 64)
    assert snapshots() is not None
    return snapshots


@pytest.fixture
def context(store: GraphStore, snapshots: SnapshotSource) -> SearchSession:
    return SearchSession(store, open_embedder(), snapshots, Trace())


@pytest.mark.parametrize("name", RETRIEVERS)
def test_the_evidence_is_found_and_cited(context: SearchSession, name: str) -> None:
    calls = context.store.calls
    hits = open_retriever(name, context).retrieve(QUESTION, 5)
    assert 0 < context.store.calls - calls <= MAX_CALLS
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
    assert sum(context.trace.timings_ms.values()) > 0


@pytest.mark.parametrize("name", OF_STATEMENTS)
def test_statements_are_traced_to_their_chunks(context: SearchSession, name: str) -> None:
    calls = context.store.calls
    hits = open_retriever(name, context, {"form": "chunks", "max_chunks": 3}).retrieve(QUESTION, 9)
    assert context.store.calls - calls <= MAX_CALLS
    assert 0 < len(hits) <= 3
    assert all(hit.passage.kind == "Chunk" for hit in hits)
    assert all(hit.path[-1].text in DOCUMENT_TEXT for hit in hits)
    assert any(FOUNDED in hit.passage.text for hit in hits)


DOCUMENT_TEXT = {text for _, statements in DOCUMENTS.values() for text, _ in statements}


def test_an_empty_graph_has_no_hits(place: StorePlace) -> None:
    context = open_context(open_world(place, []))
    for name in RETRIEVERS:
        assert open_retriever(name, context).retrieve(QUESTION, 5) == []


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
    context: SearchSession, name: str, question: str
) -> None:
    hits = open_retriever(name, context).retrieve(question, 3)
    assert len(hits) <= 3


@pytest.mark.parametrize("name", RETRIEVERS)
def test_an_empty_question_is_refused(context: SearchSession, name: str) -> None:
    for question in ("", " \n\t"):
        with pytest.raises(UsageError, match="question is empty"):
            open_retriever(name, context).retrieve(question, 3)


def test_a_wrong_name_lists_the_right_ones(context: SearchSession) -> None:
    with pytest.raises(UsageError, match=r"no retriever 'chunk'.*chunks, statements"):
        open_retriever("chunk", context)


def test_a_wrong_option_lists_the_right_ones(context: SearchSession) -> None:
    with pytest.raises(UsageError, match=r"no option 'widht'.*depth.*width"):
        open_retriever("statement-graph", context, {"widht": 3})


@pytest.mark.parametrize(
    ("option", "value"),
    [("width", 0), ("width", "many"), ("depth", -1), ("form", "words"), ("diversity_threshold", 2)],
)
def test_a_wrong_value_is_named(context: SearchSession, option: str, value: object) -> None:
    with pytest.raises(UsageError, match=f"{option}=.* is not valid"):
        open_retriever("statement-graph", context, {option: value})


def test_options_are_given_as_text_or_as_their_record(context: SearchSession) -> None:
    one = open_retriever("statement-graph", context, {"width": "7", "diversity": "true"})
    other = open_retriever("statement-graph", context, BeamOptions(width=7, diversity=True))
    assert one == other
    with pytest.raises(UsageError, match="takes BeamOptions, not Options"):
        open_retriever("statement-graph", context, Options())


def test_too_few_hits_are_refused(context: SearchSession) -> None:
    with pytest.raises(UsageError, match="top_k=0"):
        open_retriever("chunks", context).retrieve(QUESTION, 0)


def test_the_beam_reaches_what_no_search_does(context: SearchSession) -> None:
    options = {"seeds": 1, "form": "statements"}
    hits = open_retriever("statement-graph", context, options).retrieve(
        "When was the Petrel built?", 20
    )
    walked = [hit for hit in hits if hit.signals["depth"] > 0]
    assert walked
    for hit in walked:
        assert len(hit.path) == hit.signals["depth"] + 1
        assert all(step.via for step in hit.path[1:])
        assert hit.path[0].via == ""


def test_hubs_are_reported(context: SearchSession) -> None:
    open_retriever("statement-graph", context, {"max_degree": 3}).retrieve(QUESTION, 5)
    assert context.trace.explanation().not_walked["Marrow Yard"] == 4


def test_keywords_rank_statements(context: SearchSession) -> None:
    hits = open_retriever("keywords", context).retrieve("Is Edith Vale from Port Ellery?", 5)
    assert hits[0].passage.text == "Edith Vale was born in Port Ellery."
    assert hits[0].signals["keywords"] == 2
    assert {"edith vale", "port ellery"} <= set(context.trace.explanation().keywords)


def test_an_alias_is_a_keyword(context: SearchSession) -> None:
    hits = open_retriever("keywords", context).retrieve("What did B. Kovacs invent?", 2)
    assert hits[0].passage.text == "Bela Kovacs invented a tidal lamp."


def test_repeated_statements_are_dropped_and_told(place: StorePlace) -> None:

    graphs = [
        embedded(source_graph(f"{i}.txt", [(text, [("Petrel", "built in", "=1911")])]))
        for i, text in enumerate(
            ["The Petrel was built in 1911.", "the Petrel was built in 1911", "The Petrel sank."]
        )
    ]
    context = open_context(open_world(place, graphs))
    plain = open_retriever("statements", context).retrieve("When was the Petrel built?", 5)
    assert len(plain) == 3
    fewer = open_retriever("statements", context, {"diversity": True}).retrieve(
        "When was the Petrel built?", 5
    )
    assert len(fewer) == 2
    dropped = context.trace.explanation().dropped
    assert list(dropped.values()) == [fewer[0].passage.id]
    chunks = open_retriever("statements", context, {"form": "chunks"}).retrieve("Petrel?", 5)
    assert len(chunks) == 2


def test_more_hits_than_candidates_can_be_had(context: SearchSession) -> None:
    hits = open_retriever("statements", context, {"candidates": 2}).retrieve(QUESTION, 7)
    assert len(hits) == 7
