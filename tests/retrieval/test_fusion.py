"""Fusion: what scaled scores and ranks obey, and what a hybrid search makes of them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import TfidfVectorizer

from hlg.errors import UsageError
from hlg.records import Hit
from hlg.retrieval.arrays.document_graph import DocumentGraph
from hlg.retrieval.arrays.grams import GramIndex, grams
from hlg.retrieval.arrays.vectors import decode
from hlg.retrieval.base import CHUNK, Candidate, SearchSession
from hlg.retrieval.fusion import min_max, reciprocal_rank_fusion, tm2c2, weighted_sum
from hlg.retrieval.registry import open_retriever
from hlg.retrieval.texts import text_with_details
from hlg.store import GraphStore
from support.stores import StorePlace
from support.worlds import QUESTION, open_context, open_world

SCORES = st.lists(st.just(0.0) | st.floats(1e-3, 50), min_size=1, max_size=20).map(np.array)
FACTORS = st.floats(0.01, 100)


def ranking(*ids: str, signal: str = "cosine") -> list[Candidate]:
    return [Candidate(CHUNK, id_, -i, {signal: float(i)}) for i, id_ in enumerate(ids)]


class TestScaling:
    @given(SCORES, FACTORS)
    def test_the_scale_of_a_search_does_not_matter(self, scores: np.ndarray, by: float) -> None:
        assert np.allclose(tm2c2(scores, 0), tm2c2(scores * by, 0), atol=1e-9)
        if np.ptp(scores) > 1e-6:
            assert np.allclose(min_max(scores), min_max(scores * by + 3), atol=1e-6)

    @given(SCORES, st.sampled_from([tm2c2, lambda scores, minimum: min_max(scores)]))
    def test_the_order_stays_and_the_best_is_one(self, scores: np.ndarray, scale: object) -> None:
        assert callable(scale)
        scaled = scale(scores, 0)
        assert ((scaled >= 0) & (scaled <= 1)).all()
        assert (np.diff(scaled[np.argsort(scores)]) >= 0).all()
        if scores.max() > 0:
            assert scaled[scores.argmax()] == 1

    def test_what_was_not_found_counts_nothing(self) -> None:
        assert tm2c2(np.array([0.5, np.nan, -1]), -1).tolist() == [1, 0, 0]
        assert min_max(np.array([2, np.nan, 4])).tolist() == [0, 0, 1]
        assert tm2c2(np.array([np.nan, np.nan]), 0).tolist() == [0, 0]
        assert min_max(np.array([np.nan, 3.0])).tolist() == [0, 1]

    def test_the_least_that_is_possible_is_nought_not_the_least_found(self) -> None:
        assert tm2c2(np.array([0.2, 0.4]), -1).tolist() == pytest.approx([1.2 / 1.4, 1])
        assert min_max(np.array([0.2, 0.4])).tolist() == [0, 1]

    @given(st.lists(st.floats(0, 1), min_size=3, max_size=3), FACTORS)
    def test_only_the_proportions_of_weights_count(self, weights: list[float], by: float) -> None:
        if sum(weights) < 1e-3:
            return
        scaled = np.array([[0.0, 1.0], [1.0, 0.5], [0.2, 0.2]])
        fused = weighted_sum(scaled, weights)
        assert np.allclose(fused, weighted_sum(scaled, np.array(weights) * by))
        assert (fused <= scaled.max(axis=0) + 1e-9).all()
        assert (fused >= scaled.min(axis=0) - 1e-9).all()


class TestGrams:
    def test_scores_are_the_cosines_of_tf_idf_vectors(self) -> None:
        texts = ["red ferry of Tarn", "the red red ferry", "a blue boat", ""]
        index = GramIndex.build(texts)
        reference = TfidfVectorizer(analyzer=lambda text: list(grams(text)))
        vectors = reference.fit_transform(texts)
        for question in ("red ferry", "ferry of the Tarn boat", "nothing known"):
            wanted = (vectors @ reference.transform([question]).T).toarray()[:, 0]
            assert np.allclose(index.scores(question), wanted, atol=1e-6)
        assert index.search("red red ferry", 2)[0].tolist() == [1, 0]


class TestRanks:
    def test_a_node_of_both_goes_before_one_of_either(self) -> None:
        fused = reciprocal_rank_fusion(ranking("a", "b"), ranking("c", "b", signal="bm25"))
        assert [each.id for each in fused] == ["b", "a", "c"]
        assert fused[0].score == pytest.approx(2 / 62)
        assert fused[0].signals == {"cosine": 1.0, "bm25": 1.0}

    def test_a_ranking_without_weight_decides_nothing(self) -> None:
        fused = reciprocal_rank_fusion(ranking("a", "b"), ranking("b", "a"), weights=[0, 1])
        assert [each.id for each in fused] == ["b", "a"]


class TestDocumentGraph:
    TEXTS = (
        "In 1911 Ada Vale met Bob  Ray.",
        "It was Ada Vale who met Bob Ray.",
        "Bob Ray saw Oake in 1911.",
        "nobody at all",
    )
    QUESTION = "When did Bob Ray meet Ada Vale?"
    # Text 0 shares two names each with 1 and 2, which share one: a star and a lone document.
    # c = .0375 + 1.7 r of the middle, r = .0375 + .425 c of its neighbours.
    RANKS = (0.364865, 0.192568, 0.192568, 0.0375)
    SCORES = (2 * 1.364865, 2 * 1.192568, 1.192568, 0)

    def test_its_scores_are_those_worked_out_by_hand(self) -> None:
        graph = DocumentGraph.build(self.TEXTS, range(4))
        assert graph.ranks == pytest.approx(self.RANKS, abs=1e-6)
        assert graph.scores(self.QUESTION) == pytest.approx(self.SCORES, abs=1e-5)
        assert not graph.scores("who?").any()

    @pytest.mark.parametrize(("between", "linked"), [(49, True), (50, False)])
    def test_only_documents_within_fifty_are_compared(self, between: int, linked: bool) -> None:
        order = [0, *range(2, 2 + between), 1]
        texts = ["Ada Vale, 1911", "1911: Ada Vale", *["nobody"] * between]
        ranks = DocumentGraph.build(texts, order).ranks
        assert bool(ranks[0] > ranks[2]) is linked


@pytest.fixture
def session(store: GraphStore) -> SearchSession:
    return open_context(store)


def found(
    session: SearchSession, retriever: str = "hybrid", question: str = QUESTION, **options: object
) -> list[Hit]:
    return open_retriever(retriever, session, options).retrieve(question, 5)


def ids(hits: list[Hit]) -> list[str]:
    return [hit.passage.id for hit in hits]


class TestHybrid:
    def test_its_ends_are_the_searches_themselves(self, session: SearchSession) -> None:
        assert ids(found(session, alpha=1)) == ids(found(session, "chunks"))
        words = ids(found(session, "bm25"))
        assert ids(found(session, alpha=0))[: len(words)] == words

    def test_a_score_is_the_weighted_sum_of_its_shares(self, session: SearchSession) -> None:
        for hit in found(session, "tri-modal"):
            shares = [hit.signals[f"{name}_share"] for name in ("dense", "bm25", "graph")]
            assert hit.score == pytest.approx(np.dot([0.5, 0.35, 0.15], shares), abs=1e-6)

    def test_the_paper_scales_each_score_over_all_passages(self, session: SearchSession) -> None:
        question = "Where was Edith Vale born, before 1911?"
        snapshot = session.snapshot()
        assert snapshot is not None
        passages = session.store.passages(CHUNK, snapshot.chunk_ids.astype(str).tolist())
        texts = [text_with_details(each) for each in passages]
        vectorizer = TfidfVectorizer(analyzer=lambda text: list(grams(text)))
        vectors = vectorizer.fit_transform(texts)
        words = snapshot.chunk_words
        order = sorted(range(len(texts)), key=lambda i: (passages[i].source.uri, passages[i].start))
        bm25, tf_idf, dense, graph = (
            (scores - scores.min()) / np.ptp(scores)
            for scores in (
                words.scores(words.terms(question)),
                (vectors @ vectorizer.transform([question]).T).toarray()[:, 0],
                decode(snapshot.chunk_embeddings) @ session.embedder.embed([question])[0],
                DocumentGraph.build(texts, order).scores(question),
            )
        )
        expected = 0.5 * dense + 0.35 * (bm25 + tf_idf) / 2 + 0.15 * graph
        best = np.argsort(-expected)[:5]
        hits = found(session, "tri-modal", question, paper=True)
        assert ids(hits) == [passages[i].id for i in best]
        assert [hit.score for hit in hits] == pytest.approx(expected[best], abs=1e-4)
        ranks = [
            [1 + int((scores > scores[i]).sum()) for i in range(len(texts))]
            for scores in (dense, bm25 + tf_idf)
        ]
        first = found(session, "tri-modal", question, paper=True, fusion="rrf")[0]
        place = [each.id for each in passages].index(first.passage.id)
        by_texts = sum(1 / (60 + each[place]) for each in ranks)
        assert graph[place] == 1
        assert by_texts < first.score <= by_texts + 1 / 61
        assert {
            hit.passage.kind
            for hit in found(session, "tri-modal", question, paper=True, over="statements")
        } == {"Chunk"}

    def test_statements_are_fused_as_chunks_are(self, session: SearchSession) -> None:
        hits = found(session, form="statements", fusion="rrf")
        assert {hit.passage.kind for hit in hits} == {"Statement"}

    def test_any_retriever_is_a_modality(self, session: SearchSession) -> None:
        hits = found(session, modalities="statement-graph,bm25,chunks", weights="2,1,1")
        assert {hit.passage.kind for hit in hits} == {"Chunk"}
        assert "statement-graph_share" in hits[0].signals

    def test_pairs_of_words_are_a_modality_kept_for_the_next_search(
        self, session: SearchSession
    ) -> None:
        hits = found(session, modalities="dense,tfidf")
        assert {"dense_share", "tfidf_share"} <= hits[0].signals.keys()
        assert ids(found(session, modalities="tfidf"))[0] in ids(hits)
        with pytest.raises(UsageError, match="the modality tfidf needs the graph in memory"):
            found(open_context(session.store, max_mb=0), modalities="tfidf,bm25")

    def test_a_graph_in_its_store_gives_dense_and_words_alike(self, kept_place: StorePlace) -> None:
        session = open_context(open_world(kept_place), max_mb=0)
        assert "dense_share" in found(session)[0].signals
        with pytest.raises(UsageError, match="max_snapshot_mb"):
            found(session, "tri-modal")

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"modalities": "dense,nosuch"}, "no modality 'nosuch'"),
            ({"modalities": "hybrid,bm25"}, "no modality 'hybrid'"),
            ({"modalities": "dense,dense"}, "each once"),
            ({"modalities": " , "}, "at least one"),
            ({"weights": "1,2,3"}, "give 2 numbers"),
            ({"weights": "1,-1"}, "none below 0"),
            ({"weights": "0,0"}, "not all 0"),
            ({"weights": "nan,1"}, "give 2 numbers"),
            ({"retriever": "tri-modal", "paper": True, "modalities": "dense,bm25,ppr"}, "paper"),
            ({"modalities": "local,bm25", "form": "statements"}, "over=chunks"),
        ],
    )
    def test_what_cannot_be_fused_is_said(
        self, session: SearchSession, options: dict[str, object], said: str
    ) -> None:
        with pytest.raises(UsageError, match=said):
            found(session, **options)  # type: ignore[arg-type]
