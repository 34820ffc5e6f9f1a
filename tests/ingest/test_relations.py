"""Documents of entities with what the graph relates those to, and no feedback from it."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from hlg.cli.main import app
from hlg.graph import LexicalGraph
from hlg.ingest.triples.relations import NAMES_A_LINE, NAMES_A_RELATION, relation_documents
from hlg.records import SameAs
from hlg.reports import BuildReport
from hlg.settings import Settings
from support.graphs import source_graph
from support.stores import ON_FILE, StorePlace

ADA = "Ada Thorne"
FACTS = [
    (ADA, "founded", "Helix"),
    (ADA, "founded", "Orrery"),
    ("Bela", "taught", ADA),
    (ADA, "born", "=1921"),
    ("Bela", "met", "Helix"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current directory with a document of an entity, and one of none."""
    monkeypatch.chdir(tmp_path)
    Path("ada.md").write_text("# Ada Thorne\n\nShe lived by the sea.\n")
    Path("sea.md").write_text("# Notes on the sea\n\nIt is deep and it is wide.\n")
    Path("kg.csv").write_text(
        "subject,predicate,object\nAda Thorne,has_founded,Helix\nBela,taught,Ada Thorne\n"
    )
    return tmp_path


def lines_of(store_graph: LexicalGraph) -> dict[str, list[str]]:
    store = store_graph.store
    found = relation_documents(store, store.sources())
    return {x.uri: x.text.splitlines() for x in found}


def test_neighbours_are_grouped_by_relation_strongest_first(place: StorePlace) -> None:
    store = place.open()
    store.write(
        [
            source_graph("a", [("One.", FACTS), ("Two.", FACTS[1:2])], title="the Ada Thorne"),
            source_graph("b", [("Three.", FACTS[:1])], title="Helix"),
            source_graph("c", [("Four.", FACTS[4:])], title="no entity"),
        ]
    )
    graph = LexicalGraph(store, Settings())
    assert lines_of(graph) == {
        "relations:a": ["the Ada Thorne founded: Helix, Orrery", "Bela taught: the Ada Thorne"],
        "relations:b": ["Ada Thorne founded: Helix", "Bela met: Helix"],
    }
    ids = {row["name"]: str(row["id"]) for batch in store.nodes("Entity") for row in batch}
    store.write_merges([SameAs(ids["Orrery"], ids["Helix"], 1.0)])
    assert lines_of(graph)["relations:b"] == ["Ada Thorne founded: Helix", "Bela met: Helix"]
    assert lines_of(graph)["relations:a"][0] == "the Ada Thorne founded: Helix"


@ON_FILE
def test_a_hub_is_cut_and_the_rest_counted(place: StorePlace) -> None:
    store = place.open()
    facts = [(ADA, "knows", f"P{i:04}") for i in range(NAMES_A_RELATION + 5)]
    store.write([source_graph("a", [("One.", facts)], title=ADA)])
    (lines,) = lines_of(LexicalGraph(store, Settings())).values()
    assert len(lines) == NAMES_A_RELATION // NAMES_A_LINE + 1
    assert lines[-1] == "Ada Thorne knows: and 5 more"


def everything_but_sources(graph: LexicalGraph) -> dict[str, int]:
    kept = ("Fact", "Entity", "MENTIONS", "SUPPORTS", "RELATES_TO", "SUBJECT", "OBJECT")
    return {name: graph.store.counts()[name] for name in kept}


def stage(report: BuildReport) -> tuple[int, int, int, int]:
    found = report.relations
    assert found is not None
    return found.added, found.changed, found.skipped, found.deleted


def test_a_rebuild_changes_nothing_and_nothing_feeds_back(folder: Path) -> None:
    with LexicalGraph.open("graph.lbug") as graph:
        graph.import_triples(["kg.csv"])
        graph.build(["ada.md", "sea.md"])
        before = everything_but_sources(graph)
        hashes = {source.uri: source.text_hash for source in graph.sources()}
        first = graph.build(["ada.md", "sea.md"], relations=True)
        assert (first.skipped, stage(first)) == (2, (1, 0, 0, 0))
        assert everything_but_sources(graph) == before
        again = graph.build(["ada.md", "sea.md"], relations=True)
        assert (again.skipped, stage(again)) == (2, (0, 0, 1, 0))
        assert {x.uri: x.text_hash for x in graph.sources()}.items() >= hashes.items()
        hits = graph.retrieve("What has Ada Thorne founded?", retriever="bm25", top_k=9)
        (appended,) = [x for x in hits if x.passage.source.uri == "relations:ada.md"]
        assert "Ada Thorne has founded: Helix" in appended.passage.text
        assert appended.passage.source.title == "Ada Thorne"
        (made,) = graph.store.read([appended.passage.source.id])
        text = "\n".join(chunk.text for chunk in made.chunks)
        for record in made.statements:
            assert text[record.start : record.end] == record.text


def test_relations_follow_the_graph_and_go_with_their_document(folder: Path) -> None:
    with LexicalGraph.open("graph.lbug") as graph:
        graph.build(["ada.md"])
        graph.import_triples(["kg.csv"], relations=True)
        Path("kg.csv").write_text("subject,predicate,object\nAda Thorne,sold,Helix\n")
        changed = graph.import_triples(["kg.csv"], relations=True)
        assert changed.relations is not None
        assert changed.relations.changed == 1
        assert lines_of(graph) == {"relations:ada.md": ["Ada Thorne sold: Helix"]}
        assert graph.delete("triples:kg.csv") == 1
        assert stage(graph.build(["ada.md"], relations=True)) == (0, 0, 0, 1)
        graph.import_triples(["kg.csv"], relations=True)
        assert graph.delete("ada.md") == 1
        assert [source.uri for source in graph.sources()] == ["triples:kg.csv"]
        graph.build(["ada.md"], relations=True)
        Path("ada.md").unlink()
        assert graph.build(["."], prune=True).deleted == 1
        assert "relations:ada.md" not in {source.uri for source in graph.sources()}


def test_the_command_appends_and_says_so(folder: Path) -> None:
    run = CliRunner().invoke
    assert run(app, ["import", "kg.csv", "--documents", "ada.md", "--relations"]).exit_code == 0
    result = run(app, ["build", "ada.md", "--relations"])
    assert result.exit_code == 0
    assert "relations of entities: 0 added, 0 changed, 1 unchanged" in result.stdout
