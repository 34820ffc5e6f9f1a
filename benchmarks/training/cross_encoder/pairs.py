"""What a cross-encoder learns from: a question's evidence among what searches put before it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.confidence_sets import is_evidence
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.metrics.assess import Assessor
from hlg.graph import LexicalGraph
from hlg.retrieval.base import STATEMENT
from hlg.retrieval.texts import behind_path, text_with_details

SEARCHES = ("hybrid", "auto")
"""What the first finds, in its order, then what only the second does, by links."""
CANDIDATES = 25
"""Hits of each search that are looked at: the evidence among them, and what is none."""
HELD_OUT = 5
"""One question of so many, by a hash of its id, is never trained on."""


@dataclass(frozen=True, slots=True)
class Pool:
    """A question with the passages that searches found, in the order of the first; ``relevant``
    says which hold evidence."""

    question: str
    passages: tuple[str, ...]
    relevant: NDArray[np.bool_]
    is_held_out: bool


def pools(graph: LexicalGraph, dataset: Dataset) -> Iterator[Pool]:
    """The questions of a data set whose evidence is found, with hard negatives: what the
    searches put beside it, behind the statements that led to it."""
    assessor = Assessor(dataset, graph.graph_embedder.count_tokens)
    for question in dataset.answerable():
        texts: dict[str, str] = {}
        relevant: dict[str, bool] = {}
        for search in SEARCHES:
            for hit in graph.search(question.text, retriever=search, top_k=CANDIDATES).hits:
                passage = hit.passage
                led_by = [step.text for step in hit.path[:-1] if step.kind == STATEMENT]
                read = behind_path(text_with_details(passage), led_by)
                texts[passage.id] = max(texts.get(passage.id, ""), read, key=len)
                relevant[passage.id] = is_evidence(assessor, question, passage)
        evidence = np.array(list(relevant.values()), bool)
        if evidence.any() and not evidence.all():
            yield Pool(question.text, tuple(texts.values()), evidence, is_held_out(question.id))


def is_held_out(question_id: str) -> bool:
    """Whether a question is only measured on."""
    digest = blake2b(question_id.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % HELD_OUT == 0


def sampled(pool: Pool, negatives: int, generator: np.random.Generator) -> Sequence[str]:
    """One passage that holds evidence, before so many that don't, the best placed the likelier."""
    wanted = int(generator.choice(np.flatnonzero(pool.relevant)))
    others = np.flatnonzero(~pool.relevant)
    chances = 1 / (1 + np.arange(len(others)))
    size = min(negatives, len(others))
    chosen = generator.choice(others, size, replace=False, p=chances / chances.sum())
    return [pool.passages[place] for place in (wanted, *chosen.tolist())]
