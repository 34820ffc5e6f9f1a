"""Manual pages, of both kinds of macros that Unix systems write them in: man(7) and mdoc(7).

Headings, paragraphs, lists and code come out as Markdown; tables as the text of their cells.
Nothing is run: what a page defines, asks conditions about or includes is left out.
"""

import re
from collections.abc import Iterator

from hlg.ingest.load.blocks import fenced
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.ingest.load.readers.mdoc import CALLABLE, inline
from hlg.ingest.load.readers.roff import arguments, plain
from hlg.records import Document

LONGEST_TERM = 80
"""Characters of a line that an indented text explains."""

_BEGINNING = re.compile(r"^['.][ \t]*(?:TH|Dd|Dt|SH|Sh|so)\b", re.MULTILINE)
_MACRO = re.compile(r"['.][ \t]*(\S*)[ \t]*(.*)", re.DOTALL)
_FONTS = frozenset(("B", "I", "SM", "SB", "R", "CW", "C"))
_ALTERNATING = frozenset(("BR", "RB", "BI", "IB", "IR", "RI"))
_PARAGRAPHS = frozenset(("PP", "P", "LP", "HP", "Pp", "sp", "br", "RS", "RE", "Lp"))
_CODE_BEGINS, _CODE_ENDS = frozenset(("nf", "EX")), frozenset(("fi", "EE"))
_SKIPPED_UNTIL = {"de": "..", "de1": "..", "ig": "..", "am": "..", "EQ": ".EN"}
_LINKS = frozenset(("UR", "MT"))
_BULLETS = frozenset(("•", "*", "o", "-", "·"))


def read_manual(file: File) -> Iterator[Document]:
    """A manual page as Markdown; a file that is none is plain text."""
    text = decode(file.data)
    if not _BEGINNING.search(text[:20_000]):
        yield from one(file, text, media_type="text/plain")
        return
    title, page = manual_text(text)
    yield from one(file, page, title)


def manual_text(text: str) -> tuple[str, str]:
    """A page's title, such as ``ls(1)``, and its text as Markdown."""
    page = _Page()
    lines = iter(re.sub(r"\\\r?\n", "", text).splitlines())
    for line in lines:
        macro = _MACRO.fullmatch(line) if line[:1] in (".", "'") else None
        if macro is None:
            page.say(plain(line), literal=True)
            continue
        name, rest = macro.groups()
        if name in _SKIPPED_UNTIL:
            _skip(lines, _SKIPPED_UNTIL[name])
        elif name == "TS":
            page.table(lines)
        elif name in ("if", "ie", "el") and r"\{" in rest:
            _skip_branch(lines, rest)
        elif not name.startswith('\\"'):
            page.do(name, arguments(rest))
    return page.title, page.text()


def _skip(lines: Iterator[str], until: str) -> None:
    for line in lines:
        if line.replace(" ", "").startswith(until):
            return


def _skip_branch(lines: Iterator[str], rest: str) -> None:
    """Leave out what stands in the braces of a condition."""
    depth = rest.count(r"\{") - rest.count(r"\}")
    while depth > 0 and (line := next(lines, None)) is not None:
        depth += line.count(r"\{") - line.count(r"\}")


