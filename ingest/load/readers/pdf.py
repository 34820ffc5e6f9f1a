"""PDF files by pdfium: headings, paragraphs and tables as Markdown, and where pages begin."""

import ctypes
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from hlg.errors import InputError
from hlg.ingest.load.blocks import one_line
from hlg.ingest.load.file import File, one
from hlg.ingest.load.limits import Spent
from hlg.ingest.load.markdown import first_heading
from hlg.ingest.load.pages.layout import laid_out
from hlg.ingest.load.pages.lines import Line, Page, Piece
from hlg.ingest.load.readers import ocr
from hlg.records import Document

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfDocument, PdfPage

PICTURED = 0.3
"""Part of a page that a picture covers on a scan's page."""
MOST_PIXELS = 40_000_000
"""A page of paper as large as a newspaper's at 300 dots an inch."""
_PASSWORD_ERROR = 4
_PROPERTIES = {"Author": "author", "Subject": "subject", "Keywords": "keywords"}
_FIXED_PITCH = 1
_BOLD_WEIGHT = 600
_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
_SHOWN_AS = {
    # TeX's own codes, of fonts that do not say which characters those are.
    **dict(zip(range(0x0B, 0x10), _LIGATURES, strict=True)),
    **dict(zip(range(0x10, 0x17), "“”„«»–—", strict=True)),
    **dict(zip(range(0x1B, 0x20), _LIGATURES, strict=True)),
    **dict(zip(range(0xFB00, 0xFB05), _LIGATURES, strict=True)),
}
_HYPHEN_MARKS = frozenset((0x02, 0xFFFE, 0xAD))
_NAME_BYTES = 100
_WIDE, _NARROW = 1.6, 0.5
"""Gaps by the height of a character: the first parts cells, the second what may be cells where a
table has a column there."""


def read_pdf(file: File) -> Iterator[Document]:
    """A PDF's text; ``pages`` in its metadata are the offsets at which its pages begin.

    Pages without text that are pictures are read by tesseract; those that could not be are
    numbered in ``unread_pages``.
    """
    from pypdfium2 import PdfDocument, PdfiumError

    try:
        pdf = PdfDocument(file.data)
    except PdfiumError as error:
        if error.err_code == _PASSWORD_ERROR or "password" in str(error).lower():
            raise InputError("encrypted PDF; save a copy without its password") from error
        raise
    try:
        pages = list(_pages(pdf, file.spent))
        unread = _recognise(pdf, pages, file)
        info = pdf.get_metadata_dict(skip_empty=True)
    finally:
        pdf.close()
    text, starts = laid_out(pages)
    metadata: dict[str, object] = {"pages": starts}
    if unread:
        metadata["unread_pages"] = unread
    metadata |= {key: one_line(info[name]) for name, key in _PROPERTIES.items() if info.get(name)}
    if created := _date(info.get("CreationDate", "")):
        metadata["date"] = created
    title = one_line(info.get("Title", ""))
    if title.lower().endswith((".doc", ".docx", ".dvi", ".tex", ".odt")) or not title:
        # It has none, or that is the name of the file that it was made from.
        title = first_heading(text[: starts[1] if len(starts) > 1 else None])
    yield from one(file, text, title, metadata)


def _date(stamp: str) -> str:
    """``D:20240131…`` as ``2024-01-31``."""
    digits = stamp.removeprefix("D:")[:8]
    if len(digits) < 8 or not digits.isdecimal():
        return ""
    return f"{digits[:4]}-{digits[4:6]}-{digits[6:]}"


def _pages(pdf: "PdfDocument", spent: Spent) -> Iterator[Page]:
    for number in range(len(pdf)):
        page = pdf[number]
        lines = _lines(page)
        spent.add("".join(line.text for line in lines))
        yield Page(page.get_height(), lines)
        page.close()


def _lines(page: "PdfPage") -> list[Line]:
    """The lines of a page as pdfium finds them, in the order in which they were written."""
    import pypdfium2.raw as raw

    textpage = page.get_textpage()
    handle = textpage.raw
    box = raw.FS_RECTF()
    pointer = ctypes.byref(box)
    builder = _LineBuilder(handle, raw)
    for i in range(textpage.count_chars()):
        code = raw.FPDFText_GetUnicode(handle, i)
        generated = raw.FPDFText_IsGenerated(handle, i) == 1
        if code in (0x0A, 0x0D) and (generated or code == 0x0A):
            if code == 0x0A:
                builder.end()
        elif generated or code in (0x20, 0xA0):
            builder.space(hyphen=code in _HYPHEN_MARKS)
        elif raw.FPDFText_GetLooseCharBox(handle, i, pointer):
            builder.character(i, code, box.left, box.right, box.bottom, box.top)
    builder.end()
    textpage.close()
    return builder.lines


