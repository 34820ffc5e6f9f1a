"""AgenticRAG (Suresh et al. 2026): a model searches, finds, opens and walks until it answers.

One iteration is one call of the model with all the tools that it calls. Before it, a
conversation that is nearly as long as the model reads is summarised: what is not kept is
dropped from the tools' turns, and from nothing else. Text without a call ends the loop; after
the last iteration the answer is asked for. A model that answers before it has searched is given
what a search for the question finds; one whose answer cites nothing is asked for it once more.
"""

import json
from collections.abc import Collection, Generator, Sequence
from dataclasses import replace
from typing import TypeAlias

from pydantic import BaseModel

from hlg.agent.json_calls import answer_in, calls_in
from hlg.agent.results import Shown
from hlg.agent.steps import (
    Act,
    AgentLimits,
    Count,
    Entry,
    Final,
    Kind,
    Loop,
    Seen,
    Think,
    Thought,
    entry,
)
from hlg.asking.model import UNANSWERED
from hlg.models.language.conversing import ChatTurn, ToolCall
from hlg.models.language.structured import Unusable, read_json

Steps: TypeAlias = Generator[Think | Act, Thought | Seen, list[Entry]]
SUMMARIZE = "summarize"
DROPPED = "(dropped: open or find it again if you need it)"


class Summary(BaseModel):
    """What a model keeps of what it read."""

    reasoning: str
    kept_ids: list[str]


def agentic(question: str, earlier: Sequence[Entry], limits: AgentLimits, count: Count) -> Loop:
    """The loop for a question.

    :param earlier: the conversation before it: what was found then is used again.
    :param count: how many tokens a text has.
    """
    entries = [*earlier, entry(ChatTurn("user", question, "question"), count)]
    known: set[tuple[str, str]] = set()
    notes: list[str] = []
    for _ in range(limits.iterations):
        if _is_full(entries, limits):
            entries = yield from _summarized(question, entries, limits, count)
        thought = yield Think("step", question, tuple(entries))
        assert isinstance(thought, Thought)
        calls = thought.calls or calls_in(thought.text)
        if not calls and not _has_looked(entries):
            notes.append("it answered before it had searched: its question was searched for")
            calls = (_search(question),)
        if not calls:
            entries.append(entry(ChatTurn("assistant", thought.text), count))
            if _rests_on(answer_in(thought.text), _references(entries)):
                return Final(answer_in(thought.text), tuple(entries), notes=tuple(notes))
            notes.append("its answer cited nothing of what it found: it was asked for once more")
            break
        said = thought.text if thought.calls else ""
        entries.append(entry(ChatTurn("assistant", said, calls=calls), count))
        for place, call in enumerate(calls):
            seen = _refused(call, place, known, limits)
            if seen is None:
                given = yield Act(call)
                assert isinstance(given, Seen)
                seen = _that_fits(given, limits.window - _size(entries), count)
                known.add((call.name, _canonical(call.arguments)))
            entries.append(_result(call, seen, count))
            if call.name == SUMMARIZE and not seen.error:
                entries = _scrubbed(entries, _kept(call.arguments), count)
        if reached := _reached(thought, limits):
            notes.append(reached)
            break
    else:
        notes.append(f"no answer in {limits.iterations} iterations: it was asked for")
    if _is_full(entries, limits):
        entries = yield from _summarized(question, entries, limits, count)
    thought = yield Think("answer", question, tuple(entries))
    assert isinstance(thought, Thought)
    entries.append(entry(ChatTurn("assistant", thought.text), count))
    return Final(answer_in(thought.text), tuple(entries), notes=tuple(notes))


def _has_looked(entries: Sequence[Entry]) -> bool:
    return any(each.turn.role == "tool" and each.turn.name != SUMMARIZE for each in entries)


def _search(question: str) -> ToolCall:
    arguments = json.dumps({"queries": [question]}, ensure_ascii=False)
    return ToolCall("first", "search", arguments)


def _open(reference: str) -> ToolCall:
    return ToolCall(reference, "open", json.dumps({"reference_id": reference}))


def _rests_on(answer: str, found: Collection[str]) -> bool:
    """Whether an answer cites something of what was found, or had nothing to cite."""
    is_none = answer.strip(" .\n").upper() == UNANSWERED
    return is_none or not found or any(reference in answer for reference in found)


