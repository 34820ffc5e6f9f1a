"""Text as it stands: plain files, Markdown, rich text without its formatting."""

from collections.abc import Iterator

from hlg.errors import InputError
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.ingest.load.markdown import front_matter, markdown_title, metadata_of
from hlg.records import Document


def read_text(file: File) -> Iterator[Document]:
    """Plain text as it stands."""
    yield from one(file, decode(file.data), media_type="text/plain")


def read_markdown(file: File) -> Iterator[Document]:
    """Markdown as it stands; what its front matter says is metadata."""
    text = decode(file.data)
    values, _ = front_matter(text)
    yield from one(file, text, markdown_title(text), metadata_of(values))


def read_rtf(file: File) -> Iterator[Document]:
    """The text of an .rtf file."""
    from striprtf.striprtf import rtf_to_text

    if not file.data.lstrip().startswith(b"{\\rtf"):
        raise InputError("broken RTF: it does not begin with {\\rtf")
    text = str(rtf_to_text(file.data.decode("latin-1"), errors="replace"))  # type: ignore[no-untyped-call]
    file.spent.add(text)
    yield from one(file, text, media_type="text/plain")
