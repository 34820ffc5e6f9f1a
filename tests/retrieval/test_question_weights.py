"""Weights of dense, sparse and graph search by question: a language model's, or the rules'."""

import json

import numpy as np
import pytest

from hlg.errors import UsageError
from hlg.records import Hit
from hlg.retrieval.base import SearchSession
from hlg.retrieval.registry import RETRIEVERS, open_retriever
from hlg.retrieval.weights.by_question import NUMERIC_WEIGHTS, OTHER_WEIGHTS, rule_weights
from hlg.store import GraphStore
from support.language_model_server import Asked, Hangup, Refusal, Script, ScriptedServer, Turn
from support.worlds import QUESTION, open_context, session_with

NAMES = ("dense", "bm25", "graph")


def weighing(*turns: Turn) -> Script:
    """What says so when it is asked for weights, the last again and again, and keywords else."""
    left = list(turns)

    def script(asked: Asked) -> Turn:
        if asked.schema != "_Weights":
            return '{"keywords": ["Petrel"]}'
        return left.pop(0) if len(left) > 1 else left[0]

    return script


def asked_for_weights(server: ScriptedServer) -> list[Asked]:
    return [asked for asked in server.asked if asked.schema == "_Weights"]


def found(session: SearchSession, weights: str, **options: object) -> list[Hit]:
    given = {"weights": weights, **options}
    return open_retriever("tri-modal", session, given).retrieve(QUESTION, 5)


def weights_of(hits: list[Hit]) -> list[float]:
    """The weights that stand in the hits, which are those that their scores were made with."""
    first = hits[0].signals
    weights = [first[f"{name}_weight"] for name in NAMES]
    for hit in hits:
        shares = [hit.signals[f"{name}_share"] for name in NAMES]
        assert hit.score == pytest.approx(np.dot(weights, shares), abs=1e-6)
    return weights


def said(dense: float, sparse: float, graph: float, **more: float) -> str:
    return json.dumps({"dense": dense, "sparse": sparse, "graph": graph, **more})


class TestModel:
    @pytest.mark.parametrize(
        ("turn", "weights"),
        [(said(0.2, 0.3, 0.5), [0.2, 0.3, 0.5]), (said(0.33, 0.33, 0.33), [1 / 3, 1 / 3, 1 / 3])],
        ids=["exact", "rounded"],
    )
    def test_its_weights_fuse(self, store: GraphStore, turn: str, weights: list[float]) -> None:
        with ScriptedServer(weighing(turn)) as server:
            session = session_with(store, server)
            assert weights_of(found(session, "llm")) == pytest.approx(weights)
        assert [each.material("question") for each in asked_for_weights(server)] == [QUESTION]
        assert session.trace.warnings == []

    def test_ranks_are_weighed_too(self, store: GraphStore) -> None:
        with ScriptedServer(weighing(said(0, 1, 0))) as server:
            by_ranks = found(session_with(store, server), "llm", fusion="rrf")
        words = open_retriever("bm25", open_context(store)).retrieve(QUESTION, 1)
        assert by_ranks[0].passage.id == words[0].passage.id

    def test_it_is_told_once_what_is_wrong(self, store: GraphStore) -> None:
        with ScriptedServer(weighing(said(0.5, 0.5, 0.5), said(0.6, 0.2, 0.2))) as server:
            session = session_with(store, server)
            assert weights_of(found(session, "llm")) == pytest.approx([0.6, 0.2, 0.2])
        assert "add up to 1" in asked_for_weights(server)[1].text
        assert session.trace.warnings == []

    @pytest.mark.parametrize(
        "turn",
        [
            Refusal(403),
            Hangup(),
            "a poem",
            said(0.9, 0.9, 0.9),
            said(1.4, -0.2, -0.2),
            said(0.4, 0.3, 0.3, moon=0.0),
            '{"dense": 1}',
            '{"dense": NaN, "sparse": 0.5, "graph": 0.5}',
        ],
        ids=["refused", "reset", "words", "sum", "negative", "unknown", "missing", "nan"],
    )
    def test_else_the_rules_weigh(self, store: GraphStore, turn: Turn) -> None:
        with ScriptedServer(weighing(turn)) as server:
            session = session_with(store, server)
            hits = found(session, "llm")
            assert hits == found(session, "rules")
        assert weights_of(hits) == list(OTHER_WEIGHTS)
        assert session.trace.warnings[0].startswith("weights by rules: ")

    def test_without_one_the_rules_weigh(self, store: GraphStore) -> None:
        session = open_context(store)
        assert weights_of(found(session, "llm")) == list(OTHER_WEIGHTS)
        assert session.trace.warnings == [
            "weights by rules: no language model is set (llm, llm_url)"
        ]

    def test_a_measurement_by_model_wants_one(self) -> None:
        kind = RETRIEVERS["tri-modal"].options_type()
        assert kind is not None
        assert kind(weights="llm").needs_language_model  # type: ignore[call-arg]
        assert not kind(weights="rules").needs_language_model  # type: ignore[call-arg]
        assert kind(hyde=True).needs_language_model


class TestRules:
    @pytest.mark.parametrize(
        ("question", "is_exact"),
        [
            ("What was the operating income in 2019?", True),
            ("How many ships of 410 tons were built?", True),
            ("Which companies raised their dividends?", True),
            ("What costs 5€ a day?", True),
            ("Why do petrels follow ships?", False),
            ("Who founded the yard that built the Petrel?", False),
            ("What does GPT-4 share with the Covid-19 models?", False),
            ("How do sharks breathe?", False),
        ],
    )
    def test_words_count_most_where_they_have_to_be_exact(
        self, question: str, is_exact: bool
    ) -> None:
        assert rule_weights(question) == (NUMERIC_WEIGHTS if is_exact else OTHER_WEIGHTS)

    def test_no_model_is_asked(self, store: GraphStore) -> None:
        with ScriptedServer(weighing(said(1, 0, 0))) as server:
            session = session_with(store, server)
            assert weights_of(found(session, "rules")) == list(OTHER_WEIGHTS)
        assert asked_for_weights(server) == []

    @pytest.mark.parametrize("way", ["llm", "rules"])
    def test_other_searches_have_none(self, store: GraphStore, way: str) -> None:
        with pytest.raises(UsageError, match="weighs dense, bm25, graph") as caught:
            open_retriever("hybrid", open_context(store), {"weights": way}).retrieve(QUESTION, 5)
        assert caught.value.option == "weights"
