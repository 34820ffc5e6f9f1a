"""Walking in Neo4j: where to start and what continues a path, scored in the database."""

from collections.abc import Callable, Sequence

from hlg.store.base import Keywords
from hlg.store.dialect import WalkStep
from hlg.store.records import Continuation, Seed
from hlg.store.shared.reading import Rows, Run
from hlg.store.shared.text import decode_text

_TEXTS = ("via", "text", "details")

Search = Callable[[str, int], Rows]
"""Nodes of a label nearest to the vector at hand: rows of id and score."""


def seeds(
    run: Run,
    chosen: Keywords,
    search: Search,
    vector: Sequence[float],
    top_k: int,
    topics: int,
) -> tuple[list[Seed], list[Seed]]:
    """See :meth:`hlg.store.base.GraphStore.seeds`."""
    groups = [{"keyword": keyword, "ids": list(ids)} for keyword, ids in chosen.items()]
    parameters = {"groups": groups, "vector": vector, "top_k": top_k}
    named = [Seed(**row) for row in run("search/statements_naming", parameters)] if groups else []
    if not topics:
        nearest = [Seed(row["id"], row["score"]) for row in search("Statement", top_k)]
        return named, nearest
    relevance = {row["id"]: row["score"] for row in search("Topic", topics)}
    parameters = {"topics": list(relevance), "vector": vector, "top_k": top_k}
    rows = run("search/nearest_statements_of_topics", parameters) if relevance else []
    return named, [
        Seed(row["id"], row["cosine"], topic_cosine=relevance[row["topic"]]) for row in rows
    ]


def continuations(run: Run, step: WalkStep) -> tuple[list[Continuation], dict[str, int]]:
    """See :meth:`hlg.store.base.GraphStore.continuations`."""
    seen = set(step.seen[0]).intersection(*step.seen)
    walked = [
        {
            "path": i,
            "beam": path.beam,
            "end": path.statements[-1],
            "along": path.along,
            "square": path.square,
            "score": path.score,
            "members": [
                {"id": id_, "weight": weight}
                for id_, weight in zip(path.statements, path.weights, strict=True)
            ],
        }
        for i, path in enumerate(step.paths)
    ]
    (found,) = run(
        "search/continuations",
        {
            "paths": walked,
            "vector": step.vector.tolist(),
            "seen": sorted(seen),
            "seen_by": [sorted(seen.symmetric_difference(each)) for each in step.seen],
            "max_degree": step.max_degree,
            "max_neighbours": step.max_neighbours,
            "limit": step.limit,
            "texts": step.texts,
        },
    )
    steps = [
        Continuation(**row | {name: decode_text(row[name] or "") for name in _TEXTS})
        for row in found["steps"]
    ]
    return steps, {decode_text(row["name"]): row["degree"] for row in found["common"]}
