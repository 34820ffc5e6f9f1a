"""LaTeX as Markdown: sections, lists, tables and formulas; of other commands what they show."""

import re
import unicodedata
from collections.abc import Iterator

from hlg.ingest.load.blocks import fenced, heading, one_line, pipe_table
from hlg.ingest.load.encoding import decode
from hlg.ingest.load.file import File, one
from hlg.records import Document
from hlg.words import word_set

_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*)?")
_BODY = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
_TOKEN = re.compile(
    r"\\(?:(?P<name>[a-zA-Z@]+)\*?[ \t]*|(?P<symbol>.))|(?P<math>\$\$?)|(?P<brace>[{}])"
    r"|(?P<mark>~|---?|``|'')",
    re.DOTALL,
)
_ENCLOSING = re.compile(r'\\.|[{}"]', re.DOTALL)
_HEADINGS = {
    "part": 1,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "paragraph": 5,
    "subparagraph": 6,
}
_GONE_WITH_ARGUMENTS = word_set("""
addtolength addbibresource appendix author autocite bibliography bibliographystyle cite citep
citet citealp color date def documentclass eqref footnotemark geometry graphicspath hspace
hypersetup include includegraphics index input label newcommand newenvironment newtheorem nocite
pageref pagestyle parencite ref renewcommand setcounter setlength textcite thanks
thispagestyle title usepackage vspace
""")
_FIRST_GONE = frozenset(("colorbox", "fbox", "href", "multicolumn", "parbox", "textcolor"))
_VERBATIM = frozenset(("verbatim", "lstlisting", "minted", "Verbatim"))
_FORMULAS = frozenset(
    ("equation", "align", "gather", "eqnarray", "multline", "math", "displaymath")
)
_TABLES = frozenset(("tabular", "tabularx", "tabulary", "longtable", "array"))
_NOT_SHOWN = frozenset(("tikzpicture", "filecontents", "comment", "thebibliography"))
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304",
    ".": "\u0307", "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328",
    "r": "\u030a", "d": "\u0323", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å",
    "AA": "Å", "l": "ł", "L": "Ł", "i": "i", "j": "j", "ldots": "…", "dots": "…",
    "textendash": "–", "textemdash": "—", "LaTeX": "LaTeX", "TeX": "TeX", "S": "§",
    "copyright": "©", "pounds": "£", "euro": "€", "degree": "°",
}  # fmt: skip
_MARKS = {"~": " ", "--": "–", "---": "—", "``": "“", "''": "”"}


def read_latex(file: File) -> Iterator[Document]:
    """A .tex file's text; title, author and date as they are declared."""
    text = _COMMENT.sub(r"\1", decode(file.data))
    metadata: dict[str, object] = {}
    for name in ("author", "date"):
        if said := _declared(text, name):
            metadata[name] = said
    body = _BODY.search(text)
    shown = _Writer(body[1] if body else text).markdown()
    file.spent.add(shown)
    yield from one(file, shown, _declared(text, "title"), metadata)


def latex_text(text: str) -> str:
    """What a piece of LaTeX shows, such as a title."""
    return _Writer(text).markdown() if re.search(r"[\\{}~$`']|--", text) else text


def _declared(text: str, name: str) -> str:
    match = re.search(rf"\\{name}\s*(?:\[[^\]]*\])?\s*(?=\{{)", text)
    return one_line(latex_text(enclosed(text, match.end())[0])) if match else ""


def enclosed(text: str, at: int) -> tuple[str, int]:
    """What is between the brace or quote at ``at`` and the one that closes it, and where that
    ends."""
    depth, quoted = 0, text[at] == '"'
    for mark in _ENCLOSING.finditer(text, at + quoted):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if depth <= 0 and mark[0] == ('"' if quoted else "}"):
            return text[at + 1 : mark.start()], mark.end()
    return text[at + 1 :], len(text)


