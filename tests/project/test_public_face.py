"""What ``import hlg`` offers: the facade, results and errors, and nothing else."""

import asyncio
import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, get_args, get_type_hints
from unittest.mock import Mock

import pytest

import hlg
from hlg import Hit, LexicalGraph, errors
from hlg.asking.chat import Chat
from hlg.entities.resolution import Entities
from hlg.ids import chunk_id
from hlg.ingest.load import sources, watch
from hlg.ingest.triples import importing
from hlg.integrations.llama_index import PostprocessorReranker
from hlg.models.onnx_embedder import MiniLmEmbedder
from hlg.models.rerankers import CrossEncoderReranker, LayerwiseReranker, OnnxReranker
from hlg.models.torch_embedder import SentenceTransformerEmbedder
from hlg.records import Chunk, Document
from hlg.retrieval.options import StatementOptions
from hlg.retrieval.registry import RETRIEVERS, open_retriever
from hlg.store.ladybug.store import LadybugStore
from hlg.store.neo4j.store import Neo4jStore

DOCUMENT = Document(uri="a.md", title="a", text="a")
TEXT = "Henrike Oake founded Oake Yard in 1888. Oake Yard built the Petrel."


def test_all_that_it_shows_is_meant_to_be_used() -> None:
    assert hlg.__all__ == sorted(hlg.__all__)
    assert dir(hlg) == hlg.__all__
    for name in set(hlg.__all__) - {"__version__"}:
        assert getattr(hlg, name).__module__.startswith("hlg.")


def classes(hint: Any) -> Iterator[type]:
    """The project's classes in a type hint."""
    for part in hint if isinstance(hint, list) else get_args(hint):
        yield from classes(part)
    if isinstance(hint, type) and hint.__module__.startswith("hlg."):
        yield hint


def test_a_program_finds_what_it_meets() -> None:
    raised = {
        name
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, hlg.HlgError)
    }
    assert raised <= set(hlg.__all__)
    names = {name: getattr(hlg, name) for name in hlg.__all__} | {"LLM": object}
    met = {
        met
        for kind in (LexicalGraph, Entities, Chat)
        for name, member in inspect.getmembers(kind, callable)
        if not name.startswith("_")
        for hint in get_type_hints(member, localns=names).values()
        for met in classes(hint)
    }
    assert met >= {hlg.SearchResult, hlg.Progress, hlg.Retriever, hlg.SameAs, hlg.Turn}
    assert {each.__name__ for each in met if getattr(hlg, each.__name__, None) is not each} == set()


def test_no_helper_is_public_on_the_graph() -> None:
    search = "search asearch retrieve aretrieve context acontext ask aask rank evidence"
    change = "build estimate infer_domain import_triples build_communities delete prepare"
    look = "entities communities communities_status estimate_communities sources status"
    parts = "open close embedder graph_embedder llm snapshots search_session"
    model = "door model_usage spending"
    meant = " ".join((search, change, look, parts, model)).split()
    assert {name for name in dir(LexicalGraph) if not name.startswith("_")} == set(meant)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LexicalGraph]:
    """One document's, for tests that only ask."""
    folder = tmp_path_factory.mktemp("yard")
    (folder / "yard.md").write_text(TEXT)
    with LexicalGraph.open(folder / "g.lbug") as graph:
        graph.build([folder / "yard.md"])
        yield graph


def test_questions_are_asked_without_holding_up_the_event_loop(graph: LexicalGraph) -> None:
    question = "Who founded Oake Yard?"

    async def ask() -> list[object]:
        return list(
            await asyncio.gather(
                graph.asearch(question), graph.aretrieve(question), graph.acontext(question)
            )
        )

    result, hits, context = asyncio.run(ask())
    assert isinstance(result, hlg.SearchResult)
    assert hits == list(result.hits) == graph.retrieve(question)
    assert context == graph.context(question)


def test_async_twins_take_and_tell_what_their_methods_do() -> None:
    twins = dict(inspect.getmembers(LexicalGraph, inspect.iscoroutinefunction))
    assert set(twins) >= {"aask", "acontext", "aretrieve", "asearch"}
    for name, twin in twins.items():
        method = getattr(LexicalGraph, name.removeprefix("a"))
        assert (twin.__name__, twin.__qualname__) == (name, f"LexicalGraph.{name}")
        assert inspect.signature(twin) == inspect.signature(method)
        assert twin.__doc__ == method.__doc__


class Backwards:
    """The hits of another retriever, the last one first."""

    name = "backwards"

    def __init__(self, graph: LexicalGraph) -> None:
        self._graph = graph

    def retrieve(self, query: str, top_k: int) -> list[Hit]:
        return self._graph.retrieve(query, retriever="bm25", top_k=top_k)[::-1]


