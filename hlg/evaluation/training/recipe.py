"""How the ranker's trees are trained: for any genre, or for whole corpora of one's own kind."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

SAME_EVERYWHERE: dict[str, Any] = {
    "bagging_freq": 1,
    "force_col_wise": True,
    "use_missing": False,
    "num_threads": 1,
    "deterministic": True,
    "verbosity": -1,
}
"""Of LightGBM: the same data gives the same trees on every machine."""
RANKING: dict[str, Any] = SAME_EVERYWHERE | {
    "objective": "lambdarank",
    "num_leaves": 8,
    "lambda_l2": 5.0,
    "bagging_fraction": 0.8,
    "bagging_by_query": True,
}
"""What is the same in all that ranks."""
PARAMETERS = RANKING | {"min_data_in_leaf": 40, "lambdarank_truncation_level": 12}


@dataclass(frozen=True, slots=True)
class Recipe:
    """How trees are trained.

    ``sampled`` candidates of a question are trained on beside the evidence and the ``leading``
    of each search. ``prior`` are signals that a score starts from, so that the trees have to
    learn where it is wrong; those that are ``not_learned`` they don't look at. The trees of
    all ``seeds`` count alike.
    """

    rounds: int
    sampled: int
    leading: int
    parameters: Mapping[str, Any]
    prior: Mapping[str, float] = field(default_factory=dict)
    not_learned: frozenset[str] = frozenset()
    seeds: int = 1


FOR_ANY_GENRE = Recipe(
    rounds=90,
    sampled=20,
    leading=8,
    parameters=PARAMETERS | {"learning_rate": 0.1, "feature_fraction": 0.3, "max_bin": 31},
    prior={"dense_z": 0.5},
    not_learned=frozenset(
        (
            *("dense", "statement", "words", "statement_words", "clause", "clause_statement"),
            *("beam", "source_best", "source_chunks", "near_composed", "near_composed_chunk"),
            "asked_vector",
        )
    ),
)
"""Raw scores and sizes mean another thing in another corpus, and few corpora tell what one is
worth: new trees don't look at them."""
THOROUGH = Recipe(
    rounds=500,
    sampled=40,
    leading=15,
    parameters=PARAMETERS | {"learning_rate": 0.03, "feature_fraction": 0.5, "max_bin": 63},
    seeds=2,
)
"""For whole corpora, like those that will be searched: raw scores serve there too."""
