"""Extractors by name."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from hlg.errors import UsageError
from hlg.registry import Registry, Row

if TYPE_CHECKING:
    from hlg.ingest.base import Extractor
    from hlg.models.language.door import ModelDoor
    from hlg.settings import Domain

EXTRACTORS: "Registry[Row[Callable[[Any], Extractor]]]" = Registry(
    "extractor",
    {
        "local": Row(
            "grammar, with no language model: English, French, others by shape",
            "hlg.ingest.extract.local.extractor",
            "open_local",
        ),
        "llm": Row(
            "a language model: two prompts a chunk",
            "hlg.ingest.extract.model.extractor",
            "ModelExtractor",
        ),
        "llm-facts": Row(
            "local statements, with entities and facts of a language model: one prompt a chunk",
            "hlg.ingest.extract.model.extractor",
            "FactExtractor",
        ),
        "local-all": Row(
            "as local, with facts of any chance, and what lists of references say",
            "hlg.ingest.extract.local.extractor",
            "open_all",
        ),
        "replay": Row(
            "entities and triples that a model has extracted before, from a file",
            "hlg.ingest.extract.replay",
            "ReplayExtractor",
            argument="FILE",
        ),
    },
)
"""Every extractor, in the order in which lists show them; each is opened with its options, its
argument, or None; but those that ask a model with :func:`open_model_extractor`."""
MODEL_EXTRACTORS = ("llm", "llm-facts")
"""Those that ask a language model."""
MAX_CHARACTERS = 2_000
"""A longer question is read this far."""


def open_extractor(text: str) -> "Extractor":
    """The extractor that a text names; ``replay:FILE`` takes entities and facts from a file.

    :raises UsageError: there is none; the message lists the right names.
    :raises InputError: the file to replay is no file of extractions.
    """
    from hlg.ingest.composed import COMPOSED, ComposedExtractor

    if text == COMPOSED:
        return ComposedExtractor()
    if text in MODEL_EXTRACTORS:
        raise UsageError(
            f"extractor {text!r} needs a language model: set llm (and llm_url) in hlg.toml, or "
            "HLG_LLM (and HLG_LLM_URL)",
            option="extractor",
        )
    opener, given = EXTRACTORS.open(text)
    extractor: Extractor = opener(given)
    return extractor


def open_model_extractor(
    name: str, door: "ModelDoor", domain: "Domain", propositionizer: str = ""
) -> "Extractor":
    """The extractor of that name that asks a language model.

    :param propositionizer: a model that finds the propositions of ``llm`` here.
    :raises UsageError: its prompts are wrong.
    :raises ModelError: the propositionizer can't be loaded.
    """
    from hlg.ingest.extract.model.extractor import FactExtractor, ModelExtractor

    if name == "llm-facts":
        return FactExtractor(door, domain)
    if not propositionizer:
        return ModelExtractor(door, domain)
    from hlg.ingest.extract.model.first_stage import LocalPropositions
    from hlg.models.propositionizer import Propositionizer

    return ModelExtractor(door, domain, LocalPropositions(door, Propositionizer(propositionizer)))


def recognizer(extractor: str) -> Callable[[str], Sequence[str]]:
    """A function that gives the names of entities in a text, such as a question (thesis §3.2.2).

    An extractor that replays a file knows no text but those, and one that asks a model makes
    a question wait; the local one stands in.
    """
    from hlg.records import Chunk, Document

    stand_in = extractor.startswith("replay:") or extractor in MODEL_EXTRACTORS
    reader = open_extractor("local" if stand_in else extractor)

    def recognize(text: str) -> Sequence[str]:
        text = text[:MAX_CHARACTERS]
        chunk = Chunk(id="", source_id="", ordinal=0, start=0, end=len(text), text=text)
        found = reader.extract(Document(uri="question:", title="", text=text), [chunk])
        return [entity.name for entity in found.entities]

    return recognize