def one_search(
    question: str,
    earlier: Sequence[Entry],
    limits: AgentLimits,
    count: Count,
    kind: Kind = "answer",
    *,
    opens: bool = False,
) -> Loop:
    """One search for the question, and one answer from what it found: what the other loops are
    measured against (AgenticRAG, table 5).

    :param kind: ``given`` for an answer that was made without an agent: what follows it in the
        conversation finds both there.
    :param opens: read the whole documents that the search found: where it may only see the right
        ones, the most that a model can know (AgenticRAG, table 3).
    """
    entries = [*earlier, entry(ChatTurn("user", question, "question"), count)]
    wanted, known = [_search(question)], set[str]()
    while wanted:
        call = wanted.pop(0)
        given = yield Act(call)
        assert isinstance(given, Seen)
        if call.name == "open" and "".join(text for _, text in given.shown.pieces) in known:
            continue  # another passage of a document that is open
        known.update(text for _, text in given.shown.pieces)
        seen = _that_fits(given, limits.window - _size(entries), count)
        entries.append(entry(ChatTurn("assistant", "", calls=(call,)), count))
        entries.append(_result(call, seen, count))
        if opens and call.name == "search":
            found = [reference for reference, _ in seen.shown.pieces if reference]
            wanted = [_open(reference) for reference in found]
    thought = yield Think(kind, question, tuple(entries))
    assert isinstance(thought, Thought)
    entries.append(entry(ChatTurn("assistant", thought.text), count))
    return Final(answer_in(thought.text), tuple(entries))


def _reached(thought: Thought, limits: AgentLimits) -> str:
    """Which limit was reached; empty while none is."""
    if thought.spent >= limits.tokens:
        return f"{thought.spent:,} tokens were used, of {limits.tokens:,}: its answer was asked for"
    if thought.seconds >= limits.seconds:
        return f"{thought.seconds:.0f} s passed, of {limits.seconds:g}: its answer was asked for"
    return ""


def _refused(
    call: ToolCall, place: int, known: Collection[tuple[str, str]], limits: AgentLimits
) -> Seen | None:
    """What is said to a call that is not run; None where it is."""
    if place >= limits.calls:
        return Seen(Shown(""), f"not run: at most {limits.calls} tools at once")
    if (call.name, _canonical(call.arguments)) in known and call.name != SUMMARIZE:
        return Seen(Shown(""), "you called this before: use its result above, or call another")
    return None


def _canonical(arguments: str) -> str:
    try:
        return json.dumps(json.loads(arguments), sort_keys=True)
    except ValueError:
        return arguments


def _that_fits(seen: Seen, room: int, count: Count) -> Seen:
    """A result, or what is said in its place where the conversation has no room for it."""
    if seen.error or (tokens := count(seen.shown.text)) <= room:
        return seen
    return Seen(
        Shown(""),
        f"context window overflow: the result has {tokens:,} tokens and {max(0, room):,} are left; "
        "make room, or ask for less",
    )


def _result(call: ToolCall, seen: Seen, count: Count) -> Entry:
    shown = Shown(f"error: {seen.error}") if seen.error else seen.shown
    turn = ChatTurn("tool", shown.text, call.name, call_id=call.id)
    return entry(turn, count, shown)


def _size(entries: Sequence[Entry]) -> int:
    return sum(each.tokens for each in entries)


def _is_full(entries: Sequence[Entry], limits: AgentLimits) -> bool:
    """Whether a conversation has to be summarised."""
    return limits.full > 0 and _size(entries) >= limits.full * limits.window


def _summarized(question: str, entries: list[Entry], limits: AgentLimits, count: Count) -> Steps:
    """The conversation after a summary that the model had to make.

    What it keeps may be too much as well: then the latest of it stays, up to half of the room.
    """
    thought = yield Think("summary", question, tuple(entries))
    assert isinstance(thought, Thought)
    try:
        summary = read_json(thought.text, Summary)
    except Unusable:
        summary = Summary(reasoning=thought.text, kept_ids=[])
    there = _references(entries)
    kept = [each.strip("[] ") for each in summary.kept_ids]
    summary.kept_ids = [each for each in dict.fromkeys(kept) if each in there]
    seen = yield Act(ToolCall(SUMMARIZE, SUMMARIZE, summary.model_dump_json()))
    assert isinstance(seen, Seen)
    scrubbed = _scrubbed(entries, summary.kept_ids, count)
    notes = ChatTurn("user", summary.reasoning or "(none)", "notes")
    scrubbed.append(entry(notes, count))
    while _size(scrubbed) > limits.full * limits.window / 2 and summary.kept_ids:
        summary.kept_ids.pop(0)
        scrubbed = _scrubbed(scrubbed, summary.kept_ids, count)
    return scrubbed


def _references(entries: Sequence[Entry]) -> set[str]:
    pieces = (piece for each in entries if each.shown for piece in each.shown.pieces)
    return {reference for reference, _ in pieces if reference}


def _kept(arguments: str) -> list[str]:
    try:
        return read_json(arguments, Summary).kept_ids
    except Unusable:
        return []


def _scrubbed(entries: Sequence[Entry], kept: Sequence[str], count: Count) -> list[Entry]:
    """The conversation without what tools gave of references that are not kept."""
    ids = {each.strip("[] ") for each in kept}
    return [_without(each, ids, count) for each in entries]


def _without(each: Entry, kept: Collection[str], count: Count) -> Entry:
    if each.shown is None or all(reference in kept for reference, _ in each.shown.pieces):
        return each
    pieces = tuple(piece for piece in each.shown.pieces if piece[0] in kept)
    shown = Shown(each.shown.head, pieces, DROPPED)
    return entry(replace(each.turn, text=shown.text), count, shown)
