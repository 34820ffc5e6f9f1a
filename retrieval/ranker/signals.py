"""The signals that the ranker weighs: named columns over the candidates of one question.

Every function here is pure and gives ``{name: column of shape (n,)}``.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.anchor_links import AnchorLinks
from hlg.retrieval.ranker.scores import Scores
from hlg.retrieval.ranker.standing import Columns, standing_signals

HEAD = 60
"""A score is standardised by the mean and deviation of this many best passages."""

VOTERS = ("dense", "statement", "words", "statement_words", "page_rank", "clause")
"""The searches whose ranks are put together."""
LINKS = (
    "shared", "shared_sum", "bridge", "best_statement", "title", "title_statement", "title_back",
    "composed_link", "composed_clause",
)  # fmt: skip
"""The kinds of links of :class:`~hlg.retrieval.ranker.anchor_links.AnchorLinks` that are weighed
alone and by the standing of their anchor."""
UNSPLIT = -9.0
"""Less than two clauses' standardised cosines add up to."""


def as_matrix(columns: Mapping[str, NDArray[np.float32]]) -> tuple[NDArray[np.float32], list[str]]:
    """Columns as a matrix of shape (n, number of signals) with their names."""
    names = list(columns)
    return np.stack([columns[name] for name in names], 1).astype(np.float32), names


def all_signals(scores: Scores, rows: NDArray[np.int32], links: AnchorLinks) -> Columns:
    """Every signal of the candidates, shape (len(rows),) each.

    :param links: between the candidates and the anchors.
    """
    columns = {
        **search_signals(scores, rows),
        **agreement_signals(scores, rows),
        **name_signals(scores.passages, scores.question, rows),
        **source_signals(scores, rows),
        **link_signals(links),
        **split_signals(scores, rows, links),
    }
    return columns | pair_signals(links, columns["coverage"]) | standing_signals(scores, rows)


def search_signals(scores: Scores, rows: NDArray[np.int32]) -> Columns:
    """Each search's score: raw, standardised by the head of its list, and as log rank."""
    columns: Columns = {}
    for name, ordered in scores.ordered.items():
        values, head = getattr(scores, name)[rows], ordered[-HEAD:]
        if name != "page_rank":
            columns[name] = values
            columns[f"{name}_gap"] = values - head[-1]
        columns[f"{name}_z"] = (values - head.mean()) / max(float(head.std()), 1e-6)
        columns[f"{name}_rank"] = np.log1p(scores.ranks(name, rows)).astype(np.float32)
    columns["beam_deep"] = scores.beam_deep[rows]
    columns["beam_depth"] = scores.beam_depth[rows]
    return columns


def agreement_signals(scores: Scores, rows: NDArray[np.int32]) -> Columns:
    """How far the searches agree on a passage, and on the whole: what one passage answers has
    one leader, far ahead."""
    found = np.stack([scores.ranks(name, rows) for name in VOTERS])
    n = len(rows)
    leaders = {int(values.argmax()) for values in (scores.dense, scores.statement, scores.words)}
    leaders.add(int(scores.page_rank.argmax()))
    return {
        "votes_first": (found < 1).sum(0).astype(np.float32),
        "votes_third": (found < 3).sum(0).astype(np.float32),
        "best_rank": np.log1p(found.min(0)).astype(np.float32),
        "mean_rank": np.log1p(found).mean(0).astype(np.float32),
        "dense_lead": np.full(n, _lead(scores.ordered["dense"]), np.float32),
        "words_lead": np.full(n, _lead(scores.ordered["words"]), np.float32),
        "leaders": np.full(n, len(leaders), np.float32),
        "question_clauses": np.full(n, len(scores.question.clauses), np.float32),
    }


def split_signals(scores: Scores, rows: NDArray[np.int32], found: AnchorLinks) -> Columns:
    """How well anchor and candidate answer two clauses that have nothing in common, one each."""
    one, other = np.nonzero(scores.question.disjoint_clauses)
    n = len(rows)
    if not len(one) or not len(found.anchors):
        return {f"near_split{end}": np.zeros(n, np.float32) for end in ("", "_stood", "_any")}
    theirs, own = scores.by_clause[:, found.anchors][one], scores.by_clause[:, rows][other]
    both = (theirs[:, None, :] + own[:, :, None]).max(0)
    distinct = rows[:, None] != found.anchors[None]
    joined = (np.maximum(found.title, found.shared) > 0.3) & distinct
    return {
        "near_split": np.where(joined, both, UNSPLIT).max(1).astype(np.float32),
        "near_split_stood": _most(
            np.where(joined, (both - UNSPLIT) * found.standing[None], 0).astype(np.float32)
        ),
        "near_split_any": np.where(distinct, both, UNSPLIT).max(1).astype(np.float32),
    }


