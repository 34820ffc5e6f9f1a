"""The layout of a PDF's lines: headings, broken words, tables, running titles, page offsets."""

from itertools import pairwise

from hlg.ingest.load.pages.layout import laid_out
from hlg.ingest.load.pages.lines import Line, Page, Piece


def line(text: str, top: float, *, size: float = 10, hyphenated: bool = False) -> Line:
    cells = tuple((72.0 + 150 * i, cell) for i, cell in enumerate(text.split("|")))
    return Line(cells, 72, 72 + 5 * len(text), top - size, top, size, False, False, hyphenated)


def test_lines_become_markdown_with_the_offset_of_each_page() -> None:
    body = "The organ is played by the tide, and nobody has heard it end in a hun"
    first = [
        line("Organs 1", 790),
        line("1 Pipes", 700, size=16),
        line(body, 670, hyphenated=True),
        line("dred years.", 658),
        line("Year|Sum", 620),
        line("2001|5", 608),
        line("2002|7", 596),
        line("The sea goes on", 560),
    ]
    pages = [
        Page(800, first),
        Page(800, [line("Organs 2", 790), line("to rise.", 700)]),
        Page(800, [line("Organs 3", 790), line("Later it fell.", 700)]),
    ]
    text, starts = laid_out(pages)
    assert text == (
        f"## 1 Pipes\n\n{body}dred years.\n\n| Year | Sum |\n| --- | --- |\n| 2001 | 5 |\n"
        "| 2002 | 7 |\n\nThe sea goes on to rise.\n\nLater it fell."
    )
    assert [text[start:][:8] for start in starts] == ["## 1 Pip", "to rise.", "Later it"]


def row(top: float, *words: tuple[float, str]) -> Line:
    """A line of size 10 whose characters are 5 wide, cut as the reader cuts it."""
    pieces = tuple(Piece(left, left + 5 * len(text), text) for left, text in words)
    cells = [(pieces[0].left, pieces[0].text)]
    for last, piece in pairwise(pieces):
        if piece.left - last.right > 16:
            cells.append((piece.left, piece.text))
        else:
            cells[-1] = cells[-1][0], f"{cells[-1][1]} {piece.text}"
    right = pieces[-1].right
    return Line(tuple(cells), pieces[0].left, right, top - 10, top, 10, False, False, False, pieces)


def test_a_cell_that_fills_its_column_does_not_swallow_the_next_one() -> None:
    lines = [
        row(700, (72, "Species"), (200, "June"), (250, "July"), (300, "Roost")),
        row(688, (72, "Long-eared bats, all kinds"), (210, "34"), (260, "41"), (300, "ridge")),
        row(676, (72, "Daubenton's bat"), (192, "not seen"), (242, "not seen"), (300, "the weir")),
        row(664, (72, "Serotine"), (210, "12"), (260, "14"), (300, "roof")),
        row(640, (72, "They all hunt over the pond,"), (220, "which is deep.")),
    ]
    text, _ = laid_out([Page(800, lines)])
    assert text == (
        "| Species | June | July | Roost |\n| --- | --- | --- | --- |\n"
        "| Long-eared bats, all kinds | 34 | 41 | ridge |\n"
        "| Daubenton's bat | not seen | not seen | the weir |\n"
        "| Serotine | 12 | 14 | roof |\n\nThey all hunt over the pond, which is deep."
    )


def test_a_row_that_leaves_no_wide_gap_is_still_one_of_its_table() -> None:
    lines = [
        row(700, (72, "Item"), (150, "Limit")),
        row(688, (72, "Boots"), (150, "40 a pair")),
        row(676, (72, "Lunch of a day"), (150, "6.50")),
        row(664, (72, "Fare"), (150, "all of it")),
    ]
    text, _ = laid_out([Page(800, lines)])
    assert text.splitlines()[2:] == [
        "| Boots | 40 a pair |",
        "| Lunch of a day | 6.50 |",
        "| Fare | all of it |",
    ]


def test_words_written_back_over_a_row_make_no_table_unreadable() -> None:
    pieces = (Piece(100, 120, "one"), Piece(50, 70, "two"))
    back = Line(((100, "one"), (50, "two")), 50, 120, 678, 688, 10, False, False, False, pieces)
    lines = [row(700, (72, "a"), (200, "b")), back, row(676, (72, "c"), (200, "d"))]
    text, _ = laid_out([Page(800, lines)])
    assert "| one | two |" in text