class _LineBuilder:
    """Collects characters into lines, and a line's into cells with wide gaps between."""

    def __init__(self, handle: Any, raw: Any) -> None:
        self.lines: list[Line] = []
        self._handle, self._raw = handle, raw
        self._clear()

    def _clear(self) -> None:
        self._cells: list[tuple[float, list[str]]] = []
        self._pieces: list[Piece] = []
        self._first = self._last = -1
        self._left = self._bottom = math.inf
        self._right = self._top = -math.inf
        self._size = 0.0
        self._sizes: dict[float, int] = {}
        self._spaced = self._hyphenated = False

    def space(self, *, hyphen: bool = False) -> None:
        self._spaced = not hyphen
        self._hyphenated = hyphen

    def character(
        self, index: int, code: int, left: float, right: float, bottom: float, top: float
    ) -> None:
        if code in _HYPHEN_MARKS:
            self._hyphenated = True
            return
        text = _SHOWN_AS.get(code)
        if not text:
            if code < 0x20 or 0xD800 <= code <= 0xDFFF or code > 0x10FFFF or code == 0xFFFD:
                return
            text = chr(code)
        size = top - bottom
        if self._cells and top < self._bottom + 0.3 * size:  # the line below
            self.end()
        gap = left - self._right if self._cells else math.inf
        joint = " " if self._spaced else "-" if self._hyphenated else ""
        if gap > _WIDE * size:
            self._cells.append((left, []))
        else:
            self._cells[-1][1].append(joint)
        if gap > _NARROW * size:
            self._pieces.append(Piece(left, right, text))
        else:
            piece = self._pieces[-1]
            self._pieces[-1] = Piece(piece.left, right, f"{piece.text}{joint}{text}")
        if self._first < 0:
            self._first = index
        self._last = index
        self._spaced = self._hyphenated = False
        self._cells[-1][1].append(text)
        self._sizes[round(size, 1)] = self._sizes.get(round(size, 1), 0) + 1
        self._left, self._right = min(self._left, left), right
        self._bottom, self._top = min(self._bottom, bottom), max(self._top, top)

    def end(self) -> None:
        if self._cells:
            bold, fixed = self._font(self._first)
            bold_end, fixed_end = self._font(self._last)
            self.lines.append(
                Line(
                    cells=tuple((x, "".join(parts)) for x, parts in self._cells),
                    left=self._left,
                    right=self._right,
                    bottom=self._bottom,
                    top=self._top,
                    size=max(self._sizes, key=lambda size: self._sizes[size]),
                    bold=bold and bold_end,
                    fixed=fixed and fixed_end,
                    hyphenated=self._hyphenated,
                    pieces=tuple(self._pieces),
                )
            )
        self._clear()

    def _font(self, index: int) -> tuple[bool, bool]:
        """Whether a character is bold, and whether all of its font are equally wide."""
        name = ctypes.create_string_buffer(_NAME_BYTES)
        flags = ctypes.c_int()
        self._raw.FPDFText_GetFontInfo(self._handle, index, name, _NAME_BYTES, ctypes.byref(flags))
        weight = self._raw.FPDFText_GetFontWeight(self._handle, index)
        font = name.value.decode("latin-1").lower()
        bold = "bold" in font or "cmbx" in font or "sfbx" in font or "black" in font
        fixed = bool(flags.value & _FIXED_PITCH) or any(
            mark in font for mark in ("courier", "mono", "cmtt", "sftt", "typewriter", "consolas")
        )
        return bold or weight >= _BOLD_WEIGHT, fixed


def _recognise(pdf: "PdfDocument", pages: list[Page], file: File) -> list[int]:
    """Put what tesseract reads in place of pages without text; the numbers of those it couldn't.

    :raises InputError: no page has text, and tesseract is missing or fails; says what to do.
    """
    all_bare = not any(page.lines for page in pages)
    bare = [i for i, page in enumerate(pages) if not page.lines and _shows(pdf[i], all_bare)]
    if not bare:
        return []
    if lacking := ocr.missing():
        if all_bare:
            raise InputError(f"PDF without text, a scan: to have it read install {lacking}")
        return [i + 1 for i in bare]
    languages = ocr.languages_for(file.ocr_languages)
    for done, number in enumerate(bare):
        try:
            picture = _picture(pdf[number])
            dpi = 72 * picture.width / pdf[number].get_width()
            pages[number] = ocr.recognised(picture, languages, file.spent, dpi)
        except InputError:
            if not any(page.lines for page in pages):
                raise
            return [i + 1 for i in bare[done:]]
    return []


def _shows(page: "PdfPage", anything: bool) -> bool:
    """Whether a page without text is covered by a picture, or shows anything at all."""
    from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

    kinds = None if anything else (FPDF_PAGEOBJ_IMAGE,)
    area = page.get_width() * page.get_height()
    for shown in page.get_objects(filter=kinds, max_depth=3):
        left, bottom, right, top = shown.get_bounds()
        if anything or (right - left) * (top - bottom) >= PICTURED * area:
            return True
    return False


def _picture(page: "PdfPage") -> "Image":
    """A page as tesseract wants it, unless that is larger than any paper."""
    scale = ocr.DPI / 72
    area = page.get_width() * page.get_height() * scale * scale
    scale *= min(1.0, math.sqrt(MOST_PIXELS / max(area, 1.0)))
    picture: Image = page.render(scale=scale, grayscale=True).to_pil()
    return picture
