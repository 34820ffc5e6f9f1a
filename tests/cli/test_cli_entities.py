"""``hlg entities``: what it prints and how it ends."""

from pathlib import Path

import pytest

from hlg.models.embedders import open_embedder
from hlg.records import Factuality
from hlg.store import open_store
from support.command_line import done, hlg, ran, refused
from support.graphs import source_graph
from support.shipyards import ARCHIVE, BLOG, NEWS, OTHER


@pytest.fixture
def harbour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph in which a shipyard comes under three ids."""
    monkeypatch.chdir(tmp_path)
    store = open_store(".hlg/graph.lbug")
    embedder = open_embedder()
    store.set_up(embedder.name, embedder.dimensions)
    store.write([NEWS, BLOG, ARCHIVE, OTHER])
    store.close()


@pytest.mark.usefixtures("harbour")
class TestEntities:
    def test_duplicates_are_listed_with_their_evidence_and_nothing_changes(self) -> None:
        listed = ran("entities", "duplicates", "--dry-run")
        assert "spelling" in listed.stdout
        assert "→ Marrow" in listed.stdout
        assert "both with" in listed.stdout
        assert "next: hlg entities merge" in listed.stderr
        found = done("entities", "duplicates", "--limit", "1")
        assert found["total"] > len(found["duplicates"]) == 1
        assert found["duplicates"][0]["evidence"]["rule"] in ("same name", "spelling")
        assert done("status")["counts"]["SAME_AS"] == 0

    def test_merge_then_show_then_split(self) -> None:
        total = done("entities", "duplicates")["total"]
        merged = hlg("entities", "merge")
        assert f"merged {total} entities into" in merged.stdout
        assert done("status")["counts"]["SAME_AS"] == total
        (view,) = done("entities", "show", "Marrow Yard")
        assert view["mentions"] == 6
        shown = hlg("entities", "show", "Marrow Yard", "--limit", "1").stdout
        for part in ("mentions    6 (", "neighbours  Petrel 3", "merged\n", "… 5 more (--limit)"):
            assert part in shown
        assert " 6  Marrow" in hlg("entities", "list", "--merged", "--limit", "1").stdout
        split = hlg("entities", "split", "Marrow-Yard")
        assert "undid 1 merges; they will not be proposed again" in split.stdout
        assert "no duplicates" in hlg("entities", "duplicates").stderr
        assert done("status")["counts"]["DIFFERENT_FROM"] == 2

    def test_facts_are_shown_with_how_sure_they_are(self) -> None:
        may = Factuality(confidence=0.75, modality="may")
        doubtful = Factuality(confidence=0.25)
        sold, lost = ("Cole", "sold", "Petrel"), ("Cole", "lost", "Petrel")
        stated, sure = {sold: may, lost: doubtful}, {"Cole": 0.5}
        store = open_store(".hlg/graph.lbug")
        (text,) = [("Cole may have sold it.", [sold, lost])]
        store.write([source_graph("d.txt", [text], stated=stated, sure=sure, vectors=False)])
        store.close()
        shown = hlg("entities", "show", "Cole")
        assert shown.stdout.startswith("Cole (Thing)  [0.50]\n")
        assert "  Cole sold (may) Petrel  [0.75]\n" in shown.stdout
        assert "less sure and left out (--min-confidence): 1 fact" in shown.stderr
        (view,) = done("entities", "show", "Cole", "--min-confidence", "0.1")
        facts = {each["text"]: (each["confidence"], each["modality"]) for each in view["facts"]}
        assert facts == {"Cole sold (may) Petrel": (0.75, "may"), "Cole lost Petrel": (0.25, "")}

    def test_what_is_wrong_is_said_in_a_line(self) -> None:
        assert "did you mean 'Marrow" in refused("entities", "show", "Marow Yard")
        assert "did you mean" in refused("entities", "merge", "Bees", "Marow Yard")
        assert "into what?" in refused("entities", "merge", "Bees")
        assert "merged with nothing" in refused("entities", "split", "Bees")
        assert "one entity already" in refused("entities", "merge", "Bees", "bees")
        assert "merged 1 entity into 1" in hlg("entities", "merge", "Bees", "heather").stdout


def test_an_empty_graph_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    store = open_store(".hlg/graph.lbug")
    store.set_up("any@1", 8)
    store.close()
    assert "no entities; next: hlg build" in hlg("entities", "list").stderr
    assert "no duplicates" in hlg("entities", "duplicates").stderr
    assert "merged 0" in hlg("entities", "merge").stdout
    assert "none yet; next: hlg build" in refused("entities", "show", "Ada")
