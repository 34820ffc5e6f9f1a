"""What is asked of written folders: the marks that training and measuring rest on."""

from collections import Counter

import numpy as np
import pytest

from benchmarks.training.reading.asked import HELD_OUT, FolderQuestion, Quote, answering, folders
from hlg.records import Passage, SourceRef
from hlg.retrieval.answers.evidence import EvidenceStatement

KINDS = {"span", "passage", "yesno", "compare", "table", "none"}


@pytest.mark.parametrize("name", folders())
def test_each_question_has_its_evidence_and_its_answer_in_it(name: str) -> None:
    folder = folders()[name]
    assert {each.kind for each in folder.questions} == KINDS
    assert all(bool(each.quotes) == (each.kind != "none") for each in folder.questions)
    for each in folder.questions:
        said = " ".join(folder.files[file][start:end] for file, start, end in each.quotes)
        if each.kind in ("span", "table"):
            plain = " ".join(said.split()).casefold()
            assert any(" ".join(x.split()).casefold() in plain for x in each.answers), each
    texts = Counter(each.text for each in folder.questions)
    assert set(texts.values()) == {1}


def test_a_fifth_of_the_folders_is_held_out() -> None:
    assert set(HELD_OUT) < folders().keys()
    assert 0.2 < len(HELD_OUT) / len(folders()) < 0.25


def test_what_has_most_of_a_quote_answers() -> None:
    oven, shed = (SourceRef(name, f"/notes/{name}.txt", name) for name in ("oven", "shed"))

    def statement(start: int, end: int, source: SourceRef = oven) -> EvidenceStatement:
        text = "x" * (end - start)
        passage = Passage("Statement", text, text, "", start, end, "c", "", source)
        return EvidenceStatement(passage, rank=1)

    question = FolderQuestion("q", "who fixed it", "span", ("Wilk",), (Quote("oven.txt", 20, 60),))
    seen = [statement(0, 22), statement(18, 61), statement(40, 55), statement(20, 60, shed)]
    assert answering(question, seen).tolist() == [False, True, True, False]
    assert not np.any(answering(FolderQuestion("q", "age?", "none", (), ()), seen))
