"""The layered beam search over statements (HLG eq. 5-8), as one pure function over arrays.

At each depth all paths expand at once over shared entities, and the best children of all
stay; or, of each seed, those of its own beam (eq. 8). A path's vector is the mean of its
statements' vectors, weighted by the softmax of their similarity to the question (eq. 6); its
score is the cosine of that vector and the question (eq. 7). The softmax's denominator cancels
out of a cosine, so a path carries only its unnormalised sum v = Σ exp(a_i) s_i, with v·q and
|v|², and a child costs one dot product: v·s.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hlg.retrieval.arrays.snapshot import Csr
from hlg.retrieval.arrays.vectors import best, decode_rows

MIN_GAIN = 1e-6
"""A child scores better than its parent by more than rounding."""
_DECIMALS = 7
"""Scores are rounded to this many, so that equal ones are ties and ids decide."""
_PAIRS_AT_ONCE = 2_048
GUIDED = 2
"""A guide is shown this many times the beam's width of children, the best by path score."""

Guide = Callable[[NDArray[np.int32]], NDArray[np.floating]]
"""Scores statements by row, as a reranker does."""


@dataclass(frozen=True, slots=True)
class BeamLimits:
    """How far and how wide a beam search goes.

    ``width``: children that stay at a depth; ``depth``: steps from a seed; ``max_degree``:
    an entity in more statements is not walked through; ``max_neighbours``: neighbours
    looked at from one path, those first that share more entities, then the nearest;
    ``union``: each seed has a beam of its own, which finds other seeds as well, and all that
    they find counts (eq. 8): up to as many times the work as there are seeds.
    """

    width: int = 50
    depth: int = 3
    max_degree: int = 200
    max_neighbours: int = 100
    union: bool = False


@dataclass(frozen=True, slots=True)
class Beam:
    """Paths: the seeds, then the finds by depth, best first; each ends in another statement.

    ``statements`` has shape (n, depth + 1), -1 behind the end of shorter paths;
    ``entities[i, j]`` leads from ``statements[i, j]`` to the next, shape (n, depth);
    ``not_walked`` are the entities that were over ``max_degree``, ascending;
    ``left_out`` counts the neighbours beyond ``max_neighbours``, ``walked`` the paths of all
    beams, of which the best to each statement are here.
    """

    statements: NDArray[np.int32]
    entities: NDArray[np.int32]
    scores: NDArray[np.float64]
    depths: NDArray[np.int32]
    not_walked: NDArray[np.int32]
    left_out: int
    walked: int

    @property
    def ends(self) -> NDArray[np.int32]:
        """The statement that each path ends in."""
        return self.statements[np.arange(len(self.depths)), self.depths]


@dataclass(frozen=True, slots=True)
class _Paths:
    """The paths of one depth, beam by beam, best first: the beam that each is of, ends, sums v,
    v·q, |v|², scores and histories."""

    beams: NDArray[np.int64]
    ends: NDArray[np.int32]
    sums: NDArray[np.float32]
    along: NDArray[np.float64]
    squares: NDArray[np.float64]
    scores: NDArray[np.float64]
    statements: NDArray[np.int32]


def beam_search(
    cosines: NDArray[np.float32],
    embeddings: NDArray[np.float16],
    mentions: Csr,
    mentioned: Csr,
    seeds: NDArray[np.integer],
    limits: BeamLimits,
    guide: Guide | None = None,
) -> Beam:
    """GraphView from seed statements to what continues them towards the question.

    A beam reaches a statement once, by the first depth that it enters, and never its own seeds;
    what several beams reach is there by its best path. Ties go to the lower row, so the order
    of seeds and neighbours changes nothing.

    :param cosines: of every statement and the question, shape (n,).
    :param embeddings: of every statement, shape (n, d), unit length.
    :param mentions: statement to entities.
    :param mentioned: entity to statements, its transpose.
    :param seeds: rows of statements.
    :param guide: what chooses the children that stay, in place of their path score; they
        have to improve on their parents all the same.
    """
    paths = _start(cosines, embeddings, np.unique(seeds).astype(np.int32), limits)
    seen = np.zeros((len(seeds) if limits.union else 1, len(cosines)), bool)
    seen[paths.beams, paths.ends] = True
    layers = [paths]
    hubs: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    left_out = 0
    for _ in range(limits.depth):
        parents, neighbours, over, cut = _expand(paths, cosines, mentions, mentioned, seen, limits)
        hubs.append(over)
        left_out += cut
        paths = _best_children(paths, parents, neighbours, cosines, embeddings, limits.width, guide)
        if not len(paths.ends):
            break
        seen[paths.beams, paths.ends] = True
        layers.append(paths)
    statements, scores, depths = _joined(layers)
    entities = _rarest_on_the_way(statements, mentions, mentioned)
    not_walked = np.unique(np.concatenate(hubs))
    walked = sum(len(layer.ends) for layer in layers)
    return Beam(statements, entities, scores, depths, not_walked, left_out, walked)


