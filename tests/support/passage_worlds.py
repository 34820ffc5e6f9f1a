"""Snapshots of a few passages, written out as titles, statements and what they mention."""

from collections.abc import Mapping, Sequence

import numpy as np

from hlg.models.embedders import open_embedder
from hlg.names import normalize_name
from hlg.retrieval.arrays.build import MergedEntities, Nodes, assemble
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.question.clauses import clauses
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.anchor_links import anchor_links
from hlg.retrieval.ranker.candidates import propose
from hlg.retrieval.ranker.path_ranker import PathRanker, RankedChunk
from hlg.retrieval.ranker.scores import score_all
from hlg.retrieval.ranker.signals import all_signals

Told = Sequence[tuple[str, Sequence[str]]]
"""Statements, each with the names that it mentions."""


def snapshot_of(told: Mapping[str, Told]) -> Snapshot:
    """One source with one chunk a title."""
    embedder = open_embedder()
    statements = [(i, text, names) for i, t in enumerate(told.values()) for text, names in t]
    texts = [f"{title}\n" + " ".join(text for text, _ in t) for title, t in told.items()]
    keys = sorted(
        {normalize_name(name) for _, _, names in statements for name in names},
        key=lambda key: key.encode(),
    )
    row_of = {key: i for i, key in enumerate(keys)}

    def nodes(kind: str, texts: Sequence[str]) -> Nodes:
        ids = np.array([f"{kind}{i:05}" for i in range(len(texts))], "S32")
        return Nodes(ids, texts, embedder.embed(texts).astype(np.float16))

    mentions = [
        (row, row_of[normalize_name(name)])
        for row, (_, _, names) in enumerate(statements)
        for name in names
    ]
    owners = np.array([i for i, _, _ in statements], np.int32)
    return assemble(
        "revision",
        nodes("source", list(told)),
        nodes("chunk", texts),
        nodes("topic", list(told)),
        nodes("statement", [text for _, text, _ in statements]),
        MergedEntities(
            np.array(sorted(keys), "S32"),
            np.arange(len(keys), dtype=np.int32),
            keys,
            keys,
            keys,
            {},
            range(len(keys)),
            np.ones(len(keys), np.float32),
        ),
        chunk_source=np.arange(len(texts), dtype=np.int32),
        statement_chunk=owners,
        statement_topic=owners,
        mentions=np.array(mentions, np.int32).reshape(-1, 2),
    )


def harbour_world(distractors: int = 60) -> dict[str, Told]:
    """A film, its director, and passages that have less to do with them."""
    told: dict[str, Told] = {
        "The Amber Quay": [
            ("The Amber Quay is a 1961 drama film.", ["The Amber Quay"]),
            ("It was directed by Odile Varnier.", ["The Amber Quay", "Odile Varnier"]),
        ],
        "Odile Varnier": [
            ("Odile Varnier grew up over a bakery.", ["Odile Varnier"]),
            ("She was born in Port Sellow.", ["Odile Varnier", "Port Sellow"]),
        ],
    }
    for i in range(distractors):
        name = f"Person{i} Whitlock"
        told[name] = [
            (f"{name} was a director of {i} films.", [name]),
            (f"{name} was born in Town{i}.", [name, f"Town{i}"]),
        ]
    return told


def rank(
    passages: Passages, question: MatchedQuestion, top_k: int, ranker: PathRanker | None = None
) -> list[RankedChunk]:
    """What ``auto`` does: score, propose, link, signal, rank."""
    scores = score_all(passages, question)
    rows = propose(scores)
    links = anchor_links(scores, rows)
    signals = all_signals(scores, rows, links)
    return (ranker or PathRanker.load()).rank(rows, signals, links, top_k)


def asked(text: str, passages: Passages) -> MatchedQuestion:
    """A question with its vectors."""
    return MatchedQuestion.of(text, open_embedder().embed_spans(text, clauses(text)), passages)
