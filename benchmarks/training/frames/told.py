"""Training of the network that says how sure it is that a fact is true as it is told, from facts
that were judged by reading, and what it says of documents that it did not learn from."""

import json
import lzma
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from benchmarks.training.frames.marks import corpus_texts
from benchmarks.training.frames.network import ToldNetwork
from benchmarks.training.frames.train import SEED, batches, falling_rate, learn
from benchmarks.training.reading.asked import folders
from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.frames import told as product
from hlg.ingest.extract.local.frames.features import padded_words
from hlg.ingest.extract.local.frames.told import Telling, seen
from hlg.ingest.extract.local.parse import Sentence
from hlg.records import Chunk, Document

JUDGED = Path(__file__).with_name("judged.jsonl.xz")
"""A fact a line, with a checksum of its sentence's text, whether that says it, and if not why: a
wrong or cut ``S``ubject, ``P``redicate or ``O``bject, a lost ``Q``ualifier or ``N``egation, what is
only supposed (``M``), a pronoun's meaning (``L``), when or by whose account (``A``), or
something else (``X``)."""
WRITTEN = "asked"
"""What stands for a set where a document is of the written folders."""
WHY = " SPOQNMLAX"
"""Why a fact is wrong, and that it isn't."""
LONGEST = 3_500
"""Characters of a document that facts were judged of."""
LIKE = 0.5
"""Share of words from which on a subject, whose name may be another today, is the judged one."""
FOLDS, EPOCHS, BATCH = 5, 5, 48
RATE, WEIGHT_DECAY, WARM_UP = 1e-3, 0.05, 0.06
OF_WHY = 0.3
"""Weight of why beside whether."""
Given = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Judged:
    """What the network is given of a fact that was judged, the fold of its document, its genre, and
    why it is wrong."""

    given: Given
    right: bool
    why: int
    fold: int
    genre: str


def judged(data: Path) -> list[Judged]:
    """Those that are still told, as they are told today."""
    documents: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    with lzma.open(JUDGED, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            documents[row["set"], row["document"], row.get("title", "")].append(row)
    texts = texts_of(data, (set_ for set_, _, _ in documents))
    found, extractor = list[Judged](), LocalExtractor(all_facts=True)
    for (set_, name, title), rows in documents.items():
        text = texts[set_][name][:LONGEST]
        source = source_id(name)
        chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
        with _recorded() as told:
            extractor.extract(Document(name, title, text), [chunk])
        fold = zlib.crc32(f"{set_} {name}".encode()) % FOLDS
        for row in rows:
            if given := _of(row, told):
                found.append(
                    Judged(given, row["right"], WHY.index(row.get("why", " ")), fold, row["genre"])
                )
    return found


def train(
    rows: Sequence[Judged], progress: Callable[[str], None] = lambda line: None
) -> ToldNetwork:
    """A network that learned from these: whether a fact is right, and why it is not."""
    torch.manual_seed(SEED)
    generator = np.random.default_rng(SEED)
    network = ToldNetwork(len(WHY)).train()
    sizes = [len(each.given["parts"]) for each in rows]
    plan = [batch for _ in range(EPOCHS) for batch in batches(sizes, BATCH, generator)]
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=WEIGHT_DECAY)
    rate = falling_rate(optimizer, WARM_UP, len(plan))
    losses: list[float] = []
    for step, places in enumerate(plan, 1):
        batch = [rows[at] for at in places]
        odds, why = network(*_given(batch))
        right = torch.tensor([float(each.right) for each in batch])
        reasons = torch.tensor([each.why for each in batch])
        loss = functional.binary_cross_entropy_with_logits(odds, right)
        loss = loss + OF_WHY * functional.cross_entropy(why, reasons)
        learn(loss, network, optimizer, rate)
        losses.append(float(loss.detach()))
        if step % 200 == 0:
            progress(f"step {step} of {len(plan)}: loss {np.mean(losses[-200:]):.3f}")
    return network.eval()


@torch.no_grad()
def score(network: ToldNetwork, rows: Sequence[Judged]) -> NDArray[np.float64]:
    """What a network says of each, in log-odds."""
    found = np.zeros(len(rows))
    order = sorted(range(len(rows)), key=lambda at: len(rows[at].given["parts"]))
    for start in range(0, len(order), BATCH):
        places = order[start : start + BATCH]
        found[places] = network(*_given([rows[at] for at in places]))[0].numpy()
    return found


def _given(batch: Sequence[Judged]) -> list[Tensor]:
    """Rows of one fact each as the network takes them, zeros behind."""
    width = max(len(each.given["parts"]) for each in batch)
    states = np.zeros((len(batch), width, batch[0].given["states"].shape[1]), np.float32)
    for at, each in enumerate(batch):
        states[at, : len(each.given["states"])] = each.given["states"]
    kinds = ("parts", "told", "branches", "distances")
    words = [padded_words([each.given[kind] for each in batch], width) for kind in kinds]
    ones = [np.ones(len(each.given["parts"]), np.int64) for each in batch]
    rows = [np.stack([each.given[kind] for each in batch]) for kind in ("heads", "chances")]
    return [torch.from_numpy(each) for each in (states, *words, *rows, padded_words(ones, width))]


def texts_of(data: Path, sets: Iterable[str]) -> dict[str, dict[str, str]]:
    """Documents of data sets and of the written folders by their names."""
    written = {
        f"{folder}/{file}": text
        for folder, each in folders().items()
        for file, text in each.files.items()
    }
    return {WRITTEN: written} | corpus_texts(data, sorted({*sets} - {WRITTEN}))


_HOW = ("modality", "condition", "attributed_to")
_Told = tuple[int, Telling, Given]


@contextmanager
def _recorded() -> Iterator[list[_Told]]:
    """Notes each fact that is told, with its sentence and what is seen of it."""
    told: list[_Told] = []

    def record(sentence: Sentence, tellings: Sequence[Telling]) -> list[float]:
        text = zlib.crc32(sentence.text(0, len(sentence.words)).encode())
        given = seen(sentence, tellings) if tellings else {}
        for at, each in enumerate(tellings):
            of_fact = {name: values[at] for name, values in given.items() if name != "states"}
            told.append((text, each, of_fact | {"states": sentence.states}))
        return [each.chance * each.link for each in tellings]

    shipped = product.chances
    product.chances = record
    try:
        yield told
    finally:
        product.chances = shipped


def _of(row: Mapping[str, Any], told: Sequence[_Told]) -> Given | None:
    """What is seen of the fact that says what the judged one does and is stated alike."""
    best: tuple[float, Given] | None = None
    for sentence, each, given in told:
        how = each.how
        stated = (how.polarity, how.modality, how.condition, how.attributed_to)
        judged_as = (row.get("polarity", "affirmed"), *(row.get(name, "") for name in _HOW))
        is_then = row.get("time", how.time) == how.time  # the first rows hold no time
        if sentence != row["sentence"] or stated != judged_as or not is_then:
            continue
        is_same = (
            _alike(row["predicate"], each.predicate) == _alike(row["object"], each.object) == 1
        )
        alike = _alike(row["subject"], each.subject)
        if is_same and alike >= LIKE and (best is None or alike > best[0]):
            best = alike, given
    return best[1] if best else None


def _alike(one: str, other: str) -> float:
    first, second = (set(re.findall(r"\w+", text.lower())) for text in (one, other))
    return 2 * len(first & second) / max(1, len(first) + len(second))
