"""``hlg eval scenarios``: nine ways to answer from documents and a graph, compared."""

import json
from pathlib import Path
from typing import Annotated

from hlg.cli.command import Shown, option
from hlg.cli.console import print_line, print_tables, progress_reporter, say, say_usage
from hlg.cli.data_sets import (
    FOLDER,
    BuildOption,
    DataSetFlags,
    DirectoryArgument,
    QuestionsOption,
    WordsOption,
    bring_up_to_date,
    numbers_in,
)
from hlg.cli.ending import RUN_AGAIN, stopping
from hlg.cli.options import BudgetOption
from hlg.errors import UsageError


def scenarios(
    directory: DirectoryArgument,
    given: DataSetFlags,
    scenario: Annotated[
        str, option("N,…", "Only scenarios of these numbers, 1 to 9 [default: all].")
    ] = "",
    questions: QuestionsOption = None,
    words: WordsOption = None,
    window: Annotated[
        int, option("TOKENS", "What the model reads at once, at most.", min=1_000)
    ] = 128_000,
    budget: BudgetOption = None,
    out: Annotated[
        Path | None,
        option("FILE", "Where the results go [default: .hlg/eval/DATASET.scenarios/result.json]."),
    ] = None,
    build: BuildOption = True,
) -> Shown:
    """Compare nine ways to answer: documents, graphs, workflows, agents.

    1 documents alone, 2 with their relations appended, 3 a predefined graph alone, 4 a
    computed graph with vectors, 5 documents with subgraphs, 6 modules in a fixed order, 7 the
    same as tools, 8 an autonomous agent, 9 the same with the graph as a tool; each in the
    variants of the scenarios paper, also without its savings of context. What the model
    selects is set against the evidence, and what is printed are the paper's tables 1 to 8.

    The predefined graph is triples.csv, .tsv or .jsonl in DIR, as hlg import takes it; without
    one the computed graph stands in its place. Without a language model (llm) only what needs
    none is run. What was asked is kept: a run that was stopped goes on and pays nothing twice.

    \b
    Examples:
      hlg eval scenarios data/musique --questions 30 --words 15000
      hlg eval scenarios data/musique --scenario 1,5,9 --budget 2 --out scenarios.json
      hlg eval scenarios data/musique --scenario 8 --json | jq .rows
    """
    from hlg.agent.steps import AgentLimits
    from hlg.evaluation.corpus import cut_to, open_graph
    from hlg.evaluation.data.datasets import load_dataset
    from hlg.evaluation.scenarios.report import ScenarioReport
    from hlg.evaluation.scenarios.rows import rows_of
    from hlg.evaluation.scenarios.run import run_scenarios
    from hlg.evaluation.scenarios.worlds import Worlds, predefined
    from hlg.whole_file import write_whole_text

    numbers = numbers_in("--scenario", scenario) if scenario else ()
    rows_of(numbers)
    whole = load_dataset(directory)
    folder = FOLDER / f"{whole.name}.scenarios"
    out, journal = out or folder / "result.json", folder / "runs.jsonl"
    with (
        progress_reporter() as show,
        open_graph(whole, FOLDER, words, **given) as opened,
        opened.spending(budget),
        stopping(lambda: f"what was asked is kept in {journal}; {RUN_AGAIN}"),
    ):
        rows = rows_of(numbers, with_model=opened.door is not None)
        if opened.door is None:
            say(
                "no language model: set llm and llm_url in hlg.toml, or HLG_LLM and HLG_LLM_URL; "
                f"{len(rows)} rows that need none are run"
            )
        if not rows:
            raise UsageError(
                "these scenarios need a language model: set llm and llm_url", option="llm"
            )
        dataset = cut_to(whole, lambda: opened.embedder, questions, words)
        bring_up_to_date(opened, dataset, show, build=build, is_own="store" not in given)
        worlds = Worlds(opened, dataset, folder, predefined(directory), show)
        try:
            asked, limits = dataset.answerable(), AgentLimits(window=window)
            report = ScenarioReport(
                dataset.name,
                asked,
                run_scenarios(worlds, rows, asked, limits, journal, show),
                opened.door.model if opened.door is not None else "",
                "the predefined graph" if worlds.triples else "the computed graph",
                worlds.title,
            )
        finally:
            worlds.close()
        say_usage(opened)
    document = report.document()
    write_whole_text(out, json.dumps(document, indent=1) + "\n", make_folder=True)
    yield document
    if problems := [run.problem for runs in report.runs.values() for run in runs if run.problem]:
        say(f"{len(problems)} answers could not be used, such as: {problems[0]}")
    print_tables(report.tables())
    print_line(f"written: {out}")
