"""Bringing a graph's communities up to date: find, summarise what changed, embed, write.

Nothing is written before all is known: a build that is stopped leaves the communities as
they were, and what was found takes their place in one transaction.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hlg.errors import StoreError
from hlg.ids import content_id
from hlg.ingest.communities.find import (
    CommunityOptions,
    FoundCommunity,
    RelationGraph,
    find_communities,
    found_communities,
    inner_strength,
    modularity,
    relation_graph,
)
from hlg.ingest.communities.summaries import (
    MODEL_ENTITIES,
    VALUE_SHARE,
    CommunityMaterial,
    Summarizer,
    Summary,
    most_telling,
)
from hlg.models.base import Embedder
from hlg.models.language.threads import in_threads
from hlg.records import Community, Embeddings
from hlg.reports import CommunityReport, Progress
from hlg.store import GraphStore
from hlg.store.records import FactSupport

EMBEDDED_AT_ONCE = 256
CALLS_AT_ONCE = 4
"""Communities that are summarised side by side: a language model answers several at once."""

OnProgress = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class _Found:
    """The communities of the graph as it is now, with what decides whether they changed."""

    graph: RelationGraph
    communities: list[FoundCommunity]
    records: dict[str, Community]
    """What they are, by id; without titles and summaries."""
    quality: float
    canonical: Mapping[str, str]
    """What each merged entity is merged into."""
    old: dict[str, Community]
    """Those that the graph has, by id."""
    revision: str
    """The graph's, as it was looked at."""

    @property
    def unchanged(self) -> dict[str, Community]:
        """Of the old ones those that did not change."""
        hashes = {id_: each.content_hash for id_, each in self.records.items()}
        return {id_: each for id_, each in self.old.items() if hashes.get(id_) == each.content_hash}

    @property
    def new(self) -> list[FoundCommunity]:
        """The communities that are to be summarised."""
        unchanged = self.unchanged
        return [each for each in self.communities if each.id not in unchanged]


@dataclass(frozen=True, slots=True)
class _Material:
    """What a community's summary is made of, with the ids of its statements."""

    community: FoundCommunity
    material: CommunityMaterial
    statement_ids: tuple[str, ...]


_NewSummary: TypeAlias = tuple[Summary, tuple[str, ...]]
"""A community's new summary, with the ids of the statements that it consists of."""


def build_communities(
    store: GraphStore,
    embedder: Embedder,
    summarizer: Summarizer,
    options: CommunityOptions,
    on_progress: OnProgress = lambda progress: None,
) -> CommunityReport:
    """Find the communities of a graph and put them in place of those that it has.

    A community whose members and inner edges are what they were keeps its title, summary
    and vector.

    :raises StoreError: there is no graph, or the store fails.
    """
    started = time.perf_counter()
    on_progress(Progress("relations", 0, None))
    found = _find(store, options, summarizer)
    old, unchanged, new = found.old, found.unchanged, found.new
    told = _summaries(store, found, new, summarizer, on_progress)
    communities = _records(found, unchanged, told)
    is_known = communities == list(old.values())
    if not is_known or store.communities_revision() != found.revision:
        vectors = _vectors(store, embedder, communities, unchanged, told, on_progress)
        on_progress(Progress("write", 0, len(communities)))
        store.write_communities(communities, vectors)
    covered = sum(each.size for each in communities if not each.level)
    depths = [community.level for community in communities]
    return CommunityReport(
        communities=len(communities),
        levels=tuple(np.bincount(depths).tolist()) if depths else (),
        entities=covered,
        unrelated=max(0, store.counts()["Entity"] - covered),
        kept=len(unchanged),
        new=len(new),
        gone=len(old.keys() - {community.id for community in communities}),
        not_summarized=sum(summary.model_failed for summary, _ in told.values()),
        modularity=found.quality,
        seconds=time.perf_counter() - started,
    )


def materials_to_summarize(
    store: GraphStore, summarizer: Summarizer, options: CommunityOptions
) -> list[CommunityMaterial]:
    """What :func:`build_communities` would have summarised now.

    :raises StoreError: there is no graph, or the store fails.
    """
    found = _find(store, options, summarizer)
    new = found.new
    return [each.material for each in _materials(store, found, new)] if new else []


def _find(store: GraphStore, options: CommunityOptions, summarizer: Summarizer) -> _Found:
    """Communities by level, then the largest first, as stores give them back.

    :raises StoreError: there is no graph.
    """
    info = store.info()
    if info is None:
        raise StoreError(f"there is no graph at {store.address}; build one: hlg build PATH")
    canonical = store.merges().canonical()
    graph = relation_graph(store.relations(), canonical)
    levels = find_communities(graph, options)
    merged: dict[str, list[str]] = defaultdict(list)
    for entity, into in canonical.items():
        merged[into].append(entity)
    communities = found_communities(graph, levels)
    records = {}
    for each in communities:
        ids = _with_merged(graph.ids[each.members], merged)
        hash_ = content_id(summarizer.name, each.edges_hash, *ids)
        records[each.id] = Community(each.id, each.level, "", "", each.parent, len(ids), ids, hash_)
    communities.sort(key=lambda each: (each.level, -records[each.id].size, each.id))
    quality = modularity(graph, levels[0], options.resolution) if len(levels) else 0.0
    return _Found(
        graph,
        communities,
        records,
        quality,
        canonical,
        {community.id: community for community in store.communities()},
        info.revision,
    )


