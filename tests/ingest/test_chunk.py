"""Chunkers: exact spans, nothing left out, nothing too large, the same every time."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from semantic_text_splitter import MarkdownSplitter, TextSplitter

from hlg.errors import InputError, UsageError
from hlg.ingest.base import Chunker, leaves
from hlg.ingest.chunk.chunkers import open_chunker
from hlg.ingest.chunk.node_parser import locate
from hlg.ingest.chunk.splitter import WINDOW, Splitter
from hlg.ingest.text.headings import heading_trail, markdown_headings
from hlg.ingest.text.sentences import sentence_spans
from hlg.models.embedders import open_embedder
from hlg.records import Chunk, Document
from support.texts import article

TOKENS = 12
OWN = ("fixed", "hierarchical", "semantic")
LLAMA = ("llama_index:SentenceSplitter", "llama_index:TokenTextSplitter")
CHUNKERS: dict[str, Chunker] = {
    name: open_chunker(name, tokens=TOKENS, overlap=0.25) for name in (*OWN, *LLAMA)
}
count_tokens = open_embedder().count_tokens

ORDINARY = ("the cat sat.", "# Title", "\n\n", "\r\n", "- item", "| a | b |", "```", "a", "A. B!")
HOSTILE = ("e\u0301", "\ud800", "\x00", "\u2028", "\x1c", "北京。", "😀", "x" * 130, "  ", "\ufeff")
WORDS = st.sampled_from(ORDINARY + HOSTILE)
TEXTS = st.one_of(st.text(max_size=80), st.lists(WORDS, max_size=40).map(" ".join))
MEDIA = st.sampled_from(["text/plain", "text/markdown"])


def document(text: str, media_type: str = "text/plain") -> Document:
    return Document("d", "Title", text, media_type=media_type)


def assert_exact_and_complete(text: str, chunks: list[Chunk]) -> None:
    covered = bytearray(len(text))
    for chunk in leaves(chunks):
        covered[chunk.start : chunk.end] = b"\1" * (chunk.end - chunk.start)
    assert all(seen or char.isspace() for seen, char in zip(covered, text, strict=True))
    for chunk in chunks:
        assert text[chunk.start : chunk.end] == chunk.text
        assert chunk.text.strip()
        assert chunk.source_id == "s"
    assert [chunk.ordinal for chunk in chunks] == [*range(len(chunks))]
    assert len({chunk.id for chunk in chunks}) == len(chunks)


@pytest.mark.parametrize("name", OWN)
@settings(deadline=None, max_examples=40)
@given(text=TEXTS, media_type=MEDIA)
def test_chunks_are_exact_complete_bounded_and_repeatable(
    name: str, text: str, media_type: str
) -> None:
    chunks = CHUNKERS[name].chunk(document(text, media_type), "s")
    assert_exact_and_complete(text, chunks)
    assert all(count_tokens(chunk.text) <= TOKENS for chunk in leaves(chunks))
    starts = [chunk.start for chunk in leaves(chunks)]
    assert starts == sorted(starts)
    assert CHUNKERS[name].chunk(document(text, media_type), "s") == chunks


@pytest.mark.parametrize("name", LLAMA)
@settings(deadline=None, max_examples=40)
@given(text=TEXTS)
def test_node_parsers_chunks_are_exact_and_repeatable(name: str, text: str) -> None:
    chunks = CHUNKERS[name].chunk(document(text), "s")
    for chunk in chunks:
        assert text[chunk.start : chunk.end] == chunk.text
    assert CHUNKERS[name].chunk(document(text), "s") == chunks


@pytest.mark.parametrize("name", LLAMA)
def test_node_parsers_leave_nothing_of_a_repetitive_text_out(name: str) -> None:
    text = "The cat sat on the mat. " * 40 + "Then it left.\n\n" + "The cat sat on the mat. " * 5
    assert_exact_and_complete(text, CHUNKERS[name].chunk(document(text), "s"))


@pytest.mark.parametrize("name", CHUNKERS)
@pytest.mark.parametrize("text", ["", " \n\t ", "\u2003\n"], ids=["empty", "space", "em-space"])
def test_white_space_makes_no_chunk(name: str, text: str) -> None:
    assert CHUNKERS[name].chunk(document(text), "s") == []


PROSE = "\n\n".join(article(seed)["text"] for seed in range(12))
MARKED = "\n\n".join(f"## Part {n}\n\n{article(n)['text']}" for n in range(12))
UNMARKED = {
    "one line of words": " ".join(PROSE.replace(".", "").split()),
    "no spaces": "".join(chr(0x4E00 + (7 * i) % 800) for i in range(2_000)),
    "one letter": "x" * 6_000,
}
"""Texts without a sentence's end."""


