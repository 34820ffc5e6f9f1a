"""What the recipes that ask a language model share: steps, their counts, and when it is enough."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np

from hlg.errors import BudgetReached, ModelError
from hlg.evaluation.corpus import door_of, sources_of
from hlg.evaluation.data.questions import Dataset, DatasetDocument, Question, Span
from hlg.graph import LexicalGraph
from hlg.ids import content_id
from hlg.models.language.door import ModelDoor
from hlg.names import is_part, normalize_name
from hlg.records import Entity
from hlg.reports import OnProgress, Progress
from hlg.retrieval.question.keywords import name_spans, names_in

Item = TypeVar("Item")
_OF_THE_TEXT = re.compile(
    r"\b(?:the|this|these|both)(?: \w+)? (?:document|passages?|texts?|article)\b"
    r"(?! (?:re)?(?:retriev|rank|encod|embed|index|collection|corpus|data|editor))"
    r"|\b(?:these|both|two) (?:documents|articles)\b"
    r"|\b(?:in|of|by) (?:the|this) (?:paper|study|thesis)\b(?! (?:about|by|of|on|that|with)\b)",
    re.IGNORECASE,
)
"""Nobody asks a search so: models do, though they are told not to. A study
that is named is none, nor is a passage reranker."""
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"(?<!^)\b[A-Z]\w+")
UNUSABLE = "the model gave no usable answer"
Draft = Question | str
"""A question, or why one is dropped."""


@dataclass(frozen=True)
class Maker:
    """What a recipe works with. A recipe that asks no model needs none."""

    graph: LexicalGraph
    most: int
    on_progress: OnProgress
    judge_model: str | None = None

    @cached_property
    def door(self) -> ModelDoor:
        """Who words the questions.

        :raises UsageError: there is no language model.
        """
        return door_of(self.graph)

    @cached_property
    def judge(self) -> ModelDoor:
        """Who refines and judges them: by default the one that words them."""
        return self.door if self.judge_model is None else door_of(self.graph, self.judge_model)


@dataclass(frozen=True, slots=True)
class Made:
    """A set of questions, how many drafts there were at each stage, and why it ended early."""

    dataset: Dataset
    stages: dict[str, int]
    ended: str = ""


def make(
    maker: Maker,
    name: str,
    documents: Sequence[DatasetDocument],
    items: Iterable[Item],
    draft: Callable[[Item], list[Draft]],
    stages: dict[str, int],
) -> Made:
    """Drafts of each item until there are enough questions; equal ones are dropped.

    An item on which the model fails is counted and left out. Where the budget ends, so does the
    work, with what there is: a further run is answered from what was paid for.
    """
    counts, ended = Counter[str](), ""
    kept: list[Question] = []
    texts: set[str] = set()

    def one(item: Item) -> list[Draft]:
        try:
            return draft(item)
        except ModelError:
            return [UNUSABLE]

    try:
        for drafts in maker.door.map(one, items):
            for each in drafts:
                counts["made"] += each != UNUSABLE
                if isinstance(each, Question):
                    twice = "made twice" if each.text in texts else ""
                    each = unfit(each.text, each.answers[0]) or twice or each
                if isinstance(each, str):
                    counts[f"dropped: {each}"] += 1
                else:
                    kept.append(each)
                    texts.add(each.text)
            maker.on_progress(Progress("make", min(len(kept), maker.most), maker.most))
            if len(kept) >= maker.most:
                break
    except BudgetReached as error:
        ended = str(error)
    questions = tuple(kept[: maker.most])
    counts["kept"] = len(questions)
    told = {stage: count for stage, count in counts.items() if count or stage == "kept"}
    return Made(Dataset(name, tuple(documents), questions), stages | told, ended)


def question_of(
    text: str, answer: str, kind: str, spans: Sequence[Span], id_: str | None = None
) -> Question:
    """A question whose evidence is these spans, all of them."""
    gold = tuple(dict.fromkeys(span.document_id for span in spans))
    places = (f"{span.document_id}:{span.start}" for span in spans)
    return Question(
        id_ or content_id(text, answer, *places),
        text,
        kind,
        gold,
        spans=tuple(spans),
        answers=(answer,),
    )


def unfit(question: str, answer: str) -> str:
    """Why nobody would ask a question so, or it needs no search; no model is asked for that."""
    if _OF_THE_TEXT.search(question):
        return "the question speaks of the text"
    return "the question gives its answer away" if gives_away(question, answer) else ""


def gives_away(question: str, answer: str) -> bool:
    """Whether a question holds the words of its answer, and is not between two: "A or B?"."""
    asked = {*_WORD.findall(question.casefold())}
    words = {*_WORD.findall(answer.casefold())}
    return words <= asked and "or" not in asked


def is_name(entity: Entity) -> bool:
    """Whether it is called by a name: by no common noun, and not a document's own part."""
    return not entity.name[:1].islower() and not is_part(entity.name)


def names_others(question: str, text: str) -> bool:
    """Whether a question names, after its first word, what the text that it is made of has not:
    small models ask about the prompt's example."""
    said = text.casefold()
    return any(name.casefold().rstrip("s") not in said for name in _NAME.findall(question))


def means(graph: LexicalGraph, questions: Sequence[Question]) -> tuple[float, float, float, float]:
    """What a question has on average: passages, documents, names of the graph's entities in it,
    and in its answer (HLG paper, §5.2)."""
    sources = (each for _, each in sources_of(graph.store))
    known = {normalize_name(entity.name) for each in sources for entity in each.entities}

    def named(text: str) -> int:
        return len(set(names_in(name_spans(text), known)))

    counts = [(len(x.spans), len(x.gold), named(x.text), named(x.answers[0])) for x in questions]
    passages, documents, asked, answered = np.mean(counts, axis=0).tolist()
    return passages, documents, asked, answered
