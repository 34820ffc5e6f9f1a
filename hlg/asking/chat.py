"""A conversation: follow-up questions made to stand alone, over evidence that is kept."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from hlg.answers import Answer
from hlg.arguments import one
from hlg.asking.ask import answer_from
from hlg.asking.found import FoundEvidence, find_evidence
from hlg.asking.model import patience_of
from hlg.asking.search import SearchOptions
from hlg.asking.talk import Talk
from hlg.errors import ModelError
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.standalone import About, stand_alone, talked_of
from hlg.retrieval.context.conversation import CONTEXT_TOKENS, Conversation

if TYPE_CHECKING:
    from hlg.graph import LexicalGraph

PROMPT = "standalone-question"
TURNS = 4
"""So many of the last questions are looked at for what a new one refers to."""
LONGEST_TURN = 600
"""Characters of an answer that the model is shown for that."""
KEPT_RANK = 20
"""Statements that earlier answers cited count as found at this rank."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question as it was asked, as it stands alone, and its answer."""

    asked: str
    question: str
    answer: Answer


class Chat:
    """Questions and answers that build on each other.

    What earlier answers cited stays among the evidence of later ones, so that a question may
    go on from it. A model is shown what was said, and given only statements that it has not:
    those that earlier questions found keep their numbers.
    """

    def __init__(
        self,
        graph: "LexicalGraph",
        how: SearchOptions | None = None,
        *,
        tokens: int = CONTEXT_TOKENS,
        extractive: bool = False,
    ) -> None:
        self._graph = graph
        self.how = how or SearchOptions()
        self.tokens = tokens
        self.extractive = extractive
        self.turns: list[Turn] = []
        self._about: list[About] = []
        """What was talked of, the latest first."""
        self._cited: dict[str, EvidenceStatement] = {}
        self.conversation = Conversation()
        """The one subgraph of all that was found."""
        self._talk = Talk(self.conversation)

    def new(self) -> None:
        """Begin anew: nothing that was said counts any more."""
        self.turns.clear()
        self._about.clear()
        self._cited.clear()
        self.conversation = Conversation()
        self._talk = Talk(self.conversation)

    def ask(self, question: str, on_text: Callable[[str], None] | None = None) -> Turn:
        """The next question's answer.

        :raises HlgError: as :meth:`hlg.LexicalGraph.ask`.
        """
        one(question, str, "question")
        alone, notes = self._standing_alone(question)
        found = self._with_kept(find_evidence(self._graph, alone, self.how))
        merged = self._graph.store.merges().canonical()
        self.conversation.add(found.result.hits, found.subgraph, merged)
        answer = answer_from(
            self._graph,
            alone,
            found,
            tokens=self.tokens,
            extractive=self.extractive,
            on_text=on_text,
            talk=self._talk,
        )
        turn = Turn(question, alone, replace(answer, notes=(*notes, *answer.notes)))
        self.turns.append(turn)
        self._remember(turn, found)
        return turn

    def _standing_alone(self, question: str) -> tuple[str, tuple[str, ...]]:
        """The question so that it can be understood alone, by the model where there is one."""
        if not self.turns:
            return question, ()
        door = None if self.extractive else self._graph.door
        if door is None:
            return stand_alone(question, self._about), ()
        said = "\n".join(
            f"Question: {turn.question}\nAnswer: {turn.answer.text[:LONGEST_TURN]}"
            for turn in self.turns[-TURNS:]
        )
        try:
            material = {"conversation": said, "question": question}
            made = door.ask(PROMPT, material, patience=patience_of(self._graph)).text
        except ModelError as error:
            return stand_alone(question, self._about), (f"{error}; worded by rule instead",)
        return " ".join(made.split())[: 2 * LONGEST_TURN] or question, ()

    def _with_kept(self, found: FoundEvidence) -> FoundEvidence:
        """What was found, with what earlier answers cited behind it."""
        there = {each.passage.id for each in found.statements}
        earlier = [each for id_, each in self._cited.items() if id_ not in there]
        if not earlier or not found.statements:
            return found
        cosines = np.concatenate([found.cosines, np.zeros(len(earlier), np.float32)])
        return replace(found, statements=(*found.statements, *earlier), cosines=cosines)

    def _remember(self, turn: Turn, found: FoundEvidence) -> None:
        answer = turn.answer
        cited = {citation.passage.id for citation in answer.citations}
        for statement in found.statements:
            if statement.passage.id in cited and answer.is_answered:
                self._cited[statement.passage.id] = replace(statement, rank=KEPT_RANK)
        latest = talked_of(f"{answer.lead}\n{turn.question}", found.statements)
        named = {each.name for each in latest}
        self._about = [*latest, *(each for each in self._about if each.name not in named)]
