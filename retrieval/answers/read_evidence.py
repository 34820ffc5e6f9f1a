"""The evidence of a question as it is read: what it holds of the question, and what the network
offers as the answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.records import Passage
from hlg.retrieval.answers.asked import Asked, asked_for
from hlg.retrieval.answers.attributes import Held, held_of
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.reading.reader import Offer, Reading, passage_reader
from hlg.retrieval.answers.statements import is_how_to, says_something, shown_part


@dataclass(frozen=True, slots=True)
class ReadEvidence:
    """Statements that a search found for a question, and what was read in them.

    ``shown`` is what a reader sees of each statement; ``cosines`` are of each and the question,
    shape (statements,); ``confidence`` is that of the search, from 0 to 1; ``told`` are the places
    of the statements that can stand for an answer, ``offers`` what the network reads in these,
    the best first, and ``answering`` how far it sees each of all statements answer, shape
    (statements,).
    """

    question: str
    asked: Asked
    statements: Sequence[EvidenceStatement]
    shown: Sequence[Passage]
    cosines: NDArray[np.floating]
    confidence: float
    held: Held
    told: Sequence[int]
    reading: Reading
    offers: Sequence[Offer]
    answering: NDArray[np.float64]


def read_evidence(
    question: str,
    statements: Sequence[EvidenceStatement],
    cosines: NDArray[np.floating],
    confidence: float,
) -> ReadEvidence:
    """Read what was found for a question.

    :param cosines: of each statement and the question, shape (statements,).
    :param confidence: of the search, from 0 to 1.
    :raises ModelError: the network can't be loaded.
    """
    asked = asked_for(question)
    whole = is_how_to(question, asked)
    shown = [shown_part(each, whole=whole) for each in statements]
    told = [place for place, each in enumerate(statements) if says_something(each)]
    reading = passage_reader().read(question, statements, cosines, told)
    return ReadEvidence(
        question,
        asked,
        statements,
        shown,
        cosines,
        confidence,
        held_of(question, statements),
        told,
        reading,
        reading.offers(),
        reading.evidence(len(statements)),
    )
