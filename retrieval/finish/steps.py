"""What ``rerank`` asks for, as the steps that it is made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from hlg.models.base import Reranker
from hlg.retrieval.base import Candidate, SearchSession
from hlg.retrieval.finish.by_model import rerank_by_relevance, rerank_listwise
from hlg.retrieval.options import CASCADE, LISTWISE, PATH, RELEVANCE, Options

CASCADED = 100
"""Candidates that the cascade's first ranker sees (cascade §III.G)."""
ADVANCED = 10
"""Those of them that the language model orders, of which the cascade gives the first five
(§III.G-H)."""

AskModel = Callable[[SearchSession, str, Sequence[Candidate], Mapping[str, str]], list[Candidate]]
"""Reranks by a language model: session, question, candidates, texts by id."""


@dataclass(frozen=True, slots=True)
class Steps:
    """In this order: the path ranker, a reranking model, the language model; each where it is
    wanted.

    ``seen``: how many candidates the first ranker sees, None for all. ``share``: what the
    model counts beside the order before it.
    """

    by_path: bool = False
    model: str | Reranker | None = None
    ask: AskModel | None = None
    seen: int | None = None
    share: float = 1.0

    @property
    def reads_texts(self) -> bool:
        """Whether a step needs what the candidates say."""
        return self.model is not None or self.ask is not None


def steps_of(options: Options) -> Steps:
    """The steps of a retriever's reranking."""
    asked = options.rerank
    if not isinstance(asked, str):
        return Steps(model=asked, share=options.rerank_share)
    name, _, argument = asked.partition(":")
    if name == CASCADE:
        model = None if argument in ("", PATH) else argument
        ask = partial(rerank_listwise, most=ADVANCED)
        return Steps(model is None, model, ask, CASCADED, options.rerank_share)
    if asked in _ASKING:
        return Steps(order_before(options) == PATH, None, _ASKING[asked])
    if asked in ("none", PATH):
        return Steps(by_path=asked == PATH)
    return Steps(model=asked, share=options.rerank_share)


def order_before(options: Options) -> str:
    """What orders candidates before a model does: what the retriever does by itself, or nothing
    where that is what is asked for."""
    default = type(options)().rerank
    return default if isinstance(default, str) and default != options.rerank else "none"


def first_seen(
    candidates: Sequence[Candidate],
    seen: int | None,
    rank: Callable[[Sequence[Candidate]], list[Candidate]],
) -> list[Candidate]:
    """The first candidates as they are ranked, the others behind them in their order."""
    if seen is None or len(candidates) <= seen:
        return rank(candidates)
    ranked = rank(candidates[:seen])
    lowest = min(each.score for each in ranked)
    return ranked + [
        replace(each, score=lowest - place) for place, each in enumerate(candidates[seen:], start=1)
    ]


_ASKING: Mapping[str, AskModel] = {LISTWISE: rerank_listwise, RELEVANCE: rerank_by_relevance}
