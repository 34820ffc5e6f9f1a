"""What a recipe asks a language model about a document, before any of it is asked."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hlg.errors import ModelError
from hlg.ids import source_id
from hlg.ingest.base import Chunker, Extractor, Task
from hlg.ingest.extract.model.extractor import FactExtractor, ModelExtractor
from hlg.ingest.recipe import AskingChunker, Recipe, tools
from hlg.models.language.recording import Missing, kept_only
from hlg.records import Chunk, Document

if TYPE_CHECKING:
    from hlg.models.language.prompts import Question


@dataclass(frozen=True, slots=True)
class Cut:
    """A document with its chunks; ``is_sure`` says that there will be no others."""

    document: Document
    chunks: list[Chunk]
    is_sure: bool


@dataclass(frozen=True, slots=True)
class Open:
    """Questions that nobody answered, each once; ``unusable`` ones have an answer that is none."""

    questions: "list[Question]"
    unusable: int


def break_tasks(chunker: Chunker, document: Document) -> list[Task]:
    """What is asked to cut a document."""
    return chunker.break_tasks(document) if isinstance(chunker, AskingChunker) else []


def cut(chunker: Chunker, document: Document) -> Cut:
    """A document's chunks, as far as they are known without asking."""
    id_ = source_id(document.uri)
    if isinstance(chunker, AskingChunker):
        return Cut(document, *chunker.likely(document, id_))
    return Cut(document, chunker.chunk(document, id_), True)


def context_tasks(chunker: Chunker, of: Cut) -> list[Task]:
    """What is asked of the places of chunks."""
    if not isinstance(chunker, AskingChunker):
        return []
    return chunker.context_tasks(of.document, of.chunks, known=of.is_sure)


def extraction_tasks(extractor: Extractor, of: Cut) -> list[Task]:
    """What is asked to extract from chunks."""
    if not isinstance(extractor, ModelExtractor | FactExtractor):
        return []
    tasks = extractor.tasks(of.document, of.chunks)
    return tasks if of.is_sure else [replace(task, ask=None) for task in tasks]


def open_questions(recipe: Recipe, documents: Iterable[Document]) -> Open:
    """The questions that can be asked now: what answers lead to is not known before them."""
    missing: dict[str, Missing] = {}
    for document in documents:
        for each in _missing(recipe, document):
            missing.setdefault(each.question.key, each)
    questions = [each.question for each in missing.values() if not each.was_answered]
    return Open(questions, len(missing) - len(questions))


def _missing(recipe: Recipe, document: Document) -> Iterator[Missing]:
    chunker, extractor = tools(recipe)
    found = cut(chunker, document)
    tasks = break_tasks(chunker, document)
    if found.is_sure:
        tasks += [*context_tasks(chunker, found), *extraction_tasks(extractor, found)]
    for task in tasks:
        with kept_only() as missing, suppress(ModelError):
            if task.ask is not None:
                task.ask()
        yield from missing
