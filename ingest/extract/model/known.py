"""Which extractor a graph was last built with, so that a new one is said before it is paid."""

import json
import logging
from pathlib import Path

from hlg.whole_file import write_whole_text

logger = logging.getLogger(__name__)

FILE = "extractor.json"


def warn_if_new(folder: Path, extractor: str, sources: int) -> None:
    """Say that what the graph holds will be asked about again, where that is so.

    :param folder: where what is derived from the graph is kept.
    :param extractor: the extractor's name, with its model and its prompts' versions.
    """
    try:
        before = json.loads((folder / FILE).read_text("utf-8"))["extractor"]
    except (OSError, ValueError, KeyError, TypeError):
        return
    if before != extractor and sources:
        logger.warning(
            "the model, a prompt or the domain has changed since the last build: of the %d "
            "sources in the graph, those under the given paths are asked about again; "
            "hlg estimate says what that costs",
            sources,
        )


def remember(folder: Path, extractor: str) -> None:
    """Keep the extractor's name for the next build."""
    write_whole_text(folder / FILE, json.dumps({"extractor": extractor}), make_folder=True)
