"""A Neo4j server without Docker: started once, found again, kept to this machine."""

import json
import os
import socket
import stat
from pathlib import Path

import psutil
import pytest

from hlg.errors import StoreDenied, StoreError, StoreMissing, UsageError
from hlg.neo4j_server import jars as neo4j_jars
from hlg.neo4j_server import server as neo4j_server
from hlg.neo4j_server.server import ServerInfo
from hlg.store import open_store
from support.command_line import ran, refused
from support.neo4j_fixture import Neo4jServer, free_port

pytestmark = pytest.mark.neo4j


@pytest.fixture
def home(neo4j_reference: Neo4jServer) -> Path:
    """The home of a running server, whose path has a space in it."""
    assert " " in str(neo4j_reference.own_home())
    return neo4j_reference.own_home()


@pytest.fixture
def info(home: Path) -> ServerInfo:
    running = neo4j_server.start(home)
    assert neo4j_server.answers(running)
    return running


class TestRunning:
    def test_it_listens_to_this_machine_only(self, info: ServerInfo) -> None:
        listening = [
            connection.laddr.ip
            for connection in psutil.Process(info.pid).net_connections("tcp")
            if connection.status == psutil.CONN_LISTEN
        ]
        assert len(listening) >= 2
        assert set(listening) <= {"127.0.0.1", "::1", "::ffff:127.0.0.1"}

    def test_the_browser_is_there(self, info: ServerInfo) -> None:
        host, _, port = info.browser.removeprefix("http://").partition("/")[0].partition(":")
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            connection.sendall(b"GET /browser/ HTTP/1.0\r\nHost: localhost\r\n\r\n")
            assert b" 200 " in connection.recv(1000).splitlines()[0]

    def test_its_password_is_for_its_owner_alone(self, home: Path, info: ServerInfo) -> None:
        assert stat.S_IMODE(info.password_file.stat().st_mode) == 0o600
        assert stat.S_IMODE(home.stat().st_mode) == 0o700
        assert len(info.password()) >= 32
        arguments = " ".join(psutil.Process(info.pid).cmdline())
        assert info.password() not in arguments
        assert not list(info.password_file.parent.glob("*.args"))

    def test_starting_again_changes_nothing(self, home: Path, info: ServerInfo) -> None:
        assert neo4j_server.start(home) == info
        assert info.version == neo4j_jars.DEFAULT_VERSION

    def test_its_password_is_found_by_its_address(self, info: ServerInfo) -> None:
        port = info.bolt.rpartition(":")[2]
        for address in (info.bolt, f"bolt://127.0.0.1:{port}"):
            assert neo4j_server.saved_password(address) == info.password()
        for address in (f"bolt://example.org:{port}", "neo4j://localhost:1", "graph.lbug"):
            assert neo4j_server.saved_password(address) is None

    def test_a_store_is_opened_without_its_password_from_any_folder(
        self, info: ServerInfo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        store = open_store(info.bolt, "nope")
        with pytest.raises(StoreMissing, match=r"no graph 'nope' in neo4j://.*hlg build") as caught:
            store.require()
        assert caught.value.address == info.bolt
        store.close()
        line = refused("status", "--store", info.bolt, "--graph", "nope", code=3)
        assert "no graph 'nope' in neo4j://" in line

    def test_another_port_is_not_taken_for_the_one_it_has(
        self, home: Path, info: ServerInfo
    ) -> None:
        port = info.bolt.rpartition(":")[2]
        with pytest.raises(StoreError, match=f"running already, with Bolt port {port}, not 1"):
            neo4j_server.start(home, bolt_port=1)
        assert neo4j_server.start(home, bolt_port=int(port)) == info

    def test_a_changed_password_is_said(self, info: ServerInfo, tmp_path: Path) -> None:
        wrong = tmp_path / "password"
        wrong.write_text("not the password\n")
        other = ServerInfo(info.bolt, info.browser, info.user, wrong, info.version, info.pid)
        with pytest.raises(StoreDenied, match="password"):
            neo4j_server.answers(other)

    def test_the_command_says_where_it_is(self, home: Path, info: ServerInfo) -> None:
        started, shown = (ran("neo4j", each, "--home", str(home)) for each in ("start", "status"))
        assert "already" in started.stderr
        for text in (started.stdout, shown.stdout):
            assert info.bolt in text
            assert info.browser in text
            assert info.password() not in text


class TestNotRunning:
    def test_nothing_runs_in_a_folder_that_is_not_there(self, tmp_path: Path) -> None:
        assert neo4j_server.status(tmp_path / "none") is None
        assert not neo4j_server.stop(tmp_path / "none")
        shown = ran("neo4j", "status", "--home", str(tmp_path / "none"), code=3)
        assert "hlg neo4j start" in shown.stdout

    def test_another_process_with_its_number_is_not_it(self, tmp_path: Path) -> None:
        record = {"version": "5.26.30", "bolt_port": 1, "http_port": 2, "pid": os.getpid()}
        (tmp_path / "server.json").write_text(json.dumps(record | {"started": 1.0}))
        assert neo4j_server.status(tmp_path) is None
        assert not neo4j_server.stop(tmp_path)

    def test_a_port_in_use_is_named(self, tmp_path: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(StoreError, match=f"port {port} is in use"):
                neo4j_server.start(tmp_path, bolt_port=port, http_port=free_port())

    def test_one_that_ends_at_once_says_why_and_where(self, tmp_path: Path) -> None:
        (tmp_path / "password").write_text("12345678\n")
        (tmp_path / "data").write_text("a file where a folder should be")
        with pytest.raises(StoreError, match=r"ended while starting: .+console\.log") as caught:
            neo4j_server.start(tmp_path, bolt_port=free_port(), http_port=free_port())
        assert "\n" not in str(caught.value)
        assert neo4j_server.status(tmp_path) is None

    def test_a_database_without_its_password_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "data" / "databases").mkdir(parents=True)
        with pytest.raises(StoreError, match="not its password"):
            neo4j_server.start(tmp_path, bolt_port=free_port(), http_port=free_port())

    @pytest.mark.parametrize("version", ["", "5", "5.26.30; rm", "4.4.1", "latest"])
    def test_a_version_that_is_none_is_refused(self, tmp_path: Path, version: str) -> None:
        with pytest.raises(UsageError, match="version"):
            neo4j_server.start(
                tmp_path, bolt_port=free_port(), http_port=free_port(), version=version or "x"
            )


class TestFetching:
    """Maven is a small script here, on a path of its own with a cache of its own."""

    @pytest.fixture
    def cache(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        (tmp_path / "bin").mkdir()
        monkeypatch.setenv("HLG_CACHE", str(tmp_path / "cache"))
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
        return tmp_path / "cache"

    def maven(self, cache: Path, script: str) -> None:
        program = cache.parent / "bin" / "mvn"
        program.write_text(
            '#!/bin/sh\nfor word; do case "$word" in -DoutputDirectory=*) '
            f'out="${{word#*=}}";; esac; done\n{script}\n'
        )
        program.chmod(0o755)

    def test_jars_are_fetched_once(self, cache: Path) -> None:
        self.maven(cache, 'mkdir -p "$out" && touch "$out/neo4j.jar"')
        said: list[str] = []
        folder = neo4j_jars.jars("5.26.30", said.append)
        assert folder == cache / "neo4j-5.26.30"
        assert [jar.name for jar in folder.iterdir()] == ["neo4j.jar"]
        self.maven(cache, "exit 1")
        assert neo4j_jars.jars("5.26.30", said.append) == folder
        assert len(said) == 1

    def test_a_fetch_that_fails_leaves_nothing_half(self, cache: Path) -> None:
        self.maven(
            cache, 'mkdir -p "$out" && touch "$out/a.jar"; echo "[ERROR] no such version"; exit 1'
        )
        with pytest.raises(StoreError, match="no such version"):
            neo4j_jars.jars("5.99.1", lambda _: None)
        assert not (cache / "neo4j-5.99.1").exists()
        self.maven(cache, 'mkdir -p "$out" && touch "$out/b.jar"')
        folder = neo4j_jars.jars("5.99.1", lambda _: None)
        assert [jar.name for jar in folder.iterdir()] == ["b.jar"]

    def test_without_maven_it_says_so(self, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", str(cache.parent / "bin"))
        with pytest.raises(StoreError, match=r"Maven.*install"):
            neo4j_jars.jars("5.26.30", lambda _: None)

    def test_without_a_fitting_java_it_says_which(
        self, cache: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("PATH", str(cache.parent / "bin"))
        monkeypatch.setenv("JAVA_HOME", str(cache))
        monkeypatch.setattr(neo4j_jars, "_JAVA_HOMES", ())
        with pytest.raises(StoreError, match="Java 17 to 21"):
            neo4j_jars.find_java("5.26.30")
        with pytest.raises(StoreError, match="Java 21 or later"):
            neo4j_jars.find_java("2026.09.0")

    @pytest.mark.parametrize(("release", "major"), [("17.0.15", 17), ("21", 21), ("1.8.0_402", 8)])
    def test_java_home_comes_first(
        self, cache: Path, monkeypatch: pytest.MonkeyPatch, release: str, major: int
    ) -> None:
        (cache / "bin").mkdir(parents=True)
        (cache / "bin" / "java").touch()
        (cache / "release").write_text(f'IMPLEMENTOR="x"\nJAVA_VERSION="{release}"\n')
        monkeypatch.setenv("JAVA_HOME", str(cache))
        found = neo4j_jars.find_java("5.26.30")
        assert (found.program == cache / "bin" / "java") == (major in (17, 21))