def test_a_retriever_of_ones_own_is_asked_like_any_other(graph: LexicalGraph) -> None:
    options = hlg.Bm25Options(form="statements")
    plain = graph.retrieve("Oake Yard", retriever="bm25", options=options)
    assert {hit.passage.kind for hit in plain} == {"Statement"}
    own = graph.search("Oake Yard", retriever=Backwards(graph))
    assert own.retriever == "backwards"
    assert list(own.hits) == graph.retrieve("Oake Yard", retriever="bm25")[::-1]


def test_options_are_imported_and_name_their_retriever() -> None:
    for name, row in RETRIEVERS.items():
        assert row.options in hlg.__all__
        kind = getattr(hlg, row.options)
        assert kind is row.options_type()
        assert open_retriever(kind(), Mock()).name == name


def test_a_search_is_asked_for_by_options_alone(graph: LexicalGraph) -> None:
    options = hlg.BeamOptions(depth=2, form="statements")
    named = graph.retrieve("Oake Yard", retriever="statement-graph", options=options)
    assert graph.retrieve("Oake Yard", retriever=options) == named
    with pytest.raises(hlg.UsageError, match="BeamOptions are options already"):
        graph.search("Oake Yard", retriever=options, options={"depth": 3})
    with pytest.raises(TypeError, match=r"not the options of one retriever alone: name one"):
        graph.search("Oake Yard", retriever=StatementOptions())


class Whole:
    """A chunker of which every document is one chunk."""

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        end = len(document.text)
        id_ = chunk_id(source_id, 0, end)
        return [Chunk(id_, source_id, ordinal=0, start=0, end=end, text=document.text)]


def test_a_chunker_of_ones_own_cuts_the_documents(tmp_path: Path) -> None:
    (tmp_path / "yard.md").write_text(TEXT * 200)
    with LexicalGraph.open(tmp_path / "g.lbug") as graph:
        graph.build([tmp_path / "yard.md"], chunker=Whole())
        assert graph.status().counts["Chunk"] == 1
        assert graph.build([tmp_path / "yard.md"], chunker=Whole()).skipped == 1


# What is given: one thing or several


def several_texts(definition: Callable[..., Any]) -> list[str]:
    """The parameters of a function that its signature says are sequences of texts."""
    containers = (Sequence, Iterable, list)
    wanted = [each[kind] for each in containers for kind in (str, str | Path)]
    return [
        name
        for name, parameter in inspect.signature(definition).parameters.items()
        if any(parameter.annotation in (each, each | None) for each in wanted)
    ]


def public_functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """The methods of what a program holds, and the functions that take paths."""
    seams = (LadybugStore, Neo4jStore, MiniLmEmbedder, SentenceTransformerEmbedder)
    rerankers = (OnnxReranker, CrossEncoderReranker, LayerwiseReranker, PostprocessorReranker)
    for kind in (LexicalGraph, Entities, Chat, *seams, *rerankers):
        for name, member in inspect.getmembers(kind, inspect.isfunction):
            if not name.startswith("_"):
                yield f"{kind.__name__}.{name}", member
    for module in (sources, watch, importing):
        for name, member in inspect.getmembers(module, inspect.isfunction):
            if not name.startswith("_") and member.__module__ == module.__name__:
                yield f"{module.__name__}.{name}", member


def test_a_text_is_never_taken_apart_where_several_are_wanted() -> None:
    checked = 0
    for name, function in public_functions():
        needed = {
            each.name: Mock()
            for each in inspect.signature(function).parameters.values()
            if each.default is each.empty
        }
        for parameter in several_texts(function):
            arguments = needed | {parameter: "notes"}
            with pytest.raises(TypeError, match=f"{parameter} has to be several"):
                raise AssertionError(f"{name} takes {parameter} apart: {function(**arguments)}")
            checked += 1
    assert checked > 40


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: a document in notes/, and beside it files that its letters name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "yard.md").write_text(TEXT)
    for letter in "notes"[:2]:
        (tmp_path / letter).write_text("Nobody asked for this. It is read all the same.")
    return tmp_path


@pytest.mark.parametrize("path", ["notes", Path("notes"), ["notes"], iter(["notes"])])
def test_one_path_is_one_path(notes: Path, path: Any) -> None:
    with LexicalGraph.open("g.lbug") as graph:
        report = graph.build(path)
        assert [source.uri for source in graph.sources()] == ["notes/yard.md"]
        assert report.failed == ()


