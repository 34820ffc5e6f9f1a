"""``hlg build``, ``hlg import`` and ``hlg estimate``: what goes into the graph, and its price."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.arguments import paths_of
from hlg.cli.command import Shown, opened
from hlg.cli.console import (
    one_line,
    print_json,
    print_line,
    progress_reporter,
    say,
    say_failures,
    say_notes,
)
from hlg.cli.ending import RUN_AGAIN, stopping
from hlg.cli.options import Budget, BuildFlags, BuildSettings, GraphSettings
from hlg.errors import UsageError
from hlg.reports import (
    BatchReport,
    BuildReport,
    Estimate,
    Failure,
    ImportReport,
    LeftOut,
    Progress,
)
from hlg.unicode import counted

if TYPE_CHECKING:
    from hlg.settings import Settings


def build(
    paths: list[str],
    settings: BuildSettings,
    prune: bool = False,
    relations: bool = False,
    watch: bool = False,
    budget: Budget = None,
    batch: bool = False,
    list_only: bool = False,
    dry_run: bool = False,
    as_json: bool = False,
) -> None:
    """Build the graph of documents, or bring it up to date with them.

    What is unchanged is skipped, what changed is replaced. A build that was stopped,
    however hard, goes on when it is run again. Embedder, processes, the fields of
    records and all else that hlg.toml has is a --set.

    \b
    Examples:
      hlg build notes/ report.pdf
      hlg build "papers/**/*.md" --graph papers
      hlg build corpus.jsonl --store neo4j://localhost:7687
      hlg build notes/ --prune --dry-run
      hlg build notes/ --list
      hlg build notes/ --watch
      hlg build faq.jsonl --set text_field=answer --set title_field=question
      hlg build notes/ --extractor llm --budget 5.00
      hlg build notes/ --extractor llm --batch

    :arg PATH... paths: Files, folders, globs, JSONL records, or - for text on stdin.
    :param prune: Delete sources that are gone from PATH.
    :param watch: Build, then keep graph and PATH together until Ctrl-C.
    :param batch: Ask the language model in batches: send them off and end; run again to go on.
    :param list_only --list: Only list the files that would be read, and the others.
    :param dry_run: Only say what would be done.
    """
    if list_only:
        _list(paths, as_json=as_json)
        return
    tell: Callable[[BuildReport], None] = print_json if as_json else _print_report
    if watch:
        if budget is not None:
            raise UsageError("--watch builds for ever and keeps no --budget", option="budget")
        if batch:
            raise UsageError("--watch builds at once, --batch in hours; give one", option="batch")
        _watch(paths, settings, tell)
        return
    with (
        progress_reporter() as show,
        opened(settings, read_only=False) as graph,
        stopping(lambda: f"{show.done} sources are in the graph and stay there; {RUN_AGAIN}"),
    ):
        report = graph.build(
            paths,
            prune=prune,
            relations=relations,
            dry_run=dry_run,
            budget=budget,
            batch=batch,
            on_progress=show,
        )
    tell(report)
    if report.failed or report.stopped:
        raise typer.Exit(1)


def _watch(paths: Sequence[str], settings: "Settings", tell: Callable[[BuildReport], None]) -> None:
    """Build whatever changes until Ctrl-C; each round is told as a build's end is."""
    from hlg.indexing.watch import keep_together

    try:
        keep_together(paths, lambda: opened(settings, read_only=False), tell, say)
    except KeyboardInterrupt:
        say("hlg: no longer watching; what was built stays")


def _print_report(report: BuildReport) -> None:
    say_failures(report.failed)
    say_notes(report.notes)
    for line in report.advice:
        say(f"note: {line}")
    if report.read:
        print_line(f"read: {_by_kind(report.read)}")
    if report.copies:
        print_line(
            f"copies: {report.copies} of them have the text of another, and are a further "
            "address of its source"
        )
    if report.left_out:
        kinds = Counter(each.kind for each in report.left_out)
        print_line(f"no documents: {_by_kind(kinds)}; hlg build --list names them")
    if report.batch is not None:
        _print_batches(report.batch)
        if report.batch.is_waiting:
            _print_model(report)
            return
    print_line(f"sources: {report.summary()}")
    if report.dry_run:
        print_line("nothing was written; run again without --dry-run to build")
        return
    if report.relations is not None:
        print_line(f"relations of entities: {report.relations.summary()}")
    _print_model(report)
    print_counts((report.relations or report).counts)
    if report.stopped:
        say(f"hlg: stopped: {report.stopped}; {RUN_AGAIN}")


