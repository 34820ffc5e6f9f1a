"""The text of PDF files."""

import logging
from io import BytesIO

from hlg.errors import InputError


def pdf_text(data: bytes) -> tuple[str, str]:
    """A PDF's text, pages parted by a blank line, and the title that it gives itself.

    :raises InputError: it is broken, encrypted, or has no text.
    """
    from pypdf import PdfReader

    # What pypdf has to say of a faulty file goes into our own message.
    logging.getLogger("pypdf").addHandler(logging.NullHandler())
    try:
        reader = PdfReader(BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError("encrypted PDF; save a copy without its password")
        pages = [page.extract_text().strip() for page in reader.pages]
        title = (reader.metadata.title if reader.metadata else None) or ""
    except InputError:
        raise
    except Exception as error:
        # A damaged file takes pypdf to any error there is: KeyError, zlib's, recursion.
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise InputError(f"broken PDF: {reason}") from error
    text = "\n\n".join(page for page in pages if page)
    if not text:
        raise InputError("PDF without text, perhaps a scan; run OCR on it first")
    return text, str(title).strip()
