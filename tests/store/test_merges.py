"""Merges of entities in a store: kept beside the graph, undone without a trace."""

from pathlib import Path

import pytest

from hlg.errors import StoreError
from hlg.export import export_graph
from hlg.ids import entity_id
from hlg.names import normalize_name
from hlg.records import DENIED, Factuality, Merges, SameAs
from hlg.store import GraphStore, open_store
from hlg.store.transfer import copy_graph
from support.graphs import source_graph
from support.helix import SHARED, graph_a, graph_b
from support.stores import StorePlace, state

ADA, HELIX, ELLERY, QUARRY = (
    entity_id(name, "Thing")
    for name in ("Ada Thorne", "Helix Instruments", "Port Ellery", "Quarry Bank")
)
MERGE = SameAs(QUARRY, HELIX, 0.75, {"rule": "by hand", "names": ["NUL \0", "\ud800"]})
C = source_graph("file:///c.txt", [("Port Ellery is old.", [("Port Ellery", "is", "=old")])])


@pytest.fixture
def filled(store: GraphStore) -> GraphStore:
    store.write([graph_a(), graph_b()])
    return store


def found(store: GraphStore, *names: str) -> set[tuple[str, str]]:
    entities = store.entities_named([normalize_name(name) for name in names])
    return {(x.id, x.name) for x in entities}


def test_merges_are_read_as_written_and_counted(filled: GraphStore) -> None:
    assert filled.merges() == Merges()
    filled.write_merges([MERGE])
    assert filled.merges() == Merges((MERGE,))
    assert filled.merges().canonical() == {QUARRY: HELIX}
    assert filled.counts()["SAME_AS"] == 1
    assert [row["score"] for rows in filled.edges("SAME_AS", ("Entity", "Entity")) for row in rows]


def test_a_merge_moves_the_revision_and_an_undo_restores_all(filled: GraphStore) -> None:
    before, revisions = state(filled), {filled.require().revision}
    names = found(filled, "Quarry Bank"), found(filled, "HI")
    filled.write_merges([MERGE])
    revisions.add(filled.require().revision)
    assert filled.remove_merges([QUARRY, ADA]) == 1
    assert (state(filled), found(filled, "Quarry Bank"), found(filled, "HI")) == (before, *names)
    assert len(revisions | {filled.require().revision}) == 3


def test_all_that_are_merged_are_found_by_any_of_their_names(filled: GraphStore) -> None:
    both = {(QUARRY, "Helix Instruments"), (HELIX, "Helix Instruments")}
    filled.write_merges([MERGE])
    for name in ("Quarry Bank", "Helix Instruments", "HI"):
        assert found(filled, name) == both
    (quarry,) = (x for x in filled.entities_named(["hi"]) if x.id == QUARRY)
    assert quarry.aliases == ("Quarry Bank",)


def test_a_merge_takes_the_place_of_an_older_one(filled: GraphStore) -> None:
    filled.write_merges([MERGE])
    filled.write_merges([SameAs(QUARRY, ADA, 0.5), SameAs(ELLERY, ADA, 0.5)])
    assert filled.merges().canonical() == {QUARRY: ADA, ELLERY: ADA}


def test_what_is_no_star_is_refused_whole(filled: GraphStore) -> None:
    before, info = state(filled), filled.info()
    for merges in (
        [SameAs(QUARRY, QUARRY, 1.0)],
        [SameAs(QUARRY, "0" * 32, 1.0)],
        [SameAs("0" * 32, QUARRY, 1.0)],
        [SameAs(QUARRY, HELIX, 1.0), SameAs(HELIX, ADA, 1.0)],
        [SameAs(QUARRY, HELIX, 1.0), SameAs(QUARRY, ADA, 1.0)],
    ):
        with pytest.raises(StoreError):
            filled.write_merges(merges)
        assert filled.info() == info, merges
    assert state(filled) == before


