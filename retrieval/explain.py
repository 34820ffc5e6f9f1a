"""How a search came to its hits: as text."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hlg.records import Hit, PathStep
from hlg.reports import SearchResult
from hlg.unicode import one_line

_WIDTH = 100


SIGNAL_GROUPS: dict[str, dict[str, str]] = {
    "similarity": {
        "cosine": "cosine",
        "dense": "passage",
        "statement": "best statement",
        "clause": "clause",
        "topic_cosine": "topic",
        "community": "community",
    },
    "words": {"bm25": "BM25", "words": "passage", "statement_words": "best statement"},
    "graph": {
        "path": "path",
        "depth": "steps",
        "hop": "hop",
        "hops": "hops",
        "links": "links",
        "ppr": "PageRank",
        "beam": "path",
        "near_links": "linked passages",
        "near_title": "linked by title",
        "near_shared": "linked by entity",
    },
    "names": {
        "keywords": "keywords",
        "title_named": "words of its title",
        "entities_rarest": "rarest entity",
        "coverage": "share of the words",
    },
    "agreement": {"votes_first": "searches it leads", "votes_third": "among the first three"},
    "ranking": {
        "ranker": "path ranker",
        "passage": "passage",
        "rerank": "model",
        "helpful": "language model",
    },
}
"""What a person is told of signals: by group those that tell most, each with what it says."""
MOST_OTHERS = 6
"""Signals of no group are shown where there are no more than so many."""


def signal_groups(signals: Mapping[str, float]) -> dict[str, str]:
    """A hit's signals by group, each group as one line; what says nothing is left out.

    All of them are in the JSON of a result.
    """
    told = {
        group: ", ".join(
            f"{label} {signals[name]:.3g}" for name, label in labels.items() if signals.get(name)
        )
        for group, labels in SIGNAL_GROUPS.items()
    }
    known = {name for labels in SIGNAL_GROUPS.values() for name in labels}
    others = [name for name in signals if name not in known]
    if len(others) <= MOST_OTHERS:
        told["other"] = ", ".join(f"{name} {signals[name]:.3g}" for name in others)
    return {group: text for group, text in told.items() if text}


def explanation_text(result: SearchResult) -> str:
    """Each hit with its path, statement by statement, its signals and score; what was left out."""
    lines = [f"{result.retriever}: {one_line(result.query, _WIDTH)}"]
    explanation = result.explanation
    if explanation and explanation.keywords:
        lines.append(f"keywords: {', '.join(explanation.keywords)}")
    if result.answer:
        lines.append(f"answer: {one_line(result.answer, 10 * _WIDTH)}")
    for hit in result.hits:
        lines += ["", *_hit_lines(hit)]
    if explanation:
        lines += ["", *(f"note: {note}" for note in explanation.notes)]
        lines += [
            f"left out, as {repeated} says the same: {dropped}"
            for dropped, repeated in explanation.dropped.items()
        ]
        lines += [
            f"not walked: {one_line(entity, _WIDTH)}, named in {degree} statements"
            for entity, degree in explanation.not_walked.items()
        ]
    stages = ", ".join(f"{stage} {spent:.1f}" for stage, spent in result.timings_ms.items())
    lines += ["", f"{result.store_calls} store calls; milliseconds: {stages}"]
    return "\n".join(lines)


def path_line(hit: Hit) -> str:
    """A walk in one line: each node, and in brackets what it was reached through.

    It leads to the sentence that answers, not to the start of its chunk.
    """
    *before, last = hit.path
    last = replace(last, text=hit.marked_text[1] or last.text)
    parts = []
    for step in (*before, last):
        if step.via:
            parts.append(f"-[{one_line(step.via, 40)}]->")
        elif parts:
            parts.append("->")
        parts.append(f"“{one_line(step.text, 90)}”")
    return " ".join(parts)


def _hit_lines(hit: Hit) -> list[str]:
    passage = hit.passage
    source = passage.source
    lines = [
        f"{hit.rank}. {hit.score:.4f}  {one_line(source.title or source.uri, _WIDTH)}"
        f" ({one_line(passage.citation, 3 * _WIDTH)})",
        f"   {one_line(passage.text, 3 * _WIDTH)}",
    ]
    if len(hit.path) > 1:
        lines += [f"   {line}" for line in _path_lines(hit.path)]
    lines += [f"   {group}: {told}" for group, told in signal_groups(hit.signals).items()]
    return lines


def _path_lines(path: Sequence[PathStep]) -> list[str]:
    lines = []
    for depth, step in enumerate(path):
        via = one_line(step.via, _WIDTH)
        through = f"through {step.via_kind.lower()} {via!r} to " if via else ""
        lines.append(f"{'  ' * depth}{through}{step.kind.lower()} “{one_line(step.text, _WIDTH)}”")
    return lines
