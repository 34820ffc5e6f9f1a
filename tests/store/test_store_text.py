"""Any text can be kept by a store that only holds UTF-8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.records import BETWEEN, Chunk, Source
from hlg.store.shared.text import decode_text, encode_text
from hlg.store.source_text import between_chunks, put_together

EDGES = "\ud7ff\ud800\udbff\udc00\udfff\ue000\U0010efff\U0010f000\U0010f7ff\U0010f800\U0010f801\0\n"

any_text = st.text(st.characters()) | st.text(st.sampled_from(EDGES))


@given(any_text)
def test_decoding_undoes_encoding(text: str) -> None:
    assert decode_text(encode_text(text)) == text


@given(any_text)
def test_encoded_text_is_utf_8(text: str) -> None:
    encode_text(text).encode("utf-8")


@given(any_text, any_text)
def test_different_texts_stay_different(one: str, other: str) -> None:
    assert (encode_text(one) == encode_text(other)) == (one == other)


@pytest.mark.parametrize("text", ["", "plain", "naïve 数 🎉", "a\0b", "\U0010ffff"])
def test_ordinary_text_is_not_touched(text: str) -> None:
    assert encode_text(text) is text
    assert decode_text(text) is text


@given(
    st.text(st.characters(), max_size=60),
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60))),
)
def test_a_text_is_put_together_from_any_chunks_of_it(
    text: str, spans: list[tuple[int, int]]
) -> None:
    chunks = [
        Chunk(str(i), "s", i, start, end, text[start:end])
        for i, (start, end) in enumerate(sorted((min(pair), max(pair)) for pair in spans))
        if end <= len(text)
    ]
    source = Source("s", "s.md", "", "", {BETWEEN: between_chunks(text, chunks)})
    assert put_together(source, chunks).text == text
    # Of a graph that an earlier hlg built only the white space is not known, and all stands where
    # it stood.
    guessed = put_together(Source("s", "s.md", "", ""), chunks).text
    for chunk in chunks:
        assert guessed[chunk.start : chunk.end] == chunk.text
