"""Text as it stands: plain files, Markdown, rich text without its formatting."""

import re
from collections.abc import Iterator

from hlg.errors import InputError
from hlg.ingest.load.blocks import one_line
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.ingest.load.markdown import front_matter, markdown_title
from hlg.ingest.text.headings import plain_title
from hlg.records import Document

PAUSE = 3.0
"""Seconds without words behind which something else is said."""
_STAMP = r"((?:\d+:)?\d\d:\d\d[.,]\d{1,3})"
_CUE = re.compile(rf"^{_STAMP}[ \t]+-->[ \t]+{_STAMP}[^\n]*\n((?:[^\n]*\S[^\n]*(?:\n|\Z))*)", re.M)
_SPEAKER = re.compile(r"<v(?:\.[\w.]+)?\s+([^<>\n]+)>")
_TAG = re.compile(r"<[^<>\n]*>|\{\\[^{}\n]*\}")


def read_text(file: File) -> Iterator[Document]:
    """Plain text as it stands."""
    text = decode(file.data)
    yield from one(file, text, one_line(plain_title(text)), media_type="text/plain")


def read_markdown(file: File) -> Iterator[Document]:
    """Markdown as it stands; what its front matter says is metadata."""
    text = decode(file.data)
    said = front_matter(text)[0].items()
    metadata = {key: value for key, value in said if key != "title" and value != ""}
    yield from one(file, text, markdown_title(text), metadata)


def read_subtitles(file: File) -> Iterator[Document]:
    """What is said in .srt and .vtt subtitles, without its times; a paragraph until a pause."""
    text = decode(file.data).replace("\r\n", "\n")
    paragraphs: list[list[str]] = []
    ended = -PAUSE
    for match in _CUE.finditer(text):
        start, end = (_seconds(stamp) for stamp in match.group(1, 2))
        if start - ended >= PAUSE:
            paragraphs.append([])
        ended = end
        said = _SPEAKER.sub(r"\1: ", match[3])
        paragraphs[-1] += filter(None, (one_line(_TAG.sub("", each)) for each in said.split("\n")))
    shown = "\n\n".join("\n".join(lines) for lines in paragraphs if lines)
    yield from one(file, shown or text, media_type="text/plain")


def _seconds(stamp: str) -> float:
    seconds = 0.0
    for part in stamp.replace(",", ".").split(":"):
        seconds = 60 * seconds + float(part)
    return seconds


def read_rtf(file: File) -> Iterator[Document]:
    """The text of an .rtf file."""
    from striprtf.striprtf import rtf_to_text

    if not file.data.lstrip().startswith(b"{\\rtf"):
        raise InputError("broken RTF: it does not begin with {\\rtf")
    text = str(rtf_to_text(file.data.decode("latin-1"), errors="replace"))  # type: ignore[no-untyped-call]
    file.spent.add(text)
    yield from one(file, text, media_type="text/plain")