def path_scores(along: NDArray[np.float64], squares: NDArray[np.float64]) -> NDArray[np.float64]:
    """eq. 7 from v·q and |v|²; 0 where v is nought."""
    lengths = np.sqrt(np.maximum(squares, 0))
    scores = np.divide(along, lengths, out=np.zeros_like(along), where=lengths > 1e-9)
    return np.asarray(np.round(scores, _DECIMALS), np.float64)


def rarest_shared(pairs: NDArray[np.int32], mentions: Csr, mentioned: Csr) -> NDArray[np.int32]:
    """Of the entities that both statements of a pair mention, the one in fewest statements.

    Ties by row; -1 where they share none. ``pairs`` has shape (n, 2).
    """
    size = max(len(mentioned.indptr) - 1, 1)
    one, other = (np.unique(owners * size + held) for owners, held in map(mentions.gather, pairs.T))
    owners, shared = np.divmod(np.intersect1d(one, other, assume_unique=True), size)
    order = np.lexsort((mentioned.degrees()[shared], owners))
    owners, first = np.unique(owners[order], return_index=True)
    rarest = np.full(len(pairs), -1, np.int32)
    rarest[owners] = shared[order][first]
    return rarest


def _rarest_on_the_way(
    statements: NDArray[np.int32], mentions: Csr, mentioned: Csr
) -> NDArray[np.int32]:
    """By path and step the entity that leads to the next statement, -1 behind the end."""
    steps = np.stack([statements[:, :-1], statements[:, 1:]], -1)
    are_walked = steps[..., 1] >= 0
    pairs, place = np.unique(steps[are_walked], axis=0, return_inverse=True)
    entities = np.full(are_walked.shape, -1, np.int32)
    entities[are_walked] = rarest_shared(pairs, mentions, mentioned)[place.ravel()]
    return entities


def _start(
    cosines: NDArray[np.float32],
    embeddings: NDArray[np.float16],
    seeds: NDArray[np.int32],
    limits: BeamLimits,
) -> _Paths:
    nearness = cosines[seeds].astype(np.float64)
    weights = np.exp(nearness)
    sums = decode_rows(embeddings, seeds) * weights[:, None].astype(np.float32)
    along = weights * nearness
    squares = np.einsum("ij,ij->i", sums, sums).astype(np.float64)
    scores = path_scores(along, squares)
    beams = np.arange(len(seeds)) if limits.union else np.zeros(len(seeds), np.int64)
    order = np.lexsort((seeds, -scores, beams))
    return _Paths(
        beams[order],
        seeds[order],
        sums[order],
        along[order],
        squares[order],
        scores[order],
        seeds[order, None],
    )


def _expand(
    paths: _Paths,
    cosines: NDArray[np.float32],
    mentions: Csr,
    mentioned: Csr,
    seen: NDArray[np.bool_],
    limits: BeamLimits,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int32], int]:
    """Pairs (position of a path, statement that continues it), ordered by both; the
    entities that were not walked; and how many neighbours were left out."""
    owners, entities = mentions.gather(paths.ends)
    degrees = mentioned.indptr[entities + 1] - mentioned.indptr[entities]
    walked = degrees <= limits.max_degree
    over = entities[~walked]
    owners, entities = owners[walked], entities[walked]
    ways, neighbours = mentioned.gather(entities)
    owners = owners[ways]
    fresh = ~seen[paths.beams[owners], neighbours]
    pairs = np.sort(owners[fresh] * len(cosines) + neighbours[fresh])
    starts = runs_start(pairs)
    pairs, shared = pairs[starts], np.diff(np.append(starts, len(pairs)))
    parents, following = np.divmod(pairs, max(len(cosines), 1))
    limit = limits.max_neighbours
    chosen = _most_shared(parents, shared, cosines[following], len(paths.ends), limit)
    return parents[chosen], following[chosen], over, len(pairs) - len(chosen)


def runs_start(ordered: NDArray[np.integer]) -> NDArray[np.int64]:
    """Where each distinct value of a sorted array begins."""
    return np.flatnonzero(np.diff(ordered, prepend=-1))


def place_in_run(ordered: NDArray[np.integer]) -> NDArray[np.int64]:
    """How many of the same value are before each of a sorted array."""
    starts = runs_start(ordered)
    lengths = np.diff(np.append(starts, len(ordered)))
    return np.arange(len(ordered)) - np.repeat(starts, lengths)


