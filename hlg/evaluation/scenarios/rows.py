"""The scenarios as a table: what is searched, what is walked, how it is given, and who decides."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from hlg.errors import UsageError

Decides = Literal["retrieval", "answer", "agent", "batch"]
DOCUMENTS = 20
"""Documents a call (scenarios paper, §4)."""
HOPS = 2
"""Of a path (§4)."""
NAMES = {
    1: "documents alone",
    2: "documents with their relations",
    3: "a predefined graph alone",
    4: "a computed graph with vectors",
    5: "documents with subgraphs of a predefined graph",
    6: "modules in a fixed order",
    7: "an agent with the modules as tools",
    8: "an autonomous agent with one tool",
    9: "the same agent with the graph as a tool",
}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A variant of a scenario.

    :param number: the paper's.
    :param name: what tells it from the others of the number.
    :param decides: who says what the answer rests on: the order of the ``retrieval`` alone, the
        model in one ``answer``, an ``agent`` that calls tools, or a ``batch`` of queries a round.
    :param documents: that a search gives; 0 where none is searched for.
    :param related: their 1-hop relations were appended before they were indexed.
    :param computed: a search of the refined computed graph, with vectors and walks, finds them,
        and the facts that they rest on are given too.
    :param paths: of each of ``entities`` where a subgraph is given: those of the question where
        no document is searched for, else those of the documents.
    :param grouped: relations are grouped by what they join; else triplets, flat.
    :param reformulates: the model words the question anew first; ``reranks``: orders what was
        found.
    :param once: what was given is not given again in a session; ``new``: a search goes on until
        it has its documents of such as were not.
    :param tools: beside ``search``.
    :param baseline: the name of the variant that its tokens are compared with: the one without
        any of the paper's savings.
    """

    number: int
    name: str
    decides: Decides = "answer"
    documents: int = DOCUMENTS
    related: bool = False
    computed: bool = False
    paths: int = 0
    entities: int = 5
    grouped: bool = True
    reformulates: bool = False
    reranks: bool = False
    once: bool = False
    new: bool = False
    tools: tuple[str, ...] = ()
    baseline: str = ""

    @property
    def label(self) -> str:
        """Number and name."""
        return f"{self.number} {self.name}"

    @property
    def needs_model(self) -> bool:
        """Whether a language model has part in it."""
        return self.decides != "retrieval"


_subgraphs = partial(Scenario, 5, grouped=False)
_saving_subgraphs = partial(Scenario, 5, baseline="100 paths, 5 entities")
_saving = partial(Scenario, 8, once=True, baseline="search, whole history")
_graph_tool = partial(Scenario, 9, tools=("subgraph",))
_saving_graph_tool = partial(_graph_tool, once=True, baseline="100 paths, whole history")
ROWS: tuple[Scenario, ...] = (
    Scenario(1, "retrieval only", "retrieval"),
    Scenario(1, "answer"),
    Scenario(2, "retrieval only", "retrieval", related=True),
    Scenario(2, "answer", related=True),
    Scenario(3, "100 paths", documents=0, paths=100, entities=20, grouped=False),
    Scenario(4, "retrieval only", "retrieval", computed=True),
    Scenario(4, "answer", computed=True),
    _subgraphs("100 paths, 5 entities", paths=100),
    _subgraphs("50 paths, 5 entities", paths=50),
    _subgraphs("100 paths, 20 entities", paths=100, entities=20),
    _subgraphs("200 paths, 5 entities", paths=200),
    _saving_subgraphs("optimised, 100 paths, 5 entities", paths=100),
    _saving_subgraphs("optimised, 500 paths, 5 entities", paths=500),
    _saving_subgraphs("optimised, 100 paths, 20 entities", paths=100, entities=20),
    _saving_subgraphs("optimised, 500 paths, 20 entities", paths=500, entities=20),
    _saving_subgraphs("optimised, 200 paths, 5 entities", paths=200),
    Scenario(6, "retriever"),
    Scenario(6, "retriever, reranker", reranks=True),
    Scenario(6, "reformatter, retriever, reranker", reformulates=True, reranks=True),
    Scenario(7, "reformatter, retriever, reranker", "agent", tools=("reformulate", "rerank")),
    Scenario(8, "search, whole history", "agent"),
    Scenario(8, "search, thinking", "agent", tools=("think",)),
    _saving("optimised", "agent"),
    _saving("optimised, non-redundant", "agent", new=True),
    _saving("optimised, batch", "batch"),
    _saving("optimised, non-redundant, batch", "batch", new=True),
    _graph_tool("100 paths, whole history", "agent", paths=100, grouped=False),
    _saving_graph_tool("optimised, 100 paths", "agent", paths=100),
    _saving_graph_tool("optimised, 500 paths", "agent", paths=500),
    _saving_graph_tool("optimised, 100 paths, batch", "batch", paths=100),
    _saving_graph_tool("optimised, 500 paths, batch", "batch", paths=500),
)
"""Every row, in the order of the paper's tables."""


def rows_of(
    numbers: Sequence[int] = (), *, with_model: bool = True, documents: int = DOCUMENTS
) -> tuple[Scenario, ...]:
    """The rows of these scenarios, of all where none is given.

    :param documents: that a search gives where a row has one.
    :param with_model: there is a language model; else those alone that need none.
    :raises UsageError: there is no such scenario.
    """
    if unknown := set(numbers) - NAMES.keys():
        raise UsageError(
            f"no scenario {min(unknown)}; they go from 1 to {max(NAMES)}", option="scenario"
        )
    wanted = set(numbers) or NAMES.keys()
    return tuple(
        replace(row, documents=documents) if row.documents else row
        for row in ROWS
        if row.number in wanted and (with_model or not row.needs_model)
    )
