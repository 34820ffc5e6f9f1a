"""Files with the text of another: no sources of their own, but further addresses of that one's.

The first file of a text, in the order in which they are read, is its source; the others are kept
in that source's metadata, under :data:`ALSO_AT`. Records of one file are left apart.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from pathlib import Path
from typing import Any, TypeAlias

from hlg.ids import content_id
from hlg.ingest.composed import ComposedDocument
from hlg.ingest.extent import file_of
from hlg.records import ALSO_AT, OWN_METADATA, Document, Source

Fingerprint: TypeAlias = Callable[[str, str, Mapping[str, Any]], str]
"""Of a text, a title and metadata."""


class Copies:
    """The copies that one build meets.

    :param sources: those that the graph had before.
    :param fingerprint: what ``Source.text_hash`` is.
    """

    def __init__(self, sources: Iterable[Source], fingerprint: Fingerprint) -> None:
        self._fingerprint = fingerprint
        self._known = {uri: each for each in sources for uri in each.addresses[1:]}
        self._first: dict[str, str] = {}
        self._texts: dict[str, str] = {}
        self._found: dict[str, list[str]] = {}

    def original_of(self, document: Document) -> str | None:
        """The uri of the source whose text a document has; None where it is one itself."""
        uri, text = document.uri, document.text
        if isinstance(document, ComposedDocument) or file_of(uri) != uri or not text.strip():
            return None
        digest = content_id("text", document.media_type, text)
        self._texts[uri] = digest
        first = self._first.setdefault(digest, uri)
        if first == uri:
            known = self._known.get(uri)
            if known is None or not self._stands_for(known, text):
                return None
            first = self._first[digest] = known.uri
        self._found.setdefault(first, []).append(uri)
        return first

    def addresses(self, source: Source, is_gone: Callable[[str], bool]) -> Mapping[str, Any] | None:
        """The metadata that a source is to have after the build; None where it has it.

        :param is_gone: whether a uri that the build did not meet is no longer to be kept.
        """
        before = source.addresses[1:]
        found = [uri for uri in self._found.get(source.uri, ()) if self._is_copy(source.uri, uri)]
        staying = [uri for uri in before if uri not in self._texts and not is_gone(uri)]
        after = sorted({*found, *staying})
        if after == sorted(before):
            return None
        rest = {name: value for name, value in source.metadata.items() if name != ALSO_AT}
        return rest | ({ALSO_AT: after} if after else {})

    def own_sources(self, uris: Set[str]) -> list[str]:
        """Copies that are sources of their own beside that of their text.

        :param uris: of the sources that there are.
        """
        return [
            uri
            for original, found in self._found.items()
            if original in uris
            for uri in found
            if uri in uris and self._is_copy(original, uri)
        ]

    def _stands_for(self, source: Source, text: str) -> bool:
        """Whether a source that the build has not met so far is there, and has a text."""
        if source.uri in self._texts or not Path(source.uri).exists():
            return False
        rest = {name: value for name, value in source.metadata.items() if name not in OWN_METADATA}
        return self._fingerprint(text, source.title, rest) == source.text_hash

    def _is_copy(self, original: str, uri: str) -> bool:
        """Whether the original, if it was met as well, still has the text."""
        return self._texts.get(original, self._texts[uri]) == self._texts[uri]
