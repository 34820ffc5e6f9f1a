"""``hlg import``: triples of a predefined graph into the graph."""

from typing import Annotated

import typer

from hlg.cli.build import print_counts, print_stage
from hlg.cli.console import print_json, print_line, progress_reporter, say, say_failures
from hlg.cli.ending import EXIT_INTERRUPTED
from hlg.cli.options import GraphOption, JsonOption, RelationsOption, StoreOption
from hlg.reports import Failure, ImportReport

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("import")
def import_(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="CSV, TSV or JSONL files of triples.")
    ],
    documents: Annotated[
        list[str] | None,
        typer.Option(
            "--documents",
            metavar="DIR|JSONL",
            help="What describes the entities; may be given several times.",
            show_default=False,
        ),
    ] = None,
    relations: RelationsOption = False,
    store: StoreOption = None,
    graph: GraphOption = None,
    as_json: JsonOption = False,
) -> None:
    """Bring triples of a predefined graph into the graph, with documents or without.

    Columns are found by name: subject, predicate, object, and where there are any
    subject_class, object_class, subject_id, object_id, document, weight; head, relation,
    tail, s, p, o, source, target and the like are understood, and said. An object that is
    a number or a date is a value, unless its row gives it a class or an id.

    Each triple is a statement, found and cited like any other; its uri is triples:FILE,
    with #DOCUMENT where rows name one. An unchanged file is skipped, a changed one
    replaced; a bad row is reported with its line, and the rest imported. A document whose
    id or title is an entity's becomes that entity's document.

    \b
    Examples:
      hlg import drugs.csv
      hlg import edges.tsv --documents descriptions.jsonl --relations
      hlg import wikidata.jsonl --graph wikidata --json | jq .notes
    """
    from hlg.graph import LexicalGraph
    from hlg.settings import load_settings

    settings = load_settings(store=store, graph=graph)
    with progress_reporter() as show, LexicalGraph.open(settings=settings) as opened:
        try:
            report = opened.import_triples(
                files, documents=documents or (), relations=relations, on_progress=show
            )
        except KeyboardInterrupt as error:
            say("hlg: stopped; run the same command again for the rest")
            raise typer.Exit(EXIT_INTERRUPTED) from error
    if as_json:
        print_json(report)
    else:
        _print_report(report)
    if _failed(report):
        raise typer.Exit(1)


def _failed(report: ImportReport) -> tuple[Failure, ...]:
    return report.triples.failed + (report.documents.failed if report.documents else ())


def _print_report(report: ImportReport) -> None:
    for note in report.notes:
        say(f"note: {note}")
    say_failures(_failed(report))
    print_line(f"{report.rows} triples read")
    print_stage("sources of triples", report.triples)
    if report.documents is not None:
        print_stage("documents", report.documents)
        print_line(f"{report.described} documents describe an entity of the triples")
    if report.relations is not None:
        print_stage("relations of entities", report.relations)
    print_counts(report.counts)