def _with_merged(ids: NDArray[np.bytes_], merged: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    names = [id_.decode() for id_ in ids.tolist()]
    return tuple(sorted(names + [other for name in names for other in merged.get(name, ())]))


def _records(
    found: _Found, unchanged: Mapping[str, Community], told: Mapping[str, _NewSummary]
) -> list[Community]:
    records = []
    for each in found.communities:
        old = unchanged.get(each.id)
        stands: Community | Summary = old if old else told[each.id][0]
        record = found.records[each.id]
        if isinstance(stands, Summary) and stands.model_failed:
            record = replace(record, content_hash="")  # to be asked for again
        records.append(replace(record, title=stands.title, summary=stands.summary))
    return records


def _summaries(
    store: GraphStore,
    found: _Found,
    new: Sequence[FoundCommunity],
    summarizer: Summarizer,
    on_progress: OnProgress,
) -> dict[str, _NewSummary]:
    """Summaries of these communities, by id."""
    if not new:
        return {}
    on_progress(Progress("facts", 0, len(new)))
    materials = _materials(store, found, new)
    told: dict[str, _NewSummary] = {}
    made = in_threads(summarizer.summarize, (each.material for each in materials), CALLS_AT_ONCE)
    for each, summary in zip(materials, made, strict=True):
        ids = tuple(each.statement_ids[i] for i in summary.told)
        told[each.community.id] = (summary, ids)
        on_progress(Progress("summaries", len(told), len(new), summary.title))
    return told


def _materials(
    store: GraphStore, found: _Found, communities: Sequence[FoundCommunity]
) -> list[_Material]:
    """What the summaries of these communities are made of, in order."""
    ids, canonical = found.graph.ids, found.canonical
    wanted = {id_.decode() for each in communities for id_ in ids[each.members].tolist()}
    supports = store.fact_supports(
        sorted(wanted | {id_ for id_, into in canonical.items() if into in wanted})
    )
    statements: dict[str, list[str]] = {}
    strength: dict[int, NDArray[np.float64]] = {}
    for level in sorted({each.level for each in communities}):
        here = [each for each in communities if each.level == level]
        statements |= _telling_statements(supports, here, found)
        strength[level] = inner_strength(found.graph, _labels(found, here))
    chosen = sorted({id_ for order in statements.values() for id_ in order})
    texts = {passage.id: passage.text for passage in store.passages("Statement", chosen)}
    names = {str(row["id"]): str(row["name"]) for rows in store.nodes("Entity") for row in rows}
    materials = []
    for each in communities:
        order = np.argsort(-strength[each.level][each.members], kind="stable")[:MODEL_ENTITIES]
        central = (id_.decode() for id_ in ids[each.members[order]].tolist())
        told = tuple(id_ for id_ in statements[each.id] if id_ in texts)
        named = tuple(names[id_] for id_ in central if id_ in names)
        material = CommunityMaterial(named, tuple(texts[id_] for id_ in told))
        materials.append(_Material(each, material, told))
    return materials


def _labels(found: _Found, communities: Iterable[FoundCommunity]) -> NDArray[np.int64]:
    """By node the number of its community; nodes of none have a number of their own each."""
    labels = -1 - np.arange(len(found.graph.ids))
    for number, community in enumerate(communities):
        labels[community.members] = number
    return labels


def _telling_statements(
    supports: Sequence[FactSupport], communities: Sequence[FoundCommunity], found: _Found
) -> dict[str, list[str]]:
    """By community of one level its statements, the most telling first.

    Its facts are those that join two members, and what is said of a member in values.
    """
    canonical = found.canonical
    owner = {
        id_.decode(): community.id
        for community in communities
        for id_ in found.graph.ids[community.members].tolist()
    }
    facts: dict[str, dict[str, list[str]]] = {each.id: defaultdict(list) for each in communities}
    weights: dict[str, float] = {}
    for support in supports:
        holder = owner.get(canonical.get(support.subject_id, support.subject_id))
        object_id = support.object_id
        if holder is None:
            continue
        if object_id is not None and owner.get(canonical.get(object_id, object_id)) != holder:
            continue
        share = VALUE_SHARE if object_id is None else 1.0
        weights[support.fact_id] = share * support.confidence
        facts[holder][support.statement_id].append(support.fact_id)
    return {id_: most_telling(statements, weights) for id_, statements in facts.items()}


def _vectors(
    store: GraphStore,
    embedder: Embedder,
    communities: Sequence[Community],
    unchanged: Collection[str],
    told: Mapping[str, _NewSummary],
    on_progress: OnProgress,
) -> Embeddings:
    """One row a community: of those that stay as the store has it, of the others new.

    A summary of statements has the unit mean of their vectors and its title's, as a topic
    has (HLG §3.2); one in words of its own is embedded as it is.
    """
    vectors = np.zeros((len(communities), embedder.dimensions), np.float32)
    known = [i for i, community in enumerate(communities) if community.id in unchanged]
    vectors[known] = store.embeddings("Community", [communities[i].id for i in known])
    new = [i for i, community in enumerate(communities) if community.id in told]
    for start in range(0, len(new), EMBEDDED_AT_ONCE):
        batch = new[start : start + EMBEDDED_AT_ONCE]
        ids = [told[communities[i].id][1] for i in batch]
        texts = [
            communities[i].title if ids_ else f"{communities[i].title}\n{communities[i].summary}"
            for i, ids_ in zip(batch, ids, strict=True)
        ]
        owners = np.repeat(np.arange(len(batch)), [len(ids_) for ids_ in ids])
        sums = embedder.embed(texts).astype(np.float64)
        statements = store.embeddings("Statement", [id_ for ids_ in ids for id_ in ids_])
        np.add.at(sums, owners, statements)
        norms = np.linalg.norm(sums, axis=1, keepdims=True)
        vectors[batch] = (sums / np.maximum(norms, 1e-12)).astype(np.float32)
        on_progress(Progress("embed", start + len(batch), len(new)))
    return vectors
