"""Predefined graphs: triples from files into the same entity tier as extracted facts.

A file is one source, or one for each document that its rows name; what is too large for
one transaction is several, parted by subject, so that a change of a row changes one of
them. In a source, rows are in the order of their subjects whatever their order in the
file. Rows wait on disk, so memory does not grow with the file.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self, TypeAlias, cast

from hlg.facts import factuality_of, predicate_in_words
from hlg.ids import content_id, entity_id
from hlg.ingest.composed import ComposedDocument, GivenFact, Line, Named, Section, compose
from hlg.ingest.load.formats import title_of_name
from hlg.ingest.load.sources import uri_of
from hlg.ingest.triples.rows import Columns, TripleRow, read_triples
from hlg.names import normalize_name
from hlg.records import Document
from hlg.reports import Failure, LeftOut
from hlg.store.shared.reading import batches
from hlg.store.shared.text import decode_text, encode_text
from hlg.words.lexicon import MONTHS

TRIPLES_A_SOURCE = 1_000
"""About how many a source of a large file has."""
CLASS = "Thing"
"""Class of an entity of which none is given, as the local extractor has it."""
_VALUE = re.compile(r"[-+]?[\d\s.,:/%$€£-]*\d[\d\s.,:/%$€£-]*$")
"""What numbers, dates without their months and amounts consist of."""
LONGEST_VALUE = 60
_WORD = re.compile(r"[^\W\d_]+")
HASH_BITS = 32
ROWS_AT_ONCE = 10_000
SCHEME = "triples:"

_TABLES = """
CREATE TABLE triple (file TEXT, document TEXT, hash INTEGER, row TEXT);
CREATE TABLE entity (key TEXT, class TEXT, id TEXT, name TEXT, PRIMARY KEY (key, class, id))
WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX triples_of_source ON triple (file, document, hash);
CREATE INDEX entity_by_id ON entity (id);
"""

_EntityRow: TypeAlias = tuple[str, str, str, str]
"""Normalised name and class, the id that the file gives it, name."""


class TripleSpool:
    """Triples of files, kept in a temporary database until all of them are known."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="hlg-import-")
        self._rows = sqlite3.connect(Path(self._folder.name) / "triples.sqlite")
        self._rows.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        self._files: dict[str, int] = {}
        """By uri: how many good rows a file has."""
        self._numbers: set[str] = set()
        """Subjects that look like values."""
        self.failures: list[Failure] = []
        self.notes: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._rows.close()
        self._folder.cleanup()

    def read(self, paths: Iterable[str | Path]) -> Iterator[int]:
        """Take in files, each once; tells now and then how many rows there are."""
        total = 0
        for path in map(Path, paths):
            uri = uri_of(path)
            if uri in self._files:
                continue
            self._files[uri] = 0
            for batch in batches(self._rows_of(path, uri), ROWS_AT_ONCE):
                self._insert(uri, batch)
                self._files[uri] += len(batch)
                total += len(batch)
                yield total
        self._rows.executescript(_INDEXES)
        yield total

    def _rows_of(self, path: Path, uri: str) -> Iterator[TripleRow]:
        """The rows of a file; what else it has is noted."""
        for item in read_triples(path, uri):
            if isinstance(item, TripleRow):
                yield item
            elif isinstance(item, Failure):
                self.failures.append(item)
            else:
                self.notes += _column_notes(item)

    def _insert(self, uri: str, rows: Sequence[TripleRow]) -> None:
        file = encode_text(uri)
        self._rows.executemany(
            "INSERT INTO triple VALUES (?, ?, ?, ?)",
            [
                (file, encode_text(row.document), _subject_hash(row), json.dumps(astuple(row)))
                for row in rows
            ],
        )
        entities = {entity for row in rows for entity in _entities(row)}
        self._rows.executemany("INSERT OR IGNORE INTO entity VALUES (?, ?, ?, ?)", entities)
        self._numbers.update(row.subject for row in rows if _is_value(row.subject))

    def is_gone(self, uri: str) -> bool:
        """Whether a source that these files once made is none that they make now.

        To be asked of sources that were not made this time. Files without a single good
        row keep what they have.
        """
        for file, count in self._files.items():
            made = f"{SCHEME}{file}"
            if count and (uri == made or uri.startswith((f"{made}#", f"{made}~"))):
                return True
        return False

    def documents(self) -> Iterator[ComposedDocument]:
        """The sources of all triples, one at a time."""
        several = self._names_of_several_ids()
        if several:
            self.notes.append(
                f"{len(several)} names stand for several ids each; they are called NAME (ID)"
            )
        counts = "SELECT file, document, COUNT(*) FROM triple GROUP BY file, document"
        for held_file, held_document, count in self._rows.execute(counts).fetchall():
            file, document = decode_text(held_file), decode_text(held_document)
            stem = Path(file).stem
            metadata: dict[str, object] = {"file": file}
            uri, title = f"{SCHEME}{file}", title_of_name(file)
            if document:
                uri, title = f"{uri}#{document}", document
                metadata["document"] = document
            bits = max(0, (count - 1) // TRIPLES_A_SOURCE).bit_length()
            named = _Names(stem, several, self._numbers)
            for part, rows in self._parts(held_file, held_document, bits):
                yield compose(
                    f"{uri}~{part}" if bits else uri, title, metadata, _sections(rows, named)
                )

    def _parts(self, file: str, document: str, bits: int) -> Iterator[tuple[str, list[TripleRow]]]:
        """The rows of a source, parted by the first bits of their subjects' hashes."""
        found = self._rows.execute(
            "SELECT hash, row FROM triple WHERE file = ? AND document = ? ORDER BY hash",
            (file, document),
        )
        digits = -(-bits // 4)
        for part, rows in groupby(found, lambda row: int(row[0]) >> (HASH_BITS - bits)):
            name = f"{part << (4 * digits - bits):0{digits}x}" if bits else ""
            yield name, [TripleRow(*json.loads(row)) for _, row in rows]

    def _names_of_several_ids(self) -> set[tuple[str, str]]:
        """Normalised names and classes of entities that files tell apart by ids."""
        several = (
            "SELECT key, class FROM entity WHERE id <> '' GROUP BY key, class HAVING COUNT(*) > 1"
        )
        return {(decode_text(key), decode_text(each)) for key, each in self._rows.execute(several)}

    def describing(
        self, documents: Iterable[Document | Failure | LeftOut], described: set[str]
    ) -> Iterator[Document | Failure | LeftOut]:
        """Documents, each under the name of the entity that it describes.

        A document describes the entity whose id is its own (the record's id, or the file's
        name), else the one that its title names; the uris of those that describe one are
        added to ``described``.
        """
        several = self._names_of_several_ids()
        for document in documents:
            if isinstance(document, Document):
                name = self._name_of_id(_own_id(document.uri), several)
                if name and normalize_name(name) != normalize_name(document.title):
                    own_title = {"title": document.title} if document.title else {}
                    metadata = {**document.metadata, **own_title}
                    document = replace(document, title=name, metadata=metadata)
                if name or self._is_name(document.title):
                    described.add(document.uri)
            yield document

    def _name_of_id(self, id_: str, several: set[tuple[str, str]]) -> str:
        found = self._rows.execute(
            "SELECT key, class, name FROM entity WHERE id = ? LIMIT 2", (encode_text(id_),)
        ).fetchall()
        if not id_ or len(found) != 1:
            return ""
        key, entity_class, name = map(decode_text, found[0])
        return f"{name} ({id_})" if (key, entity_class) in several else name

    def _is_name(self, title: str) -> bool:
        key = encode_text(normalize_name(title))
        found = self._rows.execute("SELECT 1 FROM entity WHERE key = ? LIMIT 1", (key,))
        return found.fetchone() is not None


def _is_value(name: str) -> bool:
    """Whether a name is a number, an amount or a date, such as ``3 May 1904``."""
    others = _WORD.sub(lambda word: "" if word[0].casefold() in MONTHS else word[0], name)
    return len(others) <= LONGEST_VALUE and _VALUE.match(others) is not None


def readable(predicate: str) -> str:
    """A predicate as words: ``side_effect`` and ``hasSideEffect`` are two and three of them."""
    if " " in predicate:
        return " ".join(predicate.split())
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_+", " ", predicate).strip() or predicate


def _column_notes(columns: Columns) -> list[str]:
    if not columns.names:
        return [f"{columns.uri}: no header; took its columns for subject, predicate, object"]
    other = [f"{name} is the {role}" for role, name in columns.names.items() if name != role]
    return [f"{columns.uri}: {', '.join(other)}"] if other else []


def _subject_hash(row: TripleRow) -> int:
    key = content_id(normalize_name(row.subject), row.subject_class, row.subject_id)
    return int(key[: HASH_BITS // 4], 16)


def _entities(row: TripleRow) -> Iterator[_EntityRow]:
    for name, entity_class, id_ in (
        (row.subject, row.subject_class, row.subject_id),
        (row.object, row.object_class, row.object_id),
    ):
        texts = (normalize_name(name), normalize_name(entity_class or CLASS), id_, name)
        yield cast(_EntityRow, tuple(map(encode_text, texts)))


@dataclass(frozen=True, slots=True)
class _Names:
    """How the entities of a file are called."""

    stem: str
    several: set[tuple[str, str]]
    numbers: set[str]

    def subject(self, row: TripleRow) -> Named:
        return self._named(row.subject, row.subject_class, row.subject_id)

    def object(self, row: TripleRow) -> Named | str:
        """An entity; a value where it looks like one, and is no entity anywhere else."""
        given = row.object_class or row.object_id or row.object in self.numbers
        if not given and _is_value(row.object):
            return row.object
        return self._named(row.object, row.object_class, row.object_id)

    def _named(self, name: str, entity_class: str, id_: str) -> Named:
        entity_class = entity_class or CLASS
        if id_ and (normalize_name(name), normalize_name(entity_class)) in self.several:
            name = f"{name} ({id_})"
        if id_ in ("", name):
            return Named(name, entity_class)
        # Bare numbers are ids in every other file as well, and of something else there.
        alias = id_ if any(map(str.isalpha, id_)) else f"{self.stem}:{id_}"
        return Named(name, entity_class, (alias,))


def _sections(rows: Iterable[TripleRow], names: _Names) -> list[Section]:
    """The rows by subject, in an order that is not the file's; repeated rows once."""
    by_subject: dict[str, tuple[Named, list[Line]]] = {}
    for row in sorted(set(rows), key=astuple):
        subject, object_ = names.subject(row), names.object(row)
        name = object_.name if isinstance(object_, Named) else object_
        how = factuality_of(row.factuality)
        said = predicate_in_words({"predicate": readable(row.predicate), **how})
        line = Line(
            text=" ".join(f"{subject.name} {said} {name}".split()),
            details=f"weight {row.weight}" if row.weight else "",
            facts=(GivenFact(subject, row.predicate, object_, **how),),
        )
        key = entity_id(subject.name, subject.entity_class)
        by_subject.setdefault(key, (subject, []))[1].append(line)
    return [Section(_heading(subject), tuple(lines)) for subject, lines in by_subject.values()]


def _heading(subject: Named) -> str:
    name = " ".join(subject.name.split())
    return name if subject.entity_class == CLASS else f"{name} ({subject.entity_class})"


def _own_id(uri: str) -> str:
    """The id of the record ``FILE#ID``, or the name of a file without its ending."""
    file, mark, id_ = uri.partition("#")
    return id_ if mark else Path(file).stem
