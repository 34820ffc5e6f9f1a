"""Rows of accounts: the section they are of, and rows that say nothing alone."""

import pytest

from hlg.ingest.extract.local.document import Reader
from hlg.ingest.extract.local.drafts import DraftFact
from hlg.records import Document

HEADER = "| | 2019 | 2018 |\n| --- | --- | --- |\n"


def facts_of(rows: str, header: str = HEADER) -> set[str]:
    reader = Reader(Document("d", "", header + rows, media_type="text/markdown"))
    return {
        f"{fact.subject} | {told(fact)} | {fact.object_value}"
        for draft in reader.read()
        for fact in draft.facts
    }


def told(fact: DraftFact) -> str:
    """A fact's predicate with its time."""
    return ", ".join(filter(None, (fact.predicate, fact.time.lower())))


def test_a_row_is_told_with_its_section_down_to_the_total() -> None:
    found = facts_of(
        "| Net sales: | | |\n| Malaysia | 1,138 | 1,118 |\n| Total net sales | 2,335 | 2,118 |\n"
        "| Goodwill | 44 | 45 |\n"
    )
    assert "malaysia | net sales, 2019 | 1,138" in found
    assert "total net sales | amount, 2018 | 2,118" in found
    assert "goodwill | amount, 2019 | 44" in found


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
    named = facts_of(rows + "| Bo Krag | Desk | 90 |\n", header)
    assert {"lamp | price | 40", "desk | price | 90"} <= named


def test_a_row_of_equal_words_is_told_unless_they_are_a_unit() -> None:
    header = "| System | Linux | Windows |\n| --- | --- | --- |\n"
    assert "petrel | linux | yes" in facts_of("| Petrel | yes | yes |\n", header)
    assert not facts_of("| Petrel | S$ Mil | S$ Mil |\n", header)


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("(In thousands)", "7,561 thousand"),
        ("(In Thousands, except ratios)", "7,561 thousand"),
        ("(in millions of U.S. dollars)", "7,561 million U.S. dollars"),
        ("€ million", "7,561 million €"),
        ("(IN MILLIONS)", "7,561 million"),
        ("(U.S. $ in thousands)", "7,561 thousand $"),
        ("All figures in USD '000", "7,561 thousand USD"),
        ("£m", "7,561 million £"),
        ("Item", "7,561"),
    ],
)
def test_a_number_is_told_with_the_scale_of_its_table(first: str, told: str) -> None:
    header = f"| {first} | 2019 | Growth in % |\n| --- | --- | --- |\n"
    found = facts_of("| Goodwill | 7,561 | 4 |\n| Earnings per share | 2.1 | 3 |\n", header)
    assert f"goodwill | amount, 2019 | {told}" in found
    assert "goodwill | growth | 4 %" in found
    assert "earnings per share | amount, 2019 | 2.1" in found


def test_a_dash_a_note_and_a_firm_without_a_measure_are_no_facts() -> None:
    header = "| | Note | 2019 |\n| --- | --- | --- |\n"
    assert facts_of("| Goodwill | 6 | 44 |\n| Dividends | 7 | — |\n", header) == {
        "goodwill | amount, 2019 | 44"
    }
    assert not facts_of("| Lumen Media Inc | | 114 |\n", header)
    changed = "| | 2019 | Change (%) | Increase / (decrease) |\n| --- | --- | --- | --- |\n"
    assert facts_of("| Goodwill | 44 | 7 | 3 |\n", changed) == {"goodwill | amount, 2019 | 44"}


def test_a_label_without_numbers_opens_a_section_down_to_a_result() -> None:
    found = facts_of(
        "| Deferred tax assets | | |\n| Accrued expenses | 28 | 20 |\n"
        "| Net operating loss carryforwards | 31 | 34 |\n| Net income | 7 | 8 |\n"
    )
    assert "accrued expenses | deferred tax assets, 2019 | 28" in found
    assert "net operating loss carryforwards | deferred tax assets, 2018 | 34" in found
    assert "net income | amount, 2019 | 7" in found


def test_units_above_numbers_scale_them_and_their_label_is_a_section() -> None:
    found = facts_of("| Revenue by country | $M | $M |\n| Germany | 143.5 | 128.4 |\n")
    assert found == {
        "germany | revenue by country, 2019 | 143.5 million $",
        "germany | revenue by country, 2018 | 128.4 million $",
    }


