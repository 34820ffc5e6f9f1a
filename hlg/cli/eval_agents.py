"""``hlg eval agents``: how well a model that searches for itself finds and answers."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from hlg.cli.ask import AgentLimitOption, agent_limits
from hlg.cli.command import option
from hlg.cli.console import one_line, print_line, print_tables, progress_reporter, say, say_usage
from hlg.cli.data_sets import (
    FOLDER,
    BuildOption,
    DirectoryArgument,
    JudgeModelOption,
    JudgeOption,
    QueriesOption,
    SearchFlags,
    WordsOption,
    bring_up_to_date,
)
from hlg.cli.ending import RUN_AGAIN, stopping
from hlg.cli.options import BudgetOption
from hlg.evaluation.judging.judges import JUDGES


def agents(
    directory: DirectoryArgument,
    given: SearchFlags,
    rows: Annotated[
        str | None,
        option("A,B,…", "What is compared [default: the paper's; graph-tools and batch besides]."),
    ] = None,
    models: Annotated[
        list[str] | None,
        option(
            "NAME",
            "A language model [default: llm]; given again, a further one, as agent alone.",
            "--model",
        ),
    ] = None,
    limits: AgentLimitOption = None,
    queries: QueriesOption = None,
    words: WordsOption = None,
    judge: JudgeOption = "",
    judge_model: JudgeModelOption = None,
    out: Annotated[
        Path | None,
        option("DIR", "Where runs and report go [default: .hlg/eval/DATASET.agents]."),
    ] = None,
    budget: BudgetOption = None,
    build: BuildOption = True,
) -> None:
    """Let a model search for itself, and set it against one search (AgenticRAG, tables 2 to 5).

    Rows: single-shot; agentic with search, find, open and summarize; the same without
    summarize (no-summarize), without find by meaning (no-semantic-find), and with one query
    a search at as many results (no-multi-query); bm25 and dense, one search whose whole
    passages are read; oracle, which is given the right documents. graph-tools has all tools,
    batch asks in rounds. Prints recall by type of question over what the answers cite (of
    single searches, over what they found), calls by tool, tokens, and how right the answers
    are: holds where a right answer stands in them, or as a judge marks.

    Needs a language model (llm). What was asked is kept: a run that was stopped goes on, and
    pays nothing twice.

    \b
    Examples:
      hlg eval agents data/bright --queries 30 --judge correctness --budget 5
      hlg eval agents data/wixqa --rows agentic,bm25,dense --model gpt-4o --model gpt-4o-mini
    """
    from hlg.evaluation.corpus import cut_to, open_graph
    from hlg.evaluation.data.datasets import load_dataset
    from hlg.evaluation.judging.run import open_bench
    from hlg.evaluation.plots import Report
    from hlg.evaluation.studies.agents import PAPERS, named_rows, run_agents
    from hlg.evaluation.studies.agents_tables import agent_tables
    from hlg.models.language.providers import required

    names = named_rows(rows) if rows is not None else PAPERS
    bounds = agent_limits(limits or ())
    whole = load_dataset(directory)
    folder = out or FOLDER / f"{whole.name}.agents"
    journal = folder / "runs.jsonl"
    with (
        progress_reporter() as show,
        open_graph(whole, FOLDER, words, **given) as graph,
        graph.spending(budget),
        stopping(lambda: f"what was asked is kept in {journal}; {RUN_AGAIN}"),
    ):
        # What is wrong with models and judges is said now, not after a graph was built.
        if not models:
            required(graph.door)
        bench = (
            open_bench(graph, judge, judge_model or next(iter(models or ()), None))
            if judge
            else None
        )
        dataset, asked = whole, whole.answerable()[:queries]
        if words:
            dataset = replace(whole, questions=asked)
            dataset = cut_to(dataset, lambda: graph.embedder, len(asked), words)
            asked = dataset.questions
        bring_up_to_date(graph, dataset, show, build=build, is_own="store" not in given)
        done = run_agents(graph, dataset, asked, names, models or (), bounds, bench, journal, show)
        say_usage(graph, *done.usages, *([bench.door.usage] if bench else []))
    if done.failed:
        say(f"the model failed {len(done.failed)} times, such as: {one_line(done.failed[0])}")
    if done.ended:
        say(f"ended early: {one_line(done.ended)}; run again with a larger --budget to go on")
    metrics = [name for each in (bench.judges if bench else ()) for name in JUDGES[each].metrics]
    tables = agent_tables(dataset.name, done, metrics)
    print_tables(tables)
    report, *_ = Report(f"Agents: {dataset.name}", tables, {}).write(folder)
    print_line(f"written: {report}; every run is in {journal}")
