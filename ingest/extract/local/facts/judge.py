"""The learned judge of facts: whether a sentence says a fact, true and whole.

It weighs what is seen of a fact in its sentence (``traits.py``). ``benchmarks/fact_judge.py``
trains it from facts that people marked, and writes ``facts_model.npz`` beside this module.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import cast

from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts.traits import COMMON_SUBJECT
from hlg.ingest.extract.local.judge import Judge

__all__ = ["TRUE", "keep_true"]

TRUE, BETWEEN_NAMES = 0.55, 0.3
"""The chance of being right from which on a fact stays, and one between two names: of those
below the first, more than half are right, and the graph's relations are made of them."""
_MODEL = "facts_model.npz"


@cache
def _shipped() -> Judge:
    return Judge.load(cast(Path, resources.files(__package__) / _MODEL))


def keep_true(drafts: Sequence[Draft]) -> None:
    """Take the facts that are rather wrong than right out of a document's drafts.

    Facts without traits are those of tables, lists and dates of life; they stay.
    """
    told = [(draft, fact) for draft in drafts for fact in draft.facts if fact.traits]
    if not told:
        return
    chances = _shipped().chances([dict.fromkeys(fact.traits, 1.0) for _, fact in told])
    wrong: dict[int, set[DraftFact]] = {}
    for (draft, fact), chance in zip(told, chances[:, 0].tolist(), strict=True):
        if chance < (BETWEEN_NAMES if _is_between_names(fact) else TRUE):
            wrong.setdefault(id(draft), set()).add(fact)
    for draft in drafts:
        draft.drop(wrong.get(id(draft), set()))


def _is_between_names(fact: DraftFact) -> bool:
    return fact.object_key is not None and COMMON_SUBJECT not in fact.traits
