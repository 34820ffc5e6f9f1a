"""Extractions that some model has made before, replayed: their entities and facts, our statements.

A JSONL file has one record a document: its ``_id``, ``triples`` of subject, predicate and
object, and the names of its ``entities`` where the model gave them. Statements and topics
are the local extractor's, because citations need exact spans and triples have none; a
statement has the entities whose names it says, and a fact the statements that say it.
Documents without a record keep their local extraction. Models at times give a triple of two
or four parts: such ones are left out.
"""

import json
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from hlg.errors import InputError
from hlg.facts import fact_of
from hlg.ids import entity_id
from hlg.ingest.base import Extraction
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.mentions import SaidWords, counted
from hlg.names import normalize_name
from hlg.records import Chunk, Document, Entity, Fact, Statement
from hlg.words.lexicon import THING

LONGEST_NAME = 8
"""An object of more words is a value."""

_BEGINS_AS_NAME = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Replayed:
    """What a model extracted from one document."""

    entities: frozenset[str] | None
    """Keys of the names that it gave; None where it gave none."""
    names: tuple[str, ...]
    triples: tuple[tuple[str, str, str], ...]


class ReplayExtractor:
    """Entities and facts out of a file, by the id of the document's record.

    :raises InputError: the file can't be read, or a line is no extraction; says which.
    """

    def __init__(self, file: str) -> None:
        path = Path(file)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: can't read the extractions ({error.strerror})") from error
        self._records = _records(data, path)
        self._local = LocalExtractor()
        digest = blake2b(data, digest_size=8).hexdigest()
        self.name = f"replay-1:{digest}:{self._local.name}"

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """The local statements and topics with the file's entities and facts."""
        local = self._local.extract(document, chunks)
        record = self._records.get(document.uri.rpartition("#")[2])
        if record is None or not local.statements:
            return local
        return _replaced(local, record)


def _records(data: bytes, path: Path) -> dict[str, Replayed]:
    found: dict[str, Replayed] = {}
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            found[str(value["_id"])] = _replayed(value)
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"{path}:{number}: not an extraction; a line is "
                '{"_id": …, "triples": [[subject, predicate, object], …], "entities": [name, …]}'
            ) from error
    return found


def _replayed(value: Mapping[str, Any]) -> Replayed:
    triples = []
    for triple in value["triples"]:
        match [" ".join(str(part).split()) for part in triple]:
            case [subject, predicate, object_] if subject and predicate and object_:
                triples.append((subject, predicate, object_))
    given = value.get("entities")
    names = [" ".join(str(name).split()) for name in given or ()]
    keys = None if given is None else frozenset(map(normalize_name, names))
    return Replayed(keys, tuple(name for name in names if name), tuple(triples))


def _replaced(local: Extraction, record: Replayed) -> Extraction:
    entities = _entities(local, record)
    said = [SaidWords(f"{each.details} {each.text}") for each in local.statements]
    facts = _facts(record, entities, local.statements, said)
    # An entity that no statement says by name is in those that support its facts.
    carried: dict[str, set[str]] = defaultdict(set)
    for fact in facts:
        for statement in fact.statement_ids:
            carried[statement].update(filter(None, (fact.subject_id, fact.object_id)))
    statements: list[Statement] = []
    for each, text in zip(local.statements, said, strict=True):
        ids = {entity.id for key, entity in entities.items() if key in text}
        statements.append(replace(each, entity_ids=tuple(sorted(ids | carried[each.id]))))
    named = counted(statements, {each.id: each for each in entities.values()})
    return Extraction(local.topics, tuple(statements), facts, named)


def _entities(local: Extraction, record: Replayed) -> dict[str, Entity]:
    """By normalised name; of the local extractor's class where it knows the name."""
    classes = {normalize_name(each.name): each.entity_class for each in local.entities}
    names = list(record.names)
    for subject, _, object_ in record.triples:
        names += [subject, object_] if _is_entity(object_, record) else [subject]
    found: dict[str, Entity] = {}
    for name in names:
        key = normalize_name(name)
        if key and key not in found and _BEGINS_AS_NAME.match(key):
            class_ = classes.get(key, THING)
            found[key] = Entity(entity_id(name, class_), name, class_)
    return found


def _is_entity(object_: str, record: Replayed) -> bool:
    if record.entities is not None:
        return normalize_name(object_) in record.entities
    return object_[0].isupper() and len(object_.split()) <= LONGEST_NAME


def _facts(
    record: Replayed,
    entities: Mapping[str, Entity],
    statements: Sequence[Statement],
    said: Sequence[SaidWords],
) -> tuple[Fact, ...]:
    found: dict[str, Fact] = {}
    for subject, predicate, object_ in record.triples:
        about = entities.get(normalize_name(subject))
        target = entities.get(normalize_name(object_)) if _is_entity(object_, record) else None
        if about is None or (target is not None and target.id == about.id):
            continue
        supporting = _supporting(subject, object_, statements, said)
        fact = fact_of(about, predicate, target or object_, supporting)
        found[fact.id] = fact
    return tuple(found[id_] for id_ in sorted(found))


def _supporting(
    subject: str, object_: str, statements: Sequence[Statement], said: Sequence[SaidWords]
) -> tuple[str, ...]:
    """The statements that say subject and object; else the first with one of them, else the first
    of all, because a model's triple is about the document even where it has words of its own."""
    one, other = normalize_name(subject), normalize_name(object_)
    both = [
        each.id
        for each, text in zip(statements, said, strict=True)
        if one in text and other in text
    ]
    if both:
        return tuple(both)
    for key in (other, one):
        for each, text in zip(statements, said, strict=True):
            if key in text:
                return (each.id,)
    return (statements[0].id,)
