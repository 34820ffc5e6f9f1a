"""What a table's number is of is kept with it: headers, caption, units and periods, from files."""

from pathlib import Path

import pytest

from hlg.ids import source_id
from hlg.ingest.chunk.chunkers import open_chunker
from hlg.ingest.extract.extractors import open_extractor
from hlg.ingest.load.sources import load
from hlg.records import Document, Passage, SourceRef
from hlg.retrieval.finish.enhance import enhanced

MARKDOWN = """# Tern Freight

Table 4. Consolidated statements of income

(in millions, except per share data)

|  |  | Years Ended September 30, |  |
| --- | --- | --- | --- |
|  | 2019 | 2018 | 2017 |
|  |  | (audited) |  |
| Total sales | $ 1,496.5 | $ 1,202.9 | $ 1,107.7 |
| Net income per share | 3.60 | 0.39 | 2.46 |

Sales rose because the northern line was opened in the second half of the year.

|  | Domestic |  | International |  |
| --- | --- | --- | --- | --- |
|  | 2019 | 2018 | 2019 | 2018 |
| Discount rate | 4.00% | 3.75% | 1.90% | 2.80% |
"""
CSV = """Consolidated statements of income,,
"(in millions, except per share data)",,
Item,Q3 2019,Q3 2018
Total sales,1496.5,1202.9
Net income per share,3.60,0.39
"""
HTML = """<html><body><table>
<caption>Statements of income<br>(in millions, except per share data)</caption>
<tr><th></th><th colspan="2">Years Ended September 30,</th></tr>
<tr><th></th><th>2019</th><th>2018</th></tr>
<tr><td>Total sales</td><td>1,496.5</td><td>1,202.9</td></tr>
<tr><td>Net income per share</td><td>3.60</td><td>0.39</td></tr>
</table></body></html>
"""
SPANNED = """<html><body><table>
<tr><td rowspan="2">Region</td><td rowspan="2">Port</td><td colspan="2">2019</td>
<td colspan="2">2018</td></tr>
<tr><td>Ships</td><td>Tons</td><td>Ships</td><td>Tons</td></tr>
<tr><td rowspan="2">North</td><td>Skarn</td><td>9</td><td>90</td><td>8</td><td>80</td></tr>
<tr><td>Oake</td><td>7</td><td>70</td><td>5</td><td>50</td></tr>
<tr><td>South</td><td>Kelm</td><td>3</td><td>30</td><td>2</td><td>20</td></tr>
</table></body></html>
"""
SMALL = """<html><body><h1>Ships</h1><table>
<tr><td>Ship</td><td colspan="2">Size</td></tr><tr><td></td><td>Length</td><td>Beam</td></tr>
<tr><td>Petrel</td><td>61 m</td><td>9 m</td></tr></table></body></html>
"""
TWICE = """<html><body><h1>Yards</h1><table>
<tr><td></td><td colspan="2">Revenue</td><td colspan="2">Profit</td></tr>
<tr><td>Company</td><td>2022</td><td>2023</td><td>2022</td><td>2023</td></tr>
<tr><td>Vale Yard</td><td>4.1</td><td>5.2</td><td>0.3</td><td>0.4</td></tr></table></body></html>
"""
PER_SHARE = "in millions, except per share data"


def said_in(tmp_path: Path, name: str, text: str) -> dict[str, str]:
    """A file's statements by their text, as they read after enhancement."""
    (tmp_path / name).write_text(text)
    said = {}
    for document in load([tmp_path / name]):
        assert isinstance(document, Document)
        chunks = open_chunker("fixed").chunk(document, source_id(document.uri))
        for each in open_extractor("local").extract(document, chunks).statements:
            source = SourceRef("s", document.uri, "")
            passage = Passage(
                "Statement", each.id, each.text, each.details, each.start, each.end, "c", "", source
            )
            said[each.text] = enhanced(passage).text
    return said


def row(said: dict[str, str], name: str) -> str:
    (found,) = (text for statement, text in said.items() if name in statement)
    return found


def test_markdown_rows_keep_caption_units_periods_and_stacked_headers(tmp_path: Path) -> None:
    said = said_in(tmp_path, "income.md", MARKDOWN)
    sales = row(said, "Total sales")
    for part in (
        "Years Ended September 30, 2019: $ 1,496.5",
        "Years Ended September 30, 2017: $ 1,107.7",
        "Table 4. Consolidated statements of income",
        PER_SHARE,
        "(audited)",
    ):
        assert part in sales
    assert "Years Ended September 30, 2018: 0.39" in row(said, "per share |")
    rate = row(said, "Discount rate")
    assert "Domestic 2018: 3.75%" in rate
    assert "International 2019: 1.90%" in rate
    # The first table's caption is not the second's.
    assert "Table 4" not in rate


@pytest.mark.parametrize("padded", [CSV, CSV.replace(",,", ""), CSV.replace(",", ";")])
def test_csv_rows_keep_the_lines_above_the_header(tmp_path: Path, padded: str) -> None:
    sales = row(said_in(tmp_path, "income.csv", padded), "Total sales")
    per_share = padded.splitlines()[1].strip('",;()')
    for part in ("Q3 2019: 1496.5", "Consolidated statements of income", per_share):
        assert part in sales


@pytest.mark.parametrize(
    ("table", "read"),
    [
        (SMALL, "Ship: Petrel; Size Length: 61 m; Size Beam: 9 m"),
        (TWICE, "Revenue 2022: 4.1; Revenue 2023: 5.2; Profit 2022: 0.3; Profit 2023: 0.4"),
    ],
)
def test_plain_cells_over_several_columns_are_a_header(
    tmp_path: Path, table: str, read: str
) -> None:
    (text,) = said_in(tmp_path, "small.html", table).values()
    assert read in text


def test_a_cell_over_several_rows_is_of_each_and_plain_cells_make_a_header(tmp_path: Path) -> None:
    said = said_in(tmp_path, "ports.html", SPANNED)
    assert "Region: North; Port: Oake; 2019 Ships: 7; 2019 Tons: 70; 2018 Ships: 5" in row(
        said, "Oake"
    )
    assert "Region: South; Port: Kelm; 2019 Ships: 3" in row(said, "Kelm")


def test_a_bold_line_is_the_caption_of_the_table_below_it_and_heads_nothing(tmp_path: Path) -> None:
    text = "# Ports\n\n**Table 1.** Ships a year\n\n| Port | Ships |\n|---|---|\n| Oake | 7 |\n\n"
    text += (
        "**Tons, in thousands**\n\n| Port | Tons |\n|---|---|\n| Oake | 70 |\n\nThe quay is old."
    )
    said = said_in(tmp_path, "ports.md", text)
    assert "Table 1. Ships a year" in row(said, "| 7 |")
    assert "Tons, in thousands" in row(said, "| 70 |")
    assert "thousands" not in row(said, "The quay")


def test_html_rows_keep_the_caption_and_headers_over_several_columns(tmp_path: Path) -> None:
    sales = row(said_in(tmp_path, "income.html", HTML), "Total sales")
    for part in ("Years Ended September 30, 2018: 1,202.9", "Statements of income", PER_SHARE):
        assert part in sales


@pytest.mark.parametrize("over", ["A sentence that says something of its own.", "x" * 200])
def test_prose_over_a_table_is_no_caption(tmp_path: Path, over: str) -> None:
    table = "| Year | Sales |\n| --- | --- |\n| 2019 | 5.1 |\n"
    assert over not in row(said_in(tmp_path, "a.md", f"{over}\n\n{table}"), "2019")
