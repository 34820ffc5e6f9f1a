"""The judge of names: what is a name, and of which class, where words alone don't give it away."""

from pathlib import Path

import numpy as np
import pytest

from hlg.errors import ModelError
from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.judge import BUCKETS, Judge
from hlg.ingest.extract.local.names.judge import CLASSES
from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.records import Chunk, Document

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


def test_a_judge_is_the_same_out_of_its_file(tmp_path: Path) -> None:
    weights = np.random.default_rng(1).normal(size=(BUCKETS, len(CLASSES))).astype(np.float32)
    judge = Judge(weights, {"marks": 16})
    judge.save(tmp_path / "judge.npz")
    again = Judge.load(tmp_path / "judge.npz")
    traits = [{"always": 1.0, trait: 0.5} for trait in ("says", "in")]
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


def test_a_ship_is_no_place() -> None:
    text = (
        "The Petrel was a mail steamer that ran between Corven and the outer islands. "
        "The Petrel lost her way in fog."
    )
    assert classes_of(text, "The Petrel")["The Petrel"] == "Thing"


CHAT = """Gina: Hey Jon! How are you? It's been a while since we talked.
Jon: Good, thanks! My dog Biscuit loves the beach, and my cat named Luna hates it.
Gina: Toby, our puppy, turned two on Friday. I took Anna to the party.
"""


def test_a_pet_is_an_animal() -> None:
    found = classes_of(CHAT, "Gina and Jon, 4 March 2023")
    assert {found.get(name) for name in ("Biscuit", "Luna", "Toby")} == {"Animal"}
    assert {found.get(name) for name in ("Gina", "Jon", "Anna")} == {"Person"}


@pytest.mark.parametrize(
    ("text", "name", "class_"),
    [
        ("CTO Gary Wang pleaded guilty in New York in December 2022.", "Gary Wang", "Person"),
        ("RB Alexander Mattison picked up 23 yards on Sunday.", "Alexander Mattison", "Person"),
        ("He is a German Shepherd and he is so smart and loyal!", "German Shepherd", "Animal"),
    ],
)
def test_a_post_is_no_part_of_a_name_and_a_breed_is_whole(
    text: str, name: str, class_: str
) -> None:
    assert classes_of(text)[name] == class_


def test_a_people_before_its_food_or_money_is_not_meant() -> None:
    found = classes_of("My favourite is Hawaiian pizza. We paid in Australian dollars in Sydney.")
    assert {"Hawaiian", "Australian"}.isdisjoint(found)


@pytest.mark.parametrize(
    "title",
    [
        "3. Using a Configuration File",
        "wtforms.csrf — WTForms Documentation",
        "atk-2.0.25: Bindings",
    ],
)
def test_a_title_of_a_page_of_documentation_names_nothing(title: str) -> None:
    text = f"{title} Henrike Oake wrote this page at Oake Yard in 1990."
    assert title not in classes_of(text, title)


@pytest.mark.parametrize(
    ("text", "name", "class_"),
    [
        ("Ana: My Garmin died at mile 15, can you believe it?", "Garmin", "Organization"),
        ("Ana: Any luck with the new Logitech?\nBen: It works!", "Logitech", "Organization"),
        ("Ana: I stayed up all night for Apex Legends.\nBen: Again?", "Apex Legends", "Work"),
        ("Ana: FIFA 23 with my brother tonight, wish me luck!", "FIFA 23", "Work"),
    ],
)
def test_makers_and_works_that_many_know_are_no_things(text: str, name: str, class_: str) -> None:
    assert classes_of(text, "Ana and Ben, 4 March 2023, 6:12 pm")[name] == class_


def test_a_quotation_with_a_year_behind_it_is_a_work() -> None:
    found = classes_of('He is known for "Karz" (1980), "Hero" (1983) and "Meri Jung" (1985).')
    assert found == {"Karz": "Work", "Hero": "Work", "Meri Jung": "Work"}
    aired = classes_of('He was on air in Boston under the name "Bobby Mitchell" (1968–70).')
    assert aired.get("Bobby Mitchell") != "Work"


def test_what_a_document_is_about_is_nobody_whose_name_ends_like_it() -> None:
    found = classes_of(
        "Zoolander is a 2001 American comedy film directed by Ben Stiller. The film has Stiller "
        "as Derek Zoolander, a dimwitted model. Owen Wilson plays a rival of Derek Zoolander.",
        "Zoolander",
    )
    assert found["Zoolander"] == "Work"
    assert found["Derek Zoolander"] == "Person"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Home Is the Hero is a 1959 Irish drama film directed by Fielder Cook.", "Fielder Cook"),
        ("Maath Maathalli is a 2010 Kannada film written and directed by Sudeep.", "Sudeep"),
    ],
)
def test_who_made_a_film_is_a_person(text: str, name: str) -> None:
    assert classes_of(text)[name] == "Person"


def test_who_wrote_a_program_may_be_a_firm() -> None:
    found = classes_of("The scheduler was written by Acme Widgets, and the tests by Red Hat.")
    assert found.get("Acme Widgets") != "Person"
    assert found["Red Hat"] == "Organization"


def test_a_name_of_nothing_but_generations_is_settled() -> None:
    names = DocumentNames("Jr. Sr. came.")
    names.add("Jr. Sr.", "Person")
    assert [each.name for each in names.named()] == ["Jr. Sr."]
