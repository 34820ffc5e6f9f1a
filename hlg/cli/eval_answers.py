"""``hlg eval answers``: how right a graph's answers are."""

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from hlg.cli.command import flag, option
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
from hlg.cli.options import EVIDENCE_TOKENS, BudgetOption, RetrieverOptions, retriever_options
from hlg.errors import UsageError

if TYPE_CHECKING:
    from hlg.answers import Answer
    from hlg.evaluation.answers import AnswerReport
    from hlg.evaluation.judging.run import JudgeReport


def answers(
    directory: DirectoryArgument,
    given: SearchFlags,
    queries: QueriesOption = None,
    unseen: Annotated[
        bool, flag("--unseen", "Only questions that no reader was ever trained on.")
    ] = False,
    words: WordsOption = None,
    options: RetrieverOptions = None,
    extractive: Annotated[bool, flag("--extractive", "Answer without a language model.")] = False,
    judge: JudgeOption = "",
    against: Annotated[
        Path | None,
        option("FILE", "Win, loss or tie against the answers of another run, as --out wrote them."),
    ] = None,
    judge_model: JudgeModelOption = None,
    window: Annotated[
        int | None,
        option(
            "TOKENS",
            "Answer from, and judge, so much of what was found; HLG's comparison has 3000.",
            min=100,
        ),
    ] = None,
    out: Annotated[Path | None, option("FILE", "Where every answer goes, as JSON.")] = None,
    budget: BudgetOption = None,
    build: BuildOption = True,
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
      hlg eval answers data/2wiki --unseen
      hlg eval answers data/hotpotqa --queries 200 --words 150000 --out answers.json
      hlg eval answers data/hotpotqa --queries 50 --judge correctness,rag-checker
      hlg eval answers data/hotpotqa --retriever chunks --window 3000 --out chunks.json
      hlg eval answers data/hotpotqa --window 3000 --against chunks.json
    """
    from hlg.evaluation.answers import evaluate_answers
    from hlg.evaluation.corpus import cut_to, open_graph
    from hlg.evaluation.data.datasets import load_dataset
    from hlg.evaluation.judging.run import judge_report, open_bench, read_earlier, read_labels
    from hlg.evaluation.training.reader import is_held_out

    dataset = load_dataset(directory)
    chosen, tokens = retriever_options(options), window or EVIDENCE_TOKENS
    with (
        progress_reporter() as show,
        open_graph(dataset, FOLDER, words, **given) as opened,
        opened.spending(budget),
    ):
        # What is wrong with the judges is said now, not after an hour of answers.
        bench = open_bench(opened, judge, judge_model, window) if judge or against else None
        if bench is None and judge_model is not None:
            raise UsageError("--judge-model without --judge or --against", option="judge-model")
        earlier = read_earlier(against) if against is not None else None
        labels = read_labels(directory) if bench is not None else ()
        asked = [each for each in dataset.questions if not unseen or is_held_out(each.id)]
        dataset = replace(dataset, questions=tuple(asked[:queries]))
        if words:
            dataset = cut_to(dataset, lambda: opened.embedder, len(dataset.questions), words)
        bring_up_to_date(opened, dataset, show, build=build, is_own="store" not in given)

        def ask(question: str) -> "Answer":
            return opened.ask(question, options=chosen, tokens=tokens, extractive=extractive)

        report = evaluate_answers(dataset.name, dataset.questions, ask, show)
        judged = None
        if bench is not None:
            found = report.asked
            judged = judge_report(bench, dataset, found, show, labels=labels, earlier=earlier)
            if judge_model is not None:
                say(f"judged by {bench.door.model}: {bench.door.usage.summary()}")
        say_usage(opened)
    _print_report(report, judged, out)


def _print_report(report: "AnswerReport", judged: "JudgeReport | None", out: Path | None) -> None:
    """The tables; what went otherwise than asked on stderr; and all of it in a file."""
    from hlg.whole_file import write_whole_text

    if noted := report.noted:
        say(f"{len(noted)} answers came otherwise than asked, such as: {one_line(noted[0])}")
    if judged and (problems := judged.problems):
        failed = f"{len(problems)} of {len(judged.judged)} answers ({one_line(problems[0])})"
        say(f"not judged: {failed}")
    print_tables([report.table(), *(judged.tables() if judged else ())])
    if out is not None:
        document = report.document() | (judged.document() if judged else {})
        write_whole_text(out, json.dumps(document, indent=1) + "\n", make_folder=True)
        print_line(f"written: {out}")
