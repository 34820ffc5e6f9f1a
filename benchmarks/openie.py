"""How close an extractor comes to what a language model extracted from the same texts.

    python benchmarks/openie.py DATA/musique_train100

A folder holds either

- ``extractions.jsonl``: a text a record, with ``topics`` that hold ``entities`` and
  ``statements`` with ``facts``; or
- ``corpus.jsonl`` (``_id``, ``title``, ``text``) and ``openie_*.jsonl`` or ``triples_*.jsonl``
  (``_id``, ``triples`` and, if any are recorded, ``entities``), as HippoRAG's open information
  extraction writes them.
"""

import argparse
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, Field

from hlg.errors import InputError
from hlg.evaluation.data.datasets import read_corpus
from hlg.evaluation.data.records import json_lines
from hlg.ids import chunk_id, source_id
from hlg.ingest.base import Extraction, Extractor
from hlg.ingest.extract.extractors import open_extractor
from hlg.names import normalize_name
from hlg.records import Chunk, Document

ENOUGH = 0.5
Wanted = TypeVar("Wanted")
Found = TypeVar("Found")


class _Flat(BaseModel):
    id: str = Field(alias="_id")
    entities: list[str] = []
    triples: list[list[str]]


@dataclass(frozen=True, slots=True)
class Gold:
    """A text with the names and triples that a model found in it."""

    document: Document
    names: tuple[str, ...]
    triples: tuple[Sequence[str], ...]


@dataclass(slots=True)
class Score:
    """Matches of found against wanted, counted over all texts."""

    wanted: int = 0
    wanted_matched: int = 0
    found: int = 0
    found_matched: int = 0

    @property
    def recall(self) -> float:
        """Share of what is wanted that was found."""
        return self.wanted_matched / self.wanted if self.wanted else 0.0

    @property
    def precision(self) -> float:
        """Share of what was found that is wanted."""
        return self.found_matched / self.found if self.found else 0.0

    def count(
        self,
        wanted: Collection[Wanted],
        found: Collection[Found],
        match: Callable[[Wanted, Found], bool],
    ) -> None:
        """Count one text: what is wanted and found, and what of it has a match."""
        self.wanted += len(wanted)
        self.wanted_matched += sum(any(match(one, other) for other in found) for one in wanted)
        self.found += len(found)
        self.found_matched += sum(any(match(one, other) for one in wanted) for other in found)

    def __str__(self) -> str:
        return (
            f"recall {self.recall:.3f} ({self.wanted_matched}/{self.wanted})  "
            f"precision {self.precision:.3f} ({self.found_matched}/{self.found})"
        )


@dataclass(slots=True)
class ExtractionReport:
    """What the comparison found.

    ``entities``: the model's names among the entities. ``named_entities``: the same for
    names without a digit, which leaves out dates and amounts. ``with_values``: dates and
    amounts on facts count as found too. ``relaxed``: a name matches another whose words
    include all of its own. ``triples``: subject and object match, whatever the predicate;
    relaxed, the words of the two subjects and of the two objects agree by F1 of :data:`ENOUGH`.
    """

    texts: int = 0
    statements: int = 0
    statements_with_fact: int = 0
    words: int = 0
    seconds: float = 0.0
    entities: Score = field(default_factory=Score)
    named_entities: Score = field(default_factory=Score)
    with_values: Score = field(default_factory=Score)
    relaxed: Score = field(default_factory=Score)
    triples: Score = field(default_factory=Score)
    relaxed_triples: Score = field(default_factory=Score)

    @property
    def fact_share(self) -> float:
        """Share of statements that have at least one fact."""
        return self.statements_with_fact / self.statements if self.statements else 0.0

    def lines(self) -> Iterator[str]:
        """The report as lines of text."""
        yield f"texts                     {self.texts}"
        yield f"statements                {self.statements}, {self.fact_share:.3f} with a fact"
        yield f"entities                  {self.entities}"
        yield f"entities without digits   {self.named_entities}"
        yield f"entities and values       {self.with_values}"
        yield f"entities, relaxed         {self.relaxed}"
        yield f"triples (ends match)      {self.triples}"
        yield f"triples, relaxed          {self.relaxed_triples}"
        yield f"words/s                   {self.words / max(self.seconds, 1e-9):.0f}"


