"""Layout and tables: every block and row stands where it says it stands."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlg.ingest.text.blocks import LONGEST_BLOCK, split_blocks
from hlg.ingest.text.tables import csv_rows
from hlg.ingest.text.turns import find_turns


def kinds(text: str, media_type: str = "text/plain") -> list[tuple[str, str]]:
    return [(block.kind, text[block.start : block.end]) for block in split_blocks(text, media_type)]


def test_markdown_marks_headings_lists_and_rules() -> None:
    text = "# Ships #\n\nThe fleet.\n\n- one\n- two\n  more\n\n---\n\nPorts\n=====\nLast."
    assert kinds(text) == [
        ("heading", "Ships"),
        ("text", "The fleet."),
        ("item", "one"),
        ("item", "two\n  more"),
        ("heading", "Ports"),
        ("text", "Last."),
    ]


def test_a_wrapped_paragraph_is_one_block_and_long_lines_are_paragraphs() -> None:
    wrapped = (
        "The harbour was built long before the town and it\n"
        "was for many years the only one on that coast, so\n"
        "that all the trade went through it."
    )
    long_lines = ("The first paragraph goes on. " * 6).strip() + "\n" + "A second one. " * 12
    assert kinds(wrapped) == [("text", wrapped)]
    assert [kind for kind, _ in kinds(long_lines)] == ["text", "text"]


@pytest.mark.parametrize("stamp", ["[12/03/2025, 18:02:11] ", "3/12/25, 6:02 PM - ", ""])
def test_messages_of_a_chat_are_no_wrapped_paragraph(stamp: str) -> None:
    said = [
        f"{stamp}Maja: Did anyone book the hall for the summer concert",
        f"{stamp}Tom: Yes, I booked the Grieg hall for the 21 of June",
        f"{stamp}Maja: Great, then I'll ask the brass band from Holte",
    ]
    text = "\n".join(said)
    assert kinds(text) == [("text", line) for line in said]
    turns = find_turns(text, list(split_blocks(text)))
    assert [turn.speaker for turn in turns.values()] == ["Maja", "Tom", "Maja"]


@pytest.mark.parametrize(
    ("text", "speakers"),
    [
        (
            "Prof. Ek: Did we measure the tide?\n\nGrad G: You did.\n\nRuth Lane: I have it here.",
            ["Prof. Ek", "Grad G", "Ruth Lane"],
        ),
        ("Author: Ruth Lane\n\nTitle: How I built a mill", []),
        ("Returns: You can return it.\n\nDelivery: We deliver to Oslo.\n\nPayment: You pay.", []),
        ("Ruth Lane: A Life in Tides is a film of 1981 by Jonas Wiek.", []),
    ],
)
def test_people_who_say_something_speak_though_each_does_so_once(
    text: str, speakers: list[str]
) -> None:
    turns = find_turns(text, list(split_blocks(text)))
    assert [turn.speaker for turn in turns.values()] == speakers


def test_a_short_line_over_a_paragraph_is_a_heading_unless_it_comes_again() -> None:
    body = "It was a year of upheaval in the industry, and not all of it was of its own making."
    body += " Firms merged."
    assert kinds(f"Consolidation\n{body}")[0] == ("heading", "Consolidation")
    assert ("heading", "Advertisement") not in kinds(
        f"Advertisement\n{body}\nAdvertisement\n{body}"
    )


BODY = f"It was a year of upheaval in the industry{', and of losses' * 5}. Firms merged."


@pytest.mark.parametrize(
    "row",
    [
        "Dataset\tDomain\tQueries",
        "Single-shot search 8.41 12.90 1 1 - -",
        "7: end if",
        "Table 2 Searches of each kind",
        "# Queries 150\n# Documents 84",
    ],
)
def test_a_row_or_a_caption_is_no_heading_of_what_follows(row: str) -> None:
    assert "heading" not in dict(kinds(f"{row}\n{BODY}"))


@pytest.mark.parametrize("row", ["Sparse search 10.7 15.4", "Claude 62.3 60.0 58.7"])
def test_no_line_is_a_heading_over_rows(row: str) -> None:
    over = f"Tool Definition Input Output\n{row} {'snippets of the pages ' * 4}\n{row}"
    assert "heading" not in dict(kinds(over))


def test_tabs_part_the_cells_of_a_table() -> None:
    text = "\tShare\t\n\t2019\t2020\nSkarn\t5%\t6%\nOake\t7%\t8%"
    rows = [block.row for block in split_blocks(text) if block.row]
    assert [row.details() for row in rows] == [
        "Skarn; Share 2019: 5%; Share 2020: 6%",
        "Oake; Share 2019: 7%; Share 2020: 8%",
    ]
    assert kinds("\tx = 1\n\ty = 2\n\tz = 3")[0][0] != "row"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "Code    Meaning            What to do\n----    -------            ----------\n"
            "E9      too hot            wait, press reset once\n"
            "H07     low on water       open the loop; close it",
            [
                "Code: E9; Meaning: too hot; What to do: wait, press reset once",
                "Code: H07; Meaning: low on water; What to do: open the loop; close it",
            ],
        ),
        (
            "On the shelf:\n  Item     Boxes   Price\n  Towels      12    9.50\n"
            "  Honey             7.25\n  Boards       6   34.00",
            [
                "Item: Towels; Boxes: 12; Price: 9.50; On the shelf:",
                "Item: Honey; Price: 7.25; On the shelf:",
                "Item: Boards; Boxes: 6; Price: 34.00; On the shelf:",
            ],
        ),
        ("Ada:   I sold it.\nBob:   You did?\nAda:   Yes, to you.\nBob:   Not to me.", []),
        ("Name:    Ada Thorne\nBorn:    1821\nDied:    1897", []),
        (
            "It rained.  The mill stood.  Nobody came to\nit.  A year later it was sold.  Then "
            "came the\nflood.  It took the wheel.  We all saw it go.",
            [],
        ),
    ],
)
def test_columns_that_stay_blank_part_the_cells_of_a_table(text: str, told: list[str]) -> None:
    blocks = list(split_blocks(text))
    assert [block.row.details() for block in blocks if block.row] == told
    assert all(text[each.start : each.end].strip() for each in blocks)


def test_numbers_that_count_on_make_headings_and_references_are_entries() -> None:
    text = (
        "Contents\n\n1 Introduction 4\n\n2 Results 9\n\n1 Introduction\n\nWe sailed.\n\n"
        "2 Results\n\nIt held.\n\n12 Angry Men\n\nReferences\n\n[1] Ada Thorne. 2019. On keels.\n\n"
        "Appendix A Tides\n\nThe tide of 1904 was high."
    )
    assert kinds(text) == [
        ("heading", "Contents"),
        ("aside", "1 Introduction 4"),
        ("aside", "2 Results 9"),
        ("heading", "1 Introduction"),
        ("text", "We sailed."),
        ("heading", "2 Results"),
        ("text", "It held."),
        ("text", "12 Angry Men"),
        ("heading", "References"),
        ("entry", "[1] Ada Thorne. 2019. On keels."),
        ("heading", "Appendix A Tides"),
        ("text", "The tide of 1904 was high."),
    ]


def test_a_number_over_a_paragraph_makes_a_heading_and_over_little_an_item() -> None:
    told = "Two quotations were received, and the dearer one was taken because its firm can begin."
    minutes = f"2. WATER WHEEL\n{told} Graham was asked to write.\n\n3. A.O.B.\n{told} It was late."
    assert [each for each in kinds(minutes) if each[0] == "heading"] == [
        ("heading", "2. WATER WHEEL"),
        ("heading", "3. A.O.B."),
    ]
    for steps in (
        "1. Open the lid\nIt is heavy.\n\n2. Pour the water in\nIt may be warm.",
        f"1. The firm of\n   {told}\n\n2. The firm of\n   {told}",
        "1. The trustees of the mill met\nMr Stott, who had measured the wheel\nin June and in "
        "July.\n\n2. The treasurer reported to\nMrs Rusk that there was money left\nfor the wheel.",
    ):
        assert {kind for kind, _ in kinds(steps)} <= {"item", "text"}


@pytest.mark.parametrize(
    "aside",
    ["Page 3 of 10", "and |", "| Amazon", "Kingston", "2.1 Data . . . . . . . . 7"],
)
def test_what_is_no_prose_is_an_aside(aside: str) -> None:
    assert kinds(f"The fleet lay there.\n\n{aside}\n\nIt sailed.")[1] == ("aside", aside)


def test_a_title_on_every_page_is_an_aside_and_a_text_of_one_word_is_itself() -> None:
    pages = "\n\n".join(
        f"Tern Freight, report {n}\n\nSales rose in {n}." for n in range(2001, 2004)
    )
    assert [kind for kind, _ in kinds(pages)] == ["aside", "text"] * 3
    assert kinds("Kingston") == [("text", "Kingston")]
    assert kinds("日本は島国です\n\n東京は首都です")[0][0] == "text"


def test_a_pipe_table_gives_rows_with_headers() -> None:
    text = "| Year | Revenue |\n|---|---|\n| 2023 | 5.1 |\n| 2024 | |"
    rows = [block.row for block in split_blocks(text)]
    assert [row.details() for row in rows if row] == ["Year: 2023; Revenue: 5.1", "Year: 2024"]
    assert text[rows[0].start : rows[0].end] == "| 2023 | 5.1 |" if rows[0] else False


def test_a_quoted_cell_may_hold_newlines_delimiters_and_quotes() -> None:
    text = 'Name,Notes\r\nAda,"says ""hi"",\nand leaves"\r\nBela,none\r\n'
    rows = list(csv_rows(text, ","))
    assert [row.cells for row in rows] == [
        (("Name", "Ada"), ("Notes", 'says "hi", and leaves')),
        (("Name", "Bela"), ("Notes", "none")),
    ]
    assert text[rows[0].start : rows[0].end] == 'Ada,"says ""hi"",\nand leaves"'


@pytest.mark.parametrize(
    ("text", "delimiter", "first"),
    [
        ("569,2,malignant\n17.99,10.38,122.8,0\n20.57,17.77,132.9,0\n", ",", "column 1"),
        ("150,3,setosa,virginica\n5.1,3.5,1.4,0\n4.9,3.0,1.4,0\n", ",", "column 1"),
        ("5.1;3.5\n4.9;3.0\n", ";", "column 1"),
        ("a|red|1\nb|red|2\n", "|", "column 1"),
        ("red\tblue\tred\ngreen\tblack\tgrey\n", "\t", "column 1"),
        ("id,rating\n7,2.5\n8,NA\n", ",", "id"),
        ("Town,2019,2020\nSkarn,5,6\nOake,7,8\n", ",", "Town"),
        ("Name;Home\nAda;Skarn\nBela;Oake\n", ";", "Name"),
        ("Name,Born\n", ",", ""),
    ],
)
def test_columns_without_a_header_go_by_their_number(text: str, delimiter: str, first: str) -> None:
    rows = list(csv_rows(text, delimiter))
    lines = text.splitlines()
    assert len(rows) == (len(lines) if first == "column 1" else len(lines) - 1)
    assert [row.cells[0][0] for row in rows[:1]] == ([first] if first else [])


def test_a_quote_that_is_never_closed_spoils_only_its_own_row() -> None:
    rows = list(csv_rows('Name,Size\n"Ada,3\nBela,4', ","))
    assert rows[-1].cells == (("Name", "Bela"), ("Size", "4"))


@given(
    st.lists(
        st.lists(st.text("ab \",\n'é", min_size=1), min_size=3, max_size=3), min_size=1, max_size=6
    )
)
def test_rows_are_what_the_csv_module_reads(table: list[list[str]]) -> None:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
        [["one", "two", "three"], *table]
    )
    rows = list(csv_rows(out.getvalue(), ","))
    wanted = [[" ".join(cell.split()) for cell in row] for row in table]
    assert [[cell for _, cell in row.cells] for row in rows] == [
        [cell for cell in row if cell] for row in wanted if any(row)
    ]


@settings(max_examples=200)
@given(st.text("aB.# \n-|*1,:\t\r\u00e9\ud800\0", max_size=300))
def test_blocks_are_in_order_within_the_text_and_never_blank(text: str) -> None:
    end = 0
    for block in split_blocks(text):
        assert end <= block.start < block.end <= len(text)
        assert text[block.start : block.end].strip()
        end = block.end


@pytest.mark.parametrize("unit", ["word ", "x", "Sentence. "])
def test_no_block_is_longer_than_the_parser_takes(unit: str) -> None:
    text = unit * (50_000 // len(unit))
    blocks = list(split_blocks(text))
    assert max(block.end - block.start for block in blocks) <= LONGEST_BLOCK
    assert "".join(text[block.start : block.end] for block in blocks).strip() == text.strip()
