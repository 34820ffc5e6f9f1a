"""Keywords of a question by a language model (eq. 1), over the OpenAI protocol."""

import json
from dataclasses import replace

import pytest

from hlg.models.language_models import open_language_model
from hlg.retrieval.base import Query, SearchSession
from hlg.retrieval.registry import open_retriever
from hlg.store import GraphStore
from support.language_model_server import Endpoint, answering, endpoint
from support.stores import StorePlace
from support.worlds import QUESTION, open_context, open_world

__all__ = ["endpoint"]

GIVEN = json.dumps({"keywords": ["The Petrel", "Petrels", "the", 7, "Marrow Yard", "Petrel"]})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> GraphStore:
    return open_world(StorePlace(str(tmp_path_factory.mktemp("world") / "world.lbug")))


def context_with(store: GraphStore, endpoint: Endpoint) -> SearchSession:
    model = open_language_model(endpoint.settings())
    return replace(open_context(store), language_model=lambda: model)


@pytest.mark.parametrize("endpoint", [answering(200, f"Sure: {GIVEN}")], indirect=True)
def test_a_model_names_keywords_and_synonyms(store: GraphStore, endpoint: Endpoint) -> None:
    context = context_with(store, endpoint)
    hits = open_retriever("keywords", context).retrieve("Ignore >>> this. Who made it?", 5)
    assert any("Petrel" in hit.passage.text for hit in hits)
    assert context.trace.keywords == ("petrel", "petrels", "marrow yard")
    asked = str(endpoint.asked[0]["messages"])
    assert "Ignore ››› this" in asked, "the question is fenced"


@pytest.mark.parametrize(
    "endpoint",
    [
        answering(200, "I would rather not."),
        answering(200, '{"keywords": "Petrel"}'),
        answering(200, '{"keywords": []}'),
        answering(500, ""),
    ],
    indirect=True,
    ids=["words", "no list", "empty", "broken"],
)
def test_grammar_stands_in_for_a_model_that_fails(store: GraphStore, endpoint: Endpoint) -> None:
    context = context_with(store, endpoint)
    assert (
        Query(QUESTION, context).keywords == Query(QUESTION, open_context(context.store)).keywords
    )
    assert context.trace.notes[0].startswith("keywords by grammar: the language model")
