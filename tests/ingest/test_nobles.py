"""People who are named with a place or a peerage, and what only looks like one."""

import pytest

from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.names.nobles import bare_name, is_noble
from hlg.records import Chunk, Document, Entity


def entities_of(text: str, title: str = "") -> tuple[Entity, ...]:
    source = source_id("d")
    chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
    return LocalExtractor().extract(Document("d", title, text, {}), [chunk]).entities


@pytest.mark.parametrize(
    ("text", "people"),
    [
        (
            "Joan was a daughter of Charles VI of France and Isabeau of Bavaria.",
            {"Charles VI of France", "Isabeau of Bavaria"},
        ),
        (
            "Her father was Edmund of Langley, 1st Duke of York and his wife was rich.",
            {"Edmund of Langley, 1st Duke of York"},
        ),
        (
            "He was the youngest child of King Edward III of England and Philippa of Hainault.",
            {"Edward III of England", "Philippa of Hainault"},
        ),
        (
            "She married Robert Vernon, 1st Baron Lyveden, in 1823.",
            {"Robert Vernon, 1st Baron Lyveden"},
        ),
        (
            "The wedding of Princess Anastasia of Greece and Denmark took place in Athens.",
            {"Anastasia of Greece and Denmark"},
        ),
        (
            "The galley went to Pedro de Góngora, 6th Marquis of Almodóvar, in 1780.",
            {"Pedro de Góngora, 6th Marquis of Almodóvar"},
        ),
    ],
)
def test_a_place_or_a_peerage_is_part_of_the_name(text: str, people: set[str]) -> None:
    found = {entity.name for entity in entities_of(text) if entity.entity_class == "Person"}
    assert people <= found
    assert not {"Charles VI", "Langley", "York", "Edward III", "Philippa", "Góngora"} & found


@pytest.mark.parametrize(
    "name",
    [
        "Bank of England",
        "Bill of Rights",
        "Dean of Students",
        "Elton John of England",
        "Grace of God",
        "Title IX of the Education Amendments",
        "Princess Astrid Coast of Queen Maud Land",
        "Prince Edward Island of Canada",
        "Baron Ponsonby of Sysonby",
        "Tom, Lord of the Rings",
        "Sarah of Accounting",
        "Sarah of Microsoft",
        "Duke of York",
        "Lord Mayor of London",
        "Pearl of Africa Music Awards",
        "John Boyle, 5th Earl of Cork and Lady Henrietta",
    ],
)
def test_what_only_looks_like_such_a_name(name: str) -> None:
    assert not is_noble(name)


def test_ranks_before_a_name_are_none_of_it() -> None:
    assert bare_name(["Archduke", "Otto", "of", "Austria"]) == ["Otto", "of", "Austria"]
    assert bare_name(["Duke", "Ellington"]) == ["Duke", "Ellington"]


def test_who_was_named_before_somebody_is_somebody_else() -> None:
    found = {
        entity.name
        for entity in entities_of(
            "The county was left to Peter by his aunt. Peter was a man of many talents, and Peter "
            "wrote songs. The lawyer of Peter I, Duke of Bourbon, came to see Isabella of Valois."
        )
    }
    assert {"Peter", "Peter I, Duke of Bourbon"} <= found


def test_a_short_form_is_the_person_named_in_full_before() -> None:
    text = (
        "The county fell to Margaret of Anjou in 1450. Margaret raised an army. "
        "The army of Margaret was beaten."
    )
    names = [entity.name for entity in entities_of(text) if "Margaret" in entity.name]
    assert names == ["Margaret of Anjou"]


def test_what_many_are_is_no_other_name_of_one() -> None:
    text = (
        "Countess Elisabeth of Leuchtenberg married John in 1512. The Countess had six children, "
        "and the Countess died in Dillenburg."
    )
    found = entities_of(text)
    aliases = {alias.lower() for entity in found for alias in entity.aliases}
    assert "Elisabeth of Leuchtenberg" in {entity.name for entity in found}
    assert not aliases & {"countess", "the countess"}
