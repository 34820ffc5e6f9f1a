"""The embedded store: a Ladybug file, in process, with no server."""

from collections import defaultdict
from dataclasses import asdict
from functools import partial
from importlib.metadata import version
from pathlib import Path

from hlg.errors import StoreError, UsageError
from hlg.records import Scored
from hlg.schema import EDGES, NODES
from hlg.store.ladybug.database import LadybugDatabase, Session
from hlg.store.ladybug.derived import DerivedIndexes, Names, Words
from hlg.store.ladybug.locks import absent
from hlg.store.ladybug.walk import continuations
from hlg.store.ladybug.write import LadybugWrites, node_table
from hlg.store.records import (
    Continuation,
    GraphInfo,
    Keywords,
    Relations,
    Seed,
    StoreHealth,
    Vector,
    WalkStep,
)
from hlg.store.shared import reading
from hlg.store.shared.communities import relations_of
from hlg.store.shared.reading import GRAPH, Named, Rows, Run


class LadybugStore(LadybugWrites):
    """A graph in a Ladybug file; a named graph is another file beside it.

    One process writes at a time. A store opened read-only sees the graph as it was then,
    whatever a writer does in the meantime; until it is closed, all that is written stays in
    the log, which every later reader has to load. A file that is not there is made by
    :meth:`set_up`.

    :raises StoreLocked: another writer has the file, still after some seconds.
    :raises StoreDenied: the file can't be opened or made.
    :raises StoreError: it is not a Ladybug file; read-only: it is not there.
    """

    _keeps_info = True

    def __init__(self, path: Path, graph: str = "", *, read_only: bool = False) -> None:
        self.path = path.with_name(f"{path.stem}.{graph}{path.suffix}") if graph else path
        self._ladybug = LadybugDatabase(self.path, read_only=read_only)
        super().__init__(str(self.path), self._ladybug)
        self._derived = DerivedIndexes(self.path)
        if not read_only and (info := self.info()):
            self._derived.sweep(info.revision)

    def set_up(self, embedder: str, dimensions: int) -> None:
        self._ladybug.open()
        super().set_up(embedder, dimensions)

    def info(self) -> GraphInfo | None:
        return super().info() if self._ladybug.is_there() else None

    def health(self) -> StoreHealth:
        """Ladybug's version; it searches exactly, by scanning, and has no index to fail."""
        return StoreHealth(version=f"Ladybug {version('ladybug')}", indexes=0)

    def _absent(self) -> StoreError:
        return absent(self.path) if self._ladybug.read_only else super()._absent()

    def _make(self, info: GraphInfo, *, anew: bool) -> None:
        if anew:
            self._ladybug.write(lambda session: _create_tables(session, info))

    def _read_info(self, run: Run) -> GraphInfo | None:
        tables = {row["name"] for row in run("schema/tables")}
        return super()._read_info(run) if "Graph" in tables else None

    def _nearest(self, run: Run, label: str, vector: Vector, top_k: int) -> Rows:
        asked = {"vector": vector.tolist(), "limit": top_k}
        return run("search/vector_search", asked, label=label)

    def _matching(self, label: str, query: str, top_k: int) -> list[Scored]:
        build = partial(self._build_words, label)
        words = self._derived.get(self._known().revision, label, Words, build)
        rows, scores = words.index.search(query, top_k)
        return [
            Scored(id_.decode(), float(score))
            for id_, score in zip(words.ids[rows], scores, strict=True)
        ]

    def _look_up(self) -> Named:
        names = self._derived.get(self._known().revision, "names", Names, self._build_names)
        return lambda run, keys: reading.seen_entities(run, names.find(keys))

    def _seeds(
        self, run: Run, keywords: Keywords, vector: Vector, top_k: int, topics: int
    ) -> tuple[list[Seed], list[Seed]]:
        query = vector.tolist()
        naming: dict[str, set[str]] = defaultdict(set)
        for keyword, ids in keywords.items():
            for _, statement in reading.statements_mentioning(run, ids):
                naming[statement].add(keyword)
        cosines = reading.cosines(run, "Statement", naming, query)
        named = [Seed(id_, cosine, len(naming[id_])) for id_, cosine in cosines.items()]
        named.sort(key=lambda seed: (-seed.keywords, -seed.cosine, seed.id))
        if not topics:
            rows = self._nearest(run, "Statement", vector, top_k)
            return named[:top_k], [Seed(row["id"], row["score"]) for row in rows]
        relevance = {row["id"]: row["score"] for row in self._nearest(run, "Topic", vector, topics)}
        topic_of = {
            statement: topic
            for topic, statement in reading.statements_of_topics(run, list(relevance))
        }
        found = [
            Seed(id_, cosine, topic_cosine=relevance[topic_of[id_]])
            for id_, cosine in reading.cosines(run, "Statement", topic_of, query).items()
        ]
        found.sort(key=lambda seed: (-seed.cosine, seed.id))
        return named[:top_k], found[:top_k]

    def _continuations(
        self, run: Run, named: Named, step: WalkStep
    ) -> tuple[list[Continuation], dict[str, int]]:
        return continuations(run, named, step)

    def _relations(self, run: Run) -> Relations:
        assert isinstance(run, Session)
        # A column at a time: no row ever is an object of its own.
        table = run.table("communities/relation_weights")
        if not table.num_rows:
            return relations_of((), (), ())
        return relations_of(*(table[name].to_pylist() for name in ("source", "target", "weight")))

    def _build_words(self, label: str) -> Words:
        # A chunk with parts is read, not searched.
        parts = self.edges("CHILD_OF", ("Chunk", "Chunk")) if label == "Chunk" else ()
        wholes = {str(row["to"]) for batch in parts for row in batch}
        return Words.build(label, self.nodes(label), without=wholes)

    def _build_names(self) -> Names:
        return Names.build(self.nodes("Entity"), self.merges().canonical())


def _create_tables(run: Run, info: GraphInfo) -> None:
    """Make all tables, and the node of what the store knows of its graph."""
    for label in NODES:
        run("schema/node_table", {"rows": node_table(label, (), info.dimensions)}, label=label)
    for edge in EDGES.values():
        run("schema/edge_table", edge=(edge.type, *edge.ends[0]))
    run("write/set_graph_info", GRAPH | asdict(info))


def open_ladybug(
    address: str, graph: str, *, read_only: bool, user: str = "", password: str = ""
) -> LadybugStore:
    """For the registry of stores; a file asks for no password."""
    if not Path(address).name:
        raise UsageError(
            f"store {address!r} names no file: give a path such as .hlg/graph.lbug",
            option="store",
        )
    return LadybugStore(Path(address), graph, read_only=read_only)
