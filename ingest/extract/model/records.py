"""Records of what a model found in the chunks of a document. Pure: no model, no store."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hlg.facts import SupportedFacts, fact_of
from hlg.ids import entity_id, statement_id, topic_id
from hlg.ingest.base import Extraction
from hlg.ingest.extract.mentions import SaidWords, counted
from hlg.ingest.extract.model.answers import FoundEntity, FoundFact, StatementFacts
from hlg.names import normalize_name
from hlg.records import Entity, Fact, Statement, Topic
from hlg.words.lexicon import THING

LONGEST_NAME, LONGEST_PREDICATE, LONGEST_VALUE = 120, 80, 300
"""Characters; what is longer is no name, no predicate and no value."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A statement before its records are made; ``said`` is the proposition as it was worded."""

    said: str
    text: str
    start: int
    end: int
    chunk_ids: tuple[str, ...]
    topic: str
    details: str


def assemble(
    source: str, found: Sequence[tuple[Sequence[Draft], StatementFacts]], classes: Sequence[str]
) -> Extraction:
    """The records of a source.

    Drafts of one span in one chunk are one statement, with the details of all.

    :param found: by chunk its drafts, and the facts by their numbers from 1.
    :param classes: those that were asked for, as they are spelt.
    """
    statements: dict[str, Statement] = {}
    topics: dict[str, Topic] = {}
    told: list[tuple[list[tuple[str, str]], StatementFacts]] = []
    for drafts, facts in found:
        ids = []
        for draft in drafts:
            id_ = statement_id(draft.chunk_ids[0], draft.text)
            topic = topic_id(source, draft.topic)
            known = topics.get(topic) or Topic(topic, source, draft.topic, ())
            chunk_ids = dict.fromkeys([*known.chunk_ids, *draft.chunk_ids])
            topics[topic] = replace(known, chunk_ids=tuple(chunk_ids))
            made = statements.get(id_) or Statement(
                id_, draft.text, draft.start, draft.end, draft.chunk_ids, topic
            )
            details = dict.fromkeys(filter(None, (made.details, draft.details)))
            statements[id_] = replace(made, details="; ".join(details))
            ids.append((id_, draft.said))
        told.append((ids, facts))
    kept = {each.topic_id for each in statements.values()}
    return with_facts(
        Extraction(
            topics=tuple(topics[id_] for id_ in sorted(topics) if id_ in kept),
            statements=tuple(
                sorted(statements.values(), key=lambda each: (each.start, each.end, each.id))
            ),
        ),
        told,
        classes,
    )


def with_facts(
    extraction: Extraction,
    told: Sequence[tuple[Sequence[tuple[str, str]], StatementFacts]],
    classes: Sequence[str],
) -> Extraction:
    """Topics and statements as they are, with the entities and facts that a model found.

    :param told: for each call the ids and the wordings of its statements, and its answer.
    """
    entities = _entities((answer for _, answer in told), classes)
    facts = SupportedFacts()
    mentions: dict[str, set[str]] = {each.id: set() for each in extraction.statements}
    for statements, answer in told:
        for id_, said in statements:
            words = SaidWords(said)
            mentions[id_].update(each.id for key, each in entities.items() if key in words)
        for found in answer.facts:
            if not 1 <= found.statement <= len(statements):
                continue
            fact = _fact(found, entities)
            if fact is None:
                continue
            id_ = statements[found.statement - 1][0]
            facts.add(fact, id_)
            mentions[id_].update(filter(None, (fact.subject_id, fact.object_id)))
    statements_ = tuple(
        replace(each, entity_ids=tuple(sorted(mentions[each.id]))) for each in extraction.statements
    )
    return replace(
        extraction,
        statements=statements_,
        facts=facts.records(),
        entities=counted(statements_, {each.id: each for each in entities.values()}),
    )


def _entities(answers: Iterable[StatementFacts], classes: Sequence[str]) -> dict[str, Entity]:
    """By normalised name, each with the spelling and the class that it has most often."""
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    spelt = {normalize_name(each): each for each in classes}
    for answer in answers:
        subjects = (FoundEntity(name=each.subject, kind="") for each in answer.facts)
        for found in (*answer.entities, *subjects):
            name, kind = _line(found.name), _line(found.kind)
            key = normalize_name(name)
            if not key or len(name) > LONGEST_NAME or not any(map(str.isalpha, name)):
                continue
            spellings[key][name] += 1
            if kind and len(kind) <= LONGEST_NAME:
                kinds[key][spelt.get(normalize_name(kind), kind)] += 1
    found_: dict[str, Entity] = {}
    for key, names in spellings.items():
        name, kind = _most(names), _most(kinds[key]) or THING
        found_[key] = Entity(entity_id(name, kind), name, kind)
    return found_


def _most(counts: Counter[str]) -> str:
    """The most frequent, the first of the alphabet among equals."""
    return min(counts, key=lambda each: (-counts[each], each), default="")


def _fact(found: FoundFact, entities: Mapping[str, Entity]) -> Fact | None:
    """A fact without its statements; None where a part of it is missing, or too long for one."""
    predicate, value = _line(found.predicate), _line(found.object)
    subject = entities.get(normalize_name(_line(found.subject)))
    target = entities.get(normalize_name(value))
    if subject is None or not predicate or not value or len(predicate) > LONGEST_PREDICATE:
        return None
    if subject is target or (target is None and len(value) > LONGEST_VALUE):
        return None
    return fact_of(subject, predicate, target or value)


def _line(text: str) -> str:
    return " ".join(text.split())