def _print_batches(report: BatchReport) -> None:
    """What came back, what is still out, what was sent, and what to do next."""
    for batch in report.out:
        print_line(batch.summary())
        for reason, count in batch.reasons.items():
            say(f"hlg: {count} of its questions have no answer: {one_line(reason)}")
    if report.unusable:
        say(
            f"hlg: {report.unusable} answers can't be used; hlg build without --batch asks for "
            "them once more"
        )
    for batch in report.sent:
        print_line(f"sent batch {one_line(batch.id)}: {batch.questions} questions")
    if report.held_back:
        say(
            f"hlg: {report.held_back} questions were not sent, as their answers might pass the "
            "budget; a higher budget sends them"
        )
    if report.sent or any(not each.is_over for each in report.out):
        print_line(
            "next: the same command again, once they are answered; that may take a day. It "
            "takes the answers in, and sends what they lead to or builds"
        )


def _print_model(report: BuildReport) -> None:
    """What a language model made, and what it cost."""
    if report.unaligned:
        print_line(
            f"not word for word in their text: {report.unaligned} of {report.statements} "
            f"statements ({report.unaligned / report.statements:.1%})"
        )
    if report.model is not None:
        print_line(f"language model: {report.model.summary()}")


def _by_kind(counts: Mapping[str, int]) -> str:
    """``12 Markdown, 3 PDF``, the most frequent first."""
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {one_line(kind)}" for kind, count in ordered)


def _list(paths: Sequence[str], *, as_json: bool) -> None:
    """What a build of these paths would read and what not, and nothing of it read."""
    from hlg.ingest.load.sources import list_files

    found = list(list_files(paths_of(paths)))
    failed = [each for each in found if isinstance(each, Failure)]
    left_out = [each for each in found if isinstance(each, LeftOut)]
    read = [each for each in found if isinstance(each, tuple)]
    if as_json:
        kept = [{"uri": uri, "format": kind} for uri, kind in read]
        print_json({"read": kept, "left_out": left_out, "failed": failed})
    else:
        for uri, kind in read:
            print_line(f"{one_line(uri)}  ({kind})")
        for each in left_out:
            print_line(f"not read: {one_line(each.uri)}  ({one_line(each.kind)})")
        say_failures(failed)
        counts = Counter(kind for _, kind in read)
        print_line(f"{len(read)} files to read: {_by_kind(counts) or 'none'}")
        if left_out:
            kinds = Counter(each.kind for each in left_out)
            print_line(f"{len(left_out)} files of no format that is read: {_by_kind(kinds)}")
    if failed:
        raise typer.Exit(1)


def print_counts(counts: Mapping[str, int]) -> None:
    """What the graph holds, and what to do with it."""
    if not counts:
        print_line("no document was read, and no graph made")
        return
    print_line(
        f"the graph holds {counts['Source']} sources, {counts['Statement']} statements, "
        f"{counts['Fact']} facts, {counts['Entity']} entities, {counts['Topic']} topics"
    )
    print_line('next: hlg query "…"')


