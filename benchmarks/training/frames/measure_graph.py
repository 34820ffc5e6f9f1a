"""How many of the facts that sentences state come to stand in the graph, and how many of those
that stand there they state."""

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benchmarks.training.frames.confidence import FOLDS, fold_of, trees_file
from benchmarks.training.frames.examples import Example
from benchmarks.training.frames.marks import BE, HAVE, Marked
from benchmarks.training.frames.measure import ENOUGH, Binary, Counts
from hlg.ids import chunk_id, source_id
from hlg.ingest.extract.local.extractor import LocalExtractor
from hlg.ingest.extract.local.frames import confidence
from hlg.records import Chunk, Document, Entity, Fact
from hlg.words import word_set

Words = frozenset[str]
WITH_PREDICATE = 0.6
"""F1 of the words of predicate and object together from which on they agree: "is head of" Lindholm
says what "is" and "head of Lindholm" do."""
_SMALL = BE | HAVE | word_set("to in on at by for with from and of do does did will would as")
_POINTING = word_set("""
he she it they i we you this that these those his her its their who which him them there one here
us me
""")
_DETERMINERS = {"the", "a", "an", "s"}
_IS = BE | HAVE | {"became", "become"}


@dataclass(frozen=True, slots=True)
class _Told:
    """Words of a fact: of each form of its subject, of its predicate, its object, and of when, on
    what condition and by whose account; of what is marked ``kind`` is that of its frame."""

    subjects: tuple[Words, ...]
    predicate: Words
    object: Words
    beside: tuple[Words, ...] = ()
    kind: str = "stated"


def count_facts(
    held: Sequence[Example], read: Sequence[Sequence[Binary]], shown: float
) -> dict[str, Counts]:
    """By genre; a document's sentences are one document in the graph, a paragraph each.

    :param read: what :func:`~.measure.binary` gives of each sentence: the trees that judge a
        document's facts learn from those of the others.
    :param shown: chance from which on a fact counts.
    """
    documents: dict[str, list[Marked]] = defaultdict(list)
    for each in held:
        documents[each.marked.document].append(each.marked)
    counts: dict[str, Counts] = defaultdict(Counts)
    for fold in range(FOLDS):
        others = [at for at, each in enumerate(held) if fold_of(each) != fold]
        own = {each.marked.document for each in held if fold_of(each) == fold}
        with _judged_by(trees_file([held[at] for at in others], [read[at] for at in others])):
            for name in sorted(own):
                _count(counts[documents[name][0].genre], name, documents[name], shown)
    return counts


@contextmanager
def _judged_by(trees: str) -> Iterator[None]:
    """Has facts judged by other trees than the ones that ship."""
    shipped = confidence.MODEL
    with tempfile.TemporaryDirectory() as folder:
        confidence.MODEL = Path(folder) / "confidence_trees.txt"
        confidence.MODEL.write_text(trees, "utf-8")
        try:
            yield
        finally:
            confidence.MODEL = shipped


def _count(of: Counts, name: str, parts: Sequence[Marked], shown: float) -> None:
    for part, found in zip(parts, _facts(name, parts, shown), strict=True):
        stated = list(_marked(part))
        of.stated += len(stated)
        of.read += len(found)
        of.found += sum(any(_same(fact, each) for fact in found) for each in stated)
        true = [*stated, *_done(part)]
        of.right += sum(any(_same(fact, each, beside=False) for each in true) for fact in found)


def _facts(name: str, parts: Sequence[Marked], shown: float) -> list[list[_Told]]:
    """Of each part what is shown of it."""
    text = "\n\n".join(each.text for each in parts)
    ends = [len("\n\n".join(each.text for each in parts[: at + 1])) for at in range(len(parts))]
    source = source_id(name)
    chunk = Chunk(chunk_id(source, 0, len(text)), source, 0, 0, len(text), text)
    extraction = LocalExtractor().extract(Document(name, "", text), [chunk])
    entities = {each.id: each for each in extraction.entities}
    starts = {each.id: each.start for each in extraction.statements}
    found: list[list[_Told]] = [[] for _ in parts]
    for fact in extraction.facts:
        for statement in fact.statement_ids if fact.confidence >= shown else ():
            at = next(at for at, end in enumerate(ends) if starts[statement] < end)
            found[at].append(_told(fact, entities))
    return found


def _told(fact: Fact, entities: Mapping[str, Entity]) -> _Told:
    subject = entities[fact.subject_id]
    said = entities[fact.object_id].name if fact.object_id else fact.object_value or ""
    beside = "; ".join((fact.time, fact.condition, fact.attributed_to)).split("; ")
    return _Told(
        tuple(map(_words, (subject.name, *subject.aliases))),
        _words(fact.predicate),
        _words(said),
        tuple(map(_words, filter(None, beside))),
    )


def _marked(part: Marked) -> Iterator[_Told]:
    for frame in part.frames:
        predicate = _words(" ".join(part.text[slice(*piece)] for piece in frame.predicate))
        for subject in frame.subjects or ((0, 0),):
            for _, piece in frame.arguments:
                subjects = (_words(part.text[slice(*subject)]),)
                yield _Told(subjects, predicate, _words(part.text[slice(*piece)]), (), frame.kind)


def _done(part: Marked) -> Iterator[_Told]:
    """What has no argument: "was" and "approved" stand for it in the graph."""
    for frame in part.frames:
        pieces = [part.text[slice(*piece)] for piece in frame.predicate]
        if not frame.arguments and pieces:
            *helped, verb = " ".join(pieces).split()
            for subject in frame.subjects:
                subjects = (_words(part.text[slice(*subject)]),)
                yield _Told(subjects, _words(" ".join(helped)), _words(verb))


def _words(text: str) -> Words:
    """Words without their last s: what somebody says with "I" is told of them with one."""
    words = frozenset(re.findall(r"\w+", text.lower())) - _DETERMINERS
    return (words & _SMALL) | {re.sub(r"(?<=\w\w\w)s$", "", word) for word in words - _SMALL}


def _same(fact: _Told, marked: _Told, *, beside: bool = True) -> bool:
    """Whether a fact says what is marked; of a pronoun any subject may be what it means."""
    both = marked.predicate | marked.object
    said = bool(fact.object & marked.object) and (
        _agree(fact.object, marked.object) >= ENOUGH
        or _agree(fact.predicate | fact.object, both) >= WITH_PREDICATE
    )
    if not said and not (beside and _any_agrees(fact.beside, marked.object)):
        return False
    if marked.kind != "stated":
        same = bool(fact.predicate & _IS)
    else:
        shared = fact.predicate & marked.predicate
        same = bool(shared - _SMALL) or (bool(shared) and marked.predicate <= _SMALL)
    (subject,) = marked.subjects
    return same and (
        not subject
        or not _POINTING.isdisjoint(subject)
        or _any_agrees(fact.subjects, subject)
        or _any_agrees(
            (each | fact.predicate for each in fact.subjects), subject | marked.predicate
        )
    )


def _any_agrees(several: Iterable[Words], one: Words) -> bool:
    return any(_agree(each, one) >= ENOUGH for each in several)


def _agree(one: Words, other: Words) -> float:
    return 2 * len(one & other) / max(1, len(one) + len(other))
