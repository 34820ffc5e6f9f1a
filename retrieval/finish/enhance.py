"""Enhancement (HLG §4.3.2): a number from a table says which one it is."""

import re
from dataclasses import replace

from hlg.records import Passage

_DIGIT = re.compile(r"\d")


def enhanced(passage: Passage) -> Passage:
    """A numeric statement with the headers, row labels and units that its details hold.

    Others, and those whose text already says it all, come back as they are. ``start`` and
    ``end`` still cite the statement itself.
    """
    if not _DIGIT.search(passage.text):
        return passage
    text = passage.text.casefold()
    parts = [part.strip() for part in passage.details.split(";")]
    missing = [part for part in parts if part and part.casefold() not in text]
    if not missing:
        return passage
    return replace(passage, text=f"{passage.text} ({'; '.join(missing)})")
