"""Frames as CaRB's tuples, and its own scorer on them."""

import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.training.frames.examples import Example
from hlg.ingest.extract.local.frames.decode import Frame, Span

Row = tuple[str, float, str, str, list[str]]
"""A sentence, a chance, a predicate, a subject, and what else is told."""


def tuples(example: Example, frames: Iterable[Frame]) -> list[tuple[float, str, str, list[str]]]:
    """The tuple of each frame that has a subject and something told of it."""
    sentence, text = example.sentence, example.marked.text

    def said(span: Span) -> str:
        return text[sentence.starts[span.first] : sentence.ends[span.end - 1]]

    found = []
    for frame in frames:
        told = [span for span in frame.spans if span.role not in ("predicate", "subject")]
        told.sort(key=lambda span: (span.role != "argument", span.first))
        subject = " ".join(map(said, frame.of("subject")))
        predicate = " ".join(map(said, frame.of("predicate"))) or frame.kind
        if subject and told:
            chance = frame.chance * min(span.chance for span in frame.spans)
            found.append((chance, predicate, subject, list(map(said, told))))
    return found


def score(folder: Path, rows: Sequence[Row], sentences: set[str]) -> str:
    """Area under the curve, and the best precision, recall and F1, over some sentences.

    :param folder: CaRB's, with its scorer and ``dev.tsv``.
    """
    lines = [
        "\t".join([text, f"{chance:.4f}", predicate, subject, *told])
        for text, chance, predicate, subject, told in rows
    ]
    return _score(folder, "tabReader", "TabReader", "\n".join(lines) + "\n", sentences)


def score_openie5(folder: Path, sentences: set[str]) -> str:
    """The same of the output that lies beside the data."""
    output = (folder / "openie5_output.txt").read_text("utf-8")
    return _score(folder, "openieFiveReader", "OpenieFiveReader", output, sentences)


def _score(folder: Path, module: str, name: str, output: str, sentences: set[str]) -> str:
    from importlib import import_module

    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    scorer: Any = import_module("carb")
    reader = getattr(import_module(f"oie_readers.{module}"), name)()
    with tempfile.TemporaryDirectory() as place:
        gold, given = Path(place, "gold"), Path(place, "given")
        with (folder / "dev.tsv").open(encoding="utf-8") as file:
            gold.write_text("".join(x for x in file if x.split("\t")[0] in sentences), "utf-8")
        given.write_text(output, "utf-8")
        reader.read(str(given))
        area, (precision, recall, f1) = scorer.Benchmark(str(gold)).compare(
            predicted=reader.oie,
            matchingFunc=scorer.Matcher.binary_linient_tuple_match,
            output_fn=str(Path(place, "curve")),
        )
    return f"AUC {area:.3f} precision {precision:.3f} recall {recall:.3f} F1 {f1:.3f}"
