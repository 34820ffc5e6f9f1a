"""The tools of an agent whose search takes one query (AgenticRAG, §5.5: without multi-query)."""

from typing import Annotated

from pydantic import Field

from hlg.agent.bounds import several
from hlg.agent.results import SearchResults
from hlg.agent.tools import GraphTools

AS_MANY = 5
"""Queries that a search otherwise takes: one gives as many results as they all would."""
OneQuery = Annotated[
    list[str], Field(description="what is looked for, one query", min_length=1, max_length=1)
]


class OneQueryTools(GraphTools):
    """As its base, but for ``search``."""

    def search(self, queries: OneQuery) -> SearchResults:
        """Search all documents with one query. Gives results with a snippet, title, file,
        metadata, lines and reference id each. Use it first, to discover documents and to verify
        what you assume."""
        return self._searched(several(queries, 1, "queries"), AS_MANY * self.limits.results)
