"""Manual pages of both kinds of macros: what they say, and nothing of how they are set."""

import gzip
from pathlib import Path

import pytest

from hlg.ingest.load.formats import format_of
from hlg.ingest.load.readers.manual import manual_text
from hlg.ingest.load.sources import load
from hlg.records import Document

MAN = r""".\" a comment
.TH GREET 1 "2024-05-01" "Lune Tools" "User Commands"
.SH NAME
greet \- says hello to \fIsomebody\fP
.SH SYNOPSIS
.B greet
[\fIOPTION\fR]... [\fINAME\fR]
.SH "EXIT STATUS"
.PP
It returns 0 on success, \(lq1\(rq otherwise.
See
.BR passwd (5),
by Ren\('e.
.SS Options
.TP
.BR \-l ", " \-\-loud
Speaks with capitals\&.
.IP \(bu 2
A bullet.
.PP
QUIET
.RS 4
Says nothing\.
.RE
.de XX
never shown
..
.if n \{\
.RS
not shown either
.\}
.nf
$ greet Ada
Hello, Ada!
.fi
.TS
tab(@);
l l.
Code@Meaning
0@well
.TE
"""
MDOC = r""".Dd May 1, 2024
.Dt GREET 8
.Os
.Sh NAME
.Nm greet
.Nd says hello
.Sh DESCRIPTION
The
.Nm
utility greets
.Ar name ,
see
.Xr passwd 5 .
.Bl -tag -width Ds
.It Fl l Ar level
How
.Dq loud
it is
.Pq at most 9 .
.El
.Bd -literal
$ greet -l 3
.Ed
"""


MAN_TEXT = [
    "## Name",
    "greet - says hello to somebody",
    "## Synopsis",
    "greet [OPTION]... [NAME]",
    "## Exit status",
    "It returns 0 on success, “1” otherwise. See passwd(5), by René.",
    "### Options",
    "- -l, --loud: Speaks with capitals.",
    "- A bullet.",
    "- QUIET: Says nothing.",
    "```\n$ greet Ada\nHello, Ada!\n```",
    "- Code – Meaning\n- 0 – well\n",
]
MDOC_TEXT = [
    "## Name",
    "greet - says hello",
    "## Description",
    "The greet utility greets name, see passwd(5).",
    "- -l level: How “loud” it is (at most 9).",
    "```\n$ greet -l 3\n```\n",
]


@pytest.mark.parametrize(
    ("page", "title", "blocks"),
    [(MAN, "greet(1)", MAN_TEXT), (MDOC, "greet(8)", MDOC_TEXT)],
    ids=["man", "mdoc"],
)
def test_a_page_is_markdown(page: str, title: str, blocks: list[str]) -> None:
    found, text = manual_text(page)

    assert found == title
    assert text.split("\n\n") == blocks


def test_packed_pages_are_found_by_their_section_and_others_stay_plain(tmp_path: Path) -> None:
    (tmp_path / "greet.1.gz").write_bytes(gzip.compress(MAN.encode()))
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
