"""What the network learns from: questions with a passage, the words in it that are the answer, and
the sentences that give it.

Marked questions come with passages that hold the answer, and with passages that a search finds
and that do not. Facts give more: that of a passage is turned into a question for its subject, its
object or its date, and the same question about another subject is one that the passage leaves
unanswered. What is asked of a folder (:mod:`benchmarks.training.reading.asked`) comes with the
passages that are read for it.
"""

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.training.reading.asked import FolderQuestion, answering
from benchmarks.training.reading.held_out import is_held_out
from hlg.asking.found import FoundEvidence
from hlg.lexical.bm25 import LexicalIndex
from hlg.retrieval.answers.reading.passages import read_passages
from hlg.retrieval.answers.statements import says_something

MARKED = (
    "squad2", "hotpotqa", "2wiki_ctx", "2wiki_kgrag", "musique_train100", "tatqa", "friendsqa",
    "cuad", "multihoprag",
)  # fmt: skip
WITNESSED = ("condaqa", "scifact", "or_sharc", "medquad")
"""Sets whose questions have evidence, and no words of it as the answer."""
MOST_WITNESSED = 600
"""Questions of each."""
CROP = 430
"""Characters of a passage that an example shows."""
MOST_PLACES = 4
"""A passage that says an answer more often hardly says it as the answer."""
NO_SPANS = frozenset(("yes", "no", "insufficient information."))
RELATIONS = {
    "director": ("Who directed {}?", "Who is the director of {}?"),
    "date of birth": ("When was {} born?", "What is the date of birth of {}?"),
    "date of death": ("When did {} die?", "What is {}'s date of death?"),
    "place of birth": ("Where was {} born?", "What is the birthplace of {}?"),
    "place of death": ("Where did {} die?", "What is the place of death of {}?"),
    "country of citizenship": ("What nationality is {}?", "Which country is {} from?"),
    "country of origin": ("Which country is {} from?",),
    "country": ("In which country is {}?",),
    "father": ("Who is {}'s father?", "Who is the father of {}?"),
    "mother": ("Who is {}'s mother?",),
    "spouse": ("Who is {} married to?", "Who is the spouse of {}?"),
    "publication date": ("When was {} released?", "In what year did {} come out?"),
    "performer": ("Who performed {}?", "Who sang {}?"),
    "composer": ("Who composed {}?", "Who wrote the music of {}?"),
    "occupation": ("What did {} do for a living?", "What is the occupation of {}?"),
    "educated at": ("Where did {} study?",),
    "employer": ("Who did {} work for?",),
    "award received": ("What prize did {} win?",),
    "inception": ("When was {} founded?",),
    "founded by": ("Who founded {}?",),
    "publisher": ("Who published {}?",),
}
_YEAR = re.compile(r"\b1\d{3}\b|\b20\d{2}\b")
_BREAK = re.compile(r"(?<=[.!?])\s+|\n+")
_PRONOUNS = frozenset(("he", "she", "it", "they", "this", "his", "her", "their", "its"))


Places = tuple[tuple[int, int], ...]
"""Characters ``[start, end)`` of a text."""


@dataclass(frozen=True, slots=True)
class Example:
    """A question, a sentence to go by, a passage, and where it says the answer: nowhere, or as
    often as it is said there; None where no words are the answer. ``evidence`` are the characters
    that give it."""

    question: str
    hint: str
    passage: str
    places: Places | None
    evidence: Places


@dataclass(frozen=True, slots=True)
class _Corpus:
    documents: Mapping[str, Mapping[str, Any]]
    ids: tuple[str, ...]
    index: LexicalIndex

    @classmethod
    def read(cls, folder: Path) -> "_Corpus":
        found = {each["_id"]: each for each in _lines(folder / "corpus.jsonl")}
        texts = [f"{each['title']} {each['text'][:3000]}" for each in found.values()]
        return cls(found, tuple(found), LexicalIndex.build(texts))

    def near(self, question: str, apart: Sequence[str], count: int) -> list[str]:
        """Ids of what a search finds apart from some documents."""
        rows, _ = self.index.search(question, count + len(apart))
        return [self.ids[row] for row in rows if self.ids[row] not in apart][:count]

    def text(self, id_: str) -> str:
        return _text(self.documents[id_])


def examples(data: Path, seed: int = 0) -> list[Example]:
    """All that may be learned from, of the folder with the data sets."""
    draw = random.Random(seed)
    found: list[Example] = []
    for name in MARKED:
        corpus = _Corpus.read(data / name)
        for query in _lines(data / name / "queries.jsonl"):
            if not is_held_out(name, query):
                found += _of_query(query, corpus, draw)
    for name in WITNESSED:
        corpus = _Corpus.read(data / name)
        queries = _lines(data / name / "queries.jsonl")
        for query in [each for each in queries if not is_held_out(name, each)][:MOST_WITNESSED]:
            found += _witnessed(query, corpus, draw)
    return found


