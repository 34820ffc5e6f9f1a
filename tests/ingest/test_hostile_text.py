"""Texts that no person would write: nothing is lost of them, and work grows as they do."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from string import ascii_lowercase

import pytest

from hlg.ids import source_id
from hlg.ingest.chunk.fixed import FixedChunker
from hlg.ingest.extract.local import topics
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.names.naming import SURE, DocumentNames
from hlg.ingest.extract.local.parse import Sentence, parsable, parse
from hlg.ingest.text.blocks import split_blocks
from hlg.ingest.text.headings import heading_trail, markdown_headings
from hlg.ingest.text.tables import LONGEST_HEADER, csv_rows, pipe_table
from hlg.models.wordpiece import count_tokens
from hlg.records import Document

GROWTH = 6
"""Four times the text may take so many times the work; a square would take 16 times."""


def _sentences(text: str) -> list[Sentence]:
    return [sentence for block in parse([(0, text)]) for sentence in block]


@pytest.mark.parametrize("pattern", ["**{} *{} ", "[({})({})] ", "word{}{} ", "磨{}坊{}。"])
def test_statements_hold_every_word_of_what_is_no_prose(pattern: str) -> None:
    text = "".join(pattern.format(*pair) for pair in product(ascii_lowercase[:16], repeat=2))
    document = Document("odd.txt", "", text)
    chunks = FixedChunker(300, 0.2, count_tokens).chunk(document, source_id(document.uri))

    statements = LocalExtractor().extract(document, chunks).statements

    held = set()
    for statement in statements:
        assert text[statement.start : statement.end] == statement.text
        held.update(range(statement.start, statement.end))
    assert all(at in held for at, character in enumerate(text) if character.isalnum())


def test_a_sentence_without_an_end_keeps_its_words_and_their_places() -> None:
    text = "a b " * 450
    sentences = _sentences(text)

    assert [word for sentence in sentences for word in sentence.words] == text.split()
    for sentence in sentences:
        count = len(sentence.words)
        assert all(0 <= head < count for head in sentence.heads)
        assert all(0 <= first < end <= count for first, end, _ in sentence.entities)
        for start, end, word in zip(sentence.starts, sentence.ends, sentence.words, strict=True):
            assert text[start:end] == word


@pytest.mark.parametrize("text", ["(" * 500, '"' * 500, ". " * 300, "?! -- ... ;; " * 50])
def test_a_long_run_of_symbols_is_not_parsed(text: str) -> None:
    assert parsable(f"Before {text}") == "Before".ljust(len(text) + 7)


def test_a_short_run_of_symbols_is_parsed_as_it_is() -> None:
    text = "Yes (really!) -- he said: “…” ----------- [1]."
    assert parsable(text) == text


@pytest.mark.parametrize("piece", [".", "磨坊", "a,b;", "x" * 7])
def test_the_chunker_counts_in_proportion_to_a_text_without_spaces(piece: str) -> None:
    def counted(size: int) -> int:
        characters = 0

        def count(text: str) -> int:
            nonlocal characters
            characters += len(text)
            return count_tokens(text)

        text = piece * (size // len(piece))
        FixedChunker(300, 0.2, count).chunk(Document("odd.txt", "", text), "id")
        return characters

    assert counted(80_000) <= GROWTH * counted(20_000)


def test_topics_of_one_name_are_numbered_without_trying_every_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = 0
    normalize = topics.normalize_name

    def counting(name: str) -> str:
        nonlocal calls
        calls += 1
        return normalize(name)

    monkeypatch.setattr(topics, "normalize_name", counting)

    def work(statements: int) -> int:
        nonlocal calls
        calls = 0
        found = topics.find_topics(["mill"] * statements, [[]] * statements, [()] * statements, "")
        assert len({topic.name for topic in found}) == len(found) > statements / 20
        return calls

    assert work(2_000) <= GROWTH * work(500)


def test_a_line_with_pipes_that_begins_no_table_costs_a_glance_at_the_next() -> None:
    read = 0

    def lines() -> Iterator[tuple[int, str]]:
        nonlocal read
        for number in range(10_000):
            read += 1
            yield number, "a | b" if number % 2 else "a | b | c"

    assert pipe_table(lines()) == (0, [])
    assert read == 2


def test_a_last_name_of_many_goes_to_none_and_of_one_to_him() -> None:
    names = DocumentNames()
    for number in range(3_000):
        names.add(f"Ada Name{number} Thorne", "Person", SURE)
    names.add("Edith Vale", "Person", SURE)
    names.add("Thorne", "Person", SURE)
    names.add("Vale", "Person", SURE)
    entities = names.entities({}, measured=False)
    assert entities["vale"].name == "Edith Vale"
    assert entities["thorne"].name == "Thorne"


def test_a_chain_of_links_is_walked_once() -> None:
    names = DocumentNames()
    keys = [names.add(f"Name {number}", "Thing") for number in range(3_000)]
    for alias, key in pairwise(keys):
        names.link(alias, key)
    assert {names.root(key) for key in keys} == {keys[-1]}


def test_a_trail_of_headings_is_that_of_the_ranks_above() -> None:
    levels = [2, 3, 3, 1, 3, 2, 4, 4, 6, 1]
    text = "\n".join(f"{'#' * level} h{number}" for number, level in enumerate(levels))
    headings = markdown_headings(text)
    for number, heading in enumerate(headings):
        expected: list[str] = []
        lowest = 7
        for earlier in reversed(range(number + 1)):
            if levels[earlier] < lowest:
                lowest = levels[earlier]
                expected.insert(0, f"h{earlier}")
        assert heading_trail(headings, heading.end) == expected


@pytest.mark.parametrize(
    "line", ["# " + "word " * 400, "# " + "x" * 100_000, "# a" + " " * 50_000 + "b"]
)
def test_a_line_too_long_for_a_heading_is_prose_in_blocks(line: str) -> None:
    assert markdown_headings(line) == []
    blocks = list(split_blocks(line, "text/markdown"))
    assert {block.kind for block in blocks} == {"text"}
    assert max(block.end - block.start for block in blocks) <= 2_000


def test_a_long_header_is_not_repeated_whole_with_each_cell() -> None:
    rows = list(csv_rows(f"{'h' * 5_000},b\n1,2\n3,4\n", ","))
    assert [header for header, _ in rows[0].cells] == ["h" * LONGEST_HEADER, "b"]


@pytest.mark.parametrize(
    "word",
    ["a-b" * 100, "磨坊" * 90, "x" * 300, "naïve.e\u0301," * 40, "αΣ!ΣΣ" * 60, "€£$" * 90],
)
def test_a_long_word_counts_as_the_tokenizer_counts_it(word: str) -> None:
    from hlg.models.wordpiece import wordpiece_tokenizer

    encode: Callable[..., object] = wordpiece_tokenizer().encode
    assert count_tokens(word) == len(encode(word, add_special_tokens=False).ids)  # type: ignore[attr-defined]
    assert re.search(r"\s", word) is None