class _Writer:
    """Goes through a text once, and writes what it shows."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._out: list[str] = []

    def markdown(self) -> str:
        while match := _TOKEN.search(self._text, self._at):
            self._out.append(self._text[self._at : match.start()])
            self._at = match.end()
            if match["name"]:
                self._command(match["name"])
            elif match["symbol"]:
                self._symbol(match["symbol"])
            elif match["math"]:
                self._formula(match["math"], match["math"])
            elif match["mark"]:
                self._out.append(_MARKS[match["mark"]])
        self._out.append(self._text[self._at :])
        blocks = re.split(r"\n[ \t]*\n\s*", "".join(self._out))
        return "\n\n".join(filter(None, (block.strip() for block in blocks)))

    def _command(self, name: str) -> None:
        if name in _HEADINGS:
            title = one_line(latex_text(self._argument()))
            self._out.append(f"\n\n{heading(_HEADINGS[name], title)}\n\n" if title else "")
        elif name == "begin":
            self._environment(self._argument().rstrip("*"))
        elif name == "end":
            self._argument()
            self._out.append("\n\n")
        elif name == "item":
            label = latex_text(self._options())
            self._out.append(f"\n- {label}: " if label else "\n- ")
        elif name == "caption":
            self._out.append(f"\n\n{latex_text(self._argument())}\n\n")
        elif name == "footnote":
            self._out.append(f" ({latex_text(self._argument())})")
        elif name in _LETTERS:
            self._out.append(_LETTERS[name])
        elif len(name) == 1 and name in _ACCENTS:
            self._accent(name)
        elif name in _FIRST_GONE:
            self._argument()
        elif name in _GONE_WITH_ARGUMENTS:
            while self._next() in ("{", "["):
                self._argument()
            shown = next((each for each in reversed(self._out) if each), "")
            if shown[-1:].isspace() and self._text[self._at : self._at + 1] == " ":
                self._at += 1
        elif name in ("par", "newline", "linebreak", "newpage"):
            self._out.append("\n\n" if name in ("par", "newpage") else "\n")
        else:
            self._options()

    def _symbol(self, symbol: str) -> None:
        if symbol in "([":
            self._formula("$" if symbol == "(" else "$$", "\\)" if symbol == "(" else "\\]")
        elif symbol in _ACCENTS:
            self._accent(symbol)
        elif symbol == "\\":
            self._options()
            self._out.append("\n")
        else:
            self._out.append(symbol if symbol in "&%$#_{}" else " " if symbol in " ,;:" else "")

    def _accent(self, accent: str) -> None:
        letter = self._argument() if self._next() == "{" else self._letter()
        letter = _LETTERS.get(letter.removeprefix("\\"), letter)
        composed = unicodedata.normalize("NFC", letter[:1] + _ACCENTS[accent]) + letter[1:]
        self._out.append(composed if letter else "")

    def _letter(self) -> str:
        match = re.compile(r"\s*(\\[a-zA-Z]|\w)").match(self._text, self._at)
        self._at = match.end() if match else self._at
        return match[1] if match else ""

    def _formula(self, mark: str, end: str) -> None:
        close = self._text.find(end, self._at)
        if close < 0:
            self._out.append(mark)
            return
        self._out.append(f"{mark}{one_line(self._text[self._at : close])}{mark}")
        self._at = close + len(end)

    def _environment(self, name: str) -> None:
        self._out.append("\n\n")
        if name not in _VERBATIM | _FORMULAS | _TABLES | _NOT_SHOWN:
            self._options()
            return
        end = re.compile(rf"\\end\s*\{{{re.escape(name)}\*?\}}").search(self._text, self._at)
        inner = self._text[self._at : end.start() if end else len(self._text)]
        self._at = end.end() if end else len(self._text)
        if name in _VERBATIM:
            inner = re.sub(r"\A(?:\[[^\]]*\]|\{[^}]*\})*", "", inner)
            self._out.append(fenced(inner.strip("\n")))
        elif name in _FORMULAS:
            self._out.append(f"$${one_line(inner)}$$")
        elif name in _TABLES:
            self._out.append(_table(inner))
        self._out.append("\n\n")

    def _next(self) -> str:
        match = re.compile(r"[ \t]*\n?[ \t]*([\[{])").match(self._text, self._at)
        return match[1] if match else ""

    def _argument(self) -> str:
        """What the next braces or brackets hold; nothing where there are none."""
        if self._next() == "[":
            return self._options() or self._argument()
        if self._next() != "{":
            return ""
        inner, self._at = enclosed(self._text, self._text.index("{", self._at))
        return inner

    def _options(self) -> str:
        if self._next() != "[":
            return ""
        start = self._text.index("[", self._at)
        end = self._text.find("]", start)
        if end < 0 or end - start > 1_000:
            return ""
        self._at = end + 1
        return self._text[start + 1 : end]


def _table(inner: str) -> str:
    for _ in range(2):  # the width and the columns
        start = re.match(r"\s*(?:\[[^\]]*\])?\s*(?=\{)", inner)
        if start:
            inner = inner[enclosed(inner, start.end())[1] :]
    inner = re.sub(r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]*\})", "", inner)
    rows = re.split(r"\\\\(?:\[[^\]]*\])?", inner)
    return pipe_table([latex_text(each) for each in re.split(r"(?<!\\)&", row)] for row in rows)
