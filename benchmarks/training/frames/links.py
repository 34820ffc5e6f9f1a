"""What pronouns mean, in GUM and in texts marked for this: trees that choose it among what was
spoken of before."""

import json
import lzma
import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import lightgbm
import numpy as np

from benchmarks.training.frames.confidence import OPTIONS, as_file
from benchmarks.training.frames.gum import FREE_GENRES
from benchmarks.training.frames.marks import corpus_texts
from benchmarks.training.reading.asked import folders
from hlg.ingest.extract.local.document import Reader
from hlg.ingest.extract.local.names import links, references
from hlg.ingest.extract.local.names.focus import Focus, Spoken
from hlg.ingest.extract.local.parse import Sentence
from hlg.records import Document
from hlg.words.lexicon import PRONOUNS

COREF = Path(__file__).with_name("coref.jsonl.xz")
WRITTEN = "written"
"""The set of the texts of written folders."""
TESTED = 4
"""One text of so many tests and isn't learned from, by a hash of its name."""
ROUNDS, LEAVES, RATE = 400, 8, 0.025
KINDS = ("he", "she", "it", "they", "the")
NAMED = links.SIGNALS.index("named")
_BACK = frozenset((*PRONOUNS, "i", "me", "my", "we", "us", "our", "you", "your", "this", "that"))
_MARK = re.compile(r"\((\d+)-[^()]*(\)?)|(\d+)(?:\[[^\]]*\])?\)")


