"""Any LlamaIndex node parser as a chunker; LlamaIndex takes seconds to import, and only here."""

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hlg.errors import InputError, UsageError
from hlg.extras import how_to_install
from hlg.ingest.chunk.hierarchical import PARENT_TOKENS
from hlg.ingest.chunk.splitter import make_chunks
from hlg.ingest.text.spans import Span, trimmed
from hlg.models.base import Embedder
from hlg.records import Chunk, Document
from hlg.unicode import without_surrogates

if TYPE_CHECKING:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from llama_index.core.node_parser import NodeParser


_INK = re.compile(r"\S")


class NodeParserChunker:
    """Chunks by a class of ``llama_index.core.node_parser``, each found again in its source.

    The class is given those of our settings that it takes: size, overlap, tokens as our
    embedder counts them, our embedder.

    :raises UsageError: there is no such class, it needs more than that, or LlamaIndex
        (``hlg[llm]``) is not installed.
    """

    def __init__(self, tokens: int, overlap: float, embedder: Embedder, name: str) -> None:
        self._name = name
        self._parser = _open_parser(name, tokens, overlap, embedder)

    def chunk(self, document: Document, source_id: str) -> list[Chunk]:
        """The parser's nodes as chunks, in its order; a parent precedes its children.

        :raises InputError: the parser changed the text, so that a node has no place in it.
        """
        return make_chunks(document, source_id, self._spans(document))

    def _spans(self, document: Document) -> Iterator[tuple[Span, Span | None]]:
        from llama_index.core.schema import Document as LlamaDocument
        from llama_index.core.schema import MetadataMode

        text = without_surrogates(document.text)
        places: dict[str, Span] = {}
        latest: dict[Span | None, Span] = {}
        seen: set[Span] = set()
        for node in self._parser.get_nodes_from_documents([LlamaDocument(text=text)]):
            content = node.get_content(metadata_mode=MetadataMode.NONE).strip()
            if not content:
                continue
            parent = places.get(node.parent_node.node_id) if node.parent_node else None
            within = parent or (0, len(text))
            span = locate(text, content, within, latest.get(parent, (within[0] - 1, within[0])))
            if span is None:
                raise InputError(
                    f"{document.uri}: LlamaIndex's {self._name} changes the text "
                    f"({content[:40]!r} is not in it); choose a chunker that keeps it"
                )
            places[node.node_id] = latest[parent] = span
            if span not in seen:
                seen.add(span)
                yield span, parent


def locate(text: str, content: str, within: Span, latest: Span) -> Span | None:
    """Where in ``text[within]`` a piece is, given where the piece before it was.

    A text that repeats itself holds a piece more than once: it is taken where it goes on
    from the one before, overlapping it as little as possible, so that nothing is left out.
    White space may differ. None where it is not there. What is looked through before the
    piece is found lies behind the next one, so that all pieces of a text cost one pass.
    """
    start, end = within
    ink = _INK.search(text, latest[1], end)
    follows = ink.start() if ink else end
    near = min(follows + len(content), end)
    place = text.rfind(content, latest[0] + 1, near)
    if place >= 0:
        return place, place + len(content)
    words = re.compile(r"\s+".join(map(re.escape, content.split())))
    match = (
        words.search(text, latest[0] + 1, min(near + len(content), end))
        or words.search(text, max(follows, start), end)
        or words.search(text, latest[0] + 1, end)
    )
    return trimmed(text, *match.span()) if match else None


def _open_parser(name: str, tokens: int, overlap: float, embedder: Embedder) -> "NodeParser":
    try:
        from llama_index.core import node_parser
    except ImportError as error:
        raise UsageError(
            f"the chunker {name} needs LlamaIndex: {how_to_install('llm')}", option="chunker"
        ) from error
    parsers = {
        key: value
        for key, value in sorted(vars(node_parser).items())
        if isinstance(value, type)
        and issubclass(value, node_parser.NodeParser)
        and not inspect.isabstract(value)
    }
    if name not in parsers:
        raise UsageError(
            f"LlamaIndex has no node parser {name!r}; choose one of: {', '.join(parsers)}",
            option="chunker",
            known=parsers,
        )
    settings = {
        "chunk_size": tokens,
        "chunk_overlap": round(tokens * overlap),
        "chunk_sizes": [PARENT_TOKENS * tokens, tokens],
        "tokenizer": lambda text: range(embedder.count_tokens(text)),
        "embed_model": _llama_embedding(embedder),
    }
    try:
        return _construct(parsers[name], settings)
    except (ImportError, TypeError, ValueError) as error:
        reason = str(error).strip().partition("\n")[0]
        raise UsageError(
            f"LlamaIndex's {name} can't be used as a chunker: {reason}", option="chunker"
        ) from error


def _construct(parser_class: "type[NodeParser]", settings: Mapping[str, Any]) -> "NodeParser":
    """The parser with those settings that its constructor names."""
    create: Any = parser_class
    accepted = inspect.signature(parser_class.__init__).parameters
    if "data" in accepted:  # pydantic's own constructor, which names nothing
        create = getattr(parser_class, "from_defaults", parser_class)
        accepted = inspect.signature(create).parameters
    parser: NodeParser = create(
        **{key: value for key, value in settings.items() if key in accepted}
    )
    return parser


def _llama_embedding(embedder: Embedder) -> "BaseEmbedding":
    from llama_index.core.base.embeddings.base import BaseEmbedding

    class OurEmbedding(BaseEmbedding):
        """Our embedder as LlamaIndex knows one."""

        def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
            return [row.tolist() for row in embedder.embed(texts)]

        def _get_text_embedding(self, text: str) -> list[float]:
            return self._get_text_embeddings([text])[0]

        def _get_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

        async def _aget_query_embedding(self, query: str) -> list[float]:
            return self._get_text_embedding(query)

    return OurEmbedding(model_name=embedder.name, embed_batch_size=2048)
