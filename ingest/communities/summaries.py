"""What a community is about, in a title and a few sentences: by a language model, or extracted.

The extracted summary is the statements that carry most of the community's facts, as they
are, within a token budget; the title names its most central entities.
"""

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from pydantic import BaseModel, field_validator

from hlg.errors import ModelError, UsageError
from hlg.names import normalize_name

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

SUMMARY_TOKENS = 300
CANDIDATES = 40
"""Statements of a community that are read; three times what the budget holds of usual ones."""
FEWEST_TOKENS = 5
"""No statement is shorter, so that a budget with less left is used up."""
TITLE_ENTITIES = 3
TITLE_CHARACTERS = 120
MODEL_ENTITIES = 30
MODEL_STATEMENTS_TOKENS = 2_000
"""Material that a language model is given of one community."""
VALUE_SHARE = 0.5
"""What a fact about a date or an amount counts beside one that joins two members."""

PROMPT = "community-summary"


class _FoundSummary(BaseModel):
    """A summary as a language model gives it."""

    title: str
    summary: str

    @field_validator("title", "summary")
    @classmethod
    def _says_something(cls, text: str) -> str:
        if not text.strip():
            raise ValueError("should not be empty")
        return text.strip()


@dataclass(frozen=True, slots=True)
class CommunityMaterial:
    """What a summary is made of: names, the most central first, and statements, the most
    telling first."""

    names: tuple[str, ...]
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Summary:
    """A title and a summary; ``told`` are the places of the statements that it consists of.

    ``model_failed`` says that a language model was asked and gave none.
    """

    title: str
    summary: str
    told: tuple[int, ...] = ()
    model_failed: bool = False


class Summarizer(Protocol):
    """Summarises communities; ``name`` is part of the fingerprint of what it made."""

    name: str

    def summarize(self, material: CommunityMaterial) -> Summary: ...


class ExtractiveSummarizer:
    """Title and summary in the sources' own words, of so many tokens at most."""

    def __init__(self, count_tokens: Callable[[str], int], budget: int = SUMMARY_TOKENS) -> None:
        self.name = f"extractive-1/{budget}"
        self.count_tokens = count_tokens
        self._budget = budget

    def summarize(self, material: CommunityMaterial) -> Summary:
        """A statement that no longer fits is passed over for the next that does."""
        title = title_of(material.names)
        told = within(material.statements, self._budget, self.count_tokens)
        if told:
            return Summary(title, " ".join(material.statements[i] for i in told), tuple(told))
        # Relations that no statement tells, or none short enough: their ends, by name.
        named = within(material.names, self._budget, self.count_tokens)
        return Summary(title, ", ".join(material.names[i] for i in named))


class ModelSummarizer:
    """Summaries by a language model; where it fails, the extracted one.

    After ``PATIENCE`` failures before the first success it is not asked any more.
    """

    PATIENCE = 5

    def __init__(
        self, door: "ModelDoor", extractive: ExtractiveSummarizer, words: int = 150
    ) -> None:
        self.name = f"llm-2/{door.identity(PROMPT)}/{words}"
        self._door = door
        self._extractive = extractive
        self._words = words
        self._failures = 0
        self._succeeded = False

    def summarize(self, material: CommunityMaterial) -> Summary:
        """See :class:`Summarizer`."""
        extracted = self._extractive.summarize(material)
        if not self._succeeded and self._failures >= self.PATIENCE:
            return replace(extracted, model_failed=True)
        try:
            answer = self.ask(material)
        except ModelError:
            self._failures += 1
            return replace(extracted, model_failed=True)
        self._succeeded = True
        return answer

    def ask(self, material: CommunityMaterial) -> Summary:
        """What the model says of it.

        :raises ModelError: it does not answer.
        """
        told = within(material.statements, MODEL_STATEMENTS_TOKENS, self._extractive.count_tokens)
        given = {
            "entities": "\n".join(material.names[:MODEL_ENTITIES]),
            "statements": "\n".join(f"- {material.statements[i]}" for i in told),
        }
        answer = self._door.ask_json(PROMPT, _FoundSummary, given, words=self._words).value
        return Summary(" ".join(answer.title.split())[:TITLE_CHARACTERS], answer.summary)


def open_summarizer(
    door: "ModelDoor | None", count_tokens: Callable[[str], int], budget: int = SUMMARY_TOKENS
) -> Summarizer:
    """By a language model where there is one, else by extraction.

    :raises UsageError: the budget is below one statement's length.
    """
    if budget < FEWEST_TOKENS:
        raise UsageError(
            f"summary_tokens={budget}: it should be at least {FEWEST_TOKENS}",
            option="summary_tokens",
        )
    extractive = ExtractiveSummarizer(count_tokens, budget)
    return extractive if door is None else ModelSummarizer(door, extractive, budget // 2)


def most_telling(facts: Mapping[str, Sequence[str]], weights: Mapping[str, float]) -> list[str]:
    """Statements, the most telling first: each next one adds the most facts that are new.

    Greedy cover, ties by id; at most :data:`CANDIDATES`, none that adds nothing.

    :param facts: by statement its facts.
    :param weights: by fact what it counts.
    """
    heap = [(-sum(weights[fact] for fact in of), id_) for id_, of in facts.items()]
    heapq.heapify(heap)
    chosen: list[str] = []
    told: set[str] = set()
    while heap and len(chosen) < CANDIDATES:
        gain, id_ = heapq.heappop(heap)
        now = -sum(weights[fact] for fact in facts[id_] if fact not in told)
        if now > gain:  # gains only shrink, so an old one that is still best is right
            if now < 0:
                heapq.heappush(heap, (now, id_))
            continue
        chosen.append(id_)
        told.update(facts[id_])
    return chosen


def title_of(names: Sequence[str]) -> str:
    """The most central entities in one line: "A, B and C", cut where it gets long."""
    once = {normalize_name(name): " ".join(name.split()) for name in reversed(names)}
    shown = [once[key] for key in dict.fromkeys(map(normalize_name, names))][:TITLE_ENTITIES]
    if len(shown) > 1:
        shown = [*shown[:-2], f"{shown[-2]} and {shown[-1]}"]
    title = ", ".join(shown)
    return title if len(title) <= TITLE_CHARACTERS else title[: TITLE_CHARACTERS - 1].rstrip() + "…"


def within(texts: Sequence[str], budget: int, count_tokens: Callable[[str], int]) -> list[int]:
    """The places of the texts that fit into a budget together, the first first."""
    fitting: list[int] = []
    for i, text in enumerate(texts):
        if budget < FEWEST_TOKENS:
            break
        tokens = count_tokens(text)
        if tokens <= budget:
            fitting.append(i)
            budget -= tokens
    return fitting
