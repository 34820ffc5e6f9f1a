"""What a table counts, by the words that lead in to it or the heading over it."""

import pytest

from hlg.ingest.extract.local.document import Reader
from hlg.ingest.extract.local.tables.captions import Caption, captions
from hlg.ingest.text.blocks import split_blocks
from hlg.records import Document

TABLE = "| | 2019 | 2018 |\n| --- | --- | --- |\n| Boats | 5 | 6 |\n| Nets | 7 | 8 |\n"


def captions_of(text: str) -> list[Caption]:
    return captions(text, list(split_blocks(text, "text/markdown")))


def facts_of(text: str) -> set[str]:
    drafts = Reader(Document("d", "", text, media_type="text/markdown")).read()
    return {
        f"{fact.subject} | {', '.join(filter(None, (fact.predicate, fact.time)))} | "
        f"{fact.object_value}"
        for draft in drafts
        for fact in draft.facts
    }


LEADS = {
    "Inventories consist of the following (in thousands):": Caption("Inventories", "in thousands"),
    "The following table summarizes our stock-based compensation expense by line item:": Caption(
        "stock-based compensation expense"
    ),
    "As of June 30, 2019, the components of the lease cost were as follows:": Caption("lease cost"),
    "A summary of the Company's trade receivables is as follows (in millions):": Caption(
        "trade receivables", "in millions"
    ),
    "Movement of FVPL is analysed as follows:": Caption("Movement of FVPL"),
    "The table below sets forth net sales, gross profit and cash for the year:": Caption(),
    "He said that the following happened:": Caption(),
    "Fishing went well in that year.": Caption(),
}


@pytest.mark.parametrize("sentence", LEADS)
def test_a_sentence_leads_in_to_the_table_below_it(sentence: str) -> None:
    assert captions_of(f"It was a good year. {sentence}\n\n{TABLE}") == [LEADS[sentence]]


def test_a_table_that_begins_a_page_takes_the_one_paragraph_that_leads_in_to_any() -> None:
    lead = "Fishing equipment consists of the following (in thousands):"
    assert captions_of(f"{TABLE}\nWe bought more.\n\n{lead}\n") == [
        Caption("Fishing equipment", "in thousands")
    ]
    other = "Accrued wages consist of the following (in millions):"
    assert captions_of(f"{TABLE}\nWe bought more.\n\n{lead}\n\n{other}\n") == [Caption()]


@pytest.mark.parametrize(
    ("heading", "measure"),
    [
        ("Income taxes", "Income taxes"),
        ("Note 16 — Fishing gear", "Fishing gear"),
        ("(ii) Trade receivables", "Trade receivables"),
        ("Notes to the consolidated statements", ""),
        ("Results of operations", ""),
        ("What did we buy?", ""),
        ("Accounting policy for revenue recognition", ""),
        ("Net debt to EBITDA ratio", ""),
    ],
)
def test_a_heading_tells_where_no_sentence_does(heading: str, measure: str) -> None:
    assert captions_of(f"## {heading}\n\nIt was a good year.\n\n{TABLE}") == [Caption(measure)]
    assert captions_of(f"{TABLE}\n{heading}\n\nIt was a good year for all of us.\n") == [
        Caption(measure)
    ]


def test_facts_say_what_their_table_counts() -> None:
    found = facts_of(f"Fishing equipment consists of the following (in thousands):\n\n{TABLE}")
    assert "boats | fishing equipment, 2019 | 5 thousand" in found


def test_a_header_that_says_what_is_measured_needs_no_caption() -> None:
    table = "| | Sales price | 2019 |\n| --- | --- | --- |\n| Boats | 5 | 6 |\n"
    found = facts_of(f"Fishing equipment consists of the following:\n\n{table}")
    assert found == {"boats | sales price | 5", "boats | fishing equipment, 2019 | 6"}


def test_cells_over_halves_of_the_columns_stand_over_each_of_them() -> None:
    table = (
        "| | | 2019 | | 2018 |\n| --- | --- | --- | --- | --- |\n"
        "| | Cost | Fair value | Cost | Fair value |\n| Bonds held | 1 | 2 | 3 | 4 |\n"
    )
    assert facts_of(table) == {
        "bonds held | cost, 2019 | 1",
        "bonds held | fair value, 2019 | 2",
        "bonds held | cost, 2018 | 3",
        "bonds held | fair value, 2018 | 4",
    }


def test_a_header_that_other_sections_follow_is_a_section() -> None:
    table = (
        "| Current assets | As reported | Restated |\n| --- | --- | --- |\n"
        "| Inventories | 5 | 6 |\n"
        "| Current liabilities | | |\n| Accrued wages | 7 | 8 |\n"
    )
    found = facts_of(table)
    assert "inventories | current assets, as reported | 5" in found
    assert "accrued wages | current liabilities, as reported | 7" in found
