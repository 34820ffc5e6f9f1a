"""What ``import hlg`` offers: the facade, results and errors, and nothing else."""

import asyncio
from pathlib import Path

import hlg
from hlg import Hit, LexicalGraph
from hlg.ids import chunk_id
from hlg.records import Chunk, Document
from hlg.retrieval.registry import RETRIEVERS

TEXT = "Henrike Oake founded Oake Yard in 1888. Oake Yard built the Petrel."


def test_all_that_it_shows_is_meant_to_be_used() -> None:
    assert hlg.__all__ == sorted(hlg.__all__)
    assert dir(hlg) == hlg.__all__


def test_each_name_is_there_and_comes_from_hlg() -> None:
    for name in set(hlg.__all__) - {"__version__"}:
        assert getattr(hlg, name).__module__.startswith("hlg.")


def test_questions_are_asked_without_holding_up_the_event_loop(tmp_path: Path) -> None:
    (tmp_path / "yard.md").write_text(TEXT)
    with LexicalGraph.open(tmp_path / "g.lbug") as graph:
        graph.build([tmp_path / "yard.md"])
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


def test_the_options_of_every_retriever_can_be_imported() -> None:
    for row in RETRIEVERS.values():
        assert row.options in hlg.__all__
        assert getattr(hlg, row.options) is row.options_type()


class Backwards:
    """The hits of another retriever, the last one first."""

    name = "backwards"

    def __init__(self, graph: LexicalGraph) -> None:
        self._graph = graph

    def retrieve(self, query: str, top_k: int) -> list[Hit]:
        return self._graph.retrieve(query, retriever="bm25", top_k=top_k)[::-1]


def test_a_retriever_of_ones_own_is_asked_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "yard.md").write_text(TEXT)
    with LexicalGraph.open(tmp_path / "g.lbug") as graph:
        graph.build([tmp_path / "yard.md"])
        options = hlg.Bm25Options(form="statements")
        plain = graph.retrieve("Oake Yard", retriever="bm25", options=options)
        assert {hit.passage.kind for hit in plain} == {"Statement"}
        own = graph.search("Oake Yard", retriever=Backwards(graph))
        assert own.retriever == "backwards"
        assert list(own.hits) == graph.retrieve("Oake Yard", retriever="bm25")[::-1]


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
