"""What a table counts, by the words that lead in to it or the heading over it.

"Property and equipment consist of the following (in millions):" says of what "Land" is one, and
how its numbers are counted.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from hlg.ingest.extract.local.tables.scales import scale_of
from hlg.ingest.text.blocks import Block
from hlg.words.accounts import MEASURES

LONGEST_CAPTION = 600
"""Characters at a paragraph's end in which it leads in to a table."""
LONGEST_MEASURE, LONGEST_TITLE, LONGEST_NAME = 10, 7, 5
"""Words that may stand before a date in a predicate: an amount, a heading, and what names no
amount."""
_SENTENCE = re.compile(r"(?<=[.;:])(?<![A-Z]\.) (?=[A-Z(])| (?=The following tables?\b)")
_LEADS = re.compile(r"(?i)\b(?:tables?|follow(?:s|ing)|below)\b")
_TABLE = r"(?:the |this |these )?(?:following |above )?(?:tables?|schedules?)(?: (?:below|above))?"
_SHOWS = re.compile(
    rf"(?i)^{_TABLE},? (?:also )?(?:summari[sz]es?|sets? (?:forth|out)|presents?|shows?|provides?"
    r"|details?|lists?|reflects?|illustrates?|discloses?|outlines?|represents?|contains?"
    r"|displays?|gives?|reports?|describes?|analyses?)(?:, [^,]*,)? (.+)"
    r"|^(?:the following (?:is|are)|(?:set out|presented|shown) below (?:is|are)) (.+)"
)
_IS = re.compile(
    r"(?i)^(?:(?:as of|at|in|for|during) [^,]{3,40}(?:, (?:19|20)\d\d)?(?: and (?:19|20)\d\d)?, )?"
    r"(.+?),?"
    r" (?:is|are|was|were|consists?|consisted|comprises?|comprised|can be|ha(?:s|ve) been)\b"
    r"(?: \w+){0,5}? (?:as follows|follows|the following|below)\b"
)
_OPENING = re.compile(
    r"(?i)(?:(?:the |our )?(?:company|group|partnership|trust|bank)['’]s "
    r"|(?:the|our|its|their|an?|certain|selected|further|additional|aggregate|primary|principal"
    r"|major|main) "
    r"|(?:summary|breakdown|break-down|details?|analysis|components?|composition|disaggregation"
    r"|classes|categories) (?:of|for) "
    r"|information (?:about|on|regarding|concerning|with respect to|related to) )"
)
_CLOSING = re.compile(
    r"(?i),? (?:for|as|at|during|by|in|on|over|that|which|used|included|recognized|recognised"
    r"|recorded|reported|presented|incurred|due|under|between|within|attributable|relating"
    r"|related to|with|measured|based|excluding|including|per (?:our|the))\b(?<!changes in)"
    r"(?<!change in)(?<!activity in)(?<!movements in)(?<!movement in).*|, net of\b.*|[.:;] ?$"
)
_ASIDE = re.compile(r" ?\([^()]*\)")
_NO_MEASURE = re.compile(
    r"(?i)[,;:\d]|\b(?:information|we|is|are|was|were|has|have|had|balance sheets?|statements?"
    r"|tables?|following|each|these|those|this|such|it|drivers?)\b"
    r"|^(?:in|as|for|under|to|based|during|upon|on|of|after|before) "
    r"|^(?:activity|activities|results|changes|movements?|amounts?|data|effects?|differences)$"
)
"""What is no amount of one thing, or says no more than that there is a table."""
_NUMBERED = re.compile(
    r"^(?:(?i:note|item) *)?\(?"
    r"(?:\d{1,3}[A-Za-z]?(?:\.\d+)*|[A-Za-z](?=[.)])|[IVXivx]+(?=[.)]))[ .):–—-]+"
)
_NO_TITLE = re.compile(
    r"(?i)\b(?:(?:technical )?data|balance sheets?|notes?|items?|statements?"
    r"|accounting|consolidated|continued|polic(?:y|ies)|ratios?|subsidiaries|corporation|company|inc"
    r"|ltd|plc|limited|llc|part|table|overview|results of operations|discussion|summary|years?"
    r"|financial (?:data|information|review)|\d{4})\b|[,;:?!|()]"
)
"""What stands over pages of every kind, and what is no subject."""
_IN_BRACKETS = re.compile(r"\([^()\n]{5,120}\)")
_NET = re.compile(r",? net$")
_AMOUNTS = re.compile(
    r"(?i)\b(?:amounts|figures|dollars|numbers|expressed|stated)\b[^;:]{0,40}\bin\b[^;:]{0,40}"
)


