"""What is asked of a store wrongly, or of nothing, ends in the same way on every store."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from hlg.errors import StoreMismatch
from hlg.records import SourceGraph
from hlg.store import GraphStore
from hlg.store.records import ChunksAround, Reach, WalkedPath, WalkStep
from hlg.subgraph import Subgraph
from support.graphs import DIMENSIONS, source_graph, unit_vectors
from support.stores import KEPT, StorePlace

Asked = Callable[[GraphStore], Any]
VECTOR = unit_vectors(1, seed=3)[0]
ZERO = np.zeros(DIMENSIONS, np.float32)
UNKNOWN = "f" * 32
WALK = {"max_degree": 100, "max_neighbours": 5, "limit": 5}
REACH = Reach(hops=1, max_degree=100, max_paths=5)
NOTHING_AROUND = ChunksAround((), (), {}, {})


def graph() -> SourceGraph:
    founded = ("Ada Thorne", "founded", "Helix")
    return source_graph("a.txt", [("Ada Thorne founded Helix.", [founded]), ("It grew.", [])])


def path_from(id_: str) -> WalkedPath:
    return WalkedPath((id_,), (), (1.0,), 0.1, 1.0, 0.1)


@pytest.fixture(scope="module")
def filled(kept_place: StorePlace) -> Iterator[GraphStore]:
    store = kept_place.open(KEPT)
    store.write([graph()])
    yield store
    store.close()


def by_vector(vector: np.ndarray) -> dict[str, Asked]:
    """All that is asked with a question's vector."""
    start = graph().statements[0].id
    entity = graph().entities[0].id
    return {
        "vector_search": lambda store: store.vector_search("Statement", vector, 5),
        "seeds": lambda store: store.seeds(vector, 5, ["ada thorne"], lambda found: {}),
        "topics": lambda store: store.seeds(vector, 5, [], lambda found: {}, topics=2),
        "continuations": lambda store: store.continuations(
            WalkStep([path_from(start)], vector, [[]], **WALK)
        ),
        "chunks_around": lambda store: store.chunks_around([entity], vector, REACH),
        "nearest_communities": lambda store: store.nearest_communities(vector, 5),
    }


@pytest.mark.parametrize("name", by_vector(VECTOR))
class TestVectors:
    @pytest.mark.parametrize(
        "vector",
        [
            np.ones(DIMENSIONS + 1, np.float32),
            np.ones(0, np.float32),
            np.ones((1, DIMENSIONS), np.float32),
            np.full(DIMENSIONS, np.nan, np.float32),
            np.full(DIMENSIONS, np.inf, np.float32),
        ],
        ids=["longer", "empty", "matrix", "nan", "infinite"],
    )
    def test_one_of_another_kind_is_refused(
        self, filled: GraphStore, name: str, vector: np.ndarray
    ) -> None:
        with pytest.raises(StoreMismatch) as caught:
            by_vector(vector)[name](filled)
        assert caught.value.address == filled.address

    def test_one_of_zeros_is_near_to_nothing(self, filled: GraphStore, name: str) -> None:
        assert by_vector(ZERO)[name](filled) in ([], ([], []), ([], {}), NOTHING_AROUND)


