"""The view of a graph that is too large for arrays: scored in its store, a call a depth."""

import re
from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from hlg.lexical.analysis import STOP_WORDS
from hlg.records import Entity, Scored
from hlg.retrieval.base import STATEMENT, Candidate, Query, SearchSession
from hlg.retrieval.fusion import best_first, merged
from hlg.retrieval.question.entities import SIMILAR_NAMES, entities_by_keyword, named_keys
from hlg.retrieval.question.keywords import name_spans
from hlg.retrieval.texts import with_details
from hlg.retrieval.view.base import (
    GraphView,
    Guide,
    Neighbourhood,
    named_candidate,
    told_of_union,
    with_path,
)
from hlg.retrieval.view.beam import GUIDED, BeamLimits, kept_children, path_scores
from hlg.retrieval.view.beam import Guide as RowGuide
from hlg.store.records import ChunksAround, Continuation, Reach, Seed, WalkedPath, WalkStep

MAX_QUERY_WORDS = 256
"""Words of a question that a full-text search is given; more don't change the ranking."""
MAX_NAMED_STATEMENTS = 5_000
"""Statements of the question's entities whose vectors are compared with it."""

_WORD = re.compile(r"\w+")


class StoreView(GraphView):
    """Over the store."""

    def __init__(self, session: SearchSession, query: Query) -> None:
        self.session = session
        self.query = query
        self._store = session.store
        self._trace = session.trace

    def nearest(self, label: str, top_k: int) -> list[Candidate]:
        vector = self.query.vector
        with self._trace.stage("search"):
            return _scored(label, self._store.vector_search(label, vector, top_k), "cosine")

    def matching(self, label: str, top_k: int) -> list[Candidate]:
        words = _query_words(self.query.text)
        with self._trace.stage("search"):
            found = self._store.text_search(label, words, top_k) if words else []
        return _scored(label, found, "bm25")

    def named(self, top_k: int) -> list[Candidate]:
        vector = self.query.vector
        groups = self._entities()
        with self._trace.stage("search"):
            keywords_of: dict[str, set[str]] = {}
            owners: dict[str, set[str]] = {}
            for keyword, ids in groups.items():
                for id_ in ids:
                    owners.setdefault(id_, set()).add(keyword)
            for entity, statement in self._store.statements_of_entities(list(owners)):
                keywords_of.setdefault(statement, set()).update(owners[entity])
            ids = sorted(keywords_of, key=lambda id_: (-len(keywords_of[id_]), id_))
            ids = ids[:MAX_NAMED_STATEMENTS]
            cosines = self._store.embeddings(STATEMENT, ids) @ vector
        found = [
            named_candidate(id_, len(keywords_of[id_]), float(cosine))
            for id_, cosine in zip(ids, cosines, strict=True)
        ]
        return best_first(found)[:top_k]

    def of_topics(self, topics: int, top_k: int) -> list[Candidate]:
        vector = self.query.vector
        with self._trace.stage("search"):
            _, nearest = self._store.seeds(vector, top_k, (), lambda _: {}, topics=topics)
        return [_seed(seed) for seed in nearest]

    def seeds(self, top_k: int) -> list[Candidate]:
        return self._seeds(top_k, topics=0)

    def topic_seeds(self, topics: int, top_k: int) -> list[Candidate]:
        return self._seeds(top_k, topics=topics)

    def beam(
        self, seeds: Sequence[Candidate], limits: BeamLimits, guide: Guide | None = None
    ) -> list[Candidate]:
        ends = {seed.id: seed for seed in seeds}
        paths = [_start(seed, i if limits.union else 0) for i, seed in enumerate(seeds)]
        seen: list[set[str]] = [{seed.id} for seed in seeds] if limits.union else [set(ends)]
        found = list(paths)
        for _ in range(limits.depth):
            if not paths:
                break
            steps = self._steps(paths, seen, limits, guided=guide is not None)
            paths = _best_children(paths, steps, limits.width, guide)
            cosines = {step.id: step.cosine for step in steps}
            for path in paths:
                id_ = path.statements[-1]
                seen[path.beam].add(id_)
                ends.setdefault(id_, Candidate(STATEMENT, id_, 0.0, {"cosine": cosines[id_]}))
            found += paths
        if limits.union:
            self._trace.notes.append(told_of_union(len(seeds), len(found)))
        best: dict[str, WalkedPath] = {}
        for path in found:
            known = best.get(path.statements[-1])
            if known is None or path.score > known.score:
                best[path.statements[-1]] = path
        return best_first(
            with_path(ends[id_], path.score, path.statements, path.entities)
            for id_, path in best.items()
        )

    def entities_named(self, keywords: Sequence[str]) -> list[str]:
        with self._trace.stage("entities"):
            entities = self._store.entities_named(self._keys(keywords))
            named = entities_by_keyword(entities, self.query.text, keywords)
            return list(dict.fromkeys(id_ for ids in named.values() for id_ in ids))

    def neighbourhood(self, starts: Sequence[str], reach: Reach, nearest: int) -> Neighbourhood:
        vector = self.query.vector
        with self._trace.stage("relations"):
            around = self._store.chunks_around(starts, vector, reach, nearest=nearest)
        self._trace.not_walked |= around.not_walked
        return _neighbourhood(around)

    def similarities(self, label: str, ids: Sequence[str]) -> NDArray[np.float32]:
        vector = self.query.vector
        with self._trace.stage("search"):
            found = self._store.embeddings(label, ids) @ vector
            return np.asarray(found, np.float32)

    def _steps(
        self,
        paths: Sequence[WalkedPath],
        seen: Sequence[Collection[str]],
        limits: BeamLimits,
        *,
        guided: bool,
    ) -> list[Continuation]:
        limit = limits.width * (GUIDED if guided else 1)
        bounds = limits.max_degree, limits.max_neighbours, limit
        step = WalkStep(paths, self.query.vector, seen, *bounds, texts=guided)
        with self._trace.stage("beam"):
            steps, common = self._store.continuations(step)
        self._trace.not_walked |= common
        return steps

    def _seeds(self, top_k: int, *, topics: int) -> list[Candidate]:
        query = self.query

        def choose(entities: Sequence[Entity]) -> dict[str, list[str]]:
            return entities_by_keyword(entities, query.text, query.keywords)

        vector, keys = query.vector, self._keys(query.keywords)
        with self._trace.stage("search"):
            named, nearest = self._store.seeds(vector, top_k, keys, choose, topics=topics)
        return merged(map(_seed, nearest), map(_seed, named))

    def _entities(self) -> dict[str, list[str]]:
        """Ids of the entities that the question names, by keyword; of those keywords that
        name none, the entities with similar names, as one keyword."""
        query = self.query
        keys = self._keys(query.keywords)
        with self._trace.stage("entities"):
            entities = self._store.entities_named(keys)
            groups = entities_by_keyword(entities, query.text, query.keywords)
            others = _query_words(named_keys(query.text, query.keywords, groups)[1])
            if others:
                similar = self._store.text_search("Entity", others, SIMILAR_NAMES)
                groups[others] = [entity.id for entity in similar]
        return groups

    def _keys(self, keywords: Iterable[str]) -> list[str]:
        """Keywords, and all that may be a name in the question, each once."""
        spans = (span.key for span in name_spans(self.query.text))
        return list(dict.fromkeys([*spans, *keywords]))


