"""Parts of a graph as text."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlg.demo import TEXTS
from hlg.errors import UsageError
from hlg.export import FORMATS, export_graph
from hlg.export.mermaid import LONGEST_LABEL, MOST_EDGES, MOST_NODES, mermaid_label
from hlg.graph import LexicalGraph
from hlg.ids import entity_id
from hlg.records import Factuality, SameAs
from hlg.store import GraphStore, open_store
from hlg.subgraph import GraphEdge, GraphNode, Subgraph
from support.command_line import ran, refused
from support.graphs import DIMENSIONS, EMBEDDER, source_graph

NASTY = "x' }) DETACH DELETE n // \\u0027 \\' \"quoted\" <b>&]]>\nline ;\n"
SOURCES = [
    source_graph("a", [("One.", [("Ada", NASTY, "Helix")])], aliases={"Ada": ["A.", NASTY]}),
    source_graph(
        "b",
        [("Two.", [("Ada Thorne", "bought", "=1921"), ("Ada", "met", "Bela")])],
        stated={("Ada", "met", "Bela"): Factuality(confidence=0.75, modality=NASTY)},
    ),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GraphStore]:
    """Two sources with a merged entity."""
    store = open_store(str(tmp_path / "graph.lbug"))
    store.set_up(EMBEDDER, DIMENSIONS)
    store.write(SOURCES)
    store.write_merges([merge(store)])
    yield store
    store.close()


def merge(store: GraphStore) -> SameAs:
    ids = {row["name"]: str(row["id"]) for batch in store.nodes("Entity") for row in batch}
    return SameAs(ids["Ada"], ids["Ada Thorne"], 0.9, {"why": NASTY})


def part_of(store: GraphStore) -> Subgraph:
    return store.around("Source", [SOURCES[0].source.id])


def exported(graph: GraphStore | Subgraph, format_: str) -> str:
    return b"".join(export_graph(graph, format_)).decode()


def test_a_part_holds_its_nodes_and_no_others(store: GraphStore) -> None:
    part = part_of(store)
    lines = exported(part, "jsonl").splitlines()
    assert 0 < len(lines) < len(exported(store, "jsonl").splitlines())
    whole = exported(store, "jsonl").splitlines()
    assert set(lines) <= set(whole)
    assert lines == [line for line in whole if line in set(lines)]
    ids = {json.loads(line)["properties"].get("id") for line in lines}
    assert ids - {None} == {node.id for node in part.nodes}
    root = ElementTree.fromstring(exported(part, "graphml"))
    space = "{http://graphml.graphdrawing.org/xmlns}"
    assert {node.get("id") for node in root.iter(f"{space}node")} == {x.id for x in part.nodes}
    assert len(list(root.iter(f"{space}edge"))) == len(part.edges)


def test_a_part_as_cypher_names_only_its_nodes(store: GraphStore) -> None:
    script = exported(part_of(store), "cypher")
    there = {node.id for node in part_of(store).nodes}
    others = {str(row["id"]) for batch in store.nodes("Statement") for row in batch} - there
    assert all(id_ in script for id_ in there)
    assert others
    assert not any(id_ in script for id_ in others)


def test_mermaid_draws_a_part_with_facts_as_arrows(store: GraphStore) -> None:
    lines = exported(part_of(store), "mermaid").splitlines()
    assert lines[0] == "flowchart LR"
    names = dict(re.findall(r'^  (n\d+)\["(.*)"\]:::\w+$', "\n".join(lines), re.MULTILINE))
    assert {"One.", "Ada", "Helix", "A title", "a topic"} == set(names.values())
    number = {name: number for number, name in names.items()}
    (fact,) = (line for line in lines if line.startswith(f"  {number['Ada']} -->"))
    assert fact.endswith(f"| {number['Helix']}")
    assert f'  {number["One."]} -->|"mentions"| {number["Ada"]}' in lines
    for line in lines[1:]:
        assert re.fullmatch(
            r'  n\d+\["[^"]+"\]:::\w+|  n\d+ -->\|"[^"]+"\| n\d+|  classDef \w+ \S+', line
        )


def test_mermaid_of_a_whole_graph_has_its_hubs(store: GraphStore) -> None:
    text = exported(store, "mermaid")
    assert text.count(":::Entity") == 4
    counts = store.counts()
    assert text.rstrip().endswith(
        f"%% left out: {counts['Chunk']} Chunk, {counts['Fact']} Fact, {counts['Source']} Source, "
        f"{counts['Statement']} Statement, {counts['Topic']} Topic"
    )


def test_mermaid_stays_small_and_counts_the_rest() -> None:
    entities = [GraphNode("Entity", str(i), {"name": f"E{i}"}) for i in range(MOST_NODES + 7)]
    relations = [
        GraphEdge("RELATES_TO", a.id, b.id, {"predicate": "p", "weight": 1})
        for a in entities
        for b in entities
        if a is not b
    ]
    text = exported(Subgraph(tuple(entities), tuple(relations), {"Statement": 3}), "mermaid")
    assert text.count(":::Entity") == MOST_NODES
    assert text.count("-->") == MOST_EDGES
    assert len(text) < 50_000
    assert text.endswith(f"3 Statement, {len(relations) - MOST_EDGES} links\n")
    assert "%% left out: 7 Entity," in text


@settings(max_examples=60)
@given(st.text())
def test_no_text_leaves_a_mermaid_label(text: str) -> None:
    label = mermaid_label(text)
    assert not set(label) & set('"<>`\\[]{}|\n\r')
    assert re.sub(r"#\d+;", "x", label).find("#") == -1
    assert len(re.sub(r"#\d+;", "x", label)) <= LONGEST_LABEL
    assert label


def test_a_part_has_no_vectors(store: GraphStore) -> None:
    for graph, format_ in ((part_of(store), "jsonl"), (store, "mermaid")):
        with pytest.raises(UsageError, match="vectors are exported with a whole graph only"):
            list(export_graph(graph, format_, vectors=True))


def test_what_is_unsure_is_left_out_of_a_whole_graph_where_asked(store: GraphStore) -> None:
    triples = [("Ada", "bought", "Helix"), ("Ada", "met", "Bela"), ("Bela", "met", "Cole")]
    stated = {triples[0]: Factuality(confidence=0.5), triples[1]: Factuality(confidence=0.25)}
    sure = {"Ada": 0.25, "Cole": 0.25, "Bela": 0.25}
    graph = source_graph("d.txt", [("Four.", triples)], stated=stated, sure=sure)
    store.write([graph])
    ids = {name: entity_id(name, "Thing") for name in ("Ada", "Bela", "Cole", "Helix")}
    made = b"".join(export_graph(store, "jsonl", min_confidence=0.5)).decode()
    assert '"predicate":"bought","weight":1,"confidence":0.5' in made
    assert "Ada met Bela" not in made
    # Facts that are sure name them.
    assert all(f'"id":"{id_}"' in made for id_ in ids.values())
    made = b"".join(export_graph(store, "jsonl", min_confidence=1)).decode()
    held = {name for name, id_ in ids.items() if f'"id":"{id_}"' in made}
    assert held == {"Ada", "Bela", "Cole", "Helix"}
    assert "Ada bought Helix" not in made
    drawn = b"".join(export_graph(store, "mermaid", min_confidence=0.5)).decode()
    assert '-->|"bought"|' in drawn
    assert drawn.count('-->|"met"|') == 1


def test_the_command_exports_parts(tmp_path: Path) -> None:
    path = str(tmp_path / "town.lbug")
    with LexicalGraph.open(path) as graph:
        graph.build([str(TEXTS / "petrel.md"), str(TEXTS / "oake_yard.md")])
        petrel = next(source.uri for source in graph.sources() if "petrel" in source.uri)
    question = ["--query", "Who founded the yard that built the Petrel?", "--top-k", "2"]
    for part in (question, ["--entity", "Oake Yard"], ["--source", petrel]):
        for format_ in FORMATS:
            result = ran("export", "--store", path, "--format", format_, *part)
            assert "Oake Yard" in result.stdout
    out = tmp_path / "part.graphml"
    ran("export", "--store", path, "-f", "graphml", *question, "-o", str(out))
    assert ElementTree.fromstring(out.read_text())
    for wrong in (["--entity", "Nobody"], ["--source", "x"], [*question, "--entity", "Oake Yard"]):
        assert refused("export", "--store", path, *wrong)
