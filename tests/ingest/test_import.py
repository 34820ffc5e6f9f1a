"""Predefined graphs: triples from files become sources like any other, and stay in step."""

import csv
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.graph import LexicalGraph
from hlg.ids import source_id
from hlg.ingest.composed import (
    ComposedChunker,
    ComposedExtractor,
    GivenFact,
    Line,
    Named,
    Section,
    compose,
)
from hlg.ingest.triples import spool
from hlg.ingest.triples.rows import Columns, TripleRow, find_columns, read_triples
from hlg.ingest.triples.spool import readable
from hlg.names import normalize_name
from hlg.records import Source, SourceGraph
from hlg.reports import Failure, ImportReport
from hlg.settings import Settings
from hlg.store.shared.checking import check_graphs
from support.command_line import hlg, ran
from support.stores import EMBEDDED, StorePlace

HEADER = "subject,subject_class,predicate,object,object_class\n"
ROWS = [
    "RDH5,Gene,associated_with,night blindness,Disease",
    "RDH5,Gene,ppi,RGR,Gene",
    "Vitamin A,Drug,target,RDH5,Gene",
    "RDH5,Gene,exons,5,",
]


def write(name: str, *rows: str, header: str = HEADER) -> str:
    Path(name).write_text(header + "\n".join(rows) + "\n", "utf-8")
    return name


def imported(graph: LexicalGraph, *files: str, **more: object) -> ImportReport:
    return graph.import_triples(list(files), **more)  # type: ignore[arg-type]


def done(report: ImportReport) -> tuple[int, int, int, int, int]:
    stage = report.triples
    return stage.added, stage.changed, stage.skipped, stage.deleted, len(stage.failed)


def read(graph: LexicalGraph) -> list[SourceGraph]:
    return graph.store.read([source.id for source in graph.sources()])


def said(graph: LexicalGraph) -> set[tuple[str, str, str]]:
    """All facts in words."""
    found = set()
    for source in read(graph):
        names = {entity.id: entity.name for entity in source.entities}
        for fact in source.facts:
            object_ = fact.object_value if fact.object_id is None else names[fact.object_id]
            found.add((names[fact.subject_id], fact.predicate, str(object_)))
    return found


# Reading


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("subject,predicate,object", "subject predicate object"),
        ("Head,Relation,Tail", "Head Relation Tail"),
        ("s,p,o,weight", "s p o"),
        ("source,target,type", "source type target"),
        ("subject,predicate,object,source", "subject predicate object"),
        ("relation,x_id,x_type,x_name,y_id,y_type,y_name", "x_name relation y_name"),
        ("head_id,relation,tail_id", "head_id relation tail_id"),
    ],
)
def test_columns_are_found_by_many_names(header: str, wanted: str) -> None:
    names = header.split(",")
    found = find_columns(names)
    assert [names[found[role]] for role in ("subject", "predicate", "object")] == wanted.split()
    if "source" in wanted.split():
        assert "document" not in found
    elif "source" in names:
        assert names[found["document"]] == "source"


def test_other_tables_have_no_columns() -> None:
    assert find_columns(["name", "year", "object"]) == {}
    assert find_columns(["subject", "object", "weight"]) == {}


def rows_of(path: Path) -> list[object]:
    return list(read_triples(path, path.name))


def test_columns_say_how_a_triple_is_stated(tmp_path: Path) -> None:
    path = tmp_path / "kg.csv"
    header = "subject,predicate,object,confidence,polarity,modality,attributed_to"
    rows = ["A,sells,B,0.25,,,", "A,sells,B,0.75,,,", "A,buys,B,,denied,may,Bo"]
    bad = ["A,likes,B,75,,,", "A,likes,B,nan,,,", "A,likes,B,,never,,"]
    path.write_text("\n".join([header, *rows, *bad]))
    with spool.TripleSpool() as read:
        list(read.read([path]))
        (document,) = read.documents()
    assert [failure.reason for failure in read.failures] == [
        "its confidence '75' is no number from 0 to 1",
        "its confidence 'nan' is no number from 0 to 1",
        "its polarity 'never' is neither affirmed nor denied",
    ]
    source = source_id(document.uri)
    chunks = ComposedChunker(300, len).chunk(document, source)
    found = ComposedExtractor().extract(document, chunks)
    assert {fact.text: fact.confidence for fact in found.facts} == {
        "A sells B": 0.75,
        "A not buys (may; according to Bo) B": 1.0,
    }
    assert "A not buys (may; according to Bo) B" in [each.text for each in found.statements]


