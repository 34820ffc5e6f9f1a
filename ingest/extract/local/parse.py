"""Grammar of a text: sentences as plain lists, made by spaCy and free of its objects."""

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hlg.ingest.extract.local.frames.decode import Frame
from hlg.ingest.extract.local.frames.named import Name
from hlg.models.spacy_pipeline import load_english
from hlg.words.no_names import SECTION_LABELS

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc, Token

    Tag = Callable[[Token], str]

BATCH_BLOCKS = 64
"""Blocks that go through the pipeline together, and the most tokens that they may have:
its memory grows with them."""
BATCH_TOKENS = 30_000
DENSE_BLOCK, DENSITY = 400, 0.6
"""A block of so many characters with so many tokens a character is no prose: English has
0.2, source code 0.4. It is cut into statements without a parse, which costs by the token."""
PLAIN_SENTENCE = 100
"""Tokens of a sentence of what is no prose."""
LONGEST_WORD = 200
"""Longer runs without a space are cut for the parser, whose patterns are slow on them."""

_STARTS = "starts"
"""Where the tokens of a text begin, among what spaCy keeps with them."""
_UNPARSABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LONG_WORD = re.compile(rf"(\S{{{LONGEST_WORD - 1}}})\S")
# Symbols on end, each of which would be a token: rules, leaders, noise.
_SYMBOLS = re.compile(r"(?:(?:[^\w\s]|_)\s?){40,}+")
_EMPHASIS = re.compile(
    r"(?<![\w*])(\*{1,3})(?=[^\s*])[^*]{1,400}(?<=[^\s*])\1(?![\w*])"
    r"|(?<!\w)(_{1,3})(?=[^\s_])[^_]{1,400}(?<=[^\s_])\2(?!\w)"
)
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LABELS = "|".join(sorted(SECTION_LABELS, key=len, reverse=True)).upper()
_IN_LABELS = "ANALYSIS|COLLECTION|EVIDENCE|EXTRACTION|PRINCIPAL|RECENT|REVIEW|SELECTION|SOURCES"
_JOINTS = r"(?:,? AND |, ?| ?/ ?| & | OF | )"
_SECTION_LABEL = re.compile(
    rf"(?:(?<=\A)|(?<=[.!?)\]]\s))(?=[A-Z,/& ]*\b(?:{_LABELS})\b)"
    rf"(?:{_LABELS}|{_IN_LABELS})(?:{_JOINTS}(?:{_LABELS}|{_IN_LABELS}))*\b"
    r"(?::\s*|\s+)(?=[A-Z0-9][^A-Z]|[A-Z]{2,}[\s\d-])"
)
"""What a part of an abstract begins with: "RESULTS", "METHODS AND FINDINGS:"."""


