"""Any language without a grammar here: sentences by their marks, names by their shape.

A word with a capital inside a sentence is a name where only names have capitals. In German
every noun has one: there two such words on end, or an abbreviation, are. Where letters have
no case, the document's title alone names anything.
"""

from collections.abc import Iterable, Iterator, Sequence

from hlg.ingest.extract.local.languages.base import Grammar
from hlg.ingest.extract.local.languages.named import NamedReading, NamedSpan
from hlg.ingest.extract.local.parse import Sentence, parsable, plain_sentence
from hlg.ingest.text.sentences import sentence_spans
from hlg.words import words
from hlg.words.lexicon import THING

LONGEST_NAME = 8
"""Tokens of the longest name."""
_PRONOUNS = frozenset(["sie", "ihr", "ihre", "ihren", "ihrem", "ihrer", "ihres", "ihnen"])
"""German addresses people by pronouns with a capital."""
_JOINTS = words("foreign", "joints")
"""What stands inside a name: "Ludwig van Beethoven", "Rio de Janeiro"."""
_NOT_FIRST = words("foreign", "not first")
"""What stands at the beginning of a sentence and begins no name."""
_JOINS = frozenset(("-", "'", "’", ".", "&"))


def parse_by_marks(blocks: Iterable[tuple[int, str]]) -> Iterator[list[Sentence]]:
    """The sentences of each block of text by their marks alone."""
    for start, text in blocks:
        clean = parsable(text)
        yield [
            each
            for first, end in sentence_spans(clean)
            for each in plain_sentence(clean[first:end], start + first)
        ]


def _known_end(sentence: Sentence, first: int, known: Sequence[tuple[str, ...]]) -> int | None:
    lowered = [word.lower() for word in sentence.words[first : first + LONGEST_NAME]]
    ends = [first + len(words) for words in known if tuple(lowered[: len(words)]) == words]
    return max(ends, default=None)


def _run_end(sentence: Sentence, first: int, before_joint: int) -> int | None:
    """Where a run of names that begins at a token ends; None where none does.

    :param before_joint: words that a small word joins to more: "Haus der Kulturen" is no name.
    """
    words = sentence.words
    no_beginning = _PRONOUNS if first else _NOT_FIRST | _PRONOUNS
    if not _is_capital(words[first]) or words[first].lower() in no_beginning:
        return None
    end = first + 1
    while end < len(words) and end - first < LONGEST_NAME:
        after = end
        while after < len(words) and words[after] in _JOINS and not _is_apart(sentence, after):
            after += 1
        if after == end and end - first >= before_joint:
            while after < len(words) and words[after] in _JOINTS and after - end < 2:
                after += 1
        following = words[after] if after < len(words) else ""
        if not _is_capital(following) or following.lower() in _PRONOUNS:
            break
        end = after + 1
    return end


def _is_apart(sentence: Sentence, token: int) -> bool:
    """Whether a mark stands alone, or ends what is before it."""
    following = token + 1
    return sentence.starts[token] > sentence.ends[token - 1] or (
        following < len(sentence.words) and sentence.starts[following] > sentence.ends[token]
    )


def _is_capital(word: str) -> bool:
    return len(word) > 1 and word[0].isupper()


def _abbreviates(word: str) -> bool:
    return sum(map(str.isupper, word)) > 1


class _ShapeReading(NamedReading):
    noun_capitals = False
    """Where all nouns have them, any word alone is doubtful, and two that begin a sentence."""

    def spans_in(self, sentence: Sentence, known: Sequence[tuple[str, ...]]) -> Sequence[NamedSpan]:
        """Runs of words with capitals, joined by small words, and the names that are known.

        The first word of a sentence has a capital anyway: alone it is doubtful.
        """
        spans: list[NamedSpan] = []
        token = 0
        while token < len(sentence.words):
            known_end = _known_end(sentence, token, known)
            end = known_end or _run_end(sentence, token, 1 + self.noun_capitals)
            if end is None:
                token += 1
                continue
            words = sentence.words[token:end]
            few = sum(map(_is_capital, words)) < 1 + self.noun_capitals + (token == 0)
            doubtful = few and not (known_end or any(map(_abbreviates, words)))
            spans.append(NamedSpan(token, end, sentence.text(token, end), THING, doubtful))
            token = end
        return spans


class _GermanReading(_ShapeReading):
    noun_capitals = True


GRAMMAR = Grammar(parse_by_marks, _ShapeReading)
GERMAN = Grammar(parse_by_marks, _GermanReading)
