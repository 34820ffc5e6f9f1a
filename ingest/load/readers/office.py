"""Word, PowerPoint and Excel as Markdown, with the titles and authors that they give."""

from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from hlg.errors import InputError
from hlg.ingest.load.archive import opened_zip
from hlg.ingest.load.blocks import heading, one_line, pipe_table
from hlg.ingest.load.file import File, one
from hlg.ingest.load.limits import Spent
from hlg.ingest.load.readers.html import html_to_markdown
from hlg.ingest.load.readers.xml import parsed_xml, properties_of
from hlg.records import Document

if TYPE_CHECKING:
    from pptx.slide import Slide

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What old Office files begin with, and new ones that are encrypted."""
_WORD_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
"""


def read_word(file: File) -> Iterator[Document]:
    """A .docx: mammoth makes HTML of its styles, lists, tables and notes, and that Markdown."""
    import mammoth

    properties = _checked(file, "Word file", ".docx")
    html = mammoth.convert_to_html(
        BytesIO(file.data),
        style_map=_WORD_STYLES,
        convert_image=mammoth.images.img_element(lambda image: {}),
    ).value
    page = html_to_markdown(html, whole=True)
    yield from one(file, page.text, properties.pop("title", "") or page.title, properties)


def read_powerpoint(file: File) -> Iterator[Document]:
    """A .pptx: a section a slide under its title, tables, and the speaker's notes."""
    from pptx import Presentation

    properties = _checked(file, "PowerPoint file", ".pptx")
    blocks: list[str] = []
    for number, slide in enumerate(Presentation(BytesIO(file.data)).slides, 1):
        for block in _slide_blocks(slide, number):
            file.spent.add(block)
            blocks.append(block)
    yield from one(file, "\n\n".join(blocks), properties.pop("title", ""), properties)


def read_workbook(file: File) -> Iterator[Document]:
    """A workbook (.xlsx, .xls, .xlsb, .ods): a section a sheet, each a table."""
    from python_calamine import CalamineError, CalamineWorkbook

    properties: dict[str, str] = {}
    if not file.data.startswith(OLE):
        with opened_zip(file, "workbook") as archive:
            properties = _core_properties(archive)
    blocks: list[str] = []
    try:
        workbook = CalamineWorkbook.from_filelike(BytesIO(file.data))
        for name in workbook.sheet_names:
            rows = workbook.get_sheet_by_name(name).iter_rows()
            table = pipe_table(_counted(file.spent, rows))
            if table:
                blocks += [heading(2, name), table]
    except CalamineError as error:
        reason = one_line(str(error))
        if "password" in reason.lower() or "encrypt" in reason.lower():
            raise InputError("encrypted workbook; save a copy without its password") from error
        raise
    yield from one(file, "\n\n".join(blocks), properties.pop("title", ""), properties)


def _counted(spent: Spent, rows: "Iterator[list[Any]]") -> Iterator[list[str]]:
    for row in rows:
        cells = [_cell(value) for value in row]
        spent.add("".join(cells) + "|" * len(cells))
        yield cells


def _cell(value: object) -> str:
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, float):
        return f"{value:.12g}"
    return str(value).removesuffix(" 00:00:00")


def _slide_blocks(slide: "Slide", number: int) -> Iterator[str]:
    title = slide.shapes.title
    named = one_line(title.text_frame.text) if title is not None else ""
    yield heading(2, named or f"Slide {number}")
    title_id = title.shape_id if title is not None else None
    for shape in slide.shapes:
        if shape.shape_id != title_id:
            yield from _shape_blocks(shape)
    if slide.has_notes_slide:
        frame = slide.notes_slide.notes_text_frame
        if frame is not None and (notes := frame.text.strip()):
            yield notes


def _shape_blocks(shape: Any) -> Iterator[str]:
    if hasattr(shape, "shapes"):  # a group
        for part in shape.shapes:
            yield from _shape_blocks(part)
    elif getattr(shape, "has_table", False):
        yield pipe_table([cell.text for cell in row.cells] for row in shape.table.rows)
    elif shape.has_text_frame:
        paragraphs = shape.text_frame.paragraphs
        lines = [(one_line(each.text), each.level) for each in paragraphs if each.text.strip()]
        if len(lines) > 1:
            yield "\n".join(f"{'  ' * level}- {line}" for line, level in lines)
        elif lines:
            yield lines[0][0]


def _core_properties(archive: ZipFile) -> dict[str, str]:
    """Title, author and the like of an Office Open XML file; none where there are none."""
    name = "docProps/core.xml"
    if name not in archive.namelist():
        return {}
    properties = properties_of(parsed_xml(archive.read(name)), {"created": "date"})
    if properties.get("author") in ("python-docx", "openpyxl"):
        del properties["author"]
    return properties


def _checked(file: File, kind: str, suffix: str) -> dict[str, str]:
    """The properties of a file.

    :raises InputError: it is encrypted, of the old kind, or too large.
    """
    if file.data.startswith(OLE):
        raise InputError(
            f"a {kind} that is encrypted or of the old kind; save it as {suffix} without a password"
        )
    with opened_zip(file, kind) as archive:
        return _core_properties(archive)


def refuse_old_office(file: File) -> Iterator[Document]:
    """Says what to save a file of an old Office as."""
    new = {".doc": ".docx", ".ppt": ".pptx"}.get(file.suffix, ".docx")
    raise InputError(f"a file of an old Office; save it as {new}")
