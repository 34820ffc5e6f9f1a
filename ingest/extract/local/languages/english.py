"""English: spaCy's pipeline, the reader of frames and names, and what the local extractor knows."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from hlg.ingest.extract.local.frames.reader import shipped
from hlg.ingest.extract.local.languages.base import Grammar
from hlg.ingest.extract.local.names.mentions import class_of_name
from hlg.ingest.extract.local.parse import BATCH_BLOCKS, Sentence, parse
from hlg.ingest.extract.local.sentence import SentenceReading


def parse_and_read(blocks: Iterable[tuple[int, str]]) -> Iterator[list[Sentence]]:
    """The sentences of each block of text with their frames and names.

    :raises ModelError: a model is missing or damaged.
    """
    parsed = parse(blocks)
    while batch := list(islice(parsed, BATCH_BLOCKS)):
        read = iter(shipped().read([sentence for block in batch for sentence in block]))
        for block in batch:
            yield [
                replace(sentence, frames=found.frames, names=found.names, states=found.states)
                for sentence, found in zip(block, read, strict=False)
            ]


GRAMMAR = Grammar(parse_and_read, SentenceReading, class_of_name)
