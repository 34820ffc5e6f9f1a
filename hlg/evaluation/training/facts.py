"""Training of the judge of facts from facts that people marked right or wrong."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from hlg.evaluation.training.marks import mark_lines
from hlg.evaluation.training.softmax import fit_softmax, trait_matrix
from hlg.ingest.extract.local.document import Reader
from hlg.ingest.extract.local.judge import Judge
from hlg.records import Document

__all__ = [
    "LONGEST_TEXT",
    "FactMark",
    "SeenFact",
    "held_out",
    "read_fact_marks",
    "seen_facts",
    "train_judge",
]

LONGEST_TEXT = 6_000
"""Characters of a document that are read for its facts."""
RIGHT = "r"
MARKS = frozenset((RIGHT, "wc", "wg", "wn", "ws", "wv"))
"""Right; or wrong: cut short, no grammar, a denial or condition lost, the wrong subject or
object, or saying nothing."""
_PENALTY = 10.0


@dataclass(frozen=True, slots=True)
class FactMark:
    """What a person says of a fact of a set's document; ``fact`` reads as it is shown."""

    set: str
    document: str
    fact: str
    mark: str


@dataclass(frozen=True, slots=True)
class SeenFact:
    """A marked fact with what is seen of it."""

    set: str
    document: str
    traits: tuple[str, ...]
    is_right: bool


def read_fact_marks(path: Path) -> list[FactMark]:
    """The marks of a TSV file: set, id of the document, fact, mark.

    :raises InputError: a line is none; says which.
    """
    return [FactMark(*fields) for fields in mark_lines(path, "fact", MARKS)]


def seen_facts(
    set_: str, document: Document, marks: Mapping[tuple[str, str, str], str]
) -> list[SeenFact]:
    """The marked facts of a document's beginning that the judge has a say in.

    :param marks: by set, id of the document and fact.
    """
    text = document.text[:LONGEST_TEXT]
    reader = Reader(Document(document.uri, document.title, text, media_type=document.media_type))
    drafts = list(reader.read())
    told = {key for draft in drafts for fact in draft.facts for key in fact.keys}
    names = reader.names.entities(told)
    found = []
    for fact in (fact for draft in drafts for fact in draft.facts if fact.traits):
        if not all(key in names for key in fact.keys):
            continue
        object_ = names[fact.object_key].name if fact.object_key else fact.object_value
        shown = f"{names[fact.subject].name} | {fact.predicate} | {object_}"
        mark = marks.get((set_, document.uri, shown))
        if mark:
            found.append(SeenFact(set_, document.uri, fact.traits, mark == RIGHT))
    return found


def train_judge(facts: Sequence[SeenFact], provenance: Mapping[str, Any]) -> Judge:
    """The judge that all marked facts make."""
    return Judge(_fitted(_rows(facts), _right(facts)), provenance)


def held_out(facts: Sequence[SeenFact], parts: Sequence[int]) -> NDArray[np.float64]:
    """The chance that each fact is right, by a judge that its part was kept from.

    :param parts: of each fact the part that it is left out with.
    """
    rows, right, place = _rows(facts), _right(facts), np.array(parts)
    chances = np.zeros(len(facts))
    for part in sorted(set(parts)):
        seen = np.flatnonzero(place != part)
        judge = Judge(_fitted(rows[seen], right[seen]), {})
        out = np.flatnonzero(place == part).tolist()
        chances[out] = judge.chances([dict.fromkeys(facts[at].traits, 1.0) for at in out])[:, 0]
    return chances


def _rows(facts: Sequence[SeenFact]) -> csr_matrix:
    return trait_matrix([dict.fromkeys(fact.traits, 1.0) for fact in facts])


def _right(facts: Sequence[SeenFact]) -> NDArray[np.float64]:
    return np.array([(fact.is_right, not fact.is_right) for fact in facts], np.float64)


def _fitted(rows: csr_matrix, right: NDArray[np.float64]) -> NDArray[np.float32]:
    weights = fit_softmax(rows, right, np.ones(len(right)), _PENALTY)
    return weights.astype(np.float32)