def test_a_table_is_read_as_people_write_them(tmp_path: Path) -> None:
    path = tmp_path / "kg.csv"
    text = (
        "\ufeffhead;relation;tail\n"
        'A;"r; s";B\n'
        '"two\nlines";r;"say ""hi"""\n'
        '5" gun;r;6" gun\n'
        '"open;r;x\n'
        "\n"
        " A ;r; C \n"
    )
    path.write_text(text, "utf-8")
    assert rows_of(path) == [
        Columns("kg.csv", {"subject": "head", "predicate": "relation", "object": "tail"}),
        TripleRow("A", "r; s", "B"),
        TripleRow("two\nlines", "r", 'say "hi"'),
        TripleRow('5" gun', "r", '6" gun'),
        TripleRow('"open', "r", "x"),
        TripleRow("A", "r", "C"),
    ]


def test_bad_rows_are_told_by_line_and_cost_no_others(tmp_path: Path) -> None:
    path = tmp_path / "kg.tsv"
    path.write_bytes(b"subject\tpredicate\tobject\nA\tr\nA\tr\tB\tC\nA\tr\tB\n\xff\tr\tB\n\t\tB\n")
    _, *found = rows_of(path)
    assert found == [
        Failure("kg.tsv:2", "no object"),
        Failure("kg.tsv:3", "4 cells for 3 columns; quote those that need it"),
        TripleRow("A", "r", "B"),
        Failure("kg.tsv:5", "not UTF-8, which triples have to be"),
        Failure("kg.tsv:6", "no subject and no predicate"),
    ]


def test_json_lines_are_rows(tmp_path: Path) -> None:
    path = tmp_path / "kg.jsonl"
    path.write_text(
        '{"s": "A", "p": "r", "o": 3}\nno\n{"s": 1}\n{"s": ["A"], "p": "r", "o": "B"}\n[1]\n'
        '{"subject": "A", "predicate": "r", "object": "B", "object_id": 7, "source": "d.md"}\n'
    )
    found = [item for item in rows_of(path) if not isinstance(item, Columns)]
    assert found == [
        TripleRow("A", "r", "3"),
        Failure("kg.jsonl:2", "not valid JSON: Expecting value (column 1)"),
        Failure("kg.jsonl:3", "no subject, predicate and object among s"),
        Failure("kg.jsonl:4", "its 's' is neither text nor a number"),
        Failure("kg.jsonl:5", "not a JSON object"),
        TripleRow("A", "r", "B", object_id="7", document="d.md"),
    ]


def test_three_columns_need_no_header_and_others_do(tmp_path: Path) -> None:
    path = tmp_path / "kg.tsv"
    path.write_text("/m/1\tborn in\t/m/2\n")
    assert rows_of(path) == [Columns("kg.tsv", {}), TripleRow("/m/1", "born in", "/m/2")]
    path.write_text("a\tb\tc\td\n")
    (failure,) = rows_of(path)
    assert isinstance(failure, Failure)
    assert "its first line has a, b, c, d" in failure.reason
    for name, reason in (("none.csv", "No such file"), ("", "Is a directory")):
        (failure,) = rows_of(tmp_path / name)
        assert isinstance(failure, Failure)
        assert reason in failure.reason


cells = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12)


@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=6))
def test_what_a_csv_writer_writes_is_read(rows: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kg.csv")
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("subject", "predicate", "object"), *rows])
        found = [item for item in rows_of(path) if isinstance(item, TripleRow)]
    wanted = [tuple(cell.strip() for cell in row) for row in rows]
    assert [(x.subject, x.predicate, x.object) for x in found] == [x for x in wanted if all(x)]


def test_predicates_are_read_as_words() -> None:
    assert readable("side_effect") == "side effect"
    assert readable("hasSideEffect") == "has Side Effect"
    assert readable("is a kind_of") == "is a kind_of"
    assert readable("_") == "_"


# Importing