def pairs(chunks: list[Chunk]) -> list[tuple[Chunk, Chunk]]:
    """Chunks and those after them, children of one parent each where there are parents."""
    following = pairwise(leaves(chunks))
    return [(a, b) for a, b in following if a.parent_id == b.parent_id]


@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown"])
@pytest.mark.parametrize(("tokens", "overlap"), [(60, 0.2), (120, 0.5), (300, 0.2), (300, 0.1)])
def test_each_overlap_is_within_a_sentence_of_what_was_asked_for(
    tokens: int, overlap: float, media_type: str
) -> None:
    text = MARKED if media_type == "text/markdown" else PROSE
    chunks = open_chunker("fixed", tokens=tokens, overlap=overlap).chunk(
        document(text, media_type), "s"
    )
    assert len(chunks) > 4
    begins = {start for start, _ in sentence_spans(text)}
    asked = round(tokens * overlap)
    for before, after in pairwise(chunks):
        shared = count_tokens(text[after.start : before.end])
        # A chunk that is shorter than the overlap is never repeated whole.
        possible = min(asked, count_tokens(before.text))
        sentences = [before.text[i:j] for i, j in sentence_spans(before.text)]
        assert possible - max(map(count_tokens, sentences)) <= shared <= asked
        assert 2 * shared >= asked or count_tokens(before.text) <= 2 * asked
        assert after.start in begins or 2 * shared >= asked
        assert count_tokens(after.text) <= tokens


@pytest.mark.parametrize("text", UNMARKED.values(), ids=UNMARKED)
def test_text_without_sentences_overlaps_by_what_was_asked_for(text: str) -> None:
    chunker = open_chunker("fixed", tokens=60, overlap=0.2)
    size = Splitter(60, count_tokens).size
    chunks = chunker.chunk(document(text), "s")
    assert_exact_and_complete(text, chunks)
    assert len(chunks) > 4
    for before, after in pairwise(chunks):
        assert 10 <= size(text[after.start : before.end]) <= 12
        assert text[after.start - 1].isspace() or " " not in text


def test_chunks_overlap_by_nothing_where_nothing_is_asked_for() -> None:
    apart = open_chunker("fixed", tokens=60, overlap=0).chunk(document(PROSE), "s")
    assert all(a.end <= b.start for a, b in pairwise(apart))


@pytest.mark.parametrize("splitter_class", [TextSplitter, MarkdownSplitter])
def test_a_text_longer_than_a_window_is_cut_without_a_seam(
    splitter_class: type[TextSplitter | MarkdownSplitter],
) -> None:
    text = " ".join(" ".join(article(seed)["text"] for seed in range(300)).split())
    assert len(text) > 2 * WINDOW
    splitter = Splitter(200, count_tokens)
    at_once = splitter_class.from_callback(splitter.size, 200).chunk_indices(text)
    assert splitter.spans(text, markdown=splitter_class is MarkdownSplitter) == [
        (start, start + len(piece)) for start, piece in at_once
    ]


def test_a_long_gap_is_crossed() -> None:
    text = "Begin." + " " * (3 * WINDOW) + "End."
    assert_exact_and_complete(text, CHUNKERS["fixed"].chunk(document(text), "s"))


