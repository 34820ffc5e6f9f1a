"""Training of the path ranker by LightGBM, never scored on what it has seen.

Sets of questions belong to families. In the report a family's questions are ranked by trees
that were trained without that family.
"""

import json
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.evaluation.metrics.bootstrap import intervals
from hlg.extras import how_to_install
from hlg.models.trees import Trees, tree_lists
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.question.matched import MatchedQuestion
from hlg.retrieval.ranker.anchor_links import anchor_links
from hlg.retrieval.ranker.candidates import propose
from hlg.retrieval.ranker.path_ranker import FORMAT, PathRanker
from hlg.retrieval.ranker.scores import score_all
from hlg.retrieval.ranker.signals import all_signals, as_matrix
from hlg.whole_file import write_whole_text

FOLDS = 5
"""A single family is cut into so many parts, by question."""
CUTOFFS = (2, 5, 10)
SIGNIFICANT_DIGITS = 4
START_SHARE = 0.5
"""What the trees of the model that training goes on from count beside the new ones."""
SAME_EVERYWHERE: dict[str, Any] = {
    "bagging_freq": 1,
    "force_col_wise": True,
    "use_missing": False,
    "num_threads": 1,
    "deterministic": True,
    "verbosity": -1,
}
"""Of LightGBM: the same data gives the same trees on every machine."""
PARAMETERS: dict[str, Any] = SAME_EVERYWHERE | {
    "objective": "lambdarank",
    "num_leaves": 8,
    "lambda_l2": 5.0,
    "bagging_fraction": 0.8,
    "bagging_by_query": True,
    "min_data_in_leaf": 40,
    "lambdarank_truncation_level": 12,
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How trees are trained.

    ``sampled`` candidates of a question are trained on beside the evidence and the ``leading``
    of each search. ``prior`` are signals that a score starts from, so that the trees have to
    learn where it is wrong; those that are ``not_learned`` they don't look at. The trees of
    all ``seeds`` count alike.
    """

    rounds: int
    sampled: int
    leading: int
    parameters: Mapping[str, Any]
    prior: Mapping[str, float] = field(default_factory=dict)
    not_learned: frozenset[str] = frozenset()
    seeds: int = 1


FOR_ANY_GENRE = Recipe(
    rounds=90,
    sampled=20,
    leading=8,
    parameters=PARAMETERS | {"learning_rate": 0.1, "feature_fraction": 0.3, "max_bin": 31},
    prior={"dense_z": 0.5},
    not_learned=frozenset(
        (
            *("dense", "statement", "words", "statement_words", "clause", "clause_statement"),
            *("beam", "source_best", "source_chunks", "near_composed", "near_composed_chunk"),
            "asked_vector",
        )
    ),
)
"""Raw scores and sizes mean another thing in another corpus, and few corpora tell what one is
worth: new trees don't look at them."""
THOROUGH = Recipe(
    rounds=500,
    sampled=40,
    leading=15,
    parameters=PARAMETERS | {"learning_rate": 0.03, "feature_fraction": 0.5, "max_bin": 63},
    seeds=2,
)
"""For whole corpora, like those that will be searched: raw scores serve there too."""
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
class Proposed:
    """The candidates of one question with their signals and labels.

    ``part`` is the family or the fold that the question is left out with, ``weight`` what it
    counts: families count by the root of their questions, and sets of one family share.
    """

    rows: NDArray[np.int32]
    matrix: NDArray[np.float32]
    relevant: NDArray[np.bool_]
    part: int = 0
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Trainer:
    """How trees are trained on the signals of that name; on top of ``start``, where training
    goes on from a model."""

    signals: list[str]
    recipe: Recipe
    start: PathRanker | None = None

    def fit(self, items: Sequence[Proposed]) -> list[Any]:
        """LightGBM boosters, one a seed, on the questions that have evidence among candidates.

        :raises UsageError: none has.
        """
        import lightgbm

        recipe = self.recipe
        chosen = [(x, rows_to_learn(x, self.signals, recipe)) for x in items if x.relevant.any()]
        if not chosen:
            raise UsageError("no evidence is among the candidates of any question to train on")
        matrix = np.concatenate([item.matrix[rows] for item, rows in chosen])
        matrix[:, [i for i, name in enumerate(self.signals) if name in recipe.not_learned]] = 0
        sizes = [len(rows) for _, rows in chosen]
        boosters = []
        for seed in range(recipe.seeds):
            data = lightgbm.Dataset(
                matrix,
                np.concatenate([item.relevant[rows] for item, rows in chosen]).astype(np.int32),
                group=sizes,
                weight=np.repeat([item.weight for item, _ in chosen], sizes),
                init_score=np.concatenate([self._begun(item)[rows] for item, rows in chosen]),
                feature_name=list(self.signals),
            )
            parameters = {**recipe.parameters, "seed": seed}
            boosters.append(lightgbm.train(parameters, data, recipe.rounds))
        return boosters

    def record(self, boosters: Sequence[Any]) -> dict[str, Any]:
        """A trained ranker as it is kept."""
        return ensemble(boosters, self.signals, self.start, self.recipe.prior)

    def ranker(self, items: Sequence[Proposed]) -> PathRanker:
        """The ranker that is trained on some questions."""
        record = self.record(self.fit(items))
        return PathRanker(Trees.from_lists(record["signals"], record["trees"]), {}, record["prior"])

    def columns(self, item: Proposed) -> dict[str, NDArray[np.float32]]:
        """The candidates' signals by name."""
        return {name: item.matrix[:, i] for i, name in enumerate(self.signals)}

    def _begun(self, item: Proposed) -> NDArray[np.float64]:
        """The scores that training starts from."""
        columns = self.columns(item)
        scores = np.zeros(len(item.rows))
        for name, weight in self.recipe.prior.items():
            scores += weight * columns[name]
        return scores + START_SHARE * self.start.raw_scores(columns) if self.start else scores


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
    signals, proposed = propose_all(sets, progress)
    trainer = Trainer(signals, recipe, start)
    models = _leave_out(trainer, [item for items in proposed for item in items], progress)
    reports = []
    for each, items in zip(sets, proposed, strict=True):
        held_out = [models[item.part].scores(trainer.columns(item)) for item in items]
        reports.append(_report_of(each, items, held_out, signals))
    progress("train on all of it")
    boosters = trainer.fit([item for items in proposed for item in items])
    earlier = {} if start is None else {"starts_from": [dict(start.provenance)]}
    model = {"format": FORMAT, "provenance": {**provenance, **earlier}, **trainer.record(boosters)}
    families = len({each.family for each in sets})
    return model, {
        "protocol": "leave one family out" if families > 1 else f"{FOLDS} folds",
        "sets": reports,
        "importance": _importance(boosters, signals),
    }


def check_lightgbm() -> None:
    """See that LightGBM is there, before anything is built or labelled for it.

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
    sources = each.passages.snapshot.chunk_source
    owners = sources if each.by_source else np.arange(len(sources), dtype=sources.dtype)
    place: dict[int, int] = {}
    for row in rows[np.lexsort((rows, -scores))].tolist():
        place.setdefault(int(owners[row]), len(place) + 1)
    units = (owners[unit].tolist() for unit in labelled.evidence)
    return [min((place.get(key, np.inf) for key in unit), default=np.inf) for unit in units]


def propose_all(
    sets: Sequence[QuestionSet], progress: Progress
) -> tuple[list[str], list[list[Proposed]]]:
    """The names of the signals, and by set the candidates of every question."""
    names: list[str] = []
    proposed: list[list[Proposed]] = []
    alike = Counter(each.family for each in sets)
    families = sorted(alike)
    for each in sets:
        progress(f"{each.name}: candidates of {len(each.questions)} questions")
        weight = float(1 / np.sqrt(max(len(each.questions), 1) * alike[each.family])) * 10
        proposed.append([])
        for number, labelled in enumerate(each.questions):
            passages, question = each.passages, labelled.question
            scores = score_all(passages, question)
            rows = propose(scores)
            links = anchor_links(scores, rows)
            matrix, names = as_matrix(all_signals(scores, rows, links))
            relevant = np.isin(rows, np.concatenate([np.zeros(0, np.int32), *labelled.evidence]))
            part = families.index(each.family) if len(families) > 1 else number % FOLDS
            proposed[-1].append(Proposed(rows, matrix, relevant, part, weight))
    return names, proposed


def _leave_out(
    trainer: Trainer, items: Sequence[Proposed], progress: Progress
) -> dict[int, PathRanker]:
    """By part: the trees trained on all the others, on all cores (LightGBM lets go of the
    interpreter, and one thread each keeps it deterministic)."""

    def trained(part: int) -> PathRanker:
        progress(f"train without part {part + 1}")
        return trainer.ranker([item for item in items if item.part != part])

    every = sorted({item.part for item in items})
    with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
        return dict(zip(every, threads.map(trained, every), strict=True))


def rows_to_learn(
    item: Proposed, signals: Sequence[str], recipe: Recipe = FOR_ANY_GENRE
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
    items: Sequence[Proposed],
    held_out: Sequence[NDArray[np.float32]],
    signals: Sequence[str],
) -> dict[str, Any]:
    """Recall and all-gold of the baselines and the ranker, with intervals."""
    dense, words = signals.index("dense"), signals.index("words")
    orders = {
        "dense": [item.matrix[:, dense] for item in items],
        "bm25": [item.matrix[:, words] for item in items],
        "ranker": held_out,
    }
    evidence = [labelled.evidence for labelled in each.questions]
    proposed = [
        np.mean([np.isin(unit, item.rows).any() for unit in units])
        for units, item in zip(evidence, items, strict=True)
    ]
    return {
        "name": each.name,
        "family": each.family,
        "questions": len(each.questions),
        "ranks": "documents" if each.by_source else "chunks",
        "candidates": round(float(np.mean([len(item.rows) for item in items])), 1),
        "candidate_recall": round(float(np.mean(proposed)), 4),
        "results": {name: _recalls(each, items, scores) for name, scores in orders.items()},
    }


def _recalls(
    each: QuestionSet, items: Sequence[Proposed], scores: Sequence[NDArray[np.float32]]
) -> dict[str, Any]:
    values: dict[str, list[float]] = defaultdict(list)
    for labelled, item, of_item in zip(each.questions, items, scores, strict=True):
        ranks = np.array(ranks_of_evidence(each, labelled, item.rows, of_item))
        for k in CUTOFFS:
            values[f"recall@{k}"].append(float((ranks <= k).mean()))
            values[f"all@{k}"].append(float((ranks <= k).all()))
    table = np.array(list(values.values())).T
    ends = np.array([table.mean(axis=0), *intervals(table)]).T.tolist()
    return {
        name: {"mean": round(mean, 4), "interval": [round(low, 4), round(high, 4)]}
        for name, (mean, low, high) in zip(values, ends, strict=True)
    }