def _most_shared(
    parents: NDArray[np.int64],
    shared: NDArray[np.int64],
    cosines: NDArray[np.float32],
    paths: int,
    limit: int,
) -> NDArray[np.int64]:
    """Positions of the pairs that stay: at most ``limit`` a path, those first that share
    more entities, then the nearest to the question."""
    bounds = np.searchsorted(parents, np.arange(paths + 1))
    crowded = np.flatnonzero(np.diff(bounds) > limit)
    if not len(crowded):
        return np.arange(len(parents))
    # A cosine is within [-1, 1]: one more shared entity outweighs it.
    worth = 3.0 * shared.astype(np.float32) + cosines
    stays = np.ones(len(parents), bool)
    for low, high in zip(bounds[crowded].tolist(), bounds[crowded + 1].tolist(), strict=True):
        stays[low:high] = False
        stays[low + best(worth[low:high], limit)] = True
    return np.flatnonzero(stays)


def _best_children(
    paths: _Paths,
    parents: NDArray[np.int64],
    neighbours: NDArray[np.int64],
    cosines: NDArray[np.float32],
    embeddings: NDArray[np.float16],
    width: int,
    guide: Guide | None,
) -> _Paths:
    nearness = cosines[neighbours].astype(np.float64)
    weights = np.exp(nearness)
    products, lengths = _products(paths.sums, parents, embeddings, neighbours)
    along = paths.along[parents] + weights * nearness
    squares = paths.squares[parents] + 2 * weights * products + weights**2 * lengths
    scores = path_scores(along, squares)
    beams = paths.beams[parents]
    order = kept_children(beams, parents, neighbours, scores, paths.scores[parents], width, guide)
    parent, end = parents[order], neighbours[order].astype(np.int32)
    return _Paths(
        beams[order],
        end,
        paths.sums[parent] + decode_rows(embeddings, end) * weights[order, None].astype(np.float32),
        along[order],
        squares[order],
        scores[order],
        np.hstack([paths.statements[parent], end[:, None]]),
    )


def kept_children(
    beams: NDArray[np.integer],
    parents: NDArray[np.integer],
    ends: NDArray[np.integer],
    scores: NDArray[np.float64],
    least: NDArray[np.float64],
    width: int,
    guide: Guide | None,
) -> NDArray[np.int64]:
    """Places of the best children in each beam that improve on their parents, one for each
    statement; beam by beam, best first.

    :param beams: of each child; ``parents`` its path, ``ends`` the row of its statement.
    :param least: what its parent scores.
    """
    statements = int(ends.max(initial=0)) + 1
    order = np.flatnonzero(scores > least + MIN_GAIN)
    order = order[np.lexsort((parents[order], -scores[order], ends[order], beams[order]))]
    order = order[runs_start(beams[order] * statements + ends[order])]
    order = order[np.lexsort((ends[order], -scores[order], beams[order]))]
    if guide is not None and len(order):
        order = order[place_in_run(beams[order]) < GUIDED * width]
        shown, place = np.unique(ends[order], return_inverse=True)
        order = order[np.lexsort((-guide(shown.astype(np.int32))[place], beams[order]))]
    return order[place_in_run(beams[order]) < width]


def _products(
    sums: NDArray[np.float32],
    parents: NDArray[np.int64],
    embeddings: NDArray[np.float16],
    neighbours: NDArray[np.int64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """v·s of each path and neighbour, and |s|², block by block."""
    products, lengths = np.empty(len(parents)), np.empty(len(parents))
    for low in range(0, len(parents), _PAIRS_AT_ONCE):
        block = slice(low, low + _PAIRS_AT_ONCE)
        vectors = decode_rows(embeddings, neighbours[block])
        products[block] = np.einsum("ij,ij->i", sums[parents[block]], vectors)
        lengths[block] = np.einsum("ij,ij->i", vectors, vectors)
    return products, lengths


def _joined(
    layers: list[_Paths],
) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.int32]]:
    """The paths of all depths with their scores and depths, the best to each statement."""
    widths = [layer.statements.shape[1] for layer in layers]
    statements = np.vstack(
        [
            np.pad(layer.statements, ((0, 0), (0, widths[-1] - width)), constant_values=-1)
            for layer, width in zip(layers, widths, strict=True)
        ]
    )
    scores = np.concatenate([layer.scores for layer in layers])
    ends = np.concatenate([layer.ends for layer in layers])
    depths = np.repeat(np.array(widths) - 1, [len(layer.ends) for layer in layers])
    order = np.lexsort((np.arange(len(ends)), -scores, ends))
    chosen = np.sort(order[runs_start(ends[order])])
    return statements[chosen], scores[chosen], depths[chosen].astype(np.int32)