def test_a_split_is_remembered_until_the_two_are_merged(filled: GraphStore) -> None:
    filled.write_merges([MERGE])
    filled.remove_merges([QUARRY], [(QUARRY, HELIX), (HELIX, QUARRY), (ADA, ELLERY)])
    pairs = tuple(sorted([tuple(sorted((QUARRY, HELIX))), tuple(sorted((ADA, ELLERY)))]))
    assert filled.merges() == Merges(different_from=pairs)
    assert filled.counts()["DIFFERENT_FROM"] == 2
    filled.remove_merges([], [(ADA, ELLERY)])
    assert filled.merges() == Merges(different_from=pairs)
    filled.write_merges([SameAs(QUARRY, ADA, 1.0), SameAs(HELIX, ADA, 1.0)])
    assert filled.merges().different_from == (tuple(sorted((ADA, ELLERY))),)
    for pair in ([(ADA, ADA)], [(ADA, "0" * 32)]):
        with pytest.raises(StoreError):
            filled.remove_merges([], pair)


def test_other_sources_come_and_go_without_touching_merges(filled: GraphStore) -> None:
    filled.write_merges([MERGE])
    filled.write([C, graph_b()])
    filled.delete([C.source.id])
    assert filled.merges() == Merges((MERGE,))
    assert len(found(filled, "HI")) == 2


def test_a_replaced_source_keeps_the_merges_of_the_entities_it_still_has(
    filled: GraphStore,
) -> None:
    filled.write_merges([MERGE, SameAs(ELLERY, ADA, 1.0)])
    filled.delete([graph_b().source.id])
    assert filled.merges().canonical() == {ELLERY: ADA}
    filled.write([graph_b()])
    filled.write_merges([MERGE])
    filled.write([graph_b(), source_graph(graph_a().source.uri, [("Ada founded it.", [SHARED])])])
    assert filled.merges() == Merges((MERGE,))
    assert found(filled, "Quarry Bank") == found(filled, "Helix Instruments")


def test_members_are_themselves_again_when_their_canonical_one_goes(store: GraphStore) -> None:
    store.write([graph_a(), graph_b()])
    store.write_merges([SameAs(HELIX, ELLERY, 1.0), SameAs(QUARRY, ELLERY, 1.0)])
    assert len(found(store, "Helix")) == 3
    store.delete([graph_a().source.id])
    assert store.merges() == Merges()
    assert found(store, "HI") == {(HELIX, "Helix Instruments")}
    assert found(store, "Quarry Bank") == {(QUARRY, "Quarry Bank")}
    assert found(store, "Port Ellery") == set()


def test_a_copy_and_an_export_carry_merges(place: StorePlace, tmp_path: Path) -> None:
    origin = place.open()
    may = Factuality(confidence=0.25, polarity=DENIED, modality="may", attributed_to="Bela")
    hedged = source_graph(
        "c.txt", [("Perhaps.", [SHARED])], stated={SHARED: may}, sure={"Ada Thorne": 0.75}
    )
    origin.write([hedged, graph_a(), graph_b()])
    origin.write_merges([SameAs(ELLERY, ADA, 0.5, {"rule": "by hand"})])
    origin.remove_merges([], [(QUARRY, HELIX)])
    target = open_store(str(tmp_path / "copy.lbug"))
    copy_graph(origin, target)
    assert target.merges() == origin.merges()
    assert target.read([hedged.source.id])[0].facts == hedged.facts
    for format_ in ("jsonl", "graphml", "cypher"):
        exports = [b"".join(export_graph(store, format_)) for store in (origin, target)]
        assert exports[0] == exports[1]
        for held in (b"SAME_AS", b"DIFFERENT_FROM", b"denied", b"not founded (may; according to"):
            assert held in exports[0]
    target.write_merges([SameAs(id_, HELIX, 1.0) for id_ in (QUARRY, ADA, ELLERY)])
    copy_graph(origin, target)
    assert target.merges().canonical() == {ADA: HELIX, ELLERY: HELIX}
    assert target.merges().different_from == origin.merges().different_from
    target.close()
