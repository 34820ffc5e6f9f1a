"""The judge of names: what is a name, and of which class, where words alone don't give it away."""

from pathlib import Path

import numpy as np
import pytest

from hlg.errors import InputError, ModelError
from hlg.evaluation.training.names import (
    Example,
    examples_of,
    held_out,
    read_name_marks,
    train_judge,
)
from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.judge import BUCKETS, Judge
from hlg.ingest.extract.local.names.judge import CLASSES
from hlg.records import Chunk, Document, Embeddings

EXTRACTOR = LocalExtractor()


def classes_of(text: str, title: str = "", **metadata: str) -> dict[str, str]:
    source = source_id("d")
    chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
    found = EXTRACTOR.extract(Document("d", title, text, dict(metadata)), [chunk])
    return {entity.name: entity.entity_class for entity in found.entities}


@pytest.mark.parametrize(
    ("text", "name", "class_"),
    [
        (
            "Aston Villa beat Everton in the cup final on Saturday. Villa had lost four games.",
            "Aston Villa",
            "Organization",
        ),
        (
            "In the cup final Arsenal beat Chelsea, and Wenger praised the defence.",
            "Chelsea",
            "Organization",
        ),
        (
            "In the cup final Arsenal beat Chelsea, and Wenger praised the defence.",
            "Wenger",
            "Person",
        ),
        (
            "Revenue at Supercell rose by a third, and the company hired 40 engineers in Helsinki.",
            "Supercell",
            "Organization",
        ),
    ],
)
def test_a_club_a_firm_named_once_and_a_bare_surname_have_their_class(
    text: str, name: str, class_: str
) -> None:
    assert classes_of(text)[name] == class_


@pytest.mark.parametrize(
    ("text", "no_name"),
    [
        ('The answer is: {"NextToken": "77X", "VolumeSize": 10}', "NextToken"),
        ('The answer is: {"NextToken": "77X", "VolumeSize": 10}', "VolumeSize"),
    ],
)
def test_fields_of_records_are_no_entities(text: str, no_name: str) -> None:
    assert no_name not in classes_of(text)


def test_what_a_document_is_about_stays_whatever_the_judge_says() -> None:
    text = "NextToken continues a listing. NextToken is given with the next call."
    assert "NextToken" in classes_of(text, title="NextToken")


def test_the_judge_has_no_say_in_other_languages() -> None:
    text = "Der Leuchtturm von Skarn wurde 1904 gebaut. Das Haus gehört der Familie von Ada Thorne."
    assert classes_of(text, language="de") == {"Ada Thorne": "Thing"}


class Letters:
    """An embedder that sees a name's first letter."""

    name = "letters"
    dimensions = 26
    languages = frozenset(("en",))

    def embed(self, texts: list[str]) -> Embeddings:
        return np.eye(26, dtype=np.float32)[[ord(text[0].lower()) - ord("a") for text in texts]]


def example(name: str, trait: str, letter: str = "", document: str = "d") -> Example:
    return Example("s", document, name, "Thing", {"always": 1.0, trait: 1.0}, letter)


MARKED = [example(f"a{n}", "says", "P") for n in range(8)] + [
    example(f"b{n}", "in", "L") for n in range(8)
]


def test_a_judge_learns_from_marks_and_from_what_the_teacher_says_of_other_names() -> None:
    others = [example(f"a{n}", "walks") for n in range(8, 40)]
    judge = train_judge([*MARKED, *others], Letters(), {})
    person, place = CLASSES.index("Person"), CLASSES.index("Place")
    said, within, walks = judge.chances(
        [{"always": 1.0, trait: 1.0} for trait in ("says", "in", "walks")]
    )
    assert said[person] > 0.5
    assert within[place] > 0.5
    # Nobody marked a name that walks; names that begin alike were people.
    assert walks[person] > walks[place]


def test_marked_names_are_judged_by_what_has_not_seen_them() -> None:
    everyone = [*MARKED, example("c", "only here", "E")]
    judged = held_out(everyone, Letters(), [0] * 8 + [0] * 8 + [1])
    assert [each.name for each in judged.examples] == [each.name for each in everyone]
    assert judged.chances[-1, CLASSES.index("Event")] < 0.2


def test_a_judge_is_the_same_out_of_its_file(tmp_path: Path) -> None:
    judge = train_judge(MARKED, Letters(), {"marks": 16})
    judge.save(tmp_path / "judge.npz")
    again = Judge.load(tmp_path / "judge.npz")
    traits = [each.traits for each in MARKED]
    assert np.allclose(judge.chances(traits), again.chances(traits), atol=0.02)
    assert again.provenance["marks"] == 16
    assert (tmp_path / "judge.npz").read_bytes()[:2] == b"PK"


def test_a_file_that_is_no_judge_is_named(tmp_path: Path) -> None:
    path = tmp_path / "judge.npz"
    with pytest.raises(ModelError, match=r"no judge at .*judge\.npz"):
        Judge.load(path)
    path.write_bytes(b"PK not really")
    with pytest.raises(ModelError, match="damaged"):
        Judge.load(path)
    Judge(np.ones((BUCKETS, len(CLASSES)), np.float32), {"format": 0}).save(path)
    with pytest.raises(ModelError, match="of format 0"):
        Judge.load(path)


def test_marks_are_joined_with_the_names_of_their_document(tmp_path: Path) -> None:
    marks = tmp_path / "marks.tsv"
    marks.write_text("news\td\tWenger\tP\n", "utf-8")
    (mark,) = read_name_marks(marks)
    letters = {(mark.set, mark.document, mark.name): mark.letter}
    found = examples_of("news", Document("d", "", "Arsenal thanked Wenger."), letters)
    assert {each.name: each.letter for each in found}["Wenger"] == "P"


def test_a_line_that_is_no_mark_is_named(tmp_path: Path) -> None:
    marks = tmp_path / "marks.tsv"
    marks.write_text("news\td\tWenger\tP\nnews\td\tArsenal\tQ\n", "utf-8")
    with pytest.raises(InputError, match=r"marks\.tsv:2"):
        read_name_marks(marks)
