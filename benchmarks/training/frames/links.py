"""What pronouns mean in GUM: links that the extractor makes, each with whether they are right."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import lightgbm
import numpy as np

from benchmarks.training.frames.certainty import OPTIONS, as_file
from benchmarks.training.frames.gum import FREE_GENRES
from hlg.ingest.extract.local.document import Reader
from hlg.ingest.extract.local.frames import facts
from hlg.ingest.extract.local.names import links, references
from hlg.ingest.extract.local.names.focus import Focus
from hlg.ingest.extract.local.parse import Sentence
from hlg.names import normalize_name
from hlg.records import Document

ROUNDS, LEAVES = 80, 4
BOUNDS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)
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
class Link:
    """What the trees weigh of a link, and whether it is right."""

    genre: str
    kind: str
    signals: tuple[float, ...]
    right: bool


def coref_texts(path: Path, *, free: bool) -> Iterator[CorefText]:
    """The documents of a file of GUM.

    :param free: only of genres that may be learned from.
    """
    for block in path.read_text("utf-8").split("# newdoc id = ")[1:]:
        found = _coref_text(block)
        if not free or found.genre in FREE_GENRES:
            yield found


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


def links_of(text: CorefText) -> list[Link]:
    """The links that the extractor makes in a document."""
    found: list[Link] = []
    means = {(start, end): number for start, end, number in text.mentions}
    inner = sorted(text.mentions, key=lambda each: each[1] - each[0])

    def recorded(
        sentence: Sentence, token: int, kind: str, key: str, own: Mapping[str, int], focus: Focus
    ) -> float:
        start, end = sentence.starts[token], sentence.ends[token]
        first = start if kind else sentence.starts[sentence.left_edge(token)]
        number = means.get((first, end)) or means.get((start, end))
        forms = {normalize_name(focus.form(key)), key}
        right = number is not None and number in _named(text.text[:start], forms, inner)
        signals = links.signals(sentence, token, kind, key, own, focus)
        found.append(Link(text.genre, kind or "the", signals, right))
        return 1.0

    whole = links.link_chance
    try:
        setattr(references, "link_chance", recorded)  # noqa: B010
        setattr(facts, "link_chance", recorded)  # noqa: B010
        for _ in Reader(Document(text.id, text.title, text.text)).read():
            pass
    finally:
        setattr(references, "link_chance", whole)  # noqa: B010
        setattr(facts, "link_chance", whole)  # noqa: B010
    return found


def _named(text: str, forms: set[str], mentions: Sequence[tuple[int, int, str]]) -> set[str]:
    """Numbers of what a name names in a text, wherever it stands: of the least mention around."""
    lowered, found = text.lower(), set[str]()
    for form in forms:
        for place in re.finditer(rf"(?<!\w){re.escape(form)}(?!\w)", lowered):
            first, last = place.span()
            around = (each for start, end, each in mentions if start <= first and last <= end)
            found.add(next(around, ""))
    return found - {""}


def trained(found: Sequence[Link]) -> lightgbm.Booster:
    """Trees over the links' signals."""
    signals = np.array([each.signals for each in found], np.float32)
    right = np.array([each.right for each in found])
    options = {**OPTIONS, "num_leaves": LEAVES, "min_data_in_leaf": 15, "feature_fraction": 0.5}
    return lightgbm.train(options, lightgbm.Dataset(signals, right), ROUNDS)


def links_file(booster: lightgbm.Booster) -> str:
    """As ``links.txt`` holds them."""
    return as_file(booster, links.SIGNALS)


def precision_by_bound(booster: lightgbm.Booster, held: Sequence[Link]) -> Iterator[str]:
    """By bound and kind of what points back: how many links are kept, and how many are right."""
    chances = np.asarray(booster.predict(np.array([each.signals for each in held], np.float32)))
    right = np.array([each.right for each in held])
    for bound in BOUNDS:
        kept = chances >= bound
        parts = [
            f"{kind} {right[of].mean():.2f} of {int(of.sum())}"
            for kind in ("he", "she", "it", "they", "the")
            if (of := kept & np.array([each.kind == kind for each in held])).any()
        ]
        share = right[kept].mean() if kept.any() else 0.0
        yield (
            f"from {bound:.1f}   {int(kept.sum())} links, {share:.3f} right, "
            f"{right[kept].sum() / right.sum():.3f} of those right; {', '.join(parts)}"
        )
