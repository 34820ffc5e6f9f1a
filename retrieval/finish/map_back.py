"""Statements mapped back to the chunks that they stand in (HLG §6.4)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hlg.records import Passage
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Step


def chunks_of_statements(
    statements: Sequence[Candidate],
    passages: Mapping[str, Passage],
    chunks: Mapping[str, Passage],
) -> list[Candidate]:
    """The chunks of statements, each once, at its best statement's place and with its score.

    The statement stays on the path, so that it is seen what led to the chunk.

    :param passages: the statements, by id.
    :param chunks: by id; a statement whose chunk is missing is left out.
    """
    found: dict[str, Candidate] = {}
    for statement in statements:
        id_ = passages[statement.id].chunk_id
        if id_ in chunks and id_ not in found:
            path = statement.path or (Step(STATEMENT, statement.id),)
            found[id_] = replace(statement, label=CHUNK, id=id_, path=path)
    return list(found.values())