@dataclass(slots=True)
class CorefText:
    """A document of GUM with its mentions: start, end, and number of the thing that is meant."""

    id: str
    genre: str = ""
    title: str = ""
    text: str = ""
    mentions: list[tuple[int, int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Pointer:
    """What points back, of which kind; by candidate what the trees weigh and whether it is meant;
    whether it means anything that was named before."""

    genre: str
    kind: str
    rows: Sequence[tuple[float, ...]]
    right: Sequence[bool]
    refers: bool


def coref_texts(path: Path, *, free: bool) -> Iterator[CorefText]:
    """The documents of a file of GUM.

    :param free: only of genres that may be learned from.
    """
    for block in path.read_text("utf-8").split("# newdoc id = ")[1:]:
        found = _coref_text(block)
        if not free or found.genre in FREE_GENRES:
            yield found


def marked_corefs(path: Path, data: Path) -> Iterator[CorefText]:
    """The texts of a file in which somebody said what each pronoun means: a text a line, of a
    corpus in ``data`` or of a written folder, up to ``end``."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        rows: list[dict[str, Any]] = [json.loads(line) for line in file]
    texts = corpus_texts(data, {row["set"] for row in rows} - {WRITTEN})
    for row in rows:
        id_ = row["document"]
        if row["set"] == WRITTEN:
            folder, _, name = id_.partition("/")
            text = folders()[folder].files[name].lstrip()
        else:
            text = texts[row["set"]][id_]
        mentions = [(start, end, str(number)) for start, end, number in row["mentions"]]
        genre = row["set"]
        yield CorefText(f"{genre} {id_}", genre, row["title"], text[: row["end"]], mentions)


def is_tested(text: CorefText) -> bool:
    """Whether a marked text tests and isn't learned from."""
    return zlib.crc32(text.id.encode()) % TESTED == 0


def _coref_text(block: str) -> CorefText:
    found = CorefText(block.partition("\n")[0].strip())
    opened: dict[str, list[int]] = {}
    gap, at = "", 0
    for line in block.splitlines():
        name, _, value = line.partition("=")
        if line.startswith("# newpar"):
            gap = "\n\n" if found.text else ""
        elif name.strip() in ("# meta::genre", "# meta::title"):
            setattr(found, name.strip()[8:], value.strip())
        elif line.startswith("# text"):
            at = len(found.text) + len(gap)
            found.text += gap + value.strip()
            gap = " "
        elif line.partition("\t")[0].isdigit():
            columns = line.split("\t")
            start = max(at, found.text.find(columns[1], at))
            at = start + len(columns[1])
            entity = next((each for each in columns[9].split("|") if each[:7] == "Entity="), "")
            for number, closed, ended in _MARK.findall(entity):
                if number and not closed:
                    opened.setdefault(number, []).append(start)
                elif number or opened.get(ended):
                    first = start if number else opened[ended].pop()
                    found.mentions.append((first, at, number or ended))
    return found


def pointers_of(text: CorefText, booster: lightgbm.Booster | None = None) -> list[Pointer]:
    """What points back in a document; what has a name before is meant by it.

    :param booster: says what each means, for what follows; without it what is right is meant.
    """
    found: list[Pointer] = []
    means = {(start, end): number for start, end, number in text.mentions}
    by_size = sorted(text.mentions, key=lambda each: each[1] - each[0])
    named = [each for each in text.mentions if text.text[each[0] : each[1]].lower() not in _BACK]

    def inner(place: int) -> str:
        return next((each for start, end, each in by_size if start <= place < end), "")

    def recorded(
        sentence: Sentence, token: int, kind: str, focus: Focus
    ) -> tuple[Spoken | None, float]:
        start, end = sentence.starts[token], sentence.ends[token]
        first = start if kind else sentence.starts[sentence.left_edge(token)]
        number = means.get((first, end)) or means.get((start, end), "-")
        candidates = links.candidates_of(sentence, token, kind, focus)
        rows = links.signals(sentence, token, kind, candidates, focus)
        right = [number in map(inner, each.starts) for each in candidates]
        named_ones = [is_it and row[NAMED] > 0 for row, is_it in zip(rows, right, strict=True)]
        right = named_ones if any(named_ones) else right
        refers = any(end <= first and each == number for _, end, each in named if kind) or any(
            is_it and row[NAMED] for row, is_it in zip(rows, right, strict=True)
        )
        found.append(Pointer(text.genre, kind or "the", rows, right, refers))
        chances = right if booster is None or not rows else booster.predict(np.array(rows))
        best = int(np.argmax(chances)) if rows else 0
        return (candidates[best], float(chances[best])) if rows else (None, 0.0)

    try:
        setattr(references, "link", recorded)  # noqa: B010
        for _ in Reader(Document(text.id, text.title, text.text)).read():
            pass
    finally:
        setattr(references, "link", links.link)  # noqa: B010
    return found


def learned(texts: Sequence[CorefText]) -> lightgbm.Booster:
    """Trees that learned twice: from what is meant where all before is known, and from it where
    what is before was linked by trees that learned from other documents."""
    told = [pointers_of(text) for text in texts]
    halves = [_trained([each for of in told[half::2] for each in of]) for half in range(2)]
    return _trained(
        [each for at, text in enumerate(texts) for each in pointers_of(text, halves[1 - at % 2])]
    )


def _trained(pointers: Sequence[Pointer]) -> lightgbm.Booster:
    signals = np.array([row for each in pointers for row in each.rows], np.float32)
    right = np.array([right for each in pointers for right in each.right])
    own = {"num_leaves": LEAVES, "min_data_in_leaf": 15, "feature_fraction": 0.5}
    options = {**OPTIONS, **own, "learning_rate": RATE}
    return lightgbm.train(options, lightgbm.Dataset(signals, right), ROUNDS)


def links_file(booster: lightgbm.Booster) -> str:
    """As ``links.txt`` holds them."""
    return as_file(booster, links.SIGNALS)


def by_bound(
    booster: lightgbm.Booster, held: Sequence[Pointer], bounds: Sequence[float]
) -> Iterator[str]:
    """By bound and kind of what points back: how many links are made, how many are right, and of
    what means something how much is linked right."""
    best: list[tuple[float, bool]] = []
    for each in held:
        chances = np.asarray(booster.predict(np.array(each.rows))) if each.rows else np.zeros(1)
        at = int(chances.argmax())
        # "The guild" is told by the name that it means, and else stays what it is.
        linked = bool(each.rows) and (each.kind != "the" or each.rows[at][NAMED] > 0)
        best.append((float(chances[at]) if linked else -1.0, linked and each.right[at]))
    chances, right = np.array(best).T
    refers = np.array([each.refers for each in held])
    kinds = {kind: np.array([each.kind == kind for each in held]) for kind in KINDS}
    for bound in bounds:
        kept = chances >= bound
        parts = [
            f"{kind} {right[of].mean():.2f} of {int(of.sum())}"
            for kind, its in kinds.items()
            if (of := kept & its).any()
        ]
        share = right[kept].mean() if kept.any() else 0.0
        yield (
            f"from {bound:.1f}   {int(kept.sum())} links, {share:.3f} right, "
            f"{right[kept].sum() / refers.sum():.3f} of what is meant; {', '.join(parts)}"
        )
