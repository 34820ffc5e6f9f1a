"""The judge of facts: what a sentence says stays, what is cut out of it goes."""

from pathlib import Path

import numpy as np
import pytest

from hlg.errors import InputError
from hlg.evaluation.training.facts import (
    SeenFact,
    held_out,
    read_fact_marks,
    seen_facts,
    train_judge,
)
from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.facts import judge
from hlg.records import Document


def fact(trait: str, *, right: bool, document: str = "d") -> SeenFact:
    return SeenFact("s", document, ("always", trait), right)


MARKED = [fact("whole", right=True) for _ in range(30)] + [
    fact("cut", right=False) for _ in range(30)
]


def test_a_judge_learns_what_people_call_right() -> None:
    learned = train_judge(MARKED, {"facts": len(MARKED)})
    whole, cut = learned.chances(
        [dict.fromkeys(("always", each), 1.0) for each in ("whole", "cut")]
    )
    assert whole[0] > judge.TRUE > cut[0]
    assert learned.provenance["facts"] == len(MARKED)


def test_facts_are_judged_by_what_has_not_seen_them() -> None:
    odd = fact("odd", right=False)
    chances = held_out([*MARKED, odd], [0] * 30 + [1] * 30 + [1])
    # Without its part nobody has seen "odd", and all that was seen was right.
    assert chances[-1] > 0.5


def test_what_is_wrong_goes_with_what_only_it_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judge, "_shipped", lambda: train_judge(MARKED, {}))
    right = DraftFact("petrel", "built at", "oake yard", None, ("always", "whole"))
    wrong = DraftFact("ferries", "built at", None, "yard", ("always", "cut"))
    listed = DraftFact("petrel", "colour", None, "red")
    draft = Draft(0, 9, (), keys=["petrel", "oake yard", "ferries"], facts=[right, wrong, listed])
    draft.told = frozenset(("oake yard", "ferries"))
    judge.keep_true([draft])
    assert draft.facts == [right, listed]
    assert draft.keys == ["petrel", "oake yard"]


def test_marks_are_joined_with_the_facts_of_their_document(tmp_path: Path) -> None:
    path = tmp_path / "marks.tsv"
    path.write_text("s\td\tAda Thorne | bought | Oake Yard\tr\n", "utf-8")
    (mark,) = read_fact_marks(path)
    marks = {(mark.set, mark.document, mark.fact): mark.mark}
    (seen,) = seen_facts("s", Document("d", "", "Ada Thorne bought Oake Yard in 1904."), marks)
    assert seen.is_right
    assert np.isin(("p=bought", "object=name Organization"), seen.traits).any()


def test_a_line_that_is_no_mark_of_a_fact_is_named(tmp_path: Path) -> None:
    path = tmp_path / "marks.tsv"
    path.write_text("s\td\ta | b | c\tr\ns\td\ta | b | c\tgood\n", "utf-8")
    with pytest.raises(InputError, match=r"marks\.tsv:2"):
        read_fact_marks(path)
