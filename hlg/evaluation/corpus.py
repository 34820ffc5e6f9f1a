"""The graph of a data set: opened, and brought up to date with the whole or a cut of it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hlg.errors import UsageError
from hlg.evaluation.data.cut import cut
from hlg.evaluation.data.datasets import write_corpus
from hlg.evaluation.data.questions import Dataset, DatasetDocument
from hlg.graph import LexicalGraph
from hlg.ingest.load.sources import covered_by
from hlg.models.base import Embedder
from hlg.models.language.door import ModelDoor, open_door
from hlg.models.language.providers import required
from hlg.records import SourceGraph
from hlg.reports import BuildReport, OnProgress
from hlg.settings import load_settings
from hlg.store import GraphStore

BATCH_SOURCES = 64
"""Sources read from the store at a time."""


def open_graph(
    dataset: Dataset,
    folder: Path,
    words: int | None = None,
    *,
    store: str | None = None,
    read_only: bool = False,
    **settings: object,
) -> LexicalGraph:
    """The graph of a data set in ``store``, else in a folder, where a corpus that is cut to so
    many words has a graph beside that of the whole."""
    name = dataset.name if words is None else f"{dataset.name}.cut"
    at = store or str(folder / f"{name}.lbug")
    return LexicalGraph.open(settings=load_settings(store=at, **settings), read_only=read_only)


def cut_to(
    dataset: Dataset, embedder: Callable[[], Embedder], questions: int | None, words: int | None
) -> Dataset:
    """A data set, cut to so many questions and words where a number is given."""
    if questions is None and words is None:
        return dataset
    return cut(dataset, embedder().embed, questions=questions, words=words)


def build_corpus(
    graph: LexicalGraph,
    dataset: Dataset,
    folder: Path,
    on_progress: OnProgress | None = None,
    *,
    is_own: bool = True,
) -> BuildReport:
    """Bring a graph up to date with a data set's documents.

    :param folder: where a corpus that is no JSONL file yet is written as one.
    :param is_own: the graph is this data set's alone: other sources, such as those of another
        cut, or of another data set of that name, are deleted.
    :raises UsageError: a graph that is somebody else's has other sources.
    """
    corpus = dataset.corpus_file or folder / f"{dataset.name}.corpus.jsonl"
    held = list(graph.sources()) if graph.store.info() is not None else []
    is_of_it = covered_by([corpus])
    others = [each for each in held if not is_of_it(each.uri)]
    if others and not is_own:
        raise UsageError(
            f"{graph.store.address} holds {others[0].uri}, which is none of {dataset.name}'s "
            "documents; nothing is added to such a graph: ask it as it is with --no-build, or "
            "leave out --store for one of their own",
            option="store",
        )
    if dataset.corpus_file is None:
        write_corpus(dataset, corpus)
    if others:
        graph.store.delete([each.id for each in others])
    return graph.build([corpus], prune=True, on_progress=on_progress)


def is_made_of(dataset: Dataset, graph: LexicalGraph) -> bool:
    """Whether a data set was made of a graph: its documents are sources of it, under their own
    names."""
    if graph.store.info() is None:
        return False
    ids = {document.id for document in dataset.documents}
    return any(source.uri in ids for source in graph.sources())


def door_of(graph: LexicalGraph, model: str | None = None) -> ModelDoor:
    """A graph's language model, or another one where it is named.

    :raises UsageError: there is none.
    """
    named = graph.settings.model_copy(update={"llm": model})
    return required(graph.door if model is None else open_door(named))


def sources_of(store: GraphStore) -> Iterator[tuple[DatasetDocument, SourceGraph]]:
    """Each source as a document of a data set, with what it brought into the graph."""
    ids = [source.id for source in store.sources()]
    for first in range(0, len(ids), BATCH_SOURCES):
        batch = ids[first : first + BATCH_SOURCES]
        texts = {each.source.id: each.text for each in store.texts(batch)}
        for each in store.read(batch):
            source = each.source
            yield DatasetDocument(source.uri, source.title, texts[source.id]), each


@contextmanager
def cut_graph(
    dataset: Dataset,
    folder: Path,
    questions: int | None = None,
    words: int | None = None,
    **settings: Any,
) -> Iterator[tuple[LexicalGraph, Dataset]]:
    """The graph of a data set in a folder, brought up to date, and the data set as it was cut.

    :param settings: others than store and graph.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open_graph(dataset, folder, words, **settings) as opened:
        dataset = cut_to(dataset, lambda: opened.embedder, questions, words)
        build_corpus(opened, dataset, folder)
        yield opened, dataset
