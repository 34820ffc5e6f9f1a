"""How a search came to its hits: as text, as JSON, and as a Mermaid flowchart."""

import re
from collections.abc import Sequence

from hlg.export.mermaid import mermaid_label
from hlg.records import Hit, PathStep
from hlg.reports import SearchResult

__all__ = ["explanation_text", "mermaid_chart"]

_WIDTH = 100
_SPACE = re.compile(r"\s+")
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def explanation_text(result: SearchResult) -> str:
    """Each hit with its path, statement by statement, its signals and score; what was left out."""
    lines = [f"{result.retriever}: {_short(result.query)}"]
    explanation = result.explanation
    if explanation and explanation.keywords:
        lines.append(f"keywords: {', '.join(explanation.keywords)}")
    if result.answer:
        lines.append(f"answer: {_short(result.answer, 10 * _WIDTH)}")
    for hit in result.hits:
        lines += ["", *_hit_lines(hit)]
    if explanation:
        lines += ["", *(f"note: {note}" for note in explanation.notes)]
        lines += [
            f"left out, as {kept} says the same: {dropped}"
            for dropped, kept in explanation.dropped.items()
        ]
        lines += [
            f"not walked: {_short(entity)}, named in {degree} statements"
            for entity, degree in explanation.not_walked.items()
        ]
    stages = ", ".join(f"{stage} {spent:.1f}" for stage, spent in result.timings_ms.items())
    lines += ["", f"{result.store_calls} store calls; milliseconds: {stages}"]
    return "\n".join(lines)


def mermaid_chart(result: SearchResult) -> str:
    """A flowchart of the paths, from the question to each hit; shared steps are drawn once."""
    lines = ["flowchart LR", f'  question(["{mermaid_label(result.query)}"])']
    numbers: dict[str, str] = {}
    edges: dict[str, None] = {}
    for hit in result.hits:
        before = "question"
        for step in hit.path or (_own_step(hit),):
            if step.id not in numbers:
                numbers[step.id] = f"n{len(numbers) + 1}"
                lines.append(f'  {numbers[step.id]}["{mermaid_label(step.text)}"]')
            name = f'|"{mermaid_label(step.via)}"|' if step.via else ""
            edges[f"  {before} -->{name} {numbers[step.id]}"] = None
            before = numbers[step.id]
    hits = ",".join(
        dict.fromkeys(numbers[hit.passage.id] for hit in result.hits if hit.passage.id in numbers)
    )
    styles = ["  classDef hit stroke-width:3px", f"  class {hits} hit"] if hits else []
    return "\n".join([*lines, *edges, *styles])


def _own_step(hit: Hit) -> PathStep:
    return PathStep(kind=hit.passage.kind, id=hit.passage.id, text=hit.passage.text)


def _hit_lines(hit: Hit) -> list[str]:
    passage = hit.passage
    source = passage.source
    lines = [
        f"{hit.rank}. {hit.score:.4f}  {_short(source.title or source.uri)}"
        f" ({_short(source.uri)}:{passage.start}-{passage.end})",
        f"   {_short(passage.text, 3 * _WIDTH)}",
    ]
    if len(hit.path) > 1:
        lines += [f"   {line}" for line in _path_lines(hit.path)]
    if hit.signals:
        lines.append(
            "   " + ", ".join(f"{name} {value:.4g}" for name, value in hit.signals.items())
        )
    return lines


def _path_lines(path: Sequence[PathStep]) -> list[str]:
    lines = []
    for depth, step in enumerate(path):
        through = f"through {step.via_kind.lower()} {_short(step.via)!r} to " if step.via else ""
        lines.append(f"{'  ' * depth}{through}{step.kind.lower()} “{_short(step.text)}”")
    return lines


def _short(text: str, width: int = _WIDTH) -> str:
    line = _SPACE.sub(" ", _UNPRINTABLE.sub(" ", text)).strip()
    return line if len(line) <= width else line[: width - 1].rstrip() + "…"
