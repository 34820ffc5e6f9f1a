"""The text of a line of mdoc(7) macros: ``.Op Fl l Ar level`` says ``[-l level]``."""

from hlg.ingest.load.readers.roff import plain
from hlg.words import word_set

CALLABLE = word_set("""
Ac Ad An Ao Ap Aq Ar At Bc Bo Bq Brc Bro Brq Bsx Bx Cd Cm Dc Do Dq Dv Ec Em En Eo Er Ev Fa Fc Fl
Fn Fo Fr Ft Fx Ic In Lb Li Lk Ms Mt Nd Nm No Ns Nx Oc Oo Op Ot Ox Pa Pc Pf Po Pq Qc Ql Qo Qq Sc
So Sq St Sx Sy Ta Tn Ux Va Vt Xc Xo Xr
""")
"""Macros that may stand anywhere in a line."""
_ENCLOSING = {
    "Aq": "<>", "Bq": "[]", "Brq": "{}", "Dq": "“”", "Op": "[]", "Pq": "()", "Ql": "‘’",
    "Qq": '""', "Sq": "‘’",
}  # fmt: skip
_OPENING = {"Ao": "<", "Bo": "[", "Bro": "{", "Do": "“", "Oo": "[", "Po": "(", "Qo": '"', "So": "‘"}
_CLOSING = {"Ac": ">", "Bc": "]", "Brc": "}", "Dc": "”", "Oc": "]", "Pc": ")", "Qc": '"', "Sc": "’"}
_SYSTEMS = {
    "At": "AT&T UNIX", "Bx": "BSD", "Fx": "FreeBSD", "Nx": "NetBSD", "Ox": "OpenBSD", "Ux": "UNIX",
}  # fmt: skip
_MARKS = frozenset((".", ",", ":", ";", ")", "]", "?", "!"))


def inline(words: list[str], name: str) -> str:
    """What a line's words say, macros among them.

    :param name: what ``Nm`` alone stands for.
    """
    return _Line(words, name).text()


class _Line:
    """The words of one line, and what they have said so far."""

    def __init__(self, words: list[str], name: str) -> None:
        self._words, self._name = words, name
        self._at = 0
        self._said: list[str] = []
        self._closing: list[str] = []
        self._joined = False

    def text(self) -> str:
        while self._at < len(self._words):
            word = self._words[self._at]
            self._at += 1
            if word in CALLABLE:
                self._do(word)
            elif plain(word).strip():
                if _MARKS.issuperset(self._words[self._at - 1 :]):
                    self._close()
                self._put(plain(word).strip())
        self._close()
        return " ".join(self._said)

    def _do(self, macro: str) -> None:
        """What a macro says by itself; the words behind it follow."""
        if macro in _ENCLOSING:
            self._closing.append(_ENCLOSING[macro][1])
            self._put(_ENCLOSING[macro][0], joining=True)
        elif macro in _OPENING:
            self._put(_OPENING[macro], joining=True)
        elif macro in _CLOSING:
            self._joined = bool(self._said)
            self._put(_CLOSING[macro])
        elif macro == "Fl":
            self._put("-" + (self._take() if self._has_argument() else ""))
        elif macro == "Xr":
            page = self._take()
            self._put(f"{page}({self._take()})" if self._has_argument() else page)
        elif macro == "Nm" and not self._has_argument():
            self._put(self._name)
        elif macro == "Pf":
            self._put(self._take(), joining=True)
        elif macro == "Ns":
            self._joined = True
        elif macro == "Ap":
            self._joined = True
            self._put("'", joining=True)
        elif macro in _SYSTEMS:
            self._put(_SYSTEMS[macro])

    def _has_argument(self) -> bool:
        """Whether the next word is one that a macro takes."""
        after = self._words[self._at : self._at + 1]
        return bool(after) and after[0] not in CALLABLE and after[0] not in _MARKS

    def _take(self) -> str:
        """The next word, empty for none."""
        taken = self._words[self._at : self._at + 1]
        self._at += 1
        return plain(taken[0]) if taken else ""

    def _put(self, word: str, *, joining: bool = False) -> None:
        """Say a word; what comes next is joined to it, if that is so."""
        if not word:
            return
        if self._said and (self._joined or word in _MARKS):
            self._said[-1] += word
        else:
            self._said.append(word)
        self._joined = joining

    def _close(self) -> None:
        """Close what an enclosing macro has opened."""
        if self._closing and self._said:
            self._said[-1] += "".join(reversed(self._closing))
        self._closing = []
