"""A question as sub-questions that are searched for one after the other, their answers filled
in, and what was found merged.

The passage that answers a question of several hops rarely looks like it: "Who founded #1?"
becomes "Who founded Marrow Yard?" once the first hop's passages say which yard it is.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel

from hlg.errors import ModelError
from hlg.models.language.door import ModelDoor
from hlg.records import Hit
from hlg.retrieval.base import LONGEST_QUESTION, PATIENCE, Candidate, SearchSession
from hlg.retrieval.fusion import reciprocal_rank_fusion
from hlg.retrieval.texts import text_with_details

QUESTIONS = "sub-questions"
ANSWER = "sub-answer"
MOST_QUESTIONS = 5
READ = 5
"""Hits that a sub-question is answered from."""
PASSAGE_CHARACTERS = 1_500
LONGEST_ANSWER = 120
"""Characters; more is no name, date or number, and is not filled in."""
_REFERENCE = re.compile(r"#(\d+)")

Search = Callable[[str, int], list[Hit]]
"""Hits for a question, at most so many."""


class _Questions(BaseModel):
    questions: list[str]


class _Answer(BaseModel):
    answer: str


def search_in_steps(session: SearchSession, search: Search, question: str, top_k: int) -> list[Hit]:
    """Hits of the sub-questions and of the question itself, merged.

    A sub-question that needs an answer that was not found is left out. Where the model fails,
    the question is searched for as it is, and the trace says so.

    :raises UsageError: there is no language model.
    """
    door, trace = session.require_door("decompose"), session.trace
    try:
        with trace.stage("decompose"):
            steps = _sub_questions(door, question)
    except ModelError as error:
        trace.warn(f"searched as one question: {error}")
        steps = []
    if len(steps) < 2:
        return search(question, top_k)
    found: list[list[Hit]] = []
    answers: dict[int, str] = {}
    for number, step in enumerate(steps, start=1):
        asked = filled_in(step, answers)
        if asked is None:
            trace.notes.append(f"not searched for, as what it needs was not found: {step}")
            continue
        trace.notes.append(f"searched for: {asked}")
        found.append(search(asked, top_k))
        if any(f"#{number}" in later for later in steps[number:]):
            with trace.stage("decompose"):
                answers[number] = _intermediate_answer(session, door, asked, found[-1])
    # The question itself comes last: the trace is then of it.
    found.insert(0, search(question, top_k))
    return merged_hits(found, top_k)


def filled_in(question: str, answers: Mapping[int, str]) -> str | None:
    """A sub-question with the answers that its ``#1``, ``#2``, … stand for; None where one of
    them is not known."""
    numbers = {int(found[1]) for found in _REFERENCE.finditer(question)}
    if not all(answers.get(number) for number in numbers):
        return None
    return _REFERENCE.sub(lambda found: answers[int(found[1])], question)


def merged_hits(rankings: Sequence[Sequence[Hit]], top_k: int) -> list[Hit]:
    """Each passage once, by its best rank in any ranking, ties by reciprocal rank fusion.

    So every step's first hit is among the first: each step is there for a passage that no other
    finds, and fusion alone puts what all find half-way before it. A score is 1 / rank.
    """
    first: dict[str, Hit] = {}
    best: dict[str, int] = {}
    for hit in (hit for ranking in rankings for hit in ranking):
        id_ = hit.passage.id
        first.setdefault(id_, hit)
        best[id_] = min(best.get(id_, hit.rank), hit.rank)
    fused = reciprocal_rank_fusion(*(list(map(_candidate, ranking)) for ranking in rankings))
    merged = sorted(fused, key=lambda each: best[each.id])[:top_k]
    return [
        replace(first[each.id], rank=rank, score=1 / rank, signals=each.signals)
        for rank, each in enumerate(merged, start=1)
    ]


def _candidate(hit: Hit) -> Candidate:
    return Candidate(hit.passage.kind, hit.passage.id, hit.score, hit.signals)


def _sub_questions(door: ModelDoor, question: str) -> list[str]:
    """Sub-questions in the order in which they are to be answered.

    :raises ModelError: the model does not answer, or gives none.
    """
    material = {"question": question[:LONGEST_QUESTION]}
    answer = door.ask_json(QUESTIONS, _Questions, material, patience=PATIENCE, most=MOST_QUESTIONS)
    found = [" ".join(each.split()) for each in answer.value.questions if each.strip()]
    if not found:
        raise ModelError("the language model gives no sub-questions", model=door.model)
    return found[:MOST_QUESTIONS]


def _intermediate_answer(
    session: SearchSession, door: ModelDoor, question: str, hits: Sequence[Hit]
) -> str:
    """What the first hits answer in a few words; empty where they don't, or the model fails."""
    if not hits:
        return ""
    passages = "\n\n".join(
        f"[{hit.rank}] {hit.passage.source.title}: "
        f"{text_with_details(hit.passage)[:PASSAGE_CHARACTERS]}"
        for hit in hits[:READ]
    )
    material = {"question": question, "passages": passages}
    try:
        said = door.ask_json(ANSWER, _Answer, material, patience=PATIENCE).value.answer
    except ModelError as error:
        session.trace.warn(f"{question!r} was not answered: {error}")
        return ""
    answer = " ".join(said.split())
    return answer if len(answer) <= LONGEST_ANSWER else ""
