"""What can be seen of a fact in its sentence, as short texts for the judge of facts.

They say how its subject and object stand to the verb, what of the sentence it leaves out, and
what kind of text the sentence is.
"""

import re
from collections.abc import Iterator, Sequence

from hlg.ingest.extract.local.facts.triples import Triple
from hlg.ingest.extract.local.parse import Sentence
from hlg.words.lexicon import CONCEPT

__all__ = ["COMMON_SUBJECT", "triple_traits"]

COMMON_SUBJECT = f"subject=noun {CONCEPT}"
"""The trait of a fact about a common noun."""

LONGEST_PATH = 6
"""Arcs of the path between subject and object that are told; a longer one is only long."""
_LIMITS = frozenset(
    ("relcl", "acl", "prep", "xcomp", "ccomp", "advcl", "appos", "conj", "npadvmod")
)
"""What a phrase leaves out with these may be what its noun needs."""
_MARKS = re.compile(r"[:;()\[\]\"“”*`/=<>|\\–—&@#$%]")
_SPOKEN = frozenset(("i", "you", "we", "me", "my", "your", "our", "us", "'m", "let"))


def triple_traits(
    sentence: Sentence, triple: Triple, predicate: str, of_subject: str, of_object: str
) -> Iterator[str]:
    """What is seen of a fact that a verb or a noun tells.

    :param of_subject: how the subject is told: a name, a pronoun, a common noun.
    :param of_object: likewise.
    """
    yield f"subject={of_subject}"
    yield f"object={of_object}"
    yield f"told={of_subject} {of_object}"
    yield from _of_predicate(predicate)
    yield from _of_end("s", sentence, triple.subject, (triple.subject, triple.subject + 1))
    yield from _of_end("o", sentence, triple.object, triple.phrase)
    yield from _of_phrase(sentence, triple)
    yield from _of_path(sentence, triple)
    yield from _of_sentence(sentence)


def _of_sentence(sentence: Sentence) -> Iterator[str]:
    """What kind of sentence it is that tells a fact."""
    words, tags = sentence.words, sentence.tags
    count = len(words)
    yield "always"
    yield f"long={min(count // 6, 10)}"
    yield f"verbs={min(sum(tag.startswith('VB') for tag in tags), 7)}"
    yield f"commas={min(words.count(','), 5)}"
    yield f"ends={words[-1] if not words[-1][-1].isalnum() else 'word'}"
    yield f"first={words[0].lower()[:15]}"
    yield f"first tag={tags[0]} {'X' if words[0][0].isupper() else 'x'}"
    root = next((at for at, dep in enumerate(sentence.deps) if dep == "ROOT"), 0)
    yield f"root={tags[root]}"
    for mark in sorted({m for word in words for m in _MARKS.findall(word)}):
        yield f"has {mark}"
    if any(word.lower() in _SPOKEN for word in words):
        yield "spoken"
    if any(char.isdigit() for word in words for char in word):
        yield "digits"
    capital = sum(word[0].isupper() for word in words)
    yield f"capitals={4 * capital // count}"
    for dep in ("csubj", "dep", "parataxis", "intj", "meta"):
        if dep in sentence.deps:
            yield f"has {dep}"


def _of_predicate(predicate: str) -> Iterator[str]:
    words = predicate.lower().split()
    yield f"p={' '.join(words[:6])}"
    yield f"p words={min(len(words), 6)}"
    yield f"p first={words[0]}"
    yield f"p last={words[-1]}"
    for word in words:
        yield f"p word={word}"
    if "," in predicate:
        yield "p condition"


def _of_end(end: str, sentence: Sentence, token: int, phrase: tuple[int, int]) -> Iterator[str]:
    words, tags, deps = sentence.words, sentence.tags, sentence.deps
    yield f"{end} tag={tags[token]}"
    yield f"{end} dep={deps[token]}"
    yield f"{end} word={words[token].lower()[:20]}"
    first, last = phrase
    before = words[first - 1].lower()[:15] if first else "<s>"
    after = words[last].lower()[:15] if last < len(words) else "</s>"
    yield f"{end} before={before}"
    yield f"{end} after={after}"
    yield f"{end} after tag={tags[last] if last < len(words) else '</s>'}"
    for child in sentence.children[token]:
        yield f"{end} child={deps[child]}"
        if deps[child] == "det":
            yield f"{end} det={words[child].lower()}"
        if not first <= child < last and deps[child] in _LIMITS:
            yield f"{end} leaves={deps[child]} {words[child].lower()[:12]}"
            yield f"{end} leaves={deps[child]} {end}{'>' if child > token else '<'}"


def _of_phrase(sentence: Sentence, triple: Triple) -> Iterator[str]:
    first, end = triple.phrase
    yield f"o words={min(end - first, 8)}"
    yield f"o tags={' '.join(sentence.tags[first : min(end, first + 5)])}"
    yield f"o first={sentence.words[first].lower()[:15]}"
    yield f"o last={sentence.words[end - 1].lower()[:15]}"
    rest = len(sentence.words) - end
    yield f"o rest={min(rest // 3, 6)}"
    yield f"apart={min(abs(triple.object - triple.subject) // 3, 8)}"
    if triple.object < triple.subject:
        yield "o before s"


def _of_path(sentence: Sentence, triple: Triple) -> Iterator[str]:
    """The way from subject to object through the grammar, and what hangs on its top."""
    ups = _above(sentence, triple.subject)
    downs = _above(sentence, triple.object)
    top = next((token for token in ups if token in downs), -1)
    if top < 0:
        yield "no path"
        return
    up = [sentence.deps[token] for token in ups[: ups.index(top)]]
    down = [sentence.deps[token] for token in reversed(downs[: downs.index(top)])]
    short = len(up) + len(down) <= LONGEST_PATH
    yield f"path={' '.join(up)}^{' '.join(down)}" if short else "path long"
    yield f"path up={' '.join(up[-2:])}"
    yield f"path down={' '.join(down[:3])}"
    yield f"top={sentence.tags[top]} {sentence.deps[top]}"
    yield f"top dep={sentence.deps[top]}"
    yield f"top word={sentence.words[top].lower()[:15]}"
    yield f"top up={sentence.deps[top]} {sentence.words[sentence.heads[top]].lower()[:15]}"
    for child in sentence.children[top]:
        dep, word = sentence.deps[child], sentence.words[child].lower()[:12]
        yield f"top child={dep}"
        if dep in ("advmod", "mark", "prep", "advcl", "cc", "aux", "neg", "prt", "dative"):
            yield f"top has={dep} {word}"
    above = sentence.heads[top]
    for child in sentence.children[above] if above != top else ():
        if sentence.deps[child] in ("mark", "advmod"):
            yield f"above has={sentence.words[child].lower()[:12]}"


def _above(sentence: Sentence, token: int) -> Sequence[int]:
    found = [token]
    while sentence.heads[token] != token and len(found) < 40:
        token = sentence.heads[token]
        found.append(token)
    return found