WRONG: dict[str, Asked] = {
    "vectors of facts": lambda store: store.vector_search("Fact", VECTOR, 5),
    "vectors of nothing": lambda store: store.vector_search("Nothing", VECTOR, 5),
    "words of topics": lambda store: store.text_search("Topic", "x", 5),
    "words of nothing": lambda store: store.text_search("statement", "x", 5),
    "passages of topics": lambda store: store.passages("Topic", []),
    "evidence of entities": lambda store: store.evidence("Entity", []),
    "evidence of nothing": lambda store: store.evidence("Nothing", []),
    "around statements": lambda store: store.around("Statement", []),
    "embeddings of facts": lambda store: store.embeddings("Fact", []),
    "nodes of nothing": lambda store: store.nodes("Nothing) DETACH DELETE (n"),
    "edges of nothing": lambda store: store.edges("NOTHING", ("Entity", "Fact")),
    "edges the other way": lambda store: store.edges("SUBJECT", ("Fact", "Entity")),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_label_that_has_no_such_thing_is_a_fault_of_the_program(
    filled: GraphStore, name: str
) -> None:
    with pytest.raises(ValueError, match=r"Nothing|NOTHING|Topic|Entity|Statement|statement|Fact"):
        WRONG[name](filled)


NONE_ASKED: dict[str, tuple[Asked, Any]] = {
    "no community yet": (lambda store: store.vector_search("Community", VECTOR, 5), []),
    "no vector hits": (lambda store: store.vector_search("Statement", VECTOR, 0), []),
    "less than none": (lambda store: store.vector_search("Statement", VECTOR, -1), []),
    "no words' hits": (lambda store: store.text_search("Statement", "Ada", -1), []),
    "no words": (lambda store: store.text_search("Statement", " ?! ", 5), []),
    "empty text": (lambda store: store.text_search("Statement", "", 5), []),
    "no seeds": (lambda store: store.seeds(VECTOR, -1, ["ada thorne"], lambda x: {}), ([], [])),
    "no paths": (lambda store: store.continuations(WalkStep([], VECTOR, [], **WALK)), ([], {})),
    "no starts": (lambda store: store.chunks_around([], VECTOR, REACH), NOTHING_AROUND),
    "weighed nothing": (lambda store: store.weighed_evidence({}, VECTOR), (Subgraph(), {})),
    "no near communities": (lambda store: store.nearest_communities(VECTOR, -1), []),
    "no names": (lambda store: store.entities_named([]), []),
    "no topics": (lambda store: store.statements_of_topics([]), []),
    "no entities": (lambda store: store.statements_of_entities([]), []),
    "no supports": (lambda store: store.fact_supports([]), []),
    "no communities": (lambda store: store.communities([]), []),
    "no passages": (lambda store: store.passages("Chunk", []), []),
    "no statements": (lambda store: store.statements_in_chunks([]), ([], [])),
    "no sources": (lambda store: store.read([]), []),
    "no evidence": (lambda store: store.evidence("Statement", []).nodes, ()),
    "nothing around": (lambda store: store.around("Entity", []).nodes, ()),
    "unknown name": (lambda store: store.entities_named(["nobody"]), []),
    "unknown topic": (lambda store: store.statements_of_topics([UNKNOWN]), []),
    "unknown entity": (lambda store: store.statements_of_entities([UNKNOWN]), []),
    "unknown subject": (lambda store: store.fact_supports([UNKNOWN]), []),
    "unknown community": (lambda store: store.communities([UNKNOWN]), []),
    "unknown passage": (lambda store: store.passages("Statement", [UNKNOWN]), []),
    "unknown source": (lambda store: store.read([UNKNOWN]), []),
    "unknown evidence": (lambda store: store.evidence("Statement", [UNKNOWN]), Subgraph()),
    "unknown chunk": (lambda store: store.evidence("Chunk", [UNKNOWN]), Subgraph()),
    "around an unknown entity": (lambda store: store.around("Entity", [UNKNOWN]), Subgraph()),
    "around an unknown source": (lambda store: store.around("Source", [UNKNOWN]), Subgraph()),
    "around no community": (lambda store: store.around("Community", [UNKNOWN]), Subgraph()),
    "unknown start": (
        lambda store: store.chunks_around([UNKNOWN], VECTOR, REACH),
        NOTHING_AROUND,
    ),
    "unknown path": (
        lambda store: store.continuations(WalkStep([path_from(UNKNOWN)], VECTOR, [[]], **WALK)),
        ([], {}),
    ),
}


@pytest.mark.parametrize("name", NONE_ASKED)
def test_of_nothing_nothing_is_found(filled: GraphStore, name: str) -> None:
    ask, wanted = NONE_ASKED[name]
    assert ask(filled) == wanted


def test_vectors_of_no_nodes_have_the_dimensions_of_the_graph(filled: GraphStore) -> None:
    assert filled.embeddings("Statement", []).shape == (0, DIMENSIONS)
    assert not filled.embeddings("Statement", [UNKNOWN]).any()


def test_nothing_deleted_is_nothing_changed(filled: GraphStore) -> None:
    before = filled.info()
    assert filled.delete([]) == filled.delete([UNKNOWN]) == 0
    assert filled.info() == before
