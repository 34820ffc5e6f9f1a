"""Building: what lands in the graph, what is skipped, replaced, pruned and refused."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from hlg import LexicalGraph
from hlg.errors import StoreMismatch, UsageError
from hlg.ids import entity_id
from hlg.ingest.embed import GraphEmbedder
from hlg.ingest.load import reader_process
from hlg.models.base import Embedder
from hlg.models.embedders import open_embedder
from hlg.records import Embeddings, Entity, Source, SourceGraph
from hlg.reports import BuildReport, Progress
from hlg.schema import PHRASE
from hlg.settings import Settings
from support.pdf import mixed, pdf, scan
from support.texts import article, write_corpus

ENTITIES = ("Entity", "Entity")


@pytest.fixture
def graph(tmp_path: Path) -> LexicalGraph:
    with LexicalGraph.open(tmp_path / "graph.lbug") as graph:
        yield graph


@dataclass
class Built:
    """A graph of three articles, for tests that leave it as it is."""

    graph: LexicalGraph
    corpus: Path
    report: BuildReport
    seen: list[Progress]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    folder = tmp_path_factory.mktemp("built")
    corpus, seen = write_corpus(folder / "corpus.jsonl", 3), list[Progress]()
    with LexicalGraph.open(folder / "graph.lbug") as graph:
        yield Built(graph, corpus, graph.build([corpus], on_progress=seen.append), seen)


def test_a_build_writes_all_three_tiers(built: Built) -> None:
    report = built.report
    assert (report.added, report.changed, report.skipped, report.failed) == (3, 0, 0, ())
    assert built.seen[-1].done == report.counts["Source"] == 3
    for label in ("Chunk", "Topic", "Statement", "Fact", "Entity"):
        assert report.counts[label] > 0, label
    for edge in ("PART_OF", "MENTIONED_IN", "BELONGS_TO", "SUPPORTS", "SUBJECT", "OBJECT"):
        assert report.counts[edge] > 0, edge
    assert report.counts["MENTIONS"] > report.counts["Statement"] / 2


def test_whom_you_means_is_each_sources_own_and_joins_nothing(
    graph: LexicalGraph, tmp_path: Path
) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, thing in (("a", "Gull"), ("b", "Tern")):
        (folder / f"{name}.txt").write_text(f"You must pay {thing} Bank. Write to {thing} Bank.")
    graph.build([folder])
    rows = [row for batch in graph.store.nodes("Entity") for row in batch]
    assert [row["name"] for row in rows if row["class"] == PHRASE] == ["you", "you"]
    facts = {str(row["text"]) for batch in graph.store.nodes("Fact") for row in batch}
    assert {"you write to (imperative) Gull Bank", "you must pay Tern Bank"} <= facts
    assert not [edge for batch in graph.store.edges("RELATES_TO", ENTITIES) for edge in batch]
    listed = {e.name for e in graph.entities.most_mentioned(9)}
    assert listed == {"Gull Bank", "Tern Bank", "a", "b"}
    assert graph.entities.duplicates() == []
    with pytest.raises(UsageError, match="no entity 'you'"):
        graph.entities.show("you")
    (gull,) = graph.entities.show("Gull Bank")
    assert {each.text for each in gull.statements} == {
        "You must pay Gull Bank.",
        "Write to Gull Bank.",
    }
    (folder / "b.txt").unlink()
    graph.build([folder], prune=True)
    assert graph.status().counts["Entity"] == 3


def test_every_statement_stands_in_its_source_where_it_says(built: Built) -> None:
    graph = built.graph
    texts = [article(seed)["text"] for seed in range(3)]
    sources = sorted(graph.sources(), key=lambda source: source.uri)
    ids = [source.id for source in sources]
    assert [each.text for each in graph.store.texts(ids)] == texts
    for text, stored in zip(texts, graph.store.read(ids), strict=True):
        assert stored.statements
        for record in (*stored.statements, *stored.chunks):
            assert text[record.start : record.end] == record.text


def test_what_a_pdf_says_is_cited_by_its_page(
    graph: LexicalGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = pdf(
        "The Petrel was built by Harrow Yard in 1911.",
        "Mina Sorley bought the Petrel from its builders.",
    )
    (tmp_path / "report.pdf").write_bytes(mixed(said, scan(200)))
    monkeypatch.setenv("PATH", str(tmp_path))  # where no tesseract is
    reader_process.close()
    (note,) = graph.build([tmp_path / "report.pdf"]).notes
    reader_process.close()
    assert "pictures of pages were not read (3)" in note.text

    found = graph.retrieve("Who bought the Petrel?", retriever="statements", top_k=2)

    assert [(hit.passage.page, hit.passage.text[:4]) for hit in found] == [(2, "Mina"), (1, "The ")]
    assert " p. 2:" in found[0].passage.citation


def test_a_second_build_changes_nothing(built: Built) -> None:
    revision = built.graph.status().revision

    report = built.graph.build([built.corpus])

    assert (report.added, report.changed, report.skipped) == (0, 0, 3)
    assert built.graph.status().revision == revision


def test_a_changed_source_replaces_its_older_self(graph: LexicalGraph, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("Ada Thorne founded Northwind Shipping in Port Ellery.")
    graph.build([page])
    page.write_text("Edith Vale runs Quarry Bank in Grantham.")

    report = graph.build([page])

    assert (report.added, report.changed, report.skipped) == (0, 1, 0)
    texts = [row["text"] for batch in graph.store.nodes("Statement") for row in batch]
    assert texts == ["Edith Vale runs Quarry Bank in Grantham."]
    names = {row["name"] for batch in graph.store.nodes("Entity") for row in batch}
    assert "Ada Thorne" not in names


def test_another_recipe_makes_a_source_anew(built: Built) -> None:
    report = built.graph.build([built.corpus], chunker="hierarchical", dry_run=True)
    assert (report.changed, report.skipped) == (3, 0)


def test_prune_deletes_what_is_gone_from_the_folder_and_nothing_else(
    graph: LexicalGraph, tmp_path: Path
) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "kept.txt").write_text("Bela Kovacs lives in Novi Brod.")
    (folder / "gone.txt").write_text("Farid Nasser lives in Castle Rock.")
    elsewhere = tmp_path / "elsewhere.txt"
    elsewhere.write_text("Carla Mendes lives in San Aurelio.")
    graph.build([folder, elsewhere])
    (folder / "gone.txt").unlink()

    assert graph.build([folder], prune=True, dry_run=True).deleted == 1
    assert len(graph.sources()) == 3
    assert graph.build([folder], prune=True).deleted == 1
    assert {Path(source.uri).name for source in graph.sources()} == {"kept.txt", "elsewhere.txt"}


def test_prune_keeps_what_can_only_not_be_read_now(graph: LexicalGraph, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("Bela Kovacs lives in Novi Brod.")
    records = folder / "b.jsonl"
    records.write_text(json.dumps(article(1)) + "\n" + json.dumps(article(2)) + "\n")
    graph.build([folder])
    (folder / "a.txt").write_bytes(b"")
    records.write_text(json.dumps(article(1)) + "\n{broken\n")

    report = graph.build([folder], prune=True)

    assert report.deleted == 0
    assert len(report.failed) == 2


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", 3)
    with LexicalGraph.open(tmp_path / "graph.lbug") as graph:
        report = graph.build([corpus], dry_run=True)
        assert (report.added, report.dry_run) == (3, True)
        assert graph.store.info() is None


def test_another_embedder_is_refused_and_nothing_lost(built: Built) -> None:
    with pytest.raises(StoreMismatch, match="other-model"):
        built.graph.store.set_up("other-model", 3)
    assert built.graph.status().counts["Source"] == 3


def test_a_wrong_chunker_or_extractor_is_refused_before_anything_is_read(
    graph: LexicalGraph, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="fixed"):
        graph.build([tmp_path], chunker="fxed")
    with pytest.raises(UsageError, match="local"):
        graph.build([tmp_path], extractor="locl")


def test_workers_and_one_process_make_the_same_graph(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = write_corpus(tmp_path / "corpus.jsonl", 4)
    stored = []
    for workers, inline in ((1, 1_000_000), (2, 2_000)):
        monkeypatch.setattr("hlg.ingest.pool.INLINE_CHARACTERS", inline)
        settings = Settings(store=str(tmp_path / f"{workers}.lbug"), workers=workers)
        with LexicalGraph.open(settings=settings) as graph:
            graph.build([corpus])
            read = graph.store.read([source.id for source in graph.sources()])
            stored.append([replace(g, source=replace(g.source, ingested_at="")) for g in read])
    for one, two in zip(*stored, strict=True):
        assert one.statements == two.statements
        assert one.facts == two.facts
        assert one.entities == two.entities
        assert np.array_equal(one.statement_embeddings, two.statement_embeddings)


def test_a_topics_vector_covers_its_statements(built: Built) -> None:
    stored, *_ = built.graph.store.read([source.id for source in built.graph.sources()])
    assert stored.topic_embeddings is not None
    assert stored.statement_embeddings is not None
    for i, topic in enumerate(stored.topics):
        rows = [j for j, s in enumerate(stored.statements) if s.topic_id == topic.id]
        similarity = stored.statement_embeddings[rows] @ stored.topic_embeddings[i]
        assert similarity.mean() > 0.5


def test_a_name_is_embedded_once_a_build() -> None:
    counted = CountingEmbedder(open_embedder("minilm-int8"))
    entity = Entity(entity_id("Ada Thorne", "Person"), "Ada Thorne", "Person")
    source = Source("s", "uri", "title", "hash")
    embed = GraphEmbedder(counted).embed
    (first,) = embed([SourceGraph(source, entities=(entity,))])
    (second,) = embed([SourceGraph(source, entities=(entity,))])
    assert counted.texts == ["Ada Thorne"]
    assert np.array_equal(first.entity_embeddings, second.entity_embeddings)


class CountingEmbedder:
    """Passes texts on to a real embedder, and remembers them."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name = embedder.name
        self.dimensions = embedder.dimensions
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> Embeddings:
        self.texts += texts
        return self._embedder.embed(texts)

    def embed_spans(self, text: str, spans: Sequence[tuple[int, int]]) -> Embeddings:
        return self._embedder.embed_spans(text, spans)

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)


