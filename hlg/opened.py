"""A graph that is open: its store, its settings, and the models that belong to it."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from hlg.arguments import one, several
from hlg.errors import StoreMismatch
from hlg.models.base import Embedder
from hlg.records import Hit
from hlg.settings import Settings, load_settings
from hlg.store import GraphStore, open_store
from hlg.subgraph import LIMITS, Subgraph, SubgraphLimits, ids_of, united

if TYPE_CHECKING:
    from llama_index.core.llms import LLM

    from hlg.models.language.answers import Usage
    from hlg.models.language.door import ModelDoor
    from hlg.retrieval.arrays.restrict import RestrictedSnapshots
    from hlg.retrieval.arrays.source import SnapshotSource
    from hlg.retrieval.base import SearchSession, Trace

logger = logging.getLogger(__name__)


class OpenGraph:
    """What building and searching share. The facade is :class:`hlg.LexicalGraph`.

    Models are opened when they are first asked for, and kept.
    """

    def __init__(
        self,
        store: GraphStore,
        settings: Settings,
        *,
        embedder: Embedder | None = None,
        llm: "LLM | None" = None,
    ) -> None:
        self.store = store
        self.settings = settings
        if embedder is not None:
            self.embedder = embedder
        if llm is not None:
            self.llm = llm
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
        llm: "LLM | str | None" = None,
    ) -> Self:
        """Open the graph at a path or Neo4j URI; what isn't given comes from the settings.

        :param embedder: a model of one's own, in place of the one that the settings name.
        :param llm: a language model, likewise: any ``LLM`` of LlamaIndex, or a name as the
            setting ``llm`` takes it.
        :param read_only: open an embedded store beside the process that writes to it.
        :raises UsageError: a setting, the address or the graph's name is not valid.
        :raises StoreError: the store can't be opened.
        """
        if llm is not None and not hasattr(type(llm), "metadata"):
            one(llm, str, "llm")
        named = {
            "store": None if store is None else str(one(store, (str, Path), "store")),
            "graph": None if graph is None else one(graph, str, "graph"),
            "llm": llm if isinstance(llm, str) else None,
        }
        given = {name: value for name, value in named.items() if value is not None}
        settings = settings.model_copy(update=given) if settings else load_settings(**given)
        opened = open_store(
            settings.store,
            settings.graph,
            user=settings.neo4j_user,
            password=settings.neo4j_password.get_secret_value(),
            read_only=read_only,
        )
        model = None if isinstance(llm, str) else llm
        graph_ = cls(opened, settings, embedder=embedder, llm=model)
        if not read_only:
            graph_.snapshots.sweep()
        return graph_

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the store. Closing twice is fine."""
        self.store.close()
        if self._opened_door is not None:
            self._opened_door.close()

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
        from hlg.models.embedders import open_embedder, same

        info = self.store.require()
        own = self._own_embedder
        if own is None:
            named = self.settings.embedder
            if "embedder" in self.settings.model_fields_set and not same(named, info.embedder):
                logger.warning("embedder %s is not used: the graph is of %s", named, info.embedder)
            return open_embedder(info.embedder)
        if own.name != info.embedder:
            raise StoreMismatch(
                f"{self.store.address} holds vectors of {info.embedder!r}, not of {own.name!r}; "
                "open it with that embedder, or build it anew with this one"
            )
        return own

    @cached_property
    def llm(self) -> "LLM | None":
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
        if self.llm is None:
            return None
        from hlg.models.language.door import open_door

        return open_door(self.settings, self.llm)

    @property
    def _opened_door(self) -> "ModelDoor | None":
        """The door, if anybody has asked for it yet."""
        door: ModelDoor | None = self.__dict__.get("door")
        return door

    @property
    def model_usage(self) -> "Usage | None":
        """What the language model was asked since the graph was opened, and what that cost;
        None where it was not asked."""
        usage = self._opened_door.usage if self._opened_door is not None else None
        return usage if usage and (usage.calls or usage.cached or usage.failed) else None

    @contextmanager
    def spending(self, budget: float | None) -> Iterator[None]:
        """Let the language model cost no more than this in the block, in US dollars.

        No call is begun that might pass it; what was paid for is kept. None is any sum.

        :raises UsageError: there is no language model, or its price is not known.
        :raises BudgetReached: in the block, where the next call might pass it.
        """
        from hlg.models.language.budget import spending
        from hlg.models.language.providers import required

        if budget is not None:
            one(budget, (int, float), "budget")
            required(self.door).meter.check_price()
        with spending(budget):
            yield

    @cached_property
    def snapshots(self) -> "SnapshotSource":
        """The graph as arrays, kept for the next process."""
        from hlg.retrieval.arrays.source import SnapshotSource, snapshot_folder

        folder = snapshot_folder(self.store.address, self.settings.graph)
        return SnapshotSource(self.store, folder, self.settings.max_snapshot_mb)

    def prepare(self) -> None:
        """Keep the graph as arrays beside its store; else the next search would do it first."""
        self.snapshots.refresh()

    def evidence(self, hits: Hit | Sequence[Hit], limits: SubgraphLimits | None = None) -> Subgraph:
        """What hits and their paths rest on: for a picture, say, with :mod:`hlg.pictures`.

        :param limits: as large as any context by default, with what is as sure as the setting
            ``min_confidence`` says.
        """
        found = ids_of(several(hits, Hit, "hits"))
        limits = limits or replace(LIMITS, min_confidence=self.settings.min_confidence)
        return united([self.store.evidence(label, ids, limits) for label, ids in found.items()])

    def search_session(self, trace: "Trace | None" = None, where: str = "") -> "SearchSession":
        """What :func:`hlg.retrieval.registry.open_retriever` opens a retriever over.

        :param trace: is told what the searches do.
        :param where: only sources that fulfil this are searched (:mod:`hlg.where`).
        :raises UsageError: that is no condition.
        :raises StoreError: there is no graph, or it was built with another embedder.
        """
        from hlg.retrieval.base import SearchSession, Trace

        return SearchSession(
            self.store,
            self.graph_embedder,
            self._snapshots_where(where) if where else self.snapshots,
            trace or Trace(),
            is_restricted=bool(where),
            recognize=lambda text: self._recognize(text),
            door=lambda: self.door,
        )

    def _snapshots_where(self, condition: str) -> "RestrictedSnapshots":
        """The snapshots of the sources that fulfil a condition; the last one asked for is kept."""
        from hlg.retrieval.arrays.restrict import RestrictedSnapshots
        from hlg.where import parse_where

        one(condition, str, "where")
        kept = self._restricted
        if kept is None or kept[0] != condition:
            made = RestrictedSnapshots(self.snapshots, self.store, parse_where(condition).among)
            # Another thread may keep another one at any moment.
            kept = self._restricted = condition, made
        return kept[1]

    @cached_property
    def _recognize(self) -> Callable[[str], Sequence[str]]:
        """The names that the extractor finds in a question."""
        from hlg.ingest.extract.extractors import recognizer

        return recognizer(self.settings.extractor)
