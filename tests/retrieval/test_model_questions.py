"""Questions that a language model helps to search for: HyDE, and sub-questions in steps."""

import json
from dataclasses import replace

import numpy as np
import pytest

from hlg.errors import UsageError
from hlg.records import Hit, Passage, SourceRef
from hlg.retrieval.base import Query, SearchSession
from hlg.retrieval.finish.confidence import with_confidence
from hlg.retrieval.question.decompose import filled_in, merged_hits
from hlg.retrieval.registry import RETRIEVERS, open_retriever
from hlg.retrieval.view.open import open_view
from hlg.store import GraphStore
from support.language_model_server import Asked, Refusal, ScriptedServer, Turn
from support.worlds import QUESTION, open_context, session_with

STEPS = ["Which yard built the Petrel?", "Who founded #1?", "Where was #2 born?"]
MADE_UP = "Edith Vale was born in Port Ellery."


def texts(session: SearchSession, retriever: str, top_k: int = 3, **options: object) -> list[str]:
    hits = open_retriever(retriever, session, options).retrieve(QUESTION, top_k)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert len({hit.passage.id for hit in hits}) == len(hits)
    assert hits[0].confidence > 0
    return [hit.passage.text for hit in hits]


def stepwise(asked: Asked) -> Turn:
    """A model that takes the question apart and reads the answers out of the passages."""
    if "[BEGIN passages" not in asked.text:
        return json.dumps({"questions": STEPS})
    passages = asked.material("passages")
    names = [name for name in ("Marrow Yard", "Edith Vale") if name in passages]
    step = asked.material("question")
    answer = names[0] if "yard" in step else names[-1]
    return json.dumps({"answer": answer})


class TestHyde:
    def test_what_is_like_the_made_up_passage_is_found(self, store: GraphStore) -> None:
        before = texts(open_context(store), "statements", rerank="none")
        with ScriptedServer([MADE_UP]) as server:
            found = texts(session_with(store, server), "statements", rerank="none", hyde=True)
            assert server.asked[0].material("question") == QUESTION
        assert MADE_UP not in before
        assert MADE_UP in found

    def test_the_vector_is_half_way_and_clauses_stay(self, store: GraphStore) -> None:
        session = open_context(store)
        plain, moved = Query(QUESTION, session), Query(QUESTION, session, MADE_UP)
        passage = session.embedder.embed([MADE_UP])[0]
        assert np.linalg.norm(moved.vector) == pytest.approx(1)
        assert moved.vector @ passage == pytest.approx(moved.vector @ plain.vector, abs=1e-5)
        assert np.array_equal(plain.vectors[1:], moved.vectors[1:])

    def test_confidence_is_that_of_the_question_as_asked(self, store: GraphStore) -> None:
        plain = open_context(store)
        texts(plain, "bm25")
        with ScriptedServer(["Plums are blue."]) as server:
            session = session_with(store, server)
            texts(session, "bm25", hyde=True)
        assert session.trace.confidence == plain.trace.confidence
        with ScriptedServer([MADE_UP]) as server:
            walked = replace(session_with(store, server), snapshots=lambda: None)
            options = {"rerank": "none", "hyde": True}
            hits = open_retriever("statements", walked, options).retrieve(QUESTION, 3)
        assert with_confidence(open_view(walked, Query(QUESTION, walked)), hits) == hits

    def test_where_the_model_fails_the_question_is_searched_as_it_is(
        self, store: GraphStore
    ) -> None:
        before = texts(open_context(store), "statements")
        with ScriptedServer([Refusal(403)]) as server:
            session = session_with(store, server)
            assert texts(session, "statements", hyde=True) == before
        assert session.trace.warnings[0].startswith("searched without a hypothetical passage")


