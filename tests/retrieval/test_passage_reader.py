"""The network that reads passages: what it is shown, and what it makes of it."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hlg.errors import ModelError
from hlg.records import Passage, SourceRef
from hlg.retrieval.answers.evidence import EvidenceStatement
from hlg.retrieval.answers.parts import PROSE, ROW, Part
from hlg.retrieval.answers.reading.passages import CHARACTERS, PASSAGES, read_passages
from hlg.retrieval.answers.reading.reader import UNREAD, UNSEEN, PassageReader, passage_reader
from hlg.retrieval.answers.reading.windows import PASSAGE_TOKENS, window


def said(text: str, title: str) -> EvidenceStatement:
    source = SourceRef(title, f"{title}.md", title)
    return EvidenceStatement(
        Passage("Statement", text, text, "", 0, len(text), "c", "", source), rank=1
    )


LIGHT = said("Skarn Light was built by Theodor Rask at Corven in 1871.", "Skarn Light")
YARD = said("The yard at Oake launched nine steamers before the war.", "Oake Yard")
FEES = said("Boats that stay overnight pay a fee of twelve crowns at the office.", "Fees")


def cosines(evidence: list[EvidenceStatement]) -> np.ndarray:
    return np.linspace(0.6, 0.4, len(evidence), dtype=np.float32)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who built Skarn Light?", "Theodor Rask"),
        ("When was Skarn Light built?", "1871"),
        ("How much do boats that stay overnight pay?", "twelve crowns"),
    ],
)
def test_the_words_that_answer_are_offered_first(question: str, answer: str) -> None:
    evidence = [YARD, LIGHT, FEES]
    reading = passage_reader().read(question, evidence, cosines(evidence), range(3))
    best = reading.offers()[0]
    assert answer in evidence[best.place].passage.text[best.start : best.end]
    assert reading.score(best.place, best.start, best.end) == pytest.approx(best.score)


def test_what_no_passage_answers_scores_lower_than_what_one_does() -> None:
    evidence = [YARD, LIGHT]
    scores = [
        passage_reader().read(question, evidence, cosines(evidence), range(2)).offers()[0].score
        for question in ("Who built Skarn Light?", "What does Solveig earn a month?")
    ]
    assert scores[0] > scores[1] + 2


@pytest.mark.parametrize(
    ("question", "place"),
    [
        ("who put up the lighthouse", 1),
        ("what does it cost to leave my boat there for the night", 2),
        ("how many ships left the yard", 0),
    ],
)
def test_what_answers_in_other_words_is_told_from_what_does_not(question: str, place: int) -> None:
    evidence = [YARD, LIGHT, FEES]
    answering = passage_reader().read(question, evidence, cosines(evidence), range(3)).evidence(4)
    assert answering[:3].argmax() == place
    assert answering[3] == UNSEEN


def test_what_stands_under_a_heading_is_read_with_it() -> None:
    def under(heading: str, text: str) -> EvidenceStatement:
        part = Part(PROSE, 0, len(text), text, f"The mill > {heading}")
        return replace(said(text, "The mill"), part=part)

    close = under("Stopping", "Lower the sluice and wait for the wheel.")
    brake = under("Stopping", "Put the pin in.")
    evidence = [close, brake, under("Starting", "Open the sluice.")]
    (passage,) = read_passages(evidence, cosines(evidence), range(3))
    assert passage.text == (
        f"The mill: Stopping: {close.passage.text} {brake.passage.text} Starting: Open the sluice."
    )


def test_an_offer_is_whole_words() -> None:
    text = "119,Tilly,dachshund,2022,Agnes Thorley,Gull Steps 5"
    evidence = [said(text, "Dogs")]
    offers = passage_reader().read("what breed is Tilly", evidence, cosines(evidence), [0]).offers()
    assert text[offers[0].start : offers[0].end] == "dachshund"
    for offer in offers:
        begins, ends = text[: offer.start + 1][-2:], text[offer.end - 1 :][:2]
        assert not any(len(each) == 2 and each.isalnum() for each in (begins, ends))


def test_no_offer_is_a_word_that_the_window_cuts() -> None:
    text = "112; Bosun; labrador; 2021; Jory Finch. " * 8 + "Tilly is a dachshund."
    evidence = [said(text, "Dogs")]
    offers = passage_reader().read("what breed is Tilly", evidence, cosines(evidence), [0]).offers()
    assert offers
    assert not any(text[each.end - 1 : each.end + 1].isalnum() for each in offers)


def test_passages_are_whole_statements_of_one_source_with_a_sentence_of_another() -> None:
    long = said("The keeper writes what he sees. " * 40, "Log")
    evidence = [LIGHT, YARD, *([FEES] * 3), long]
    passages = read_passages(evidence, cosines(evidence), range(len(evidence)))
    assert len(passages) <= PASSAGES
    first = passages[0]
    assert first.text == f"Skarn Light: {LIGHT.passage.text}"
    assert first.hint == f"Oake Yard: {YARD.passage.text}"
    for passage in passages:
        assert len(passage.text) <= CHARACTERS + len("Skarn Light: ")
        for piece in passage.pieces:
            text = evidence[piece.place].passage.text
            told = passage.text[piece.start : piece.end]
            assert told == text[piece.offset : piece.offset + piece.end - piece.start]


def test_a_row_is_read_by_its_cells_each_behind_its_header() -> None:
    cells = (("Plan", "Team"), ("Users", "8"), ("Support", "phone"))
    text = "| Team | 8 | phone |"
    row = replace(said(text, "Plans"), part=Part(ROW, 0, len(text), text, cells=cells))
    (passage,) = read_passages([row, row], cosines([row, row]), range(2))
    told = "Plan: Team; Users: 8; Support: phone"
    assert passage.text == f"Plans: {told} {told}"
    pieces = [
        (passage.text[piece.start : piece.end], text[piece.offset :][: piece.end - piece.start])
        for piece in passage.pieces
    ]
    assert pieces == [(value, value) for _, value in cells] * 2


def test_only_the_places_that_are_named_are_read() -> None:
    evidence = [LIGHT, YARD]
    reading = passage_reader().read("Who built Skarn Light?", evidence, cosines(evidence), [1])
    assert {offer.place for offer in reading.offers()} <= {1}
    assert reading.score(0, 0, 5) == UNREAD
    assert passage_reader().read("Who built Skarn Light?", [], cosines([]), []).offers() == []


def test_a_window_says_which_characters_its_tokens_stand_for() -> None:
    text = "Rask built it. " * 100
    found = window("Who built it?", "A hint.", text)
    told = found.offsets[found.offsets[:, 0] >= 0]
    assert len(told) == PASSAGE_TOKENS
    assert [text[a:b] for a, b in told[:4].tolist()] == ["Ras", "k", "built", "it"]
    assert found.types.tolist() == sorted(found.types.tolist())


def test_weights_that_are_not_there_are_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    reader = PassageReader(tmp_path / "reading.onnx")
    with pytest.raises(ModelError, match="install hlg again"):
        reader.read("Who?", [LIGHT], cosines([LIGHT]), [0])
