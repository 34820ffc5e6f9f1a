"""What a store answers beside the graph's own records: where walks start, what continues them,
and what it knows of its graph."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Keywords: TypeAlias = Mapping[str, Sequence[str]]
"""Keywords, each with the ids of the entities that it stands for."""
Row: TypeAlias = dict[str, object]
"""One exported node or edge, plain values only."""
Vector: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Relations:
    """All RELATES_TO of a graph as columns, in no order: ids (``S32``) at both ends, weights (how
    many statements support it, times its confidence)."""

    sources: NDArray[np.bytes_]
    targets: NDArray[np.bytes_]
    weights: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FactSupport:
    """A statement that supports a fact; ``object_id`` is None where the object is a value.
    ``confidence`` is the fact's."""

    subject_id: str
    subject_name: str
    object_id: str | None
    fact_id: str
    statement_id: str
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Reach:
    """How far a walk over relations goes: ``hops`` from where it starts, not through an entity
    in more than ``max_degree`` statements, to at most ``max_paths`` new entities a hop."""

    hops: int
    max_degree: int
    max_paths: int


@dataclass(frozen=True, slots=True)
class Reached:
    """An entity that a walk over RELATES_TO reached, from the entity ``via`` (None: a start).

    ``degree`` counts the statements that mention it, ``weight`` is how far it joins them
    (:func:`hlg.schema.link_weight`); ``starts`` are, of a start, the ids which it was given as.
    """

    id: str
    name: str
    degree: int
    hop: int
    via: str | None = None
    starts: tuple[str, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class ChunksAround:
    """Entities that a walk reached, the nearest hop first, and the chunks that mention them or are
    nearest to the question.

    ``mentions`` are pairs (entity id, chunk id); ``cosines`` those of chunks that have a
    vector; ``not_walked`` maps entities too common to walk through to their degree.
    """

    reached: tuple[Reached, ...]
    mentions: tuple[tuple[str, str], ...]
    cosines: Mapping[str, float]
    not_walked: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class GraphInfo:
    """What a store knows of its graph. ``revision`` changes with every write."""

    revision: str
    embedder: str
    dimensions: int
    schema_version: int


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """What database a store runs on, and the indexes that do not answer there, with why."""

    version: str
    indexes: int
    faulty: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Seed:
    """A statement that a walk may start from: its cosine with the question, how many of the
    question's keywords it names, and the cosine of its topic where that led to it."""

    id: str
    cosine: float
    keywords: int = 0
    topic_cosine: float | None = None


@dataclass(frozen=True, slots=True)
class WalkedPath:
    """A path of statements over entities, from a seed to its end.

    Its vector v is the sum of its statements' vectors by their ``weights`` (HLG eq. 6
    without the denominator); ``along`` is v·q with the question q, ``square`` |v|², and
    ``score`` the cosine of both (eq. 7). ``entities`` names what leads to each next statement;
    ``beam`` is the number of the beam that it is of, where there are several (eq. 8).
    """

    statements: tuple[str, ...]
    entities: tuple[str, ...]
    weights: tuple[float, ...]
    along: float
    square: float
    score: float
    beam: int = 0


@dataclass(frozen=True, slots=True)
class Continuation:
    """A statement that continues a path over a shared entity.

    ``path`` is the path's position, ``via`` the rarest shared entity's name, ``cosine`` that
    with the question, ``product`` the inner product with the path's vector; its text and
    details are there where they were asked for.
    """

    path: int
    id: str
    via: str
    cosine: float
    product: float
    text: str = ""
    details: str = ""


@dataclass(frozen=True, slots=True)
class WalkStep:
    """What a walk asks next: what continues ``paths`` towards the question's ``vector``.

    ``seen`` are ids of statements by the number of the beam; ``texts`` asks for what the
    statements say, for a walk that a model guides. The bounds are those of
    :meth:`hlg.store.base.GraphStore.continuations`.
    """

    paths: Sequence[WalkedPath]
    vector: Vector
    seen: Sequence[Collection[str]]
    max_degree: int
    max_neighbours: int
    limit: int
    texts: bool = False
