"""Pictures of pages: a scan or a photograph of a paper, whatever it is saved as."""

from collections.abc import Iterator
from io import BytesIO

from hlg.errors import InputError
from hlg.ingest.load.file import File, one
from hlg.ingest.load.markdown import first_heading
from hlg.ingest.load.pages.layout import laid_out
from hlg.ingest.load.pages.lines import Page
from hlg.ingest.load.readers import ocr
from hlg.records import Document

MOST_PIXELS = 80_000_000
LEAST_DPI = 100
"""A picture that says less of itself says what a screen shows, not how it was scanned."""


def read_picture(file: File) -> Iterator[Document]:
    """A picture's text, by tesseract; each picture of a TIFF file is a page.

    :raises InputError: it is broken or too large, or tesseract is missing.
    """
    if lacking := ocr.missing():
        raise InputError(f"a picture: to have its text read install {lacking}")
    languages = ocr.languages_for(file.ocr_languages)
    text, starts = laid_out(list(_pages(file, languages)))
    if not text.strip():
        raise InputError("a picture without text")
    title = first_heading(text[: starts[1] if len(starts) > 1 else None])
    yield from one(file, text, title, {"pages": starts} if len(starts) > 1 else None)


def _pages(file: File, languages: str) -> Iterator[Page]:
    from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

    try:
        with Image.open(BytesIO(file.data)) as picture:
            for frame in ImageSequence.Iterator(picture):
                if frame.width * frame.height > MOST_PIXELS:
                    raise InputError(f"a picture of {frame.width} by {frame.height} points")
                dpi = float(frame.info.get("dpi", (ocr.DPI,))[0])
                upright = ImageOps.exif_transpose(frame)
                told = dpi if dpi >= LEAST_DPI else ocr.DPI
                yield ocr.recognised(upright, languages, file.spent, told)
    except (UnidentifiedImageError, Image.DecompressionBombError, OSError, SyntaxError) as error:
        raise InputError(f"broken picture: {error}") from error
