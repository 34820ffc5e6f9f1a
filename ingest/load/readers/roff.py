"""What roff's escapes and quoted arguments say: the letters of a manual page's lines."""

import re
import unicodedata

_NAMED = {
    "em": "—", "en": "–", "hy": "-", "mi": "-", "lq": "“", "rq": "”", "oq": "‘", "cq": "’",
    "aq": "'", "dq": '"', "bu": "•", "co": "©", "rg": "®", "tm": "™", "de": "°", "mu": "×",
    "ha": "^", "ti": "~", "ga": "`", "at": "@", "sh": "#", "Do": "$", "rs": "\\", "sl": "/",
    "<=": "≤", ">=": "≥", "!=": "≠", "+-": "±", "->": "→", "<-": "←", "ua": "↑", "da": "↓",
    "la": "⟨", "ra": "⟩", "lB": "[", "rB": "]", "lC": "{", "rC": "}", "ba": "|", "or": "|",
    "Fo": "«", "Fc": "»", "sc": "§", "dg": "†", "Eu": "€", "Po": "£", "ss": "ß", "ae": "æ",
    "AE": "Æ", "oe": "œ", "OE": "Œ", "/o": "ø", "/O": "Ø", "if": "∞", "ci": "○", "sq": "□",
    "L\"": "“", "R\"": "”", "S": "", "R": "®", "Tm": "™", "lp": "(", "rp": ")", "fm": "′",
}  # fmt: skip
_ACCENTS = {
    "'": "\u0301", "`": "\u0300", ":": "\u0308", "^": "\u0302", "~": "\u0303",
    ",": "\u0327", "o": "\u030a", "v": "\u030c",
}  # fmt: skip
_ESCAPE = re.compile(
    r"\\(?:"
    r"(?P<gone>[fFmMgYVO](?:\[[^\]]*\]|\(..|.)|s[+-]?(?:\[[^\]]*\]|\(..|'[^']*'|\d{1,2})"
    r"|[hvwlLbDoxXZAB]'[^']*'|[kn](?:[+-])?(?:\[[^\]]*\]|\(..|.)|[&%:/,^|!?)ucdraz{}])"
    r"|\[(?P<long>[^\]]*)\]|\((?P<two>..)|\*(?:\[(?P<string>[^\]]*)\]|\((?P<pair>..)|(?P<one>.))"
    r"|C'(?P<quoted>[^']*)'|N'(?P<number>\d+)'"
    r"|(?P<space>[ ~0tp])|(?P<dash>-)|(?P<back>[e\\])|(?P<quote>['`´])|(?P<comment>[\"#].*)"
    r"|(?P<other>.)?)"
)
_INSTEAD = {"gone": "", "comment": "", "space": " ", "dash": "-", "back": "\\"}
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|((?:\\ |\S)+)')


def plain(text: str) -> str:
    """A line without escapes: fonts and sizes gone, named characters as they are."""
    return _ESCAPE.sub(_said, text) if "\\" in text else text


def _said(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    said = match[kind] if kind else ""
    if kind in _INSTEAD:
        return _INSTEAD[kind]
    if kind in ("quote", "other"):
        return said
    if kind == "number":
        return chr(int(said)) if int(said) < 0x110000 else ""
    return _character(said)


def _character(name: str) -> str:
    """A character by roff's name for it, such as ``em``, ``'e`` or ``u00E9``."""
    if name in _NAMED:
        return _NAMED[name]
    if re.fullmatch(r"u[0-9A-Fa-f]{4,6}", name) and int(name[1:], 16) < 0x110000:
        return chr(int(name[1:], 16))
    if len(name) == 2 and name[0] in _ACCENTS and name[1].isalpha():
        return unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]])
    return ""


def arguments(line: str) -> list[str]:
    """The arguments behind a macro's name, escapes still in them."""
    return [
        quoted.replace('""', '"') if bare == "" else bare
        for quoted, bare in _ARGUMENT.findall(re.sub(r'\\".*', "", line))
    ]
