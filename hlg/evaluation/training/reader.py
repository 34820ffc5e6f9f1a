"""Training of the reader that picks the span which answers, by LightGBM.

A third of the questions, by a hash of their ids, is never trained on: ``hlg eval answers
--unseen`` measures on those.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hlg.asking.found import find_evidence
from hlg.errors import UsageError
from hlg.evaluation.data.questions import Question
from hlg.evaluation.metrics.answers import best_of, exact_match, token_f1
from hlg.evaluation.training.ranker import RANKING, check_lightgbm, ensemble
from hlg.graph import LexicalGraph
from hlg.reports import OnProgress, Progress
from hlg.retrieval.answers.asked import TEXT, YES_NO, asked_for
from hlg.retrieval.answers.reader import FORMAT, PRIOR
from hlg.retrieval.answers.signals import SIGNALS, Read, read

HELD_OUT = 3
"""One question of so many is held out."""
ROUNDS = 120
GAINS = (0, 1, 3, 7)
"""Of a span that shares nothing with the answer, half of it, most of it, and is it."""
PARAMETERS = RANKING | {
    "learning_rate": 0.08,
    "min_data_in_leaf": 30,
    "feature_fraction": 0.5,
    "lambdarank_truncation_level": 10,
    "label_gain": list(GAINS),
    "max_bin": 63,
    "seed": 0,
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """The spans read for a question, and how near each is to the answer: 0 to 3."""

    matrix: NDArray[np.float32]
    labels: NDArray[np.int32]


def is_held_out(question_id: str) -> bool:
    """Whether a question is never trained on."""
    digest = blake2b(question_id.encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") % HELD_OUT == 0


def labelled(
    graph: LexicalGraph,
    questions: Sequence[Question],
    on_progress: OnProgress = lambda progress: None,
) -> list[Labelled]:
    """What a graph's evidence offers for each question that a span may answer."""
    found = []
    for done, question in enumerate(questions, start=1):
        on_progress(Progress("read", done, len(questions)))
        asked = asked_for(question.text)
        if not question.answers or asked.choices or asked.kind in (TEXT, YES_NO):
            continue
        evidence = find_evidence(graph, question.text)
        reading = read(question.text, asked, evidence.statements, evidence.cosines)
        found += label(reading, question.answers)
    return found


def label(reading: Read, answers: Sequence[str]) -> list[Labelled]:
    """A reading with its labels; none where no span is near to the answer."""
    labels = np.zeros(len(reading.spans), np.int32)
    for i, span in enumerate(reading.spans):
        shared = best_of(token_f1, span.text, answers)
        is_it = best_of(exact_match, span.text, answers) > 0
        labels[i] = 3 if is_it else 2 if shared >= 0.8 else int(shared >= 0.5)
    return [Labelled(reading.matrix, labels)] if labels.any() else []


def train_reader(
    readings: Sequence[Labelled], provenance: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, float]]:
    """The reader as it is kept, and what each signal gave of its gain, the strongest first.

    :raises UsageError: there is nothing, or too little, to learn from; LightGBM is not
        installed.
    """
    if not readings:
        raise UsageError("no question has a known answer that a span of its evidence says")
    check_lightgbm()
    import lightgbm

    columns = [f"signal_{i}" for i in range(len(SIGNALS))]
    matrix = np.concatenate([each.matrix for each in readings])
    start = sum(weight * matrix[:, SIGNALS.index(name)] for name, weight in PRIOR.items())
    data = lightgbm.Dataset(
        matrix,
        np.concatenate([each.labels for each in readings]),
        group=[len(each.labels) for each in readings],
        init_score=start,
        feature_name=columns,
    )
    booster = lightgbm.train(PARAMETERS, data, ROUNDS)
    record = ensemble([booster], list(SIGNALS))
    gains = booster.feature_importance("gain")
    if not gains.sum():
        raise UsageError(f"too few questions to learn from: {len(readings)}; hundreds are wanted")
    told = {
        SIGNALS[i]: round(float(gains[i] / gains.sum()), 3) for i in np.argsort(-gains).tolist()
    }
    model = {"format": FORMAT, "provenance": dict(provenance)}
    return model | {"signals": record["signals"], "trees": record["trees"]}, told