def test_triples_become_a_source_with_exact_spans(folder: Path, place: StorePlace) -> None:
    graph = open_at(place)
    report = imported(graph, write("kg.csv", *ROWS))
    assert (report.rows, done(report)) == (4, (1, 0, 0, 0, 0))
    (made,) = read(graph)
    assert (made.source.uri, made.source.title) == ("triples:kg.csv", "kg")
    assert said(graph) == {
        ("RDH5", "associated_with", "night blindness"),
        ("RDH5", "ppi", "RGR"),
        ("Vitamin A", "target", "RDH5"),
        ("RDH5", "exons", "5"),
    }
    classes = {entity.name: entity.entity_class for entity in made.entities}
    assert classes == {
        "RDH5": "Gene",
        "RGR": "Gene",
        "Vitamin A": "Drug",
        "night blindness": "Disease",
    }
    assert [chunk.context for chunk in made.chunks] == ["RDH5 (Gene)", "Vitamin A (Drug)"]
    chunks = {chunk.id: chunk for chunk in made.chunks}
    for statement in made.statements:
        chunk = chunks[statement.chunk_ids[0]]
        assert chunk.start <= statement.start < statement.end <= chunk.end
        assert chunk.text[statement.start - chunk.start :].startswith(statement.text)
    texts = {statement.text for statement in made.statements}
    assert "RDH5 associated with night blindness" in texts
    assert graph.store.counts()["RELATES_TO"] == 3
    question = "Which vitamin is for the target RDH5?"
    options = {"rerank": "none"}
    hits = graph.retrieve(question, retriever="statements", top_k=1, options=options)
    assert hits[0].passage.text == "Vitamin A target RDH5"
    assert graph.delete("triples:kg.csv") == 1
    assert sum(graph.store.counts().values()) == 0


def open_at(place: StorePlace) -> LexicalGraph:
    """A graph at a place, empty and with no vectors of another embedder yet."""
    graph = LexicalGraph(place.connect(EMBEDDED), Settings())
    for source in graph.sources() if graph.store.info() else ():
        graph.delete(source.id)
    return graph


@pytest.fixture
def graph(folder: Path) -> Iterator[LexicalGraph]:
    """An empty graph in a file."""
    with LexicalGraph.open(folder / "graph.lbug") as opened:
        yield opened


def test_an_unchanged_file_is_skipped_and_a_changed_one_replaced(graph: LexicalGraph) -> None:
    assert done(imported(graph, write("kg.csv", *ROWS))) == (1, 0, 0, 0, 0)
    assert done(imported(graph, write("kg.csv", *reversed(ROWS), ROWS[0]))) == (0, 0, 1, 0, 0)
    assert done(imported(graph, write("kg.csv", *ROWS[1:]))) == (0, 1, 0, 0, 0)
    assert ("RDH5", "associated_with", "night blindness") not in said(graph)
    other_class = [row.replace("Gene", "Protein") for row in ROWS[1:]]
    assert done(imported(graph, write("kg.csv", *other_class))) == (0, 1, 0, 0, 0)
    assert {x.entity_class for x in read(graph)[0].entities} == {"Protein", "Drug"}


def test_each_document_that_rows_name_is_a_source_and_goes_with_its_rows(
    graph: LexicalGraph,
) -> None:
    header = "subject,predicate,object,document\n"
    rows = ["A,r,B,one", "A,s,C,two", "B,r,C,"]
    assert done(imported(graph, write("kg.csv", *rows, header=header)))[0] == 3
    uris = ["triples:kg.csv", "triples:kg.csv#one", "triples:kg.csv#two"]
    assert [source.uri for source in graph.sources()] == uris
    report = imported(graph, write("kg.csv", *rows[1:], header=header))
    assert done(report) == (0, 0, 2, 1, 0)
    assert [source.uri for source in graph.sources()] == [uris[0], uris[2]]
    # A file without any good row keeps what it has.
    assert done(imported(graph, write("kg.csv", "A,r,,", header=header))) == (0, 0, 0, 0, 1)
    assert len(graph.sources()) == 2


def test_a_large_file_is_several_sources_of_which_few_change(
    graph: LexicalGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "TRIPLES_A_SOURCE", 10)
    rows = [f"S{i % 40},Thing,r{i // 40},O{i},Thing" for i in range(120)]
    first = imported(graph, write("kg.csv", *rows))
    parts = len(graph.sources())
    assert 8 <= parts <= 16
    assert first.triples.added == parts
    again = imported(graph, write("kg.csv", *rows[:-1]))
    assert (again.triples.changed, again.triples.skipped) == (1, parts - 1)
    assert len(said(graph)) == 119
    for made in read(graph):
        for topic in made.topics:
            others = {chunk.context for chunk in made.chunks if chunk.id in topic.chunk_ids}
            assert others == {topic.name}


def test_ids_tell_entities_of_one_name_apart(graph: LexicalGraph) -> None:
    header = "subject,subject_id,predicate,object,object_id\n"
    write("kg.csv", "Paris,Q90,in,France,1", "Paris,Q830149,in,Texas,2", header=header)
    report = imported(graph, "kg.csv")
    assert any("1 names stand for several ids" in note for note in report.notes)
    entities = {x.name: x.aliases for x in read(graph)[0].entities}
    assert entities == {
        "Paris (Q90)": ("Q90",),
        "Paris (Q830149)": ("Q830149",),
        "France": ("kg:1",),
        "Texas": ("kg:2",),
    }


