"""What a model is given: documents and the facts of subgraphs, piece by piece."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hlg.asking.context import mentioned, paths_of
from hlg.evaluation.metrics.selection import Given
from hlg.evaluation.scenarios.rows import HOPS, Scenario
from hlg.evaluation.scenarios.worlds import Worlds
from hlg.facts import shown_predicate
from hlg.graph import LexicalGraph
from hlg.models.tokens import language_model_tokens
from hlg.retrieval.context.knowledge import entity_names, statement_passages
from hlg.retrieval.context.paths import PathLimits
from hlg.retrieval.context.serialization import Triple, grouped_text, triples_text
from hlg.subgraph import Subgraph


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