def test_one_file_of_triples_is_one_file(notes: Path) -> None:
    (notes / "a.csv").write_text("subject,predicate,object\nHenrike Oake,founded,Oake Yard\n")
    with LexicalGraph.open("g.lbug") as graph:
        assert graph.import_triples("a.csv", documents="notes").rows == 1
        assert {each.uri for each in graph.sources()} == {"triples:a.csv", "notes/yard.md"}
        assert graph.delete(Path("./notes/yard.md")) == 1
        assert graph.delete(["triples:a.csv", "nothing.md"]) == 1
        assert graph.sources() == []


@pytest.mark.parametrize("paths", [None, 3, [None], b"notes"])
def test_what_is_no_path_is_refused(tmp_path: Path, paths: Any) -> None:
    with (
        LexicalGraph.open(tmp_path / "g.lbug") as graph,
        pytest.raises(TypeError, match="paths has to be a str or PathLike or several, not"),
    ):
        graph.build(paths)


TAKEN_FOR_ANOTHER: dict[str, Callable[[Any], object]] = {
    "question has to be a str, not None": lambda graph: graph.ask(None),
    "question has to be a str, not 3": lambda graph: graph.search(3),
    "question has to be a str, not a list": lambda graph: graph.retrieve(["Oake"]),
    "question has to be a str, not a bytes": lambda graph: graph.context(b"Oake"),
    "question has to be a str, not a Document": lambda graph: Chat(graph).ask(DOCUMENT),
    "question has to be a str, not 4": lambda graph: graph.rank(4, [], kind="Chunk"),
    "ids has to be a str or several, not 5": lambda graph: graph.rank("Oake?", 5, kind="Chunk"),
    "hits has to be a Hit or several, not 'text'": lambda graph: graph.evidence("text"),
    "hits has to be a Hit or several, not None": lambda graph: graph.evidence([None]),
    "top_k has to be an int, not '5'": lambda graph: graph.search("Oake?", top_k="5"),
    "tokens has to be an int, not '9'": lambda graph: graph.ask("Oake?", tokens="9"),
    "tokens has to be an int, not a float": lambda graph: graph.context("Oake?", tokens=9.5),
    "format has to be a str, not 3": lambda graph: graph.context("Oake?", format=3),
    "options has to be a Mapping, not 'depth=2'": lambda graph: graph.search(
        "Oake?", options="depth=2"
    ),
    "where has to be a str, not 7": lambda graph: graph.search("Oake?", where=7),
    "level has to be an int, not '0'": lambda graph: graph.communities("0"),
    "budget has to be an int or float, not '1'": lambda graph: graph.spending("1").__enter__(),
    "name has to be a str, not 3": lambda graph: graph.entities.show(3),
    "sources has to be a str or PathLike or several, not 3": lambda graph: graph.delete(3),
    "store has to be a str or Path, not 3": lambda graph: LexicalGraph.open(3),
    "llm has to be a str, not 3": lambda graph: LexicalGraph.open(llm=3),
}


def test_what_is_of_another_kind_is_refused_in_one_line(notes: Path) -> None:
    with LexicalGraph.open("g.lbug") as graph:
        graph.build("notes")
        for message, call in TAKEN_FOR_ANOTHER.items():
            with pytest.raises(TypeError) as refused:
                call(graph)
            assert str(refused.value).startswith(message)
        assert graph.evidence(graph.retrieve("Oake Yard")[0]).nodes


def test_what_is_ranked_is_statements_or_chunks(notes: Path) -> None:
    with LexicalGraph.open("g.lbug") as graph:
        graph.build("notes")
        wrong: Any = "Nope"
        with pytest.raises(hlg.UsageError, match="kind has to be Statement or Chunk, not 'Nope'"):
            graph.rank("Oake?", [], kind=wrong)


@pytest.mark.parametrize("name", ["nonsense", "minilm-int8", "all-MiniLM-L6-v2-int8"])
def test_an_embedder_that_is_set_and_not_the_graphs_is_said_not_to_be_used(
    notes: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    with LexicalGraph.open("g.lbug") as graph:
        graph.build("notes")
    settings = hlg.Settings(store="g.lbug", embedder=name)
    with LexicalGraph.open(settings=settings) as graph:
        assert graph.retrieve("Oake Yard")
    not_used = "embedder nonsense is not used: the graph is of all-MiniLM-L6-v2-int8@1.0.0"
    told = [each.getMessage() for each in caplog.records if each.name.startswith("hlg.")]
    assert told == [not_used] * (name == "nonsense")


def test_no_path_is_empty(tmp_path: Path) -> None:
    """A shell's variable that is not set must not stand for all that is here."""
    with (
        LexicalGraph.open(tmp_path / "g.lbug") as graph,
        pytest.raises(hlg.UsageError, match="a path is empty"),
    ):
        graph.build("")
