"""Conditions on sources: what they mean, and that a search under one sees nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg import LexicalGraph, UsageError
from hlg.records import Source
from hlg.retrieval.registry import RETRIEVERS
from hlg.where import parse_where

REPORT = Source(
    id="0" * 32,
    uri="reports/annual.jsonl#7",
    title="Annual report",
    text_hash="",
    metadata={
        "year": 2024,
        "type": "10-K",
        "tags": ["Steel", "Spain"],
        "filed": "2024-03-01",
        "by": {"name": "Oake Yard"},
        "final": True,
    },
    ingested_at="2025-01-02T03:04:05+00:00",
)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("year = 2024", True),
        ("year == '2024'", True),
        ('year >= 2024 and type = "10-K"', True),
        ("year > 2023.5 AND NOT type = '10-Q'", True),
        ("year < 2000 or type in ('10-Q', '10-k')", True),
        ("filed >= 2024-03 and filed < 2024-04-01", True),
        ("tags = 'spain'", True),
        ("tags contains 'stee'", True),
        ("by.name like 'oake*'", True),
        ("path = 'reports/annual.jsonl' and uri like '*#7'", True),
        ("date = 2025-01-02", True),
        ("not (missing = 1 or year != 2024)", True),
        ("final = 'true'", True),
        ("year > 2024", False),
        ("missing != 1", False),
        ("missing < 5", False),
        ("type = '10-Q'", False),
        ("not title contains 'report'", False),
        ("tags in ('iron')", False),
        ("by = 'x'", False),
        ("year = 2024 and not year = 2024", False),
    ],
)
def test_a_condition_holds_or_does_not(condition: str, holds: bool) -> None:
    assert parse_where(condition)(REPORT) == holds


@pytest.mark.parametrize(
    "condition",
    ["year", "year >", "= 3", "year = 3 and", "(year = 3", "year ~ 3", "a = b", "x = '"],
)
def test_what_can_not_be_read_is_answered_in_one_line(condition: str) -> None:
    with pytest.raises(UsageError, match="can't be read") as error:
        parse_where(condition)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "condition",
    [
        "not " * 5000 + "year = 1",
        "(year = 1 or year = 1 and " * 60 + "year = 1" + ")" * 60,
        "year = 1 or " * 10_000 + "year = 1",
        f"uri like '{'*?' * 15_000}'",
    ],
    ids=["depth", "brackets", "length", "glob"],
)
def test_what_would_take_too_long_is_refused_at_once(condition: str) -> None:
    with pytest.raises(UsageError, match=r"the condition has .* at most"):
        parse_where(condition)


@given(st.text(max_size=40))
def test_any_text_is_a_value(text: str) -> None:
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    source = Source(id="", uri="", title=text, text_hash="", ingested_at="")
    if "\n" not in text:
        assert parse_where(f'title = "{quoted}"')(source)


ANIMALS = ("heron", "otter", "plover", "seal", "tern", "whelk")


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LexicalGraph]:
    """Six records on animals of one island, three years apart."""
    folder = tmp_path_factory.mktemp("where")
    records = [
        {
            "_id": animal,
            "title": f"The {animal}",
            "text": f"The {animal} lives on Skerry Island. Runa Falk counted every {animal} there.",
            "year": 2020 + place % 3,
        }
        for place, animal in enumerate(ANIMALS)
    ]
    (folder / "r.jsonl").write_text("\n".join(map(json.dumps, records)))
    with LexicalGraph.open(folder / "g.lbug") as opened:
        opened.build([folder / "r.jsonl"])
        yield opened


@pytest.mark.parametrize("retriever", sorted(set(RETRIEVERS) - {"global", "drift"}))
def test_a_search_sees_only_the_sources_that_fulfil_it(graph: LexicalGraph, retriever: str) -> None:
    question = "Which animal of Skerry Island did Runa Falk count, the heron?"
    hits = graph.retrieve(
        question, retriever=retriever, where="year = 2021", options={"rerank": "none"}
    )
    assert {hit.passage.source.title for hit in hits} == {"The otter", "The tern"}
    for hit in hits:
        assert all("heron" not in step.text for step in hit.path)


def test_the_ranker_ranks_what_is_left(graph: LexicalGraph) -> None:
    hits = graph.retrieve("Who counted the plover?", where="title = 'the whelk'")
    assert {hit.passage.source.title for hit in hits} == {"The whelk"}


def test_nothing_is_found_where_nothing_fulfils_it(graph: LexicalGraph) -> None:
    for retriever in ("auto", "chunks", "statement-graph", "bm25", "topics"):
        assert graph.retrieve("Who counted the heron?", retriever=retriever, where="year = 1") == []


def test_a_field_that_no_source_has_is_named_with_those_that_there_are(
    graph: LexicalGraph,
) -> None:
    with pytest.raises(UsageError, match=r"no source has a field 'nosuch'; .*title.*year"):
        graph.retrieve("Who counted the heron?", where="year > 0 and not nosuch = 3")


def test_all_sources_are_as_good_as_no_condition(graph: LexicalGraph) -> None:
    question = "Who counted the heron?"
    assert graph.retrieve(question, where="year > 0") == graph.retrieve(question)


def test_a_graph_without_arrays_says_what_to_do(graph: LexicalGraph, tmp_path: Path) -> None:
    settings = graph.settings.model_copy(update={"max_snapshot_mb": 0})
    searched = LexicalGraph(graph.store, settings)
    with pytest.raises(UsageError, match="max_snapshot_mb"):
        searched.retrieve("Who counted the heron?", where="year = 2021")
