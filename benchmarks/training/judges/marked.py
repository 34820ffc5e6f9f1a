"""Finds the marked names again in the documents that they were marked in."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.training.judges.examples import Example
from benchmarks.training.judges.marks import Marks, lines_of
from hlg.evaluation.data.layouts import read_corpus
from hlg.ingest.extract.local.document import Reader
from hlg.ingest.extract.local.extractor import LEAST
from hlg.ingest.extract.local.names.judge import name_pair
from hlg.ingest.extract.local.names.naming import entity_of
from hlg.ingest.load.sources import load
from hlg.names import normalize_name
from hlg.records import Document
from hlg.words.lexicon import CONCEPT

CHATS, DOCUMENTATION = "written_chats", "documentation"
LONGEST_TEXT = 12_000
"""Characters of a document that are read."""


def passages(
    folders: Sequence[Path], wanted: set[tuple[str, str]]
) -> Iterator[tuple[str, Document]]:
    """The wanted documents of data folders."""
    for folder in folders:
        for each in read_corpus(folder / "corpus.jsonl"):
            if (folder.name, each.id) in wanted:
                yield folder.name, Document(each.id, each.title, each.text)


def files(folders: Sequence[Path], wanted: set[tuple[str, str]]) -> Iterator[tuple[str, Document]]:
    """The wanted files of packages, each package in a folder of its name."""
    ids = {id_ for set_, id_ in wanted if set_ == DOCUMENTATION}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            id_ = f"{path.relative_to(folder).parts[0]}/{path.name}"
            if id_ not in ids or not path.is_file():
                continue
            ids.discard(id_)
            for each in load([str(path)]):
                if isinstance(each, Document):
                    document = Document(id_, each.title, each.text, media_type=each.media_type)
                    yield DOCUMENTATION, document


def chats(path: Path) -> Iterator[tuple[Document, Mapping[str, str]]]:
    """Chats that were written for training, each with the letters of all its names."""
    for line in lines_of(path):
        chat = json.loads(line)
        yield Document(chat["_id"], chat["title"], chat["text"]), chat["names"]


def examples_of(
    set_: str, document: Document, marks: Marks, letters: Mapping[str, str] | None = None
) -> list[Example]:
    """The names of a document's beginning, with the marks they have.

    :param letters: those of all its names, where they are known: what is found besides, and
        is no term, is no name.
    """
    text = document.text[:LONGEST_TEXT]
    reader = Reader(Document(document.uri, document.title, text, media_type=document.media_type))
    facts = (fact for draft in reader.read() for fact in draft.facts)
    told = {key for fact in facts if fact.confidence >= LEAST for key in fact.keys}
    whole = {normalize_name(name): letter for name, letter in (letters or {}).items()}
    names = []
    for each in reader.names.named():
        name = entity_of(each).name
        mark = marks.get((set_, document.uri, name), "")
        if letters is not None and each.entity_class != CONCEPT:
            mark = _letter(normalize_name(name), whole)
        names.append(
            Example(
                set_,
                document.uri,
                mark,
                name_pair(each),
                each.traits,
                entity_class=each.entity_class,
                given=each.given,
                is_topic=each.is_topic,
                told=not told.isdisjoint(each.keys),
            )
        )
    return names


def _letter(name: str, letters: Mapping[str, str]) -> str:
    """The letter of a name; a part of a person's name is one too, any other part is none."""
    persons = (whole.split() for whole, letter in letters.items() if letter == "P")
    words = name.split()
    part = any(words in (whole[: len(words)], whole[-len(words) :]) for whole in persons)
    return letters.get(name, "P" if part else "X")