def no_states() -> NDArray[np.float16]:
    """States of no word."""
    return np.zeros((0, 0), np.float16)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence's tokens, each list one item a token.

    ``heads`` and ``children`` are positions in the sentence; a root is its own head.
    ``starts`` and ``ends`` are offsets into the document's text. ``entities`` are spans of
    tokens ``[first, end)`` with spaCy's label. ``frames`` are its predicates with what they
    are said of, ``names`` what it names, and ``states`` what the reader made of each word
    (words, width), where one has read them.
    """

    words: list[str]
    tags: list[str]
    deps: list[str]
    heads: list[int]
    children: list[list[int]]
    starts: list[int]
    ends: list[int]
    entities: list[tuple[int, int, str]]
    frames: tuple[Frame, ...] = ()
    names: tuple[Name, ...] = ()
    states: NDArray[np.float16] = field(default_factory=no_states, compare=False, repr=False)

    def left_edge(self, token: int) -> int:
        """First token of the subtree."""
        while (children := self.children[token]) and children[0] < token:
            token = children[0]
        return token

    def right_edge(self, token: int) -> int:
        """Last token of the subtree."""
        while (children := self.children[token]) and children[-1] > token:
            token = children[-1]
        return token

    def text(self, first: int, end: int) -> str:
        """Tokens ``[first, end)`` joined as they stood, any white space as one space."""
        pieces = [self.words[first]] if first < end else []
        for token in range(first + 1, end):
            if self.starts[token] > self.ends[token - 1]:
                pieces.append(" ")
            pieces.append(self.words[token])
        return " ".join("".join(pieces).split())


def parsable(text: str) -> str:
    """A copy of the same length without what spaCy chokes on.

    Control characters, lone surrogates and long runs of symbols become spaces, and so do marks of
    emphasis ("**Note**"), the labels of an abstract's parts, which are no words of their
    sentences, and a character in each 200 of a longer run.
    """
    text = _UNPARSABLE.sub(" ", text)
    text = _EMPHASIS.sub(_unmarked, _EMPHASIS.sub(_unmarked, text))
    text = _SYMBOLS.sub(_blank, text)
    text = _SECTION_LABEL.sub(_blank, text)
    return _LONG_WORD.sub(r"\1 ", text)


def _blank(run: re.Match[str]) -> str:
    return " " * len(run.group())


def _unmarked(emphasis: re.Match[str]) -> str:
    marks = len(emphasis[1] or emphasis[2])
    return " " * marks + emphasis.group()[marks:-marks] + " " * marks


def words_of(text: str) -> list[str]:
    """The tokens of a text, white space aside."""
    return [token.text for token in load_english().tokenizer(parsable(text)) if not token.is_space]


def parse(
    blocks: Iterable[tuple[int, str]],
    load: "Callable[[], Language]" = load_english,
    tag: "Tag" = operator.attrgetter("tag_"),
) -> Iterator[list[Sentence]]:
    """The sentences of each block of text, which begins at the offset given with it.

    :param load: gives the language's pipeline.
    :param tag: what :attr:`Sentence.tags` holds of a token of spaCy's.
    """
    pipeline = load()
    batch: list[tuple[Doc | str, int]] = []
    tokens = 0
    for start, text in blocks:
        block = _prepared(parsable(text), pipeline)
        batch.append((block, start))
        tokens += len(block)
        if len(batch) == BATCH_BLOCKS or tokens > BATCH_TOKENS:
            yield from _parsed(batch, pipeline, tag)
            batch, tokens = [], 0
    yield from _parsed(batch, pipeline, tag)


def _prepared(text: str, pipeline: "Language") -> "Doc | str":
    """A block's tokens, white space aside; its text where it is no prose."""
    if len(text) >= DENSE_BLOCK and len(_TOKEN.findall(text)) >= DENSITY * len(text):
        return text
    doc = pipeline.make_doc(text)
    tokens = [token for token in doc if not token.is_space]
    starts = [token.idx for token in tokens]
    if len(tokens) < len(doc):
        follows = zip(tokens, [*starts[1:], len(text)], strict=False)
        spaced = [token.idx + len(token) < start for token, start in follows]
        doc = type(doc)(doc.vocab, words=[token.text for token in tokens], spaces=spaced)
    doc.user_data[_STARTS] = starts
    return doc


def _parsed(
    batch: "Sequence[tuple[Doc | str, int]]", pipeline: "Language", tag: "Tag"
) -> Iterator[list[Sentence]]:
    documents = [block for block, _ in batch if not isinstance(block, str)]
    parsed = pipeline.pipe(documents, batch_size=BATCH_BLOCKS)
    for block, start in batch:
        if isinstance(block, str):
            yield list(plain_sentence(block, start))
        else:
            yield list(_sentences(next(parsed), start, tag))


def plain_sentence(text: str, offset: int) -> Iterator[Sentence]:
    """Tokens without grammar, so many a sentence."""
    found = [match.span() for match in _TOKEN.finditer(text)]
    for first in range(0, len(found), PLAIN_SENTENCE):
        spans = found[first : first + PLAIN_SENTENCE]
        yield Sentence(
            words=[text[start:end] for start, end in spans],
            tags=[""] * len(spans),
            deps=[""] * len(spans),
            heads=list(range(len(spans))),
            children=[[] for _ in spans],
            starts=[start + offset for start, _ in spans],
            ends=[end + offset for _, end in spans],
            entities=[],
        )


def _children(heads: Sequence[int]) -> list[list[int]]:
    """For each token those that hang on it, in order."""
    children: list[list[int]] = [[] for _ in heads]
    for token, head in enumerate(heads):
        if head != token:
            children[head].append(token)
    return children


def _sentences(doc: "Doc", offset: int, tag: "Tag") -> Iterator[Sentence]:
    places = doc.user_data[_STARTS]
    for part in doc.sents if len(doc) else ():
        heads = [token.head.i - part.start for token in part]
        yield Sentence(
            words=[token.text for token in part],
            tags=[tag(token) for token in part],
            deps=[token.dep_ for token in part],
            heads=heads,
            children=_children(heads),
            starts=[places[token.i] + offset for token in part],
            ends=[places[token.i] + len(token) + offset for token in part],
            entities=[
                (each.start - part.start, each.end - part.start, each.label_) for each in part.ents
            ],
        )
