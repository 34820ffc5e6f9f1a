"""Entities of a stored graph: found, merged, split and shown, on both stores."""

from dataclasses import replace

import pytest

from hlg.entities.resolution import Entities
from hlg.errors import StoreError, UsageError
from hlg.ids import entity_id
from hlg.models.embedders import open_embedder
from hlg.store import GraphStore, open_store
from support.shipyards import ARCHIVE, ARCHIVE_YARD, BLOG, BLOG_YARD, NEWS, NEWS_YARD, OTHER, source
from support.stores import EMBEDDED, ON_FILE, StorePlace, state, wipe


@pytest.fixture
def store(place: StorePlace) -> GraphStore:
    store = place.connect(EMBEDDED)
    embedder = open_embedder()
    store.set_up(embedder.name, embedder.dimensions)
    wipe(store)
    store.write([NEWS, BLOG, ARCHIVE, OTHER])
    return store


def yards(store: GraphStore) -> dict[str, str]:
    """What goes into what, of the shipyards."""
    ids = {NEWS_YARD, BLOG_YARD, ARCHIVE_YARD}
    return {x: y for x, y in store.merges().canonical().items() if x in ids}


def test_duplicates_are_merged_once_and_undone_without_a_trace(store: GraphStore) -> None:
    entities = Entities(store)
    before = state(store)
    found = entities.duplicates()
    assert state(store) == before
    assert entities.merge() == found
    (canonical,) = set(yards(store).values())
    assert {*yards(store), canonical} == {NEWS_YARD, BLOG_YARD, ARCHIVE_YARD}
    assert entities.duplicates() == entities.merge() == []
    store.remove_merges([each.entity_id for each in found])
    assert state(store) == before
    assert entities.duplicates() == found


@ON_FILE
def test_merges_survive_other_sources(store: GraphStore) -> None:
    Entities(store).merge()
    merged = store.merges()
    changed = source("other", "Thing", [("Bees like clover.", [("Bees", "like", "clover")])])
    store.write([changed, source("new", "Thing", [("Tern flew.", [("Tern", "flew", "=far")])])])
    store.delete([OTHER.source.id])
    assert store.merges() == merged
    store.write([BLOG])
    assert store.merges() == merged


@ON_FILE
def test_a_split_is_remembered_by_the_next_run(store: GraphStore) -> None:
    entities = Entities(store)
    entities.merge()
    undone = entities.split("Marrow-Yard")
    assert [each.entity_id for each in undone] == [BLOG_YARD]
    assert BLOG_YARD not in {*yards(store), *yards(store).values()}
    assert entities.merge() == []
    assert [each.entity_id for each in entities.merge_into(BLOG_YARD, NEWS_YARD)] == [BLOG_YARD]
    assert store.merges().different_from == ()


@ON_FILE
def test_a_canonical_entity_is_split_from_what_went_into_it(store: GraphStore) -> None:
    entities = Entities(store)
    entities.merge()
    entities.split("Marrow Yard")
    (left,) = yards(store).items()
    assert set(left) == {NEWS_YARD, ARCHIVE_YARD}, "of one name, they are split from the others"
    assert entities.duplicates() == []
    entities.split(*left)
    assert yards(store) == {}
    assert entities.duplicates() == []
    with pytest.raises(UsageError, match="merged with nothing") as caught:
        entities.split("Bees")
    assert caught.value.option == "name"


@ON_FILE
def test_two_that_were_never_merged_can_be_kept_apart(store: GraphStore) -> None:
    entities = Entities(store)
    assert entities.split(BLOG_YARD, "Marrow Yard") == []
    entities.merge()
    assert BLOG_YARD not in {*yards(store), *yards(store).values()}
    assert len(yards(store)) == 1


@ON_FILE
def test_a_group_is_merged_by_hand_as_a_whole(store: GraphStore) -> None:
    entities = Entities(store)
    entities.merge()
    made = entities.merge_into("Marrow-Yard", "bees")
    assert [each.evidence["rule"] for each in made] == ["by hand"]
    assert set(yards(store).values()) == {entity_id("Bees", "Thing")}
    assert yards(store).keys() == {NEWS_YARD, BLOG_YARD, ARCHIVE_YARD}
    with pytest.raises(UsageError, match="one entity already"):
        entities.merge_into("Marrow Yard", "Bees")


def test_an_entity_is_shown_with_all_that_is_merged_with_it(store: GraphStore) -> None:
    entities = Entities(store)
    apart = entities.show("The Marrow Yard")
    assert [view.mentions for view in apart] == [2, 2]
    entities.merge()
    (view,) = entities.show("Marrow-Yard")
    assert view.mentions == 6
    assert view.classes == {"Organization": 2, "Place": 2, "Thing": 2}
    assert {"Marrow-Yard", "Marrow Yard"} == {view.name, *view.aliases}
    assert {each.entity_id for each in view.members} == yards(store).keys()
    assert "Marrow-Yard built Petrel" in [each.text for each in view.facts]
    assert {each.uri for each in view.statements} == {"news.txt", "blog.txt", "archive.txt"}
    assert view.neighbours["Petrel"] == 3
    assert entities.show(BLOG_YARD) == [view]


def test_the_most_mentioned_are_listed_merged_or_not(store: GraphStore) -> None:
    entities = Entities(store)
    entities.merge()
    assert entities.most_mentioned(1, merged=True)[0].degree == 6
    assert entities.most_mentioned(1)[0].degree == 2
    assert len(entities.most_mentioned(99)) == store.counts()["Entity"]


@ON_FILE
def test_an_unsure_entity_is_listed_where_it_is_asked_for(store: GraphStore) -> None:
    unsure = tuple(replace(each, confidence=0.3) for each in OTHER.entities)
    store.write([replace(OTHER, entities=unsure)])
    every, sure = (
        {each.name for each in Entities(store, least).most_mentioned(99)} for least in (0.0, 0.5)
    )
    assert every - sure == {each.name for each in OTHER.entities} == {"Bees", "heather"}


@ON_FILE
def test_unknown_names_bring_the_nearest(store: GraphStore) -> None:
    entities = Entities(store)
    for ask in (entities.show, entities.split, lambda name: entities.merge_into("Bees", name)):
        with pytest.raises(UsageError, match="did you mean 'Marrow"):
            ask("Marow Yard")


@ON_FILE
def test_an_empty_graph_has_no_duplicates(place: StorePlace) -> None:
    entities = Entities(place.open())
    assert entities.duplicates() == entities.merge() == entities.most_mentioned(5) == []
    with pytest.raises(UsageError, match="none yet"):
        entities.show("Ada")


def test_no_graph_is_said(tmp_path: object) -> None:
    store = open_store(f"{tmp_path}/none.lbug")
    with pytest.raises(StoreError, match="hlg build"):
        Entities(store).duplicates()
    store.close()
