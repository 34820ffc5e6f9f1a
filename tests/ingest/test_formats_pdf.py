"""The layout of a PDF's lines: headings, broken words, tables, running titles, page offsets."""

from hlg.ingest.load.readers.pdf_layout import Line, Page, laid_out


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
        Page(600, 800, first),
        Page(600, 800, [line("Organs 2", 790), line("to rise.", 700)]),
        Page(600, 800, [line("Organs 3", 790), line("Later it fell.", 700)]),
    ]
    text, starts = laid_out(pages)
    assert text == (
        f"## 1 Pipes\n\n{body}dred years.\n\n| Year | Sum |\n| --- | --- |\n| 2001 | 5 |\n"
        "| 2002 | 7 |\n\nThe sea goes on to rise.\n\nLater it fell."
    )
    assert [text[start:][:8] for start in starts] == ["## 1 Pip", "to rise.", "Later it"]