def test_a_text_over_the_bound_is_named_and_costs_the_others_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "long.txt").write_text("é" * (2**19 + 1))
    (folder / "short.txt").write_text("Edith Vale runs Quarry Bank in Grantham.")
    settings = Settings(store=str(tmp_path / "graph.lbug"), max_document_mb=1)
    with LexicalGraph.open(settings=settings) as graph:
        report = graph.build([folder])

    assert report.added == 1
    (failure,) = report.failed
    assert failure.uri.endswith("long.txt")
    assert failure.reason == "a text of more than 1 MiB; raise the setting max_document_mb"


def test_a_source_without_statements_is_noted(graph: LexicalGraph, tmp_path: Path) -> None:
    page = tmp_path / "marks.txt"
    page.write_text("!!! ??? ... --- ((( )))\n" * 20)

    report = graph.build([page])

    assert (report.added, report.failed) == (1, ())
    (note,) = report.notes
    assert note.uri.endswith("marks.txt")
    assert note.text.startswith("no statement was found")


def test_a_document_over_its_time_is_named_and_costs_the_others_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "long.txt").write_text("Edith Vale runs Quarry Bank in Grantham. " * 20_000)
    (folder / "short.txt").write_text("Ada Thorne founded Northwind Shipping in Port Ellery.")
    settings = Settings(store=str(tmp_path / "graph.lbug"), workers=1, document_seconds=2)
    with LexicalGraph.open(settings=settings) as graph:
        report = graph.build([folder])

    assert report.added == 1
    (failure,) = report.failed
    assert failure.uri.endswith("long.txt")
    assert "took more than 2 s" in failure.reason
