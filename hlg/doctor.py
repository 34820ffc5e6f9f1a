"""Checks of what hlg needs on this machine, each with what to do where it is not right."""

import os
import platform
import stat
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module, metadata
from pathlib import Path

from hlg.errors import HlgError, ModelError, StoreError, UsageError
from hlg.graph import LexicalGraph
from hlg.settings import SETTINGS_FILE, Settings, unknown_environment
from hlg.store.records import StoreHealth

ENDPOINT_SECONDS = 5.0
"""What a language model has to answer here, unless ``llm_seconds`` is less."""
ENDPOINT_TOKENS = 16
_SHOWN = 60
"""Characters of its answer."""

REGISTRIES = {
    "stores": "hlg.store:STORES",
    "kinds of file": "hlg.ingest.load.formats:FORMATS",
    "chunkers": "hlg.ingest.chunk.chunkers:CHUNKERS",
    "extractors": "hlg.ingest.extract.extractors:EXTRACTORS",
    "languages": "hlg.ingest.extract.local.languages:LANGUAGES",
    "retrievers": "hlg.retrieval.registry:RETRIEVERS",
    "context formats": "hlg.retrieval.context.conversation:FORMATS",
    "export formats": "hlg.export:FORMATS",
}
"""Where all that can be chosen by name is registered, by what it is."""


def choices() -> dict[str, dict[str, str]]:
    """All that can be chosen by name: by what it is, each as it is written, with its summary."""
    found = {}
    for kind, place in REGISTRIES.items():
        module, _, name = place.partition(":")
        registry = getattr(import_module(module), name)
        found[kind] = dict(zip(registry.written(), registry.summaries().values(), strict=True))
    return found


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at. ``advice`` and ``exit_code`` are set where it isn't ok."""

    name: str
    detail: str
    advice: str = ""
    exit_code: int = 0

    @property
    def ok(self) -> bool:
        """Whether there is nothing to do."""
        return self.exit_code == 0


def examine(settings: Settings) -> Iterator[Check]:
    """All checks, one by one as they are made; none of them changes anything."""
    yield _python()
    yield _packages()
    yield _environment()
    yield _settings_file(settings)
    yield _spacy()
    yield _embedder(settings)
    yield from _endpoint(settings)
    if "://" in settings.store:
        yield _password_file(settings)
    else:
        yield _store_folder(Path(settings.store))
    yield from _store(settings)


def _python() -> Check:
    return Check("python", f"{platform.python_version()} ({sys.executable})")


