"""Bytes to text: marks of byte order, UTF-8, and only then a guess."""

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from hlg.errors import InputError
from hlg.ingest.load.limits import MEBIBYTE

_MARKS = (
    # UTF-32's little-endian mark begins with UTF-16's.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
BINARY = "binary, not text"
SAMPLE = 65_536
"""Bytes that tell text from binary, and one encoding from another."""
_WESTERN = (
    "àâæçéèêëîïôœùûüÿ",  # French
    "äöüßé",
    "áéíóúüñªº",
    "ãõáéíóúâêôçàü",
    "àèéìíîòóùú",
    "åäöæøé",
    "ëïéèêöüáó",
    "áéíóúýþæðö",  # Icelandic
)
_ALPHABETS = {
    "cp1252": _WESTERN,
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áéíóöőúüű", "čćđšž", "áäčďéíĺľňóôŕšťúýž"),
    "iso8859-2": ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áéíóöőúüű"),
    "cp1254": ("çğıiöşüâî",),
    "cp1251": ("абвгдежзийклмнопрстуфхцчшщъыьэюяё", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"),
    "koi8-r": ("абвгдежзийклмнопрстуфхцчшщъыьэюяё",),
    "cp1253": ("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ",),
    "mac-roman": _WESTERN,
    "cp850": _WESTERN,
}
"""Encodings of a byte a character, and the letters beyond ASCII of languages written in them."""
_FITS = 0.9
"""Part of such letters that one language has; names of others are among them."""
_USUAL = frozenset("\xa0«»‹›„“”‘’–—…€£§°©®™¿¡·•ºª½¼¾²³×№")
"""Signs that stand beside such letters."""
_INSIDE = re.compile(r"(?<=[^\W\d_])[«»‹›„“”€£§°©®™¿¡•¼½¾²³×№](?=[^\W\d_])")
_MIXED = re.compile(r"[^\W\d_a-zA-Z\xaa-\u024f](?=[a-zA-Z])|(?<=[a-zA-Z])[^\W\d_a-zA-Z\xaa-\u024f]")
"""A letter of another script in a word of Latin ones."""
_WRONG_CASE = re.compile(r"[^\W\d_A-Z](?=[^\W\d_a-z])")


def decode(data: bytes, declared: str = "") -> str:
    """The text as it stands in a file, all but its byte order mark.

    :param declared: an encoding that the file names itself; tried after UTF-8.
    :raises InputError: the bytes are no text in any encoding that can be recognised.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decode(data, encoding)
    if encoding := _unmarked(data[:SAMPLE]):
        return _decode(data, encoding)
    if is_binary(data[:SAMPLE]) or b"\0" in data:
        raise InputError(BINARY)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _decode(data, declared or _guess(data))


def is_binary(sample: bytes) -> bool:
    """Whether bytes have a NUL, or more control characters than any text has."""
    if any(sample.startswith(mark) for mark, _ in _MARKS) or _unmarked(sample):
        return False
    return b"\0" in sample or len(_CONTROLS.findall(sample)) * 50 > len(sample)


def _unmarked(sample: bytes) -> str:
    """UTF-16 that has no mark, by its order; empty where it is none.

    Every other of its bytes is NUL or that of an alphabet, and no other is NUL.
    """
    for encoding, high, low in (
        ("utf-16-le", sample[1::2], sample[::2]),
        ("utf-16-be", sample[::2], sample[1::2]),
    ):
        if 0 not in high or 0 in low:
            continue
        alphabets = sum(count for _, count in Counter(high).most_common(2))
        text = sample.decode(encoding, "ignore").encode()
        if alphabets >= _FITS * len(high) and not _CONTROLS.search(text):
            return encoding
    return ""


def text_lines(
    readline: Callable[[int], bytes], most: int, what: str, advice: str = ""
) -> Iterator[tuple[int, str | InputError]]:
    """Each line that isn't blank, by its number: its text, or why it can't be read.

    :param readline: gives the next line, at most so many bytes of it.
    :param most: bytes that a line may have.
    :param what: what has to be UTF-8.
    :param advice: what to do about a longer line.
    """
    number = 0
    while line := readline(most + 1):
        number += 1
        if len(line) > most:
            while line and not line.endswith(b"\n"):
                line = readline(most)
            yield number, InputError(f"a line of more than {most / MEBIBYTE:.4g} MiB{advice}")
            continue
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError:
            yield number, InputError(f"not UTF-8, which {what} to be")
            continue
        if text.strip():
            yield number, text


def _decode(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        raise InputError(f"not valid {encoding.removesuffix('-sig').upper()} text") from error


def _guess(data: bytes) -> str:
    from charset_normalizer import from_bytes

    # Around the first byte that is not ASCII: there is nothing to tell before it.
    match = _NOT_ASCII.search(data)
    start = max(0, (match.start() if match else 0) - SAMPLE // 2)
    sample = data[start : start + SAMPLE]
    fits = {encoding: _fit(sample, encoding, its) for encoding, its in _ALPHABETS.items()}
    fitting = max(fits, key=fits.__getitem__)
    # A list of names may have those of several languages.
    together = ["".join(_WESTERN)] if fitting == "cp1252" else []
    if max(fits[fitting], _fit(sample, fitting, together)) >= _FITS:
        return fitting
    best = from_bytes(sample).best()
    if best is None:
        raise InputError("its encoding can't be recognised; save it as UTF-8")
    return best.encoding


def _fit(sample: bytes, encoding: str, alphabets: Sequence[str]) -> float:
    """The part of the characters beyond ASCII that are letters of one language, or usual signs.

    A capital behind a small letter is none, nor is a sign or a letter of another script in a
    word: some encodings differ in that alone.
    """
    try:
        text = sample.decode(encoding)
    except UnicodeDecodeError:
        return 0.0
    counts = Counter(char for char in text if char > "\x7f")
    signs = sum(counts[sign] for sign in _USUAL)
    letters = Counter[str]()
    for char, count in counts.items():
        letters[char.lower()[0]] += count
    known = max((sum(letters[each] for each in set(its)) for its in alphabets), default=0)
    wrong = (
        len(_INSIDE.findall(text))
        + len(_MIXED.findall(text))
        + sum(
            match[0].islower() and text[match.end()].isupper()
            for match in _WRONG_CASE.finditer(text)
        )
    )
    return min(1.0, (known + signs - wrong) / max(1, counts.total()))
