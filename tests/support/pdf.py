"""Small PDFs, made with a library that is not the one that reads them; also such as no person
would make, which a reader of pages is at for long."""

import io

from PIL import Image
from pypdf import PageObject, PdfReader, PdfWriter
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    NameObject,
    NumberObject,
    StreamObject,
)

_FONT = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}


def pdf(*pages: str, title: str = "", password: str = "") -> bytes:
    """A PDF with a page for each text; one empty page without any."""
    writer = PdfWriter()
    for text in pages or ("",):
        page = writer.add_blank_page(600, 300)
        if text:
            shown = _stream(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
            _fill(writer, page, shown, _dictionary({"/Font": _fonts()}))
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    return _written(writer)


def scan(*greys: int) -> bytes:
    """A PDF of pages that are grey pictures and nothing else."""
    pages = [Image.new("L", (600, 800), grey) for grey in greys]
    file = io.BytesIO()
    pages[0].save(file, "PDF", save_all=True, append_images=pages[1:], resolution=300)
    return file.getvalue()


def mixed(*parts: bytes) -> bytes:
    """The pages of several PDFs as one."""
    writer = PdfWriter()
    for part in parts:
        writer.append(PdfReader(io.BytesIO(part)))
    return _written(writer)


def paths(count: int) -> bytes:
    """A page with so many lines drawn on it."""
    return _page(b"0 0 m 5 5 l S\n" * count)


def glyphs(count: int) -> bytes:
    """A page with so many letters, each put on its own place."""
    places = ((i * 37 % 590, i * 91 % 790) for i in range(count))
    shown = b"".join(b"1 0 0 1 %d %d Tm (a) Tj\n" % place for place in places)
    return _page(b"BT /F1 10 Tf\n" + shown + b"ET")


def nested_forms(depth: int) -> bytes:
    """A page with a form that shows another one twice, and that one the next: 2 ** depth texts."""
    return _page(b"/X Do", depth)


def _page(content: bytes, forms: int = 0) -> bytes:
    writer = PdfWriter()
    page = writer.add_blank_page(600, 800)
    resources = _dictionary({"/Font": _fonts()})
    form = _stream(b"BT /F1 10 Tf 50 700 Td (ha) Tj ET", resources)
    for _ in range(forms):
        inside = _dictionary({"/XObject": _dictionary({"/X": writer._add_object(form)})})
        form = _stream(b"/X Do /X Do", inside)
    if forms:
        resources = _dictionary({"/XObject": _dictionary({"/X": writer._add_object(form)})})
    _fill(writer, page, _stream(content), resources)
    return _written(writer)


def _fonts() -> DictionaryObject:
    return _dictionary({"/F1": _dictionary(_FONT)})


def _fill(
    writer: PdfWriter, page: PageObject, shown: StreamObject, resources: DictionaryObject
) -> None:
    page[NameObject("/Resources")] = resources
    page[NameObject("/Contents")] = writer._add_object(shown)


def _written(writer: PdfWriter) -> bytes:
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def _stream(content: bytes, resources: DictionaryObject | None = None) -> StreamObject:
    stream = StreamObject()
    stream._data = content
    if resources is not None:
        box = ArrayObject(map(NumberObject, (0, 0, 600, 800)))
        stream.update(_dictionary({"/Type": "/XObject", "/Subtype": "/Form", "/BBox": box}))
        stream[NameObject("/Resources")] = resources
    return stream.flate_encode()


def _dictionary(entries: dict[str, object]) -> DictionaryObject:
    return DictionaryObject(
        {
            NameObject(key): NameObject(value) if isinstance(value, str) else value
            for key, value in entries.items()
        }
    )
