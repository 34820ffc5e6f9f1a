"""What the scenarios search and walk: a data set's graph, and what is made of copies of it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from functools import cached_property
from pathlib import Path

from hlg.errors import InputError
from hlg.evaluation.data.questions import Dataset
from hlg.evaluation.metrics.assess import Assessor
from hlg.graph import LexicalGraph
from hlg.ids import content_id, source_id
from hlg.indexing.build import append_relations
from hlg.ingest.triples.relations import is_relations, relations_uri
from hlg.names import normalize_name
from hlg.records import Hit
from hlg.reports import Progress
from hlg.store.transfer import copy_graph

TRIPLES = ("triples.csv", "triples.tsv", "triples.jsonl")
"""In a data set's folder: its predefined graph."""
COMPUTED = "auto"
"""What searches the computed graph, with vectors and walks."""


class Worlds:
    """A data set's graph as it was built (``plain``), and those that are made when they are
    first asked for, in a folder where they are found again.

    ``refined`` is a copy whose entities were resolved; ``knowledge`` what is walked: the
    predefined graph where the data set has one, else the refined; ``related`` a copy whose
    documents have the relations of ``knowledge`` appended.
    """

    def __init__(
        self,
        plain: LexicalGraph,
        dataset: Dataset,
        folder: Path,
        triples: Path | None = None,
        on_progress: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self.plain = plain
        self.dataset = dataset
        self.triples = triples
        self._folder = folder
        self._on_progress = on_progress
        self._stack = ExitStack()
        self._assessor = Assessor(dataset, len)
        self._texts = {each.id: each for each in dataset.documents}
        self._titled: dict[str, str] = {}
        for each in dataset.documents:
            self._titled.setdefault(normalize_name(each.title), each.id)

    def close(self) -> None:
        """Let go of what was made of copies."""
        self._stack.close()

    @property
    def identity(self) -> str:
        """Digest of all that is searched and walked."""
        told = self.triples.read_text("utf-8", "replace") if self.triples else ""
        revision = self.plain.status().revision
        return content_id(self.dataset.fingerprint(), revision, self.plain.embedder.name, told)

    @cached_property
    def refined(self) -> LexicalGraph:
        """See :class:`Worlds`."""
        graph = self._copy("refined")
        graph.entities.merge()
        graph.prepare()
        return graph

    @cached_property
    def knowledge(self) -> LexicalGraph:
        """See :class:`Worlds`."""
        if self.triples is None:
            return self.refined
        graph = self._open("predefined")
        graph.import_triples([self.triples], on_progress=self._on_progress)
        return graph

    @cached_property
    def related(self) -> LexicalGraph:
        """See :class:`Worlds`."""
        graph = self._copy("related")
        append_relations(graph, self._on_progress, self.knowledge.store)
        graph.prepare()
        return graph

    def document_of(self, uri: str) -> str | None:
        """The document that a source is, or whose relations it has; None where it is none."""
        with suppress(InputError):
            return self._assessor.document_id(uri)
        return None

    def titled(self, name: str) -> str | None:
        """The document that has an entity's name as its title."""
        return self._titled.get(normalize_name(name))

    def title(self, id_: str) -> str:
        """A document's title."""
        return self._texts[id_].title

    def text(self, id_: str, *, related: bool) -> str:
        """A document with its title, on a line; with its relations where they were appended."""
        document = self._texts[id_]
        parts = [document.title, document.text, self._relations.get(id_, "") if related else ""]
        return " ".join(" ".join(parts).split())

    @cached_property
    def _relations(self) -> dict[str, str]:
        uris = [each.uri for each in self.related.sources() if not is_relations(each.uri)]
        ids = {source_id(relations_uri(uri)): self.document_of(uri) for uri in uris}
        found = self.related.store.texts(list(ids))
        return {ids[each.source.id] or "": each.text for each in found}

    def search(
        self, query: str, most: int, *, related: bool = False, computed: bool = False
    ) -> tuple[list[str], Sequence[Hit]]:
        """The best documents, each once, by the best hit of each; and all hits."""
        graph = self.related if related else self.refined if computed else self.plain
        retriever, wanted = COMPUTED if computed else "chunks", most
        while True:
            hits = graph.search(query, retriever=retriever, top_k=wanted).hits
            found = dict.fromkeys(self._documents(hits))
            if len(found) >= most or len(hits) < wanted or wanted > 100 * most:
                return list(found)[:most], hits
            wanted *= 3

    def _documents(self, hits: Sequence[Hit]) -> Iterator[str]:
        for hit in hits:
            if (id_ := self.document_of(hit.passage.source.uri)) is not None:
                yield id_

    def _copy(self, name: str) -> LexicalGraph:
        graph = self._open(f"{name}-{self.plain.status().revision[:12]}")
        copy_graph(self.plain.store, graph.store, on_progress=self._on_progress)
        return graph

    def _open(self, name: str) -> LexicalGraph:
        self._folder.mkdir(parents=True, exist_ok=True)
        at = {"store": str(self._folder / f"{name}.lbug"), "graph": ""}
        settings = self.plain.settings.model_copy(update=at)
        return self._stack.enter_context(LexicalGraph.open(settings=settings))


def predefined(directory: Path) -> Path | None:
    """The file of a data set's predefined graph, if it has one."""
    return next((path for name in TRIPLES if (path := directory / name).is_file()), None)
