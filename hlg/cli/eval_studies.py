"""``hlg eval answers`` and the papers' experiments on any data set: ``agents``, ``scenarios``,
``ablation``, ``progression``."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.ask import agent_limits
from hlg.cli.command import Shown
from hlg.cli.console import one_line, print_line, print_tables, progress_reporter, say, say_usage
from hlg.cli.data_sets import (
    FOLDER,
    DataSetFlags,
    Judges,
    SearchFlags,
    load_marked,
    noting,
    numbers_in,
    say_first,
    working,
    write_document,
)
from hlg.cli.options import (
    EVIDENCE_TOKENS,
    AnyFlags,
    Budget,
    Count,
    RetrieverOptions,
    retriever_options,
)
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.answers import Answer
    from hlg.evaluation.report import Report


def answers(
    directory: Path,
    given: SearchFlags,
    queries: Count = None,
    words: Count = None,
    options: RetrieverOptions = None,
    extractive: bool = False,
    judge: Judges = "",
    against: Path | None = None,
    judge_model: str | None = None,
    window: Annotated[int | None, typer.Option(min=100)] = None,
    out: Path | None = None,
    budget: Budget = None,
    build: bool = True,
) -> None:
    """Ask a data set's questions, and set the answers against the right ones.

    Exact match and token F1 as SQuAD and HotpotQA count them, and ROUGE-L, with intervals.
    A question that is left unanswered counts as wrong. The graph is built once, in
    .hlg/eval/DATASET.lbug or --store; a cut corpus is easier to search than the whole.

    With a language model (llm) judges see what strings don't: correctness and answer-recall
    (HLG paper, 6.5), rag-checker (claims of answers and passages), and --against for which of
    two systems answers better, asked in both orders. Judgements are kept and not paid for
    twice. Where the data set's folder has labels.jsonl (question, answer, correct, one a
    line), or marks the evidence, it is said how far the judge agrees with those persons.

    \b
    Examples:
      hlg eval answers data/2wiki --queries 100
      hlg eval answers data/hotpotqa --queries 200 --words 150000 --out answers.json
      hlg eval answers data/hotpotqa --queries 50 --judge correctness,rag-checker
      hlg eval answers data/hotpotqa --retriever chunks --window 3000 --out chunks.json
      hlg eval answers data/hotpotqa --window 3000 --against chunks.json

    :param extractive: Answer without a language model.
    :param FILE against: Win, loss or tie against the answers of another run, as --out wrote them.
    :param TOKENS window: Answer from, and judge, so much of what was found; HLG's comparison has
        3000.
    :param FILE out: Where every answer goes, as JSON.
    """
    from hlg.evaluation.answers import evaluate_answers
    from hlg.evaluation.data.datasets import load_dataset
    from hlg.evaluation.judging.run import judge_report, open_bench, read_earlier, read_labels

    whole = load_dataset(directory)
    chosen, tokens = retriever_options(options), window or EVIDENCE_TOKENS
    judged = None
    with working(whole, given, budget, words, build=build) as work:
        graph = work.graph
        # What is wrong with the judges is said now, not after an hour of answers.
        bench = open_bench(graph, judge, judge_model, window) if judge or against else None
        if bench is None and judge_model is not None:
            raise UsageError("--judge-model without --judge or --against", option="judge-model")
        earlier = read_earlier(against) if against is not None else None
        labels = read_labels(directory) if bench is not None else ()
        dataset = replace(whole, questions=whole.questions[:queries])
        dataset = work.built(dataset, words and len(dataset.questions), words)

        def ask(question: str) -> "Answer":
            return graph.ask(question, options=chosen, tokens=tokens, extractive=extractive)

        report = evaluate_answers(dataset.name, dataset.questions, ask, work.show)
        if bench is not None:
            found = report.asked
            judged = judge_report(bench, dataset, found, work.show, labels=labels, earlier=earlier)
            if judge_model is not None:
                say(f"judged by {bench.door.model}: {bench.door.usage.summary()}")
        say_usage(graph)
    say_first("{} answers came otherwise than asked", report.noted)
    if judged and (problems := judged.problems):
        failed = f"{len(problems)} of {len(judged.judged)} answers ({one_line(problems[0])})"
        say(f"not judged: {failed}")
    print_tables([report.table(), *(judged.tables() if judged else ())])
    if out is not None:
        write_document(out, report.document() | (judged.document() if judged else {}))
        print_line(f"written: {out}")


def agents(
    directory: Path,
    given: SearchFlags,
    rows: str | None = None,
    models: list[str] | None = None,
    agent_limit: list[str] | None = None,
    queries: Count = None,
    words: Count = None,
    judge: Judges = "",
    judge_model: str | None = None,
    out: Path | None = None,
    budget: Budget = None,
    build: bool = True,
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

    :param A,B,… rows: What is compared [default: the paper's; graph-tools and batch besides].
    :param NAME models --model: A language model [default: llm]; given again, a further one, as
        agent alone.
    :param DIR out: Where runs and report go [default: .hlg/eval/DATASET.agents].
    """
    from hlg.evaluation.judging.run import open_bench
    from hlg.evaluation.report import Report
    from hlg.evaluation.studies.agents import PAPERS, named_rows, run_agents
    from hlg.models.language.providers import required

    names = named_rows(rows) if rows is not None else PAPERS
    bounds = agent_limits(agent_limit or ())
    whole = load_marked(directory)
    folder = out or FOLDER / f"{whole.name}.agents"
    journal = folder / "runs.jsonl"
    with working(whole, given, budget, words, journal, build=build) as work:
        graph, models = work.graph, models or []
        # What is wrong with models and judges is said now, not after a graph was built.
        if not models:
            required(graph.door)
        model = judge_model or next(iter(models), None)
        bench = open_bench(graph, judge, model) if judge else None
        dataset = replace(whole, questions=whole.answerable()[:queries])
        dataset = work.built(dataset, words and len(dataset.questions), words)
        of_all = dataset if words else whole  # so that further questions go on from these
        done = run_agents(
            graph, of_all, dataset.questions, names, models, bounds, bench, journal, work.show
        )
        say_usage(graph, *done.usages)
        if bench is not None and model is not None and bench.door.usage.calls:
            say(f"judged by {bench.door.model}: {bench.door.usage.summary()}")
    say_first("the model failed {} times", done.failed)
    if done.ended:
        say(f"ended early: {one_line(done.ended)}; run again with a larger --budget to go on")
    tables = done.tables()
    print_tables(tables)
    report = Report(f"Agents: {dataset.name}", tables).write(folder)
    print_line(f"written: {report}; every run is in {journal}")


