"""Communities of entities: Leiden over what relates to what. Pure: arrays in, arrays out.

``hierarchical`` runs the hierarchical Leiden of graspologic-native, as GraphRAG does: a
community of more than ``max_size`` members is split again, level by level. ``leiden`` runs
leidenalg on igraph and gives one level. Both maximise modularity over the whole graph
(thesis, eq. 4), or the constant Potts model (CPM). The same graph gives the same
communities, in whatever order its edges come: nodes and edges are sorted first.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from hlg.errors import UsageError
from hlg.ids import community_id, content_id
from hlg.store.records import Relations

Algorithm = Literal["hierarchical", "leiden"]
Quality = Literal["modularity", "cpm"]
ALGORITHMS: tuple[str, ...] = get_args(Algorithm)
QUALITIES: tuple[str, ...] = get_args(Quality)

MAX_SIZE = 10
"""Members at which GraphRAG splits no further."""
LARGE = 250_000
"""Edges above which Leiden goes over the graph once: a second pass takes as long as the first
and adds less than 0.001 to the modularity."""
SEED = 7
"""Leiden visits nodes in a random order; a fixed seed makes it the same one every time."""


@dataclass(frozen=True, slots=True)
class CommunityOptions:
    """How communities are found.

    ``hierarchical`` is the default: its levels are what global search chooses from, and
    its smallest communities are small enough to be told in a few sentences.

    :raises UsageError: an option is out of its range.
    """

    algorithm: str = "hierarchical"
    quality: str = "modularity"
    resolution: float = 1.0
    max_size: int = MAX_SIZE
    max_level: int | None = None
    """The last level that is kept."""
    seed: int = SEED

    def __post_init__(self) -> None:
        for option, known in (("algorithm", ALGORITHMS), ("quality", QUALITIES)):
            if (given := getattr(self, option)) not in known:
                raise UsageError(
                    f"no {option} {given!r} for communities; there are {', '.join(known)}",
                    option=option,
                    known=known,
                )
        if not 0 < self.resolution < float("inf"):
            raise UsageError(
                f"resolution={self.resolution}: it should be above 0", option="resolution"
            )
        for option, least in (("max_size", 2), ("max_level", 0)):
            if (number := getattr(self, option)) is not None and number < least:
                raise UsageError(f"{option}={number}: it should be at least {least}", option=option)


@dataclass(frozen=True, slots=True)
class RelationGraph:
    """An undirected graph: node ids ascending (``S32``); edges (m, 2) of rows, the lower one
    first, each once, ascending; their weights."""

    ids: NDArray[np.bytes_]
    edges: NDArray[np.int64]
    weights: NDArray[np.float64]


Levels: TypeAlias = NDArray[np.int64]
"""The community of each node, of shape (levels, nodes): -1 where it is in none so deep. Numbers
of communities are those of their level."""


@dataclass(frozen=True, slots=True)
class FoundCommunity:
    """A community before it has a name: members are rows of the graph, ascending.

    ``parent`` is the id of the community it is part of; ``edges_hash`` is the fingerprint
    of the edges inside it.
    """

    id: str
    level: int
    parent: str | None
    members: NDArray[np.int64]
    edges_hash: str


def relation_graph(relations: Relations, canonical: Mapping[str, str]) -> RelationGraph:
    """Relations either way and of any predicate as one edge, weights added up.

    What relates an entity to itself is left out, and so are entities that relate to nothing.

    :param canonical: by merged entity the one that it stands for.
    """
    sources = _replaced(relations.sources, canonical)
    targets = _replaced(relations.targets, canonical)
    other = sources != targets
    sources, targets = sources[other], targets[other]
    ids, rows = np.unique(np.concatenate([sources, targets]), return_inverse=True)
    one, two = rows[: len(sources)], rows[len(sources) :]
    keys, place = np.unique(
        np.minimum(one, two) * np.int64(max(len(ids), 1)) + np.maximum(one, two),
        return_inverse=True,
    )
    weights = np.bincount(place, relations.weights[other], len(keys)).astype(np.float64)
    edges = np.stack(np.divmod(keys, max(len(ids), 1)), axis=1).astype(np.int64)
    return RelationGraph(ids, edges.reshape(-1, 2), weights)


def find_communities(graph: RelationGraph, options: CommunityOptions) -> Levels:
    """The communities of a graph; no level for one without edges."""
    if not len(graph.edges):
        return np.zeros((0, len(graph.ids)), np.int64)
    if options.algorithm == "leiden":
        return _leiden(graph, options)[np.newaxis]
    levels = _hierarchical(graph, options)
    return levels if options.max_level is None else levels[: options.max_level + 1]


def found_communities(graph: RelationGraph, levels: Levels) -> list[FoundCommunity]:
    """Each community with its members, parent and fingerprint, by level and first member.

    Ids are made of level and members: what did not change has the id that it had.
    """
    found: list[FoundCommunity] = []
    id_above: dict[int, str] = {}
    for level, labels in enumerate(levels):
        hashes = _edge_hashes(graph, labels)
        ids: dict[int, str] = {}
        here: list[FoundCommunity] = []
        for label, members in _members(labels):
            names = [id_.decode() for id_ in graph.ids[members].tolist()]
            ids[label] = community_id(level, names)
            parent = None if level == 0 else id_above[int(levels[level - 1][members[0]])]
            here.append(FoundCommunity(ids[label], level, parent, members, hashes[label]))
        found += sorted(here, key=lambda community: int(community.members[0]))
        id_above = ids
    return found


def modularity(graph: RelationGraph, labels: NDArray[np.int64], resolution: float = 1.0) -> float:
    """Q of a partition (thesis, eq. 4), weighted: what lies inside, less what chance would."""
    total = graph.weights.sum()
    if not total:
        return 0.0
    one, two = graph.edges.T
    inside = graph.weights[labels[one] == labels[two]].sum() / total
    strengths = inner_strength(graph, np.zeros(len(graph.ids), np.int64))
    shares = np.bincount(labels, strengths) / (2 * total)
    return float(inside - resolution * (shares**2).sum())


def inner_strength(graph: RelationGraph, labels: NDArray[np.int64]) -> NDArray[np.float64]:
    """By node the weight of its edges to nodes of the same label (weighted degree)."""
    one, two = graph.edges.T
    inside = labels[one] == labels[two]
    ends = graph.edges[inside].ravel()
    weights = np.repeat(graph.weights[inside], 2)
    return np.bincount(ends, weights, len(graph.ids)).astype(np.float64)


def _replaced(ids: NDArray[np.bytes_], canonical: Mapping[str, str]) -> NDArray[np.bytes_]:
    if not canonical or not len(ids):
        return ids.astype("S32")
    merged = np.array(sorted(canonical), "S32")
    into = np.array([canonical[id_] for id_ in sorted(canonical)], "S32")
    place = np.minimum(np.searchsorted(merged, ids), len(merged) - 1)
    return np.where(merged[place] == ids, into[place], ids).astype("S32")


def _leiden(graph: RelationGraph, options: CommunityOptions) -> NDArray[np.int64]:
    import igraph
    import leidenalg

    network = igraph.Graph(n=len(graph.ids), edges=graph.edges)
    kinds = {
        "modularity": leidenalg.RBConfigurationVertexPartition,
        "cpm": leidenalg.CPMVertexPartition,
    }
    found = leidenalg.find_partition(
        network,
        kinds[options.quality],
        weights=graph.weights.tolist(),
        resolution_parameter=options.resolution,
        seed=options.seed,
        n_iterations=1 if len(graph.edges) > LARGE else 2,
    )
    return np.asarray(found.membership, np.int64)


def _hierarchical(graph: RelationGraph, options: CommunityOptions) -> NDArray[np.int64]:
    import graspologic_native

    # The engine numbers nodes as they come, so it is given rows as short names, in order.
    names = [str(row) for row in range(len(graph.ids))]
    found = graspologic_native.hierarchical_leiden(
        [
            (names[one], names[two], weight)
            for (one, two), weight in zip(graph.edges.tolist(), graph.weights.tolist(), strict=True)
        ],
        resolution=options.resolution,
        use_modularity=options.quality == "modularity",
        max_cluster_size=options.max_size,
        seed=options.seed,
    )
    nodes = np.array([int(entry.node) for entry in found])
    depths = np.array([entry.level for entry in found])
    levels = np.full((int(depths.max()) + 1, len(graph.ids)), -1, np.int64)
    levels[depths, nodes] = [entry.cluster for entry in found]
    return levels


def _members(labels: NDArray[np.int64]) -> list[tuple[int, NDArray[np.int64]]]:
    """The communities of a level, each with its rows, ascending."""
    rows = np.flatnonzero(labels >= 0)
    order = rows[np.argsort(labels[rows], kind="stable")]
    values, starts = np.unique(labels[order], return_index=True)
    return list(zip(values.tolist(), np.split(order, starts[1:]), strict=True))


def _edge_hashes(graph: RelationGraph, labels: NDArray[np.int64]) -> dict[int, str]:
    """By community of a level the fingerprint of the edges inside it, by the ids of their ends."""
    one, two = graph.edges.T
    inside = np.flatnonzero((labels[one] == labels[two]) & (labels[one] >= 0))
    owners = labels[one[inside]]
    inside = inside[np.argsort(owners, kind="stable")]
    values, starts = np.unique(np.sort(owners), return_index=True)
    hashes = dict.fromkeys(np.unique(labels[labels >= 0]).tolist(), content_id("edges"))
    for label, edges in zip(values.tolist(), np.split(inside, starts[1:]), strict=True):
        hashes[label] = content_id(
            "edges",
            graph.ids[graph.edges[edges]].tobytes().hex(),
            graph.weights[edges].tobytes().hex(),
        )
    return hashes
