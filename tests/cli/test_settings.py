"""Where a setting comes from, and what is said about a wrong one."""

import tomllib
from pathlib import Path

import pytest

from hlg.errors import UsageError
from hlg.settings import (
    SETTINGS_FILE,
    Settings,
    load_settings,
    setting_origins,
    settings_template,
    unknown_environment,
)
from support.command_line import done, refused

pytestmark = pytest.mark.usefixtures("folder")


def write(text: str) -> None:
    Path(SETTINGS_FILE).write_text(text, "utf-8")


def test_a_flag_goes_before_environment_before_file_before_default(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("top_k = 3\nworkers = 3\nchunk_tokens = 333\n")
    monkeypatch.setenv("HLG_TOP_K", "2")
    monkeypatch.setenv("HLG_WORKERS", "2")

    settings = load_settings(top_k=1, workers=None)
    origins = setting_origins(settings, ["top_k"])

    assert (settings.top_k, settings.workers, settings.chunk_tokens) == (1, 2, 333)
    assert settings.store == ".hlg/graph.lbug"
    assert [origins[name].origin for name in ("top_k", "workers", "chunk_tokens", "store")] == [
        "flag",
        "environment",
        "hlg.toml",
        "default",
    ]
    assert origins["chunk_tokens"].value == "333"


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLG_TOP_K", "")
    assert load_settings().top_k == Settings().top_k
    assert setting_origins(load_settings(), ())["top_k"].origin == "default"


@pytest.mark.parametrize(
    ("text", "option", "said"),
    [
        (
            "chunk_token = 5",
            "chunk_token",
            "no setting 'chunk_token'; did you mean 'chunk_tokens'?",
        ),
        ("chunk_tokens = 5", "chunk_tokens", "chunk_tokens: 5 is not valid: it should be greater"),
        ("workers = 'many'", "workers", "workers: 'many' is not valid: it should be a valid int"),
        ("colour = 'red'", "colour", "no setting 'colour'; there are store, graph"),
    ],
)
def test_a_wrong_file_is_one_line_that_says_what_is_right(
    text: str, option: str, said: str
) -> None:
    write(text)
    with pytest.raises(UsageError) as error:
        load_settings()
    assert str(error.value).startswith(f"hlg.toml: {said}")
    assert "\n" not in str(error.value)
    assert error.value.option == option
    assert ("chunk_tokens" in error.value.known) == ("no setting" in said)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"a b", "not valid TOML: Expected '=' after a key"),
        (b"store = '\xff'", "is not valid TOML"),
    ],
)
def test_a_file_that_is_no_toml_is_named(data: bytes, said: str) -> None:
    Path(SETTINGS_FILE).write_bytes(data)
    with pytest.raises(UsageError, match=said):
        load_settings()


def test_a_wrong_variable_and_a_wrong_flag_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="--top-k: 0 is not valid"):
        load_settings(top_k=0)
    monkeypatch.setenv("HLG_CHUNK_OVERLAP", "1.5")
    with pytest.raises(UsageError, match=r"HLG_CHUNK_OVERLAP: '1.5' is not valid.*less than 1"):
        load_settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("topk=5", "--set: no setting 'topk'; did you mean 'top_k'?"),
        ("colour=red", "--set: no setting 'colour'; there are store, graph"),
        ("top_k", "--set 'top_k' is not NAME=VALUE, such as top_k=5"),
        ("top_k=many", "--set top_k: 'many' is not valid: it should be a valid integer"),
        ("prices=cheap", "--set prices: 'cheap' is not valid: Value error, Expecting value"),
        ("store=a.lbug", "--store and --set store: give one of them"),
        ("llm_api_key=sk-1", "--set llm_api_key: no secret is a flag; set HLG_LLM_API_KEY"),
    ],
)
def test_a_setting_that_is_set_wrong_is_said_in_a_line(text: str, said: str) -> None:
    for command in ("status", "doctor"):
        assert refused(command, "--store", "b.lbug", "--set", text).startswith(f"hlg: {said}")


def test_any_setting_is_set_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLG_WORKERS", "2")
    told = ["workers=3", "chunk-tokens=33", 'prices={"m": {"input": 1, "output": 2}}']
    words = [word for text in told for word in ("--set", text)]
    settings = done("doctor", *words, code=0)["settings"]
    assert settings["workers"] == {"value": "3", "origin": "flag"}
    assert settings["chunk_tokens"] == {"value": "33", "origin": "flag"}
    assert load_settings(told).prices["m"].output == 2
    assert load_settings(['domain={"classes": ["Ship"]}']).domain.classes == ("Ship",)


def test_a_table_in_a_variable_that_is_none_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLG_PRICES", "cheap")
    assert refused("status").startswith("hlg: HLG_PRICES: 'cheap' is not valid")
    monkeypatch.setenv("HLG_PRICES", "")
    write("[domain]\nclasses = ['Ship!']")
    assert refused("status").startswith("hlg: hlg.toml: domain.classes.0: 'Ship!' is not valid")


def test_a_setting_that_does_not_exist_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="topk"):
        load_settings(topk=5)


def test_a_password_is_never_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLG_NEO4J_PASSWORD", "s3cret-word")
    settings = load_settings()
    assert settings.neo4j_password.get_secret_value() == "s3cret-word"
    assert "s3cret" not in repr(settings)
    assert "s3cret" not in repr(setting_origins(settings, ()))
    monkeypatch.delenv("HLG_NEO4J_PASSWORD")
    write("neo4j_password = ['s3cret-word']")
    with pytest.raises(UsageError) as error:
        load_settings()
    assert "s3cret" not in str(error.value)


def test_a_misspelt_variable_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HLG_STOER", "x")
    monkeypatch.setenv("HLG_TOP_K", "5")
    monkeypatch.setenv("HLG_DEBUG", "1")
    assert unknown_environment() == {"HLG_STOER": "did you mean 'HLG_STORE'?"}


def test_the_template_names_every_setting_and_changes_none() -> None:
    text = settings_template()
    write(text)
    assert load_settings() == Settings()
    uncommented = "".join(
        line.removeprefix("# ") + "\n" for line in text.splitlines() if " = " in line
    )
    assert tomllib.loads(uncommented).keys() == Settings.model_fields.keys()
    write(uncommented)
    assert load_settings() == Settings.model_construct()
