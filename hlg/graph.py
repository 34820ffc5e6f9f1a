"""The facade: a graph that can be built, asked, looked at and closed."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Concatenate, Literal, ParamSpec, Self, TypeVar

from hlg.errors import StoreMismatch, StoreMissing, UsageError
from hlg.ids import source_id
from hlg.models.base import Embedder
from hlg.records import Community, Document, Hit, Scored, Source
from hlg.reports import (
    BuildReport,
    CommunityReport,
    CommunityStatus,
    Estimate,
    Failure,
    ImportReport,
    LeftOut,
    Progress,
    SearchResult,
    Status,
)
from hlg.settings import Domain, Settings, load_settings
from hlg.store import GraphStore, open_store
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits, ids_of, united

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

    from hlg.answers import Answer
    from hlg.entities.resolution import Entities
    from hlg.ingest.base import Chunker, Extractor
    from hlg.ingest.build import Build
    from hlg.ingest.recipe import Recipe
    from hlg.models.language.answers import Usage
    from hlg.models.language.door import ModelDoor
    from hlg.retrieval.arrays.restrict import RestrictedSnapshots
    from hlg.retrieval.arrays.source import SnapshotSource
    from hlg.retrieval.base import Retriever, SearchSession, Trace
    from hlg.retrieval.context.conversation import ContextText, Conversation
    from hlg.retrieval.options import Options
    from hlg.tokens import TokenCounter

__all__ = ["LexicalGraph"]

Given = ParamSpec("Given")
Result = TypeVar("Result")


def _in_thread(
    method: Callable[Concatenate["LexicalGraph", Given], Result],
) -> Callable[Concatenate["LexicalGraph", Given], Coroutine[Any, Any, Result]]:
    """A method's async twin: the same work in a thread, so that the event loop goes on."""

    async def twin(graph: "LexicalGraph", /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await asyncio.to_thread(method, graph, *args, **kwargs)

    twin.__name__ = f"a{method.__name__}"
    twin.__doc__ = f"As :meth:`{method.__name__}`, without holding up the event loop."
    return twin


def _in_silence(progress: Progress) -> None:
    """Progress that nobody wants to hear of."""


class LexicalGraph:
    """A Hierarchical Lexical Graph in a store, with all that is done with it.

    Use it as a context manager, or call :meth:`close`::

        with LexicalGraph.open("notes.lbug") as graph:
            graph.build(["notes/"])
            for hit in graph.retrieve("Who founded the yard that built the Petrel?"):
                print(hit.score, hit.passage.text)
    """

    def __init__(
        self,
        store: GraphStore,
        settings: Settings,
        *,
        embedder: Embedder | None = None,
        language_model: "LLM | None" = None,
    ) -> None:
        self.store = store
        self.settings = settings
        if embedder is not None:
            self.embedder = embedder
        if language_model is not None:
            self.language_model = language_model
        self._own_embedder = embedder
        self._restricted: tuple[str, RestrictedSnapshots] | None = None

    @classmethod
    def open(
        cls,
        store: str | Path | None = None,
        graph: str | None = None,
        *,
        settings: Settings | None = None,
        read_only: bool = False,
        embedder: Embedder | None = None,
        language_model: "LLM | None" = None,
    ) -> Self:
        """Open the graph at a path or Neo4j URI; what isn't given comes from the settings.

        :param embedder: a model of one's own, in place of the one that the settings name.
        :param language_model: any ``LLM`` of LlamaIndex, likewise.
        :param read_only: open an embedded store beside the process that writes to it.
        :raises UsageError: a setting, the address or the graph's name is not valid.
        :raises StoreError: the store can't be opened.
        """
        given = {"store": None if store is None else str(store), "graph": graph}
        if settings is None:
            settings = load_settings(**given)
        else:
            settings = settings.model_copy(
                update={name: value for name, value in given.items() if value is not None}
            )
        opened = open_store(
            settings.store,
            settings.graph,
            user=settings.neo4j_user,
            password=settings.neo4j_password.get_secret_value(),
            read_only=read_only,
        )
        graph_ = cls(opened, settings, embedder=embedder, language_model=language_model)
        if not read_only:
            graph_._snapshots.sweep()
        return graph_

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store. Closing twice is fine."""
        self.store.close()
        if (door := self.__dict__.get("door")) is not None:
            door.close()

    @cached_property
    def entities(self) -> "Entities":
        """The graph's entities: duplicates found, merged, split and shown."""
        from hlg.entities.resolution import Entities

        return Entities(self.store)

    @cached_property
    def embedder(self) -> Embedder:
        """The embedding model that the settings name.

        :raises ModelError: it is not installed, or damaged.
        """
        from hlg.models.embedders import open_embedder

        return open_embedder(self.settings.embedder)

    @cached_property
    def graph_embedder(self) -> Embedder:
        """The model that the graph's vectors are of, whatever the settings say now."""
        from hlg.models.embedders import open_embedder

        info = self.store.require()
        own = self._own_embedder
        if own is None:
            return open_embedder(info.embedder)
        if own.name != info.embedder:
            raise StoreMismatch(
                f"{self.store.address} holds vectors of {info.embedder!r}, not of {own.name!r}; "
                "open it with that embedder, or build it anew with this one"
            )
        return own

    @cached_property
    def language_model(self) -> "LLM | None":
        """The language model that was given or that the settings name, or None.

        :raises ModelError: what speaks to it is not installed.
        """
        from hlg.models.language.providers import open_language_model

        return open_language_model(self.settings)

    @cached_property
    def door(self) -> "ModelDoor | None":
        """The one door to the language model (:mod:`hlg.models.language`), or None without one.

        :raises ModelError: what speaks to the model is not installed.
        """
        if self.language_model is None:
            return None
        from hlg.models.language.door import open_door

        return open_door(self.settings, self.language_model)

    @property
    def model_usage(self) -> "Usage | None":
        """What the language model was asked since the graph was opened, and what that cost;
        None where it was not asked."""
        door: ModelDoor | None = self.__dict__.get("door")
        usage = door.usage if door is not None else None
        return usage if usage and (usage.calls or usage.cached or usage.failed) else None

    @cached_property
    def _recognize(self) -> Callable[[str], Sequence[str]]:
        """The names that the extractor finds in a question."""
        from hlg.ingest.extract.recognize import recognizer

        return recognizer(self.settings.extractor)

    @cached_property
    def _snapshots(self) -> "SnapshotSource":
        """The graph as arrays, kept for the next process."""
        from hlg.retrieval.arrays.source import SnapshotSource, snapshot_folder

        folder = snapshot_folder(self.store.address, self.settings.graph)
        return SnapshotSource(self.store, folder, self.settings.snapshot_budget_mb)

    def _where(self, condition: str) -> "RestrictedSnapshots":
        """The snapshots of the sources that fulfil a condition; the last one asked for is kept."""
        from hlg.retrieval.arrays.restrict import RestrictedSnapshots
        from hlg.where import parse_where

        if self._restricted is None or self._restricted[0] != condition:
            made = RestrictedSnapshots(self._snapshots, self.store, parse_where(condition))
            self._restricted = condition, made
        return self._restricted[1]

    def build(
        self,
        paths: Sequence[str | Path],
        *,
        chunker: "str | Chunker | None" = None,
        extractor: "str | Extractor | None" = None,
        prune: bool = False,
        relations: bool = False,
        dry_run: bool = False,
        budget: float | None = None,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> BuildReport:
        """Bring the graph up to date with files, folders, globs or ``-`` for stdin.

        Unchanged sources are skipped, changed ones replaced; a source that can't be read
        is in the report's ``failed`` and costs the others nothing. Interrupted at any
        moment, the same call finishes what is missing.

        :param chunker: one by name with its options, or an object of one's own
            (:class:`hlg.ingest.base.Chunker`); ``extractor`` likewise.
        :param prune: also delete sources that were read from these paths once and are
            gone from them now.
        :param relations: append to each document whose title is an entity's name what the
            graph relates that entity to (:mod:`hlg.ingest.triples.relations`).
        :param dry_run: only report what would be done.
        :param budget: US dollars that a language model may cost in this build; it ends before
            they would be passed, and keeps all that was paid for.
        :raises UsageError: a chunker's or an extractor's name is wrong; there is a budget, but
            no price is known.
        :raises ModelError: the extractor's language model answers nothing.
        :raises StoreError: the store fails, or holds vectors of another embedder.
        """
        from hlg.ingest.load.sources import covered_by, sizes_of

        recipe = self._recipe(chunker, extractor)
        build = self._build_with(recipe, on_progress, set_up=not dry_run)
        gone = covered_by(paths) if prune else None
        sizes = sizes_of(paths) if on_progress is not None else None
        if not dry_run:
            self._note_extractor(recipe)
        with self._spending(budget) as spent:
            report = build.run(self._documents(paths), prune=gone, dry_run=dry_run, sizes=sizes)
        if dry_run:
            return report
        report = replace(report, model=spent())
        if relations:
            report = replace(report, relations=self._append_relations(on_progress))
        self.prepare()
        return report

    def estimate(
        self,
        paths: Sequence[str | Path],
        *,
        chunker: "str | Chunker | None" = None,
        extractor: str | None = None,
        sample: int = 20,
    ) -> Estimate:
        """What :meth:`build` will pay a language model for these paths.

        Asks about ``sample`` chunks that were not asked before, and keeps the answers: the
        build does not pay for them again.

        :raises UsageError: the extractor asks no language model, or there is none.
        :raises ModelError: the model answers for none of the sample.
        """
        from hlg.ingest.extract.model.estimate import estimate_build

        recipe = self._recipe(chunker, extractor)
        pending = self._build_with(recipe, None, set_up=False).pending(self._documents(paths))
        return estimate_build(self.require_door(), recipe, pending, sample)

    def infer_domain(self, paths: Sequence[str | Path]) -> Domain:
        """The classes of entities and the topics that a language model sees in five chunks.

        :raises UsageError: there is no language model.
        :raises InputError: the paths hold no text.
        :raises ModelError: it does not answer.
        """
        from hlg.ingest.extract.model.domain import infer_domain
        from hlg.ingest.recipe import chunks_of

        recipe = self._recipe(None, "local")
        documents = (each for each in self._documents(paths) if isinstance(each, Document))
        return infer_domain(self.require_door(), chunks_of(recipe, documents))

    def require_door(self) -> "ModelDoor":
        """The door to the language model.

        :raises UsageError: there is none; says what to set.
        """
        if self.door is None:
            raise UsageError(
                "this needs a language model: set llm (and llm_url) in hlg.toml, or HLG_LLM "
                "(and HLG_LLM_URL)",
                option="llm",
            )
        return self.door

    def import_triples(
        self,
        files: Sequence[str | Path],
        *,
        documents: Sequence[str | Path] = (),
        relations: bool = False,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> ImportReport:
        """Bring the graph up to date with triples from CSV, TSV or JSONL files.

        A file's rows replace those that it had; a bad row is in the report's ``failed``
        with its line, and costs the others nothing.

        :param documents: what describes the entities, as :meth:`build` takes it: a document
            whose id or title is an entity's describes that entity.
        :param relations: as in :meth:`build`.
        :raises StoreError: the store fails, or holds vectors of another embedder.
        """
        from hlg.ingest.composed import COMPOSED
        from hlg.ingest.triples.importing import import_triples

        imported = import_triples(
            files,
            self._documents(documents) if documents else None,
            self._build_with(self._recipe(COMPOSED, COMPOSED), on_progress),
            self._build_with(self._recipe(None, None), on_progress),
            on_progress or _in_silence,
        )
        appended = self._append_relations(on_progress) if relations else None
        self.prepare()
        return ImportReport(
            counts=self.store.counts(),
            rows=imported.rows,
            notes=imported.notes,
            triples=imported.triples,
            documents=imported.documents,
            described=imported.described,
            relations=appended,
        )

    def _recipe(
        self, chunker: "str | Chunker | None", extractor: "str | Extractor | None"
    ) -> "Recipe":
        from hlg.ingest.extract.extractors import MODEL_EXTRACTORS, open_model_extractor
        from hlg.ingest.recipe import Recipe

        settings = self.settings
        extractor = extractor or settings.extractor
        if isinstance(extractor, str) and extractor in MODEL_EXTRACTORS and self.door is not None:
            extractor = open_model_extractor(extractor, self.door, settings.domain)
        recipe = Recipe(
            chunker=chunker or settings.chunker,
            chunk_tokens=settings.chunk_tokens,
            chunk_overlap=settings.chunk_overlap,
            extractor=extractor,
            embedder=settings.embedder,
        )
        recipe.check()
        return recipe

    def _build_with(
        self,
        recipe: "Recipe",
        on_progress: Callable[[Progress], None] | None,
        *,
        set_up: bool = True,
    ) -> "Build":
        from hlg.ingest.build import Build

        embedder = self.embedder
        if set_up:
            self.store.set_up(embedder.name, embedder.dimensions)
        return Build(
            self.store,
            embedder,
            recipe,
            workers=self.settings.workers,
            max_document_mb=self.settings.max_document_mb,
            document_seconds=self.settings.document_seconds,
            on_progress=on_progress,
        )

    def _note_extractor(self, recipe: "Recipe") -> None:
        """Say it before anything is paid where a language model is to be asked otherwise."""
        from hlg.ingest.extract.model.known import remember, warn_if_new
        from hlg.ingest.recipe import Asks
        from hlg.retrieval.arrays.source import snapshot_folder

        if isinstance(recipe.extractor, Asks):
            folder = snapshot_folder(self.store.address, self.settings.graph)
            warn_if_new(folder, recipe.extractor.name, self.store.counts()["Source"])
            remember(folder, recipe.extractor.name)

    @contextmanager
    def _spending(self, budget: float | None) -> "Iterator[Callable[[], Usage | None]]":
        """A budget for the language model; gives what it was asked since."""
        door = self.door if budget is not None else self.__dict__.get("door")
        if door is None:
            if budget is not None:
                raise UsageError("there is a budget, but no language model", option="budget")
            yield lambda: None
            return
        before = door.usage
        door.meter.limit(budget)
        try:
            yield lambda: door.usage - before
        finally:
            door.meter.limit(None)

    def _documents(self, paths: Sequence[str | Path]) -> "Iterator[Document | Failure | LeftOut]":
        from hlg.ingest.load.file import RecordFields
        from hlg.ingest.load.limits import MEBIBYTE, Limits
        from hlg.ingest.load.sources import load

        settings = self.settings
        limits = Limits(
            file_bytes=settings.max_file_mb * MEBIBYTE,
            unpacked_bytes=settings.max_unpacked_mb * MEBIBYTE,
            seconds=settings.document_seconds,
        )
        fields = RecordFields(settings.text_field, settings.id_field, settings.title_field)
        return load(paths, limits=limits, fields=fields)

    def _append_relations(self, on_progress: Callable[[Progress], None] | None) -> BuildReport:
        from hlg.ingest.composed import COMPOSED
        from hlg.ingest.triples.relations import is_relations, relation_documents

        build = self._build_with(self._recipe(COMPOSED, COMPOSED), on_progress)
        return build.run(relation_documents(self.store), prune=is_relations)

    def prepare(self) -> None:
        """Keep the graph as arrays beside its store; else the next search would do it first."""
        self._snapshots.refresh()

    def search(
        self,
        question: str,
        *,
        retriever: "str | Retriever | None" = None,
        top_k: int | None = None,
        options: "Mapping[str, object] | Options | None" = None,
        where: str = "",
    ) -> SearchResult:
        """The evidence for a question with what finding it cost.

        :param retriever: one of :data:`hlg.retrieval.registry.RETRIEVERS`, or an object of
            one's own (:class:`hlg.retrieval.base.Retriever`).
        :param options: the retriever's own options, by name or as their record.
        :param where: only sources that fulfil this are searched (:mod:`hlg.where`).
        :raises UsageError: the question is empty; no such retriever or option.
        :raises StoreError: the store fails, is empty, or was built with another embedder.
        """
        from hlg.retrieval.base import Trace
        from hlg.retrieval.registry import open_retriever

        started = time.perf_counter()
        calls = self.store.calls
        trace = Trace()
        opened = open_retriever(
            retriever or self.settings.retriever, self._session(trace, where), options
        )
        found = opened.retrieve(question, self.settings.top_k if top_k is None else top_k)
        if not found and not self.store.counts()["Source"]:
            raise StoreMissing(
                f"the graph in {self.store.address} has no document yet: it is being built, or "
                "hlg build PATH adds some",
                address=self.store.address,
            )
        total = (time.perf_counter() - started) * 1000
        return SearchResult(
            query=question,
            retriever=opened.name,
            hits=tuple(found),
            store_calls=self.store.calls - calls,
            timings_ms={stage: round(spent, 2) for stage, spent in trace.timings_ms.items()}
            | {"total": round(total, 2)},
            explanation=trace.explanation(),
            answer=trace.answer,
            confidence=round(trace.confidence, 4),
        )

    def _session(self, trace: "Trace", where: str = "") -> "SearchSession":
        from hlg.retrieval.base import SearchSession

        return SearchSession(
            self.store,
            self.graph_embedder,
            self._where(where) if where else self._snapshots,
            trace,
            is_restricted=bool(where),
            recognize=lambda text: self._recognize(text),
            door=lambda: self.door,
        )

    def retrieve(
        self,
        question: str,
        *,
        retriever: "str | Retriever | None" = None,
        top_k: int | None = None,
        options: "Mapping[str, object] | Options | None" = None,
        where: str = "",
    ) -> list[Hit]:
        """The hits of :meth:`search`, best first."""
        return list(
            self.search(
                question, retriever=retriever, top_k=top_k, options=options, where=where
            ).hits
        )

    def rank(
        self, question: str, ids: Sequence[str], *, kind: Literal["Statement", "Chunk"]
    ) -> list[Scored]:
        """Statements or chunks, wherever they were found, as the learned path ranker puts them.

        Ids that the graph does not have come last. Without a snapshot the order stays.

        :raises UsageError: the question is empty.
        :raises StoreError: the store fails, is empty, or was built with another embedder.
        """
        from hlg.retrieval.base import Candidate, Query, Trace
        from hlg.retrieval.pipeline import rank_by_path

        session = self._session(Trace())
        found = [Candidate(kind, id_, float(-place)) for place, id_ in enumerate(ids)]
        return rank_by_path(session, Query(question, session), found)

    def evidence(self, hits: Sequence[Hit], limits: SubgraphLimits = LIMITS) -> Subgraph:
        """What hits and their paths rest on: for a picture, say, with :mod:`hlg.view`."""
        return united(
            [self.store.evidence(label, ids, limits) for label, ids in ids_of(hits).items()]
        )

    def context(
        self,
        question: str,
        *,
        retriever: "str | Retriever | None" = None,
        top_k: int | None = None,
        options: "Mapping[str, object] | Options | None" = None,
        where: str = "",
        format: str = "grouped",
        budget: int = 3000,
        conversation: "Conversation | None" = None,
    ) -> "ContextText":
        """What a language model is given to answer a question: passages and facts as text.

        :param format: one of :data:`hlg.retrieval.context.conversation.FORMATS`.
        :param budget: tokens, at most; the strongest evidence is kept.
        :param conversation: what earlier questions found; this one's evidence joins it,
            and the text holds only what no earlier one of the conversation held.
        :raises UsageError: as :meth:`search`; no such format; the budget is too small.
        :raises StoreError: as :meth:`search`.
        """
        from hlg.retrieval.context.conversation import Conversation, check_format, subgraph_limits

        check_format(format)
        hits = self.retrieve(
            question, retriever=retriever, top_k=top_k, options=options, where=where
        )
        conversation = conversation or Conversation()
        evidence = self.evidence(hits, subgraph_limits(budget))
        conversation.add(hits, evidence, self.store.merges().canonical())
        return conversation.text(format, budget, self.token_counter)

    def ask(
        self,
        question: str,
        *,
        retriever: "str | Retriever | None" = None,
        top_k: int | None = None,
        options: "Mapping[str, object] | Options | None" = None,
        where: str = "",
        budget: int = 3000,
        extractive: bool = False,
        on_text: Callable[[str], None] | None = None,
    ) -> "Answer":
        """A question's answer: sentences that are cited to the character.

        By the language model where there is one, each sentence checked against what it cites.
        Else, or where the model fails, the statements that answer, as they stand in their
        sources; a question for a name, a place, a date, a number, or yes or no leads with it.

        :param budget: tokens of evidence that the model is given, at most.
        :param extractive: ask no model even where there is one.
        :param on_text: is given a model's answer in pieces as they come, before it is checked.
        :raises UsageError: as :meth:`search`.
        :raises StoreError: as :meth:`search`.
        """
        from hlg.asking.ask import ask
        from hlg.asking.found import SearchOptions

        how = SearchOptions(retriever, top_k, options, where)
        return ask(self, question, how, budget=budget, extractive=extractive, on_text=on_text)

    asearch = _in_thread(search)
    aretrieve = _in_thread(retrieve)
    acontext = _in_thread(context)
    aask = _in_thread(ask)

    @cached_property
    def token_counter(self) -> "TokenCounter":
        """Counts the tokens of what a language model is given."""
        from hlg.tokens import token_counter

        return token_counter(self.graph_embedder)

    def build_communities(
        self,
        *,
        algorithm: str = "hierarchical",
        quality: str = "modularity",
        resolution: float = 1.0,
        max_size: int = 10,
        max_level: int | None = None,
        summary_tokens: int = 300,
        on_progress: Callable[[Progress], None] | None = None,
    ) -> CommunityReport:
        """Find the communities of the graph's entities and summarise those that changed.

        By the language model where the settings name one, else by extraction. Interrupted,
        the graph keeps the communities that it had.

        :param algorithm: ``hierarchical`` (levels, split down to ``max_size``) or ``leiden``.
        :param quality: what is maximised: ``modularity`` or ``cpm``.
        :param resolution: higher gives more and smaller communities.
        :param max_level: levels below are left out.
        :raises UsageError: an option is out of its range.
        :raises StoreError: there is no graph, or the store fails.
        """
        from hlg.ingest.communities.build import build_communities
        from hlg.ingest.communities.find import CommunityOptions
        from hlg.ingest.communities.summaries import open_summarizer

        options = CommunityOptions(algorithm, quality, resolution, max_size, max_level)
        embedder = self.graph_embedder
        summarizer = open_summarizer(self.door, embedder.count_tokens, summary_tokens)
        report = build_communities(
            self.store, embedder, summarizer, options, on_progress or _in_silence
        )
        self.prepare()
        return report

    def communities(self, level: int | None = None) -> list[Community]:
        """The communities of a level, or all, by level, then the largest first."""
        found = self.store.communities()
        return [each for each in found if level is None or each.level == level]

    def communities_status(self) -> CommunityStatus:
        """How many communities there are, and whether the graph has changed since."""
        info = self.store.info()
        levels = Counter(each.level for each in self.store.communities()) if info else Counter()
        revision = self.store.communities_revision() if levels else ""
        return CommunityStatus(
            communities=levels.total(),
            levels=tuple(levels[level] for level in range(len(levels))),
            revision=revision,
            is_current=bool(info and revision == info.revision),
        )

    def sources(self) -> list[Source]:
        """All sources, ordered by uri."""
        return self.store.sources()

    def delete(self, source: str) -> int:
        """Delete a source, by id or uri, and what only it supported; 1, or 0 if unknown.

        What :meth:`build` appended to it goes as well.
        """
        from hlg.ingest.triples.relations import relations_uri

        found = next((x for x in self.sources() if source in (x.id, x.uri)), None)
        if found is None:
            return 0
        return min(1, self.store.delete([found.id, source_id(relations_uri(found.uri))]))

    def status(self) -> Status:
        """What the store holds, and what it was built with.

        :raises StoreMissing: there is no graph.
        """
        info = self.store.require()
        return Status(
            store=self.store.address,
            graph=self.settings.graph,
            counts=self.store.counts(),
            revision=info.revision,
            embedder=info.embedder,
            dimensions=info.dimensions,
            schema_version=info.schema_version,
        )
