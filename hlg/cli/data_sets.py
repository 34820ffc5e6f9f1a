"""Data sets as commands take them: cut where that is asked for, each with a graph of its own."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hlg.cli.console import say, say_failures

if TYPE_CHECKING:
    from hlg.evaluation.data.questions import Dataset
    from hlg.graph import LexicalGraph
    from hlg.models.base import Embedder
    from hlg.reports import Progress

FOLDER = Path(".hlg/eval")
"""Where their graphs are, and what is measured on them."""
MANY = 10**12
"""More than any data set has."""

DirectoryArgument = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="A data set's folder, or a HippoRAG NAME.json."),
]
QueriesOption = Annotated[
    int | None,
    typer.Option(min=1, metavar="N", help="Only the first N questions.", show_default=False),
]
DataStoreOption = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PATH|URI",
        help="Where its graph is: a file, or neo4j://host:7687 [default: .hlg/eval/DATASET.lbug].",
        show_default=False,
    ),
]
BuildOption = Annotated[
    bool, typer.Option("--build/--no-build", help="Bring the graph up to date first.")
]
QuestionsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=1, help="Cut data sets: so many questions at most.", show_default=False
    ),
]
WordsOption = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        min=1,
        help="Cut data sets: a corpus of about so many words, the evidence and what looks "
        "like it first.",
        show_default=False,
    ),
]
FormatOption = Annotated[
    str, typer.Option("--format", metavar="png|svg", help="What the plots are.")
]


def load_all(folders: Sequence[Path]) -> "list[Dataset]":
    """All data sets, so that what is wrong with a later one is said before an earlier one is
    built for an hour.

    :raises InputError: one can't be read.
    """
    from hlg.evaluation.data.datasets import load_dataset

    return [load_dataset(folder) for folder in folders]


def cut_to(
    dataset: "Dataset", embedder: "Callable[[], Embedder]", questions: int | None, words: int | None
) -> "Dataset":
    """A data set, cut to so many questions and words where a number is given."""
    from hlg.evaluation.training.cut import cut

    if questions is None and words is None:
        return dataset
    return cut(dataset, embedder().embed, questions=questions or MANY, words=words or MANY)


def open_graph(
    dataset: "Dataset", words: int | None, *, store: str | None = None, **settings: object
) -> "LexicalGraph":
    """The graph of a data set in ``store``, else under ``.hlg/eval``, where a corpus that is cut
    to so many words has a graph beside that of the whole."""
    from hlg.graph import LexicalGraph
    from hlg.settings import load_settings

    name = dataset.name if words is None else f"{dataset.name}.cut"
    at = store or str(FOLDER / f"{name}.lbug")
    return LexicalGraph.open(settings=load_settings(store=at, **settings))


def bring_up_to_date(
    opened: "LexicalGraph",
    dataset: "Dataset",
    show: "Callable[[Progress], None] | None",
    *,
    questions: int | None = None,
    words: int | None = None,
    build: bool = True,
    is_own: bool = True,
) -> "Dataset":
    """Cut a data set, build it into its graph where that is wanted, and say what of it is not
    there; the data set as it was cut.

    :param is_own: the graph has nothing else: other sources, such as those of another cut, or of
        another data set of that name, are removed.
    """
    from hlg.evaluation.evaluate import build_corpus

    dataset = cut_to(dataset, lambda: opened.embedder, questions, words)
    if build:
        say_failures(build_corpus(opened, dataset, FOLDER, show, is_own=is_own).failed)
    if (absent := len(dataset.documents) - len(opened.sources())) > 0:
        say(f"{absent} of {len(dataset.documents)} documents are not in the graph")
    return dataset


@contextmanager
def built(
    dataset: "Dataset",
    questions: int | None,
    words: int | None,
    show: "Callable[[Progress], None] | None" = None,
) -> "Iterator[tuple[LexicalGraph, Dataset]]":
    """The graph of a data set under ``.hlg/eval``, brought up to date, and the data set as it
    was cut."""
    with open_graph(dataset, words) as opened:
        say(f"{dataset.name}: build its graph")
        cut = bring_up_to_date(opened, dataset, show, questions=questions, words=words)
        yield opened, cut
