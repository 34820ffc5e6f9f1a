"""Tables of the documents, as tests read them."""

from pathlib import Path

DOCS = Path(__file__).parent.parent.parent / "docs"


def page_table(page: str, heading: str) -> list[tuple[str, ...]]:
    """The rows of the table in a page whose first heading is that."""
    lines = (DOCS / page).read_text("utf-8").splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(tuple(cell.strip() for cell in line.strip("|").split("|")))
    return rows
