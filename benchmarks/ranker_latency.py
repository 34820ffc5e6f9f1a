"""Time of the path ranker by stage on a made-up graph, without embedding the question.

    python benchmarks/ranker_latency.py --statements 54000

Entities have Zipf degrees, vectors are clustered by source, texts are drawn from a Zipf
vocabulary; four statements a chunk, four chunks a source.
"""

import argparse
import time

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.build import MergedEntities, Nodes, assemble
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.arrays.snapshot import Snapshot
from hlg.retrieval.question.clauses import clauses
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.anchor_links import anchor_links
from hlg.retrieval.ranker.candidates import propose
from hlg.retrieval.ranker.path_ranker import PathRanker
from hlg.retrieval.ranker.scores import score_all
from hlg.retrieval.ranker.signals import all_signals

DIMENSIONS = 384
WORDS = 30_000
MENTIONS = 4


def main() -> None:
    """Build the graph, warm up, and print medians and 95th percentiles."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--statements", type=int, default=54_000)
    parser.add_argument("--questions", type=int, default=100)
    options = parser.parse_args()
    generator = np.random.default_rng(1)
    texts, snapshot = made_up(options.statements, generator)
    started = time.perf_counter()
    passages = Passages.of(snapshot)
    print(f"view of the snapshot: {(time.perf_counter() - started) * 1e3:.0f} ms")
    ranker = PathRanker.load()
    spent: dict[str, list[float]] = {"match": [], "search": [], "rank": [], "all": []}
    for i in generator.integers(len(texts), size=options.questions + 3).tolist():
        vector = np.asarray(snapshot.statement_embeddings[i], np.float32)
        clock = [time.perf_counter()]
        text = asked(texts[i])
        parts = generator.integers(len(texts), size=len(clauses(text)))
        vectors = np.stack([vector, *snapshot.statement_embeddings[parts].astype(np.float32)])
        question = MatchedQuestion.of(text, vectors, passages)
        clock.append(time.perf_counter())
        scores = score_all(passages, question)
        clock.append(time.perf_counter())
        rows = propose(scores)
        links = anchor_links(scores, rows)
        ranker.scores(all_signals(scores, rows, links))
        clock.append(time.perf_counter())
        for name, seconds in zip(spent, [*np.diff(clock), clock[-1] - clock[0]], strict=True):
            spent[name].append(float(seconds) * 1e3)
    for name, values in spent.items():
        p50, p95 = np.percentile(values[3:], [50, 95])
        print(f"{name:8} p50 {p50:6.1f} ms   p95 {p95:6.1f} ms")


def asked(text: str) -> str:
    """A question of a statement's words, with as many clauses as questions of several hops."""
    words = text.split()
    return " of ".join(" ".join(words[i : i + 4]) for i in range(0, len(words), 4)) + "?"


def made_up(size: int, generator: np.random.Generator) -> tuple[list[str], Snapshot]:
    """Texts of the statements, and the snapshot that they are in."""
    chunks, sources, entities = size // 4, size // 16, size // 2
    chunk_of = np.minimum(np.arange(size) // 4, chunks - 1).astype(np.int32)
    source_of = np.minimum(np.arange(chunks) // 4, sources - 1).astype(np.int32)
    centres = generator.standard_normal((sources, DIMENSIONS)).astype(np.float32)
    words = np.minimum(generator.zipf(1.2, (size, 14)), WORDS)
    mentioned = np.minimum(generator.zipf(1.3, (size, MENTIONS)), entities) - 1
    names = sorted(f"entity {i} of town" for i in range(entities))
    texts = [
        " ".join([f"w{word}" for word in row] + [names[held[0]]])
        for row, held in zip(words.tolist(), mentioned.tolist(), strict=True)
    ]
    by_chunk = [" ".join(texts[4 * i : 4 * i + 4]) for i in range(chunks)]

    def nodes(kind: str, texts: list[str], around: NDArray[np.int32]) -> Nodes:
        ids = np.array([f"{kind}{i:08}" for i in range(len(texts))], "S32")
        vectors = centres[around] + generator.standard_normal((len(texts), DIMENSIONS))
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return Nodes(ids, texts, vectors.astype(np.float16))

    own = np.arange(sources, dtype=np.int32)
    merged = MergedEntities(
        ids=np.array([f"entity{i:08}" for i in range(entities)], "S32"),
        row_of_id=np.arange(entities, dtype=np.int32),
        keys=names,
        names=names,
        words=names,
        aliases={},
        leaders=range(entities),
        weights=np.ones(entities, np.float32),
    )
    rows = np.repeat(np.arange(size), MENTIONS)
    return texts, assemble(
        "made up",
        nodes("source", [names[i % entities] for i in range(sources)], own),
        nodes("chunk", by_chunk, source_of),
        nodes("topic", [f"topic {i}" for i in range(sources)], own),
        nodes("statement", texts, source_of[chunk_of]),
        merged,
        chunk_source=source_of,
        statement_chunk=chunk_of,
        statement_topic=source_of[chunk_of],
        mentions=np.stack([rows, mentioned.ravel()], axis=1).astype(np.int32),
    )


if __name__ == "__main__":
    main()
