"""The facade: a graph that can be built, asked, looked at and closed."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from hlg.arguments import Paths, paths_of, several, whole
from hlg.asking.twins import in_thread
from hlg.ids import source_id
from hlg.opened import OpenGraph
from hlg.records import Community, Hit, Scored, Source, find_source
from hlg.reports import (
    BuildReport,
    CommunityReport,
    CommunityStatus,
    Estimate,
    ImportReport,
    OnProgress,
    SearchResult,
    Status,
)
from hlg.settings import Domain

if TYPE_CHECKING:
    from hlg.agent.ask import AgentOptions
    from hlg.answers import Answer
    from hlg.entities.resolution import Entities
    from hlg.ingest.base import Chunker, Extractor
    from hlg.retrieval.base import Retriever
    from hlg.retrieval.context.conversation import ContextText, Conversation
    from hlg.retrieval.context.paths import PathLimits
    from hlg.retrieval.options import Options


class LexicalGraph(OpenGraph):
    """A Hierarchical Lexical Graph in a store, with all that is done with it.

    Use it as a context manager, or call :meth:`close`::

        with LexicalGraph.open("notes.lbug") as graph:
            graph.build(["notes/"])
            for hit in graph.retrieve("Who founded the yard that built the Petrel?"):
                print(hit.score, hit.passage.text)
    """

    @cached_property
    def entities(self) -> "Entities":
        """The graph's entities: duplicates found, merged, split and shown."""
        from hlg.entities.resolution import Entities

        return Entities(self.store, self.settings.min_confidence)

    def build(
        self,
        paths: Paths,
        *,
        chunker: "str | Chunker | None" = None,
        extractor: "str | Extractor | None" = None,
        prune: bool = False,
        relations: bool = False,
        dry_run: bool = False,
        budget: float | None = None,
        batch: bool = False,
        on_progress: OnProgress | None = None,
    ) -> BuildReport:
        """Bring the graph up to date with a file, folder or glob, ``-`` for stdin, or several.

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
        :param batch: ask the language model through its provider's batches, which are cheaper
            and take hours: what can be asked now is sent, and nothing is built until the
            answers are there; the report's ``batch`` says so. The same call again goes on.
        :raises UsageError: a chunker's or an extractor's name is wrong; there is a budget, but
            no price is known; there are to be batches, but nothing asks, or not in OpenAI's
            protocol.
        :raises ModelError: the extractor's language model answers nothing.
        :raises StoreError: the store fails, or holds vectors of another embedder.
        """
        from hlg.indexing.build import BuildOptions, build_graph
        from hlg.indexing.setup import recipe_of

        recipe = recipe_of(self, chunker, extractor)
        how = BuildOptions(prune, relations, dry_run, budget, batch)
        return build_graph(self, paths_of(paths), recipe, how, on_progress)

    def estimate(
        self,
        paths: Paths,
        *,
        chunker: "str | Chunker | None" = None,
        extractor: str | None = None,
        sample: int = 20,
        on_progress: OnProgress | None = None,
    ) -> Estimate:
        """What :meth:`build` will pay a language model for these paths.

        Asks about ``sample`` chunks that were not asked before, and keeps the answers: the
        build does not pay for them again.

        :param on_progress: is told what the sample costs at most, before it is asked.
        :raises UsageError: the extractor asks no language model, or there is none.
        :raises ModelError: the model answers for none of the sample.
        """
        from hlg.indexing.payment import estimate
        from hlg.indexing.setup import recipe_of

        recipe = recipe_of(self, chunker, extractor)
        return estimate(self, paths_of(paths), recipe, sample, on_progress)

    def estimate_communities(
        self, *, sample: int = 20, on_progress: OnProgress | None = None
    ) -> Estimate:
        """As :meth:`estimate`, what :meth:`build_communities` will pay for the graph as it is.

        The estimate's chunks are communities, and it has no documents.

        :raises UsageError: there is no language model.
        :raises ModelError: the model answers for none of the sample.
        :raises StoreError: there is no graph, or the store fails.
        """
        from hlg.indexing.payment import estimate_communities

        return estimate_communities(self, sample, on_progress)

    def infer_domain(self, paths: Paths) -> Domain:
        """The classes of entities and the topics that a language model sees in five chunks.

        :raises UsageError: there is no language model.
        :raises InputError: the paths hold no text.
        :raises ModelError: it does not answer.
        """
        from hlg.indexing.payment import domain_of

        return domain_of(self, paths_of(paths))

    def import_triples(
        self,
        files: Paths,
        *,
        documents: Paths = (),
        relations: bool = False,
        on_progress: OnProgress | None = None,
    ) -> ImportReport:
        """Bring the graph up to date with triples from CSV, TSV or JSONL files.

        A file's rows replace those that it had; a bad row is in the report's ``failed``
        with its line, and costs the others nothing.

        :param documents: what describes the entities, as :meth:`build` takes it: a document
            whose id or title is an entity's describes that entity.
        :param relations: as in :meth:`build`.
        :raises StoreError: the store fails, or holds vectors of another embedder.
        """
        from hlg.indexing.build import import_into

        return import_into(
            self, paths_of(files, "files"), paths_of(documents, "documents"), relations, on_progress
        )

    def search(
        self,
        question: str,
        *,
        retriever: "str | Retriever | Options | None" = None,
        top_k: int | None = None,
        options: "Mapping[str, object] | Options | None" = None,
        where: str = "",
        mark: bool = False,
    ) -> SearchResult:
        """The evidence for a question with what finding it cost.

        :param retriever: one of :data:`hlg.retrieval.registry.RETRIEVERS`, by name or as the
            record of its options (``BeamOptions(depth=2)``), or an object of one's own
            (:class:`hlg.retrieval.base.Retriever`).
        :param options: the retriever's own options, by name or as their record.
        :param where: only sources that fulfil this are searched (:mod:`hlg.where`).
        :param mark: also say which sentence of each chunk answers best
            (:attr:`hlg.records.Hit.sentence`); costs one more call of the store.
        :raises UsageError: the question is empty; no such retriever or option.
        :raises StoreError: the store fails, is empty, or was built with another embedder.
        """
        from hlg.asking.marks import marked
        from hlg.asking.search import SearchOptions, search

        result = search(self, question, SearchOptions(retriever, top_k, options, where))
        return marked(self, result) if mark else result

    def retrieve(
        self,
        question: str,
        *,
        retriever: "str | Retriever | Options | None" = None,
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
        self, question: str, ids: str | Sequence[str], *, kind: Literal["Statement", "Chunk"]
    ) -> list[Scored]:
        """Statements or chunks, wherever they were found, as the learned path ranker puts them.

        Ids that the graph does not have come last. Without a snapshot the order stays.

        :raises UsageError: the question is empty.
        :raises StoreError: the store fails, is empty, or was built with another embedder.
        """
        from hlg.asking.search import rank

        return rank(self, question, several(ids, str, "ids"), kind)

    def context(
        self,
        question: str,
        *,
        retriever: "str | Retriever | Options | None" = None,
        top_k: int | None = None,
        options: "Mapping[str, object] | Options | None" = None,
        where: str = "",
        format: str = "grouped",
        tokens: int = 3000,
        conversation: "Conversation | None" = None,
        walk: "PathLimits | None" = None,
    ) -> "ContextText":
        """What a language model is given to answer a question: passages and facts as text.

        :param format: one of :data:`hlg.retrieval.context.conversation.FORMATS`.
        :param tokens: how many, at most; the strongest evidence is kept.
        :param conversation: what earlier questions found; this one's evidence joins it,
            and the text holds only what no earlier one of the conversation held.
        :param walk: of the format ``paths``: how many hops, paths and entities
            (:class:`hlg.retrieval.context.paths.PathLimits`). It begins at the entities that the
            question names, then at those of the best evidence.
        :raises UsageError: as :meth:`search`; no such format; that is too few tokens.
        :raises StoreError: as :meth:`search`.
        """
        from hlg.asking.context import context_of
        from hlg.asking.search import SearchOptions

        how = SearchOptions(retriever, top_k, options, where)
        return context_of(
            self,
            question,
            how,
            format=format,
            tokens=tokens,
            conversation=conversation,
            walk=walk,
        )

    def ask(
        self,
        question: str,
        *,
        retriever: "str | Retriever | Options | None" = None,
        top_k: int | None = None,
        options: "Mapping[str, object] | Options | None" = None,
        where: str = "",
        tokens: int = 3000,
        extractive: bool = False,
        on_text: Callable[[str], None] | None = None,
        agent: "str | AgentOptions | None" = None,
    ) -> "Answer":
        """A question's answer: sentences that are cited to the character.

        By the language model where there is one, each sentence checked against what it cites.
        Else, or where the model fails, the statements that answer, as they stand in their
        sources; a question for a name, a place, a date, a number, or yes or no leads with it.

        :param tokens: how many of evidence the model is given, at most.
        :param extractive: ask no model even where there is one.
        :param on_text: is given a model's answer in pieces as they come, before it is checked.
        :param agent: let the language model search for itself: ``agentic`` or ``batch``, or as
            :class:`hlg.agent.ask.AgentOptions`; an :class:`hlg.agent.ask.Agent` also answers
            further questions, and tells of its steps.
        :raises UsageError: as :meth:`search`; there is to be an agent, but no model.
        :raises StoreError: as :meth:`search`.
        """
        from hlg.asking.ask import answer_from
        from hlg.asking.found import find_evidence
        from hlg.asking.search import SearchOptions

        how = SearchOptions(retriever, top_k, options, where)
        if agent is not None:
            from hlg.agent.ask import Agent, AgentOptions

            if isinstance(agent, str):
                agent = AgentOptions(agent)
            return Agent(self, how, agent).ask(question)
        whole(tokens, "tokens")
        found = find_evidence(self, question, how)
        return answer_from(
            self, question, found, tokens=tokens, extractive=extractive, on_text=on_text
        )

    asearch = in_thread(search)
    aretrieve = in_thread(retrieve)
    acontext = in_thread(context)
    aask = in_thread(ask)

    def build_communities(
        self,
        *,
        algorithm: str = "hierarchical",
        quality: str = "modularity",
        resolution: float = 1.0,
        max_size: int = 10,
        max_level: int | None = None,
        summary_tokens: int = 300,
        on_progress: OnProgress | None = None,
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
            self.store, embedder, summarizer, options, on_progress or (lambda progress: None)
        )
        self.prepare()
        return report

    def communities(self, level: int | None = None) -> list[Community]:
        """The communities of a level, or all, by level, then the largest first."""
        if level is not None:
            whole(level, "level")
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

    def delete(self, sources: Paths) -> int:
        """Delete a source, by id or any of its addresses, or several, and what only they
        supported; how many there were.

        Of a text that was read under several addresses all are forgotten at once: the next
        build of a path that still has it takes it in again. What :meth:`build` appended to it
        goes as well.
        """
        from hlg.ingest.load.sources import uri_of
        from hlg.ingest.triples.relations import relations_uri

        known = self.sources()
        matches = (
            find_source(known, each) or find_source(known, uri_of(each))
            for each in paths_of(sources, "sources")
        )
        found = {each.id: each for each in matches if each}
        relations = [source_id(relations_uri(each.uri)) for each in found.values()]
        return min(len(found), self.store.delete([*found, *relations])) if found else 0

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