def _packages() -> Check:
    """Whether each of hlg's own requirements, without extras, is installed as wanted."""
    from packaging.requirements import Requirement

    wrong = []
    try:
        requirements = [Requirement(text) for text in metadata.requires("hlg") or ()]
    except metadata.PackageNotFoundError:
        return Check("packages", "hlg runs from its sources, which say nothing of what is wanted")
    needed = [r for r in requirements if r.marker is None or r.marker.evaluate({"extra": ""})]
    for requirement in needed:
        try:
            found = metadata.version(requirement.name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{requirement} is missing")
            continue
        if not requirement.specifier.contains(found, prereleases=True):
            wrong.append(f"{requirement} is wanted, {found} installed")
    if wrong:
        return Check(
            "packages",
            "; ".join(wrong),
            "install hlg again: pip install --upgrade hlg",
            ModelError.exit_code,
        )
    return Check("packages", f"all {len(needed)} that hlg requires")


def _environment() -> Check:
    unknown = unknown_environment()
    if unknown:
        detail = "; ".join(f"{variable}: {hint}" for variable, hint in unknown.items())
        return Check(
            "environment",
            f"no setting for {detail}",
            f"rename or unset {', '.join(unknown)}",
            UsageError.exit_code,
        )
    return Check("environment", "every HLG_* variable is a setting")


def _settings_file(settings: Settings) -> Check:
    path = Path(SETTINGS_FILE)
    if not path.is_file():
        return Check("settings file", f"no {SETTINGS_FILE} here; hlg init writes one")
    if "neo4j_password" in path.read_text("utf-8") and settings.neo4j_password.get_secret_value():
        return _private("settings file", path)
    return Check("settings file", str(path.absolute()))


def _private(name: str, path: Path) -> Check:
    """Whether nobody but its owner can read a file that holds a password."""
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        return Check(
            name,
            f"{path} holds a password and others can read it (mode {mode:o})",
            f"chmod 600 {path}",
            UsageError.exit_code,
        )
    return Check(name, f"{path}, read by its owner only")


def _spacy() -> Check:
    from hlg.models.spacy_pipeline import ENGLISH, load_english

    try:
        load_english()
    except ModelError as error:
        return _failed("language model", error)
    return Check("language model", f"{ENGLISH.package} {ENGLISH.version}")


def _embedder(settings: Settings) -> Check:
    from hlg.models.embedders import open_embedder

    try:
        embedder = open_embedder(settings.embedder)
        embedder.embed(["ready?"])
    except ModelError as error:
        return _failed("embedder", error)
    return Check("embedder", f"{embedder.name}, {embedder.dimensions} dimensions, weights verified")


def _endpoint(settings: Settings) -> Iterator[Check]:
    """Whether the language model answers, asked once; nothing where none is set."""
    from hlg.models.language.endpoint import Endpoint
    from hlg.models.language.providers import open_language_model

    seconds = min(settings.llm_seconds, ENDPOINT_SECONDS)
    try:
        model = open_language_model(settings.model_copy(update={"llm_seconds": seconds}))
    except HlgError as error:
        yield _failed("endpoint", error)
        return
    if model is None:
        return
    endpoint = Endpoint(model)
    asked = f"{endpoint.name} at {endpoint.address}"
    started = time.perf_counter()
    try:
        reply = endpoint.ask([("user", "Say: ready")], ENDPOINT_TOKENS, 0.0, None)
    except Exception as error:
        # Every provider raises errors of its own.
        detail = f"{asked} does not answer, asked once with {seconds:g} s for it"
        yield Check("endpoint", detail, endpoint.failure(error).reason, ModelError.exit_code)
        return
    took = time.perf_counter() - started
    yield Check("endpoint", f"{asked} answers {reply.text[:_SHOWN]!r} after {took:.1f} s")


def _password_file(settings: Settings) -> Check:
    path = Path(settings.neo4j_home) / "password"
    if settings.neo4j_password.get_secret_value():
        return Check("password", "set for Neo4j")
    if path.is_file():
        return _private("password", path)
    return Check(
        "password",
        "none is set for Neo4j",
        "set HLG_NEO4J_PASSWORD, or run hlg neo4j start",
        StoreError.exit_code,
    )


def _store_folder(store: Path) -> Check:
    folder = store.absolute().parent
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        return Check(
            "permissions",
            f"{folder} can't be written",
            f"make it yours (chown {os.environ.get('USER', 'YOU')} {folder}) or set another store",
            StoreError.exit_code,
        )
    return Check("permissions", f"{folder} can be written")


def _store(settings: Settings) -> Iterator[Check]:
    """Whether the store answers, and holds a graph that these settings can go on with."""
    path = Path(settings.store)
    if "://" not in settings.store and not settings.graph and not path.exists():
        yield Check("store", f"no graph at {path} yet; hlg build makes one")
        return
    try:
        with LexicalGraph.open(settings=settings, read_only=True) as opened:
            status = opened.status()
            health = opened.store.health()
            embedder = opened.embedder
    except HlgError as error:
        yield _failed("store", error)
        return
    if not status.revision:
        yield Check("store", f"{status.store} answers; no graph in it yet, hlg build makes one")
        return
    yield Check("store", f"{status.store} answers, {status.counts['Source']} sources")
    yield _database(health)
    yield Check("schema", f"schema version {status.schema_version}")
    vectors = f"{status.embedder}, {status.dimensions} dimensions"
    if (status.embedder, status.dimensions) == (embedder.name, embedder.dimensions):
        yield Check("vectors", vectors)
    else:
        yield Check(
            "vectors",
            f"made by {vectors}; the setting is {embedder.name}, {embedder.dimensions}",
            f'set embedder = "{status.embedder}", or build again into another store',
            StoreError.exit_code,
        )


def _database(health: StoreHealth) -> Check:
    if health.faulty:
        faults = ", ".join(f"{name} is {state}" for name, state in health.faulty.items())
        return Check(
            "database",
            f"{health.version}: {faults}",
            "run hlg build again: it makes what is missing",
            StoreError.exit_code,
        )
    indexes = f"all {health.indexes} indexes online" if health.indexes else "exact search"
    return Check("database", f"{health.version}, {indexes}")


def _failed(name: str, error: HlgError) -> Check:
    """A check that ended in an error, whose one line says what to do."""
    return Check(name, "failed", str(error), error.exit_code)
