"""Reranking by a language model, and only where the search is not sure."""

import json
import re
from collections.abc import Callable

import pytest

from hlg.errors import UsageError
from hlg.retrieval.base import CHUNK, Candidate, SearchSession
from hlg.retrieval.finish.steps import first_seen
from hlg.retrieval.registry import open_retriever
from hlg.store import GraphStore
from support.language_model_server import Asked, Refusal, ScriptedServer, Turn
from support.worlds import QUESTION, open_context, session_with


def found(session: SearchSession, retriever: str, **options: object) -> list[str]:
    hits = open_retriever(retriever, session, options).retrieve(QUESTION, 5)
    scores = [hit.score for hit in hits]
    assert scores == sorted(scores, reverse=True)
    return [hit.passage.id for hit in hits]


def shown(asked: Asked) -> int:
    return len(re.findall(r"^\[\d+\] ", asked.material("passages"), re.MULTILINE))


def backwards(asked: Asked) -> str:
    return json.dumps({"order": list(range(shown(asked), 0, -1))})


def reasoned_array(asked: Asked) -> str:
    return f"[1] only shares words.\n{list(range(shown(asked), 0, -1))}"


@pytest.mark.parametrize("answer", [backwards, reasoned_array])
def test_the_model_orders_up_to_twenty(store: GraphStore, answer: Callable[[Asked], str]) -> None:
    before = open_retriever("statements", open_context(store)).retrieve(QUESTION, 20)
    assert 10 < len(before) < 20
    with ScriptedServer(answer) as server:
        session = session_with(store, server)
        hits = open_retriever("statements", session, {"rerank": "llm"}).retrieve(QUESTION, 20)
    assert [hit.passage.id for hit in hits] == [hit.passage.id for hit in before][::-1]
    assert [hit.signals["llm_rank"] for hit in hits] == list(range(1, len(hits) + 1))
    assert len(server.asked) == 1
    assert before[0].passage.text[:40] in server.asked[0].material("passages")


def test_what_the_retriever_ranks_by_itself_is_what_the_model_is_shown(store: GraphStore) -> None:
    with ScriptedServer(lambda asked: backwards(asked)) as server:
        found(session_with(store, server), "statements", rerank="llm")
    by_path = open_retriever("statements", open_context(store)).retrieve(QUESTION, 1)
    assert by_path[0].passage.text in server.asked[-1].material("passages").split("[2]")[0]


@pytest.mark.parametrize(
    "turn",
    [
        "the second, then the first",
        '{"order": [0, 99]}',
        '{"order": []}',
        Refusal(403),
    ],
    ids=["words", "unknown", "none", "refused"],
)
def test_without_an_order_the_order_stays(store: GraphStore, turn: Turn) -> None:
    before = found(open_context(store), "chunks")
    with ScriptedServer([turn]) as server:
        session = session_with(store, server)
        assert found(session, "chunks", rerank="llm") == before
    assert session.trace.warnings[0].startswith("not reranked: the language model")


@pytest.mark.parametrize(
    ("told", "expected"), [([3], [2, 0, 1]), ([3, 1, 3, 99, 0], [2, 0, 1]), ([2, 2, 1], [1, 0, 2])]
)
def test_what_an_order_leaves_out_follows_as_it_was(
    store: GraphStore, told: list[int], expected: list[int]
) -> None:
    before = open_retriever("chunks", open_context(store)).retrieve(QUESTION, 3)
    with ScriptedServer([json.dumps({"order": told})]) as server:
        session = session_with(store, server)
        hits = open_retriever("chunks", session, {"rerank": "llm"}).retrieve(QUESTION, 3)
    assert [hit.passage.id for hit in hits] == [before[place].passage.id for place in expected]
    assert not session.trace.warnings


def test_without_a_model_it_is_said_what_to_set(store: GraphStore) -> None:
    with pytest.raises(UsageError, match="needs a language model"):
        found(open_context(store), "chunks", rerank="llm")


def test_only_an_unsure_search_is_reranked(store: GraphStore) -> None:
    never: Callable[[Asked], Turn] = lambda asked: Refusal(500)  # noqa: E731
    with ScriptedServer(never) as server:
        session = session_with(store, server)
        sure = found(session, "chunks", rerank="llm", rerank_below=0.0)
    assert not server.asked
    assert session.trace.notes[0].startswith("not reranked: confidence")
    assert sure == found(open_context(store), "chunks")
    with ScriptedServer(backwards) as server:
        found(session_with(store, server), "chunks", rerank="llm", rerank_below=0.999)
    assert len(server.asked) == 1


def test_the_best_score_decides_where_that_is_asked_for(store: GraphStore) -> None:
    best = open_retriever("chunks", open_context(store)).retrieve(QUESTION, 1)[0].score
    by_score = {"rerank": "llm", "sure_by": "score"}
    with ScriptedServer(backwards) as server:
        session = session_with(store, server)
        found(session, "chunks", rerank_below=best - 1e-6, **by_score)
        assert not server.asked
        assert session.trace.notes[0].startswith("not reranked: score")
        found(session, "chunks", rerank_below=best + 1e-6, **by_score)
        assert len(server.asked) == 1


def test_each_candidate_is_judged_by_itself(store: GraphStore) -> None:
    before = open_retriever("chunks", open_context(store)).retrieve(QUESTION, 10)
    third = before[2].passage

    def judged(asked: Asked) -> str:
        of_third = third.text[:40] in asked.material("passage")
        return json.dumps({"relevance": 90 if of_third else 30})

    with ScriptedServer(judged) as server:
        session = session_with(store, server)
        hits = open_retriever("chunks", session, {"rerank": "llm-relevance"}).retrieve(QUESTION, 10)
    others = [hit.passage.id for hit in before if hit.passage.id != third.id]
    assert [hit.passage.id for hit in hits] == [third.id, *others]
    assert [hit.score for hit in hits[:2]] == [0.9, 0.3]
    assert len(server.asked) == len(before)


def test_one_failed_judgement_leaves_the_order(store: GraphStore) -> None:
    with ScriptedServer(lambda asked: json.dumps({"relevance": 900})) as server:
        session = session_with(store, server)
        assert found(session, "chunks", rerank="llm-relevance") == found(
            open_context(store), "chunks"
        )
    assert session.trace.warnings[0].startswith("not reranked")


def test_a_cascade_ranks_by_path_first_and_asks_the_model_then(store: GraphStore) -> None:
    by_path = found(open_context(store), "hybrid", rerank="path")
    with ScriptedServer(backwards) as server:
        session = session_with(store, server)
        hits = open_retriever("hybrid", session, {"rerank": "cascade"}).retrieve(QUESTION, 10)
    ordered = [hit.passage.id for hit in hits]
    assert ordered[::-1][:5] == by_path
    assert all({"ranker", "llm_rank"} <= hit.signals.keys() for hit in hits)
    with pytest.raises(UsageError, match="needs a language model"):
        found(open_context(store), "hybrid", rerank="cascade:path")


def test_what_is_behind_the_seen_keeps_its_order_below_them() -> None:
    given = [Candidate(CHUNK, id_, score) for id_, score in zip("abcd", (9, 8, 7, 6), strict=True)]
    ranked = first_seen(given, 2, lambda seen: list(seen)[::-1])
    assert [each.id for each in ranked] == ["b", "a", "c", "d"]
    assert [each.score for each in ranked[2:]] == [7, 6]
