"""Training of the trees that say how sure it is that a fact is true as it is told, from facts that
were judged by reading, and what they say of documents that they did not learn from."""

import json
import lzma
import re
import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
from numpy.typing import NDArray

from benchmarks.training.frames.confidence import FOLDS, OPTIONS, ROUNDS, as_file
from benchmarks.training.frames.marks import corpus_texts
from benchmarks.training.reading.asked import folders
from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.frames import told as product
from hlg.ingest.extract.local.frames.told import SIGNALS, Telling, signals
from hlg.ingest.extract.local.parse import Sentence
from hlg.records import Chunk, Document

JUDGED = Path(__file__).with_name("judged.jsonl.xz")
"""A fact a line, with a checksum of its sentence's text, whether that says it, and if not why: a
wrong or cut ``S``ubject, ``P``redicate or ``O``bject, a lost ``Q``ualifier or ``N``egation, what is
only supposed (``M``), a pronoun's meaning (``L``), when or by whose account (``A``)."""
WRITTEN = "asked"
"""What stands for a set where a document is of the written folders."""
LONGEST = 3_500
"""Characters of a document that facts were judged of."""
LEARNING = OPTIONS | {
    "learning_rate": 0.04,
    "min_data_in_leaf": 20,
    "lambda_l2": 10.0,
    "feature_fraction": 0.3,
}
LIKE = 0.5
"""Share of words from which on a subject, whose name may be another today, is the judged one."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What is weighed of a fact that was judged, the fold of its document, and its genre."""

    row: tuple[float, ...]
    right: bool
    fold: int
    genre: str


def judged(data: Path) -> list[Judged]:
    """Those that are still told, as they are told today."""
    documents: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    with lzma.open(JUDGED, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            documents[row["set"], row["document"], row.get("title", "")].append(row)
    texts = _texts(data, (set_ for set_, _, _ in documents))
    found, extractor = list[Judged](), LocalExtractor(all_facts=True)
    for (set_, name, title), rows in documents.items():
        text = texts[set_][name][:LONGEST]
        source = source_id(name)
        chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
        with _recorded() as told:
            extractor.extract(Document(name, title, text), [chunk])
        fold = zlib.crc32(f"{set_} {name}".encode()) % FOLDS
        for row in rows:
            if weighed := _of(row, told):
                found.append(Judged(weighed, row["right"], fold, row["genre"]))
    return found


def by_folds(rows: Sequence[Judged]) -> NDArray[np.float64]:
    """What trees that learned from other documents say of each, in log-odds."""
    scores = np.zeros(len(rows))
    for fold in range(FOLDS):
        own = [at for at, each in enumerate(rows) if each.fold == fold]
        learned = _learned([each for each in rows if each.fold != fold])
        scores[own] = np.asarray(learned.predict(_matrix([rows[at] for at in own]), raw_score=True))
    return scores


def area(scores: NDArray[np.float64], right: NDArray[np.bool_]) -> float:
    """Area under the curve: how often one that is right is above one that is wrong."""
    ranks = np.argsort(np.argsort(scores))
    count = int(right.sum())
    above = int(ranks[right].sum()) - count * (count - 1) // 2
    return above / (count * (len(right) - count))


def trees_file(rows: Sequence[Judged]) -> str:
    """Trees that learned from all, as ``told_trees.txt`` has them."""
    return as_file(_learned(rows), SIGNALS)


def _learned(rows: Sequence[Judged]) -> lightgbm.Booster:
    right = np.array([each.right for each in rows])
    return lightgbm.train(LEARNING, lightgbm.Dataset(_matrix(rows), right), ROUNDS)


def _matrix(rows: Sequence[Judged]) -> NDArray[np.float32]:
    return np.array([each.row for each in rows], np.float32)


def _texts(data: Path, sets: Iterable[str]) -> dict[str, dict[str, str]]:
    """Documents of data sets and of the written folders by their names."""
    written = {
        f"{folder}/{file}": text
        for folder, each in folders().items()
        for file, text in each.files.items()
    }
    return {WRITTEN: written} | corpus_texts(data, sorted({*sets} - {WRITTEN}))


_HOW = ("modality", "condition", "attributed_to")
_Told = tuple[int, Telling, tuple[float, ...]]


@contextmanager
def _recorded() -> Iterator[list[_Told]]:
    """Notes each fact that is told, with its sentence and what is weighed of it."""
    told: list[_Told] = []

    def record(sentence: Sentence, telling: Telling) -> float:
        text = sentence.text(0, len(sentence.words))
        told.append((zlib.crc32(text.encode()), telling, signals(sentence, telling)))
        return telling.chance * telling.link

    shipped = product.told_chance
    product.told_chance = record
    try:
        yield told
    finally:
        product.told_chance = shipped


def _of(row: Mapping[str, Any], told: Sequence[_Told]) -> tuple[float, ...] | None:
    """What is weighed of the fact that says what the judged one does and is stated alike."""
    best: tuple[float, tuple[float, ...]] | None = None
    for sentence, each, weighed in told:
        how = each.how
        stated = (how.polarity, how.modality, how.condition, how.attributed_to)
        judged_as = (row.get("polarity", "affirmed"), *(row.get(name, "") for name in _HOW))
        if sentence != row["sentence"] or stated != judged_as:
            continue
        is_same = (
            _alike(row["predicate"], each.predicate) == _alike(row["object"], each.object) == 1
        )
        alike = _alike(row["subject"], each.subject)
        if is_same and alike >= LIKE and (best is None or alike > best[0]):
            best = alike, weighed
    return best[1] if best else None


def _alike(one: str, other: str) -> float:
    first, second = (set(re.findall(r"\w+", text.lower())) for text in (one, other))
    return 2 * len(first & second) / max(1, len(first) + len(second))
