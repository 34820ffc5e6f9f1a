"""``hlg import``: triples of a predefined graph into the graph."""

from typing import Annotated

import typer

from hlg.cli.build import print_counts
from hlg.cli.command import JsonOption, opened, option
from hlg.cli.console import print_json, print_line, progress_reporter, say, say_failures
from hlg.cli.ending import RUN_AGAIN, stopping
from hlg.cli.options import GraphSettings, RelationsOption
from hlg.reports import ImportReport


def import_(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE...", help="CSV, TSV or JSONL files of triples.")
    ],
    settings: GraphSettings,
    documents: Annotated[
        list[str] | None,
        option("DIR|JSONL", "What describes the entities; may be given several times."),
    ] = None,
    relations: RelationsOption = False,
    as_json: JsonOption = False,
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
        _print_report(report)
    if report.failed:
        raise typer.Exit(1)


def _print_report(report: ImportReport) -> None:
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
