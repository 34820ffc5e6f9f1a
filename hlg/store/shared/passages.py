"""Passages with all that is needed to cite them, by statements that both stores share."""

import json
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hlg.records import Passage, SourceRef, headings_of
from hlg.store.shared.reading import Run, graph_rows, rows_for
from hlg.store.shared.rows import NodeRow, decoded
from hlg.store.shared.text import decode_text


def passages_of(run: Run, label: str, ids: Sequence[str]) -> list[Passage]:
    """Statements or chunks with their sources, in the order of ``ids``; unknown ones left out.

    A statement is cited by its first chunk, and a chunk by itself, or by what it is part of;
    a chunk's ``details`` are the title and headings that it stands under.
    """
    if label not in ("Statement", "Chunk"):
        raise ValueError(f"a passage is a Statement or a Chunk, not a {label}")
    unique = list(dict.fromkeys(ids))
    nodes = {row["id"]: decoded(row) for row in graph_rows(run, label, unique)}
    topics: dict[str, str] = {}
    chunks = {id_: id_ for id_ in nodes}
    if label == "Statement":
        # The rows come in the order of chunks; the first is to win.
        chunks = {
            row["id"]: row["chunk"]
            for row in reversed(list(rows_for(run, "read/passage_chunks", nodes)))
        }
        topics = {row["id"]: row["topic"] for row in rows_for(run, "read/passage_topics", nodes)}
    found = rows_for(run, "read/passage_sources", set(chunks.values()))
    sources = {row["id"]: row for row in found}
    pages = _pages(sources.values())
    return [
        _passage(label, nodes[id_], topics.get(id_, ""), sources[chunks[id_]], pages)
        for id_ in ids
        if id_ in nodes
    ]


def statements_in_chunks_of(run: Run, ids: Sequence[str]) -> tuple[list[Passage], list[Passage]]:
    """Statements, and the chunks that cite them, each once."""
    statements = passages_of(run, "Statement", ids)
    return statements, passages_of(
        run, "Chunk", list(dict.fromkeys(statement.chunk_id for statement in statements))
    )


def _pages(sources: Iterable[Mapping[str, Any]]) -> dict[str, list[int]]:
    """Where the pages of each source begin in its text; nothing for one without pages."""
    metadata = {source["source"]: source["metadata"] for source in sources}
    found = {id_: json.loads(decode_text(text)).get("pages") for id_, text in metadata.items()}
    return {
        id_: starts
        for id_, starts in found.items()
        # Anything can stand under that name in the front matter of a document.
        if isinstance(starts, list) and starts and all(isinstance(each, int) for each in starts)
    }


def _passage(
    label: str, node: NodeRow, topic: str, source: NodeRow, pages: Mapping[str, list[int]]
) -> Passage:
    starts = pages.get(source["source"])
    return Passage(
        kind=label,
        id=node["id"],
        text=node["text"],
        details=headings_of(node["context"]) if label == "Chunk" else node["details"],
        start=node["start"],
        end=node["end"],
        chunk_id=source["parent"] or source["id"],
        topic=decode_text(topic),
        source=SourceRef(
            source["source"], decode_text(source["uri"]), decode_text(source["title"])
        ),
        page=bisect_right(starts, node["start"]) or None if starts else None,
    )