def _neighbourhood(around: ChunksAround) -> Neighbourhood:
    cosines = around.cosines
    ids = sorted(cosines)
    place = {id_: i for i, id_ in enumerate(ids)}
    entity = {each.id: i for i, each in enumerate(around.reached)}
    pairs = [(entity[one], place[chunk]) for one, chunk in around.mentions if chunk in place]
    return Neighbourhood(
        around.reached,
        np.array([-1 if x.via is None else entity[x.via] for x in around.reached], np.int64),
        ids,
        np.array([cosines[id_] for id_ in ids], np.float32),
        np.array(pairs, np.int64).reshape(-1, 2),
    )


def _start(seed: Candidate, beam: int) -> WalkedPath:
    cosine = seed.signals["cosine"]
    weight = float(np.exp(cosine))
    score = float(path_scores(np.array([cosine]), np.array([1.0]))[0])
    return WalkedPath((seed.id,), (), (weight,), weight * cosine, weight**2, score, beam)


def _best_children(
    paths: Sequence[WalkedPath], steps: Sequence[Continuation], width: int, guide: Guide | None
) -> list[WalkedPath]:
    if not steps:
        return []
    parents = np.array([step.path for step in steps])
    beams = np.array([path.beam for path in paths])[parents]
    cosines = np.array([step.cosine for step in steps])
    products = np.array([step.product for step in steps])
    ids, ends = np.unique([step.id for step in steps], return_inverse=True)
    weights = np.exp(cosines)
    along = np.array([path.along for path in paths])[parents] + weights * cosines
    squares = np.array([path.square for path in paths])[parents]
    squares = squares + 2 * weights * products + weights**2
    scores = path_scores(along, squares)
    least = np.array([path.score for path in paths])[parents]
    by_row = None if guide is None else _by_row(guide, ids, steps)
    order = kept_children(beams, parents, ends, scores, least, width, by_row)
    return [
        WalkedPath(
            (*paths[parents[i]].statements, steps[i].id),
            (*paths[parents[i]].entities, steps[i].via),
            (*paths[parents[i]].weights, float(weights[i])),
            float(along[i]),
            float(squares[i]),
            float(scores[i]),
            paths[parents[i]].beam,
        )
        for i in order.tolist()
    ]


def _by_row(guide: Guide, ids: NDArray[np.str_], steps: Sequence[Continuation]) -> RowGuide:
    said = {step.id: with_details(step.text, step.details) for step in steps}
    return lambda rows: guide(ids[rows].tolist(), said)


def _seed(seed: Seed) -> Candidate:
    signals = {"cosine": seed.cosine}
    if seed.keywords:
        signals["keywords"] = float(seed.keywords)
    if seed.topic_cosine is not None:
        signals["topic_cosine"] = seed.topic_cosine
    return Candidate(STATEMENT, seed.id, seed.cosine, signals)


def _scored(label: str, found: Iterable[Scored], signal: str) -> list[Candidate]:
    return [Candidate(label, node.id, node.score, {signal: node.score}) for node in found]


def _query_words(text: str) -> str:
    """The first distinct words of a text, stop words aside, for a full-text search."""
    words = (word for word in _WORD.findall(text) if word.lower() not in STOP_WORDS)
    return " ".join(list(dict.fromkeys(words))[:MAX_QUERY_WORDS])
