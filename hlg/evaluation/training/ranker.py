"""Training of the path ranker by LightGBM, never scored on what it has seen.

Sets of questions belong to families. In the report a family's questions are ranked by trees
that were trained without that family.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.evaluation.metrics.bootstrap import intervals
from hlg.evaluation.training.recipe import FOR_ANY_GENRE, Recipe
from hlg.extras import how_to_install
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.anchor_links import anchor_links
from hlg.retrieval.ranker.candidates import propose
from hlg.retrieval.ranker.path_ranker import FORMAT, PathRanker
from hlg.retrieval.ranker.scores import score_all
from hlg.retrieval.ranker.signals import all_signals, as_matrix
from hlg.retrieval.ranker.trees import Trees, tree_lists
from hlg.whole_file import write_whole_text

FOLDS = 5
"""A single family is cut into so many parts, by question."""
CUTOFFS = (2, 5, 10)
SIGNIFICANT_DIGITS = 4
START_SHARE = 0.5
"""What the trees of the model that training goes on from count beside the new ones."""

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class LabelledQuestion:
    """A question and its evidence: each unit is the chunks of which any one holds it."""

    question: MatchedQuestion
    evidence: tuple[NDArray[np.int32], ...]


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions over one graph. ``by_source``: ranks count sources, else chunks."""

    name: str
    family: str
    passages: Passages
    questions: tuple[LabelledQuestion, ...]
    by_source: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """The candidates of one question with their signals and labels."""

    rows: NDArray[np.int32]
    matrix: NDArray[np.float32]
    relevant: NDArray[np.bool_]


