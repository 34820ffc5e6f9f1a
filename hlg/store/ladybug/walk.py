"""Walking in a Ladybug file, one hop a statement, as its planner wants it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from hlg.names import normalize_name
from hlg.store.records import Continuation, WalkedPath, WalkStep
from hlg.store.shared import kinds, reading
from hlg.store.shared.reading import Named, Run
from hlg.store.shared.relating import EntityGroup, groups_of
from hlg.store.shared.text import decode_text


def continuations(
    run: Run, named: Named, step: WalkStep
) -> tuple[list[Continuation], dict[str, int]]:
    """See :meth:`hlg.store.base.GraphStore.continuations`."""
    ends = [path.statements[-1] for path in step.paths]
    names_of, entities_of, common = _names(run, named, ends, step.max_degree)
    owner = {id_: key for key, entities in entities_of.items() for id_ in entities.ids}
    statements_of: dict[str, set[str]] = defaultdict(set)
    for entity, statement in reading.statements_mentioning(run, list(owner)):
        statements_of[owner[entity]].add(statement)
    everywhere = set(step.seen[0]).intersection(*step.seen)
    fresh = set().union(*statements_of.values()) - everywhere
    cosines = reading.cosines(run, "Statement", fresh, step.vector.tolist())
    shared = {end: _most_shared(names_of[end], statements_of, cosines) for end in set(ends)}
    seen = [set(each) - everywhere for each in step.seen]
    found = [
        Continuation(i, id_, _rarest(entities_of, keys), cosines[id_], 0.0)
        for i, (path, end) in enumerate(zip(step.paths, ends, strict=True))
        for id_, keys in islice(
            ((id_, keys) for id_, keys in shared[end] if id_ not in seen[path.beam]),
            step.max_neighbours,
        )
    ]
    products = _products(run, step.paths, found, len(step.vector))
    found = [
        Continuation(each.path, each.id, each.via, each.cosine, float(product))
        for each, product in zip(found, products, strict=True)
    ]
    return _with_texts(run, found) if step.texts else found, common


def _with_texts(run: Run, found: Sequence[Continuation]) -> list[Continuation]:
    """Continuations with what their statements say."""
    rows = reading.graph_rows(run, "Statement", dict.fromkeys(each.id for each in found))
    said = {row["id"]: (decode_text(row["text"]), decode_text(row["details"])) for row in rows}
    return [replace(each, text=said[each.id][0], details=said[each.id][1]) for each in found]


def _names(
    run: Run, named: Named, ends: Sequence[str], max_degree: int
) -> tuple[Mapping[str, set[str]], dict[str, EntityGroup], dict[str, int]]:
    """By statement its entities' normalised names; by name its entities, where they are few
    enough to be walked; and by name for people the degree of the others."""
    mentions = reading.edge_pairs(run, kinds.MENTIONS, dict.fromkeys(ends))
    seen = reading.seen_entities(run, {entity for _, entity in mentions})
    key_of = {each.entity.id: normalize_name(each.entity.name) for each in seen}
    names_of: dict[str, set[str]] = defaultdict(set)
    for statement, entity in mentions:
        names_of[statement].add(key_of[entity])
    groups = groups_of(run, named, seen)
    walked = {group.key: group for group in groups if group.degree <= max_degree}
    common = {group.name: group.degree for group in groups if group.key not in walked}
    return names_of, walked, common


def _most_shared(
    names: set[str], statements_of: Mapping[str, set[str]], cosines: Mapping[str, float]
) -> list[tuple[str, list[str]]]:
    """Neighbours with the names that they share, most shared first, then the nearest."""
    shared: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names & statements_of.keys()):
        for statement in statements_of[name] & cosines.keys():
            shared[statement].append(name)
    return sorted(shared.items(), key=lambda x: (-len(x[1]), -cosines[x[0]], x[0]))


def _rarest(entities_of: Mapping[str, EntityGroup], keys: Sequence[str]) -> str:
    return entities_of[min(keys, key=lambda key: (entities_of[key].degree, key))].name


def _products(
    run: Run, paths: Sequence[WalkedPath], found: Sequence[Continuation], dimensions: int
) -> NDArray[np.float32]:
    """The inner product of each continuation and its path's vector, shape (len(found),)."""
    members = dict.fromkeys(id_ for path in paths for id_ in path.statements)
    ids = list(dict.fromkeys([*members, *(each.id for each in found)]))
    vectors = reading.embeddings(run, "Statement", ids, dimensions)
    row = {id_: i for i, id_ in enumerate(ids)}
    sums = np.zeros((len(paths), dimensions), np.float32)
    for i, path in enumerate(paths):
        weights = np.array(path.weights, np.float32)
        sums[i] = weights @ vectors[[row[id_] for id_ in path.statements]]
    products: NDArray[np.float32] = np.einsum(
        "ij,ij->i",
        sums[[each.path for each in found]],
        vectors[[row[each.id] for each in found]],
    )
    return products