def name_signals(passages: Passages, question: MatchedQuestion, rows: NDArray[np.int32]) -> Columns:
    """What of the question's names and words a passage and its title have."""
    idf = passages.entity_idf[question.entities]
    owner, held = passages.chunk_entities.gather(rows)
    asked = np.isin(held, question.entities)
    shared = np.bincount(owner[asked], passages.entity_idf[held[asked]], len(rows))
    rarest = np.zeros(len(rows))
    np.maximum.at(rarest, owner[asked], passages.entity_idf[held[asked]])
    sources = passages.snapshot.chunk_source[rows]
    named = np.zeros(len(passages.snapshot.source_ids), np.float32)
    named[question.sources] = question.source_words
    words = passages.snapshot.chunk_words
    term_idf = words.idf(question.terms)
    total = max(float(term_idf.sum()), 1e-6)
    has = words.weights(question.terms, rows) > 0
    first = passages.first_chunks(sources) == rows
    title_share, title_weight = _title_words(passages, question, sources)
    n = len(rows)
    return {
        "entities_idf": (shared / max(float(idf.sum()), 1e-6)).astype(np.float32),
        "entities_rarest": rarest.astype(np.float32),
        "title_named": named[sources],
        "title_share": title_share,
        "title_weight": title_weight / np.float32(total),
        "coverage": np.asarray(has @ term_idf / total, np.float32),
        "first_chunk": first.astype(np.float32),
        "question_names": np.full(n, len(question.entities), np.float32),
        "question_titles": np.full(n, len(question.sources), np.float32),
        "question_terms": np.full(n, len(question.terms), np.float32),
    }


def source_signals(scores: Scores, rows: NDArray[np.int32]) -> Columns:
    """How well the best passage of the source does, and how large the source is."""
    passages = scores.passages
    owners = passages.snapshot.chunk_source
    best = np.full(len(passages.snapshot.source_ids), -1, np.float32)
    np.maximum.at(best, owners, scores.dense)
    sources = owners[rows]
    return {
        "source_best": best[sources],
        "source_gap": scores.dense[rows] - best[sources],
        "source_chunks": np.log1p(passages.source_chunks.degrees()[sources]).astype(np.float32),
    }


def link_signals(found: AnchorLinks) -> Columns:
    """The best of each kind of link, alone and weighed by the standing of its anchor."""
    standing = found.standing[None]
    columns: Columns = {}
    for name in LINKS:
        strength = getattr(found, name)
        columns[f"near_{name}"] = _most(strength)
        columns[f"near_{name}_stood"] = _most(strength * standing)
    joined = np.maximum(found.title, found.shared)
    columns["near_links"] = (joined > 0.3).sum(1).astype(np.float32)
    columns["near_links_stood"] = ((joined > 0.3) * standing).sum(1).astype(np.float32)
    for name, composed in (("composed", found.composed), ("composed_chunk", found.composed_chunk)):
        columns[f"near_{name}"] = _most(composed)
        columns[f"near_{name}_linked"] = _most(composed * np.minimum(joined, 1))
        columns[f"near_{name}_titled"] = _most(composed * (found.title >= 0.5))
        columns[f"near_{name}_stood"] = _most(composed * joined * standing)
    return columns


def pair_signals(found: AnchorLinks, own: NDArray[np.float32]) -> Columns:
    """What of the question candidate and linked anchor cover together, and what it adds.

    ``own`` is what each candidate covers alone.
    """
    joined = (np.maximum(found.title, found.shared) > 0.3).astype(np.float32)
    standing = found.standing[None]
    added = np.maximum(found.pair_coverage - found.anchor_coverage[None], 0)
    return {
        "near_pair": _most(found.pair_coverage * joined),
        "near_pair_stood": _most(found.pair_coverage * joined * standing),
        "near_added": _most(added * joined),
        "near_added_stood": _most(added * joined * standing),
        "near_added_first": added[:, 0] if added.shape[1] else own * 0,
        "near_gain": _most((found.pair_coverage - own[:, None]) * joined * standing),
    }


def _title_words(
    passages: Passages, question: MatchedQuestion, sources: NDArray[np.int32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Of each title: what share of its words, by IDF, the question has, and their IDF."""
    words = passages.snapshot.chunk_words
    asked = dict(zip(question.terms, words.idf(question.terms).tolist(), strict=True))
    share = np.zeros(len(sources), np.float32)
    weight = np.zeros(len(sources), np.float32)
    for i, source in enumerate(sources.tolist()):
        terms, idf = passages.terms_of_title(source)
        weight[i] = sum(asked.get(term, 0.0) for term in terms)
        share[i] = weight[i] / max(idf, 1e-6)
    return share, weight


def _lead(ordered: NDArray[np.float32]) -> float:
    """How far the best of a search is ahead of the second."""
    return float(ordered[-1] - ordered[-2]) if len(ordered) > 1 else 0.0


def _most(strength: NDArray[np.float32]) -> NDArray[np.float32]:
    if not strength.shape[1]:
        return np.zeros(len(strength), np.float32)
    return np.asarray(strength.max(1), np.float32)
