"""How well the confidence of a search says whether its evidence is there.

    python -m benchmarks.confidence GRAPHS DATA/squad2 DATA/locomo --unlearned locomo

Each data set is cut and built in the folder GRAPHS, where a second run finds it. Its questions
are asked by ``auto``, dense, BM25 and statement search; half of those with an answer a second
time of the graph without their evidence. AUROC and the expected calibration error of the model
that ships and, with each family left out, of one that is trained on the others, but for the
sets that are ``--unlearned``. ``--out FILE`` writes a model trained on all that may be learned,
``--plot FILE`` the share of results with evidence by left-out confidence.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.training.confidence import (
    Outcomes,
    area_under_curve,
    calibration_error,
    left_out_chances,
    left_out_scores,
    trained,
    write_confidence,
)
from benchmarks.training.confidence_sets import LabelledResult, labelled_results
from hlg import __version__
from hlg.evaluation.corpus import cut_graph
from hlg.evaluation.data.datasets import load_dataset
from hlg.retrieval.ranker.confidence import Calibrated, Confidence

LOW = 0.2
"""Under this ``hlg query`` says that nothing seems to answer."""
BINS = 10

Mask = NDArray[np.bool_]
Chances = NDArray[np.float64]


class Labelled(NamedTuple):
    """A result, or a hit of it, by its signals, and whether it is evidence."""

    result: LabelledResult
    signals: Mapping[str, float]
    is_evidence: bool


def main() -> None:
    """Print a table for results and one for hits."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graphs", type=Path)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=120)
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--unlearned", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--plot", type=Path)
    options = parser.parse_args()
    labelled = [each for folder in options.data for each in asked(folder, options)]
    shipped = Confidence.load()
    by_result, by_hit = of_results(labelled), of_hits(labelled)
    results, hits = outcomes(by_result, options.unlearned), outcomes(by_hit, options.unlearned)
    chances, scores = report("results", by_result, results, shipped.result)
    _, hit_scores = report("hits", by_hit, hits, shipped.hit)
    print(f"\n{share_told(chances, results.evidence)}")
    if options.plot:
        plot(chances, results.evidence, options.plot)
    if options.out:
        learned = Counter(each.data for each in labelled if each.data not in options.unlearned)
        provenance = {"hlg": __version__, "sets": dict(sorted(learned.items()))}
        write_confidence(
            trained(hits, hit_scores), trained(results, scores), provenance, options.out
        )


def asked(folder: Path, options: argparse.Namespace) -> list[LabelledResult]:
    """The labelled results of one data set."""
    dataset = load_dataset(folder)
    with cut_graph(dataset, options.graphs, options.questions, options.words) as (graph, smaller):
        return list(labelled_results(graph, smaller))


def of_results(labelled: Iterable[LabelledResult]) -> list[Labelled]:
    """A row a result, whether some hit of it is evidence."""
    return [Labelled(each, each.result, bool(each.is_evidence.any())) for each in labelled]


def of_hits(labelled: Iterable[LabelledResult]) -> list[Labelled]:
    """A row a hit."""
    return [
        Labelled(each, {name: float(column[i]) for name, column in each.hits.items()}, told)
        for each in labelled
        for i, told in enumerate(each.is_evidence.tolist())
    ]


def outcomes(rows: Sequence[Labelled], unlearned: Sequence[str]) -> Outcomes:
    """What the trees are trained on."""
    return Outcomes(
        tuple(rows[0].signals),
        np.array([list(each.signals.values()) for each in rows], np.float32),
        np.array([each.is_evidence for each in rows], bool),
        np.array([each.result.family for each in rows]),
        np.array([each.result.data not in unlearned for each in rows]),
    )


def report(
    what: str, rows: Sequence[Labelled], found: Outcomes, shipped: Calibrated
) -> tuple[Chances, Chances]:
    """Print a row for all, for each search and for each data set; the chances with the family
    left out, and the scores behind them."""
    scores = left_out_scores(found)
    chances = left_out_chances(found, scores)
    columns = {name: found.matrix[:, i] for i, name in enumerate(found.signals)}
    now = shipped.chance(shipped.trees.select(columns))
    print(f"\n| {what} | number | with evidence | AUROC, error as it ships | left out |")
    print("|---|---|---|---|---|")
    print(row("all", np.ones(len(now), bool), found.evidence, now, chances))
    for names in ([each.result.search for each in rows], [each.result.data for each in rows]):
        owners = np.array(names)
        for name in dict.fromkeys(names):
            print(row(name, owners == name, found.evidence, now, chances))
    return chances, scores


def row(name: str, own: Mask, evidence: Mask, *columns: Chances) -> str:
    """One line of a table."""
    cells = [
        f"{area_under_curve(each[own], evidence[own]):.3f}, "
        f"{calibration_error(each[own], evidence[own], BINS):.3f}"
        for each in columns
    ]
    return f"| {name} | {own.sum()} | {evidence[own].mean():.2f} | {' | '.join(cells)} |"


def share_told(chances: Chances, evidence: Mask) -> str:
    """What is said not to be there, with the family left out."""
    none, some = (chances[~evidence] < LOW).mean(), (chances[evidence] < LOW).mean()
    return (
        f"under {LOW} are {none:.2f} of the results without evidence, {some:.2f} of those with it"
    )


def plot(chances: Chances, evidence: Mask, path: Path) -> None:
    """The reliability diagram."""
    from matplotlib.figure import Figure

    places = np.minimum((chances * BINS).astype(int), BINS - 1)
    bins: Iterable[int] = np.unique(places).tolist()
    points = [(chances[places == i].mean(), evidence[places == i].mean()) for i in bins]
    figure = Figure(figsize=(4.5, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.plot([0, 1], [0, 1], color="0.7", linewidth=1)
    axes.plot(*zip(*points, strict=True), marker="o")
    axes.set_xlabel("confidence, with the family left out")
    axes.set_ylabel("share of results with evidence among the first five")
    figure.savefig(path, dpi=120)


if __name__ == "__main__":
    main()