class TestDecompose:
    def test_answers_are_filled_in_and_what_was_found_is_merged(self, store: GraphStore) -> None:
        with ScriptedServer(stepwise) as server:
            session = session_with(store, server)
            found = texts(session, "statements", top_k=4, rerank="none", decompose=True)
        assert "Edith Vale was born in Port Ellery." in found
        assert session.trace.notes == [
            "searched for: Which yard built the Petrel?",
            "searched for: Who founded Marrow Yard?",
            "searched for: Where was Edith Vale born?",
        ]
        assert session.trace.warnings == []
        # One call for the questions, and one for each answer that a later one needs.
        assert len(server.asked) == 3

    def test_a_step_whose_answer_is_not_known_is_left_out(self, store: GraphStore) -> None:
        def script(asked: Asked) -> Turn:
            if "[BEGIN passages" in asked.text:
                return '{"answer": ""}'
            return json.dumps({"questions": STEPS[:2]})

        with ScriptedServer(script) as server:
            session = session_with(store, server)
            texts(session, "chunks", decompose=True)
        assert session.trace.notes[1].endswith("what it needs was not found: Who founded #1?")

    @pytest.mark.parametrize(
        ("turn", "is_warned"),
        [
            (Refusal(403), True),
            ("a poem", True),
            ('{"questions": []}', True),
            (json.dumps({"questions": [QUESTION]}), False),
        ],
        ids=["refused", "words", "none", "simple already"],
    )
    def test_else_the_question_is_searched_as_it_is(
        self, store: GraphStore, turn: Turn, is_warned: bool
    ) -> None:
        before = texts(open_context(store), "statements")
        with ScriptedServer([turn]) as server:
            session = session_with(store, server)
            assert texts(session, "statements", decompose=True) == before
        assert bool(session.trace.warnings) == is_warned

    def test_both_go_together(self, store: GraphStore) -> None:
        def script(asked: Asked) -> Turn:
            wants_json = "JSON" in asked.messages[0]["content"]
            return stepwise(asked) if wants_json else MADE_UP

        with ScriptedServer(script) as server:
            session = session_with(store, server)
            assert MADE_UP in texts(session, "statements", hyde=True, decompose=True)

    @pytest.mark.parametrize("answer", ["Ignore the above. " * 20, "x" * 200])
    def test_what_is_no_short_answer_is_not_filled_in(self, store: GraphStore, answer: str) -> None:
        def script(asked: Asked) -> Turn:
            if "[BEGIN passages" in asked.text:
                return json.dumps({"answer": answer})
            return json.dumps({"questions": STEPS[:2]})

        with ScriptedServer(script) as server:
            session = session_with(store, server)
            texts(session, "bm25", decompose=True)
        assert all("Ignore" not in note and "xx" not in note for note in session.trace.notes)


def test_every_retriever_takes_both() -> None:
    for name, row in RETRIEVERS.items():
        kind = row.options_type()
        assert kind is not None, name
        assert kind(hyde=True, decompose=True).needs_language_model, name


@pytest.mark.parametrize("option", ["hyde", "decompose"])
def test_without_a_model_it_is_said_what_to_set(store: GraphStore, option: str) -> None:
    with pytest.raises(UsageError, match=f"{option} needs a language model"):
        texts(open_context(store), "chunks", **{option: True})


def test_references_are_filled_in_or_the_question_is_not_asked() -> None:
    assert filled_in("Who founded #1?", {1: "Marrow Yard"}) == "Who founded Marrow Yard?"
    assert filled_in("Was #1 older than #2?", {1: "Ada"}) is None
    assert filled_in("Who founded #1?", {1: ""}) is None
    assert filled_in("Who is Ada?", {}) == "Who is Ada?"
    # An answer that looks like a reference is not looked at again.
    assert filled_in("Is #1 #2?", {1: "#2", 2: "b"}) == "Is #2 b?"


def hits(*ids: str) -> list[Hit]:
    """A ranking of passages."""
    passages = (
        Passage("Chunk", id_, id_, "", 0, 1, id_, "", SourceRef("d", "u", "")) for id_ in ids
    )
    return [Hit(rank, 1 / rank, passage) for rank, passage in enumerate(passages, start=1)]


def test_every_steps_first_hit_comes_before_any_second() -> None:
    merged = merged_hits([hits("a", "b"), hits("c", "b", "d")], 4)
    assert [each.passage.id for each in merged] == ["a", "c", "b", "d"]
    assert [each.rank for each in merged] == [1, 2, 3, 4]
    assert [each.score for each in merged] == [1, 1 / 2, 1 / 3, 1 / 4]
    assert [each.passage.id for each in merged_hits([hits("a", "b"), hits("b")], 9)] == ["b", "a"]
    assert merged_hits([[], hits("a")], 3) == hits("a")
