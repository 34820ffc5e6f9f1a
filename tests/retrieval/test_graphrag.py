"""GraphRAG's searches: local around the question's entities, global over communities, drift."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlg.errors import UsageError
from hlg.ingest.extract.extractors import recognizer
from hlg.models.language.door import open_door
from hlg.records import Hit
from hlg.retrieval.arrays.build import csr
from hlg.retrieval.base import SearchSession, Trace
from hlg.retrieval.registry import open_retriever
from hlg.retrieval.view.related import related_rows
from hlg.store import GraphStore
from hlg.store.records import Reach
from support.language_model_server import Asked, ScriptedServer
from support.stores import ON_FILE, StorePlace, wipe
from support.worlds import QUESTION, open_context, open_world

YARD = "Marrow Yard employed"
PAPER = {"nearest": 0, "link_weight": 0}
"""Local search as the thesis has it: nothing but what entities lead to, by similarity."""


@pytest.fixture(params=[64, 0], ids=["arrays", "store"])
def context(store: GraphStore, request: pytest.FixtureRequest) -> SearchSession:
    return open_context(store, request.param)


def local(context: SearchSession, question: str, top_k: int = 50, **options: object) -> list[Hit]:
    return open_retriever("local", context, PAPER | options).retrieve(question, top_k)


class TestLocal:
    def test_hops_reach_further_and_say_how(self, context: SearchSession) -> None:
        question = "What did Bela Kovacs do?"
        reached = []
        for hops in range(3):
            hits = local(context, question, hops=hops)
            reached.append({hit.passage.id for hit in hits})
            assert {hit.signals["hop"] for hit in hits} == set(range(hops + 1))
            for hit in hits:
                *entities, chunk = hit.path
                assert [step.kind for step in entities] == ["Entity"] * len(entities)
                assert entities[0].text == "Bela Kovacs"
                assert len(entities) == hit.signals["hop"] + 1
                assert (chunk.kind, chunk.text) == ("Chunk", hit.passage.text)
                assert entities[-1].text.split()[0] in hit.passage.text
        assert reached[0] < reached[1] < reached[2]

    def test_chunks_are_ranked_by_similarity(self, context: SearchSession) -> None:
        hits = local(context, QUESTION)
        assert [hit.score for hit in hits] == [hit.signals["cosine"] for hit in hits]
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)

    def test_links_put_what_the_question_names_first(self, context: SearchSession) -> None:
        for hit in local(context, QUESTION, link_weight=0.5):
            expected = hit.signals["cosine"] + 0.5 * hit.signals["links"]
            assert hit.score == pytest.approx(expected, abs=1e-5)
            assert hit.signals["links"] > 0

    def test_the_nearest_chunks_are_looked_at_too(self, context: SearchSession) -> None:
        few = {hit.passage.id for hit in local(context, "Edith Vale", hops=0)}
        more = {hit.passage.id for hit in local(context, "Edith Vale", hops=0, nearest=50)}
        assert few < more

    def test_hubs_are_not_walked_and_paths_are_bounded(self, context: SearchSession) -> None:
        hits = local(context, "Marrow Yard", max_degree=3)
        assert {hit.signals["hop"] for hit in hits} == {0}
        assert context.trace.not_walked["Marrow Yard"] == 4
        entities = {
            step.text
            for hit in local(context, "Marrow Yard", hops=1, max_paths=1)
            for step in hit.path[1:-1]
        }
        assert len(entities) == 1

    def test_a_question_that_names_nothing_starts_from_what_is_near(
        self, context: SearchSession
    ) -> None:
        hits = local(context, "shipbuilders, please")
        assert hits
        assert any("names no known entity" in note for note in context.trace.notes)

    def test_what_the_extractor_finds_in_a_question_counts(self, store: GraphStore) -> None:
        context = open_context(store)
        heard: list[str] = []

        def recognize(text: str) -> list[str]:
            heard.append(text)
            return ["Skerry Island"]

        context = SearchSession(
            store, context.embedder, context.snapshots, Trace(), recognize=recognize
        )
        hits = local(context, "that place", hops=0)
        assert heard == ["that place"]
        assert {hit.path[0].text for hit in hits} == {"Skerry Island"}

    def test_the_local_extractor_recognises_names(self) -> None:
        names = recognizer("local")("Who founded Marrow Yard in Port Ellery?")
        assert {"Marrow Yard", "Port Ellery"} <= set(names)
        assert recognizer("replay:any.jsonl")("Who founded Marrow Yard?")


class TestGlobal:
    def test_statements_come_by_community_and_entity(self, context: SearchSession) -> None:
        hits = open_retriever("global", context).retrieve("Who worked at the yard?", 10)
        titles = {each.id: each.title for each in context.store.communities()}
        assert hits
        for hit in hits:
            community, entity, statement = hit.path
            assert (community.kind, community.text) == ("Community", titles[community.id])
            assert entity.kind == "Entity"
            assert entity.text.split()[-1] in hit.passage.text
            assert statement.text == hit.passage.text
            mean = (hit.signals["cosine"] + hit.signals["community"]) / 2
            assert hit.score == pytest.approx(mean, abs=1e-5)

    def test_a_level_can_be_chosen(self, context: SearchSession) -> None:
        level_of = {each.id: each.level for each in context.store.communities()}
        hits = open_retriever("global", context, {"level": "0"}).retrieve(QUESTION, 10)
        assert {level_of[hit.path[0].id] for hit in hits} == {0}

    @ON_FILE
    @pytest.mark.parametrize("name", ["global", "drift"])
    def test_without_communities_it_says_how_to_find_them(
        self, place: StorePlace, name: str
    ) -> None:
        empty = open_world(place)
        empty.write_communities([], None)
        with pytest.raises(UsageError, match="hlg communities build"):
            open_retriever(name, open_context(empty)).retrieve(QUESTION, 5)
        wipe(empty)
        assert open_retriever(name, open_context(empty)).retrieve(QUESTION, 5) == []

    def test_a_language_model_rates_and_answers(self, store: GraphStore) -> None:
        def script(asked: Asked) -> str:
            if not asked.schema:
                return "Edith Vale founded it."
            score = 90 if "Skerry Island" in asked.material("summary") else 0
            return json.dumps({"score": score, "points": "a point"})

        plain = open_context(store)
        with ScriptedServer(script) as server:
            door = open_door(server.settings())
            session = replace(plain, trace=Trace(), door=lambda: door)
            hits = open_retriever("global", session).retrieve(QUESTION, 20)
        assert session.trace.answer == "Edith Vale founded it."
        assert {hit.signals["helpful"] for hit in hits} == {0.9}
        told = {each.id: f"{each.title} {each.summary}" for each in store.communities()}
        assert all("Skerry Island" in told[hit.path[0].id] for hit in hits)

    def test_a_language_model_that_fails_leaves_the_ranking(self, store: GraphStore) -> None:
        plain = open_context(store)
        with ScriptedServer(["no idea"]) as server:
            door = open_door(server.settings())
            session = replace(plain, trace=Trace(), door=lambda: door)
            hits = open_retriever("global", session).retrieve(QUESTION, 5)
        expected = open_retriever("global", plain).retrieve(QUESTION, 5)
        assert [hit.passage.id for hit in hits] == [hit.passage.id for hit in expected]
        assert any("judged 0 of" in note for note in session.trace.notes)
        assert session.trace.answer == ""


class TestDrift:
    def test_communities_lead_to_chunks(self, context: SearchSession) -> None:
        options = {"nearest": 0, "hops": 0}
        hits = open_retriever("drift", context, options).retrieve("shipbuilders, please", 20)
        assert hits
        for hit in hits:
            community, entity, chunk = hit.path
            assert (community.kind, entity.kind, chunk.kind) == ("Community", "Entity", "Chunk")
            assert hit.signals["community"] <= 1
            assert hit.signals["hop"] == 1

    def test_what_the_question_names_is_nearer(self, context: SearchSession) -> None:
        hits = open_retriever("drift", context, {"nearest": 0}).retrieve("Bela Kovacs", 20)
        named = [hit for hit in hits if hit.path[0].kind == "Entity"]
        assert min(hit.signals["hop"] for hit in named) == 0
        assert named[0].path[0].text == "Bela Kovacs"


@settings(max_examples=50, deadline=None)
@given(
    pairs=st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=25),
    starts=st.sets(st.integers(0, 9), min_size=1, max_size=3),
    hops=st.integers(0, 3),
)
def test_related_rows_are_those_of_breadth_first_search(
    pairs: set[tuple[int, int]], starts: set[int], hops: int
) -> None:
    both = {(a, b) for a, b in pairs if a != b} | {(b, a) for a, b in pairs if a != b}
    relations = csr(np.array(sorted(both), np.int32).reshape(-1, 2), 10)
    weights = np.ones(len(relations.indices), np.float32)
    found = related_rows(
        relations,
        weights,
        np.ones(10, np.int64),
        np.array(sorted(starts)),
        Reach(hops, max_degree=5, max_paths=99),
    )
    distance = dict.fromkeys(starts, 0)
    for hop in range(1, hops + 1):
        for a, b in sorted(both):
            if distance.get(a) == hop - 1:
                distance.setdefault(b, hop)
    assert dict(zip(found.rows.tolist(), found.hops.tolist(), strict=True)) == distance
    for row, hop, via in zip(found.rows, found.hops, found.via, strict=True):
        assert (via < 0) == (hop == 0)
        if via >= 0:
            assert (found.rows[via], row) in both
            assert found.hops[via] == hop - 1
