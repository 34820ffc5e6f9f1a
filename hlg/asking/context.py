"""What a language model is given to answer a question."""

from typing import TYPE_CHECKING

from hlg.arguments import whole
from hlg.asking.found import evidence_of
from hlg.asking.marks import marked_hits
from hlg.asking.search import SearchOptions, search
from hlg.models.tokens import token_counter
from hlg.retrieval.context.conversation import (
    ContextText,
    Conversation,
    check_format,
    subgraph_limits,
)

if TYPE_CHECKING:
    from hlg.opened import OpenGraph


def context_of(
    graph: "OpenGraph",
    question: str,
    how: SearchOptions,
    *,
    format: str,
    tokens: int,
    conversation: Conversation | None,
) -> ContextText:
    """See :meth:`hlg.LexicalGraph.context`."""
    whole(tokens, "tokens")
    check_format(format)
    found = evidence_of(graph, search(graph, question, how), subgraph_limits(tokens))
    conversation = conversation or Conversation()
    conversation.add(marked_hits(found), found.subgraph, graph.store.merges().canonical())
    return conversation.text(format, tokens, token_counter(graph.graph_embedder))
