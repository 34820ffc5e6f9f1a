"""Lists: an item carries the predicate of the line that leads it in, where that is plain."""

import pytest

from hlg.ids import source_id
from hlg.ingest.chunk.chunkers import open_chunker
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.records import Document

EXTRACTOR = LocalExtractor(all_facts=True)
CHUNKER = open_chunker("fixed", tokens=2_000, overlap=0.0)


def facts_of(text: str, title: str = "Notes") -> set[str]:
    document = Document("d", title, text, media_type="text/markdown")
    found = EXTRACTOR.extract(document, CHUNKER.chunk(document, source_id("d")))
    return {fact.text for fact in found.facts}


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "Helix Instruments makes the following products:\n\n"
            "- Tern 4\n- Gull Sensor, which measures pressure\n- a torque wrench\n",
            {"Tern 4", "Gull Sensor", "torque wrench"},
        ),
        (
            "Helix Instruments does not sell:\n\n* batteries\n* Petrel software\n",
            {"batteries", "Petrel software"},
        ),
        (
            "Helix Instruments sells the following:\n\n1. Oake Yard\n2. Marlund College\n",
            {"Oake Yard", "Marlund College"},
        ),
    ],
)
def test_items_are_what_the_line_says(text: str, facts: set[str]) -> None:
    verb = {"m": "makes", "d": "does not sell", "s": "sells"}[text[18]]
    assert facts_of(text) >= {f"Helix Instruments {verb} {each}" for each in facts}


@pytest.mark.parametrize(
    ("text", "facts", "stated"),
    [
        (
            "Helix Instruments must not:\n\n* Display signs near Oake Yard\n* sell to minors\n",
            {"must not display signs near Oake Yard"},
            ("must", "denied", ""),
        ),
        (
            "If you rent a boat, you can't:\n\n- leave the harbour\n",
            {"can't leave the harbour"},
            ("can", "denied", "If you rent a boat"),
        ),
        (
            "The shop is open. You will need to:\n\n1. be over 18\n2. have a licence\n",
            {"will need to be over 18", "will need to have a licence"},
            ("will", "affirmed", ""),
        ),
        (
            "You can take leave if you:\n\n- have worked here for a year\n",
            {"can take leave"},
            ("can", "affirmed", "if you have worked here for a year"),
        ),
        (
            "Helix Instruments does not sell:\n\n* batteries\n* Petrel software\n",
            {"does not sell batteries", "does not sell Petrel software"},
            ("", "denied", ""),
        ),
        (
            "Do not:\n\n- leave the form with reception\n",
            {"do not leave the form"},
            ("imperative", "denied", ""),
        ),
    ],
)
def test_an_item_completes_the_line_that_breaks_off_before_its_verb(
    text: str, facts: set[str], stated: tuple[str, str, str]
) -> None:
    document = Document("d", "", text, media_type="text/markdown")
    found = EXTRACTOR.extract(document, CHUNKER.chunk(document, source_id("d")))
    names = {each.id: each.name for each in found.entities}
    told = {
        f"{each.predicate} {names.get(each.object_id or '', each.object_value)}": each
        for each in found.facts
    }
    assert facts <= told.keys(), told.keys()
    assert {(x.modality, x.polarity, x.condition) for x in map(told.get, facts) if x} == {stated}
    assert all(each.text in text for each in found.statements), found.statements


def test_an_item_is_as_sure_as_its_line_is_read() -> None:
    text = (
        "Recipients will be provided with supportive assistance while on TANF including: child "
        "care services, transportation services, and vehicle repairs."
    )
    document = Document("d", "", text)
    found = EXTRACTOR.extract(document, CHUNKER.chunk(document, source_id("d"))).facts
    assert all(each.confidence < 0.7 for each in found if "vehicle repairs" in each.text)


def test_a_list_within_a_sentence_is_no_apposition_of_its_subject() -> None:
    assert facts_of("Oake Yard built three ships: the Petrel, the Gannet and the Tern.") >= {
        "Oake Yard built Petrel",
        "Oake Yard built Gannet",
        "Oake Yard built Tern",
    }
    assert facts_of(
        "The museum was founded by the following people: Edith Vale, Jonas Wiek and Mara Quill."
    ) == {f"museum was founded by {name}" for name in ("Edith Vale", "Jonas Wiek", "Mara Quill")}


@pytest.mark.parametrize(
    "text",
    [
        "To install the pump:\n\n- Remove the cover.\n- Turn the valve.\n",
        "Helix Instruments reports:\n\n- Sales rose.\n- Costs fell.\n",
        "If Helix Instruments makes:\n\n- Tern 4\n",
        "Does Helix Instruments make the following products:\n\n- Tern 4\n",
        "See also:\n\n- Oake Yard\n- Skarn Light\n",
        "Examples:\n\n- Oake Yard\n",
        "He said: go home, Jonas, and sleep.",
        "Note: use it with care, caution, and patience.",
    ],
)
def test_nothing_is_said_where_the_line_says_nothing_of_its_items(text: str) -> None:
    assert not [fact for fact in facts_of(text) if "(imperative)" not in fact]


def test_items_that_are_only_supposed_state_nothing() -> None:
    items = "- Ada Thorne lives in Corven\n- Bo Lind sold the Petrel\n"
    supposed = facts_of(f"You can make the claim if both of the following apply:\n\n{items}")
    assert not [each for each in supposed if "lives in" in each or "sold" in each]
    stated = facts_of(f"If you ask who can, these are the facts:\n\n{items}")
    assert {"Ada Thorne lives in Corven", "Bo Lind sold Petrel"} <= stated


def test_what_is_below_an_item_or_after_the_list_is_no_item() -> None:
    found = facts_of(
        "Helix Instruments owns two companies:\n\n- Oake Yard\n  - Edith Vale\n- Tern Airways\n\n"
        "It is old.\n\n- Skarn Light\n"
    )
    assert {each for each in found if " owns " in each} == {
        "Helix Instruments owns Oake Yard",
        "Helix Instruments owns Tern Airways",
        "Helix Instruments owns two companies",
    }


def test_the_statement_of_an_item_mentions_what_its_fact_is_about() -> None:
    document = Document(
        "d", "", "Siemens supports the following:\n\n- Marlund College\n", {}, "text/markdown"
    )
    found = EXTRACTOR.extract(document, CHUNKER.chunk(document, source_id("d")))
    (fact,) = (each for each in found.facts if each.text == "Siemens supports Marlund College")
    (statement,) = (each for each in found.statements if each.id in fact.statement_ids)
    assert statement.text == "Marlund College"
    assert {fact.subject_id, fact.object_id} <= set(statement.entity_ids)
    assert statement.details.endswith("Siemens supports the following")


def test_what_is_too_long_to_be_read_with_each_item_is_completed_by_none() -> None:
    long = "Guests of the house " + "and of the yard behind it " * 40 + "must not:"
    found = facts_of(f"{long}\n\n* smoke in the rooms\n", title="")
    assert not any("smoke" in each for each in found), found
