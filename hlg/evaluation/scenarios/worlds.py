"""What the scenarios search and walk: a data set's graph, and what is made of copies of it; and
what of that a model is given, piece by piece."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hlg.asking.context import mentioned, paths_of
from hlg.errors import InputError
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.metrics.assess import Assessor
from hlg.evaluation.metrics.positions import Given
from hlg.evaluation.scenarios.rows import HOPS, Scenario
from hlg.facts import shown_predicate
from hlg.graph import LexicalGraph
from hlg.ids import content_id, source_id
from hlg.indexing.build import append_relations
from hlg.ingest.triples.relations import is_relations, relations_uri
from hlg.models.tokens import language_model_tokens
from hlg.names import normalize_name
from hlg.records import Hit
from hlg.reports import OnProgress
from hlg.retrieval.context.knowledge import entity_names, statement_passages
from hlg.retrieval.context.paths import PathLimits
from hlg.retrieval.context.serialization import Triple, grouped_text, triples_text
from hlg.store.transfer import copy_graph
from hlg.subgraph import Subgraph

TRIPLES = ("triples.csv", "triples.tsv", "triples.jsonl")
"""In a data set's folder: its predefined graph."""
COMPUTED = "auto"
"""What searches the computed graph, with vectors and walks."""


class Worlds:
    """A data set's graph as it was built (``plain``), and those that are made when they are
    first asked for, in a folder where they are found again.

    ``refined`` is a copy whose entities were resolved; ``knowledge`` what is walked: the
    predefined graph where the data set has one, else the refined; ``related`` a copy whose
    documents have the relations of ``knowledge`` appended.
    """

    def __init__(
        self,
        plain: LexicalGraph,
        dataset: Dataset,
        folder: Path,
        triples: Path | None = None,
        on_progress: OnProgress = lambda progress: None,
    ) -> None:
        self.plain = plain
        self.dataset = dataset
        self.triples = triples
        self._folder = folder
        self._on_progress = on_progress
        self._stack = ExitStack()
        self._assessor = Assessor(dataset, len)
        self._texts = {each.id: each for each in dataset.documents}
        self._titled: dict[str, str] = {}
        for each in dataset.documents:
            self._titled.setdefault(normalize_name(each.title), each.id)

    def close(self) -> None:
        """Let go of what was made of copies."""
        self._stack.close()

    @property
    def identity(self) -> str:
        """Digest of all that is searched and walked."""
        told = self.triples.read_text("utf-8", "replace") if self.triples else ""
        revision = self.plain.status().revision
        return content_id(self.dataset.fingerprint(), revision, self.plain.embedder.name, told)

    @cached_property
    def refined(self) -> LexicalGraph:
        graph = self._copy("refined")
        graph.entities.merge()
        graph.prepare()
        return graph

    @cached_property
    def knowledge(self) -> LexicalGraph:
        if self.triples is None:
            return self.refined
        graph = self._open("predefined")
        graph.import_triples([self.triples], on_progress=self._on_progress)
        return graph

    @cached_property
    def related(self) -> LexicalGraph:
        graph = self._copy("related")
        append_relations(graph, self._on_progress, self.knowledge.store)
        graph.prepare()
        return graph

    def ready(self, row: Scenario) -> None:
        """Make what a row searches and walks, unless it is there: no question's time has it."""
        _ = (
            row.related and self._relations,
            row.computed and self.refined,
            row.paths and self.knowledge,
        )

    def document_of(self, uri: str) -> str | None:
        """The document that a source is, or whose relations it has; None where it is none."""
        with suppress(InputError):
            return self._assessor.document_id(uri)
        return None

    def titled(self, name: str) -> str | None:
        """The document that has an entity's name as its title."""
        return self._titled.get(normalize_name(name))

    def title(self, id_: str) -> str:
        """A document's title."""
        return self._texts[id_].title

    def text(self, id_: str, *, related: bool) -> str:
        """A document with its title, on a line; with its relations where they were appended."""
        document = self._texts[id_]
        parts = [document.title, document.text, self._relations.get(id_, "") if related else ""]
        return " ".join(" ".join(parts).split())

    @cached_property
    def _relations(self) -> dict[str, str]:
        uris = [each.uri for each in self.related.sources() if not is_relations(each.uri)]
        ids = {source_id(relations_uri(uri)): self.document_of(uri) for uri in uris}
        found = self.related.store.texts(list(ids))
        return {ids[each.source.id] or "": each.text for each in found}

    def search(
        self, query: str, most: int, *, related: bool = False, computed: bool = False
    ) -> tuple[list[str], Sequence[Hit]]:
        """The best documents, each once, by the best hit of each; and all hits."""
        graph = self.related if related else self.refined if computed else self.plain
        retriever, wanted = COMPUTED if computed else "chunks", most
        while True:
            hits = graph.search(query, retriever=retriever, top_k=wanted).hits
            told = (self.document_of(hit.passage.source.uri) for hit in hits)
            found = dict.fromkeys(id_ for id_ in told if id_ is not None)
            if len(found) >= most or len(hits) < wanted or wanted > 100 * most:
                return list(found)[:most], hits
            wanted *= 3

    def _copy(self, name: str) -> LexicalGraph:
        graph = self._open(f"{name}-{self.plain.status().revision[:12]}")
        copy_graph(self.plain.store, graph.store, on_progress=self._on_progress)
        return graph

    def _open(self, name: str) -> LexicalGraph:
        self._folder.mkdir(parents=True, exist_ok=True)
        at = {"store": str(self._folder / f"{name}.lbug"), "graph": ""}
        settings = self.plain.settings.model_copy(update=at)
        return self._stack.enter_context(LexicalGraph.open(settings=settings))


