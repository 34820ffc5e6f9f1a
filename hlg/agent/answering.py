"""The answer that a loop came to, with what it cites as the graph has it."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from hlg.agent.reading import lines_of
from hlg.agent.steps import Entry, Final
from hlg.agent.tools import GraphTools
from hlg.answers import Answer, AnswerSentence, Citation
from hlg.asking.model import UNANSWERED
from hlg.errors import UsageError
from hlg.records import Hit, Passage
from hlg.retrieval.answers.check import checked, sentences

UNKNOWN = "it cites what was never found"
_REFERENCE = r"turn\d+search\d+"
_MARK = re.compile(rf"\s*[\[(【]((?:\s*{_REFERENCE}(?::\d+(?:\s*-\s*\d+)?)?\s*[,;]?)+)[\])】]")
_ONE = re.compile(rf"({_REFERENCE})(?::(\d+)(?:\s*-\s*(\d+))?)?")
_RELEVANCE = re.compile(r"\n*[*_]*Relevance:?[*_]*:?\s*(.*)\Z", re.IGNORECASE | re.DOTALL)
_SCORE = re.compile(rf"({_REFERENCE})(?::[\d-]+)?\]?\s*[=:]\s*([01](?:\.\d+)?)")


@dataclass(frozen=True, slots=True)
class Said:
    """An answer taken apart: ``text`` cites by number, ``cited`` are the references by number, and
    ``scores`` say how much each matters."""

    text: str
    cited: Mapping[int, str]
    scores: Mapping[str, float]


def taken_apart(text: str) -> Said:
    """What a model said, with numbers for its references."""
    relevance = _RELEVANCE.search(text)
    told = relevance[1] if relevance else ""
    body = text[: relevance.start()] if relevance else text
    numbers: dict[str, int] = {}

    def numbered(mark: re.Match[str]) -> str:
        found = (re.sub(r"\s", "", each[0]) for each in _ONE.finditer(mark[1]))
        return "".join(f" [{numbers.setdefault(each, len(numbers) + 1)}]" for each in found)

    body = _MARK.sub(numbered, body).strip()
    scores = {reference: float(score) for reference, score in _SCORE.findall(told)}
    if not numbers and scores:
        numbers = {mark: number for number, mark in enumerate(scores, start=1)}
        body = _with_citations(body, list(numbers.values()))
    return Said(body, {number: mark for mark, number in numbers.items()}, scores)


def answer_of(question: str, final: Final, tools: GraphTools) -> Answer:
    """The answer, each sentence checked against what the model was shown of what it cites.

    ``hits`` are the cited passages by how much they matter.
    """
    said = taken_apart(final.text) if final.order is None else _by_number(final, final.order)
    if _is_no_answer(said.text):
        return Answer(question, notes=final.notes)
    passages = {number: _passage(mark, tools) for number, mark in said.cited.items()}
    found = {number: passage for number, passage in passages.items() if passage is not None}
    shown = _shown(final.entries)
    texts = {
        number: f"{passage.source.title} {passage.details} {passage.text} "
        + shown.get(_ONE.findall(said.cited[number])[0][0], "")
        for number, passage in found.items()
    }
    checks = checked(question, said.text, texts)
    borne_out = tuple(_without(each, found.keys()) for each in checks)
    used = wanted = {number for each in borne_out for number in each.citations}
    if final.order is not None:
        wanted = used | {number for number, mark in said.cited.items() if mark in said.scores}
    ranked = _ranked(said, {number: found[number] for number in wanted if number in found})
    return Answer(
        question,
        sentences=borne_out,
        citations=tuple(Citation(number, found[number]) for number in sorted(used)),
        hits=tuple(Hit(rank, score, each) for rank, (each, score) in enumerate(ranked, start=1)),
        is_answered=any(not each.problem for each in borne_out),
        notes=final.notes,
    )


def _by_number(final: Final, order: Sequence[str]) -> Said:
    """An answer that cites passages by the numbers that they were shown with."""
    pieces = [ref for each in final.entries if each.shown for ref, _ in each.shown.pieces]
    scores = {reference: 1 / place for place, reference in enumerate(order, start=1)}
    cited = dict(enumerate(pieces, start=1))
    numbers = {reference: number for number, reference in cited.items()}
    text = _with_citations(final.text, [numbers[each] for each in order])
    return Said(text, cited, scores)


def _with_citations(text: str, numbers: Sequence[int]) -> str:
    """An answer that cites nothing where it says something, but names what it rests on: each
    sentence cites all of that."""
    found = sentences(text)
    if any(cited for _, cited in found) or not numbers or _is_no_answer(text):
        return text
    marks = "".join(f"[{number}]" for number in numbers)
    return " ".join(f"{sentence} {marks}" for sentence, _ in found)


def _is_no_answer(text: str) -> bool:
    return text.strip(" .\n").upper() in (UNANSWERED, "")


def _passage(mark: str, tools: GraphTools) -> Passage | None:
    """What a reference stands for, or the lines of its document; None where it is made up."""
    reference, first, last = _ONE.findall(mark)[0]
    try:
        passage = tools.references[reference]
    except UsageError:
        return None
    found = tools.texts([passage.source.id]) if first else []
    lines = lines_of(found[0].text) if found else []
    if not first or int(first) >= len(lines):
        return passage
    from_, to = int(first), min(max(int(first), int(last or first)), len(lines) - 1)
    start = sum(len(line) + 1 for line in lines[:from_])
    text = "\n".join(lines[from_ : to + 1])
    return replace(passage, kind="Chunk", text=text, details="", start=start, end=start + len(text))


def _shown(entries: Sequence[Entry]) -> dict[str, str]:
    """By reference all that a model was shown of it."""
    texts: dict[str, list[str]] = {}
    for each in entries:
        for reference, text in each.shown.pieces if each.shown else ():
            texts.setdefault(reference, []).append(text)
    return {reference: " ".join(parts) for reference, parts in texts.items()}


def _without(sentence: AnswerSentence, known: Collection[int]) -> AnswerSentence:
    """A sentence without citations of what nobody found."""
    kept = tuple(number for number in sentence.citations if number in known)
    if kept == sentence.citations:
        return sentence
    return replace(sentence, citations=kept, problem=sentence.problem or UNKNOWN)


def _ranked(said: Said, passages: Mapping[int, Passage]) -> list[tuple[Passage, float]]:
    """Cited passages with how much each matters, the most first; in the order of the answer where
    that was not said."""
    scored = [
        (passage, said.scores.get(said.cited[number].partition(":")[0], 0.0))
        for number, passage in sorted(passages.items())
    ]
    return sorted(scored, key=lambda pair: -pair[1])
