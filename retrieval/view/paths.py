"""Statements as candidates: by the keywords that they name, and at the end of a path."""

from collections.abc import Sequence

from hlg.retrieval.base import STATEMENT, Candidate, Step


def named_candidate(id_: str, keywords: int, cosine: float) -> Candidate:
    """A statement that names keywords; any keyword outweighs every cosine."""
    signals = {"keywords": float(keywords), "cosine": cosine}
    return Candidate(STATEMENT, id_, keywords + (1 + cosine) / 2, signals)


def told_of_union(beams: int, paths: int) -> str:
    """The note on what one beam a seed took (eq. 8)."""
    return f"{beams} beams, one a seed, walked {paths} paths"


def with_path(
    end: Candidate, score: float, statements: Sequence[str], entities: Sequence[str]
) -> Candidate:
    """The end of a path, scored by it; ``entities`` names what leads to each next statement."""
    steps = [Step(STATEMENT, statements[0])]
    for statement, entity in zip(statements[1:], entities, strict=True):
        steps.append(Step(STATEMENT, statement, "Entity", entity))
    signals = {**end.signals, "path": score, "depth": float(len(entities))}
    return Candidate(end.label, end.id, score, signals, tuple(steps))
