"""Manual pages that are packed, broken, or none; what whole ones say is in tests/data/kinds."""

import gzip
from pathlib import Path

from hlg.ingest.load.formats import format_of
from hlg.ingest.load.readers.manual import manual_text
from hlg.ingest.load.sources import load
from hlg.records import Document

DATA = Path(__file__).parent.parent / "data" / "kinds"


def test_packed_pages_are_found_by_their_section_and_others_stay_plain(tmp_path: Path) -> None:
    (tmp_path / "greet.1.gz").write_bytes(gzip.compress((DATA / "greet.1").read_bytes()))
    (tmp_path / "notes.2").write_text("Draft two of the notes.\n.hidden is a file.\n")

    found = {each.uri: each for each in load([str(tmp_path)]) if isinstance(each, Document)}

    page, notes = (found[uri] for uri in sorted(found))
    assert (page.title, page.format, page.media_type) == (
        "greet(1)",
        "manual page",
        "text/markdown",
    )
    assert notes.text == "Draft two of the notes.\n.hidden is a file.\n"
    assert notes.media_type == "text/plain"
    assert format_of("SSL_new.3ssl.gz") == "manual page"


def test_a_broken_page_gives_what_it_says() -> None:
    assert manual_text(".TH X 1\n.SH\n.TP\n.if n \\{\\\nnever closed")[1] == ""
    assert manual_text(".TH X 1\n.SH A\nend\\f[")[1].startswith("## A\n\nend")
    assert manual_text('.TH "X Y" 3\n.B "no end')[1] == "no end\n"