class _Page:
    """The Markdown that a page becomes, line by line."""

    def __init__(self) -> None:
        self.title = ""
        self._name = ""
        self._blocks: list[str] = []
        self._words: list[str] = []
        self._code: list[str] | None = None
        self._tag_follows = False
        self._tag = ""

    def text(self) -> str:
        """All blocks; what is open is closed."""
        self._close_code()
        self._end()
        return "\n\n".join(self._blocks) + "\n" if self._blocks else ""

    def say(self, line: str, *, literal: bool = False) -> None:
        """Take in a line of text."""
        if self._code is not None:
            self._code.append(line)
        elif not line.strip():
            if literal:
                self._end()
        elif self._tag_follows:
            self._begin_item(line)
        else:
            self._words.append(" ".join(line.split()))

    def table(self, lines: Iterator[str]) -> None:
        """The text of a table's cells, a line a row."""
        self._end()
        for line in lines:
            if line.endswith("."):
                break  # the layout's last line
        rows = []
        for line in lines:
            if line.startswith(".TE"):
                break
            if line[:1] not in (".", "'", "_", "=") and line not in ("T{", "T}"):
                cells = [plain(cell).strip() for cell in re.split(r"\t|@", line)]
                rows.append(" – ".join(cell for cell in cells if cell not in ("", "T{", "T}")))
        self._blocks += ["\n".join(f"- {row}" for row in rows if row)] if any(rows) else []

    def do(self, name: str, given: list[str]) -> None:
        """Do what a macro says."""
        if name in ("TH", "Dt"):
            self.title = self.title or _title(given)
        elif name in ("SH", "SS", "Sh", "Ss"):
            self._heading(name, given)
        elif name in _PARAGRAPHS:
            if name == "RS" and self._is_term():
                self._begin_item(self._words.pop())
            elif self._code is None:
                self._end()
            elif name == "sp":
                self._code.append("")
        elif name in _CODE_BEGINS or (name == "Bd" and "-literal" in given):
            self._end()
            self._code = self._code or []
        elif name in _CODE_ENDS or name == "Ed":
            self._close_code()
        elif name in ("TP", "TQ", "IP", "It"):
            self._item(name, given)
        elif name in _ALTERNATING:
            self.say("".join(plain(each) for each in given))
        elif name in _FONTS:
            self.say(" ".join(plain(each) for each in given))
        elif name in _LINKS and given:
            self.say(plain(given[0]))
        elif name == "Nm" and given and not self._name:
            self._name = plain(given[0])
            self.say(inline([name, *given], self._name))
        elif name == "Nd":
            self.say("- " + inline(given, self._name))
        elif name in CALLABLE or name[:1] == "%":
            self.say(inline([name.lstrip("%"), *given] if name in CALLABLE else given, self._name))

    def _heading(self, name: str, given: list[str]) -> None:
        self._close_code()
        self._end()
        heading = " ".join(plain(each) for each in given if each not in CALLABLE).strip()
        if heading:
            heading = heading.capitalize() if heading.isupper() else heading
            self._blocks.append(f"{'##' if name in ('SH', 'Sh') else '###'} {heading}")

    def _item(self, name: str, given: list[str]) -> None:
        self._close_code()
        self._end()
        if name in ("TP", "TQ"):
            self._tag_follows = True
        elif name == "IP" and given:
            tag = plain(given[0]).strip()
            self._begin_item("" if tag in _BULLETS else tag)
        elif name == "It":
            self._begin_item(inline(given, self._name))

    def _is_term(self) -> bool:
        """Whether one short line is open, which what is indented below it explains."""
        return not self._tag and len(self._words) == 1 and len(self._words[0]) <= LONGEST_TERM

    def _begin_item(self, tag: str) -> None:
        self._tag_follows = False
        self._tag = " ".join(tag.split()) or "•"

    def _end(self) -> None:
        """Close the paragraph or the item."""
        said = " ".join(self._words).strip()
        if self._tag and (said or self._tag != "•"):
            tag = "" if self._tag == "•" else f"{self._tag}: " if said else self._tag
            self._blocks.append(f"- {tag}{said}")
            self._tag = ""
        elif said:
            self._blocks.append(said)
        self._words = []

    def _close_code(self) -> None:
        code, self._code = self._code, None
        if code and any(line.strip() for line in code):
            self._blocks.append(fenced("\n".join(code)))


def _title(given: list[str]) -> str:
    name = plain(given[0]).strip() if given else ""
    section = plain(given[1]).strip() if len(given) > 1 else ""
    name = name.lower() if name.isupper() else name
    return f"{name}({section})" if name and section else name
