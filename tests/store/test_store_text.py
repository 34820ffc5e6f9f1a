"""Any text can be kept by a store that only holds UTF-8."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hlg.store.shared.text import decode_text, encode_text

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
