"""Smaller data sets out of large ones: some of the questions, their evidence, what looks like it;
and questions in three parts, every kind of them in each alike: to train, to choose, to report.

A cut keeps what makes a data set hard: beside the evidence of its questions it has the
documents that words and vectors find for them, in turn, and others picked by a hash. It is
easier than the whole all the same, so figures of a cut are compared with each other alone.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question
from hlg.lexical.bm25 import LexicalIndex, best_rows
from hlg.records import Embeddings

EVIDENCE_SHARE = 0.7
"""Evidence makes up at most so much of a cut."""
ALIKE_SHARE = 0.95
"""Evidence and what searches find beside it make up at most so much."""
UNANSWERABLE_SHARE = 0.25
"""Of the questions at most so many have no answer in the corpus."""
HEAD_CHARACTERS = 400
"""A document is compared by its title and so much of its text."""
ALIKE = 30
"""Documents that each search finds for a question."""
POOL = 400
"""So many documents, by hash, are looked at beside the evidence: all of a large corpus would
take longer to embed than the cut takes to build."""

SEED = 42
SHARES = (0.7, 0.15, 0.15)
"""Of the questions what is trained on, what chooses, what is reported (thesis §4.1, §4.2)."""
Part = Literal["train", "validation", "test"]
PARTS: tuple[Part, ...] = ("train", "validation", "test")
Embed = Callable[[Sequence[str]], Embeddings]


def cut(
    dataset: Dataset, embed: Embed, *, questions: int | None = None, words: int | None = None
) -> Dataset:
    """At most so many questions over a corpus of about so many words; all where no number is given.

    The same data set gives the same cut. A corpus that is small enough stays whole.
    """
    most = np.inf if words is None else words
    documents = {document.id: document for document in dataset.documents}
    sizes = {id_: len(each.text.split()) for id_, each in documents.items()}
    whole = sum(sizes.values()) <= most
    asked = _asked(dataset.questions, sizes, questions or np.inf, np.inf if whole else most)
    if whole:
        return replace(dataset, questions=tuple(asked))
    included: dict[str, None] = {id_: None for each in asked for id_ in each.gold if id_ in sizes}
    spent = sum(sizes[id_] for id_ in included)
    others = [id_ for id_ in sorted(sizes, key=_hash) if id_ not in included]
    pool = [documents[id_] for id_ in others[:POOL]]
    for limit, ids in ((most * ALIKE_SHARE, _alike(pool, asked, embed)), (most, iter(others))):
        for id_ in ids:
            if spent >= limit:
                break
            if id_ not in included and spent + sizes[id_] <= most:
                included[id_] = None
                spent += sizes[id_]
    chosen = tuple(document for document in dataset.documents if document.id in included)
    return replace(dataset, documents=chosen, questions=tuple(asked), corpus_file=None)


def _asked(
    questions: Sequence[Question], sizes: dict[str, int], most: float, words: float
) -> list[Question]:
    """The questions of a cut, in order of their hashes, whose evidence fits into it."""
    answerable: list[Question] = []
    without: list[Question] = []
    evidence: set[str] = set()
    spent = 0
    for question in sorted(questions, key=lambda each: _hash(each.id)):
        if not question.gold:
            if len(without) < most * UNANSWERABLE_SHARE:
                without.append(question)
            continue
        new = set(question.gold) & set(sizes) - evidence
        cost = sum(sizes[id_] for id_ in new)
        if len(answerable) < most and (spent + cost <= words * EVIDENCE_SHARE or not new):
            answerable.append(question)
            evidence |= new
            spent += cost
    return answerable + without


def _alike(
    documents: Sequence[DatasetDocument], questions: Sequence[Question], embed: Embed
) -> Iterator[str]:
    """Ids of what words and vectors find: the first of each question, then the second, and so
    on; an id may come twice."""
    texts = [f"{each.title}\n{each.text}" for each in documents]
    index = LexicalIndex.build(texts)
    vectors = embed([text[:HEAD_CHARACTERS] for text in texts])
    by_words = [index.search(question.text, ALIKE)[0] for question in questions]
    asked = embed([each.text for each in questions])
    by_vector = [best_rows(vectors @ each, ALIKE)[0] for each in asked]
    for place in range(ALIKE):
        for found in (*by_words, *by_vector):
            if place < len(found):
                yield documents[int(found[place])].id


def _hash(id_: str) -> bytes:
    return blake2b(id_.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def split(strata: Sequence[str]) -> NDArray[np.str_]:
    """The part that each row goes to, so that every stratum has the same shares of all parts.

    :param strata: by row; what a question is of: its data set, its type.
    """
    generator = np.random.default_rng(SEED)
    names = np.array(strata)
    parts = np.empty(len(names), "<U10")
    for stratum in np.unique(names):
        rows = generator.permutation(np.flatnonzero(names == stratum))
        ends = np.round(np.cumsum(SHARES) * len(rows)).astype(int)
        for part, chosen in zip(PARTS, np.split(rows, ends[:-1]), strict=True):
            parts[chosen] = part
    return parts


def in_parts(dataset: Dataset) -> list[Dataset]:
    """A data set of each part that has questions, by their types: its name with the part's
    behind it, and all documents."""
    parts = split([question.type for question in dataset.questions])
    held = {part: np.flatnonzero(parts == part).tolist() for part in PARTS}
    return [
        replace(
            dataset,
            name=f"{dataset.name}-{part}",
            questions=tuple(dataset.questions[row] for row in rows),
        )
        for part, rows in held.items()
        if rows
    ]