def test_markdown_is_cut_at_its_headings_and_chunks_know_what_they_are_under() -> None:
    text = (
        "# Firms\n\nAll of them.\n\n## Helix\n\n"
        + "Helix makes lasers. " * 4
        + "\n\n## Tern\n\nIt flies."
    )
    chunker = open_chunker("fixed", tokens=22, overlap=0)
    chunks = chunker.chunk(document(text, "text/markdown"), "s")
    firsts = [chunk.text.partition("\n")[0] for chunk in chunks]
    assert firsts == ["# Firms", "## Helix", "## Tern"]
    assert [chunk.context for chunk in chunks] == ["Title", "Title > Firms", "Title > Firms"]
    assert (
        open_chunker("fixed").chunk(document("# Not Markdown\n\nText"), "s")[0].context == "Title"
    )


def test_parents_precede_their_children_and_hold_them() -> None:
    text = "\n\n".join(article(seed)["text"] for seed in range(4))
    chunks = open_chunker("hierarchical", tokens=40).chunk(document(text), "s")
    by_id = {chunk.id: chunk for chunk in chunks}
    children = [chunk for chunk in chunks if chunk.parent_id]
    assert children
    for child in children:
        parent = by_id[child.parent_id or ""]
        assert parent.ordinal < child.ordinal
        assert parent.start <= child.start < child.end <= parent.end
        assert parent.parent_id is None
    assert all(count_tokens(chunk.text) <= 160 for chunk in chunks)


@pytest.mark.parametrize("shared", [50, 100])
@pytest.mark.parametrize(("parent_tokens", "tokens"), [(2000, 500), (2000, 800), (3000, 1000)])
def test_the_hierarchies_of_the_thesis_can_be_made(
    parent_tokens: int, tokens: int, shared: int
) -> None:
    text = "\n\n".join(article(seed)["text"] for seed in range(60))
    chunker = open_chunker(
        f"hierarchical:parent_tokens={parent_tokens}", tokens=tokens, overlap=shared / tokens
    )
    chunks = chunker.chunk(document(text), "s")
    parents = [chunk for chunk in chunks if chunk.parent_id is None]
    assert max(count_tokens(parent.text) for parent in parents) > 0.9 * parent_tokens
    assert all(count_tokens(parent.text) <= parent_tokens for parent in parents)
    assert all(count_tokens(chunk.text) <= tokens for chunk in leaves(chunks))
    for before, after in pairs(chunks):
        assert shared / 2 <= count_tokens(text[after.start : before.end]) <= shared


def test_semantic_chunks_break_where_the_subject_changes() -> None:
    cats = "The cat purred. Cats sleep all day. A kitten plays. The tomcat chased a mouse."
    banks = "The bank raised its rates. Bonds fell. Investors sold. Inflation worries markets."
    chunks = open_chunker("semantic", tokens=200).chunk(document(f"{cats} {banks}"), "s")
    assert [chunk.text for chunk in chunks] == [cats, banks]


@pytest.mark.parametrize("window", [0, 1])
def test_a_lower_percentile_makes_more_semantic_chunks(window: int) -> None:
    text = "\n\n".join(article(seed)["text"] for seed in range(6))

    def count(percentile: int) -> int:
        spec = f"semantic:percentile={percentile},window={window}"
        return len(open_chunker(spec, tokens=1200).chunk(document(text), "s"))

    assert count(80) > count(90) > count(99)


def test_a_hierarchy_of_llama_index_keeps_its_parents() -> None:
    chunker = open_chunker("llama_index:HierarchicalNodeParser", tokens=40, overlap=0.1)
    text = "\n\n".join(article(seed)["text"] for seed in range(3))
    chunks = chunker.chunk(document(text), "s")
    assert_exact_and_complete(text, chunks)
    by_id = {chunk.id: chunk for chunk in chunks}
    children = [chunk for chunk in chunks if chunk.parent_id]
    assert children
    assert all(by_id[chunk.parent_id or ""].start <= chunk.start for chunk in children)


