"""The laws of the beam search over statements (HLG eq. 5-8)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from hlg.retrieval.arrays.build import csr
from hlg.retrieval.arrays.snapshot import Csr
from hlg.retrieval.view.beam import Beam, BeamLimits, beam_search, rarest_shared

DIMENSIONS = 6


@dataclass(frozen=True)
class World:
    """A random graph of statements with a question and seeds."""

    query: NDArray[np.float32]
    embeddings: NDArray[np.float16]
    mentions: Csr
    entity_statements: Csr
    seeds: NDArray[np.int64]

    @property
    def cosines(self) -> NDArray[np.float32]:
        return np.asarray(self.embeddings.astype(np.float32) @ self.query, np.float32)

    def search(self, limits: BeamLimits, seeds: Sequence[int] = ()) -> Beam:
        return beam_search(
            self.cosines,
            self.embeddings,
            self.mentions,
            self.entity_statements,
            np.array(seeds) if seeds else self.seeds,
            limits,
        )


@st.composite
def worlds(draw: st.DrawFn) -> World:
    size = draw(st.integers(1, 24))
    entities = draw(st.integers(1, 8))
    links = draw(
        st.lists(
            st.tuples(st.integers(0, size - 1), st.integers(0, entities - 1)), max_size=3 * size
        )
    )
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    vectors = rng.standard_normal((size + 1, DIMENSIONS))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    pairs = np.array(links, np.int32).reshape(-1, 2)
    seeds = draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=5))
    return World(
        vectors[0].astype(np.float32),
        vectors[1:].astype(np.float16),
        csr(pairs, size),
        csr(pairs[:, ::-1], entities),
        np.array(seeds),
    )


limits = st.builds(
    BeamLimits,
    width=st.integers(1, 6),
    depth=st.integers(0, 4),
    max_degree=st.integers(1, 12),
    max_neighbours=st.integers(1, 10),
)


def naive_score(world: World, path: list[int]) -> float:
    """eq. 6 and 7 as they are printed."""
    vectors = world.embeddings[path].astype(np.float64)
    query = world.query.astype(np.float64)
    similarity = world.cosines[path].astype(np.float64)
    alpha = np.exp(similarity) / np.exp(similarity).sum()
    embedding = (alpha[:, None] * vectors).sum(axis=0)
    return float(embedding @ query / np.linalg.norm(embedding))


def paths(beam: Beam) -> list[list[int]]:
    return [
        row[: depth + 1].tolist()
        for row, depth in zip(beam.statements, beam.depths.tolist(), strict=True)
    ]


@given(worlds(), limits)
def test_scores_are_those_of_the_paper(world: World, limits: BeamLimits) -> None:
    beam = world.search(limits)
    for path, score in zip(paths(beam), beam.scores, strict=True):
        assert abs(naive_score(world, path) - score) < 1e-6


@given(worlds(), limits)
def test_a_child_scores_more_than_its_parent(world: World, limits: BeamLimits) -> None:
    for path in paths(world.search(limits)):
        scores = [naive_score(world, path[: i + 1]) for i in range(len(path))]
        assert all(parent < child for parent, child in pairwise(scores))


@given(worlds(), limits)
def test_width_depth_and_seeds_bound_what_is_found(world: World, limits: BeamLimits) -> None:
    beam = world.search(limits)
    seeds = set(world.seeds.tolist())
    finds = beam.ends[beam.depths > 0].tolist()
    assert set(beam.ends[beam.depths == 0].tolist()) == seeds
    assert (np.diff(beam.scores[beam.depths == 0]) <= 0).all(), "best seeds come first"
    assert seeds.isdisjoint(finds)
    assert len(set(finds)) == len(finds)
    assert beam.depths.max() <= limits.depth
    assert all((beam.depths == depth).sum() <= limits.width for depth in range(1, limits.depth + 1))
    assert all(path[0] in seeds for path in paths(beam))


@given(worlds(), limits)
def test_steps_lead_through_shared_entities_that_are_not_hubs(
    world: World, limits: BeamLimits
) -> None:
    beam = world.search(limits)
    degrees = world.entity_statements.degrees()
    for path, entities in zip(paths(beam), beam.entities, strict=True):
        for (one, other), entity in zip(pairwise(path), entities.tolist(), strict=False):
            assert entity in world.mentions.row(one)
            assert entity in world.mentions.row(other)
            assert degrees[entity] <= limits.max_degree
    assert (degrees[beam.not_walked] > limits.max_degree).all()


@given(worlds(), limits)
def test_a_union_is_what_a_beam_from_each_seed_finds(world: World, limits: BeamLimits) -> None:
    alone = [world.search(limits, [seed]) for seed in set(world.seeds.tolist())]
    best: dict[int, float] = {}
    for beam in alone:
        for end, score in zip(beam.ends.tolist(), beam.scores.tolist(), strict=True):
            best[end] = max(best.get(end, -1.0), score)
    union = world.search(replace(limits, union=True))
    assert dict(zip(union.ends.tolist(), union.scores.tolist(), strict=True)) == best
    assert len(union.ends) == len(best)
    every = {tuple(path) for beam in alone for path in paths(beam)}
    assert {tuple(path) for path in paths(union)} <= every
    assert union.not_walked.tolist() == sorted({e for b in alone for e in b.not_walked.tolist()})
    assert union.left_out == sum(beam.left_out for beam in alone)


@given(worlds(), limits, st.randoms(use_true_random=False))
def test_the_order_of_neighbours_and_seeds_changes_nothing(
    world: World, limits: BeamLimits, random: object
) -> None:
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]

    def shuffled(links: Csr) -> Csr:
        rows = [rng.permutation(links.row(i)) for i in range(len(links.indptr) - 1)]
        return Csr(links.indptr, np.concatenate([*rows, np.zeros(0, np.int32)]).astype(np.int32))

    other = replace(
        world,
        mentions=shuffled(world.mentions),
        entity_statements=shuffled(world.entity_statements),
        seeds=rng.permutation(np.repeat(world.seeds, 2)),
    )
    one, two = world.search(limits), other.search(limits)
    np.testing.assert_array_equal(one.statements, two.statements)
    np.testing.assert_array_equal(one.scores, two.scores)
    np.testing.assert_array_equal(one.entities, two.entities)


@settings(max_examples=60)
@given(worlds(), st.integers(0, 3))
def test_an_unbounded_beam_finds_what_a_naive_one_does(world: World, depth: int) -> None:
    beam = world.search(BeamLimits(10**6, depth, 10**6, 10**6))
    found = {tuple(path) for path in paths(beam)}
    frontier = [[seed] for seed in sorted(set(world.seeds.tolist()))]
    seen = {path[0] for path in frontier}
    expected = {tuple(path) for path in frontier}
    for _ in range(depth):
        children: dict[int, tuple[float, list[int]]] = {}
        for path in frontier:
            for entity in world.mentions.row(path[-1]):
                for end in world.entity_statements.row(int(entity)).tolist():
                    score = naive_score(world, [*path, end])
                    if end in seen or score <= naive_score(world, path) + 1e-6:
                        continue
                    if end not in children or score > children[end][0]:
                        children[end] = (score, [*path, end])
        frontier = [path for _, path in children.values()]
        seen |= children.keys()
        expected |= {tuple(path) for path in frontier}
    assert found == expected


def chain(links: list[tuple[int, int]], vectors: list[list[float]], seeds: list[int]) -> World:
    pairs = np.array(links, np.int32)
    embeddings = np.array(vectors, np.float32)
    embeddings /= np.linalg.norm(embeddings, axis=1, keepdims=True)
    return World(
        np.eye(2, dtype=np.float32)[0],
        embeddings.astype(np.float16),
        csr(pairs, len(vectors)),
        csr(pairs[:, ::-1], int(pairs[:, 1].max()) + 1),
        np.array(seeds),
    )


def test_neighbours_that_share_more_come_first() -> None:
    world = chain(
        [(0, 0), (0, 1), (1, 0), (2, 0), (2, 1)],
        [[1.0, -2.0], [1.0, 0.9], [1.0, 1.0]],
        seeds=[0],
    )
    beam = world.search(BeamLimits(depth=1, max_neighbours=1))
    assert beam.ends[beam.depths == 1].tolist() == [2]
    assert beam.left_out == 1


def test_a_guide_chooses_the_children_that_stay() -> None:
    world = chain(
        [(i, 0) for i in range(4)],
        [[1.0, -2.0], [1.0, 1.0], [1.0, 1.1], [1.0, 1.2]],
        seeds=[0],
    )
    beam = beam_search(
        world.cosines,
        world.embeddings,
        world.mentions,
        world.entity_statements,
        world.seeds,
        BeamLimits(width=2, depth=1),
        lambda rows: rows.astype(np.float64),
    )
    assert sorted(beam.ends[beam.depths == 1].tolist()) == [2, 3]


def test_the_rarest_shared_entity_names_the_step() -> None:
    links = csr(np.array([(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)], np.int32), 3)
    back = csr(np.array([(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)], np.int32), 2)
    assert rarest_shared(np.array([[0, 1], [0, 2]], np.int32), links, back).tolist() == [1, 0]


def test_an_empty_graph_gives_an_empty_beam() -> None:
    nothing = csr(np.zeros((0, 2), np.int32), 0)
    beam = beam_search(
        np.zeros(0, np.float32),
        np.zeros((0, 4), np.float16),
        nothing,
        nothing,
        np.zeros(0, np.int64),
        BeamLimits(),
    )
    assert len(beam.scores) == 0
