"""Settings: flag, then ``HLG_*`` environment, then ``hlg.toml``, then default."""

import json
import os
import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

from annotated_types import MaxLen
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SecretStr,
    StringConstraints,
    ValidationError,
    field_validator,
)
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from hlg.errors import UsageError
from hlg.models.language.prices import Price
from hlg.schema import SURE

DomainName = Annotated[str, StringConstraints(pattern=r"^\w[\w &/'’.-]{0,60}$")]
"""No sentence, though it stands in a fence of its prompt."""

SETTINGS_FILE = "hlg.toml"
"""Looked for in the current directory."""
ENVIRONMENT_PREFIX = "HLG_"
CACHE_OFF = "off"
"""Value of ``llm_cache`` that keeps no answers."""
_DOMAIN_TABLE = re.compile(r"^\[domain\]\n(?:(?!\[).*\n?)*", re.MULTILINE)
_OTHER_VARIABLES = ("HLG_CACHE", "HLG_DEBUG")
_TEST_PREFIX = "HLG_TEST_"
_HIDDEN = "********"
_SECRETS = frozenset(("llm_api_key", "neo4j_password"))


class Domain(BaseModel):
    """What a language model is told of a collection of documents before it extracts from it.

    Classes of entities and topics, as names that say nothing more.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    classes: Annotated[tuple[DomainName, ...], MaxLen(40)] = ()
    topics: Annotated[tuple[DomainName, ...], MaxLen(40)] = ()


class Settings(BaseSettings):
    """All that decides how hlg works, once it is known from where; never changed afterwards."""

    model_config = SettingsConfigDict(
        env_prefix=ENVIRONMENT_PREFIX,
        env_ignore_empty=True,
        enable_decoding=False,
        extra="forbid",
        frozen=True,
        toml_file=SETTINGS_FILE,
    )

    store: str = Field(
        ".hlg/graph.lbug",
        min_length=1,
        description="Where the graph is: a file's path, or neo4j://host:7687.",
    )
    graph: str = Field("", description="Name of a graph kept apart from the others in its store.")
    neo4j_user: str = Field("neo4j", min_length=1, description="User at Neo4j.")
    neo4j_password: SecretStr = Field(
        SecretStr(""),
        description="Password at Neo4j; better set as HLG_NEO4J_PASSWORD than written here.",
    )
    neo4j_home: str = Field(
        ".hlg/neo4j",
        min_length=1,
        description="Folder of the server that hlg neo4j start runs; its password is found there.",
    )
    embedder: str = Field(
        "minilm-int8",
        min_length=1,
        description="Embedding model; a graph keeps the one that it was built with.",
    )
    chunker: str = Field(
        "fixed",
        min_length=1,
        description="How documents are cut: fixed, semantic, hierarchical, the name of a "
        "LlamaIndex node parser, or contextual or agentic (a language model).",
    )
    chunk_tokens: int = Field(300, ge=16, le=100_000, description="Tokens a chunk, at most.")
    chunk_overlap: float = Field(
        0.2, ge=0, lt=1, description="Part of a chunk that the next one repeats."
    )
    extractor: str = Field(
        "local",
        min_length=1,
        description="What finds statements, entities and facts: local, local-all (facts of "
        "any chance, lists of references too), llm or llm-facts (a language model), or replay:FILE "
        "for what a model has extracted before.",
    )
    propositionizer: str = Field(
        "",
        description="Sequence-to-sequence model that finds the propositions of the extractor llm "
        "here, such as chentong00/propositionizer-wiki-flan-t5-large (hlg[torch]); empty: the "
        "language model is asked.",
    )
    workers: int = Field(0, ge=0, description="Processes that extract; 0 is one for each core.")
    max_file_mb: int = Field(32, ge=1, description="A larger file is reported and left out.")
    max_unpacked_mb: int = Field(
        64,
        ge=1,
        description="A file that is larger once it is unpacked (PDF, Office, archives) is "
        "reported and left out.",
    )
    max_document_mb: int = Field(
        10, ge=1, description="A document of more text than this is reported and left out."
    )
    document_seconds: float = Field(
        300.0,
        gt=0,
        description="A document that takes longer to chunk and extract is reported and left out.",
    )
    ocr_languages: str = Field(
        "",
        pattern=r"^([A-Za-z0-9_]+(\+[A-Za-z0-9_]+)*)?$",
        description="What scans are in, by tesseract's codes, such as deu+fra; empty: all that "
        "it has installed, English alone where those are more than four.",
    )
    text_field: str = Field(
        "", description="Field of JSON and JSONL records that holds the text; empty: text."
    )
    id_field: str = Field("", description="Field of records that holds the id; empty: _id or id.")
    title_field: str = Field("", description="Field of records that holds the title; empty: title.")
    retriever: str = Field("auto", min_length=1, description="How questions are answered.")
    top_k: int = Field(10, ge=1, le=10_000, description="How many hits a question gets.")
    min_confidence: float = Field(
        SURE,
        ge=0,
        le=1,
        description="Facts, entities and relations that are less sure are walked, but left out of "
        "pictures, contexts, evidence and lists of entities.",
    )
    max_snapshot_mb: int = Field(
        1024,
        ge=0,
        description="Memory for the graph as arrays; a larger graph is walked in its store.",
    )

    llm: str = Field(
        "",
        description="Language model: its name at llm_url, or PROVIDER:MODEL, such as "
        "anthropic:claude-sonnet-4-5; empty: none is used.",
    )
    llm_url: str = Field(
        "https://api.openai.com/v1",
        description="Where the language model answers, in the OpenAI protocol.",
    )
    llm_api_key: SecretStr = Field(
        SecretStr(""),
        description="Its key; better set as HLG_LLM_API_KEY than written here.",
    )
    llm_seconds: float = Field(
        60.0, gt=0, description="How long an answer of the language model is waited for."
    )
    llm_wait_seconds: float = Field(
        120.0, ge=0, description="How long a call that failed is tried again, in all."
    )
    llm_concurrency: int = Field(4, ge=1, le=1_000, description="Calls of the model at once.")
    llm_requests_per_minute: int = Field(
        0, ge=0, description="Calls a minute, at most; 0 is any number."
    )
    llm_tokens_per_minute: int = Field(
        0, ge=0, description="Tokens sent a minute, at most; 0 is any number."
    )
    llm_batch_share: float = Field(
        0.5, ge=0, le=1, description="What an answer of a batch costs, as a part of its price."
    )
    llm_cache: str = Field(
        "",
        description="File that keeps the model's answers, so that nothing is paid for twice; "
        "empty: in the user's cache; off: nowhere.",
    )
    llm_trace: str = Field(
        "", description="File that gets a JSON line for each call of the model; empty: none."
    )
    prompts: str = Field(
        "", description="Folder with prompts of one's own (hlg prompts eject), used before hlg's."
    )
    prices: dict[str, Price] = Field(
        {},
        description='What models cost, in US dollars a million tokens: [prices."NAME"] with '
        "input and output.",
    )

    domain: Domain = Field(
        Domain(),
        description="Classes of entities and topics that extraction by a model is told of: "
        "[domain] with classes and topics; hlg init --domain finds them.",
    )

    @field_validator("prices", "domain", mode="before")
    @classmethod
    def _of_json(cls, value: object) -> object:
        """A table as a variable and ``--set`` have it."""
        return json.loads(value) if isinstance(value, str) else value

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is read, strongest first; no ``.env`` files and no secrets folders."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls)


@dataclass(frozen=True, slots=True)
class SettingOrigin:
    """A setting as a person may see it, and where it came from.

    ``origin`` is ``flag``, ``environment``, ``hlg.toml`` or ``default``.
    """

    value: str
    origin: str


def assigned(texts: Iterable[str]) -> dict[str, object]:
    """Settings by name from ``NAME=VALUE``; a table is JSON, as in a variable.

    :raises UsageError: there is no such setting, or it is a secret, which a command line
        shows to others.
    """
    found: dict[str, object] = {}
    for text in texts:
        written, equals, value = text.partition("=")
        name, known = written.strip().replace("-", "_"), list(Settings.model_fields)
        if not equals:
            raise UsageError(f"--set {text!r} is not NAME=VALUE, such as top_k=5", option="set")
        if name not in known:
            hint = _nearest(name, known)
            raise UsageError(f"--set: no setting {name!r}; {hint}", option="set", known=known)
        if name in _SECRETS:
            raise UsageError(f"--set {name}: no secret is a flag; set HLG_{name.upper()}")
        found[name] = value
    return found


def load_settings(set_: Iterable[str] = (), /, **flags: object) -> Settings:
    """The settings in force; a flag that is None was not given.

    :param set_: more of them, as :func:`assigned` takes them.
    :raises UsageError: a flag, variable or line of the file is wrong; says which and
        what would be right.
    """
    if unknown := flags.keys() - Settings.model_fields.keys():
        raise TypeError(f"no such setting: {', '.join(sorted(unknown))}")
    given: dict[str, Any] = {name: value for name, value in flags.items() if value is not None}
    more: dict[str, Any] = assigned(set_)
    written = {name: f"--{name.replace('_', '-')}" for name in given}
    if twice := written.keys() & more.keys():
        name = min(twice)
        raise UsageError(f"{written[name]} and --set {name}: give one of them", option="set")
    written |= {name: f"--set {name}" for name in more}
    try:
        return Settings(**given, **more)
    except ValidationError as error:
        raise _wrong(error, written) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{SETTINGS_FILE} is not valid TOML: {error}") from error
    except OSError as error:
        raise UsageError(f"{SETTINGS_FILE} can't be read: {error.strerror}") from error


def setting_origins(settings: Settings, flags: Collection[str]) -> dict[str, SettingOrigin]:
    """Every setting by name, with its value (secrets masked) and its origin.

    :param flags: the names of those that came from the command line.
    """
    in_file = _file_values()
    origins = {}
    for name in Settings.model_fields:
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            shown = _HIDDEN if value.get_secret_value() else ""
        else:
            shown = str(value)
        origins[name] = SettingOrigin(shown, _origin(name, flags, in_file))
    return origins


def settings_template() -> str:
    """The text of a settings file that changes nothing: every setting as a comment."""
    lines = ["# Settings of hlg in this folder; flags and variables (HLG_TOP_K=5) go before them."]
    for name, field in Settings.model_fields.items():
        default = field.default
        if isinstance(default, SecretStr):
            default = default.get_secret_value()
        if isinstance(default, BaseModel):
            default = {}  # a table of its own
        lines += ["", f"# {field.description}", f"# {name} = {json.dumps(default)}"]
    return "\n".join(lines) + "\n"


def with_domain(text: str, domain: Domain) -> str:
    """The text of a settings file with this domain in place of the one that it has.

    The rest of the file stays as it is, comments too.

    :raises UsageError: what comes of it is not valid TOML.
    """
    lines = [f"{name} = {json.dumps(list(names), ensure_ascii=False)}" for name, names in domain]
    table = "\n".join(["[domain]", *lines]) + "\n"
    rest = _DOMAIN_TABLE.sub("", text).rstrip()
    made = f"{rest}\n\n{table}" if rest else table
    try:
        tomllib.loads(made)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{SETTINGS_FILE} is not valid TOML: {error}") from error
    return made


def unknown_environment() -> dict[str, str]:
    """``HLG_*`` variables that no setting reads, each with a hint at what was meant."""
    known = [ENVIRONMENT_PREFIX + name.upper() for name in Settings.model_fields]
    return {
        variable: _nearest(variable.upper(), known)
        for variable in sorted(os.environ)
        if variable.upper().startswith(ENVIRONMENT_PREFIX)
        and variable.upper() not in known
        and variable not in _OTHER_VARIABLES
        and not variable.startswith(_TEST_PREFIX)
    }


def _file_values() -> dict[str, Any]:
    path = Path(SETTINGS_FILE)
    return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}


def _origin(name: str, flags: Collection[str], in_file: Mapping[str, object]) -> str:
    if name in flags:
        return "flag"
    variable = ENVIRONMENT_PREFIX + name.upper()
    if any(key.upper() == variable and value for key, value in os.environ.items()):
        return "environment"
    return SETTINGS_FILE if name in in_file else "default"


def _wrong(error: ValidationError, written: Mapping[str, str]) -> UsageError:
    """The first thing wrong, in one line.

    :param written: by setting how the command line gave it.
    """
    detail = error.errors(include_url=False)[0]
    field, *inner = map(str, detail["loc"])
    name = ".".join((field, *inner))
    if detail["type"] == "extra_forbidden" and not inner:
        known = list(Settings.model_fields)
        hint = _nearest(name, known)
        return UsageError(f"{SETTINGS_FILE}: no setting {name!r}; {hint}", option=name, known=known)
    origin = _origin(field, written, _file_values())
    place = {
        "flag": written.get(field),
        "environment": ENVIRONMENT_PREFIX + field.upper(),
        SETTINGS_FILE: f"{SETTINGS_FILE}: {name}",
    }[origin]
    shown = "" if field in _SECRETS else f" {detail['input']!r} is not valid:"
    reason = detail["msg"].replace("Input should be", "it should be")
    return UsageError(f"{place}:{shown} {reason}", option=name)


def _nearest(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, n=2, cutoff=0.75)
    if close:
        return f"did you mean {' or '.join(map(repr, close))}?"
    return f"there are {', '.join(known)}"