def train(
    sets: Sequence[QuestionSet],
    provenance: Mapping[str, Any],
    progress: Progress,
    start: PathRanker | None = None,
    recipe: Recipe = FOR_ANY_GENRE,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The model, as it is written to a file, and the report on it.

    :param start: a model that training goes on from: its trees stay, at less weight.
    :param recipe: how trees are trained.
    :raises UsageError: there is nothing to learn from, or LightGBM is not installed.
    """
    if not any(len(each.questions) for each in sets):
        raise UsageError("no question has known evidence; give a data set with gold ids")
    check_lightgbm()
    parts = _parts(sets)
    signals, judged = judge_all(sets, progress)
    weights = _weights(sets)
    models = _leave_out(judged, parts, weights, signals, start, recipe, progress)
    held_out = [
        [
            models[int(place)].scores(_columns(item, signals))
            for item, place in zip(items, places, strict=True)
        ]
        for items, places in zip(judged, parts, strict=True)
    ]
    progress("train on all of it")
    boosters = _fit(
        [item for each in judged for item in each],
        [
            weight
            for each, items in zip(weights, judged, strict=True)
            for weight in [each] * len(items)
        ],
        signals,
        start,
        recipe,
    )
    earlier = [] if start is None else [dict(start.provenance)]
    told = {**provenance, "starts_from": earlier} if earlier else dict(provenance)
    lists = ensemble(boosters, signals, start, recipe.prior)
    model = {"format": FORMAT, "provenance": told, **lists}
    report = {
        "protocol": "leave one family out" if _families(sets) > 1 else f"{FOLDS} folds",
        "sets": [
            _report_of(each, items, scores, signals)
            for each, items, scores in zip(sets, judged, held_out, strict=True)
        ],
        "importance": _importance(boosters, signals),
    }
    return model, report


def check_lightgbm() -> None:
    """See that LightGBM is there, before anything is built or judged for it.

    :raises UsageError: it is not; says how to install it.
    """
    if find_spec("lightgbm") is None:
        raise UsageError(f"training needs LightGBM: {how_to_install('tune')}")


def write_model(model: Mapping[str, Any], path: Path) -> None:
    """Write a trained model as the text that :meth:`PathRanker.load` reads."""
    write_whole_text(path, json.dumps(model, separators=(",", ":")) + "\n", make_folder=True)


def ranks_of_evidence(
    each: QuestionSet,
    labelled: LabelledQuestion,
    rows: NDArray[np.int32],
    scores: NDArray[np.float32],
) -> list[float]:
    """The rank (from 1) of each unit of evidence by its best chunk; infinite where missing."""
    ordered = rows[np.lexsort((rows, -scores))]
    if each.by_source:
        owners = each.passages.snapshot.chunk_source
        distinct, first = np.unique(owners[ordered], return_index=True)
        place = {int(distinct[i]): rank for rank, i in enumerate(np.argsort(first), 1)}
        units = [{int(owner) for owner in owners[unit]} for unit in labelled.evidence]
    else:
        place = {int(row): rank for rank, row in enumerate(ordered, 1)}
        units = [{int(row) for row in unit} for unit in labelled.evidence]
    return [min((place.get(key, np.inf) for key in unit), default=np.inf) for unit in units]


def _parts(sets: Sequence[QuestionSet]) -> list[NDArray[np.int64]]:
    """By set and question: the part that it is left out with; its family, or a fold."""
    families = sorted({each.family for each in sets})
    if len(families) > 1:
        return [
            np.full(len(each.questions), families.index(each.family), np.int64) for each in sets
        ]
    return [np.arange(len(each.questions)) % FOLDS for each in sets]


def _families(sets: Sequence[QuestionSet]) -> int:
    return len({each.family for each in sets})


def judge_all(
    sets: Sequence[QuestionSet], progress: Progress
) -> tuple[list[str], list[list[Judged]]]:
    """The names of the signals, and by set the candidates of every question."""
    names: list[str] = []
    judged: list[list[Judged]] = []
    for each in sets:
        progress(f"{each.name}: candidates of {len(each.questions)} questions")
        judged.append([])
        for labelled in each.questions:
            passages, question = each.passages, labelled.question
            scores = score_all(passages, question)
            rows = propose(passages, question, scores)
            links = anchor_links(passages, question, scores, rows)
            matrix, names = as_matrix(all_signals(passages, question, scores, rows, links))
            evidence = np.concatenate([np.zeros(0, np.int32), *labelled.evidence])
            judged[-1].append(Judged(rows, matrix, np.isin(rows, evidence)))
    return names, judged


def _leave_out(
    judged: Sequence[Sequence[Judged]],
    parts: Sequence[NDArray[np.int64]],
    weights: Sequence[float],
    signals: list[str],
    start: PathRanker | None,
    recipe: Recipe,
    progress: Progress,
) -> dict[int, PathRanker]:
    """By part: the trees trained on all the others, on all cores (LightGBM lets go of the
    interpreter, and one thread each keeps it deterministic)."""

    def trained(part: int) -> PathRanker:
        kept = [
            (item, weight)
            for items, places, weight in zip(judged, parts, weights, strict=True)
            for item, place in zip(items, places, strict=True)
            if place != part
        ]
        progress(f"train without part {part + 1}")
        items, counts = [item for item, _ in kept], [weight for _, weight in kept]
        boosters = _fit(items, counts, signals, start, recipe)
        lists = ensemble(boosters, signals, start, recipe.prior)
        return PathRanker(Trees.from_lists(lists["signals"], lists["trees"]), {}, lists["prior"])

    every = sorted({int(place) for places in parts for place in places})
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        return dict(zip(every, threads.map(trained, every), strict=True))


def _weights(sets: Sequence[QuestionSet]) -> list[float]:
    """By set what a question of it counts: families count by the root of their questions, and
    sets of one family share."""
    alike = Counter(each.family for each in sets)
    return [
        float(1 / np.sqrt(max(len(each.questions), 1) * alike[each.family])) * 10 for each in sets
    ]


def _columns(item: Judged, signals: Sequence[str]) -> dict[str, NDArray[np.float32]]:
    return {name: item.matrix[:, i] for i, name in enumerate(signals)}


def _started(
    item: Judged, signals: Sequence[str], start: PathRanker | None, prior: Mapping[str, float]
) -> NDArray[np.float64]:
    """The scores that training starts from."""
    columns = _columns(item, signals)
    scores = np.zeros(len(item.rows))
    for name, weight in prior.items():
        scores += weight * columns[name]
    if start is not None:
        scores += START_SHARE * start.raw_scores(columns)
    return scores


def _fit(
    judged: Sequence[Judged],
    weights: Sequence[float],
    signals: Sequence[str],
    start: PathRanker | None,
    recipe: Recipe,
) -> list[Any]:
    """LightGBM boosters, one a seed, on the questions that have evidence among candidates."""
    import lightgbm

    kept = [
        (item, weight, rows_to_learn(item, signals, recipe))
        for item, weight in zip(judged, weights, strict=True)
        if item.relevant.any()
    ]
    if not kept:
        raise UsageError("no evidence is among the candidates of any question to train on")
    matrix = np.concatenate([item.matrix[rows] for item, _, rows in kept])
    matrix[:, [i for i, name in enumerate(signals) if name in recipe.not_learned]] = 0
    labels = np.concatenate([item.relevant[rows] for item, _, rows in kept]).astype(np.int32)
    begun = np.concatenate(
        [_started(item, signals, start, recipe.prior)[rows] for item, _, rows in kept]
    )
    sizes = [len(rows) for *_, rows in kept]
    counts = np.repeat([weight for _, weight, _ in kept], sizes)
    boosters = []
    for seed in range(recipe.seeds):
        data = lightgbm.Dataset(
            matrix, labels, group=sizes, weight=counts, init_score=begun, feature_name=list(signals)
        )
        boosters.append(lightgbm.train({**recipe.parameters, "seed": seed}, data, recipe.rounds))
    return boosters


def rows_to_learn(
    item: Judged, signals: Sequence[str], recipe: Recipe = FOR_ANY_GENRE
) -> NDArray[np.int64]:
    """Rows to train on: the evidence, what leads a search or a link, a few of the rest."""
    keep = item.relevant.copy()
    for name in ("dense_rank", "statement_rank", "words_rank", "page_rank_rank"):
        keep |= item.matrix[:, signals.index(name)] < np.log1p(recipe.leading)
    for name in ("near_title_stood", "near_composed_stood"):
        strength = item.matrix[:, signals.index(name)]
        keep[np.argsort(-strength, kind="stable")[: recipe.leading]] = True
    others = np.flatnonzero(~keep)
    generator = np.random.default_rng(len(item.rows))
    keep[generator.permutation(others)[: recipe.sampled]] = True
    return np.flatnonzero(keep)


def ensemble(
    boosters: Sequence[Any],
    signals: Sequence[str],
    start: PathRanker | None = None,
    prior: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """The signals and trees of boosters, each an equal part of the score, as they are kept,
    with what training started from."""
    trees = [
        tree_lists(tree["tree_structure"], 1 / len(boosters))
        for booster in boosters
        for tree in booster.dump_model()["tree_info"]
        if "split_feature" in tree["tree_structure"]
    ]
    starts = dict(prior or {})
    if start is not None:
        trees = start.trees.to_lists(signals, START_SHARE) + trees
        for name, weight in start.prior.items():
            starts[name] = starts.get(name, 0.0) + START_SHARE * weight
    return {"signals": list(signals), "trees": trees, "prior": starts}


def _importance(boosters: Sequence[Any], signals: Sequence[str]) -> dict[str, float]:
    """Each signal's share of the gain, greatest first."""
    gain = np.sum([booster.feature_importance("gain") for booster in boosters], axis=0)
    share = gain / max(float(gain.sum()), 1e-12)
    return {signals[i]: float(f"{share[i]:.{SIGNIFICANT_DIGITS}g}") for i in np.argsort(-share)}


def _report_of(
    each: QuestionSet,
    judged: Sequence[Judged],
    held_out: Sequence[NDArray[np.float32]],
    signals: Sequence[str],
) -> dict[str, Any]:
    """Recall and all-gold of the baselines and the ranker, with intervals."""
    dense, words = signals.index("dense"), signals.index("words")
    orders: dict[str, list[tuple[NDArray[np.int32], NDArray[np.float32]]]] = {
        "dense": [(item.rows, item.matrix[:, dense]) for item in judged],
        "bm25": [(item.rows, item.matrix[:, words]) for item in judged],
        "ranker": [(item.rows, scores) for item, scores in zip(judged, held_out, strict=True)],
    }
    results = {}
    for name, order in orders.items():
        ranks = [
            ranks_of_evidence(each, labelled, rows, scores)
            for labelled, (rows, scores) in zip(each.questions, order, strict=True)
        ]
        columns = {
            f"{metric}@{k}": [float(measure([rank <= k for rank in found])) for found in ranks]
            for k in CUTOFFS
            for metric, measure in (("recall", np.mean), ("all", all))
        }
        values = np.array(list(columns.values())).T
        low, high = intervals(values)
        results[name] = {
            metric: {
                "mean": round(float(values[:, i].mean()), 4),
                "interval": [round(float(low[i]), 4), round(float(high[i]), 4)],
            }
            for i, metric in enumerate(columns)
        }
    return {
        "name": each.name,
        "family": each.family,
        "questions": len(each.questions),
        "ranks": "documents" if each.by_source else "chunks",
        "candidates": round(float(np.mean([len(item.rows) for item in judged])), 1),
        "candidate_recall": round(
            float(
                np.mean(
                    [
                        np.mean([np.isin(unit, item.rows).any() for unit in labelled.evidence])
                        for labelled, item in zip(each.questions, judged, strict=True)
                    ]
                )
            ),
            4,
        ),
        "results": results,
    }
