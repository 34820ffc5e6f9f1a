"""How well each statement of the evidence answers, and which are shown: small boosted trees.

Which of what was found is shown depends on many things at once: how near a statement is to the
question, which of its words it says itself and which stand over it, what the reading network
offers in it, the rank of its hit. ``python -m benchmarks.reading relevance`` learns what they
weigh from questions whose evidence is marked.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from hlg.models.trees import load_trees
from hlg.records import Passage
from hlg.retrieval.answers.evidence import EvidenceStatement, above
from hlg.retrieval.answers.read_evidence import ReadEvidence
from hlg.retrieval.answers.reading.reader import UNREAD
from hlg.retrieval.answers.shapes import worded_dates
from hlg.retrieval.answers.statements import is_asked, is_how_to
from hlg.retrieval.answers.words import keys, share, weigh

TREES = Path(__file__).with_name("relevance_trees.txt")
OF_STATEMENT = (
    "cosine", "rank", "share", "share_behind", "share_shown", "share_own", "share_above", "names",
    "others", "both", "read", "read_behind", "answering", "answering_behind", "fact_behind",
    "words", "confidence", "how_to", "asked_words",
)  # fmt: skip
"""What is seen of a statement. Shares are of the question's words by how rare they are: in what
is shown with all that it stands under, in what is shown alone, in the statement, in what is above
it, in the best of its facts; "behind" by how much the best statement has more."""
MOST = 3
"""Statements of an answer, those that its lead rests on among them."""
MARGIN = 2.0
"""By so much less at most than the best one a statement beside it is relevant."""


def relevances(signals: NDArray[np.float32]) -> NDArray[np.float32]:
    """How well each statement answers, shape (statements,): comparable within a question.

    :param signals: :data:`OF_STATEMENT` of each.
    """
    return load_trees(TREES, OF_STATEMENT).scores(signals)


def chosen_statements(
    evidence: ReadEvidence, relevant: NDArray[np.floating], taken: Sequence[int] = ()
) -> list[int]:
    """The places of the statements that answer: those already taken, then the most relevant, none
    with the words of another.

    Where none says something, the most relevant one of the first hit is better than nothing.

    :param relevant: how relevant each statement is, :func:`relevances`.
    """
    question, asked, statements = evidence.question, evidence.asked, evidence.statements
    able = [place for place in evidence.told if is_asked(statements[place], question, asked)]
    able = able or [place for place, each in enumerate(statements) if each.rank == 1]
    able.sort(key=lambda place: (-relevant[place], place))
    chosen = list(dict.fromkeys(taken))
    said = {_words_of(evidence.shown[place]) for place in chosen}
    for place in able:
        if len(chosen) >= MOST or relevant[place] < relevant[able[0]] - MARGIN:
            break
        if (words := _words_of(evidence.shown[place])) not in said:
            chosen.append(place)
            said.add(words)
    return chosen


def statement_signals(evidence: ReadEvidence) -> NDArray[np.float32]:
    """:data:`OF_STATEMENT` of each statement, shape (statements, signals)."""
    statements, shown, held = evidence.statements, evidence.shown, evidence.held
    if not statements:
        return np.zeros((0, len(OF_STATEMENT)), np.float32)
    over = [frozenset(keys(above(each))) for each in statements]
    body = [_keys_of(each) for each in shown]
    whole = [one | other for one, other in zip(over, body, strict=True)]
    weights = weigh(keys(evidence.question), whole)

    def shares(texts: Iterable[frozenset[str]]) -> NDArray[np.float64]:
        return np.array([share(weights, text) for text in texts])

    said, read = shares(whole), _best_offers(evidence)
    facts = np.array([max(shares(_facts(each)), default=0.0) for each in statements])
    every = np.ones(len(statements))
    columns = {
        "cosine": evidence.cosines,
        "rank": np.log([each.rank for each in statements]),
        "share": said,
        "share_behind": said - said.max(),
        "share_shown": shares(body),
        "share_own": shares([_keys_of(each.passage) for each in statements]),
        "share_above": shares(over),
        "names": held.names,
        "others": held.others,
        "both": held.names * held.others,
        "read": read,
        "read_behind": read - read.max(),
        "answering": evidence.answering,
        "answering_behind": evidence.answering - evidence.answering.max(),
        "fact_behind": facts - facts.max(),
        "words": np.log1p([len(each.text.split()) for each in shown]),
        "confidence": every * evidence.confidence,
        "how_to": every * is_how_to(evidence.question, evidence.asked),
        "asked_words": every * len(weights),
    }
    return np.stack([columns[name] for name in OF_STATEMENT], 1).astype(np.float32)


def _best_offers(evidence: ReadEvidence) -> NDArray[np.float64]:
    """The score of the best answer that is read in each statement, shape (statements,)."""
    found = np.full(len(evidence.statements), UNREAD)
    for offer in evidence.offers:
        found[offer.place] = max(found[offer.place], offer.score)
    return found


def _keys_of(passage: Passage) -> frozenset[str]:
    """What a text is compared by; its dates in numbers also by the names of their months."""
    return frozenset(keys(f"{passage.text} {worded_dates(passage.text)}"))


def _words_of(passage: Passage) -> str:
    return " ".join(keys(passage.text))


def _facts(statement: EvidenceStatement) -> list[frozenset[str]]:
    return [
        frozenset(keys(f"{fact.subject} {fact.predicate} {fact.object}"))
        for fact in statement.facts
    ]
