"""Names in a text: where they begin and end, of which class they are, which of them are one."""

import pytest

from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.names.naming import DocumentNames
from hlg.records import Chunk, Document, Entity
from hlg.words.known_names import ORGANIZATION_NAMES, PLACE_NAMES, WORK_NAMES

EXTRACTOR = LocalExtractor()


def entities_of(text: str, title: str = "", **metadata: str) -> tuple[Entity, ...]:
    source = source_id("d")
    chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
    return EXTRACTOR.extract(Document("d", title, text, dict(metadata)), [chunk]).entities


def classes_of(text: str, title: str = "", **metadata: str) -> dict[str, str]:
    return {each.name: each.entity_class for each in entities_of(text, title, **metadata)}


MISSED = pytest.mark.xfail(reason="the reader of names misses it", strict=True)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Bring Zoya and the kids to the lake.", "Zoya"),
        ("Tell Sanne good luck from me.", "Sanne"),
        ("Morning Anjali! Did you sleep well?", "Anjali"),
        ("I saw a band from Pune called Copper Monsoon.", "Pune; Copper Monsoon"),
        ("They bought it at Best Buy and Walmart.", "Best Buy; Walmart"),
        pytest.param("They reported on the Israel-Hamas war.", "Israel; Hamas", marks=MISSED),
        ("I'm on the couch with Baldur's Gate and a bag of chips.", "Baldur's Gate"),
        ("There's one by a band named Sunday Furniture.", "Sunday Furniture"),
        ("They read The Thursday Murder Club last month.", "Thursday Murder Club"),
        ("Either way, the Fire HD 8 is the cheapest tablet for most.", "Fire HD 8"),
        ("The iPhone 15 Pro is on sale this week.", "iPhone 15 Pro"),
        ("I am a huge fan of Lord of the Rings!", "Lord of the Rings"),
        ("They moved to Paris 5 years ago.", "Paris"),
        pytest.param(
            "She married Robert Vernon, 1st Baron Lyveden, in 1823.", "Robert Vernon", marks=MISSED
        ),
        (
            "Settings stand in `harbour/tides.toml`, which `Tide::read` loads.",
            "harbour/tides.toml",
        ),
        ("`harbour view` draws a page, `harbour browse` opens it.", "harbour view; harbour browse"),
        ("`TideStore.read_all` and `max_wait` are in `store.py`.", "TideStore.read_all; max_wait"),
    ],
)
def test_a_name_ends_where_it_ends(text: str, names: str) -> None:
    forms = {form for each in entities_of(text) for form in (each.name, *each.aliases)}
    for name in names.split("; "):
        assert any(form.startswith(name) and len(form) <= len(name) + 19 for form in forms), forms


@pytest.mark.parametrize(
    ("text", "name", "class_"),
    [
        ("Arsenal beat Chelsea, and Wenger praised the defence.", "Chelsea", "Organization"),
        ("Arsenal beat Chelsea, and Wenger praised the defence.", "Wenger", "Person"),
        ("Revenue at Supercell rose, and it hired engineers in Helsinki.", "Helsinki", "Place"),
        ("Home Is the Hero is a 1959 drama film by Fielder Cook.", "Fielder Cook", "Person"),
        ("The scheduler was written by Red Hat in 2004.", "Red Hat", "Organization"),
        ("my sister jess moved to lisbon in may", "lisbon", "Place"),
        ("HALDEN STEEL HAS BOUGHT NORTHPOINT IN LEEDS.", "LEEDS", "Place"),
        ("We compare HyDE [Gao et al.] with BM25 on BRIGHT.", "Gao", "Person"),
    ],
)
def test_a_name_has_its_class(text: str, name: str, class_: str) -> None:
    assert classes_of(text).get(name) == class_


def test_what_a_document_is_about_stays_whatever_its_name() -> None:
    text = "NextToken continues a listing. NextToken is given with the next call."
    assert "NextToken" in classes_of(text, title="NextToken")


def test_other_languages_have_names_of_their_own() -> None:
    text = "Der Leuchtturm von Skarn wurde 1904 gebaut. Das Haus gehört der Familie von Ada Thorne."
    assert classes_of(text, language="de") == {"Ada Thorne": "Thing"}


CHAT = """Gina: Hey Jon! How are you? It's been a while since we talked.
Jon: Good, thanks! My dog Biscuit loves the beach, and my cat named Luna hates it.
Gina: Toby, our puppy, turned two on Friday. I took Anna to the party.
"""


def test_a_pet_is_an_animal() -> None:
    found = classes_of(CHAT, "Gina and Jon, 4 March 2023")
    assert {found.get(name) for name in ("Biscuit", "Luna", "Toby")} == {"Animal"}
    assert {found.get(name) for name in ("Gina", "Jon", "Anna")} == {"Person"}


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


def test_what_a_document_is_about_is_nobody_whose_name_ends_like_it() -> None:
    found = classes_of(
        "Zoolander is a 2001 American comedy film directed by Ben Stiller. The film has Stiller "
        "as Derek Zoolander, a dimwitted model. Owen Wilson plays a rival of Derek Zoolander.",
        "Zoolander",
    )
    assert found["Zoolander"] == "Work"
    assert found["Derek Zoolander"] == "Person"


def test_a_short_form_is_the_person_named_in_full_before() -> None:
    text = (
        "The county fell to Margaret of Anjou in 1450. Margaret raised an army. "
        "The army of Margaret was beaten."
    )
    names = [entity.name for entity in entities_of(text) if "Margaret" in entity.name]
    assert names == ["Margaret of Anjou"]


def test_a_name_is_an_entity_only_where_it_is_sure_or_something_is_said_of_it() -> None:
    names = DocumentNames()
    keys = [names.add(name, "Person", doubtful=name != "Ada") for name in ("Ada", "Bela", "Cem")]
    assert {each.name for each in names.entities({keys[1]: [1.0]}, measured=False).values()} == {
        "Ada",
        "Bela",
    }


def test_a_name_of_nothing_but_generations_is_settled() -> None:
    names = DocumentNames()
    names.add("Jr. Sr.", "Person")
    assert [each.name for each in names.entities({}, measured=False).values()] == ["Jr. Sr."]


def test_listed_names_have_single_spaces() -> None:
    for name in PLACE_NAMES | ORGANIZATION_NAMES | WORK_NAMES:
        assert name == " ".join(name.split()).lower()
    assert {"hong kong", "new south wales"} <= PLACE_NAMES


def test_what_is_told_with_little_chance_says_not_what_a_thing_is() -> None:
    text = (
        "Lotte Wiek was an engineer. She entered the Technical College in Marlund in 1919, the "
        "only woman of her year, and left it in 1923."
    )
    assert classes_of(text, "Lotte Wiek")["Technical College"] == "Organization"
