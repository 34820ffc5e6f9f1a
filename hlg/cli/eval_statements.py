"""``hlg eval statements``: how true a graph's statements are to their text."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from hlg.cli.command import opened, option
from hlg.cli.console import one_line, print_line, progress_reporter, say, say_usage
from hlg.cli.data_sets import JudgeModelOption
from hlg.cli.ending import RUN_AGAIN, stopping
from hlg.cli.options import AnyFlags, BudgetOption, GraphOption

SHOWN = 5
"""Statements that are not accurate, of those that are printed."""


def statements(
    store: Annotated[
        str, typer.Argument(metavar="STORE", help="A graph: a file, or neo4j://host:7687.")
    ],
    given: AnyFlags,
    sample: Annotated[int, option("N", "How many statements.", min=1)] = 1000,
    seed: Annotated[int, option("N", "Another seed draws others.")] = 7,
    judge_model: JudgeModelOption = None,
    out: Annotated[Path | None, option("FILE", "Where every verdict goes, as JSON.")] = None,
    budget: BudgetOption = None,
    graph: GraphOption = None,
) -> None:
    """Draw statements, and let a language model say which are true to their text.

    The HLG paper's table 6: a statement is accurate where it keeps the meaning of the passage
    that it was extracted from and adds nothing. Judgements are kept: a run that was stopped
    goes on, and pays nothing twice.

    \b
    Example:
      hlg eval statements notes.lbug --sample 200 --budget 1
    """
    from hlg.evaluation.judging.run import open_bench
    from hlg.evaluation.judging.statements import accuracy, draw_statements, judge_statements
    from hlg.settings import load_settings
    from hlg.whole_file import write_whole_text

    settings = load_settings(**{**given, "store": store, "graph": graph})
    with (
        progress_reporter() as show,
        opened(settings, budget=budget) as found,
        stopping(lambda: f"what was judged is kept; {RUN_AGAIN}"),
    ):
        door = open_bench(found, "", judge_model).door
        verdicts = judge_statements(door, draw_statements(found.store, sample, seed), show)
        say_usage(found, door.usage)
    if silent := [each for each in verdicts if each.accurate is None]:
        say(f"not judged: {len(silent)} of {len(verdicts)} ({one_line(silent[0].reason)})")
    print_line(accuracy(verdicts))
    for each in [each for each in verdicts if each.accurate is False][:SHOWN]:
        print_line(f"  {one_line(each.drawn.statement)}")
        print_line(f"    {one_line(each.drawn.source)}: {one_line(each.reason)}")
    if out is not None:
        told = [{**asdict(each), "drawn": each.drawn._asdict()} for each in verdicts]
        write_whole_text(out, json.dumps(told, indent=1) + "\n", make_folder=True)
        print_line(f"written: {out}")