def made_examples(data: Path, seed: int = 0) -> list[Example]:
    """Those that facts of the sets give."""
    draw = random.Random(seed)
    found: list[Example] = []
    for name, file in (
        ("musique_train100", "openie_gpt35.jsonl"),
        ("2wiki_kgrag", "triples_qwen7b.jsonl"),
    ):
        documents = {each["_id"]: each for each in _lines(data / name / "corpus.jsonl")}
        subjects = [each["title"] for each in documents.values()]
        queries = _lines(data / name / "queries.jsonl")
        kept = {id_ for each in queries if is_held_out(name, each) for id_ in each["gold"]}
        for row in _lines(data / name / file):
            if row["_id"] in kept:
                continue
            document = documents[row["_id"]]
            triples = [each for each in row["triples"] if len(each) == 3 and all(each)]
            for triple in draw.sample(triples, min(3, len(triples))):
                found += _of_fact(triple, document, subjects, draw)
    return found


def _of_query(query: Mapping[str, Any], corpus: _Corpus, draw: random.Random) -> Iterator[Example]:
    question, gold = query["text"], list(query.get("gold", ()))
    answers = _answers(query)
    sentences = dict(query.get("gold_sentences", ()))
    near = corpus.near(question, gold, 3)
    others = [*query.get("near", ()), *near]
    told = [id_ for id_ in gold if _places(corpus.text(id_), answers)]
    if answers and told:
        shown = draw.sample(told, min(2, len(told)))
        for id_ in shown:
            text = corpus.text(id_)
            places = _asked_places(query, id_, text, answers)
            hints = [_hint(corpus, each, sentences) for each in gold if each != id_]
            hints = hints or [_hint(corpus, each, {}) for each in near[:1]]
            hint = draw.choice([*hints, *hints, ""])
            marked = _marked(query, id_, text) or _around(text, places)
            yield _cropped(question, hint, corpus.documents[id_], places, marked, draw)
    for step in query.get("decomposition", ()):
        if "#" not in step["q"] and step["gold"] in corpus.documents:
            text = corpus.text(step["gold"])
            places = _places(text, (step["a"],))
            around = _around(text, places)
            yield _cropped(step["q"], "", corpus.documents[step["gold"]], places, around, draw)
    if answers or not gold:
        for id_ in others[: 2 if not gold else 1]:
            text = corpus.text(id_)
            if not _places(text, answers):
                hint = draw.choice(
                    ["", _hint(corpus, draw.choice(gold or near or [id_]), sentences)]
                )
                yield _cropped(question, hint, corpus.documents[id_], (), (), draw)


def _witnessed(query: Mapping[str, Any], corpus: _Corpus, draw: random.Random) -> Iterator[Example]:
    """Of a question whose documents, or marked parts of them, are evidence."""
    gold = list(query.get("gold", ()))
    for id_ in gold[:2]:
        text = corpus.text(id_)
        evidence = _marked(query, id_, text) or ((0, len(text)),)
        yield _cropped(query["text"], "", corpus.documents[id_], None, evidence, draw)
    for id_ in [*query.get("near", ()), *corpus.near(query["text"], gold, 2)][:2]:
        yield _cropped(query["text"], "", corpus.documents[id_], (), (), draw)


def folder_examples(found: Iterable[tuple[FolderQuestion, FoundEvidence]]) -> list[Example]:
    """Those of questions that were asked of a folder: what is read for them."""
    return [example for each in found for example in _of_folder(*each)]


def _of_folder(question: FolderQuestion, found: FoundEvidence) -> Iterator[Example]:
    """Each passage with its evidence; another that says the answer by chance is left out. Of a
    chain the first step has evidence and no answer."""
    told = [place for place, each in enumerate(found.statements) if says_something(each)]
    right = answering(question, found.statements)
    passages = read_passages(found.statements, found.cosines, told)
    said = [_places(each.text, question.answers) for each in passages]
    evidence = [
        _merged((piece.start, piece.end) for piece in each.pieces if right[piece.place])
        for each in passages
    ]
    within = [
        _within(*each) if question.is_read else () for each in zip(said, evidence, strict=True)
    ]
    for passage, anywhere, marked, places in zip(passages, said, evidence, within, strict=True):
        if marked:
            kept = places if places or any(within) else None
            yield Example(question.text, passage.hint, passage.text, kept, marked)
        elif not anywhere:
            yield Example(question.text, passage.hint, passage.text, (), ())


def _within(places: Places, spans: Places) -> Places:
    return tuple(each for each in places if any(a <= each[0] and each[1] <= b for a, b in spans))


def _merged(spans: Iterable[tuple[int, int]]) -> Places:
    """Spans in order, those that touch as one."""
    found: list[tuple[int, int]] = []
    for start, end in spans:
        if found and start - found[-1][1] <= 1:
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    return tuple(found)


def _answers(query: Mapping[str, Any]) -> tuple[str, ...]:
    answer = query.get("answer")
    found = [answer, *query.get("aliases", ())] if isinstance(answer, str) else []
    is_span = not str(query.get("type", "")).startswith(("arithmetic", "count", "multi-span"))
    return tuple(x for x in found if x and x.casefold() not in NO_SPANS) if is_span else ()


