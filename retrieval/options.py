"""Options of retrievers: frozen records, checked once where they come in."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Annotated, ClassVar, Literal, TypeVar

from annotated_types import Ge, Le
from pydantic import ConfigDict

from hlg.arguments import one
from hlg.errors import UsageError
from hlg.models.base import Reranker
from hlg.registry import checked_options

DIVERSITY_THRESHOLD = 0.005
"""τ of HLG §4.3.1: two texts more alike than 1 - τ say the same."""

PATH, LISTWISE, RELEVANCE, CASCADE = "path", "llm", "llm-relevance", "cascade"
"""Values of ``rerank`` that are no model's name; :class:`Options` says what each does."""

Count = Annotated[int, Ge(1), Le(100_000)]
Depth = Annotated[int, Ge(0), Le(16)]
Share = Annotated[float, Ge(0), Le(1)]

OptionsT = TypeVar("OptionsT", bound="Options")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What every retriever takes.

    :param rerank: ``none``: by the search's own score; ``path``: by the learned ranker;
        ``llm``: the first twenty as the language model orders them; ``llm-relevance``: ten as
        it judges each; ``cascade``: a hundred by the learned ranker, or by another model where
        ``cascade:MODEL`` names one, then their first ten as ``llm``; else a reranking model:
        its name, its folder, or the model itself.
    :param rerank_share: what a reranking model's score counts beside the order that it was
        given; 1: it alone.
    :param rerank_below: rerank only where the search is less sure than this of what it found
        (thesis §3.4.2); 1 reranks always.
    :param sure_by: how sure a search is: its calibrated ``confidence``, or the best ``score``
        that it gave, as ``hlg tune threshold`` calibrates it (eq. 28).
    :param pool: how many of the best candidates are reranked and compared.
    :param diversity: drop what repeats a better hit.
    :param diversity_threshold: how far two texts differ that do not repeat each other.
    :param hyde: search for what is like a passage that the language model makes up as an
        answer (HyDE).
    :param decompose: let the language model take the question apart; each part is searched
        for with the answers of those before filled in, and what was found is merged.
    :param enhance: numeric statements get their headers, row labels and units.
    """

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(
        extra="forbid", arbitrary_types_allowed=True
    )

    rerank: str | Reranker = "none"
    rerank_share: Share = 1.0
    rerank_below: Share = 1.0
    sure_by: Literal["confidence", "score"] = "confidence"
    pool: Count = 400
    diversity: bool = False
    diversity_threshold: Share = DIVERSITY_THRESHOLD
    enhance: bool = False
    hyde: bool = False
    decompose: bool = False

    @property
    def needs_language_model(self) -> bool:
        """Whether a search can't be done as it is asked for without one."""
        asks = isinstance(self.rerank, str) and (
            self.rerank in (LISTWISE, RELEVANCE) or self.rerank.partition(":")[0] == CASCADE
        )
        return self.hyde or self.decompose or asks


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementOptions(Options):
    """What retrievers of statements take.

    :param form: ``chunks`` traces the best statements to their chunks (HLG §6.4).
    :param max_chunks: how many chunks that gives at most.
    """

    form: Literal["statements", "chunks"] = "statements"
    max_chunks: Count = 10


def check_options(
    name: str, kind: type[OptionsT], given: Mapping[str, object] | Options | None
) -> OptionsT:
    """Options of a retriever from a mapping (strings are converted) or from its own record.

    :raises UsageError: an option is unknown, or its value is not valid.
    """
    if given is None:
        return kind()
    if isinstance(given, Options):
        if type(given) is not kind:
            raise UsageError(
                f"retriever {name!r} takes {kind.__name__}, not {type(given).__name__}",
                option="options",
            )
        values = {field.name: getattr(given, field.name) for field in fields(given)}
    else:
        values = dict(one(given, Mapping, "options"))
    checked = checked_options(f"retriever {name!r}", kind, values)
    assert checked is not None
    return checked
