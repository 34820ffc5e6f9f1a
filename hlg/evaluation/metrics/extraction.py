"""How close an extractor comes to what a language model extracted from the same texts.

``python -m hlg.evaluation.metrics.extraction DIR`` prints the report. A folder holds either

- ``extractions.jsonl``: a text a record, with ``topics`` that hold ``entities`` and
  ``statements`` with ``facts``; or
- ``corpus.jsonl`` (``_id``, ``title``, ``text``) and ``openie_*.jsonl`` (``_id``,
  ``entities``, ``triples``), as HippoRAG's open information extraction writes them.
"""

import json
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hlg.errors import InputError
from hlg.ids import chunk_id, source_id
from hlg.ingest.base import Extraction, Extractor
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.names import normalize_name
from hlg.records import Chunk, Document, Fact

__all__ = ["ExtractionReport", "Gold", "Score", "evaluate_extraction", "read_gold"]

Triple = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Gold:
    """A text with the names and triples that a model found in it."""

    document: Document
    names: tuple[str, ...]
    triples: tuple[Triple, ...]


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

    def add(self, wanted: list[bool], found: list[bool]) -> None:
        """Count one text: for each thing wanted and found, whether it has a match."""
        self.wanted += len(wanted)
        self.wanted_matched += sum(wanted)
        self.found += len(found)
        self.found_matched += sum(found)

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
    include all of its own. ``triples``: subject and object match, whatever the predicate.
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


def evaluate_extraction(
    directory: str | Path, extractor: Extractor | None = None
) -> ExtractionReport:
    """Run an extractor, ``local`` unless told, over a folder's texts and compare.

    :raises InputError: the folder holds neither layout, or a record can't be understood.
    """
    extractor = extractor or LocalExtractor()
    report = ExtractionReport()
    for gold in read_gold(directory):
        started = time.perf_counter()
        extraction = extractor.extract(gold.document, [_one_chunk(gold.document)])
        report.seconds += time.perf_counter() - started
        _compare(gold, extraction, report)
    return report


def read_gold(directory: str | Path) -> Iterator[Gold]:
    """The texts of a folder with what a model extracted from each."""
    path = Path(directory)
    nested, corpus = path / "extractions.jsonl", path / "corpus.jsonl"
    flat = sorted(path.glob("openie_*.jsonl"))
    if nested.is_file():
        yield from _nested_gold(nested)
    elif corpus.is_file() and flat:
        yield from _flat_gold(corpus, flat[0])
    else:
        raise InputError(
            f"{path}: nothing to compare with; looked for extractions.jsonl, and for "
            "corpus.jsonl with openie_*.jsonl"
        )


def _records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
            except ValueError as error:
                raise InputError(f"{path}:{number}: not JSON: {error}") from None
            if not isinstance(record, dict):
                raise InputError(f"{path}:{number}: not a JSON object")
            yield record


def _flat_gold(corpus: Path, extracted: Path) -> Iterator[Gold]:
    documents = {
        record["_id"]: Document(record["_id"], record.get("title", ""), record["text"])
        for record in _records(corpus)
    }
    for record in _records(extracted):
        if document := documents.get(record["_id"]):
            triples = tuple(
                (each[0], each[1], each[2]) for each in record["triples"] if len(each) >= 3
            )
            yield Gold(document, tuple(record["entities"]), triples)


def _nested_gold(path: Path) -> Iterator[Gold]:
    for record in _records(path):
        names: list[str] = []
        triples: list[Triple] = []
        for topic in record["topics"]["topics"]:
            names += (entity["value"] for entity in topic["entities"])
            for statement in topic["statements"]:
                for fact in statement["facts"]:
                    object_ = fact["object"] or fact["complement"]
                    if object_:
                        subject, predicate = fact["subject"], fact["predicate"]
                        triples.append((subject["value"], predicate["value"], object_["value"]))
        document = Document(record["chunk_id"], "", record["text"], media_type="text/markdown")
        yield Gold(document, tuple(dict.fromkeys(names)), tuple(triples))


def _one_chunk(document: Document) -> Chunk:
    source = source_id(document.uri)
    end = len(document.text)
    return Chunk(chunk_id(source, 0, end), source, 0, 0, end, document.text)


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
    without_digits = {name for name in wanted if not any(c.isdigit() for c in name)}
    _count(report.entities, wanted, names)
    _count(report.named_entities, without_digits, names)
    _count(report.with_values, wanted, names + values)
    _count_relaxed(report.relaxed, wanted, names)
    _count_triples(report, gold, extraction.facts, forms)


def _count(score: Score, wanted: set[str], found: list[set[str]]) -> None:
    every = set().union(*found)
    score.add([name in every for name in wanted], [bool(forms & wanted) for forms in found])


def _count_relaxed(score: Score, wanted: set[str], found: list[set[str]]) -> None:
    wanted_words = [_words(name) for name in wanted]
    found_words = [[_words(form) for form in forms] for forms in found]
    score.add(
        [any(_contain(want, form) for forms in found_words for form in forms)
         for want in wanted_words],
        [any(_contain(want, form) for form in forms for want in wanted_words)
         for forms in found_words],
    )  # fmt: skip


def _count_triples(
    report: ExtractionReport, gold: Gold, facts: Iterable[Fact], forms: dict[str, set[str]]
) -> None:
    wanted = list({(normalize_name(s), normalize_name(o)) for s, _, o in gold.triples})
    found = [
        (
            forms[fact.subject_id],
            forms[fact.object_id] if fact.object_id else {normalize_name(fact.object_value or "")},
        )
        for fact in facts
    ]
    report.triples.add(
        [any(s in subjects and o in objects for subjects, objects in found) for s, o in wanted],
        [any(s in subjects and o in objects for s, o in wanted) for subjects, objects in found],
    )
    wanted_words = [(_words(s), _words(o)) for s, o in wanted]
    found_words = [
        ([_words(form) for form in subjects], [_words(form) for form in objects])
        for subjects, objects in found
    ]

    def match(want: tuple[set[str], set[str]], have: tuple[list[set[str]], list[set[str]]]) -> bool:
        return all(
            any(_contain(words, form) for form in forms)
            for words, forms in zip(want, have, strict=True)
        )

    report.relaxed_triples.add(
        [any(match(want, have) for have in found_words) for want in wanted_words],
        [any(match(want, have) for want in wanted_words) for have in found_words],
    )


def _words(name: str) -> set[str]:
    return {word.strip(".,:;()\"'") for word in name.split()} - {"", "of", "the", "in", "a"}


def _contain(one: set[str], other: set[str]) -> bool:
    return bool(one and other) and (one <= other or other <= one)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m hlg.evaluation.metrics.extraction DIR")
    try:
        result = evaluate_extraction(sys.argv[1])
    except InputError as problem:
        sys.exit(str(problem))
    print(*result.lines(), sep="\n")