def _places(text: str, answers: Sequence[str]) -> Places:
    found = []
    for answer in answers:
        pattern = rf"(?<!\w){re.escape(answer)}(?!\w)"
        found += [match.span() for match in re.finditer(pattern, text, re.IGNORECASE)]
    return tuple(sorted(set(found)))


def _asked_places(query: Mapping[str, Any], id_: str, text: str, answers: Sequence[str]) -> Places:
    """Where a document says the answer, if it can be told within what is marked."""
    places = _places(text, answers)
    marked = _marked(query, id_, text)
    return _within(places, marked) or places


def _marked(query: Mapping[str, Any], id_: str, text: str) -> Places:
    """What of a document is marked as evidence."""
    said = [each["text"] for each in query.get("gold_spans", ()) if each["doc"] == id_]
    said += [each for at, each in query.get("gold_sentences", ()) if at == id_]
    starts = ((text.find(each), len(each)) for each in said)
    return tuple(sorted({(start, start + length) for start, length in starts if start >= 0}))


def _around(text: str, places: Sequence[tuple[int, int]]) -> Places:
    """The sentences or lines that some words stand in."""
    found = set()
    for start, end in places:
        begin = max((each.end() for each in _BREAK.finditer(text, 0, start)), default=0)
        close = _BREAK.search(text, end)
        found.add((begin, close.start() if close else len(text)))
    return tuple(sorted(found))


def _hint(corpus: _Corpus, id_: str, sentences: Mapping[str, str]) -> str:
    document = corpus.documents[id_]
    said = sentences.get(id_) or re.split(r"(?<=[.!?\n])\s", document["text"])[0]
    title = document["title"]
    return f"{title}: {said}" if title and title not in said else said


def _cropped(
    question: str,
    hint: str,
    document: Mapping[str, Any],
    places: Places | None,
    evidence: Places,
    draw: random.Random,
) -> Example:
    """An example of a part of a document, with what of the answer's places it has."""
    title, text = document["title"], _text(document)
    start, asked = 0, places or evidence
    if len(text) > CROP:
        at = draw.choice(asked)[0] if asked else draw.randrange(max(1, len(text) - CROP // 2))
        start = max(0, min(at - draw.randrange(20, CROP - 120), len(text) - CROP))
        start = 0 if start < 40 else text.find(" ", start) + 1
    shown = text[start : start + CROP]
    before = f"{title}: " if start and title else ""

    def moved(spans: Places, least: int) -> Places:
        """Those that are shown, or as much of them as is."""
        cut = ((max(a - start, 0), min(b - start, CROP), b - a) for a, b in spans)
        shift = len(before)
        return tuple((a + shift, b + shift) for a, b, whole in cut if b - a >= min(whole, least))

    said = None if places is None else moved(places, len(text))[:MOST_PLACES]
    return Example(question, hint, before + shown, said, moved(evidence, 1))


def _of_fact(
    triple: Sequence[str],
    document: Mapping[str, Any],
    subjects: Sequence[str],
    draw: random.Random,
) -> Iterator[Example]:
    subject, predicate, object_ = map(str, triple)
    text = _text(document)
    if subject.casefold() in _PRONOUNS or len(object_) > 60:
        return
    asks_subject = predicate not in RELATIONS and draw.random() < 0.3
    answer = subject if asks_subject else object_
    places = _places(text, (answer,))
    if not places or len(places) > MOST_PLACES:
        return
    question = (
        _who(predicate, object_, draw) if asks_subject else asked(subject, predicate, object_, draw)
    )
    yield _cropped(question, "", document, places, _around(text, places), draw)
    if not asks_subject and draw.random() < 0.4:
        other = draw.choice(subjects)
        if other not in text:
            yield _cropped(asked(other, predicate, object_, draw), "", document, (), (), draw)


def asked(subject: str, predicate: str, object_: str, draw: random.Random) -> str:
    """A question for a fact's object."""
    if predicate in RELATIONS:
        return draw.choice(RELATIONS[predicate]).format(subject)
    if _YEAR.search(object_):
        forms = [f"When {predicate} {subject}?", f"{subject} {predicate} when?",
                 f"What year did {subject} {predicate}?"]  # fmt: skip
    elif object_[:1].isdigit():
        forms = [f"How many {predicate} {subject}?", f"{subject} {predicate} how much?"]
    elif predicate.endswith((" in", " at", " from", " near")):
        forms = [f"Where {predicate} {subject}?", f"{subject} {predicate} what place?",
                 f"Where was {subject} {predicate.rpartition(' ')[0]}?"]  # fmt: skip
    elif predicate.endswith(" by") and object_[:1].isupper():
        forms = [f"Who {predicate} {subject}?", f"Who was {subject} {predicate}?"]
    else:
        forms = [f"What {predicate} {subject}?", f"{subject} {predicate} what?",
                 f"What does {subject} {predicate}?", f"Which {predicate} {subject}"]  # fmt: skip
    return draw.choice(forms)


def _text(document: Mapping[str, Any]) -> str:
    return f"{document['title']}: {document['text']}" if document["title"] else document["text"]


def _who(predicate: str, object_: str, draw: random.Random) -> str:
    return f"{draw.choice(['Who', 'What', 'Which'])} {predicate} {object_}?"


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)
