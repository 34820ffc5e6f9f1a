"""Answers from cells: what is looked up, compared and worked out, and what is not answered."""

import pytest

from hlg.asking.tables import tables_of
from hlg.records import Hit, Passage, SourceRef
from hlg.retrieval.answers.asked import asked_for
from hlg.retrieval.answers.cells.answer import CellAnswer, answer_from_cells
from hlg.retrieval.answers.cells.table import Cell
from hlg.retrieval.answers.cells.wanted import wanted

TOWNS = """# Towns on the west coast

| Town | Population | Mayor |
| --- | --- | --- |
| Lauvsund | 8,295 | Karl Bo |
| Hestvik | 14,186 | Lise Mark |
"""
REPORT = """# Income of Norvik Metal

The following table shows the income of the company (in thousands of EUR):

|  | 2023 | 2022 | 2021 |
| --- | --- | --- | --- |
| Revenue from hinges | 3,120 | 2,871 | 2,640 |
| Revenue from locks | 1,908 | 2,044 | 1,777 |
| Staff costs | (1,911) | (1,790) | (1,655) |
"""

BOATS = """# Boats for hire

| Boat | Per hour |
| --- | --- |
| Kestrel | 12 EUR |
| Kayak | 9 EUR |
"""

PLANS = """Plan,Price,Users,Support
Basic,9 EUR,1,email
Team,29 EUR,8,email and chat
Business,79 EUR,60,phone
Partner,on request,60,dedicated manager
"""


def answered(question: str, text: str) -> CellAnswer | None:
    source = SourceRef("s", "towns.md", "")
    passage = Passage("Chunk", "c", text, "", 100, 100 + len(text), "c", "", source)
    return answer_from_cells(question, asked_for(question), tables_of([Hit(1, 1.0, passage)]))


def at(text: str, cell: Cell) -> str:
    return text[cell.start - 100 : cell.end - 100]


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("What is the population of Hestvik?", TOWNS, "14,186"),
        ("Who is the mayor of Lauvsund?", TOWNS, "Karl Bo"),
        ("What was the revenue from locks in 2022?", REPORT, "2,044"),
        ("What were the staff costs in 2021 and 2023 respectively?", REPORT, "(1,655), (1,911)"),
        ("How much does the kayak cost per hour?", BOATS, "9 EUR"),
    ],
)
def test_a_cell_is_looked_up_and_cited_to_the_character(
    question: str, text: str, answer: str
) -> None:
    found = answered(question, text)
    assert found is not None
    assert (found.text, found.over) == (answer, "")
    assert ", ".join(at(text, cell) for cell in found.cells) == answer


HINGES = "row Revenue from hinges"
LOCKS = "row Revenue from locks"


@pytest.mark.parametrize(
    ("question", "text", "answer", "over"),
    [
        ("What was the change in revenue from hinges between 2022 and 2023?", REPORT,
         "€249 thousand", f"{HINGES}, 2023 less 2022"),
        ("What was the percentage change in staff costs from 2022 to 2023?", REPORT,
         "6.76 percent", "row Staff costs, 2023 less 2022, by 2022"),
        ("What was the average revenue from locks between 2021 and 2022?", REPORT,
         "€1,910.5 thousand", f"mean of 2 cells of {LOCKS}"),
        ("In which year was the revenue from locks the largest?", REPORT,
         "2022", f"largest of 3 cells of {LOCKS}"),
        ("Which town has the largest population?", TOWNS,
         "Hestvik", "largest of 2 rows of column Population"),
    ],
)  # fmt: skip
def test_what_is_worked_out_says_over_which_cells(
    question: str, text: str, answer: str, over: str
) -> None:
    found = answered(question, text)
    assert found is not None
    assert (found.text, found.over) == (answer, over)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Why did the revenue from hinges rise in 2023?", REPORT),
        ("Why did the revenue from hinges rise in 2023?", TOWNS),
        ("What is the salary of Solveig Aas?", REPORT),
        ("What is the salary of Solveig Aas?", TOWNS),
        ("Who is the mayor of Esbjerg?", REPORT),
        ("Who is the mayor of Esbjerg?", TOWNS),
        ("How much does the sailing boat cost per hour?", BOATS),
    ],
)
def test_what_no_cell_tells_is_not_answered(question: str, text: str) -> None:
    assert answered(question, text) is None


def test_a_question_says_what_is_to_be_worked_out() -> None:
    assert wanted("How many years did sales exceed $3 million?").limit == 3_000_000
    assert wanted("What is the ratio of debt to equity in 2019?").how == "ratio"
    assert wanted("What was the revenue in 2019?").how == "look up"


def test_numbers_with_a_unit_are_compared_where_it_is_one() -> None:
    found = answered("Which boat has the highest price per hour?", BOATS)
    assert found is not None
    assert (found.text, at(BOATS, found.cells[0])) == ("Kestrel", "12 EUR")
    mixed = BOATS.replace("9 EUR", "15 SEK")
    assert answered("Which boat has the highest price per hour?", mixed) is None


@pytest.mark.parametrize(
    ("question", "answer", "over"),
    [
        ("Which plan has phone support?", "Business", "Support: phone"),
        ("Which plan offers a dedicated manager?", "Partner", "Support: dedicated manager"),
        ("Which plans are for 60 users?", "Business, Partner", "Users: 60"),
    ],
)
def test_the_rows_that_have_a_quoted_cell_are_named(question: str, answer: str, over: str) -> None:
    found = answered(question, _table(PLANS))
    assert found is not None
    assert (found.text, found.over) == (answer, over)
    assert {at(_table(PLANS), cell) for cell in found.cells} == {over.partition(": ")[2]}


@pytest.mark.parametrize(
    "question",
    [
        "Which plan has no phone support?",
        "Which plan costs more than 60 crowns a day?",
        "Which boat has a phone?",
        "Which plan has letters?",
    ],
)
def test_no_row_is_named_for_what_no_cell_says(question: str) -> None:
    found = answered(question, _table(PLANS))
    assert found is None or "Business" not in found.text


def _table(rows: str) -> str:
    header, *lines = (f"| {line.replace(',', ' | ')} |" for line in rows.splitlines())
    return "\n".join([header, "| --- | --- | --- | --- |", *lines, ""])
