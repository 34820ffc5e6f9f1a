"""What entities relate to, hop by hop: one pure function over a snapshot's arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.snapshot import Csr
from hlg.store.records import Reach


@dataclass(frozen=True, slots=True)
class RelatedRows:
    """Entities that a walk reached: rows, the hop of each, the place here of the one that it
    came from (-1: a start); and the entities that were too common to walk through."""

    rows: NDArray[np.int64]
    hops: NDArray[np.int64]
    via: NDArray[np.int64]
    not_walked: NDArray[np.int64]


def related_rows(
    relations: Csr,
    weights: NDArray[np.float32],
    degrees: NDArray[np.int64],
    starts: NDArray[np.integer],
    reach: Reach,
) -> RelatedRows:
    """The starts and what they relate to (thesis, eq. 6-7), each entity once, at its first hop.

    At most ``max_paths`` new entities a hop, over the heaviest relations; ties by row.
    Entities of more than ``max_degree`` are neither reached nor walked through.

    :param degrees: by entity how common it is.
    """
    rows = np.unique(starts).astype(np.int64)
    hop_of = np.zeros(len(rows), np.int64)
    via = np.full(len(rows), -1, np.int64)
    known = np.zeros(len(degrees), bool)
    known[rows] = True
    over = np.zeros(0, np.int64)
    frontier = np.arange(len(rows))
    for hop in range(1, reach.hops + 1):
        common = degrees[rows[frontier]] > reach.max_degree
        over = np.concatenate([over, rows[frontier[common]]])
        found, origins = _heaviest(relations, weights, rows[frontier[~common]])
        fresh = np.flatnonzero(~known[found] & (degrees[found] <= reach.max_degree))
        fresh = fresh[: reach.max_paths]
        found, origins = found[fresh], frontier[~common][origins[fresh]]
        order = np.argsort(found)
        found, origins = found[order], origins[order]
        known[found] = True
        frontier = np.arange(len(rows), len(rows) + len(found))
        rows = np.concatenate([rows, found])
        hop_of = np.concatenate([hop_of, np.full(len(found), hop)])
        via = np.concatenate([via, origins])
    return RelatedRows(rows, hop_of, via, over)


def _heaviest(
    relations: Csr, weights: NDArray[np.float32], rows: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The targets of some rows, each once, by the weight of its heaviest link, and the place
    in ``rows`` which that link comes from."""
    origins, places = relations.places(rows)
    targets = relations.indices[places].astype(np.int64)
    order = np.lexsort((rows[origins], targets, -weights[places]))
    _, first = np.unique(targets[order], return_index=True)
    order = order[np.sort(first)]
    return targets[order], origins[order]
