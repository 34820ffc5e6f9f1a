"""Batch agentic retrieval (Dong et al. 2026, algorithm 1): several queries planned at once,
one call of the search for all of them, nothing read twice, until there is enough.

What was read is known by its reference and by what it says, whichever round found it.

Whether there is enough is asked together with what else to ask for, so that a round is one
call of the model; the answer is another.
"""

import json

from pydantic import BaseModel

from hlg.agent.results import Shown
from hlg.agent.steps import Act, AgentLimits, Count, Entry, Final, Loop, Seen, Think, Thought, entry
from hlg.models.language.conversing import ChatTurn, ToolCall
from hlg.models.language.structured import Unusable, read_json


class Plan(BaseModel):
    """What else to look for, if anything."""

    enough: bool
    queries: list[str]


class BatchAnswer(BaseModel):
    """The answer, and the numbers of the passages that it is made of, the best first."""

    final_answer: str
    entity_ids_for_final_answer: list[int]


def batch(question: str, limits: AgentLimits, count: Count) -> Loop:
    """The loop for a question. Passages are numbered in the order in which they were found."""
    memory: dict[str, str] = {}
    notes: list[str] = []
    for turn in range(limits.rounds):
        thought = yield Think("plan", question, _entries(memory, count))
        assert isinstance(thought, Thought)
        queries = _planned(thought.text, question, is_first=not turn)[: limits.queries]
        if not queries:
            break
        call = ToolCall(f"round{turn}", "search", json.dumps({"queries": queries}))
        seen = yield Act(call, tuple(memory))
        assert isinstance(seen, Seen)
        if seen.error:
            notes.append(seen.error)
        room = (limits.full or 1.0) * limits.window - sum(map(count, memory.values()))
        for id_, text in seen.shown.pieces:
            room -= count(text)
            if room > 0:
                memory[id_] = text
        if not seen.shown.pieces or room <= 0:
            break
        if thought.spent >= limits.tokens or thought.seconds >= limits.seconds:
            notes.append("its limit of tokens or seconds was reached: its answer was asked for")
            break
    thought = yield Think("batch answer", question, _entries(memory, count))
    assert isinstance(thought, Thought)
    ids = list(memory)
    try:
        answer = read_json(thought.text, BatchAnswer)
    except Unusable as error:
        return Final(thought.text, _entries(memory, count), notes=(*notes, str(error)))
    wanted = dict.fromkeys(answer.entity_ids_for_final_answer)
    order = tuple(ids[number - 1] for number in wanted if 1 <= number <= len(ids))
    return Final(answer.final_answer, _entries(memory, count), order, tuple(notes))


def _planned(text: str, question: str, *, is_first: bool) -> list[str]:
    """The queries of a plan; the question itself where there is none in the first round."""
    try:
        plan = read_json(text, Plan)
    except Unusable:
        plan = Plan(enough=True, queries=[])
    queries = list(dict.fromkeys(" ".join(each.split()) for each in plan.queries if each.strip()))
    if is_first:
        return queries or [question]
    return [] if plan.enough else queries


def _entries(memory: dict[str, str], count: Count) -> tuple[Entry, ...]:
    """What was found, as one turn."""
    pieces = tuple((id_, f"{n}. {text}") for n, (id_, text) in enumerate(memory.items(), start=1))
    shown = Shown("", pieces)
    return (entry(ChatTurn("tool", shown.text, "search"), count, shown),) if memory else ()
