"""Content-addressed ids: the same content has the same id in every store and build.

An id is blake2b-128 in hex over its parts, each with its length before it, so that no
two different lists of parts run together.
"""

from collections.abc import Iterable
from hashlib import blake2b

from hlg.names import normalize_name


def content_id(*parts: str) -> str:
    """Id of a list of strings: 32 hex digits."""
    digest = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def text_hash(*parts: str) -> str:
    """Fingerprint of a source's text and of all else that decides what is made of it.

    While it is unchanged, nothing is rebuilt.
    """
    return content_id("text", *parts)


def source_id(uri: str) -> str:
    """A source is its address."""
    return content_id("source", uri)


def chunk_id(source: str, start: int, end: int) -> str:
    """A chunk is a span of a source."""
    return content_id("chunk", source, str(start), str(end))


def topic_id(source: str, name: str) -> str:
    """A topic belongs to one source (a local link)."""
    return content_id("topic", source, normalize_name(name))


def statement_id(chunk: str, text: str) -> str:
    """A statement is a text in a chunk."""
    return content_id("statement", chunk, text)


def entity_id(name: str, entity_class: str) -> str:
    """An entity is a normalised name and a class, whatever source it is in (a global link)."""
    return content_id("entity", normalize_name(name), normalize_name(entity_class))


def community_id(level: int, entity_ids: Iterable[str]) -> str:
    """A community is its level and its members, in whatever order they come."""
    return content_id("community", str(level), *sorted(entity_ids))


def fact_id(subject: str, predicate: str, object_: str, *stated: str) -> str:
    """A fact is a normalised triple; ``subject`` and ``object_`` are entity ids or values.

    :param stated: how it is stated, where that is more than plainly.
    """
    parts = map(normalize_name, stated)
    return content_id("fact", subject, normalize_name(predicate), object_, *parts)
