"""The Docker files, as far as they can be judged without Docker."""

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from hlg.neo4j_server.jars import DEFAULT_VERSION
from support.neo4j_fixture import Neo4jServer

DOCKER = Path(__file__).parent.parent.parent / "docker"
IMAGE_SETTINGS = {"NEO4J_AUTH"}
"""Variables that the image's own start script reads; all others name a setting."""


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((DOCKER / "compose.yaml").read_text("utf-8"))


def setting_of(variable: str) -> str:
    """The setting that the image makes of a variable: ``__`` is an underscore, ``_`` a dot."""
    name = variable.removeprefix("NEO4J_")
    return "_".join(part.replace("_", ".") for part in name.split("__"))


def test_compose_file_follows_the_compose_specification(compose: Any) -> None:
    schemas = files("check_jsonschema") / "builtin_schemas" / "vendor"
    schema = json.loads((schemas / "compose-spec.json").read_text("utf-8"))
    jsonschema.validate(compose, schema)


def test_settings_are_ones_that_neo4j_knows(compose: Any, neo4j_server: Neo4jServer) -> None:
    variables = compose["services"]["neo4j"]["environment"].keys() - IMAGE_SETTINGS
    with neo4j_server.driver() as driver:
        rows = driver.execute_query("SHOW SETTINGS YIELD name").records
    known = {row["name"] for row in rows}
    assert variables
    assert {setting_of(name) for name in variables} <= known


def test_image_is_of_the_version_that_is_tested(compose: Any) -> None:
    tag = compose["services"]["neo4j"]["image"].partition(":")[2]
    assert DEFAULT_VERSION.startswith(tag.removesuffix("-community") + ".")


def test_neo4j_listens_for_this_machine_only_and_keeps_its_data_in_named_volumes(
    compose: Any,
) -> None:
    neo4j = compose["services"]["neo4j"]
    assert all(port.startswith("127.0.0.1:") for port in neo4j["ports"])
    assert {volume.partition(":")[0] for volume in neo4j["volumes"]} <= compose["volumes"].keys()


def test_no_password_is_written_down(compose: Any) -> None:
    for service in compose["services"].values():
        for name, value in service["environment"].items():
            if "AUTH" in name or "PASSWORD" in name:
                assert re.search(r"\$\{HLG_NEO4J_PASSWORD:\?", value)


def test_dockerfile_copies_what_is_there_and_is_let_in() -> None:
    text = (DOCKER / "Dockerfile").read_text("utf-8")
    let_in = (DOCKER / "Dockerfile.dockerignore").read_text("utf-8").splitlines()
    copied = [
        name
        for line in re.findall(r"^COPY (?!--from)(.+)$", text, re.M)
        for name in line.split()[:-1]
    ]
    assert {"pyproject.toml", "hlg", "cypher", "ingest", "retrieval"} <= set(copied)
    for name in copied:
        assert f"!{name}" in let_in
        assert (DOCKER.parent / name).exists()


def test_hlg_does_not_run_as_root() -> None:
    assert re.search(r"^USER (?!root)", (DOCKER / "Dockerfile").read_text("utf-8"), re.M)
