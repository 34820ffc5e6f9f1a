"""Work that waits for a language model: documents in threads of this process, in order."""

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Self

from hlg.errors import AnswerAwaited, BudgetReached, ModelError
from hlg.ids import source_id
from hlg.ingest.deadline import Deadline, OutOfTime
from hlg.ingest.recipe import Asks, Extracted, Loads, Recipe, out_of_time, tools
from hlg.models.language.threads import in_threads
from hlg.records import Document

PATIENCE = 5
"""Documents that may fail at the start, one after the other, before all is given up."""

Rest = Callable[[], Extracted]
"""What is left to do for a document once all is done that needs a processor: to ask."""
_Begun = tuple[Document, Rest | str]
"""A document with what is left to do, or why that can't be done."""


class ModelPool:
    """Begins documents here, one by one, and asks about several at once.

    A document that the model does not answer for is given back with its error, for the next
    build to try again. ``stopped`` says why where the work ended before the documents did.

    :param begin: does what needs a processor.
    :param threads: how many documents are asked about at once.
    :param document_seconds: the most that beginning one may take; waiting is not counted.
    """

    def __init__(
        self, begin: Callable[[Document], Rest], threads: int, document_seconds: float
    ) -> None:
        self._begin = begin
        self._threads = threads
        self._deadline = Deadline(document_seconds)
        self.stopped = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._deadline.close()

    def run(self, batches: Iterator[list[Document]]) -> Iterator[tuple[list[Extracted], float]]:
        """One document at a time in the order of ``batches``, with the seconds that it took.

        :raises ModelError: the model answers for none of the first documents.
        """
        begun = map(self._begun, (document for batch in batches for document in batch))
        failed = 0
        try:
            for extracted, seconds, error in in_threads(_ask, begun, self._threads):
                failed = failed + 1 if error is not None and failed >= 0 else -1
                if error is not None and failed >= PATIENCE:
                    what = f"there is no answer for any of the first {failed} documents"
                    raise ModelError(f"{what}; of the last: {error}", model=error.model)
                yield [extracted], seconds
        except BudgetReached as error:
            self.stopped = str(error)

    def _begun(self, document: Document) -> _Begun:
        try:
            return document, self._deadline.run(partial(self._begin, document))
        except OutOfTime:
            return document, out_of_time(self._deadline.seconds)
        except (BudgetReached, ModelError):
            raise
        except Exception as error:
            return document, f"extraction failed: {type(error).__name__}: {error}"


def extracting(recipe: Recipe) -> Callable[[Document], Rest]:
    """Chunks a document by a recipe whose extractor asks, and begins to extract from it."""
    chunker, extractor = tools(recipe)
    if not isinstance(extractor, Asks):
        raise TypeError(f"{extractor.name} asks nothing")
    if isinstance(extractor, Loads):
        extractor.load()

    def begin(document: Document) -> Rest:
        chunks = chunker.chunk(document, source_id(document.uri))
        rest = extractor.begin(document, chunks)
        return lambda: Extracted(document, tuple(chunks), rest())

    return begin


def _ask(begun: _Begun) -> tuple[Extracted, float, ModelError | None]:
    """What comes of a document, with the seconds and the model's error, if it is one."""
    document, rest = begun
    if isinstance(rest, str):
        return Extracted(document, error=rest), 0.0, None
    started = time.perf_counter()
    error: ModelError | None = None
    try:
        made = rest()
    except AnswerAwaited as waiting:
        made = Extracted(document, error=str(waiting))
    except ModelError as failure:
        made, error = Extracted(document, error=str(failure)), failure
    return made, time.perf_counter() - started, error
