"""How well a ranking of documents holds a question's evidence.

The standard measures are ir-measures' (trec_eval's code behind them); all-gold is ours.
Every function gives one value a question, so that intervals can be taken over questions.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

Columns = dict[str, NDArray[np.float64]]
"""By metric name: shape (number of questions,), NaN where a metric says nothing of one."""

RANKING_MEASURES = ("ndcg", "mrr", "map", "recall", "precision", "hits", "all_gold")


def ranking_metrics(
    gold: Sequence[Mapping[str, int]], rankings: Sequence[Sequence[str]], cutoffs: Sequence[int]
) -> Columns:
    """``MEASURE@k`` for every measure of :data:`RANKING_MEASURES` and every cutoff k.

    As in trec_eval: nDCG has linear gains; MAP and recall divide by all gold documents,
    also where there are more than k; precision divides by k. hits@k is 1 where any gold
    document is among the first k, all_gold@k where all of them are.

    :param gold: by question: document id to its grade, at least 1. Empty: NaN throughout.
    :param rankings: by question, in the same order: distinct document ids, best first.
    """
    from ir_measures import AP, RR, P, Qrel, R, ScoredDoc, Success, iter_calc, nDCG

    library = {"ndcg": nDCG, "mrr": RR, "map": AP, "recall": R, "precision": P, "hits": Success}
    names = {measure @ k: f"{name}@{k}" for name, measure in library.items() for k in cutoffs}
    answerable = [row for row, grades in enumerate(gold) if grades]
    values: Columns = {
        f"{name}@{k}": np.full(len(gold), np.nan) for name in RANKING_MEASURES for k in cutoffs
    }
    if not answerable:
        return values
    # Rows stand for questions and ranks for scores: trec_eval can't break ties its own way,
    # and its C code never sees an id that a user wrote.
    judgements, found = [], []
    for row in answerable:
        keys = {id_: f"g{position}" for position, id_ in enumerate(gold[row])}
        judgements += [Qrel(str(row), key, gold[row][id_]) for id_, key in keys.items()]
        found += [
            ScoredDoc(str(row), keys.get(id_, f"n{rank}"), -float(rank))
            for rank, id_ in enumerate(rankings[row])
        ]
        for k in cutoffs:
            values[f"all_gold@{k}"][row] = gold[row].keys() <= set(rankings[row][:k])
    for result in iter_calc(list(names), judgements, found):
        values[names[result.measure]][int(result.query_id)] = result.value
    return values


def multihop_rag_metrics(facts: Sequence[str], texts: Sequence[str]) -> dict[str, float]:
    """MultiHop-RAG's Hits@10, Hits@4, MAP@10 and MRR@10 over evidence (Tang and Yang 2024, §4.1).

    A text holds a fact when it contains it, spaces and line ends aside. Each fact counts
    once, at the first text that holds it: MAP@10 adds (new facts in the text) / rank and
    divides by min(number of facts, 10), as the authors' ``retrieval_evaluate.py`` does.

    :param facts: the question's pieces of evidence, at least one.
    :param texts: what was retrieved, best first.
    """
    wanted = {_without_spaces(fact) for fact in facts}
    missing = set(wanted)
    precision, first = 0.0, 0
    for rank, text in enumerate(map(_without_spaces, texts[:10]), start=1):
        held = {fact for fact in wanted if fact in text}
        if held and not first:
            first = rank
        precision += len(held & missing) / rank
        missing -= held
    return {
        "evidence_hits@4": float(0 < first <= 4),
        "evidence_hits@10": float(first > 0),
        "evidence_map@10": precision / min(len(wanted), 10),
        "evidence_mrr@10": 1 / first if first else 0.0,
    }


def _without_spaces(text: str) -> str:
    return text.replace(" ", "").replace("\n", "")
