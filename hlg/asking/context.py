"""What a language model is given to answer a question."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from hlg.arguments import whole
from hlg.asking.found import evidence_of
from hlg.asking.marks import marked_hits
from hlg.asking.search import SearchOptions, search, statements_seen
from hlg.errors import UsageError
from hlg.models.tokens import token_counter
from hlg.retrieval.base import Query
from hlg.retrieval.context.conversation import (
    FORMATS,
    PATHS,
    ContextText,
    Conversation,
    subgraph_limits,
)
from hlg.retrieval.context.paths import PathLimits, subgraph_of_paths
from hlg.retrieval.retrievers.local import question_entities
from hlg.retrieval.view.open import open_view
from hlg.subgraph import Subgraph, SubgraphLimits

if TYPE_CHECKING:
    from hlg.opened import OpenGraph


def context_of(
    graph: "OpenGraph",
    question: str,
    how: SearchOptions,
    *,
    format: str,
    tokens: int,
    conversation: Conversation | None = None,
    walk: PathLimits | None = None,
) -> ContextText:
    """See :meth:`hlg.LexicalGraph.context`."""
    whole(tokens, "tokens")
    FORMATS.named(format)  # a wrong name is an error before anything is searched for
    if walk is not None and format != PATHS:
        raise UsageError(f"paths are of the format {PATHS!r}, not of {format!r}", option="walk")
    found = evidence_of(graph, search(graph, question, how), subgraph_limits(tokens))
    subgraph = found.subgraph
    if format == PATHS:
        named = [*names_in(graph, question), *mentioned(found.subgraph)]
        subgraph = paths_of(graph, named, walk or PathLimits(), how.where)
    conversation = conversation or Conversation()
    conversation.add(marked_hits(found), subgraph, graph.store.merges().canonical())
    return conversation.text(format, tokens, token_counter(graph.graph_embedder))


def names_in(graph: "OpenGraph", question: str) -> list[str]:
    """The names of the graph's entities that a question names."""
    session = graph.search_session()
    ids = set(question_entities(open_view(session, Query(question, session))))
    around = graph.store.around("Entity", sorted(ids), SubgraphLimits(1, 0, len(ids)))
    return [str(each.properties["name"]) for each in around.nodes_of("Entity") if each.id in ids]


def mentioned(evidence: Subgraph) -> list[str]:
    """The names of the entities that evidence mentions, those of the best of it first."""
    return [str(node.properties["name"]) for node in evidence.nodes_of("Entity")]


def paths_of(
    graph: "OpenGraph", names: Sequence[str], limits: PathLimits, where: str = ""
) -> Subgraph:
    """The paths from entities, as sure as the graph's settings want it."""
    return subgraph_of_paths(
        graph.store,
        names,
        limits,
        least=graph.settings.min_confidence,
        seen=partial(statements_seen, graph, where),
        canonical=graph.store.merges().canonical(),
    )
