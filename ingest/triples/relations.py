"""Each entity's document with its relations as text (scenarios §3.2, scenario 2).

A document whose title is an entity's name describes that entity. What the graph holds
between the entity and its neighbours is appended to it: grouped by relation, as a source
of its own with the document's title and the uri ``relations:URI``. So the document, its
spans and its hash stay as they are, a build skips it as before, and the appended text has
exact spans too. Nothing is made of that text but chunks and statements: no fact, no
entity and no mention, so that it can never feed on itself.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from hlg.facts import is_confident
from hlg.ingest.composed import ComposedDocument, Line, Section, compose, is_composed
from hlg.ingest.triples.spool import CLASS, readable
from hlg.names import normalize_name
from hlg.records import Source
from hlg.store import GraphStore

SCHEME = "relations:"
NAMES_A_LINE = 30
NAMES_A_RELATION = 300
"""The rest, related less strongly, is counted."""


@dataclass(frozen=True, slots=True, order=True)
class _Relation:
    """What joins an entity to its neighbours of a class; ``outward`` where it is the subject."""

    predicate: str
    entity_class: str
    outward: bool


Neighbours = dict[_Relation, dict[str, int]]
"""By relation the names of neighbours, each with how many statements say so."""


def relations_uri(uri: str) -> str:
    """The uri of the relations of a document with this uri."""
    return f"{SCHEME}{uri}"


def is_relations(uri: str) -> bool:
    """Whether a source holds the relations of a document."""
    return uri.startswith(SCHEME)


def relation_documents(
    store: GraphStore, sources: Iterable[Source], least: float = 0.0
) -> Iterator[ComposedDocument]:
    """What is to be appended to the documents of entities, ordered by uri.

    Documents of entities that relate to nothing have nothing to append.

    :param store: whose relations they are.
    :param sources: the documents.
    :param least: the confidence of a relation that is told.
    """
    described: dict[str, list[Source]] = defaultdict(list)
    for source in sources:
        if not is_composed(source.uri):
            described[normalize_name(source.title)].append(source)
    neighbours = _neighbours(store, described, least)
    found = [(source, key) for key in neighbours for source in described[key]]
    for source, key in sorted(found, key=lambda pair: pair[0].uri):
        section = Section(source.title, tuple(_lines(source.title, neighbours[key])))
        metadata = {"relations_of": source.uri}
        yield compose(relations_uri(source.uri), source.title, metadata, [section])


def _neighbours(
    store: GraphStore, wanted: Mapping[str, object], least: float
) -> dict[str, Neighbours]:
    """By normalised name, for those wanted, what their entities relate to.

    Entities of one name are one, and so are merged ones.
    """
    canonical = store.merges().canonical()
    names: dict[str, tuple[str, str]] = {}
    keys: dict[str, set[str]] = defaultdict(set)
    """Wanted names by the id of the entity, and of the one that it is merged into."""
    for batch in store.nodes("Entity"):
        for row in batch:
            id_, name = str(row["id"]), str(row["name"])
            names[id_] = name, str(row["class"])
            if (key := normalize_name(name)) in wanted:
                keys[canonical.get(id_, id_)].add(key)
    found: dict[str, Neighbours] = defaultdict(lambda: defaultdict(dict))
    for batch in store.edges("RELATES_TO", ("Entity", "Entity")):
        for row in (row for row in batch if is_confident(row, least)):
            subject, object_ = str(row["from"]), str(row["to"])
            for id_, other, outward in ((subject, object_, True), (object_, subject, False)):
                other_name, other_class = names[canonical.get(other, other)]
                relation = _Relation(str(row["predicate"]), other_class, outward)
                for key in keys.get(canonical.get(id_, id_), ()):
                    if normalize_name(other_name) != key:
                        weights = found[key][relation]
                        weights[other_name] = weights.get(other_name, 0) + int(str(row["weight"]))
    return found


def _lines(name: str, neighbours: Neighbours) -> Iterator[Line]:
    """A line for each relation and class of neighbours, the strongest first."""
    ordered = sorted(neighbours.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    for relation, weights in ordered:
        others = sorted(weights, key=lambda other: (-weights[other], other))
        more = len(others) - NAMES_A_RELATION
        named = others[:NAMES_A_RELATION] + ([f"and {more} more"] if more > 0 else [])
        for start in range(0, len(named), NAMES_A_LINE):
            text = _line(name, relation, named[start : start + NAMES_A_LINE])
            yield Line(" ".join(text.split()))


def _line(name: str, relation: _Relation, others: Sequence[str]) -> str:
    predicate, names = readable(relation.predicate), ", ".join(others)
    kind = "" if relation.entity_class == CLASS else f" ({relation.entity_class})"
    if relation.outward:
        return f"{name} {predicate}{kind}: {names}"
    return f"{names}{kind} {predicate}: {name}"
