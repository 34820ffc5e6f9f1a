"""How many names are found, and how many of those found are names: by the reader of names alone,
and in the graph."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path

from benchmarks.training.frames.names import ABSTRACT, NameExample, NameText
from hlg.evaluation.data.datasets import read_corpus
from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.frames.named import Name
from hlg.ingest.extract.local.names.mentions import SURE_OF_IT
from hlg.names import normalize_name
from hlg.records import Chunk, Document, Entity
from hlg.schema import PHRASE
from hlg.words.lexicon import CONCEPT, THING

_WRITTEN = re.compile(r"[A-Z\d]")
_DETERMINER = re.compile(r"(?:the|a|an) ")


@dataclass(slots=True)
class NameCounts:
    """``marked`` names, of which ``ends`` are found, ``classed`` in their class; ``read`` ones, of
    which ``right`` are marked, ``right_class`` in their class."""

    marked: int = 0
    ends: int = 0
    classed: int = 0
    read: int = 0
    right: int = 0
    right_class: int = 0

    @property
    def line(self) -> str:
        marked, read = max(1, self.marked), max(1, self.read)
        return (
            f"precision {self.right / read:.3f} recall {self.ends / marked:.3f}; with class "
            f"precision {self.right_class / read:.3f} recall {self.classed / marked:.3f} "
            f"of {self.marked} names, {self.read} read"
        )


Counted = dict[str, NameCounts]


def count_names(examples: Sequence[NameExample], read: Sequence[Sequence[Name]]) -> Counted:
    """By source, for spans of words; a concept that is written as a name is a thing or nothing."""
    counts: Counted = defaultdict(NameCounts)
    for example, found in zip(examples, read, strict=True):
        marked = dict(_spans(example))
        optional = {span for span, class_ in marked.items() if class_ == CONCEPT}
        names = [
            each for each in found if each.entity_class != CONCEPT and each.chance >= SURE_OF_IT
        ]
        of = counts[example.text.source]
        of.marked += len(marked) - len(optional)
        of.read += len(names)
        for each in names:
            class_ = marked.get((each.first, each.end))
            same = _same(each.entity_class, class_)
            of.right += class_ is not None
            of.right_class += same
            if class_ != CONCEPT:
                of.ends += class_ is not None
                of.classed += same
    return counts


def _spans(example: NameExample) -> Iterator[tuple[tuple[int, int], str]]:
    sentence = example.sentence
    for each in sorted(example.text.names, key=lambda each: each.start - each.end):
        words = [
            at
            for at, (start, end) in enumerate(zip(sentence.starts, sentence.ends, strict=True))
            if start < each.end and end > each.start
        ]
        if words:
            yield (words[0], words[-1] + 1), each.entity_class


def _same(class_: str, marked: str | None) -> bool:
    return marked in (ABSTRACT, class_) or (marked == CONCEPT and class_ == THING)


def calibration(
    examples: Sequence[NameExample], read: Sequence[Sequence[Name]]
) -> tuple[list[tuple[float, float, int]], tuple[float, float]]:
    """By tenths the mean chance of names, the share that is right, and how many; and the slope
    and shift of a logistic regression from log-odds."""
    from sklearn.linear_model import LogisticRegression

    rows = [
        (each.chance, (each.first, each.end) in marked)
        for example, found in zip(examples, read, strict=True)
        for marked in [dict(_spans(example))]
        for each in found
        if each.entity_class != CONCEPT
    ]
    parts: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for chance, right in rows:
        parts[min(9, int(chance * 10))].append((chance, right))
    table = [
        (
            sum(chance for chance, _ in part) / len(part),
            sum(right for _, right in part) / len(part),
            len(part),
        )
        for _, part in sorted(parts.items())
    ]
    odds = [[log(chance / (1 - chance))] for chance, _ in rows]
    fitted = LogisticRegression(C=1e6).fit(odds, [right for _, right in rows])
    return table, (float(fitted.coef_[0][0]), float(fitted.intercept_[0]))


def count_in_graph(texts: Iterable[NameText]) -> Counted:
    """By source, for the entities of each document: its texts, one paragraph each.

    An entity is right if one of its forms is marked; one that is a concept does not count.
    """
    documents: dict[str, list[NameText]] = defaultdict(list)
    for each in texts:
        documents[each.document].append(each)
    counts: Counted = defaultdict(NameCounts)
    extractor = LocalExtractor()
    for document, parts in documents.items():
        entities = _entities(extractor, document, "\n\n".join(each.text for each in parts))
        marked = _marked(parts)
        terms = {
            _key(part.text[each.start : each.end])
            for part in parts
            for each in part.names
            if each.entity_class == CONCEPT
        }
        _count(counts[parts[0].source], entities, marked, terms)
    return counts


def _count(
    of: NameCounts, entities: Sequence[Entity], marked: Mapping[str, str], terms: set[str]
) -> None:
    found = {_key(form): each for each in entities for form in (each.name, *each.aliases)}
    of.marked += len(marked)
    of.ends += sum(key in found for key in marked)
    of.classed += sum(
        key in found and _same(_loose(found[key]), class_) for key, class_ in marked.items()
    )
    for each in entities:
        if each.entity_class in (CONCEPT, PHRASE):
            continue
        keys = {_key(form) for form in (each.name, *each.aliases)}
        classes = {marked[key] for key in keys & marked.keys()}
        if not classes and keys & terms:
            classes = {CONCEPT}
        of.read += 1
        of.right += bool(classes)
        of.right_class += any(_same(_loose(each), class_) for class_ in classes)


def _loose(entity: Entity) -> str:
    return THING if entity.entity_class == CONCEPT else entity.entity_class


def _marked(parts: Iterable[NameText]) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in parts:
        for each in part.names:
            if each.entity_class != CONCEPT:
                found.setdefault(_key(part.text[each.start : each.end]), each.entity_class)
    return found


def _key(text: str) -> str:
    return _DETERMINER.sub("", normalize_name(text), count=1)


def _entities(
    extractor: LocalExtractor, id_: str, text: str, title: str = ""
) -> tuple[Entity, ...]:
    source = source_id(id_)
    chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
    return extractor.extract(Document(id_, title, text), [chunk]).entities


def recorded_names(folder: Path, count: int) -> tuple[int, int]:
    """Of names that a language model recorded of the first documents, without dates and amounts:
    how many the graph has, or has one of which they are a part or that is a part of them."""
    recorded = [json.loads(line) for line in (folder / "openie_gpt35.jsonl").open(encoding="utf-8")]
    wanted = {row["_id"]: row["entities"] for row in recorded}
    extractor = LocalExtractor()
    names = found = 0
    for each in read_corpus(folder / "corpus.jsonl")[:count]:
        entities = _entities(extractor, each.id, each.text, each.title)
        forms = {_key(form) for entity in entities for form in (entity.name, *entity.aliases)}
        for name in wanted.get(each.id, ()):
            if name[:1].isupper() and not any(map(str.isdigit, name)):
                names += 1
                found += any(
                    f" {one} " in f" {other} "
                    for form in forms
                    for one, other in ((form, _key(name)), (_key(name), form))
                )
    return names, found
