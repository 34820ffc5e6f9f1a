"""Tables as text: which character parts the cells, whatever the file is called."""

import re
from collections.abc import Iterator, Sequence

from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.ingest.text.blocks import DELIMITERS
from hlg.records import Document

MEDIA_TYPES = {delimiter: media_type for media_type, delimiter in DELIMITERS.items()}
_SAMPLE_LINES = 50
_SAMPLE = 65_536
_QUOTED = re.compile(r'"(?:[^"]|"")*"')


def read_delimited(file: File) -> Iterator[Document]:
    """A CSV or TSV file as it stands; its media type names the delimiter."""
    text = decode(file.data)
    preferred = "\t" if file.suffix in (".tsv", ".tab") else ","
    yield from one(file, text, media_type=MEDIA_TYPES[delimiter_of(text, preferred)])


def delimiter_of(text: str, preferred: str) -> str:
    """The delimiter that the first lines have in equal numbers, most of them if there are more."""
    sample = _QUOTED.sub("", text[:_SAMPLE]).splitlines()
    lines = [line for line in sample if line.strip()][:_SAMPLE_LINES]
    if len(text) > _SAMPLE and 1 < len(lines) < _SAMPLE_LINES:
        lines.pop()  # it may be cut off
    candidates = [preferred, *(each for each in MEDIA_TYPES if each != preferred)]
    return max(candidates, key=lambda each: _fit(lines, each))


def _fit(lines: Sequence[str], delimiter: str) -> tuple[float, int]:
    """How many lines have as many delimiters as the first, and how many those are."""
    if not lines or not (wanted := lines[0].count(delimiter)):
        return 0.0, 0
    same = sum(line.count(delimiter) == wanted for line in lines)
    return same / len(lines), wanted
