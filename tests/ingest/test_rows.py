"""Rows of accounts: the section they are of, and rows that say nothing alone."""

import pytest

from hlg.ingest.extract.local.document import Reader
from hlg.records import Document

HEADER = "| | 2019 | 2018 |\n| --- | --- | --- |\n"


def facts_of(rows: str, header: str = HEADER) -> set[str]:
    reader = Reader(Document("d", "", header + rows, media_type="text/markdown"))
    return {
        f"{fact.subject} | {fact.predicate} | {fact.object_value}"
        for draft in reader.read()
        for fact in draft.facts
    }


def test_a_row_is_told_with_its_section_down_to_the_total() -> None:
    found = facts_of(
        "| Net sales: | | |\n| Malaysia | 1,138 | 1,118 |\n| Total net sales | 2,335 | 2,118 |\n"
        "| Goodwill | 44 | 45 |\n"
    )
    assert "malaysia | net sales, 2019 | 1,138" in found
    assert "total net sales | net sales, 2018 | 2,118" in found
    assert "goodwill | 2019 | 44" in found


@pytest.mark.parametrize(
    "rows",
    [
        "| Percentage of total revenues | 11.3 % | 10.0 % |\n",
        "| Balance at 1 April | 4 | 5 |\n",
        "| Forfeited during the period | 4 | 5 |\n",
        "| Malaysia | 1,138 | 1,118 |\n",
        "| Goodwill | EUR Mil | EUR Mil |\n",
        "| Debt ratio | 4 | 5 |\n| Debt ratio | 6 | 7 |\n",
    ],
)
def test_what_means_nothing_without_other_rows_is_no_fact(rows: str) -> None:
    assert not facts_of(rows)


def test_a_bare_number_under_percentages_is_no_fact() -> None:
    found = facts_of("| Sales | 100.0 % | 100.0 % |\n| Gross profit | 40.0 | 50.9 |\n")
    assert not any(each.startswith("gross profit") for each in found)


def test_rows_under_a_named_column_are_told_as_often_as_they_stand() -> None:
    header = "| Customer | Product | Price |\n| --- | --- | --- |\n"
    rows = "| Ada Thorne | Lamp | 40 |\n| Ada Thorne | Chair | 60 |\n"
    found = facts_of(rows, header)
    assert {"ada thorne | price | 40", "ada thorne | price | 60"} <= found


def test_a_row_of_equal_words_is_told_unless_they_are_a_unit() -> None:
    header = "| System | Linux | Windows |\n| --- | --- | --- |\n"
    assert "petrel | linux | yes" in facts_of("| Petrel | yes | yes |\n", header)
    assert not facts_of("| Petrel | S$ Mil | S$ Mil |\n", header)


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("(In thousands)", "7,561 (in thousands)"),
        ("(In Thousands, except ratios)", "7,561 (in Thousands)"),
        ("(in millions of U.S. dollars)", "7,561 (in millions of U.S. dollars)"),
        ("€ million", "7,561 (€ million)"),
        ("Item", "7,561"),
    ],
)
def test_a_number_is_told_with_the_scale_of_its_table(first: str, told: str) -> None:
    header = f"| {first} | 2019 | Growth in % |\n| --- | --- | --- |\n"
    found = facts_of("| Goodwill | 7,561 | 4 |\n| Earnings per share | 2.1 | 3 |\n", header)
    assert f"goodwill | 2019 | {told}" in found
    assert "goodwill | growth in % | 4" in found
    assert "earnings per share | 2019 | 2.1" in found


def test_a_dash_a_note_and_a_firm_without_a_measure_are_no_facts() -> None:
    header = "| | Note | 2019 |\n| --- | --- | --- |\n"
    assert facts_of("| Goodwill | 6 | 44 |\n| Dividends | 7 | — |\n", header) == {
        "goodwill | 2019 | 44"
    }
    assert not facts_of("| Lumen Media Inc | | 114 |\n", header)
    changed = "| | 2019 | Change (%) | Increase / (decrease) |\n| --- | --- | --- | --- |\n"
    assert facts_of("| Goodwill | 44 | 7 | 3 |\n", changed) == {"goodwill | 2019 | 44"}
