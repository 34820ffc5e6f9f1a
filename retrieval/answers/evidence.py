"""What an answer is made of: the statements of a subgraph with their names, facts and ranks."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from hlg.facts import relation_predicate
from hlg.records import Hit, Passage
from hlg.retrieval.answers.parts import Part
from hlg.retrieval.answers.words import keys, weigh
from hlg.retrieval.context.knowledge import statement_passages, statement_ranks
from hlg.subgraph import Subgraph

LONGEST = 4_000
"""Characters of a chunk that is read whole where no statement of it is known."""
WINDOW = 600
"""Of a longer one so many are read, about: those that say most of the question."""
_BREAK = re.compile(r"(?<=[.!?])\s+|\n+")


class NamedEntity(NamedTuple):
    """An entity as statements name it."""

    name: str
    entity_class: str
    aliases: tuple[str, ...] = ()


class FactWords(NamedTuple):
    """A fact in words; the object is an entity or a value."""

    subject: str
    predicate: str
    object: str
    is_value: bool


@dataclass(frozen=True, slots=True)
class EvidenceStatement:
    """A statement that was found: its passage, the rank of the hit that led to it, what it
    mentions and what facts it supports."""

    passage: Passage
    rank: int
    entities: tuple[NamedEntity, ...] = ()
    facts: tuple[FactWords, ...] = ()
    part: Part | None = None
    """What it is shown in, where its source's layout is known."""


def above(statement: EvidenceStatement) -> str:
    """What a statement stands under: the title of its source, the headings, its subject."""
    passage, part = statement.passage, statement.part
    return f"{passage.source.title} {part.heading if part else ''} {passage.details}"


def words_about(evidence: Sequence[EvidenceStatement]) -> list[frozenset[str]]:
    """By statement the keys of what it says and of what it stands under."""
    return [frozenset(keys(f"{above(each)} {each.passage.text}")) for each in evidence]


def evidence_statements(
    question: str, hits: Sequence[Hit], subgraph: Subgraph
) -> list[EvidenceStatement]:
    """The statements that hits lead to, the best hit's first, in a hit in the text's order.

    A chunk of which no statement is known stands for itself, a long one by a part of it.
    """
    passages = statement_passages(subgraph)
    ranks = statement_ranks(hits, subgraph)
    entities = _mentioned(subgraph)
    facts = _supporting(subgraph)
    found = [
        EvidenceStatement(passages[id_], rank, entities[id_], facts[id_])
        for id_, rank in ranks.items()
        if id_ in passages
    ]
    told = {each.passage.chunk_id for each in found} | {each.passage.id for each in found}
    found += [
        EvidenceStatement(_asked_part(question, hit.passage), hit.rank)
        for hit in hits
        if hit.passage.id not in told
    ]
    return found


def _asked_part(question: str, passage: Passage) -> Passage:
    """A passage, or of a long one the part that says most of a question, by its rarest words."""
    text = passage.text
    if len(text) <= LONGEST:
        return passage
    spans = list(_windows(text))
    held = [frozenset(keys(text[start:end])) for start, end in spans]
    weights = weigh(keys(question), held)
    said = [sum(weights[key] for key in weights if key in words) for words in held]
    start, end = spans[said.index(max(said))]
    part, first = text[start:end].rstrip(), passage.start + start
    return replace(passage, text=part, start=first, end=first + len(part))


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Spans that follow each other, each of whole sentences or lines where these are short."""
    start = 0
    while start < len(text):
        breaks = [each.end() for each in _BREAK.finditer(text, start, start + WINDOW)]
        is_last = start + WINDOW >= len(text)
        end = len(text) if is_last else breaks[-1] if breaks else start + WINDOW
        yield start, end
        start = end


def _mentioned(subgraph: Subgraph) -> Mapping[str, tuple[NamedEntity, ...]]:
    named = _entities(subgraph)
    found: dict[str, tuple[NamedEntity, ...]] = defaultdict(tuple)
    for edge in subgraph.edges_of("MENTIONS"):
        if edge.target in named:
            found[edge.source] += (named[edge.target],)
    return found


def _supporting(subgraph: Subgraph) -> Mapping[str, tuple[FactWords, ...]]:
    named = _entities(subgraph)
    subjects = {edge.target: edge.source for edge in subgraph.edges_of("SUBJECT")}
    objects = {edge.source: edge.target for edge in subgraph.edges_of("OBJECT")}
    words = {}
    for fact in subgraph.nodes_of("Fact"):
        value, object_ = fact.properties.get("object"), named.get(objects.get(fact.id, ""))
        subject = named.get(subjects.get(fact.id, ""))
        if subject is not None and (object_ is not None or value is not None):
            predicate = relation_predicate(fact.properties)
            name = object_.name if object_ is not None else str(value)
            words[fact.id] = FactWords(subject.name, predicate, name, object_ is None)
    found: dict[str, tuple[FactWords, ...]] = defaultdict(tuple)
    for edge in subgraph.edges_of("SUPPORTS"):
        if edge.source in words:
            found[edge.target] += (words[edge.source],)
    return found


def _entities(subgraph: Subgraph) -> dict[str, NamedEntity]:
    return {
        node.id: NamedEntity(
            str(node.properties["name"]),
            str(node.properties.get("class", "")),
            tuple(node.properties.get("aliases", ())),
        )
        for node in subgraph.nodes_of("Entity")
    }
