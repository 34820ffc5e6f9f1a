"""Training of the judge of names from names that people marked.

Marks are few, so the judge learns from a teacher: a softmax over the same traits and over the
embedding of the name, which knows that Lagos is a place from more text than any mark has seen.
The teacher learns from the marks, says what it thinks of every other name of the documents,
and the judge learns from both, without an embedding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack, vstack

from hlg.evaluation.training.marks import mark_lines
from hlg.evaluation.training.softmax import Matrix, fit_softmax, softmax, trait_matrix
from hlg.ingest.extract.local.document import Reader
from hlg.ingest.extract.local.facts.judge import keep_true
from hlg.ingest.extract.local.judge import Judge
from hlg.ingest.extract.local.names.judge import CLASSES, SHORT_TEXT
from hlg.ingest.extract.local.names.naming import entity_of
from hlg.models.base import Embedder
from hlg.records import Document

__all__ = [
    "LETTERS",
    "Example",
    "Judged",
    "Mark",
    "examples_of",
    "held_out",
    "read_name_marks",
    "train_judge",
]

LETTERS = {letter: at for at, letter in enumerate("PLOWEGCX")} | {"D": 6, "T": 6}
"""The class of each letter: person, place, organisation, work, event, group of people, term
(also D, a product, and T, any other name), and no name at all."""
LONGEST_TEXT = 12_000
"""Characters of a document that are read for its names."""
FOLDS = 3
_MARK_WEIGHT, _TOLD_WEIGHT = 3.0, 0.5
"""What a marked name counts, and one that only the teacher has judged."""
_TEACHER_PENALTY, _PENALTY = 10.0, 3.0
_EMBEDDING_SCALE = 0.2


@dataclass(frozen=True, slots=True)
class Mark:
    """What a person says a name is, in a document of a set."""

    set: str
    document: str
    name: str
    letter: str


@dataclass(frozen=True, slots=True)
class Example:
    """A name as extraction sees it, with the class that the rules give it; ``letter`` if marked.

    ``given``: its words give its class away. ``is_topic``: the document is about it. ``told``:
    a fact is about it. ``is_short``: the document has a few sentences.
    """

    set: str
    document: str
    name: str
    entity_class: str
    traits: Mapping[str, float]
    letter: str = ""
    given: bool = False
    is_topic: bool = False
    told: bool = False
    is_short: bool = False


@dataclass(frozen=True, slots=True)
class Judged:
    """Marked names with the chances that a judge gave them that had not seen them."""

    examples: tuple[Example, ...]
    chances: Matrix


def read_name_marks(path: Path) -> list[Mark]:
    """The marks of a TSV file: set, id of the document, name, letter.

    :raises InputError: a line is none; says which.
    """
    return [Mark(*fields) for fields in mark_lines(path, "name", LETTERS)]


def examples_of(
    set_: str, document: Document, letters: Mapping[tuple[str, str, str], str]
) -> list[Example]:
    """The names of a document's beginning, each with its letter where it was marked.

    :param letters: by set, id of the document and name.
    """
    reader = Reader(
        Document(
            document.uri,
            document.title,
            document.text[:LONGEST_TEXT],
            media_type=document.media_type,
        )
    )
    drafts = list(reader.read())
    keep_true(drafts)
    told = {key for draft in drafts for fact in draft.facts for key in fact.keys}
    is_short = len(document.text) <= SHORT_TEXT
    found = []
    for each in reader.names.named():
        name = entity_of(each).name
        found.append(
            Example(
                set_,
                document.uri,
                name,
                each.entity_class,
                each.traits,
                letters.get((set_, document.uri, name), ""),
                each.given,
                each.is_topic,
                not told.isdisjoint(each.keys),
                is_short,
            )
        )
    return found


def train_judge(
    examples: Sequence[Example], embedder: Embedder, provenance: Mapping[str, Any]
) -> Judge:
    """The judge that all marks and all other names make."""
    return _Training(examples, embedder).judge(np.ones(len(examples), np.bool_), provenance)


def held_out(examples: Sequence[Example], embedder: Embedder, parts: Sequence[int]) -> Judged:
    """What judges say of the marked names that they were not trained on.

    :param parts: of each example the part that it is left out with.
    """
    training = _Training(examples, embedder)
    marked = np.array([bool(each.letter) for each in examples])
    place = np.array(parts)
    chances = np.zeros((len(examples), len(CLASSES)))
    for part in sorted(set(parts)):
        judge = training.judge(place != part, {})
        rows = np.flatnonzero(marked & (place == part)).tolist()
        chances[rows] = judge.chances([examples[row].traits for row in rows])
    rows = np.flatnonzero(marked).tolist()
    return Judged(tuple(examples[row] for row in rows), chances[rows])


class _Training:
    def __init__(self, examples: Sequence[Example], embedder: Embedder) -> None:
        self._traits = trait_matrix([each.traits for each in examples])
        names = list(dict.fromkeys(each.name for each in examples))
        vectors = np.asarray(embedder.embed(names), np.float32)
        vectors = (vectors - vectors.mean(axis=0)) / (vectors.std(axis=0) + 1e-4)
        row = {name: at for at, name in enumerate(names)}
        known = _EMBEDDING_SCALE * vectors[[row[each.name] for each in examples]]
        self._seen = hstack([self._traits, csr_matrix(known)]).tocsr()
        self._letters = np.array([LETTERS.get(each.letter, -1) for each in examples])

    def judge(self, allowed: NDArray[np.bool_], provenance: Mapping[str, Any]) -> Judge:
        """The judge of the marks that may be used; of the other names the teacher tells."""
        marked = np.flatnonzero(allowed & (self._letters >= 0))
        others = np.flatnonzero(self._letters < 0)
        right = np.eye(len(CLASSES))[self._letters[marked]]
        teacher = fit_softmax(self._seen[marked], right, np.ones(len(marked)), _TEACHER_PENALTY)
        told = softmax(self._seen[others] @ teacher)
        weights = fit_softmax(
            vstack([self._traits[marked], self._traits[others]]).tocsr(),
            np.concatenate([right, told]),
            np.repeat((_MARK_WEIGHT, _TOLD_WEIGHT), (len(marked), len(others))),
            _PENALTY,
        )
        return Judge(weights.astype(np.float32), provenance)
