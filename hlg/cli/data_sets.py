"""Data sets as commands take them: cut where that is asked for, each with a graph of its own."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hlg.cli.command import SettingFlags
from hlg.cli.completion import names_in
from hlg.cli.console import one_line, progress_reporter, say, say_failures
from hlg.cli.ending import RUN_AGAIN, stopping
from hlg.cli.options import GRAPH, SEARCH
from hlg.errors import InputError, UsageError

if TYPE_CHECKING:
    from hlg.evaluation.data.questions import Dataset
    from hlg.graph import LexicalGraph
    from hlg.reports import OnProgress, Progress

FOLDER = Path(".hlg/eval")
"""Where their graphs are, and what is measured on them."""

ITS_STORE = """
:param PATH|URI store: Where its graph is: a file, or neo4j://host:7687 [default:
    .hlg/eval/DATASET.lbug].
"""
ANY_STORE = """
:param PATH|URI store: Where the graph is: a file, or neo4j://host:7687 [default:
    .hlg/eval/DATASET.lbug; without a data set .hlg/graph.lbug].
"""
DataSetFlags = Annotated[dict[str, Any], SettingFlags(GRAPH, as_given=True, told=ITS_STORE)]
TunedFlags = Annotated[dict[str, Any], SettingFlags(GRAPH, as_given=True, told=ANY_STORE)]
SearchFlags = Annotated[dict[str, Any], SettingFlags(GRAPH | SEARCH, as_given=True, told=ITS_STORE)]
Judges = Annotated[
    str, typer.Option(autocompletion=names_in("hlg.evaluation.judging.judges:JUDGES"))
]


def load_marked(folder: Path) -> "Dataset":
    """A data set whose questions have known evidence, at least one.

    :raises InputError: it can't be read, or none has.
    """
    from hlg.evaluation.data.datasets import load_dataset

    dataset = load_dataset(folder)
    if not dataset.answerable():
        raise InputError(
            f"data set {dataset.name}: no question has known evidence, and without it there is "
            "nothing to compare; name ids of its documents as gold"
        )
    return dataset


@contextmanager
def noting(show: "OnProgress") -> "Iterator[OnProgress]":
    """Shows progress, and says at the end how many searches went otherwise than asked, and how the
    first did."""
    notes: list[str] = []

    def noted(progress: "Progress") -> None:
        if progress.message and progress.stage != "build":  # which tells how far it is
            notes.append(progress.message)
        show(progress)

    yield noted
    say_first("{} searches went otherwise than asked", notes)


@dataclass(frozen=True, slots=True)
class Work:
    """A data set's graph, opened for a command, and what shows progress."""

    graph: "LexicalGraph"
    show: "OnProgress"
    is_own: bool
    build: bool

    def built(
        self, dataset: "Dataset", questions: int | None = None, words: int | None = None
    ) -> "Dataset":
        """The data set as it is cut where a number is given, and built into the graph where that is
        wanted; says what of it is not there.

        A graph that the data set was made of is asked as it is.

        :raises UsageError: it is somebody's, and has other sources.
        """
        from hlg.evaluation.corpus import build_corpus, cut_to, is_made_of

        graph, own = self.graph, self.is_own
        dataset = cut_to(dataset, lambda: graph.embedder, questions, words)
        if self.build and is_made_of(dataset, graph):
            say(f"{dataset.name} was made of this graph, which is asked as it is")
        elif self.build:
            say_failures(build_corpus(graph, dataset, FOLDER, self.show, is_own=own).failed)
        if (absent := len(dataset.documents) - len(graph.sources())) > 0:
            say(f"{absent} of {len(dataset.documents)} documents are not in the graph")
        return dataset


@contextmanager
def working(
    dataset: "Dataset",
    given: Mapping[str, Any],
    budget: float | None = None,
    words: int | None = None,
    kept: Path | None = None,
    *,
    build: bool,
) -> Iterator[Work]:
    """The graph of a data set, or of its cut to so many words.

    :param given: settings, ``store`` among them where it is another graph than that of the set.
    :param build: whether it is brought up to date first; else others may read it meanwhile.
    :param kept: the file that a run which is stopped goes on from.
    """
    from hlg.evaluation.corpus import open_graph

    stopped = stopping(lambda: f"what was asked is kept in {kept}; {RUN_AGAIN}")
    with (
        progress_reporter() as show,
        open_graph(dataset, FOLDER, words, read_only=not build, **given) as graph,
        graph.spending(budget),
        stopped if kept is not None else nullcontext(),
    ):
        yield Work(graph, show, "store" not in given, build)


def write_document(path: Path, document: object) -> None:
    """Write JSON for a program, and its folder."""
    from hlg.whole_file import write_whole_text

    write_whole_text(path, json.dumps(document, indent=1) + "\n", make_folder=True)


def say_first(told: str, texts: Sequence[str]) -> None:
    """How many of some texts there are, and the first of them, where there is any.

    :param told: with ``{}`` for the number.
    """
    if texts:
        say(f"{told.format(len(texts))}, such as: {one_line(texts[0])}")


def numbers_in(option: str, given: str, highest: int = 1_000_000) -> tuple[int, ...]:
    """Numbers with commas between, ascending, each once.

    :raises UsageError: they are none, or one is not between 1 and the highest.
    """
    parts = [part.strip() for part in given.split(",") if part.strip()]
    if not parts or not all(part.isascii() and part.isdecimal() for part in parts):
        raise UsageError(f"{option} {given!r}: give numbers with commas between", option=option)
    numbers = tuple(sorted({int(part) for part in parts}))
    if not 1 <= numbers[0] <= numbers[-1] <= highest:
        raise UsageError(f"{option} {given!r}: each is between 1 and {highest}", option=option)
    return numbers
