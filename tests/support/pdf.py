"""Small PDFs, made with a library that is not the one that reads them."""

import io

from PIL import Image
from pypdf import PdfReader, PdfWriter
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

_FONT = DictionaryObject(
    {
        NameObject("/Type"): NameObject("/Font"),
        NameObject("/Subtype"): NameObject("/Type1"),
        NameObject("/BaseFont"): NameObject("/Helvetica"),
    }
)


def pdf(*pages: str, title: str = "", password: str = "") -> bytes:
    """A PDF with a page for each text; one empty page without any."""
    writer = PdfWriter()
    for text in pages or ("",):
        page = writer.add_blank_page(600, 300)
        if text:
            fonts = DictionaryObject({NameObject("/F1"): _FONT})
            page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
            stream = DecodedStreamObject()
            stream.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
            page[NameObject("/Contents")] = writer._add_object(stream)
    if title:
        writer.add_metadata({"/Title": title})
    if password:
        writer.encrypt(password, algorithm="RC4-128")
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


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
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()
