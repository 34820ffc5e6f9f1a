"""What was found mapped back to what is read: statements to the chunks that they stand in
(HLG §6.4), chunks to the larger ones that they are part of (thesis §3.1.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hlg.records import Passage
from hlg.retrieval.base import CHUNK, STATEMENT, Candidate, Step


def chunks_of_statements(
    statements: Sequence[Candidate], passages: Mapping[str, Passage], chunks: Mapping[str, Passage]
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


def parents_of_chunks(
    chunks: Sequence[Candidate], passages: Mapping[str, Passage]
) -> list[Candidate]:
    """Chunks as the larger ones that they are part of, each once, at its best part's place and
    with its score; a chunk that is part of none stays.

    The part stays on the path.

    :param passages: the chunks, by id.
    """
    found: dict[str, Candidate] = {}
    for chunk in chunks:
        id_ = passages[chunk.id].chunk_id
        if id_ == chunk.id:
            found.setdefault(id_, chunk)
        elif id_ not in found:
            found[id_] = replace(chunk, id=id_, path=chunk.path or (Step(CHUNK, chunk.id),))
    return list(found.values())