def main() -> None:
    """Print how close an extractor comes in a folder's texts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--extractor", default="local", metavar="NAME")
    options = parser.parse_args()
    report = evaluate_extraction(options.folder, open_extractor(options.extractor))
    print("\n".join(report.lines()))


def evaluate_extraction(folder: Path, extractor: Extractor) -> ExtractionReport:
    """Run an extractor over a folder's texts and compare.

    :raises InputError: the folder holds neither layout, or a record can't be understood.
    """
    report = ExtractionReport()
    for gold in read_gold(folder):
        source, text = source_id(gold.document.uri), gold.document.text
        chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
        started = time.perf_counter()
        extraction = extractor.extract(gold.document, [chunk])
        report.seconds += time.perf_counter() - started
        _compare(gold, extraction, report)
    return report


def read_gold(path: Path) -> Iterator[Gold]:
    """The texts of a folder with what a model extracted from each."""
    nested, corpus = path / "extractions.jsonl", path / "corpus.jsonl"
    flat = sorted((*path.glob("openie_*.jsonl"), *path.glob("triples_*.jsonl")))
    if nested.is_file():
        yield from _nested_gold(nested)
    elif corpus.is_file() and flat:
        yield from _flat_gold(corpus, flat[0])
    else:
        raise InputError(
            f"{path}: nothing to compare with; looked for extractions.jsonl, and for "
            "corpus.jsonl with openie_*.jsonl or triples_*.jsonl"
        )


def _flat_gold(corpus: Path, extracted: Path) -> Iterator[Gold]:
    documents = {each.id: each for each in read_corpus(corpus)}
    for record in json_lines(extracted, _Flat):
        if found := documents.get(record.id):
            document = Document(found.id, found.title, found.text)
            triples = (tuple(each[:3]) for each in record.triples if len(each) >= 3)
            yield Gold(document, tuple(record.entities), tuple(triples))


def _nested_gold(path: Path) -> Iterator[Gold]:
    for record in json_lines(path, dict[str, Any]):
        topics = record["topics"]["topics"]
        names = [entity["value"] for topic in topics for entity in topic["entities"]]
        facts = (x for topic in topics for said in topic["statements"] for x in said["facts"])
        triples = tuple(
            (fact["subject"]["value"], fact["predicate"]["value"], object_["value"])
            for fact in facts
            if (object_ := fact["object"] or fact["complement"])
        )
        document = Document(record["chunk_id"], "", record["text"], media_type="text/markdown")
        yield Gold(document, tuple(dict.fromkeys(names)), triples)


def _compare(gold: Gold, extraction: Extraction, report: ExtractionReport) -> None:
    with_fact = {id_ for fact in extraction.facts for id_ in fact.statement_ids}
    report.texts += 1
    report.words += len(gold.document.text.split())
    report.statements += len(extraction.statements)
    report.statements_with_fact += len(with_fact)
    forms = {
        entity.id: {normalize_name(name) for name in (entity.name, *entity.aliases)}
        for entity in extraction.entities
    }
    names = list(forms.values())
    values = [{normalize_name(fact.object_value)} for fact in extraction.facts if fact.object_value]
    wanted = {normalize_name(name) for name in gold.names}
    without_digits = [name for name in wanted if not any(c.isdigit() for c in name)]
    triples = {(normalize_name(s), normalize_name(o)) for s, _, o in gold.triples}
    found = [
        (
            forms[fact.subject_id],
            forms[fact.object_id] if fact.object_id else {normalize_name(fact.object_value or "")},
        )
        for fact in extraction.facts
    ]
    report.entities.count(wanted, names, _same)
    report.named_entities.count(without_digits, names, _same)
    report.with_values.count(wanted, names + values, _same)
    report.relaxed.count(wanted, names, _alike)
    report.triples.count(triples, found, partial(_both, match=_same))
    report.relaxed_triples.count(triples, found, partial(_both, match=_agree))


def _same(wanted: str, forms: set[str]) -> bool:
    return wanted in forms


def _alike(wanted: str, forms: set[str]) -> bool:
    return any(_contain(_words(wanted), _words(form)) for form in forms)


def _agree(wanted: str, forms: set[str]) -> bool:
    one = _words(wanted)
    return any(
        2 * len(one & (other := _words(form))) >= ENOUGH * (len(one) + len(other)) for form in forms
    )


def _both(
    wanted: tuple[str, str],
    found: tuple[set[str], set[str]],
    match: Callable[[str, set[str]], bool],
) -> bool:
    return match(wanted[0], found[0]) and match(wanted[1], found[1])


@cache
def _words(name: str) -> frozenset[str]:
    words = (word.strip(".,:;()\"'") for word in name.split())
    return frozenset(words) - {"", "of", "the", "in", "a"}


def _contain(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one and other) and (one <= other or other <= one)


if __name__ == "__main__":
    main()
