"""The local extractor: statements, topics, entities and facts by small models alone."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from hlg.facts import SupportedFacts, fact_of
from hlg.ids import entity_id, source_id, statement_id, topic_id
from hlg.ingest.base import Extraction
from hlg.ingest.extract.local.document import Reader
from hlg.ingest.extract.local.drafts import Draft, DraftFact
from hlg.ingest.extract.local.languages import ENGLISH
from hlg.ingest.extract.local.topics import find_topics
from hlg.ingest.extract.mentions import counted
from hlg.ingest.extract.places import ChunkPlaces
from hlg.models.spacy_pipeline import load_english
from hlg.records import Chunk, Document, Entity, Fact, Statement, Topic
from hlg.schema import PHRASE

LEAST = 0.25
"""Chance from which on a fact is kept; ``min_confidence`` says from which on it is shown."""


class LocalExtractor:
    """Reads documents with spaCy's English pipeline, which is loaded on first use.

    :param all_facts: keep facts of any chance, and read what lists of references say.
    """

    def __init__(self, *, all_facts: bool = False) -> None:
        self.name = "local-all" if all_facts else "local"
        self._all_facts = all_facts

    def load(self) -> None:
        """Load the pipeline now.

        :raises ModelError: it is missing or of another version.
        """
        load_english()

    def extract(self, document: Document, chunks: Sequence[Chunk]) -> Extraction:
        """What a document says; empty for one without chunks.

        :raises ModelError: the pipeline is missing or of another version.
        """
        if not chunks or not document.text.strip():
            return Extraction()
        reader = Reader(document, cited=self._all_facts)
        drafts = list(reader.read())
        reader.names.settle()
        if not self._all_facts:
            for draft in drafts:
                draft.drop({fact for fact in draft.facts if fact.confidence < LEAST})
        told: dict[str, list[float]] = defaultdict(list)
        for fact in (fact for draft in drafts for fact in draft.facts):
            for key in fact.keys:
                told[key] += [fact.confidence] if fact.confidence >= LEAST else []
        entities = reader.names.entities(told, measured=reader.language == ENGLISH)
        for draft in drafts:
            draft.keep(entities)
        places = ChunkPlaces(chunks)
        found: dict[str, tuple[Draft, tuple[str, ...]]] = {}
        for draft in sorted(drafts, key=lambda draft: (draft.start, draft.end)):
            chunk_ids = places.chunks_of(draft.start, draft.end)
            id_ = statement_id(chunk_ids[0], document.text[draft.start : draft.end])
            found.setdefault(id_, (draft, chunk_ids))
        topics, topic_ids = _topics(document, list(found.values()))
        statements = [
            Statement(
                id=id_,
                text=document.text[draft.start : draft.end],
                start=draft.start,
                end=draft.end,
                chunk_ids=chunk_ids,
                topic_id=topic,
                details=_details(draft, entities),
                entity_ids=tuple(sorted({entities[key].id for key in draft.keys})),
            )
            for (id_, (draft, chunk_ids)), topic in zip(found.items(), topic_ids, strict=True)
        ]
        by_id = {entity.id: entity for entity in entities.values()}
        facts = [(fact, id_) for id_, (draft, _) in found.items() for fact in draft.facts]
        phrases = _phrases([fact for fact, _ in facts], source_id(document.uri))
        return Extraction(
            topics=tuple(sorted(topics, key=lambda topic: topic.id)),
            statements=tuple(sorted(statements, key=lambda each: (each.start, each.end, each.id))),
            facts=_facts(facts, entities | phrases),
            entities=_by_id([*counted(statements, by_id), *phrases.values()]),
            language="" if reader.language == ENGLISH else reader.language,
        )


def open_local(_: None) -> LocalExtractor:
    """For the registry of extractors."""
    return LocalExtractor()


def open_all(_: None) -> LocalExtractor:
    """Likewise, of the one that keeps every fact."""
    return LocalExtractor(all_facts=True)


def _details(draft: Draft, entities: dict[str, Entity]) -> str:
    names = [entities[key].name for key in draft.antecedents]
    return "; ".join(dict.fromkeys([*names, draft.context] if draft.context else names))


def _topics(
    document: Document, found: Sequence[tuple[Draft, tuple[str, ...]]]
) -> tuple[list[Topic], list[str]]:
    """The topics, and for each statement the id of its own."""
    source = source_id(document.uri)
    spans = find_topics(
        [document.text[draft.start : draft.end] for draft, _ in found],
        [draft.phrases for draft, _ in found],
        [draft.headings for draft, _ in found],
        document.title,
    )
    topics: list[Topic] = []
    ids: list[str] = []
    for span in spans:
        id_ = topic_id(source, span.name)
        chunk_ids = [id_ for _, chunk_ids in found[span.first : span.end] for id_ in chunk_ids]
        topics.append(Topic(id_, source, span.name, tuple(dict.fromkeys(chunk_ids))))
        ids += [id_] * (span.end - span.first)
    return topics, ids


def _facts(found: Sequence[tuple[DraftFact, str]], entities: dict[str, Entity]) -> tuple[Fact, ...]:
    """Facts by id, each with all the statements that support it."""
    supported = SupportedFacts()
    for fact, statement in found:
        subject = entities[fact.subject]
        object_ = entities[fact.object_key] if fact.object_key else None
        if object_ is None or object_.id != subject.id:
            made = fact_of(subject, fact.predicate, object_ or fact.object_value or "", (), fact)
            supported.add(made, statement)
    return supported.records()


def _phrases(facts: Sequence[DraftFact], source: str) -> dict[str, Entity]:
    """By key what a source's facts are about that no name stands for."""
    keys = {fact.subject for fact in facts if fact.is_phrase}
    return {
        key: Entity(entity_id(f"{key} {source}", PHRASE), key.strip(), PHRASE, confidence=0.0)
        for key in keys
    }


def _by_id(entities: Iterable[Entity]) -> tuple[Entity, ...]:
    return tuple(sorted({each.id: each for each in entities}.values(), key=lambda each: each.id))
