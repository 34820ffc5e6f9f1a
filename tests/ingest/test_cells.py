"""Facts of tables, of fields, and of what stands before a text."""

import pytest

from hlg.ingest.extract.local.document import Reader
from hlg.ingest.text.blocks import split_blocks
from hlg.records import Document
from hlg.words.units import split_unit


def facts_of(text: str, title: str = "", media_type: str = "text/markdown") -> set[str]:
    reader = Reader(Document("d", title, text, media_type=media_type))
    drafts = list(reader.read())
    reader.names.settle()
    told = {key: [1.0] for each in drafts for f in each.facts for key in f.keys}
    named = reader.names.entities(told, measured=False)
    return {
        " | ".join(
            filter(
                None,
                (
                    named[fact.subject].name,
                    fact.predicate,
                    named[fact.object_key].name if fact.object_key else fact.object_value,
                    fact.time,
                ),
            )
        )
        for draft in drafts
        for fact in draft.facts
    }


PRICES = "Article,Price (EUR),Stock\nOak board,18.90,85\nWood glue,n/a,0\nBrass hinge,4.20,–\n"


def test_a_number_has_the_unit_of_its_column_and_nothing_is_said_of_empty_cells() -> None:
    assert facts_of(PRICES, media_type="text/csv") == {
        "Oak board | price | 18.90 EUR",
        "Oak board | stock | 85",
        "Wood glue | stock | 0",
        "Brass hinge | price | 4.20 EUR",
    }


def test_a_row_is_about_the_column_that_names_it() -> None:
    rows = "| House | Room | Beds |\n|---|---|---|\n| Mill | Quarry | 1 |\n| Mill | Loft | 4 |\n"
    found = facts_of(rows + "| Garden house | Rowan | 2 |\n")
    assert {"Loft | beds | 4", "Loft | house | Mill", "Rowan | beds | 2"} <= found
    counted = "| Pos | Rider | Gap |\n|---|---|---|\n| 1 | Ada Moe | 9 |\n| 2 | Lia Sand | 4 |\n"
    assert "Lia Sand | gap | 4" in facts_of(counted + "| 3 | Eva Lund | 7 |\n")


def test_years_are_the_time_of_a_fact_over_columns_and_beside_rows() -> None:
    over = "| Site | Staff at 31 May 2023 | Staff in 2022 |\n|---|---|---|\n| Varde | 118 | 111 |\n"
    assert facts_of(over) == {
        "Varde | staff | 118 | 31 May 2023",
        "Varde | staff | 111 | 2022",
    }
    beside = "Country,Year,Exports (billion USD)\nNorway,2021,490.3\nNorway,2022,579.3\n"
    found = facts_of(beside, media_type="text/csv")
    assert "Norway | exports | 579.3 billion USD | 2022" in found


def test_a_section_with_a_unit_counts_its_rows_and_stacked_headers_are_one() -> None:
    table = (
        "| | Small | | Large | |\n|---|---|---|---|---|\n| | Dry | Wet | Dry | Wet |\n"
        "| Throughput (kg/h) | | | | |\n| Hops | 120 | 90 | 260 | 210 |\n"
    )
    assert "Hops | throughput, large wet | 210 kg/h" in facts_of(table)


def test_a_total_is_about_what_its_section_is_about() -> None:
    table = "| Site | Beds |\n|---|---|\n| Varde | 4 |\n| Ribe | 6 |\n| Total | 10 |\n"
    assert "Guest houses | total beds | 10" in facts_of(f"# Guest houses\n\n{table}")


def test_a_title_over_the_headers_of_a_table_is_its_caption() -> None:
    table = "| Pumps | | |\n|---|---|---|\n| Model | Power (kW) | Seal |\n| Tarn 20 | 3 | Viton |\n"
    assert "Tarn 20 | power | 3 kW" in facts_of(table)


CARD = """Harbour office Varde

Harbour master: Mette Lund
Opening hours: 9 to 5
Founded: 1887

The office is closed today.
"""


