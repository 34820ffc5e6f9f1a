"""The languages that the local extractor reads, and which a document is in."""

from collections.abc import Mapping, Set
from importlib.util import find_spec

from hlg.extras import how_to_install
from hlg.ingest.extract.local.languages.base import Grammar
from hlg.ingest.text.language import detect_language
from hlg.models.spacy_pipeline import FRENCH
from hlg.records import Document
from hlg.registry import Registry, Row

ENGLISH, OTHER = "en", "other"
BY_GRAMMAR = frozenset((ENGLISH, "fr"))
"""Languages whose facts are found."""
MULTILINGUAL_EMBEDDER = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
_HERE = __name__
LANGUAGES: Registry[Row[Grammar]] = Registry(
    "language",
    {
        ENGLISH: Row("English: names, references and facts", f"{_HERE}.english", "GRAMMAR"),
        "fr": Row("French: names and facts (extra fr)", f"{_HERE}.french", "GRAMMAR"),
        "de": Row("German: sentences, names of two words, no facts", f"{_HERE}.other", "GERMAN"),
        OTHER: Row(
            "any other: sentences, names by their shape, no facts", f"{_HERE}.other", "GRAMMAR"
        ),
    },
)
"""Every language by its ISO 639-1 code."""


def language_of(document: Document) -> str:
    """The code of a document's language: what its text shows, else what it says of itself,
    else English, for it is too short to tell."""
    told = detect_language(document.text) or str(document.metadata.get("language", ""))
    code = told.replace("_", "-").partition("-")[0].lower()
    return code if len(code) == 2 else ENGLISH


def grammar_of(code: str) -> Grammar:
    """What reads a language; one without a row, or whose model is missing, is read by shape."""
    return LANGUAGES[code if code in LANGUAGES and is_installed(code) else OTHER].load()


def is_installed(code: str) -> bool:
    """Whether the model of a language is there."""
    return code != "fr" or find_spec(FRENCH.module) is not None


def language_advice(counts: Mapping[str, int], embedded: Set[str]) -> list[str]:
    """A line by language that is not read by grammar, and one for those that the embedder does
    not know.

    :param counts: documents by the code of their language.
    :param embedded: codes of the languages that the embedder knows; empty where it is unknown.
    """
    told = []
    for code, count in counts.items():
        many = f"{_documents(count)} in {code!r}"
        if code in LANGUAGES and not is_installed(code):
            told.append(f"{many}: no facts; {how_to_install(code)} lets them be read by grammar")
        elif code not in BY_GRAMMAR:
            told.append(f"{many}: sentences and names by their shape, no facts")
    foreign = sum(count for code, count in counts.items() if embedded and code not in embedded)
    if foreign:
        told.append(
            f"{_documents(foreign)} in languages that the embedder does not know; one that does "
            f"finds them: {how_to_install('torch')}, and embedder = "
            f"'{MULTILINGUAL_EMBEDDER}' in hlg.toml"
        )
    return told


def _documents(count: int) -> str:
    return f"{count} document{'s' if count > 1 else ''}"
