"""Builds of a few notes for which a language model is asked: the start of their tests."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from hlg.graph import LexicalGraph
from hlg.models.language.prices import Price
from hlg.reports import BuildReport
from support.language_model_server import ScriptedServer

TEXTS = {
    "yard.md": "Edith Vale founded Oake Yard. She sold Oake Yard. Oake Yard built the Petrel.",
    "light.md": "Jonas Wiek built Skarn Light. It runs on oil.",
}
PRICES = {"tiny": Price(input=10.0, output=10.0)}


def write_notes(folder: Path, texts: Mapping[str, str] = TEXTS) -> Path:
    """A folder of texts by file name."""
    notes = folder / "notes"
    notes.mkdir()
    for name, text in texts.items():
        (notes / name).write_text(text)
    return notes


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A folder with :data:`TEXTS`."""
    return write_notes(tmp_path)


def opened(
    server: ScriptedServer, notes: Path, store: str = "g.lbug", **given: object
) -> LexicalGraph:
    """A graph beside the notes, whose model's answers are kept and have a price."""
    told = {"extractor": "llm", "llm_cache": str(notes.parent / "a.sqlite"), "prices": PRICES}
    return LexicalGraph.open(notes.parent / store, settings=server.settings(**told | given))


def build(
    server: ScriptedServer, notes: Path, store: str = "g.lbug", **given: object
) -> BuildReport:
    """A build of the notes into that graph."""
    how = {name: given.pop(name) for name in ("batch", "budget") if name in given}
    with opened(server, notes, store, **given) as graph:
        return graph.build([notes], **how)  # type: ignore[arg-type]
