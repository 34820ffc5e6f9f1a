"""Pictures of pages as lines, by the program tesseract: straightened, with their tables' rows.

What was read is kept in the user's cache by the picture's content: a page costs seconds, and
every build reads every file.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from hlg.errors import InputError, UsageError
from hlg.extras import how_to_install
from hlg.folders import cache_folder
from hlg.ingest.load.limits import Spent
from hlg.ingest.load.pages.lines import Line, Page
from hlg.whole_file import write_whole_text

if TYPE_CHECKING:
    from PIL.Image import Image

DPI = 300
"""What pages are drawn at, and what a picture is taken for that does not say."""
MOST_LANGUAGES = 4
"""With more of them installed, and none named, English alone is tried: each takes its time."""
PAGE_SECONDS = 60.0
SPARED_SECONDS = 5.0
"""What is left of a document's time when no page is begun any more."""
LEAST_CONFIDENCE = 40.0
"""A line whose words tesseract believes less than this (of 100) is a picture's, not text's."""
WEAK = 60.0
"""A page whose words it believes less than this may lie on its side."""
NOISY = 5.0
"""Median step of brightness (of 255) between neighbours of a page that wants smoothing."""
MOST_SKEW, LEAST_SKEW = 8.0, 0.2
"""Degrees: beyond the first a page isn't looked for, below the second it is straight enough."""
_HEADING = 1.4
"""How much higher than most lines of a page one is that is set larger: heights are measured."""
_EM = 1.2
"""How much higher a font's box is than its letters, as they are measured here."""
_SHORT_CELL = 25
_NO_LANGUAGES = ("osd", "equ", "snum")
_KEPT = "1"
"""The form of what is kept; a change of it reads every page anew."""


def missing() -> str:
    """What has to be installed before scans can be read; nothing where all is there."""
    wanted = []
    if not shutil.which("tesseract"):
        wanted.append("the program tesseract (apt-get install tesseract-ocr)")
    if not find_spec("pytesseract"):
        wanted.append(how_to_install("ocr"))
    return " and ".join(wanted)


def languages_for(wanted: str) -> str:
    """Tesseract's codes of the languages to read: those wanted, else those that are installed.

    :raises InputError: one that is wanted is not installed; says which are.
    """
    there = _installed()[1]
    if not wanted:
        return "+".join(there if 0 < len(there) <= MOST_LANGUAGES else ("eng",))
    lacking = [code for code in wanted.split("+") if code not in there]
    if lacking:
        raise InputError(
            f"tesseract has no {', '.join(lacking)}, only {', '.join(there) or 'nothing'}: "
            f"install it (tesseract-ocr-{lacking[0]}) or change the setting ocr_languages"
        )
    return wanted