def test_numbers_are_values_unless_they_are_entities(graph: LexicalGraph) -> None:
    write("kg.tsv", "1\tknows\t2", "2\tage\t30", "2\tborn\t3 May 1999", "2\tis\tMay", header="")
    imported(graph, "kg.tsv")
    facts = {fact.predicate: fact for fact in read(graph)[0].facts}
    assert facts["age"].object_value == "30"
    assert facts["born"].object_value == "3 May 1999"
    assert facts["is"].object_id is not None
    assert facts["knows"].object_id is not None


def test_documents_join_on_id_and_on_name(graph: LexicalGraph) -> None:
    header = "subject,subject_id,predicate,object,object_id\n"
    write("kg.csv", "RDH5,10022,target of,Vitamin A,77", header=header)
    records = [
        {"_id": 10022, "title": "retinol dehydrogenase", "text": "This gene is on chromosome 12."},
        {"_id": "x", "title": "vitamin a", "text": "The eye needs it every day."},
        {"_id": "y", "title": "Something else", "text": "Nothing to do with it."},
    ]
    Path("docs.jsonl").write_text("\n".join(map(json.dumps, records)))
    report = imported(graph, "kg.csv", documents=["docs.jsonl"])
    assert report.documents is not None
    assert (report.described, report.documents.added) == (2, 3)
    sources = {source.uri: source for source in graph.sources()}
    assert sources["docs.jsonl#10022"].title == "RDH5"
    assert sources["docs.jsonl#10022"].metadata == {"title": "retinol dehydrogenase"}
    assert sources["docs.jsonl#x"].title == "vitamin a"
    again = imported(graph, "kg.csv", documents=["docs.jsonl"])
    assert again.documents is not None
    assert (again.triples.skipped, again.documents.skipped) == (1, 3)


def test_a_build_with_prune_leaves_imports_alone(graph: LexicalGraph) -> None:
    imported(graph, write("kg.csv", *ROWS))
    Path("note.txt").write_text("Ada Thorne founded Helix Instruments.")
    graph.build(["note.txt"])
    Path("note.txt").unlink()
    Path("other.txt").write_text("Bela Kovacs bought Helix Instruments.")
    Path("kg.csv").unlink()
    assert graph.build(["."], prune=True).deleted == 1
    assert {x.uri for x in graph.sources()} == {"other.txt", "triples:kg.csv"}


names = st.text(min_size=1, max_size=6).filter(lambda text: normalize_name(text.strip()) != "")


@given(st.sets(st.tuples(names, names, names), min_size=1, max_size=8))
def test_no_triple_is_lost_and_none_invented(rows: set[tuple[str, str, str]]) -> None:
    lines = [
        Line(" ".join(f"{s} {p} {o}".split()), "", (GivenFact(Named(s, "T"), p, Named(o, "T")),))
        for s, p, o in sorted(rows)
    ]
    document = compose("u", "t", {}, [Section("h", tuple(lines[::2])), Section("i", tuple(lines))])
    chunks = ComposedChunker(8, len).chunk(document, source_id("u"))
    found = ComposedExtractor().extract(document, chunks)
    for record in (*chunks, *found.statements):
        assert document.text[record.start : record.end] == record.text
    key = normalize_name
    entities = {entity.id: key(entity.name) for entity in found.entities}
    facts = {
        (entities[x.subject_id], key(x.predicate), entities[x.object_id or ""]) for x in found.facts
    }
    assert facts == {(key(s), key(p), key(o)) for s, p, o in rows}
    source = Source(source_id("u"), "u", "t", "")
    made = SourceGraph(
        source, tuple(chunks), found.topics, found.statements, found.facts, found.entities
    )
    check_graphs([made], 8)


# The command


def test_the_command_says_what_it_did_and_what_was_bad(folder: Path) -> None:
    write("kg.csv", "A,r,B", "A,r", header="head,relation,tail\n")
    result = hlg("import", "kg.csv", "none.tsv")
    assert result.exit_code == 1
    assert result.stdout.startswith("1 triples read\nsources of triples: 1 added")
    assert "note: kg.csv: head is the subject, relation is the predicate" in result.stderr
    assert "left out: kg.csv:3: no object" in result.stderr
    assert "left out: none.tsv: No such file" in result.stderr
    write("kg.csv", "A,r,B", header="head,relation,tail\n")
    result = ran("import", "kg.csv", "--json")
    document = json.loads(result.stdout)
    assert (document["rows"], document["triples"]["skipped"]) == (1, 1)