def scenarios(
    directory: Path,
    given: DataSetFlags,
    scenario: str = "",
    questions: Count = None,
    words: Count = None,
    documents: Annotated[int, typer.Option(min=1)] = 20,
    window: Annotated[int, typer.Option(min=1_000)] = 128_000,
    budget: Budget = None,
    out: Path | None = None,
    build: bool = True,
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

    :param N,… scenario: Only scenarios of these numbers, 1 to 9 [default: all].
    :param N documents: Documents that a search gives; the paper has 20.
    :param TOKENS window: What the model reads at once, at most.
    :param FILE out: Where the results go [default: .hlg/eval/DATASET.scenarios/result.json].
    """
    from hlg.agent.steps import AgentLimits
    from hlg.evaluation.scenarios.rows import rows_of
    from hlg.evaluation.scenarios.run import run_scenarios
    from hlg.evaluation.scenarios.worlds import Worlds, predefined

    numbers = numbers_in("--scenario", scenario) if scenario else ()
    rows_of(numbers)
    whole = load_marked(directory)
    folder = FOLDER / f"{whole.name}.scenarios"
    out, journal = out or folder / "result.json", folder / "runs.jsonl"
    with working(whole, given, budget, words, journal, build=build) as work:
        graph, door = work.graph, work.graph.door
        rows = rows_of(numbers, with_model=door is not None, documents=documents)
        if door is None:
            say(
                "no language model: set llm and llm_url in hlg.toml, or HLG_LLM and HLG_LLM_URL; "
                f"{len(rows)} rows that need none are run"
            )
        if not rows:
            raise UsageError(
                "these scenarios need a language model: set llm and llm_url", option="llm"
            )
        dataset = work.built(whole, questions, words)
        with closing(Worlds(graph, dataset, folder, predefined(directory), work.show)) as worlds:
            limits = AgentLimits(window=window)
            report = run_scenarios(worlds, rows, limits, journal, work.show)
        say_usage(graph)
        if report.ended:
            say(f"ended early: {one_line(report.ended)}; run again with a larger --budget to go on")
    document = report.document()
    write_document(out, document)
    yield document
    say_first("{} answers could not be used", report.problems)
    print_tables(report.tables())
    print_line(f"written: {out}")


def ablation(
    directory: Path,
    given: DataSetFlags,
    reranker: str = "path",
    questions: Count = None,
    words: Count = None,
    budget: Budget = None,
    out: Path | None = None,
    build: bool = True,
) -> None:
    """Add one part of the pipeline after the other, and say what each one gives and costs.

    Dense search; with BM25; with entities; reranked; and where a language model is set,
    reranked by it as well. Prints quality with intervals and paired differences, fixed
    weights of the searches beside those by question (by the model, or by rules), how much
    each reranker moves, the questions that it makes worse, and time by stage. What was
    asked is kept; a run that was stopped goes on.

    \b
    Example:
      hlg eval ablation data/scifact --questions 100 --words 60000

    :param path|MODEL reranker: What stands where the cross-encoder stands.
    :param DIR out: Where graphs, outcomes and the report go [default: .hlg/eval/DATASET.STUDY].
    """
    from hlg.evaluation.studies.ablation import run_ablation

    whole = load_marked(directory)
    folder = out or FOLDER / f"{whole.name}.ablation"
    with working(whole, given, budget, words, build=build) as work, noting(work.show) as noted:
        dataset = work.built(whole, questions, words)
        report = run_ablation(work.graph, dataset, reranker, folder, noted)
    _tell(report, folder)


def progression(
    directory: Path,
    given: AnyFlags,
    chunkers: list[str] | None = None,
    grid: bool = False,
    retriever: str = "statement-graph",
    weights: Annotated[Path | None, typer.Option(exists=True)] = None,
    reranker: str = "path",
    rerank_below: Annotated[float, typer.Option(min=0, max=1)] = 0.95,
    questions: Count = None,
    words: Count = None,
    budget: Budget = None,
    out: Path | None = None,
) -> None:
    """Compare chunkers, and on the best of them the graph, fusion and conditional reranking.

    A graph a chunker is built. Prints the thesis's eleven metrics by type of question, and
    what building and asking cost. What was built and asked is kept; a run that was stopped
    goes on.

    \b
    Examples:
      hlg eval progression data/musique --questions 40 --words 15000
      hlg tune fusion data/musique --target lss --out weights.json
      hlg eval progression data/musique --grid --weights weights.json

    :param NAME[:OPTIONS][@TOKENS[/OVERLAP]] chunkers --chunker: A chunker to compare, as
        fixed@700/0.2; may be given again [default: fixed, semantic, hierarchical].
    :param grid: Compare the thesis's eighteen: three chunkers, six sizes each.
    :param NAME retriever: What searches the graph.
    :param FILE weights: Weights of hlg tune fusion for the fusion.
    :param path|llm|MODEL reranker --rerank: What reranks.
    :param SHARE rerank_below: Rerank where the best fused score is below this; hlg tune threshold
        --by score finds it.
    :param DIR out: Where graphs, outcomes and the report go [default: .hlg/eval/DATASET.STUDY].
    """
    from hlg.evaluation.corpus import cut_to
    from hlg.evaluation.studies.progression import GRID, Plan, run_progression
    from hlg.models.embedders import open_embedder
    from hlg.models.language.budget import spending
    from hlg.settings import load_settings

    plan = Plan(
        chunkers=tuple(
            dict.fromkeys([*(chunkers or ()), *(GRID if grid else ())] or Plan().chunkers)
        ),
        graph=retriever,
        weights=str(weights) if weights else "",
        reranker=reranker,
        rerank_below=rerank_below,
        settings=given,
    )
    whole = load_marked(directory)
    embedder = load_settings(**given).embedder
    dataset = cut_to(whole, lambda: open_embedder(embedder), questions, words)
    folder = out or FOLDER / f"{dataset.name}.progression"
    folder.mkdir(parents=True, exist_ok=True)
    with progress_reporter() as show, spending(budget), noting(show) as noted:
        report = run_progression(dataset, plan, folder, noted)
    _tell(report, folder)


def _tell(report: "Report", folder: Path) -> None:
    print_tables(report.tables)
    print_line(f"written: {report.write(folder)}; graphs and outcomes are kept")
    print_line(f"plots with: hlg eval report {folder / 'result.json'}")
