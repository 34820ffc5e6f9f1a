"""``hlg eval``: how well retrievers find what a data set says is there to be found."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from hlg.cli import eval_studies
from hlg.cli.command import Commands, opened
from hlg.cli.completion import names_in
from hlg.cli.console import one_line, print_line, print_tables, progress_reporter, say, say_usage
from hlg.cli.data_sets import FOLDER, DataSetFlags, noting, numbers_in, working, write_document
from hlg.cli.ending import RUN_AGAIN, stopping
from hlg.cli.options import AnyFlags, Budget, Count, GraphSettings, retriever_options
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.evaluation.facts import Drawn

app = Commands()
SHOWN = 5
"""Statements that are not accurate, of those that are printed."""


@app.callback()
def evaluation() -> None:
    """Measure retrievers and answers, on questions with known evidence."""


@app.command()
def run(
    directory: Path,
    given: DataSetFlags,
    retrievers: str = "chunks,bm25,statements",
    queries: Count = None,
    cutoffs: str = "2,5,10",
    tokens: str = "500,1000,2000,3000,4000",
    baseline: str | None = None,
    options: list[str] | None = None,
    out: Path | None = None,
    budget: Budget = None,
    build: bool = True,
) -> None:
    """Ask every retriever the same questions and compare what they find.

    The graph is built once, in .hlg/eval/DATASET.lbug or --store, and used again while
    the data set stays the same. What was asked is kept: a run that was stopped goes on
    when it is run again. NAME:LABEL is a retriever once more, for other options.

    \b
    Examples:
      hlg eval run data/musique --retrievers chunks,bm25,statement-graph --out musique.json
      hlg eval run data/scifact --queries 50 --k 5,10,20
      hlg eval run data/musique --retrievers chunks,auto --option auto.adaptive=false
      hlg eval run data/musique --retrievers chunks,chunks:hyde --option chunks:hyde.hyde=true

    :param A,B,… retrievers: Retrievers to compare, on the same questions.
    :param K,… cutoffs --k: Ranks at which to measure.
    :param N,… tokens: Measure evidence in the first so many tokens.
    :param NAME baseline: What the others are compared to [default: chunks, else the first].
    :param RETRIEVER.NAME=VALUE options --option: An option of a retriever, once for each option.
    :param FILE out: Where the results go [default: .hlg/eval/DATASET.json].
    """
    from hlg.evaluation.data.datasets import load_dataset
    from hlg.evaluation.data.records import listed
    from hlg.evaluation.experiment import Experiment, evaluate, journal_path, retriever_depths
    from hlg.evaluation.tables import result_tables

    if not (names := listed(retrievers)):
        raise UsageError(
            "--retrievers names none; give for example chunks,bm25,statements", option="retrievers"
        )
    ranks = numbers_in("--k", cutoffs, 100)
    limits = numbers_in("--tokens", tokens)
    dataset = load_dataset(directory)
    out = out or FOLDER / f"{dataset.name}.json"
    experiment = Experiment(
        dataset,
        dataset.questions[:queries],
        names,
        baseline or ("chunks" if "chunks" in names else names[0]),
        _retriever_options(options or (), names),
        budgets=limits,
    )
    if missing := dataset.missing_gold():
        say(f"{missing} gold ids name no document of {dataset.name}; they count as not found")
    with working(dataset, given, budget, kept=journal_path(out), build=build) as work:
        # A wrong name or option is said now, not after a graph was built for an hour.
        retriever_depths(work.graph, experiment)
        work.built(dataset)
        with noting(work.show) as noted:
            result = evaluate(work.graph, experiment, cutoffs=ranks, out=out, on_progress=noted)
    print_tables(result_tables(result))
    print_line(f"written: {out}; plots with: hlg eval report {out}")


app.command()(eval_studies.agents)
app.command()(eval_studies.answers)
app.command()(eval_studies.ablation)
app.command()(eval_studies.progression)
app.command()(eval_studies.scenarios)


@app.command()
def report(
    files: list[Path],
    out: Path = Path("report"),
    image_format: Literal["png", "svg"] = "png",
) -> None:
    """Draw results: tables and plots, as Markdown with images.

    Beside what hlg eval run prints: where in what was retrieved the evidence stands, by rank
    and by tokens.

    \b
    Example:
      hlg eval report musique.json hotpotqa.json --out report --format svg

    :arg FILE... files: Results of hlg eval run.
    :param DIR out: Where the report goes.
    :param png|svg image_format --format: What the plots are.
    """
    from hlg.evaluation.report import report_tables, write_report
    from hlg.evaluation.results import read_result

    results = [read_result(path) for path in files]
    written = write_report(results, out, image_format)
    for result in results:
        print_tables(report_tables(result))
    print_line(f"written: {written[0]} with {len(written) - 1} plots")


@app.command()
def synthesize(
    out: Path,
    settings: GraphSettings,
    questions: Annotated[int, typer.Option(min=1)] = 600,
    recipe: Annotated[
        str, typer.Option(autocompletion=names_in("hlg.evaluation.synthesis.recipes:RECIPES"))
    ] = "facts",
    local: bool = False,
    judge_model: str | None = None,
    split: bool = False,
    budget: Budget = None,
) -> None:
    """Make a data set out of a graph: its texts, and questions about them.

    Without a model: facts asks for one end of a fact between two names, paths for the end of
    two facts in a row; the statements that say them are the evidence. Such questions use the
    words of their answers: good for comparing settings on texts of your own, and easier than
    what people ask. With --local sf1h, sf2h and mf2h are made so, of one fact, of two in a
    file or in two files; only those stay which the network that reads passages for hlg ask
    answers from their evidence.

    With a language model (llm): sf1h, sf2h and mf2h (thesis, 4.1) ask one segment of a file,
    two of it, or two of two files that share names; the answer stands in the text letter by
    letter, and one of two passages must not suffice. multi-hop (HLG paper, 5) asks over
    several documents; another model refines the question, and its passages have to bear its
    answer out. What was answered is kept: a run that was stopped goes on, and pays nothing
    twice.

    \b
    Examples:
      hlg eval synthesize made --store notes.lbug
      hlg eval synthesize made --recipe mf2h --local
      hlg eval synthesize made --recipe mf2h --questions 100 --budget 2
      hlg eval synthesize made --recipe multi-hop:least=2 --judge-model gpt-4o
      hlg eval synthesize made --recipe paths --split
      hlg eval run made --store notes.lbug --retrievers auto,bm25,hybrid

    :arg OUT out: The folder that the data set is written to.
    :param N questions: So many questions at most.
    :param NAME recipe: How they are made, options behind a colon: mf2h:words=400,shared=2.
    :param local: sf1h, sf2h, mf2h without a model: of facts that the reader finds.
    :param NAME judge_model: Refine and check by another model [default: llm].
    :param split: Also 70, 15, 15 % of each type: OUT-train, -validation, -test.
    """
    from hlg.evaluation.data.cut import in_parts
    from hlg.evaluation.data.datasets import write_dataset
    from hlg.evaluation.synthesis.making import Maker, means
    from hlg.evaluation.synthesis.recipes import RECIPES
    from hlg.evaluation.synthesis.recipes import synthesize as made_by

    with progress_reporter() as show, opened(settings) as graph, graph.spending(budget):
        maker = Maker(graph, questions, show, judge_model)
        made = made_by(maker, recipe, local=local)
        if not local and RECIPES.named(recipe.partition(":")[0]).prompts:
            say_usage(graph, maker.judge.usage)
        of_each = means(graph, made.dataset.questions) if made.dataset.questions else ()
        of = f"--store {graph.store.address}"
        of += f" --graph {settings.graph}" if settings.graph else ""
    write_dataset(made.dataset, out)
    parts = in_parts(replace(made.dataset, name=out.resolve().name)) if split else []
    for part in parts:
        write_dataset(part, out.resolve().parent / part.name)
    counts = ", ".join(f"{stage} {count}" for stage, count in made.stages.items())
    documents = len(made.dataset.documents)
    print_line(f"{len(made.dataset.questions)} questions on {documents} documents in {out}")
    for part in parts:
        print_line(f"{len(part.questions)} of them in {part.name}, beside it")
    print_line(f"by stage: {counts}")
    if of_each:
        shown = "{:.1f} passages of {:.1f} documents, and names {:.1f} entities, its answer {:.1f}"
        print_line(f"a question has {shown.format(*of_each)}")
    if made.ended:
        say(f"ended early: {one_line(made.ended)}; run again with a larger --budget to go on")
    print_line(f"next: hlg eval run {out} {of}")


@app.command()
def statements(
    store: str,
    given: AnyFlags,
    sample: Annotated[int, typer.Option(min=1)] = 1000,
    seed: int = 7,
    judge_model: str | None = None,
    out: Path | None = None,
    budget: Budget = None,
    graph: str | None = None,
) -> None:
    """Draw statements, and let a language model say which are true to their text.

    The HLG paper's table 6: a statement is accurate where it keeps the meaning of the passage
    that it was extracted from and adds nothing. Judgements are kept: a run that was stopped
    goes on, and pays nothing twice.

    \b
    Example:
      hlg eval statements notes.lbug --sample 200 --budget 1

    :param N sample: How many statements.
    :param N seed: Another seed draws others.
    :param FILE out: Where every verdict goes, as JSON.
    :arg STORE store: A graph: a file, or neo4j://host:7687.
    """
    from hlg.evaluation.facts import accuracy, draw_statements, judge_statements
    from hlg.evaluation.judging.run import open_bench
    from hlg.settings import load_settings

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
        write_document(out, told)
        print_line(f"written: {out}")


@app.command()
def facts(
    store: str,
    sample: Annotated[int, typer.Option(min=1)] = 100,
    seed: int = 7,
    marks: Path | None = None,
    graph: str | None = None,
) -> None:
    """Draw facts and entities, let a person mark them, and say what share is right.

    On a terminal each comes with its sentence and is marked by a key: r right, w wrong, u
    unsure, q to stop. The marks are kept, a record a line with its "mark" (right, wrong,
    unsure or empty), which an editor can fill in too; the same command goes on from there.

    \b
    Example:
      hlg eval facts notes.lbug --sample 100 --seed 7

    :param N sample: How many facts, and how many entities.
    :param N seed: Another seed draws others.
    :param FILE marks: Where the marks are kept [default: STORE.marks.jsonl].
    :arg STORE store: A graph: a file, or neo4j://host:7687.
    """
    from hlg.evaluation.facts import draw, read_marks, shares, write_marks
    from hlg.settings import load_settings

    path = marks or Path(f"{store}.marks.jsonl")
    with opened(load_settings(store=store, graph=graph)) as found:
        drawn = draw(found.store, sample, seed)
    known = {(each.kind, each.id): each.mark for each in read_marks(path)}
    drawn = [replace(each, mark=known.get((each.kind, each.id), "")) for each in drawn]
    if sys.stdin.isatty():
        drawn = _mark(drawn)
    write_marks(path, drawn)
    for line in shares(drawn):
        print_line(line)
    print_line(f"marks: {path}")


def _mark(drawn: "Sequence[Drawn]") -> "list[Drawn]":
    """Ask for each record that has no mark yet; q ends it."""
    from hlg.evaluation.facts import MARKS

    marked = list(drawn)
    for number, each in enumerate(drawn):
        if each.mark:
            continue
        print_line()
        print_line(f"{number + 1} of {len(drawn)}  {each.kind}: {one_line(each.text)}")
        print_line(f"    {one_line(each.sentence)}")
        key = ""
        while key not in (*MARKS, "q"):
            key = typer.prompt("r right, w wrong, u unsure, q stop", default="u").strip().lower()
        if key == "q":
            break
        marked[number] = replace(each, mark=MARKS[key])
    return marked


def _retriever_options(
    given: Iterable[str], retrievers: tuple[str, ...]
) -> dict[str, Mapping[str, object]]:
    """``RETRIEVER.NAME=VALUE`` by retriever and name."""
    options: dict[str, dict[str, object]] = {}
    for text in given:
        retriever, _, named = text.partition(".")
        if retriever not in retrievers:
            raise UsageError(
                f"--option {text!r}: write RETRIEVER.NAME=VALUE with one of "
                + ", ".join(retrievers),
                option="option",
                known=retrievers,
            )
        options.setdefault(retriever, {}).update(retriever_options([named]))
    return dict(options)
