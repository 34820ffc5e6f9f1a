"""E-mail: single messages and mailboxes, decoded, with their threads and attachments."""

import re
from collections.abc import Iterator
from email import policy
from email.message import EmailMessage, Message, MIMEPart
from email.parser import BytesParser
from email.utils import parsedate_to_datetime

from hlg.errors import InputError
from hlg.ingest.load.blocks import one_line
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, Found
from hlg.ingest.load.formats import format_of
from hlg.ingest.load.readers.html import html_to_markdown
from hlg.ingest.load.reading import read_inside
from hlg.records import Document
from hlg.reports import Failure

_FROM_LINE = re.compile(rb"(?:\A|\n\r?\n)From [^\r\n]*\d{4}[^\r\n]*\r?\n")
_QUOTED_FROM = re.compile(rb"^>(>*From )", re.MULTILINE)
_IDS = re.compile(r"<[^<>\s]+>")


def read_message(file: File) -> Iterator[Found]:
    """A message (.eml) and its attachments, each a document of its own."""
    yield from _documents(file, file.uri, _parsed(file.data))


def read_mailbox(file: File) -> Iterator[Found]:
    """Every message of a mailbox (mbox), by its id, or its number where it has none."""
    starts = list(_FROM_LINE.finditer(file.data))
    if not starts or starts[0].start() > 0:
        raise InputError('no mailbox: it does not begin with a line "From "')
    ends = [match.start() for match in starts[1:]] + [len(file.data)]
    seen: set[str] = set()
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        message = _parsed(_QUOTED_FROM.sub(rb"\1", file.data[start.end() : end]))
        key = _identity(message) or str(number)
        key = f"{key}.{number}" if key in seen else key
        seen.add(key)
        uri = f"{file.uri}#{key}"
        try:
            yield from _documents(file, uri, message)
        except InputError as error:
            yield Failure(uri, str(error))


def _documents(file: File, uri: str, message: EmailMessage) -> Iterator[Found]:
    if not message.keys():
        raise InputError("no e-mail: it has no headers")
    text = _body(message)
    subject = one_line(str(message.get("subject", "")))
    metadata = _metadata(message)
    inside: list[File] = []
    for part in message.iter_attachments():
        content = _content(part)
        name = one_line(part.get_filename() or "")
        if not name and part.get_content_type() == "message/rfc822":
            name = "message.eml"
        if content and name:
            inside.append(file.inside(content, name, uri))
    if inside:
        metadata["attachments"] = [each.name for each in inside]
    head = _head(subject, metadata)
    yield Document(uri, subject or file.title, f"{head}\n\n{text}".strip(), metadata)
    for each in inside:
        # Of a kind that folders are searched for; pictures and the like are none.
        if each.suffix and format_of(each.name):
            yield from read_inside(each)


def _head(subject: str, metadata: dict[str, object]) -> str:
    """What a person sees above a message: who wrote to whom, when, about what."""
    shown = [("From", "from"), ("To", "to"), ("Date", "date")]
    lines = [f"{label}: {metadata[key]}" for label, key in shown if metadata.get(key)]
    return "\n".join([*lines, *([f"Subject: {subject}"] if subject else [])])


def _parsed(data: bytes) -> EmailMessage:
    message = BytesParser(EmailMessage, policy=policy.default).parsebytes(data)
    assert isinstance(message, EmailMessage)
    return message


def _identity(message: EmailMessage) -> str:
    return one_line(str(message.get("message-id", ""))).strip("<>")


def _metadata(message: EmailMessage) -> dict[str, object]:
    """Who, when, and the thread: the id of its first message, and the one answered."""
    metadata: dict[str, object] = {}
    for key in ("from", "to", "cc"):
        if value := one_line(str(message.get(key, ""))):
            metadata[key] = value
    if date := one_line(str(message.get("date", ""))):
        try:
            metadata["date"] = parsedate_to_datetime(date).isoformat()
        except (ValueError, TypeError):
            metadata["date"] = date
    if identity := _identity(message):
        metadata["message_id"] = identity
    earlier = _IDS.findall(str(message.get("references", "")))
    answered = _IDS.findall(str(message.get("in-reply-to", "")))
    if answered or earlier:
        metadata["in_reply_to"] = (answered or earlier[-1:])[0].strip("<>")
    if earlier or answered or identity:
        metadata["thread"] = ([*earlier, *answered] or [identity])[0].strip("<>")
    return metadata


def _body(message: EmailMessage) -> str:
    """The plain text of a message, else its HTML as text."""
    body = message.get_body(("plain", "html"))
    if body is None:
        return ""
    text = _text(body)
    if body.get_content_type() == "text/html":
        return html_to_markdown(text, whole=True).text
    return text.replace("\r\n", "\n").strip()


def _text(part: MIMEPart) -> str:
    try:
        return str(part.get_content())
    except (LookupError, UnicodeError, ValueError):
        data = part.get_payload(decode=True)
        return decode(data) if isinstance(data, bytes) else ""


def _content(part: MIMEPart) -> bytes:
    """An attachment's bytes; a message that is attached is given as it stands."""
    if part.get_content_type() == "message/rfc822":
        inner = part.get_payload()
        first = inner[0] if isinstance(inner, list) and inner else None
        return first.as_bytes() if isinstance(first, Message) else b""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
