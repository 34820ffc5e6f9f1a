"""The learned ranker: its trees equal LightGBM's, it follows links, it learns honestly."""

import json
from pathlib import Path

import lightgbm
import numpy as np
import pytest

from hlg.errors import UsageError
from hlg.evaluation.training.ranker import (
    FOR_ANY_GENRE,
    THOROUGH,
    LabelledQuestion,
    QuestionSet,
    Recipe,
    train,
    write_model,
)
from hlg.models.trees import Trees, tree_lists
from hlg.retrieval.arrays.passages import Passages
from hlg.retrieval.ranker.path_ranker import PathRanker, rank_statements
from hlg.retrieval.ranker.scores import score_all
from hlg.retrieval.ranker.vector_weight import weighted_vector
from support.passage_worlds import asked, harbour_world, rank, snapshot_of

QUESTION = "Where was the director of the film The Amber Quay born?"


@pytest.fixture(scope="module")
def passages() -> Passages:
    return Passages.of(snapshot_of(harbour_world()))


def test_trees_score_as_lightgbm_does() -> None:
    generator = np.random.default_rng(3)
    matrix = generator.standard_normal((800, 12)).astype(np.float32)
    matrix[:, 3] = np.round(matrix[:, 3])
    labels = (matrix[:, 0] + matrix[:, 3] * matrix[:, 5] > 0.4).astype(int)
    booster = lightgbm.train(
        {
            "objective": "lambdarank",
            "num_leaves": 8,
            "verbosity": -1,
            "use_missing": False,
            "num_threads": 1,
        },
        lightgbm.Dataset(matrix, labels, group=[100] * 8),
        60,
    )
    lists = [tree_lists(tree["tree_structure"]) for tree in booster.dump_model()["tree_info"]]
    trees = Trees.from_lists([f"s{i}" for i in range(12)], lists)
    np.testing.assert_allclose(trees.scores(matrix), booster.predict(matrix), atol=1e-6)


def test_a_link_brings_up_the_passage_that_the_question_does_not_name(passages: Passages) -> None:
    ranked = rank(passages, asked(QUESTION, passages), 5)
    assert {ranked[0].row, ranked[1].row} == {0, 1}
    director = next(chunk for chunk in ranked if chunk.row == 1)
    assert director.anchor == 0
    assert passages.snapshot.entity_keys[director.entity] == "odile varnier"
    assert director.signals["near_title"] > 0


def test_statements_follow_their_passage_and_the_question(passages: Passages) -> None:
    question = asked(QUESTION, passages)
    scores = score_all(passages, question)
    ranked = rank(passages, question, 2)
    found = rank_statements(scores, ranked, 10)
    assert len(found) == 4
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    assert {ranked[each.chunk].row for each in found} == {0, 1}


def columns_of(covered: float, titles: float, worth: float = 1.0) -> dict[str, np.ndarray]:
    return {
        "asked_vector": np.full(3, worth, np.float32),
        "asked_covered": np.full(3, covered, np.float32),
        "asked_titles": np.full(3, titles, np.float32),
        "dense_z": np.array([-1.0, 0.0, 2.0], np.float32),
    }


def test_the_vector_counts_where_no_passage_has_the_questions_words() -> None:
    scores = np.array([1.0, 2.0, 3.0], np.float32)
    added = weighted_vector(columns_of(covered=0.3, titles=0.1), scores)
    np.testing.assert_allclose(added, 0.7 * scores.std() * np.array([-1.0, 0.0, 2.0]), rtol=1e-5)
    assert not weighted_vector(columns_of(covered=1.0, titles=0.1), scores).any()
    assert not weighted_vector(columns_of(covered=0.3, titles=0.9), scores).any()
    assert not weighted_vector(columns_of(covered=0.3, titles=0.1, worth=0.0), scores).any()
    assert weighted_vector(columns_of(0.3, 0.1), scores[:0]).shape == (0,)
    less = weighted_vector(columns_of(covered=0.6, titles=0.1), scores)
    assert (np.abs(less) <= np.abs(added)).all()


def test_ranking_is_the_same_every_time(passages: Passages) -> None:
    question = asked(QUESTION, passages)
    first, second = (rank(passages, question, 20) for _ in range(2))
    assert first == second
    assert len({chunk.row for chunk in first}) == 20


def test_the_shipped_model_says_what_made_it() -> None:
    assert PathRanker.load().provenance["sets"]


def film_questions(family: str, offset: int) -> QuestionSet:
    """Films with directors of their own: the director's passage never has the film's name."""
    told = harbour_world(distractors=20)
    for i in range(offset, offset + 12):
        film, person, town = f"Film{i} Harbour", f"Dirk{i} Sellers", f"Market{i} Town"
        told[film] = [(f"{film} was directed by {person}.", [film, person])]
        told[person] = [(f"{person} was born in {town}.", [person, town])]
    passages = Passages.of(snapshot_of(told))
    rows = {title: i for i, title in enumerate(told)}
    questions = []
    for i in range(offset, offset + 12):
        question = asked(f"Where was the director of Film{i} Harbour born?", passages)
        units = tuple(
            np.array([rows[title]], np.int32) for title in (f"Film{i} Harbour", f"Dirk{i} Sellers")
        )
        questions.append(LabelledQuestion(question, units))
    return QuestionSet(family, family, passages, tuple(questions))


@pytest.mark.parametrize("recipe", [FOR_ANY_GENRE, THOROUGH])
def test_training_reports_on_families_that_it_left_out(recipe: Recipe, tmp_path: Path) -> None:
    said: list[str] = []
    sets = [film_questions("one", 0), film_questions("two", 50)]
    model, report = train(sets, {"sets": "made up"}, said.append, recipe=recipe)
    assert model["prior"] == recipe.prior
    raw = report["importance"]["dense"] + report["importance"]["words"]
    assert (raw > 0) == (not recipe.not_learned)
    assert report["protocol"] == "leave one family out"
    for each in report["sets"]:
        recall = {name: metrics["recall@5"] for name, metrics in each["results"].items()}
        assert recall["ranker"]["mean"] > recall["dense"]["mean"]
        low, high = recall["ranker"]["interval"]
        assert low <= recall["ranker"]["mean"] <= high
    assert sum(report["importance"].values()) == pytest.approx(1, abs=0.01)
    write_model(model, tmp_path / "ranker.txt")
    ranker = PathRanker.load(tmp_path / "ranker.txt")
    top = rank(sets[0].passages, sets[0].questions[3].question, 2, ranker)
    assert {chunk.row for chunk in top} == {int(u[0]) for u in sets[0].questions[3].evidence}
    assert json.loads((tmp_path / "ranker.txt").read_text())["provenance"] == {"sets": "made up"}


def test_nothing_to_learn_from_is_said() -> None:
    with pytest.raises(UsageError, match="no question has known evidence"):
        train([], {}, lambda _: None)