def import_(
    files: list[str],
    settings: GraphSettings,
    documents: list[str] | None = None,
    relations: bool = False,
    as_json: bool = False,
) -> None:
    """Bring triples of a predefined graph into the graph, with documents or without.

    Columns are found by name: subject, predicate, object, and where there are any
    subject_class, object_class, subject_id, object_id, document, weight; head, relation,
    tail, s, p, o, source, target and the like are understood, and said. So are confidence
    (from 0 to 1), polarity (affirmed or denied), modality, condition, attributed_to and
    time. An object that is a number or a date is a value, unless its row gives it a class
    or an id.

    Each triple is a statement, found and cited like any other; its uri is triples:FILE,
    with #DOCUMENT where rows name one. An unchanged file is skipped, a changed one
    replaced; a bad row is reported with its line, and the rest imported. A document whose
    id or title is an entity's becomes that entity's document.

    \b
    Examples:
      hlg import drugs.csv
      hlg import edges.tsv --documents descriptions.jsonl --relations
      hlg import wikidata.jsonl --graph wikidata --json | jq .notes

    :arg FILE... files: CSV, TSV or JSONL files of triples.
    :param DIR|JSONL documents: What describes the entities; may be given several times.
    """
    with (
        progress_reporter() as show,
        opened(settings, read_only=False) as graph,
        stopping(lambda: RUN_AGAIN),
    ):
        report = graph.import_triples(
            files, documents=documents or (), relations=relations, on_progress=show
        )
    if as_json:
        print_json(report)
    else:
        _print_import(report)
    if report.failed:
        raise typer.Exit(1)


def _print_import(report: ImportReport) -> None:
    for note in report.notes:
        say(f"note: {note}")
    say_failures(report.failed)
    print_line(f"{report.rows} triples read")
    print_line(f"sources of triples: {report.triples.summary()}")
    if report.documents is not None:
        print_line(f"documents: {report.documents.summary()}")
        print_line(f"{report.described} documents describe an entity of the triples")
    if report.relations is not None:
        print_line(f"relations of entities: {report.relations.summary()}")
    print_counts(report.counts)


def estimate(
    given: BuildFlags,
    paths: list[str] | None = None,
    sample: Annotated[int, typer.Option(min=1)] = 20,
    communities: bool = False,
) -> Shown:
    """Say what hlg build would pay a language model for, before it is paid.

    A sample of the chunks is asked, after it was said what that costs at most; its answers are
    kept, and the build takes them from there. Summaries of communities are asked for by
    hlg communities build: --communities is their estimate. Where what the settings name would
    ask nothing, --extractor llm is estimated.

    \b
    Examples:
      hlg estimate notes/
      hlg estimate notes/ --extractor llm-facts --sample 5
      hlg estimate notes/ --chunker contextual --extractor local
      hlg estimate --communities

    :arg PATH... paths: What hlg build takes.
    :param N sample: Chunks that are asked to find out.
    :param communities: What hlg communities build would pay for, the graph as it is.
    """
    from hlg.ingest.chunk.chunkers import asks_model
    from hlg.settings import load_settings

    if bool(paths) == communities:
        raise UsageError(
            "estimate either paths or, with --communities and without paths, the graph",
            option="paths",
        )
    settings = load_settings(**given)
    asks = asks_model(settings.chunker)
    if "extractor" not in given and settings.extractor == "local" and not asks:
        settings = settings.model_copy(update={"extractor": "llm"})
    with opened(settings, read_only=False) as graph:
        found = (
            graph.estimate(paths, sample=sample, on_progress=_say_message)
            if paths
            else graph.estimate_communities(sample=sample, on_progress=_say_message)
        )
    yield found
    what = "communities to summarize" if communities else "chunks"
    _print_estimate(found, what, settings.llm_concurrency)


def _say_message(progress: Progress) -> None:
    say(progress.message)


def _print_estimate(found: Estimate, what: str, concurrency: int) -> None:
    from hlg.models.language.answers import money_text

    documents = "" if what != "chunks" else f"{found.documents} documents to build, "
    print_line(
        f"{documents}{found.chunks} {what}: {found.kept} were asked before, "
        f"{found.sampled} were asked now"
    )
    print_line(f"asked now: {found.sample.summary()}")
    for prompt, stage in found.stages.items():
        print_line(
            f"  {prompt:<18} {stage.calls:>7,} calls {stage.tokens_in:>12,} tokens in "
            f"{stage.tokens_out:>12,} out  {money_text(stage.money)}"
        )
    print_line(
        f"the build will pay: {counted('call', found.calls)}, {found.tokens_in:,} tokens in, "
        f"{found.tokens_out:,} out, {money_text(found.money)}, in about "
        f"{found.seconds / 60:.0f} min with {concurrency} calls at once"
    )
