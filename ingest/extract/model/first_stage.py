"""The first stage of extraction: a chunk's propositions, by whoever is to find them."""

from functools import partial
from typing import TYPE_CHECKING, Protocol

from hlg.ingest.chunk.splitter import Splitter
from hlg.ingest.extract.model.answers import Propositions
from hlg.ingest.text.sentences import sentence_spans
from hlg.records import Chunk, Document

if TYPE_CHECKING:
    from hlg.models.language.door import ModelDoor
    from hlg.models.propositionizer import Propositionizer

PROPOSITIONS = "propositions"
"""Name of the prompt, and of what is kept."""
LEAST_ROOM = 32
"""Tokens that a passage has beside its title, however long that is."""


class FirstStage(Protocol):
    """Finds what a chunk says.

    ``prompts`` names those that it asks with, and ``name`` what else decides what it finds;
    both are part of a source's fingerprint.
    """

    name: str
    prompts: tuple[str, ...]

    def propositions(self, document: Document, chunk: Chunk) -> list[str]: ...


class AskedPropositions:
    """Asks the language model (HLG paper, §6.2)."""

    name = ""
    prompts: tuple[str, ...] = (PROPOSITIONS,)

    def __init__(self, door: "ModelDoor") -> None:
        self._door = door

    def propositions(self, document: Document, chunk: Chunk) -> list[str]:
        """What a chunk says, as it is answered.

        :raises ModelError: the model does not answer.
        """
        material = {"title": document.title, "headings": chunk.headings, "passage": chunk.text}
        return self._door.ask_json(PROPOSITIONS, Propositions, material).value.propositions


class LocalPropositions:
    """Runs a propositionizer here; what it found is kept as answers are.

    A chunk that has no room in the model is read in pieces. A piece of which the model makes
    no list is taken sentence by sentence.
    """

    prompts: tuple[str, ...] = ()

    def __init__(self, door: "ModelDoor", model: "Propositionizer") -> None:
        self._door = door
        self._model = model
        self.name = f"propositionizer-1/{model.name}"

    def propositions(self, document: Document, chunk: Chunk) -> list[str]:
        """What a chunk says, in the words of the model."""
        section = chunk.headings.removeprefix(document.title).removeprefix(" > ")
        found: list[str] = []
        for piece in self._pieces(document.title, section, chunk.text):
            given = (document.title, section, piece)
            found += self._door.kept_list(self.name, given, partial(self._said, *given))
        return found

    def _said(self, title: str, section: str, piece: str) -> list[str]:
        said = self._model.propositions(title, section, piece)
        return said or [piece[start:end] for start, end in sentence_spans(piece)]

    def _pieces(self, title: str, section: str, text: str) -> list[str]:
        around = self._model.count_tokens(self._model.asked(title, section, ""))
        room = max(LEAST_ROOM, self._model.room - around - 2)
        if self._model.count_tokens(text) <= room:
            return [text]
        spans = Splitter(room, self._model.count_tokens).spans(text)
        return [text[start:end] for start, end in spans]
