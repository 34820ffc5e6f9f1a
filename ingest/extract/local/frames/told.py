"""How sure it is that a fact is true as it is told, by itself: trees over what it leaves out of its
sentence, what it says, and what stands around it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path

import numpy as np

from hlg.ingest.extract.local.frames.clauses import first_joined, top_verb
from hlg.ingest.extract.local.frames.confidence import RELATIONS, loose, place_of, top_of
from hlg.ingest.extract.local.frames.decode import Frame, Span
from hlg.ingest.extract.local.parse import Sentence
from hlg.models.trees import load_trees
from hlg.records import DENIED, Factuality
from hlg.words import word_set

MODEL = Path(__file__).with_name("told_trees.txt")
"""Trees that learned from facts that were judged by reading (``benchmarks/frames.py told``)."""
SIGNALS = (
    *("chance", "linked", "link"),
    *("lost_of_subject", "lost_of_object", "lost_behind_object", "cut_of_subject", "cut_of_object"),
    *("lost_of_frame", "lost_share_of_frame", "lost_of_clause", "lost_share_of_clause"),
    *("lost_arguments", "told_arguments", "lost_measures"),
    *("subject_words", "object_words", "predicate_words", "held_words", "time_words"),
    *("source_words", "denied", "to_entity", "is_single", "is_beside"),
    *("clause", "subject_tops", "object_tops", "before", "subject_far"),
    *("object_tag", "object_first", "object_last", "object_before", "object_after"),
    *("subject_first", "subject_before", "subject_after"),
    *("capitals", "ends", "frames"),
)
"""The chance of the frame, with that of what its pronouns mean, and that alone; words that hang on
subject and object and aren't told, behind the object, within both; of the frame's spans, of its
clause; arguments beside; words of measure and condition nearby; how many words each part has, what
the object is; how the clause hangs, how many words of a part hang outside it, where it stands; tags
of what the parts begin and end with and stand beside; how the sentence is written, and what else it
says."""
_FULL = ("NN", "JJ", "CD", "VB", "PR", "RB")
"""What the tags of words begin with that say something."""
_MEASURES = word_set("""
only just almost nearly about approximately around most some many few several half each every all
any no not never both either neither more less fewer least than if unless whether may might could
would should can must until when except without as like
""")
_TAGS = (
    *("VBD", "VBZ", "VBP", "VBN", "VBG", "VB", "NN", "NNS", "NNP", "NNPS", "JJ", "JJR", "CD", "RB"),
    *("PRP", "IN", "DT", "PRP$", "TO", "CC", ",", ".", ":", "WDT", "WP", "WRB", "MD", "EX", "POS"),
    *("HYPH", "-LRB-", "-RRB-", "UH", "RP", "``", "''"),
)
_LEAST = 1e-3


@dataclass(frozen=True, slots=True)
class Telling:
    """A fact in words, the spans that it is told of, and the chances of these and of what its
    pronouns mean; ``to_entity`` if its object is one."""

    frame: Frame
    subject_span: Span
    object_span: Span
    subject: str
    predicate: str
    object: str
    how: Factuality
    chance: float
    link: float
    to_entity: bool


def told_chance(sentence: Sentence, telling: Telling) -> float:
    """That the sentence states the fact and somebody who is told that alone is told something true:
    the mean, in log-odds, of the two chances.

    :raises ModelError: the trees are missing or damaged.
    """
    row = signals(sentence, telling)
    score = load_trees(MODEL, SIGNALS).scores(np.array([row], np.float32))[0]
    return mean_chance(float(score), row)


def mean_chance(score: float, row: Sequence[float]) -> float:
    """The mean, in log-odds, of what the trees say of a row and of its own ``linked`` chance."""
    return 1 / (1 + exp(-(score + row[SIGNALS.index("linked")]) / 2))


def signals(sentence: Sentence, telling: Telling) -> tuple[float, ...]:
    """What the trees weigh: numbers in the order of :data:`SIGNALS`."""
    linked = telling.chance * telling.link
    return (
        *(_log_odds(telling.chance), _log_odds(linked), telling.link),
        *_losses(sentence, telling),
        *_sizes(telling),
        *_hangs(sentence, telling),
        *_neighbours(sentence, telling),
        sum(map(str.isupper, sentence.words)) / len(sentence.words),
        sentence.words[-1] in (".", "!", "?", '"', "”", ")"),
        len(sentence.frames),
    )


def _losses(sentence: Sentence, telling: Telling) -> Iterator[float]:
    """What the fact leaves out of the sentence."""
    frame, how = telling.frame, telling.how
    subject, object_ = telling.subject_span, telling.object_span
    fields = (how.time, how.condition, how.attributed_to, how.modality)
    told = {*_words(" ".join((telling.subject, telling.predicate, telling.object, *fields)))}
    full = {
        at
        for at, tag in enumerate(sentence.tags)
        if tag[:2] in _FULL and not told.issuperset(_words(sentence.words[at]))
    }
    own = {at for span in (subject, object_, *frame.of("predicate")) for at in _places(span)}
    lost, cut = full - own, {at for at in full if sentence.tags[at][:2] != "PR"}
    said = {at for span in frame.spans for at in _places(span)}
    object_top = top_of(sentence, object_.first, object_.end)
    of_subject = range(0)
    if subject:
        of_subject = _below(sentence, top_of(sentence, subject.first, subject.end))
    of_object, within = _below(sentence, object_top), _below(sentence, top_verb(sentence, frame))
    yield len(lost.intersection(of_subject))
    yield len(lost.intersection(of_object))
    yield len(lost.intersection(range(object_.end, of_object.stop)))
    yield len(cut.intersection(_places(subject)))
    yield len(cut.intersection(_places(object_)))
    yield len(lost & said)
    yield len(lost & said) / max(1, len(said))
    yield len(lost.intersection(within))
    yield len(lost.intersection(within)) / len(within)
    arguments = [_words(sentence.text(at.first, at.end)) for at in frame.of("argument")]
    yield sum(not told.issuperset(words) for words in arguments)
    yield sum(told.issuperset(words) for words in arguments)
    first = min([frame.head, object_.first, *([subject.first] if subject else [])])
    around = sentence.words[max(0, first - 2) : max(frame.head + 1, object_.end) + 2]
    yield sum(word.lower() in _MEASURES - told for word in around)


def _sizes(telling: Telling) -> Iterator[float]:
    """How many words each part has, and what the object is."""
    how, predicate = telling.how, len(_words(telling.predicate))
    yield len(_words(telling.subject))
    yield len(_words(telling.object))
    yield predicate
    yield predicate - sum(len(span) for span in telling.frame.of("predicate"))
    yield len(_words(how.time))
    yield len(_words(how.attributed_to))
    yield how.polarity == DENIED
    yield telling.to_entity
    yield len(telling.object_span) == 1
    yield telling.object_span.role in ("other", "time", "place")


def _hangs(sentence: Sentence, telling: Telling) -> Iterator[float]:
    """How clause, subject and object hang in the sentence, and where they stand."""
    frame, subject, object_ = telling.frame, telling.subject_span, telling.object_span
    clause = first_joined(sentence, top_verb(sentence, frame))
    yield place_of(RELATIONS, sentence.deps[clause])
    yield len(loose(sentence, subject)) if subject else 0
    yield len(loose(sentence, object_))
    yield min(frame.head, object_.first)
    yield abs(subject.end - frame.head) if subject else 0


def _neighbours(sentence: Sentence, telling: Telling) -> Iterator[float]:
    """Tags of what object and subject are, begin and end with, and stand beside."""
    subject, object_ = telling.subject_span, telling.object_span
    places = [top_of(sentence, object_.first, object_.end), object_.first, object_.end - 1]
    places += [object_.first - 1, object_.end]
    places += [subject.first, subject.first - 1, subject.end] if subject else [-1, -1, -1]
    for at in places:
        known = 0 <= at < len(sentence.tags)
        yield place_of(_TAGS, sentence.tags[at]) if known else -1


def _log_odds(chance: float) -> float:
    chance = min(max(chance, _LEAST), 1 - _LEAST)
    return log(chance / (1 - chance))


def _places(span: Span) -> range:
    return range(span.first, span.end)


def _below(sentence: Sentence, at: int) -> range:
    return range(sentence.left_edge(at), sentence.right_edge(at) + 1)


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())