def predefined(directory: Path) -> Path | None:
    """The file of a data set's predefined graph, if it has one."""
    return next((path for name in TRIPLES if (path := directory / name).is_file()), None)


@dataclass(frozen=True, slots=True)
class Piece:
    """A line that a model is given: a document, or a fact of a subgraph with the documents that
    say it; where none does, that of the entity at its end or its start."""

    text: str
    documents: tuple[str, ...]
    by_graph: bool = False


def given_in(pieces: Iterable[Piece]) -> tuple[Given, ...]:
    """Pieces as the metrics take them."""
    return tuple(
        Given(each.documents, language_model_tokens(each.text), each.by_graph) for each in pieces
    )


def document_pieces(worlds: Worlds, ids: Iterable[str], *, related: bool = False) -> list[Piece]:
    """Documents whole."""
    return [Piece(worlds.text(id_, related=related), (id_,)) for id_ in ids]


def found_pieces(worlds: Worlds, row: Scenario, query: str) -> list[Piece]:
    """What a row's search and walk give for a query, documents first."""
    ids, hits = worlds.search(query, row.documents, related=row.related, computed=row.computed)
    pieces = document_pieces(worlds, ids, related=row.related)
    if row.computed:
        pieces += fact_pieces(worlds, worlds.refined, worlds.refined.evidence(hits), row)
    elif row.paths:
        # A document is of the entity of its title; of others count those that they mention.
        names = [worlds.title(id_) for id_ in ids]
        pieces += path_pieces(worlds, row, [*names, *mentioned(worlds.plain.evidence(hits))])
    return pieces


def path_pieces(worlds: Worlds, row: Scenario, names: Sequence[str]) -> list[Piece]:
    """The facts of the paths from entities of the knowledge graph."""
    limits = PathLimits(HOPS, row.paths, row.entities)
    graph = worlds.knowledge
    return fact_pieces(worlds, graph, paths_of(graph, names, limits), row)


def fact_pieces(
    worlds: Worlds, graph: LexicalGraph, subgraph: Subgraph, row: Scenario
) -> list[Piece]:
    """The facts of a subgraph in its order: a line for all that joins two things, or one each."""
    names = entity_names(subgraph, graph.store.merges().canonical())
    lines: dict[tuple[str, ...], tuple[dict[Triple, None], dict[str, None]]] = {}
    said = _documents(worlds, subgraph)
    subjects = {edge.target: names[edge.source] for edge in subgraph.edges_of("SUBJECT")}
    objects = {edge.source: names[edge.target] for edge in subgraph.edges_of("OBJECT")}
    for fact in subgraph.nodes_of("Fact"):
        subject = subjects[fact.id]
        object_ = objects.get(fact.id, str(fact.properties.get("object", "")))
        triple = Triple(subject, shown_predicate(fact.properties), object_)
        triples, documents = lines.setdefault(triple[::2] if row.grouped else triple, ({}, {}))
        triples[triple] = None
        titled = (worlds.titled(object_), worlds.titled(subject))
        documents |= said.get(fact.id) or {id_: None for id_ in titled if id_}
    form = grouped_text if row.grouped else triples_text
    return [
        Piece(form(triples), tuple(documents), by_graph=True)
        for triples, documents in lines.values()
    ]


def _documents(worlds: Worlds, subgraph: Subgraph) -> Mapping[str, dict[str, None]]:
    """By fact the documents whose statements support it."""
    passages = statement_passages(subgraph)
    found: dict[str, dict[str, None]] = {}
    for edge in subgraph.edges_of("SUPPORTS"):
        passage = passages.get(edge.target)
        id_ = worlds.document_of(passage.source.uri) if passage is not None else None
        if id_ is not None:
            found.setdefault(edge.source, {})[id_] = None
    return found