@cache
def _installed() -> tuple[str, tuple[str, ...]]:
    """Tesseract's version and its languages, English first."""
    try:
        version, languages = (
            subprocess.run(
                ["tesseract", option], capture_output=True, text=True, timeout=60, check=True
            ).stdout.splitlines()
            for option in ("--version", "--list-langs")
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise InputError(f"tesseract does not run: {error}") from error
    codes = [code.strip() for code in languages[1:] if code.strip()]
    found = (code for code in codes if code not in _NO_LANGUAGES and "/" not in code)
    return "".join(version[:1]), tuple(sorted(found, key=lambda code: (code != "eng", code)))


def recognised(picture: "Image", languages: str, spent: Spent, dpi: float = DPI) -> Page:
    """The lines of a page's picture, in points from below.

    :param languages: as :func:`languages_for` gives them.
    :raises InputError: tesseract fails, or takes longer than what is left.
    """
    grey = picture.convert("L")
    key = blake2b(grey.tobytes(), digest_size=16)
    key.update(f"{grey.size} {languages} {_installed()[0]} {_KEPT}".encode())
    cached = cache_folder() / "ocr" / f"{key.hexdigest()}.json"
    words = _cached(cached)
    if words is None:
        words = _words_of(grey, languages, spent)
        with suppress(UsageError):
            write_whole_text(cached, json.dumps(words), make_folder=True)
    lines = list(_lines(words, grey.height, 72 / dpi))
    spent.add("".join(line.text for line in lines))
    return Page(grey.height * 72 / dpi, lines)


Word = tuple[str, float, tuple[int, int, int], int, int, int, int]
"""A word, how sure it is, its block, paragraph and line, then left, top, width and height."""


def _cached(path: Path) -> list[Word] | None:
    try:
        found = json.loads(path.read_text("utf-8"))
        return [(text, confidence, tuple(line), *box) for text, confidence, line, *box in found]
    except (OSError, ValueError, TypeError):
        return None


def _words_of(grey: "Image", languages: str, spent: Spent) -> list[Word]:
    """The words of a page's picture, made straight and quiet, and turned where that is better."""
    from PIL import ImageFilter

    if _noise(grey) >= NOISY:
        grey = grey.filter(ImageFilter.MedianFilter(3))
    words = _asked(_straight(grey), languages, _seconds(spent))
    confidence = _confidence(words)
    if confidence >= WEAK:
        return words
    turn = _turn(grey, _seconds(spent))
    if not turn:
        return words
    turned = _asked(_straight(grey.rotate(-turn, expand=True)), languages, _seconds(spent))
    return turned if _confidence(turned) > confidence else words


def _seconds(spent: Spent) -> float:
    """How long tesseract may take now, so that what was read before is not lost with it.

    :raises InputError: there is hardly time left.
    """
    whole = spent.limits.seconds
    left = spent.left() - min(SPARED_SECONDS, 0.1 * whole)
    if left <= 0:
        raise spent.limits.out_of_time()
    return min(PAGE_SECONDS, left)


def _confidence(words: Sequence[Word]) -> float:
    """How sure the words are, by letters; 0 of none."""
    letters = sum(len(word[0]) for word in words)
    return sum(len(word[0]) * word[1] for word in words) / letters if letters else 0.0


def _noise(grey: "Image") -> float:
    pixels = np.asarray(grey)[::3].astype(np.int16)
    return float(np.median(np.abs(np.diff(pixels, axis=1)))) if pixels.shape[1] > 1 else 0.0


def _straight(grey: "Image") -> "Image":
    """The picture turned so that its lines lie level."""
    from PIL import Image

    small = grey.copy()
    small.thumbnail((1000, 1000))
    ink = Image.fromarray(255 - np.asarray(small))

    def sharpness(angle: float) -> float:
        """How much the rows' ink differs from row to row: most where lines lie level."""
        turned = np.asarray(ink.rotate(angle, resample=Image.Resampling.BILINEAR))
        return float(np.square(np.diff(turned.sum(axis=1, dtype=np.int64))).sum())

    coarse = max(np.arange(-MOST_SKEW, MOST_SKEW + 0.1, 0.5).tolist(), key=sharpness)
    angle = max(np.arange(coarse - 0.4, coarse + 0.41, 0.1).tolist(), key=sharpness)
    if abs(angle) < LEAST_SKEW or sharpness(angle) < 1.05 * sharpness(0.0):
        return grey
    return grey.rotate(angle, resample=Image.Resampling.BICUBIC, fillcolor=255)


def _asked(grey: "Image", languages: str, seconds: float) -> list[Word]:
    """What tesseract reads in a picture.

    :raises InputError: it fails or takes too long.
    """
    import pytesseract

    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # its threads wait for each other
    try:
        found = pytesseract.image_to_data(
            grey, lang=languages, timeout=seconds, output_type=pytesseract.Output.DICT
        )
    except pytesseract.TesseractError as error:
        raise InputError(f"tesseract fails: {str(error.message).strip()[:200]}") from error
    except RuntimeError as error:
        raise InputError(
            f"a page takes tesseract more than {seconds:.3g} s; raise the setting document_seconds"
        ) from error
    return list(_words(found)) if found else []


def _words(found: Mapping[str, Sequence[object]]) -> Iterator[Word]:
    names = ("conf", "block_num", "par_num", "line_num", "left", "top", "width", "height")
    columns = [[float(str(value)) for value in found[name]] for name in names]
    for text, confidence, *place in zip(found["text"], *columns, strict=True):
        if confidence >= 0 and str(text).strip():
            block, part, line, left, top, width, height = map(int, place)
            yield str(text).strip(), confidence, (block, part, line), left, top, width, height


def _turn(grey: "Image", seconds: float) -> int:
    """By how many degrees a page is to be turned clockwise to stand upright; 0: it can't say."""
    import pytesseract

    with suppress(RuntimeError):  # the data for it are not installed, or there are few letters
        found = pytesseract.image_to_osd(grey, timeout=seconds, output_type=pytesseract.Output.DICT)
        return int(found["rotate"]) if float(found["orientation_conf"]) >= 1 else 0
    return 0


def _lines(words: Sequence[Word], height: int, scale: float) -> Iterator[Line]:
    """Words as lines, those of one size set alike, columns of short cells as rows.

    :param scale: points a pixel.
    """
    blocks: list[list[Line]] = []
    for _, inside in groupby(words, key=lambda word: word[2][0]):
        read = [list(each) for _, each in groupby(inside, key=lambda word: word[2])]
        legible = [each for each in read if _confidence(each) >= LEAST_CONFIDENCE]
        if legible:
            blocks.append([_line(each, height, scale) for each in legible])
    lines = [line for block in _rows(blocks) for line in block]
    usual = median([line.size for line in lines]) if lines else 0.0
    for line in lines:
        size = line.size if line.size > _HEADING * usual else usual
        yield replace(line, bottom=line.top - size, size=size)


def _line(words: Sequence[Word], height: int, scale: float) -> Line:
    """A line of words: a gap wider than a letter or two parts its cells."""
    size = float(np.percentile([word[6] for word in words], 90))
    cells: list[tuple[float, str]] = []
    right = 0
    for text, _, _, left, _, width, _ in words:
        if not cells or left - right > 1.6 * size:
            cells.append((left * scale, text))
        else:
            cells[-1] = cells[-1][0], f"{cells[-1][1]} {text}"
        right = left + width
    left_edge = min(word[3] for word in words)
    top, bottom = min(word[4] for word in words), max(word[4] + word[6] for word in words)
    broken = cells[-1][1].endswith("-") and len(cells[-1][1]) > 1
    if broken:
        cells[-1] = cells[-1][0], cells[-1][1].removesuffix("-")
    return Line(
        tuple(cells),
        left_edge * scale,
        right * scale,
        (height - bottom) * scale,
        (height - top) * scale,
        _EM * size * scale,
        bold=False,
        fixed=False,
        hyphenated=broken,
    )


def _rows(blocks: Sequence[list[Line]]) -> Iterator[list[Line]]:
    """Blocks in order; those side by side whose lines are short and level are a table's columns."""
    at = 0
    while at < len(blocks):
        columns = [blocks[at]]
        while at + len(columns) < len(blocks) and _is_beside(columns[0], blocks[at + len(columns)]):
            columns.append(blocks[at + len(columns)])
        yield [_merged(level) for level in _levels(columns)] if len(columns) > 1 else columns[0]
        at += len(columns)


def _is_beside(first: Sequence[Line], other: Sequence[Line]) -> bool:
    lines = [*first, *other]
    if len(first) < 2 or len(other) < 2 or any(len(line.text) > _SHORT_CELL for line in lines):
        return False
    level = sum(any(_are_level(line, each) for each in first) for line in other)
    return level >= 0.8 * len(other)


def _are_level(line: Line, other: Line) -> bool:
    return abs((line.top + line.bottom) - (other.top + other.bottom)) < line.size + other.size - 1


def _levels(columns: Sequence[Sequence[Line]]) -> Iterator[list[Line]]:
    """The lines of columns by how high they stand, those of one height from left to right."""
    rows: list[list[Line]] = []
    for line in sorted((line for column in columns for line in column), key=lambda x: -x.top):
        if rows and _are_level(rows[-1][0], line):
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        yield sorted(row, key=lambda line: line.left)


def _merged(lines: Sequence[Line]) -> Line:
    return replace(
        lines[0],
        cells=tuple(cell for line in lines for cell in line.cells),
        right=max(line.right for line in lines),
        bottom=min(line.bottom for line in lines),
        top=max(line.top for line in lines),
        size=max(line.size for line in lines),
        hyphenated=lines[-1].hyphenated,
    )
