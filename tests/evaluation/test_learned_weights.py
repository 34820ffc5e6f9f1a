"""Weights that are learned: their formulas, the models, what is kept and when it is used."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg import LexicalGraph
from hlg.errors import ModelError, UsageError
from hlg.evaluation.data.cut import split
from hlg.evaluation.metrics.thesis import best_coverage
from hlg.evaluation.synthesis.facts import NAME
from hlg.evaluation.training.fusion.questions import FusedQuestion, optimal_alpha
from hlg.evaluation.training.fusion.train import (
    DEFAULT,
    LEAST,
    Examples,
    Fit,
    Fitted,
    fit_boosted,
    fit_ridge,
    train_weights,
)
from hlg.retrieval.ranker.path_ranker import PathRanker
from hlg.retrieval.weights.features import FEATURES, features, leading, text_features
from hlg.retrieval.weights.learned import (
    LearnedWeights,
    corpus_sketch,
    likeness,
    read_weights,
    weights_beside,
    write_weights,
)
from hlg.retrieval.weights.predictors import Constant, LearnedPredictor
from support.command_line import ran

SCORES = st.lists(
    st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=15
).map(lambda rows: np.array(rows).T)


class TestTargets:
    @given(SCORES)
    def test_no_other_weight_comes_nearer_to_the_worth(self, rows: np.ndarray) -> None:
        worth, dense, sparse = rows
        best = optimal_alpha(worth, dense, sparse)

        def missed(alpha: float) -> float:
            return float(((worth - alpha * dense - (1 - alpha) * sparse) ** 2).sum())

        assert 0 <= best <= 1
        assert all(missed(best) <= missed(alpha) + 1e-9 for alpha in np.linspace(0, 1, 21))

    @given(SCORES)
    def test_exchanging_the_searches_exchanges_the_weights(self, rows: np.ndarray) -> None:
        worth, dense, sparse = rows
        both = optimal_alpha(worth, dense, sparse) + optimal_alpha(worth, sparse, dense)
        assert both == pytest.approx(1)

    @given(st.lists(st.sampled_from("abcde"), max_size=12).map(" ".join))
    def test_a_text_holds_itself_whole_and_a_part_holds_less(self, text: str) -> None:
        whole = best_coverage([text], f"x {text} y")
        assert whole == (1.0 if text else 0.0)
        assert best_coverage([text], text[: len(text) // 2]) <= whole

    def test_of_several_right_texts_the_nearest_counts(self) -> None:
        assert best_coverage(["in Oake", "in Tarn"], "she was born in Tarn") == 1

    @given(st.lists(st.sampled_from("ab"), min_size=1, max_size=60))
    def test_every_stratum_is_cut_alike(self, strata: list[str]) -> None:
        parts = split(strata)
        assert (parts == split(strata)).all()
        for stratum in set(strata):
            held = parts[np.array(strata) == stratum]
            for part, share in (("train", 0.7), ("validation", 0.15), ("test", 0.15)):
                assert abs((held == part).sum() - share * len(held)) <= 1


class TestFeatures:
    def test_a_text_says_four_things(self) -> None:
        assert text_features("Who built NASA's 3 yards?").tolist() == [5, 1, 1, 1]
        assert text_features("the whole harbour").tolist() == [3, 0, 0, 0]

    @given(SCORES)
    def test_scores_fall_and_what_both_lead_is_counted(self, rows: np.ndarray) -> None:
        _, dense, sparse = rows
        found = features("a question", dense, sparse)
        assert len(found) == len(FEATURES) == 25
        assert (np.diff(found[4:14]) <= 0).all()
        assert (np.diff(found[14:24]) <= 0).all()
        assert found[24] == len(set(leading(dense)) & set(leading(sparse)))


def examples(seed: int, size: int = 150) -> Examples:
    generator = np.random.default_rng(seed)
    rows = generator.random((size, len(FEATURES)))
    alphas = np.clip(0.2 + 0.5 * (rows[:, 20] > 0.5) + 0.1 * rows[:, 0], 0, 1)
    return Examples(rows, generator.random((size, 4)).astype(np.float32), alphas)


def test_trees_see_what_a_line_through_the_text_cannot() -> None:
    train, held_out = examples(1), examples(2)
    missed = []
    for fitted in (fit_boosted(train, held_out), fit_ridge(train, held_out)):
        found = fitted.predictor.predict(held_out.features, held_out.vectors)
        missed.append(float(np.mean((held_out.alphas - found) ** 2) / np.var(held_out.alphas)))
    assert missed[0] < 0.1 < 0.8 < missed[1]


def asked(*, found_by: str) -> FusedQuestion:
    """A question whose gold document one of the searches has first and the other last, or both
    have first; its vector says whether that is dense search."""
    ids = np.array(["gold", *(f"c{place}" for place in range(1, 12))])
    alike = np.linspace(1, 0, 12)
    dense = sparse = alike
    if found_by == "dense":
        sparse = alike[::-1]
    elif found_by == "bm25":
        dense = alike[::-1]
    return FusedQuestion(
        "yards",
        {"gold": 1},
        ids,
        ids,
        dense,
        sparse,
        None,
        features("Who built it?", dense, sparse),
        np.array([found_by == "dense"], np.float32),
        0.0,
        has_evidence=True,
    )


class TestChosen:
    """α* of these questions is 0, whatever finds their documents."""

    @pytest.mark.parametrize(("found_by", "kept"), [("both", DEFAULT), ("bm25", "α = 0")])
    def test_the_default_stays_unless_another_weight_finds_more(
        self, found_by: str, kept: str
    ) -> None:
        tuned = train_weights([asked(found_by=found_by)] * 60, lambda _: None, fits={})
        assert (tuned.chosen, tuned.best_fixed) == (kept, kept)

    def test_what_is_measured_of_none_has_no_column_and_one_set_no_table(self) -> None:
        tuned = train_weights([asked(found_by="both")] * 60, lambda _: None, fits={})
        (table,) = tuned.tables()
        lead = f"recall@5 less {DEFAULT}"
        assert table.headings == ("weights", "recall@5", "all_gold@5", "ndcg@5", lead)

    def test_a_lead_that_may_be_chance_is_none(self) -> None:
        questions = [asked(found_by="both")] * 98 + [asked(found_by="bm25")] * 2
        assert train_weights(questions, lambda _: None, fits={}).chosen == DEFAULT

    def test_a_model_is_kept_where_it_leads_every_fixed_weight(self) -> None:
        questions = [asked(found_by="dense"), asked(found_by="bm25")] * 60

        class Knows:
            def predict(self, seen: np.ndarray, vectors: np.ndarray) -> np.ndarray:
                return vectors[:, 0]

        fits: dict[str, Fit] = {"knows": lambda *_: Fitted("knows", Knows(), {})}
        assert train_weights(questions, lambda _: None, fits=fits).chosen == "knows"


class TestKept:
    @pytest.mark.parametrize("name", ["constant", "ridge", "boosted"])
    def test_what_is_read_predicts_as_what_was_written(self, name: str, tmp_path: Path) -> None:
        seen = examples(3, 60)
        predictor: LearnedPredictor = Constant(0.7)
        if name == "ridge":
            predictor = fit_ridge(seen, seen).predictor
        elif name == "boosted":
            predictor = fit_boosted(seen, seen).predictor
        path = tmp_path / "weights.json"
        write_weights(LearnedWeights(predictor, {"embedder": "e"}), path)
        read = read_weights(path)
        assert type(read.predictor) is type(predictor)
        wanted = predictor.predict(seen.features, seen.vectors)
        assert np.allclose(read.predictor.predict(seen.features, seen.vectors), wanted, atol=1e-4)

    def test_a_damaged_file_is_an_error_that_says_what_to_do(self, tmp_path: Path) -> None:
        path = tmp_path / "weights.json"
        with pytest.raises(ModelError, match="hlg tune fusion"):
            read_weights(path)
        for text in ("{", '{"format": 0}', '{"format": 1, "provenance": {}, "predictor": {}}'):
            path.write_text(text)
            with pytest.raises(ModelError, match="make them again: hlg tune fusion"):
                read_weights(path)

    @given(st.sets(st.integers(0, 400)), st.sets(st.integers(0, 400)))
    def test_a_corpus_is_like_itself_and_alike_both_ways(
        self, one: set[int], other: set[int]
    ) -> None:
        first, second = (
            corpus_sketch(np.array(sorted(f"{each:04d}".encode() for each in ids), "S32"))
            for ids in (one, other)
        )
        assert likeness(first, first) == 1
        assert likeness(first, second) == likeness(second, first)
        if not one & other and one | other:
            assert likeness(first, second) == 0


def test_weights_are_learned_from_a_graph_alone_and_used(shipyards: Path) -> None:
    store = str(shipyards / ".hlg" / "eval" / "shipyards.lbug")
    asked = {"retriever": "hybrid", "options": {"alpha": "learned"}}
    with (
        LexicalGraph.open(store) as opened,
        pytest.raises(ModelError, match="no learned weights"),
    ):
        opened.search("Who founded Elm Yard?", **asked)
    told = ran("tune", "fusion", "--store", store)
    assert "oracle α*" in told.output
    assert "kept: " in told.output
    with LexicalGraph.open(store) as opened:
        found = opened.search("Who founded Elm Yard?", **asked)
        assert found.hits
        assert 0 <= found.hits[0].signals["alpha"] <= 1
        assert not found.explanation.notes
        path = weights_beside(store)
        kept = json.loads(path.read_text())
        kept["provenance"]["corpus"] = ["0" * 32]
        path.write_text(json.dumps(kept))
        found = opened.search("Who founded Elm Yard?", **asked)
        assert "the corpus has moved" in found.explanation.notes[0]
        kept["provenance"]["embedder"] = "another"
        path.write_text(json.dumps(kept))
        found = opened.search("Who founded Elm Yard?", **asked)
        assert "learned with another" in found.explanation.notes[0]
        with pytest.raises(UsageError, match="weighs dense and bm25 over chunks"):
            opened.search("Who?", retriever="tri-modal", options={"alpha": "learned"})
    path.unlink()


def test_a_ranker_is_trained_on_what_a_graph_alone_tells(shipyards: Path, tmp_path: Path) -> None:
    out = tmp_path / "ranker.txt"
    store = str(shipyards / ".hlg" / "eval" / "shipyards.lbug")
    told = ran("tune", "ranker", "--store", store, "--out", str(out))
    count = PathRanker.load(out).provenance["sets"][NAME]
    assert count >= LEAST
    assert f"{NAME}: {count} questions" in told.stdout
