"""The part of a graph that is asked for: a question's evidence, or what lies around a node."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import TYPE_CHECKING

from hlg.asking.search import SearchOptions, search
from hlg.errors import UsageError
from hlg.ids import source_id
from hlg.names import normalize_name
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

STATEMENTS, FACTS, ENTITIES, MEMBERS = 24, 5, 5, 60
"""A picture has so many statements, facts and entities a statement, and entities of a community,
which are drawn as a network."""
_LISTED = {"Source": "hlg sources lists them", "Community": "hlg communities list shows them"}


@dataclass(frozen=True, slots=True)
class FoundPart:
    """A part of a graph, with a title for it, and the ranks of hits by their id."""

    title: str
    subgraph: Subgraph
    ranks: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Part:
    """What is asked for: one of these.

    :param query: a question, for its evidence.
    :param entity: a name or an alias.
    :param community: an id.
    :param source: an id or an address.
    """

    query: str | None = None
    entity: str | None = None
    community: str | None = None
    source: str | None = None

    def check(self) -> None:
        """See that one part is asked for.

        :raises UsageError: none is, or several are.
        """
        if sum(each is not None for each in astuple(self)) != 1:
            raise UsageError(
                "say what to show: a question, or one of --entity, --community and --source",
                option="query",
            )

    def drawn(self, statements: int | None) -> SubgraphLimits:
        """How much of it a picture has room for.

        :param statements: at most; by default :data:`STATEMENTS`, and of a community none.
        """
        if statements is None:
            statements = 0 if self.community is not None else STATEMENTS
        entities = ENTITIES * statements or MEMBERS
        return SubgraphLimits(statements, FACTS * statements, entities)

    def of(
        self,
        graph: "LexicalGraph",
        limits: SubgraphLimits = LIMITS,
        how: SearchOptions | None = None,
    ) -> FoundPart:
        """The part in a graph, as far as it is sure enough to be shown.

        :param how: a question's evidence is searched for.
        :raises UsageError: there is no such part.
        """
        limits = replace(limits, min_confidence=graph.settings.min_confidence)
        if self.query is not None:
            return evidence_of(graph, self.query, limits, how)
        if self.entity is not None:
            named = graph.store.entities_named([normalize_name(self.entity)])
            if not named:
                raise UsageError(
                    f"no entity is named {self.entity!r}; look for it with: "
                    "hlg query --retriever keywords",
                    option="entity",
                )
            ids = [entity.id for entity in named]
            return FoundPart(self.entity, _around(graph, "Entity", ids, limits))
        label, given = "Source", self.source or ""
        ids = [given, source_id(given)]
        if self.community is not None:
            label, given, ids = "Community", self.community, [self.community]
        found = _around(graph, label, ids, limits)
        return FoundPart(str(found.nodes_of(label)[0].properties["title"] or given), found)


def evidence_of(
    graph: "LexicalGraph",
    question: str,
    limits: SubgraphLimits = LIMITS,
    how: SearchOptions | None = None,
) -> FoundPart:
    """What a search for a question found.

    Where the retriever can give statements, it is asked for those and not for chunks.

    :raises UsageError: nothing was found, or as :meth:`hlg.graph.LexicalGraph.search`.
    """
    from hlg.retrieval.registry import RETRIEVERS

    how = how or SearchOptions()
    name, given = how.retriever or graph.settings.retriever, how.options or {}
    kind = RETRIEVERS[name].options_type() if isinstance(name, str) and name in RETRIEVERS else None
    if hasattr(kind, "form") and isinstance(given, Mapping):
        how = replace(how, options={"form": "statements", **given})
    result = search(graph, question, how)
    if not result.hits:
        raise UsageError(
            f"nothing found by {result.retriever}; hlg status shows what there is", option="query"
        )
    ranks = {hit.passage.id: hit.rank for hit in result.hits}
    return FoundPart(question, graph.evidence(result.hits, limits), ranks)


def _around(
    graph: "LexicalGraph", label: str, ids: Sequence[str], limits: SubgraphLimits
) -> Subgraph:
    found = graph.store.around(label, ids, limits)
    if not found.nodes:
        raise UsageError(
            f"there is no {label.lower()} {ids[0]!r}; {_LISTED.get(label, '')}",
            option=label.lower(),
        )
    return found