def test_fields_are_about_the_line_the_heading_or_the_record_that_they_stand_under() -> None:
    assert {
        "Harbour office Varde | harbour master | Mette Lund",
        "Harbour office Varde | opening hours | 9 to 5",
    } <= facts_of(CARD, media_type="text/plain")
    library = "# Library\n\n## Main hall\n\n- **Address:** Torvet 2\n- **Books:** 84,000\n"
    assert "Main hall | books | 84,000" in facts_of(library)
    settings = "name: gauge-reader\nports.http: 8080\nowner: Iben Rask"
    assert "gauge-reader | ports http | 8080" in facts_of(settings, media_type="text/plain")


@pytest.mark.parametrize("heading", ["Technical data", "Specifications", "Norda D40 – data sheet"])
def test_rows_below_a_heading_that_names_nothing_are_about_what_the_document_names(
    heading: str,
) -> None:
    rows = "| | |\n|---|---|\n| Noise | 44 dB |\n| Weight | 41 kg |\n| Water | 9.5 l |\n"
    assert facts_of(f"# Norda D40 – short manual\n\n## {heading}\n{rows}") == {
        "Norda D40 | noise | 44 dB",
        "Norda D40 | weight | 41 kg",
        "Norda D40 | water | 9.5 l",
    }


def test_a_place_heads_its_rows_though_it_ends_like_a_label() -> None:
    rows = "| | |\n|---|---|\n| Area | 1,485 km² |\n| Founded | 1325 |\n| Boroughs | 16 |\n"
    assert "Mexico City | boroughs | 16" in facts_of(f"# Capitals\n\n## Mexico City\n{rows}")


def test_an_amount_is_a_value_and_names_nothing() -> None:
    text = "Kind,Limit\nHotel,160 EUR\nMeals,45 EUR\nBooks,€ 1200\n"
    reader = Reader(Document("d", "", text, media_type="text/csv"))
    facts = [fact for draft in reader.read() for fact in draft.facts]
    assert {fact.object_value for fact in facts} == {"160 EUR", "45 EUR", "€ 1200"}


def test_rows_without_headers_are_fields_where_each_is_a_name_and_a_value() -> None:
    box = "# MS Petrel\n\n| Builder | Oake Yard |\n| Length | 52 m |\n| Crew | 9 |\n"
    assert facts_of(box, "MS Petrel") == {
        "MS Petrel | builder | Oake Yard",
        "MS Petrel | length | 52 m",
        "MS Petrel | crew | 9",
    }


@pytest.mark.parametrize(
    "front",
    [
        "---\ntitle: Saltmarsh\nauthor: Iben Rask\ntags: [tides, sensors]\ndraft: false\n---\n",
        '+++\ntitle = "Saltmarsh"\nauthor = "Iben Rask"\ntags = ["tides", "sensors"]\n+++\n',
    ],
)
def test_front_matter_is_about_the_document(front: str) -> None:
    assert facts_of(f"{front}\n# Saltmarsh\n", "Saltmarsh") == {
        "Saltmarsh | author | Iben Rask",
        "Saltmarsh | tags | tides",
        "Saltmarsh | tags | sensors",
    }


@pytest.mark.parametrize(
    "text",
    [
        "Asta: I think we should build it.\nBo: Yes, but who pays?\n",
        "Asta: no\nBo: yes\nAsta: why\n",
        "Asta: fine\nBo: so it is\nCy: Who pays for it?\n",
        "Note: the quay is closed until May.",
    ],
)
def test_what_people_say_and_single_notes_are_no_fields(text: str) -> None:
    assert all(block.kind != "field" for block in split_blocks(text))


@pytest.mark.parametrize(
    ("header", "told"),
    [
        ("Price (EUR)", ("Price", "EUR")),
        ("Weight (kg/km)", ("Weight", "kg/km")),
        ("Area in km²", ("Area", "km²")),
        ("Sales, EUR thousand", ("Sales", "EUR thousand")),
        ("Growth in %", ("Growth", "%")),
        ("Price (net)", ("Price (net)", "")),
        ("Cash in bank", ("Cash in bank", "")),
    ],
)
def test_a_header_ends_with_its_unit(header: str, told: tuple[str, str]) -> None:
    assert split_unit(header) == told