def test_a_semantic_splitter_of_llama_index_runs_on_our_embedder() -> None:
    text = article(5)["text"]
    chunks = open_chunker("llama_index:SemanticSplitterNodeParser").chunk(document(text), "s")
    assert_exact_and_complete(text, chunks)
    assert len(chunks) > 1


def test_a_node_parser_that_rewrites_the_text_is_named() -> None:
    chunker = open_chunker("llama_index:JSONNodeParser")
    with pytest.raises(InputError, match=r"^d: LlamaIndex's JSONNodeParser changes the text"):
        chunker.chunk(document('{"a": {"b": "c d"}}'), "s")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "fxed",
            "no chunker 'fxed'; did you mean 'fixed'. there are fixed, semantic, hier",
        ),
        ("semantic:percentil=80", "no option 'percentil'; it has percentile, window"),
        ("semantic:percentile=101", "percentile='101' is not valid: .*less than or equal to 100"),
        ("fixed:parent_tokens=9", "chunker 'fixed' has no option 'parent_tokens'; it has none"),
        ("hierarchical:parent_tokens=200", "parents of 200 tokens can't hold children of 300"),
        ("llama_index:Nope", "no node parser 'Nope'; choose one of: .*SentenceSplitter"),
        ("llama_index:NodeParser", "no node parser 'NodeParser'"),
        ("llama_index:LangchainNodeParser", "LangchainNodeParser can't be used as a chunker"),
    ],
)
def test_a_wrong_name_is_an_error_that_lists_the_right_ones(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        open_chunker(name)


@pytest.mark.parametrize(("tokens", "overlap"), [(0, 0.2), (10, 1.0), (10, -0.1)])
def test_sizes_that_make_no_sense_are_refused(tokens: int, overlap: float) -> None:
    with pytest.raises(UsageError, match="give at least 1 token"):
        open_chunker("fixed", tokens=tokens, overlap=overlap)


def test_pieces_with_other_white_space_cost_one_pass() -> None:
    def seconds(count: int) -> float:
        words = [f"w{i % 997} x{i}" for i in range(count)]
        text, place = "\n\n".join(words), (-1, 0)
        started = time.process_time()
        for first in range(0, count, 20):
            found = locate(text, " ".join(words[first : first + 20]), (0, len(text)), place)
            assert found is not None
            place = found
        assert place[1] == len(text)
        return time.process_time() - started

    once = seconds(5_000)
    assert seconds(20_000) < 8 * once + 0.1


def test_sentences_end_at_marks_and_at_lines() -> None:
    text = 'One. "Two!" Three 3.5 e.g.x\n\n  Four。五。"'
    found = [text[i:j] for i, j in sentence_spans(text)]
    assert found == ["One.", '"Two!"', "Three 3.5 e.g.x", "Four。", '五。"']


def test_a_dot_of_an_abbreviation_ends_no_sentence() -> None:
    told = (
        "Dr. Amos Fell met Mrs. Tarrant (cf. Fig. 2, no. 5) in the U.S. last year.",
        "See e.g. J. R. Vale et al. 1904.",
        "He took vitamin C. It helped him, as did co. directors of Oake Inc. and others.",
        "So did I. They said no. She left on Jan. 3 from the firm of Vale & Co. Nobody came.",
    )
    found = [[text[i:j] for i, j in sentence_spans(text)] for text in told]
    assert found == [
        [told[0]],
        [told[1]],
        ["He took vitamin C.", told[2][19:]],
        ["So did I.", "They said no.", told[3][24:-13], "Nobody came."],
    ]


def test_headings_in_code_are_none_and_closed_ones_lose_their_marks() -> None:
    text = "# A #\n```\n# no\n```\n### B\n#no\n## C\n#\n"
    headings = markdown_headings(text)
    assert [(heading.level, heading.title) for heading in headings] == [
        (1, "A"),
        (3, "B"),
        (2, "C"),
    ]
    assert heading_trail(headings, len(text)) == ["A", "C"]
    assert heading_trail(headings, headings[1].end) == ["A", "B"]
    assert heading_trail(headings, 0) == []