@dataclass(frozen=True, slots=True)
class Caption:
    """``measure`` is what is counted, ``scale`` in what; empty where nothing says it."""

    measure: str = ""
    scale: str = ""


NO_CAPTION = Caption()


def captions(text: str, blocks: Sequence[Block]) -> list[Caption]:
    """The caption of each table: of each run of rows.

    It ends the paragraph before the table; where that counts nothing, the heading above does. In
    a text that begins with its only table, as where a page was taken apart, it is the one
    paragraph that leads in to any, or the last heading at the top.
    """
    runs = [
        (is_row, list(run)) for is_row, run in groupby(blocks, lambda each: each.row is not None)
    ]
    tables = [at for at, (is_row, _) in enumerate(runs) if is_row]
    if tables == [0]:
        rest = [block for _, run in runs[1:] for block in run]
        said = [_told(text, block) for block in rest]
        measure = _only(each.measure for each in said)
        top = takewhile(lambda block: _is_title(text, block), rest)
        titles = [title for block in top if (title := _title(text, block))]
        measure = measure or "".join(titles[-1:])
        scale = _only(each.scale for each in said)
        aside = [x for each in rest for x in _IN_BRACKETS.findall(text, each.start, each.end)]
        return [Caption(measure, scale or _only(map(scale_of, aside)))]
    return [_above(text, runs[at - 1][1]) if at else NO_CAPTION for at in tables]


def _above(text: str, blocks: Sequence[Block]) -> Caption:
    """What the last of the blocks above a table tells, or else the heading over it."""
    told = _told(text, blocks[-1])
    headings = (block for block in reversed(blocks) if block.kind == "heading")
    heading = next(headings, None)
    if told.measure or heading is None:
        return told
    return replace(told, measure=_title(text, heading))


def _is_title(text: str, block: Block) -> bool:
    words = text[block.start : block.end].split()
    return block.kind == "heading" or (
        0 < len(words) <= LONGEST_MEASURE and not words[-1].endswith((".", ":", ";", ","))
    )


def _title(text: str, block: Block) -> str:
    """What a heading names, without its number; empty where it names no subject."""
    title = _NUMBERED.sub("", " ".join(text[block.start : block.end].split()).strip("*_#: "))
    title = _ASIDE.sub("", title).strip(" .:–—-")
    named = title[:1].isalpha() and not _NO_TITLE.search(title)
    return title if named and len(title.split()) <= LONGEST_TITLE else ""


def _only(told: Iterable[str]) -> str:
    """What all say that say something."""
    several = {each for each in told if each}
    return several.pop() if len(several) == 1 else ""


def _told(text: str, block: Block) -> Caption:
    """What a paragraph's last sentences say of a table."""
    if block.kind == "heading":
        return NO_CAPTION
    end = " ".join(text[max(block.start, block.end - LONGEST_CAPTION) : block.end].split())
    leads = [each for each in _SENTENCE.split(end) if _LEADS.search(each)]
    scale = next((found for each in leads if (found := scale_of(each))), "")
    amounts = _AMOUNTS.search(end)
    scale = scale or (scale_of(amounts.group()) if amounts else "")
    return Caption(_only(_measure(each) for each in leads), scale)


def _measure(sentence: str) -> str:
    found = _SHOWS.match(sentence) or _IS.match(sentence)
    if not found:
        return ""
    what = _CLOSING.sub("", _ASIDE.sub("", next(filter(None, found.groups()))))
    while opening := _OPENING.match(what):
        what = what[opening.end() :]
    what = _NET.sub("", what).strip()
    if not what or _NO_MEASURE.search(what):
        return ""
    longest = LONGEST_MEASURE if MEASURES.search(what) else LONGEST_NAME
    return what if len(what.split()) <= longest else ""
