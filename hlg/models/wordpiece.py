"""The tokenizer of all-MiniLM-L6-v2: BERT's uncased WordPiece, from our copy of its vocabulary."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.models.weights import verified
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from tokenizers import Tokenizer

VOCABULARY = Path(__file__).with_name("vocab.txt")
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
LONGEST_WORD = 100
"""Characters; BERT knows no longer word."""

# Not all white space: BERT drops some control characters that Unicode counts as such.
_WORDS = re.compile(r"[^ \t\n\r]+").findall
# BERT takes each character of these for a word: ASCII punctuation and Chinese characters.
_SINGLE = r"!-/:-@\[-`{-~\u3400-\u4dbf\u4e00-\u9fff"
_BETWEEN_SINGLES = re.compile(f"[^{_SINGLE}]+").findall
UNKNOWN, OPENING, CLOSING = 100, 101, 102
"""Ids of ``[UNK]``, ``[CLS]`` and ``[SEP]``."""
_SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


@cache
def wordpiece_tokenizer(max_tokens: int | None = None) -> "Tokenizer":
    """The tokenizer, cutting a text after ``max_tokens`` (with ``[CLS]`` and ``[SEP]``).

    :raises ModelError: the vocabulary is missing or damaged.
    """
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    verified(VOCABULARY, VOCABULARY_SHA256, "install hlg again")
    ids = {token: i for i, token in enumerate(VOCABULARY.read_text("utf-8").splitlines())}
    tokenizer = Tokenizer(WordPiece(ids, unk_token="[UNK]", max_input_chars_per_word=LONGEST_WORD))
    tokenizer.add_special_tokens(list(_SPECIAL))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing(("[SEP]", ids["[SEP]"]), ("[CLS]", ids["[CLS]"]))
    if max_tokens is not None:
        tokenizer.enable_truncation(max_tokens)
    return tokenizer


def token_ids(texts: Sequence[str], max_tokens: int) -> list[list[int]]:
    """Ids of each text, ``[CLS]`` and ``[SEP]`` with them, at most ``max_tokens``.

    A text is read up to ``max_tokens`` words of greatest length, so that one of many
    megabytes costs no more than a page.
    """
    longest = max_tokens * LONGEST_WORD
    encodings = wordpiece_tokenizer(max_tokens).encode_batch_fast(
        [without_surrogates(text[:longest]) for text in texts]
    )
    return [encoding.ids for encoding in encodings]


def word_ids(words: Sequence[str]) -> list[list[int]]:
    """Ids of the pieces of each word by itself, at least one, without marks around them."""
    encodings = wordpiece_tokenizer().encode_batch_fast(
        [without_surrogates(word[:LONGEST_WORD]) for word in words], add_special_tokens=False
    )
    return [encoding.ids or [UNKNOWN] for encoding in encodings]


def token_spans(text: str, max_tokens: int) -> tuple[list[int], list[tuple[int, int]]]:
    """The ids that :func:`token_ids` gives one text, and the characters that each stands for;
    none for ``[CLS]`` and ``[SEP]``."""
    longest = max_tokens * LONGEST_WORD
    encoding = wordpiece_tokenizer(max_tokens).encode(without_surrogates(text[:longest]))
    return encoding.ids, encoding.offsets


def count_tokens(text: str) -> int:
    """How many tokens a text of any length has, special ones aside.

    The sum over its words, since no token crosses white space; most words of a text have
    come before, so this is many times faster than tokenizing it.
    """
    return sum(map(_tokens_of_word, _WORDS(without_surrogates(text))))


@lru_cache(maxsize=65_536)
def _tokens_of_short_word(word: str) -> int:
    return len(wordpiece_tokenizer().encode(word, add_special_tokens=False).ids)


def _tokens_of_word(word: str) -> int:
    if len(word) <= LONGEST_WORD:
        return _tokens_of_short_word(word)
    # A script without spaces, or one long line of data: what stands between its single
    # characters has often come before.
    pieces: list[str] = _BETWEEN_SINGLES(word)
    singles = len(word) - sum(map(len, pieces))
    return singles + sum(map(_tokens_of_piece, pieces))


def _tokens_of_piece(piece: str) -> int:
    if len(piece) <= LONGEST_WORD:
        return _tokens_of_short_word(piece)
    return len(wordpiece_tokenizer().encode(piece, add_special_tokens=False).ids)
