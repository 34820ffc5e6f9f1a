"""English: spaCy's pipeline, and all that the local extractor knows."""

from hlg.ingest.extract.local.languages.base import Grammar
from hlg.ingest.extract.local.names.mentions import class_of_name
from hlg.ingest.extract.local.parse import parse
from hlg.ingest.extract.local.sentence import SentenceReading

__all__ = ["GRAMMAR"]

GRAMMAR = Grammar(parse, SentenceReading, class_of_name)
