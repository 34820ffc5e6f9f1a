"""What chunking and extraction by a model will cost, from a sample that is asked and kept.

The chunks that were not asked before are ordered by length, and an even sample of them is asked.
By prompt, tokens in and tokens out are a straight line over a chunk's length (least squares);
the sum over the other chunks is what is left to pay. What the sample cost is not lost: its
answers are kept, and the build takes them from there. What it may cost at most is said before it
is asked, and it costs no more.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import reduce
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hlg.errors import BudgetReached, ModelError, UsageError
from hlg.ingest.base import Task
from hlg.ingest.recipe import Recipe, tools
from hlg.ingest.tasks import break_tasks, context_tasks, cut, extraction_tasks
from hlg.models.language.answers import Answer, money_text
from hlg.models.language.budget import spending
from hlg.models.language.calls import text_of
from hlg.models.language.prices import Price
from hlg.models.language.recording import kept_only, recorded
from hlg.records import Document
from hlg.reports import Estimate, Progress, StageEstimate
from hlg.unicode import counted

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor

_Sample = list[tuple[int, list[Answer[Any]]]]
"""Lengths of chunks that were asked, with their calls."""

OnProgress = Callable[[Progress], None] | None


def estimate_build(
    door: "ModelDoor",
    recipe: Recipe,
    documents: Iterable[Document],
    sample: int,
    on_progress: OnProgress = None,
) -> Estimate:
    """What a build of these documents by this recipe will cost.

    Where a model is to say how documents are cut, a sample of them is cut, and the others are
    taken to come out as evenly as the model is asked to cut.

    :param on_progress: is told what a sample may cost at most, before it is asked.
    :raises UsageError: the recipe asks no model.
    :raises ModelError: the model answers for none of the sample.
    """
    chunker, extractor = tools(recipe)
    if not recipe.asks:
        raise UsageError(
            f"extractor {extractor.name!r} asks no language model and costs nothing; estimate "
            "--extractor llm or llm-facts",
            option="extractor",
        )
    found = list(documents)
    parts: list[Estimate] = []

    def add(tasks: list[Task]) -> None:
        if tasks:
            parts.append(estimate_cost(door, tasks, len(found), sample, on_progress))

    add([task for each in found for task in break_tasks(chunker, each)])
    cuts = [cut(chunker, each) for each in found]
    add([task for each in cuts for task in context_tasks(chunker, each)])
    add([task for each in cuts for task in extraction_tasks(extractor, each)])
    nothing = estimate_cost(door, [], len(found), sample)
    return reduce(_together, parts, nothing)


def _together(one: Estimate, other: Estimate) -> Estimate:
    """Two stages of one build. Of the chunks, those are kept that every stage asked before."""
    money = None if one.money is None or other.money is None else one.money + other.money
    empty = not one.chunks
    return Estimate(
        documents=one.documents,
        chunks=max(one.chunks, other.chunks),
        kept=other.kept if empty else min(one.kept, other.kept),
        sampled=max(one.sampled, other.sampled),
        sample=one.sample + other.sample,
        stages={**one.stages, **other.stages},
        calls=one.calls + other.calls,
        tokens_in=one.tokens_in + other.tokens_in,
        tokens_out=one.tokens_out + other.tokens_out,
        money=money,
        seconds=one.seconds + other.seconds,
    )


def estimate_cost(
    door: "ModelDoor",
    tasks: Iterable[Task],
    documents: int,
    sample: int,
    on_progress: OnProgress = None,
) -> Estimate:
    """What the tasks will cost that nobody asked before, after a sample of them.

    :param documents: how many documents the tasks are of, for the report.
    :param on_progress: is told what the sample may cost at most, before it is asked.
    :raises ModelError: the model answers for none of the sample.
    """
    answered: list[Task] = []
    to_ask: list[Task] = []
    later: list[int] = []
    for task in tasks:
        if task.ask is None:
            later.append(task.size)
        elif is_kept(task):
            answered.append(task)
        else:
            to_ask.append(task)
    to_ask.sort(key=lambda task: task.size)
    places = spread(len(to_ask), sample)
    before = door.usage
    # What is not there yet to be asked is measured by what is, be it kept.
    measured = [to_ask[place] for place in places] or (answered[:sample] if later else [])
    most = _most(door, measured)
    if most.calls and on_progress is not None:
        on_progress(Progress("sample", 0, len(measured), _told(most, len(places), len(to_ask))))
    with spending(most.money):
        found = _asked(door, measured)
    chosen = set(places)
    rest = [task.size for place, task in enumerate(to_ask) if place not in chosen] + later
    stages = _stages(found, rest, door.meter.price)
    calls = sum(stage.calls for stage in stages.values())
    each = [call.seconds for _, made in found for call in made]
    return Estimate(
        documents=documents,
        chunks=len(answered) + len(to_ask) + len(later),
        kept=len(answered),
        sampled=len(places),
        sample=door.usage - before,
        stages=stages,
        calls=calls,
        tokens_in=sum(stage.tokens_in for stage in stages.values()),
        tokens_out=sum(stage.tokens_out for stage in stages.values()),
        money=sum(stage.money or 0.0 for stage in stages.values()) if door.meter.price else None,
        seconds=float(np.mean(each)) * calls / door.concurrency if each else 0.0,
    )


def is_kept(task: Task) -> bool:
    """Whether all that a task asks was answered before, so that it costs nothing."""
    with suppress(ModelError), kept_only():
        if task.ask is not None:
            task.ask()
            return True
    return False


def spread(count: int, sample: int) -> list[int]:
    """Places of an even sample out of so many, the first and the last among them."""
    if sample >= count:
        return list(range(count))
    return sorted({round(place) for place in np.linspace(0, count - 1, sample)})


def _most(door: "ModelDoor", tasks: Sequence[Task]) -> StageEstimate:
    """The most that these tasks may cost, each question answered at once and at full length."""
    calls = tokens_in = tokens_out = 0
    money = 0.0
    for task in tasks:
        with kept_only() as missing, suppress(ModelError):
            if task.ask is not None:
                task.ask()
        for question in [each.question for each in missing[:1]]:
            read, prompt = door.meter.count_tokens(text_of(question.messages())), question.prompt
            asked = [(read, prompt.answer_tokens)]
            for later in (door.prompts.load(each) for each in task.then if each != prompt.name):
                told = door.meter.count_tokens(later.system + later.user)
                asked.append((read + prompt.answer_tokens + told, later.answer_tokens))
            calls += len(asked)
            tokens_in += sum(each for each, _ in asked)
            tokens_out += sum(each for _, each in asked)
            money += sum(door.meter.most(*each) for each in asked)
    return StageEstimate(calls, tokens_in, tokens_out, money if door.meter.price else None)


def _told(most: StageEstimate, asked: int, of: int) -> str:
    return (
        f"{asked:,} of {of:,} are asked now, to find out: at most {counted('call', most.calls)}, "
        f"{most.tokens_in:,} tokens in, {most.tokens_out:,} out, {money_text(most.money)}"
    )


def _asked(door: "ModelDoor", tasks: Sequence[Task]) -> _Sample:
    """The calls of each task that was answered.

    :raises ModelError: none was.
    """

    def ask(task: Task) -> tuple[int, list[Answer[Any]]] | ModelError | BudgetReached:
        with recorded() as calls:
            try:
                if task.ask is not None:
                    task.ask()
            except (ModelError, BudgetReached) as error:
                return error
        return task.size, calls

    results = list(door.map(ask, tasks))
    found = [each for each in results if isinstance(each, tuple)]
    errors = [each for each in results if not isinstance(each, tuple)]
    if errors and not found:
        raise errors[0]
    return found


def _stages(found: _Sample, rest: Sequence[int], price: Price | None) -> dict[str, StageEstimate]:
    calls: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for size, made in found:
        by_prompt: dict[str, list[Answer[Any]]] = defaultdict(list)
        for call in made:
            by_prompt[call.prompt].append(call)
        for prompt, of in by_prompt.items():
            total_in, total_out = sum(x.tokens_in for x in of), sum(x.tokens_out for x in of)
            calls[prompt].append((size, total_in, total_out))
    return {
        prompt: _stage(np.array(rows, float), len(rows) / len(found), rest, price)
        for prompt, rows in calls.items()
    }


def _stage(
    rows: NDArray[np.float64], share: float, rest: Sequence[int], price: Price | None
) -> StageEstimate:
    """One prompt's part; ``share`` of the chunks ask it."""
    sizes = np.array(rest, float)
    tokens_in, tokens_out = (
        round(share * _line(rows[:, 0], rows[:, column], sizes)) for column in (1, 2)
    )
    money = None if price is None else price.of(tokens_in, tokens_out)
    return StageEstimate(round(share * len(rest)), tokens_in, tokens_out, money)


def _line(
    sizes: NDArray[np.float64], tokens: NDArray[np.float64], rest: NDArray[np.float64]
) -> float:
    """The sum over ``rest`` of the straight line through the sample; the mean, where the
    sample's sizes are too alike for a line."""
    if not len(rest):
        return 0.0
    if len(sizes) < 3 or np.ptp(sizes) < 0.1 * sizes.mean():
        return float(tokens.mean() * len(rest))
    slope, base = np.polyfit(sizes, tokens, 1)
    return float(np.maximum(slope * rest + base, 0).sum())
