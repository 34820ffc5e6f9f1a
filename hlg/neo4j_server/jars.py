"""Neo4j Community as Java archives: fetched by Maven once a version, shared by all homes.

They lie in the user's cache (``HLG_CACHE`` names another folder), where a folder named
after a version is either whole or not there: Maven fills a folder beside it, which takes
that name when Maven is done.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from filelock import FileLock

from hlg.errors import StoreError, UsageError
from hlg.folders import cache_folder

DEFAULT_VERSION = "5.26.30"

_VERSION = re.compile(r"(5|20\d\d)\.\d{1,2}\.\d{1,3}")
_JAVA_VERSION = re.compile(r'^JAVA_VERSION="(?:1\.)?(\d+)', re.MULTILINE)
_JAVA_HOMES = ("/usr/lib/jvm/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home")
_MAVEN_GOAL = "dependency:copy-dependencies"
_OPEN_PACKAGES = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent", "java.lang")
_VECTOR_MODULE_SINCE = 21


@dataclass(frozen=True, slots=True)
class Java:
    """A Java runtime: its ``java`` program and its major version."""

    program: Path
    major: int

    def options(self) -> list[str]:
        """The options that Neo4j needs of this runtime."""
        options = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in _OPEN_PACKAGES]
        if self.major >= _VECTOR_MODULE_SINCE:
            options += ["--add-modules=jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"]
        return options


def main_class(version: str) -> str:
    """The server's Java class, which calendar versions have under another name."""
    if version.startswith("5."):
        return "org.neo4j.server.CommunityEntryPoint"
    return "org.neo4j.server.Neo4jCommunity"


def find_java(version: str) -> Java:
    """The first Java that runs this version of Neo4j: ``JAVA_HOME``, the path, then the system's.

    :raises UsageError: not a version of Neo4j.
    :raises StoreError: there is no such Java.
    """
    if not _VERSION.fullmatch(version):
        raise UsageError(
            f"Neo4j version {version!r} is not valid: give one such as {DEFAULT_VERSION}",
            option="version",
        )
    oldest, newest = (17, 21) if version.startswith("5.") else (21, None)
    for home in _java_homes():
        java = _java_in(home)
        if java and java.major >= oldest and (newest is None or java.major <= newest):
            return java
    wanted = f"{oldest} to {newest}" if newest else f"{oldest} or later"
    raise StoreError(
        f"Neo4j {version} needs Java {wanted}, which is not here: "
        "install such a JDK, or let JAVA_HOME name one"
    )


def jars(version: str, report: Callable[[str], None]) -> Path:
    """The folder with the jars of a version, fetched first where it is not in the cache.

    :raises StoreError: Maven is missing or fails.
    """
    folder = cache_folder() / f"neo4j-{version}"
    if folder.is_dir():
        return folder
    maven = shutil.which("mvn")
    if maven is None:
        raise StoreError(
            f"Neo4j {version} is fetched by Maven, which is not here: "
            "install Maven (mvn), or name a running server by --store neo4j://HOST:PORT"
        )
    folder.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        if not folder.is_dir():
            report(f"fetching Neo4j {version} with Maven into {folder} (140 MB, once)")
            _fetch(maven, version, folder)
    return folder


def _fetch(maven: str, version: str, folder: Path) -> None:
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    pom = partial / "pom.xml"
    pom.write_bytes((files("hlg.neo4j_server") / "pom.xml").read_bytes())
    command = [maven, "-q", "-B", "-f", str(pom), f"-Dneo4j.version={version}", _MAVEN_GOAL]
    command += ["-DincludeScope=runtime", f"-DoutputDirectory={partial / 'lib'}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        output = (done.stdout + done.stderr).splitlines()
        errors = [line for line in output if line.startswith("[ERROR]")] or output or ["no output"]
        raise StoreError(f"Maven could not fetch Neo4j {version}: {errors[0]}")
    (partial / "lib").replace(folder)
    shutil.rmtree(partial)


def _java_homes() -> Iterator[Path]:
    if named := os.environ.get("JAVA_HOME"):
        yield Path(named)
    if program := shutil.which("java"):
        yield Path(program).resolve().parent.parent
    for pattern in _JAVA_HOMES:
        yield from sorted(Path("/").glob(pattern.removeprefix("/")))


def _java_in(home: Path) -> Java | None:
    program = home / "bin" / ("java.exe" if sys.platform == "win32" else "java")
    release = home / "release"
    if not (program.is_file() and release.is_file()):
        return None
    version = _JAVA_VERSION.search(release.read_text("utf-8"))
    return Java(program, int(version[1])) if version else None