@pytest.mark.parametrize(
    ("corner", "predicate"),
    [
        ("Quarters Ended", "amount, quarters ended july 27, 2019"),
        ("Net sales (in units)", "net sales, july 27, 2019"),
        ("Segment", "amount, july 27, 2019"),
    ],
)
def test_what_stands_above_the_labels_says_what_dates_and_numbers_are(
    corner: str, predicate: str
) -> None:
    header = f"| {corner} | July 27, 2019 | July 28, 2018 |\n| --- | --- | --- |\n"
    assert f"gross margin | {predicate} | 85" in facts_of("| Gross margin | 85 | 81 |\n", header)


@pytest.mark.parametrize("label", ["United States", "Asia and Pacific Rim", "Other countries"])
def test_a_region_without_a_measure_is_no_fact(label: str) -> None:
    header = "| | Year ended May 31, 2019 | Year ended May 31, 2018 |\n| --- | --- | --- |\n"
    assert not facts_of(f"| {label} | 268,453 | 265,613 |\n", header)


def test_a_quarter_is_no_measure() -> None:
    header = "| | High | Net sales |\n| --- | --- | --- |\n"
    found = facts_of("| First Quarter | 83.14 | 12 |\n", header)
    assert found == {"first quarter | net sales | 12"}


def test_shares_of_a_whole_and_changes_are_no_facts() -> None:
    header = "| | 2019 | Change from 2018 |\n| --- | --- | --- |\n"
    assert not facts_of("| Sales | 100.0 % | 100.0 % |\n| Net income | 20.5 % | 3 % |\n")
    assert facts_of("| Net income | 20 | 3 |\n", header) == {"net income | amount, 2019 | 20"}


def test_numbers_of_shares_have_a_scale_unless_it_leaves_them_out() -> None:
    rows = "| Weighted average shares | 152,478 |\n"
    header = "| (in thousands, except {}) | 2019 |\n| --- | --- |\n"
    told = facts_of(rows, header.format("per share data"))
    assert told == {"weighted average shares | amount, 2019 | 152,478 thousand"}
    told = facts_of(rows, header.format("share and per share data"))
    assert told == {"weighted average shares | amount, 2019 | 152,478"}


def test_a_movement_without_its_section_is_no_fact() -> None:
    header = "| | Adjustments | June 30, 2019 |\n| --- | --- | --- |\n"
    assert facts_of("| Accounts payable | 110 | 112 |\n", header) == {
        "accounts payable | amount, june 30, 2019 | 112"
    }


def test_rows_under_the_years_of_another_table_are_no_facts() -> None:
    found = facts_of(
        "| Wages | 5 | 6 |\n| Growth | FY 2019 (%) | FY 2018 (%) |\n| Rates | 7 | 8 |\n"
    )
    assert {each.partition(" |")[0] for each in found} == {"wages"}


def test_general_is_no_rank_before_and() -> None:
    assert "general and administrative | amount, 2019 | 5" in facts_of(
        "| General and administrative | 5 | 6 |\n"
    )


def test_a_member_of_documentation_is_told_and_not_what_it_gives() -> None:
    header = "| Modifier and Type | Method | Description |\n| --- | --- | --- |\n"
    assert not facts_of("| String | getName() | Name of the tag |\n", header)


def test_the_date_above_the_labels_is_told_where_no_column_has_one() -> None:
    header = "| 30 June 2019 | Current | Past due |\n| --- | --- | --- |\n"
    found = facts_of("| Expected loss rate | 1% | 5% |\n", header)
    assert "expected loss rate | current, 30 june 2019 | 1%" in found


def test_the_number_of_a_footnote_is_no_part_of_a_label() -> None:
    assert "free cash flow | amount, 2019 | 100.1" in facts_of(
        "| Free cash flow6 | 100.1 | 50.9 |\n"
    )


def test_a_sign_before_a_section_is_no_part_of_it() -> None:
    found = facts_of("| Less: Deferred tax liabilities | | |\n| Convertible debt | 11 | 12 |\n")
    assert "convertible debt | deferred tax liabilities, 2019 | 11" in found
