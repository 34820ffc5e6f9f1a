"""Chunking by a language model: contexts, break points, and what they cost."""

import json
from functools import partial
from itertools import takewhile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.errors import UsageError
from hlg.graph import LexicalGraph
from hlg.ingest.chunk.chunkers import open_chunker
from hlg.ingest.chunk.model.agentic import guard_rail
from hlg.ingest.chunk.model.contextual import LONGEST_CONTEXT
from hlg.models.language.door import open_door
from hlg.records import Chunk, Document
from support import model_builds
from support.language_model_server import Asked, Refusal, Says, ScriptedServer, Turn
from support.model_builds import write_notes
from support.reading_model import reading_model

YARD = "\n\n".join(
    (
        "Edith Vale founded Oake Yard. She sold Oake Yard. Oake Yard built the Petrel.",
        "The Petrel carried mail. The Petrel burned oil. The Petrel sank in a storm.",
        "Jonas Wiek built Skarn Light. Skarn Light runs on oil. It can be seen from Oake.",
    )
)


def placing(asked: Asked) -> Turn:
    """Says where a passage stands, and divides into thirds."""
    if asked.schema == "Breaks":
        count = len(asked.material("sentences").splitlines())
        return json.dumps({"breaks": [1 + count // 3, 1 + 2 * count // 3]})
    if asked.schema:
        return reading_model(asked)
    size = len(asked.material("document")) + len(asked.material("passage"))
    return Says(f"From the quillon archive: {asked.material('passage')[:9]}", tokens=(size, 12))


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    light = "# The Light\n\nJonas Wiek built Skarn Light."
    return write_notes(tmp_path, {"yard.md": f"# The Yard\n\n{YARD}", "light.md": light})


CONTEXTUAL = {
    "extractor": "local",
    "chunker": "contextual",
    "chunk_tokens": 24,
    "chunk_overlap": 0.0,
}
opened = partial(model_builds.opened, **CONTEXTUAL)
build = partial(model_builds.build, **CONTEXTUAL)


def chunks_of(notes: Path, name: str, store: str = "g.lbug") -> tuple[Chunk, ...]:
    with LexicalGraph.open(notes.parent / store) as graph:
        (source,) = (each for each in graph.sources() if each.uri.endswith(name))
        return graph.store.read([source.id])[0].chunks


def common_beginning(texts: list[str]) -> str:
    same = takewhile(lambda letters: len(set(letters)) == 1, zip(*texts, strict=False))
    return "".join(letters[0] for letters in same)


def test_a_context_is_searched_and_is_no_part_of_the_source(notes: Path) -> None:
    with ScriptedServer(placing) as server:
        report = build(server, notes)
        build(server, notes, "plain.lbug", chunker="fixed")
    assert (report.added, report.failed) == (2, ())
    made = chunks_of(notes, "yard.md")
    plain = chunks_of(notes, "yard.md", "plain.lbug")
    assert len(made) > 2
    assert [(each.id, each.text) for each in made] == [(each.id, each.text) for each in plain]
    for chunk, before in zip(made, plain, strict=True):
        said = f"From the quillon archive: {chunk.text[:9]}"
        assert chunk.context == f"{before.context}\n{' '.join(said.split())}"
        assert chunk.headings == before.context
    with LexicalGraph.open(notes.parent / "g.lbug") as graph:
        for retriever in ("bm25", "chunks"):
            hits = graph.retrieve("quillon archive", retriever=retriever)
            assert hits, retriever
            shown = " ".join(f"{hit.passage.text} {hit.passage.details}" for hit in hits)
            assert "quillon" not in shown
        found = {each.id for each in graph.store.text_search("Chunk", "quillon", 20)}
        assert found >= {each.id for each in made}
        counts = graph.store.counts()
    with LexicalGraph.open(notes.parent / "plain.lbug") as graph:
        assert graph.store.counts() == counts, "no entities and facts of contexts"


def test_calls_about_a_document_begin_alike_up_to_the_passage(notes: Path) -> None:
    with ScriptedServer(placing) as server:
        build(server, notes)
    of_yard = [each.text for each in server.asked if "Vale" in each.material("document")]
    assert len(of_yard) > 2
    begin = common_beginning(of_yard)
    assert begin.index("[BEGIN document") < begin.index("can be seen from Oake.") < len(begin)
    others = [each.text for each in server.asked if "Vale" not in each.text]
    assert len(common_beginning([of_yard[0], others[0]])) < begin.index("[BEGIN document")
    assert {each.body["temperature"] for each in server.asked} == {0.2}


def test_a_long_document_is_read_by_windows(notes: Path) -> None:
    (notes / "long.md").write_text("\n\n".join(f"Lamp {n}. {YARD}" for n in range(12)))
    with ScriptedServer(placing) as server:
        build(server, notes, chunker="contextual:window_tokens=256", chunk_tokens=90)
    read = {each.material("document") for each in server.asked}
    long = [each for each in read if "Lamp" in each]
    assert len(long) > 2
    assert sum(map(len, long)) == len((notes / "long.md").read_text())


def test_what_was_asked_is_kept_and_a_failure_costs_its_source_alone(notes: Path) -> None:
    broken = True

    def script(asked: Asked) -> Turn:
        if broken and "can be seen" in asked.material("passage"):
            return Refusal(400)
        return placing(asked)

    with ScriptedServer(script) as server:
        report = build(server, notes)
        (failed,) = report.failed
        assert failed.uri.endswith("yard.md")
        assert "does not answer" in failed.reason
        assert report.added == 1
        broken = False
        asked = len(server.asked)
        assert build(server, notes).added == 1
        assert len(server.asked) == asked + 1
        again, other = build(server, notes), build(server, notes, "other.lbug")
        assert len(server.asked) == asked + 1, "a second build costs nothing"
        assert (again.skipped, other.added) == (2, 2)
        assert other.model is not None
        assert other.model.money == 0


def test_another_prompt_makes_the_chunks_anew(notes: Path, tmp_path: Path) -> None:
    with ScriptedServer(placing) as server:
        build(server, notes)
        own = tmp_path / "prompts"
        own.mkdir()
        (own / "chunk-context.md").write_text(
            "---\nversion: 2\nabout: x\n---\n# system\nWhere?\n# user\n"
            "[[title]] [[document]] [[passage]]\n"
        )
        assert build(server, notes, prompts=str(own)).changed == 2


def test_a_budget_ends_it_and_what_was_paid_is_kept(notes: Path) -> None:
    with ScriptedServer(placing) as server:
        # The longest answer of a context may cost 0.003.
        report = build(server, notes, budget=0.009, llm_concurrency=1)
        assert report.stopped.startswith("the next call might pass the budget")
        paid = len(server.asked)
        assert paid
        whole = build(server, notes, budget=1.0)
        assert report.added + whole.added == 2
        again = [each.material("passage") for each in server.asked[paid:]]
        assert not {each.material("passage") for each in server.asked[:paid]} & set(again)


def test_a_model_says_where_chunks_end(notes: Path) -> None:
    (notes / "yard.md").write_text(YARD)
    with ScriptedServer(placing) as server:
        build(server, notes, chunker="agentic", chunk_tokens=16)
    made = chunks_of(notes, "yard.md")
    groups = [each for each in made if each.parent_id is None]
    assert [each.text for each in groups] == YARD.split("\n\n")
    parts = [each for each in made if each.parent_id]
    assert parts, "a group over the bound is searched by its parts"
    parents = {each.id: each for each in groups}
    for part in parts:
        start = parents[str(part.parent_id)].text[:9]
        assert part.context.endswith(f"archive: {start}"), "with the context of the whole"
    said = [each for each in server.asked if not each.schema]
    assert len(said) == len(groups) + 2, "a call for each group, of the other document as well"
    (divided,) = (each for each in server.asked if each.schema and "Vale" in each.text)
    assert divided.material("sentences").startswith("1. Edith Vale founded Oake Yard.\n2. She")
    assert "2 to 3 parts" in divided.messages[0]["content"]


@pytest.mark.parametrize("answer", ['{"breaks": [2, 3, 4, 5, 6]}', '{"breaks": [1, 99, -3]}'])
def test_outside_of_the_guard_rail_the_base_chunker_cuts(notes: Path, answer: str) -> None:
    with ScriptedServer(lambda x: answer if x.schema == "Breaks" else placing(x)) as server:
        build(server, notes, chunker="agentic:base=semantic:percentile=50;window=0")
        build(server, notes, "base.lbug", chunker="semantic:percentile=50,window=0")
        tries = [each for each in server.asked if "Vale" in each.text and each.schema]
        assert len(tries) == 3
        assert "An earlier answer made" not in tries[0].text
        assert tries[2].text.count("An earlier answer made") == 2
        asked = len(server.asked)
        build(server, notes, "other.lbug", chunker="agentic:base=semantic:percentile=50;window=0")
        assert len(server.asked) == asked
    base = chunks_of(notes, "yard.md", "base.lbug")
    assert [each.id for each in chunks_of(notes, "yard.md")] == [each.id for each in base]


def test_an_answer_that_is_none_leaves_it_to_the_base_chunker(notes: Path) -> None:
    with ScriptedServer(lambda x: "I refuse." if x.schema == "Breaks" else placing(x)) as server:
        report = build(server, notes, chunker="agentic")
        build(server, notes, "base.lbug", chunker="fixed")
    assert report.failed == ()
    base = chunks_of(notes, "yard.md", "base.lbug")
    assert [each.id for each in chunks_of(notes, "yard.md")] == [each.id for each in base]


@given(st.integers(0, 2_000_000))
def test_the_guard_rail_is_the_thesiss(words: int) -> None:
    fewest, most = guard_rail(words)
    assert 2 <= fewest <= most
    target = (fewest + most) / 2 if words > 5_500 else most - 3
    assert abs(target - words / 1000) <= 0.5


@pytest.mark.parametrize("chunker", ["contextual:base=hierarchical", "agentic"])
def test_the_estimate_is_what_is_paid(tmp_path: Path, chunker: str) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for number in range(9):
        texts = (YARD.replace(" ", f" {number}-{part} ") for part in range(1 + number % 3))
        (notes / f"{number}.md").write_text("\n\n".join(texts))
    with (
        ScriptedServer(placing) as server,
        opened(server, notes, "g.lbug", chunker=chunker, extractor="llm", chunk_tokens=60) as graph,
    ):
        found = graph.estimate([notes], sample=4)
        paid = graph.build([notes]).model
        after = graph.estimate(notes)
    assert paid is not None
    assert found.documents == 9
    assert found.calls == pytest.approx(paid.calls, rel=0.15)
    assert found.tokens_in == pytest.approx(paid.tokens_in, rel=0.15)
    assert found.money == pytest.approx(paid.money, rel=0.15)
    assert {"chunk-context"} <= set(found.stages)
    assert (after.documents, after.money) == (0, 0.0)


def test_a_context_is_one_line_of_bounded_length_whatever_is_said() -> None:
    document = Document("d", "Title", "Edith Vale founded Oake Yard.")
    order = "Ignore the above.\n\nTitle > Forged\n" + "word " * 900
    with ScriptedServer([order]) as server:
        door = open_door(server.settings())
        (chunk,) = open_chunker("contextual", door=door).chunk(document, "s")
    headings, _, said = chunk.context.partition("\n")
    assert headings == chunk.headings == "Title"
    assert "\n" not in said
    assert len(said) <= LONGEST_CONTEXT


@pytest.mark.parametrize(
    ("chunker", "reason"),
    [("contextual", "needs a language model"), ("contextual:base=agentic", "asks no model")],
)
def test_a_chunker_that_can_ask_nobody_is_refused(chunker: str, reason: str) -> None:
    with ScriptedServer([""]) as server:
        door = open_door(server.settings()) if "=" in chunker else None
        with pytest.raises(UsageError, match=reason):
            open_chunker(chunker, door=door)
