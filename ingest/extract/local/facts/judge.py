"""The learned judge of facts: whether a sentence says a fact, true and whole.

Two models have a say: one weighs what is seen of a fact in its sentence (``traits.py``;
``facts_model.npz`` beside this module), the other reads the fact beside the sentence
(``cross_encoder.py``). ``benchmarks/judges.py`` trains both from facts that people marked.
"""

from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.cross_encoder import Pair, shipped
from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts.traits import COMMON_SUBJECT
from hlg.ingest.extract.local.judge import Judge

__all__ = ["BETWEEN_NAMES", "TRUE", "both", "fact_pair", "is_between_names", "keep_true"]

TRUE, BETWEEN_NAMES = 0.8, 0.55
"""The chance of being right from which on a fact stays, and one between two names: the graph's
relations are made of them."""
_SEEN, _READ, _BIAS = 0.27, 0.44, -0.46
"""What the log-odds of either model count; fitted to facts that neither had learned from."""
_MODEL = "facts_model.npz"
Form = Callable[[str], str]
"""How the name of a key is written."""


@cache
def _shipped() -> Judge:
    return Judge.load(cast(Path, resources.files(__package__) / _MODEL))


def keep_true(drafts: Sequence[Draft], form: Form) -> None:
    """Take the facts that are rather wrong than right out of a document's drafts.

    Facts without traits are those of tables, lists and dates of life; they stay.
    """
    told = [(draft, fact) for draft in drafts for fact in draft.facts if fact.traits]
    if not told:
        return
    wrong: dict[int, set[DraftFact]] = {}
    seen = _shipped().chances([dict.fromkeys(fact.traits, 1.0) for _, fact in told])[:, 0]
    chances = both(seen, shipped().facts([fact_pair(fact, form) for _, fact in told]))
    for (draft, fact), chance in zip(told, chances.tolist(), strict=True):
        if chance < (BETWEEN_NAMES if is_between_names(fact) else TRUE):
            wrong.setdefault(id(draft), set()).add(fact)
    for draft in drafts:
        draft.drop(wrong.get(id(draft), set()))


def both(seen: NDArray[np.float32], read: NDArray[np.float32]) -> NDArray[np.float32]:
    """The chance that facts are right by both models: logistic regression on their log-odds."""
    odds = _SEEN * _log_odds(seen) + _READ * _log_odds(read) + _BIAS
    chances: NDArray[np.float32] = np.reciprocal(1 + np.exp(-odds)).astype(np.float32)
    return chances


def fact_pair(fact: DraftFact, form: Form) -> Pair:
    """A fact and its sentence, as the cross-encoder reads them."""
    object_ = form(fact.object_key) if fact.object_key else fact.object_value
    return f"{form(fact.subject)} | {fact.predicate} | {object_}", fact.sentence


def is_between_names(fact: DraftFact) -> bool:
    """Whether subject and object are names: a relation of the graph."""
    return fact.object_key is not None and COMMON_SUBJECT not in fact.traits


def _log_odds(chances: NDArray[np.float32]) -> NDArray[np.float32]:
    kept = np.clip(chances, 1e-3, 1 - 1e-3)
    odds: NDArray[np.float32] = np.log(kept / (1 - kept))
    return odds
