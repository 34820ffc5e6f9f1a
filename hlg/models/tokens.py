"""Counting tokens as language models do, without a network.

tiktoken would fetch its encoding files; llama-index-core ships two of them, found here by
the package's path, as importing that package takes seconds. Both come with ``hlg[llm]``;
without them the embedder's own tokenizer counts.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

from hlg.models.base import Embedder

ENCODING = "o200k_base"
_ADDRESS = f"https://openaipublic.blob.core.windows.net/encodings/{ENCODING}.tiktoken"
_CACHE_VARIABLE = "TIKTOKEN_CACHE_DIR"
_environment = Lock()


@dataclass(frozen=True, slots=True)
class TokenCounter:
    """How many tokens a text has, and by whose count: an encoding's or an embedder's name."""

    name: str
    count: Callable[[str], int]


def token_counter(embedder: Embedder) -> TokenCounter:
    """Counts with tiktoken's :data:`ENCODING`, or, where its file is not there, with the
    embedder's own tokenizer."""
    return _tiktoken_counter() or TokenCounter(embedder.name, embedder.count_tokens)


def language_model_tokens(text: str) -> int:
    """About how many tokens a language model sees in a text, for one that does not say.

    Counted with tiktoken's :data:`ENCODING`, or with the default embedder's word pieces where
    its file is not there; other models' own counts differ by up to a fifth in English.
    """
    counter = _tiktoken_counter()
    if counter is not None:
        return counter.count(text)
    from hlg.models.wordpiece import count_tokens

    return count_tokens(text)


@cache
def _tiktoken_counter() -> TokenCounter | None:
    folder = _encodings_folder()
    if folder is None:
        return None
    import tiktoken

    with _environment:
        before = os.environ.get(_CACHE_VARIABLE)
        os.environ[_CACHE_VARIABLE] = str(folder)
        try:
            encoding = tiktoken.get_encoding(ENCODING)
        except (OSError, ValueError):
            return None  # The file is damaged, and there is no other.
        finally:
            if before is None:
                del os.environ[_CACHE_VARIABLE]
            else:
                os.environ[_CACHE_VARIABLE] = before
    return TokenCounter(ENCODING, lambda text: len(encoding.encode_ordinary(text)))


def _encodings_folder() -> Path | None:
    """Where llama-index-core keeps encoding files, each named by the hash of its address."""
    spec = find_spec("llama_index.core") if find_spec("llama_index") else None
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "_static" / "tiktoken_cache"
    return folder if (folder / sha1(_ADDRESS.encode()).hexdigest()).is_file() else None
