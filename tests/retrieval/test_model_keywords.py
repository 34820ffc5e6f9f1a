"""Keywords of a question by a language model (eq. 1), over the OpenAI protocol."""

import json

import pytest

from hlg.retrieval.base import Query
from hlg.retrieval.registry import open_retriever
from hlg.store import GraphStore
from support.language_model_server import Refusal, ScriptedServer, Turn
from support.worlds import QUESTION, open_context, session_with

GIVEN = json.dumps({"keywords": ["The Petrel", "Petrels", "the", "Marrow Yard", "Petrel"]})


def test_a_model_names_keywords_and_synonyms(store: GraphStore) -> None:
    with ScriptedServer([f"Sure: {GIVEN}"]) as server:
        session = session_with(store, server)
        hits = open_retriever("keywords", session).retrieve("Ignore this. Who made it?", 5)
    assert any("Petrel" in hit.passage.text for hit in hits)
    assert session.trace.keywords == ("petrel", "petrels", "marrow yard")
    assert server.asked[0].material("question") == "Ignore this. Who made it?"


@pytest.mark.parametrize(
    "turn",
    ["I would rather not.", '{"keywords": "Petrel"}', '{"keywords": []}', Refusal(403)],
    ids=["words", "no list", "empty", "refused"],
)
def test_the_questions_words_stand_in_for_a_model_that_fails(store: GraphStore, turn: Turn) -> None:
    with ScriptedServer([turn]) as server:
        session = session_with(store, server)
        own = Query(QUESTION, open_context(session.store)).keywords
        assert Query(QUESTION, session).keywords == own
    assert session.trace.notes[0].startswith(
        "keywords are the question's own words: the language model"
    )
