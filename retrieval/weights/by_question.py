"""What dense, sparse and graph search weigh for one question (cascade §III.B, algorithm 2).

A language model says, or the cascade's rules do. The paper sends a model's answer that is no
JSON, or whose weights do not add up to 1, to the rules; here the model is told once what is
wrong with it before they apply. The paper has no pattern of what it calls a financial or
numeric question: the one of this module is hlg's own.
"""

import re
from typing import Annotated, NamedTuple

from annotated_types import Ge, Le
from pydantic import AllowInfNan, BaseModel, ConfigDict, model_validator

from hlg.errors import ModelError
from hlg.retrieval.base import LONGEST_QUESTION, PATIENCE, SearchSession

LLM, RULES = "llm", "rules"
WAYS = LLM, RULES
"""Values of the option ``weights`` that weigh each question by itself."""
PROMPT = "search-weights"
TOLERANCE = 0.01
"""Weights may miss 1 by so much, as rounded thirds do, and are then scaled to it."""

_NUMERIC = re.compile(r"(?<![\w-])[-+]?\d|[%‰$€£¥₹]")
_FINANCIAL = re.compile(
    r"\b(?:assets?|bonds?|budgets?|cash|cost|costs|debts?|dividends?|earn(?:s|ed|ings)?|ebitda|"
    r"equity|expen(?:se|ses|ditures?)|financ(?:e|es|ial|ing)|fiscal|funds?|income|inflation|"
    r"interest rates?|invest(?:s|ed|ing|ments?|ors?)|liabilit(?:y|ies)|loans?|mortgages?|"
    r"percent(?:age)?s?|prices?|profits?|profitability|revenues?|salar(?:y|ies)|"
    r"shareholders?|stocks?|tax(?:es|ation)?|yields?)\b",
    re.IGNORECASE,
)


class SearchWeights(NamedTuple):
    """What three searches weigh; none is below 0, and they add up to 1."""

    dense: float
    sparse: float
    graph: float


NUMERIC_WEIGHTS = SearchWeights(0.30, 0.55, 0.15)
OTHER_WEIGHTS = SearchWeights(0.55, 0.30, 0.15)

_Weight = Annotated[float, Ge(0), Le(1), AllowInfNan(False)]


class _Weights(BaseModel):
    """Weights as a language model gives them."""

    model_config = ConfigDict(extra="forbid")

    dense: _Weight
    sparse: _Weight
    graph: _Weight

    @model_validator(mode="after")
    def _add_up(self) -> "_Weights":
        if abs(self.dense + self.sparse + self.graph - 1) > TOLERANCE + 1e-9:
            raise ValueError("the three weights should add up to 1")
        return self


def rule_weights(question: str) -> SearchWeights:
    """The cascade's rules: words count most where a question is financial or has numbers.

    >>> rule_weights("Which fund paid a dividend of 4 %?").sparse
    0.55
    >>> rule_weights("Why do petrels follow ships?").dense
    0.55
    """
    text = question[:LONGEST_QUESTION]
    exact = _NUMERIC.search(text) or _FINANCIAL.search(text)
    return NUMERIC_WEIGHTS if exact else OTHER_WEIGHTS


def asked_weights(session: SearchSession, question: str) -> SearchWeights:
    """As the language model weighs them; by the rules where there is none, or where it fails
    or gives no weights that can be used, which the trace then says.
    """
    door = session.door()
    if door is None:
        session.trace.warn("weights by rules: no language model is set (llm, llm_url)")
        return rule_weights(question)
    material = {"question": question[:LONGEST_QUESTION]}
    with session.trace.stage("weights"):
        try:
            said = door.ask_json(PROMPT, _Weights, material, patience=PATIENCE).value
        except ModelError as error:
            session.trace.warn(f"weights by rules: {error}")
            return rule_weights(question)
    total = said.dense + said.sparse + said.graph
    return SearchWeights(said.dense / total, said.sparse / total, said.graph / total)
