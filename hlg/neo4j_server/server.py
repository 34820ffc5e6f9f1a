"""A Neo4j Community server of one's own, on this machine only and without Docker.

Its data, settings, logs and password are in one folder, its home. The password is made
here and lies in a file that only its owner can read; it is never an argument of a process.
"""

import json
import logging
import os
import secrets
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import psutil
from filelock import FileLock, Timeout

from hlg.errors import StoreDenied, StoreError, StoreUnreachable
from hlg.neo4j_server.jars import DEFAULT_VERSION, Java, find_java, jars, main_class
from hlg.whole_file import write_whole_text

DEFAULT_BOLT_PORT = 7687
START_SECONDS = 180.0
STOP_SECONDS = 60.0

_USER = "neo4j"
_HOME_OPTION = "--home-dir="
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_POLL_SECONDS = 0.1
_HEAP = ("-Xms512m", "-Xmx2g")
_CONFIGURATION = """\
# Written by `hlg neo4j start` at every start.
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{bolt_port}
server.bolt.advertised_address=localhost:{bolt_port}
server.http.listen_address=127.0.0.1:{http_port}
server.http.advertised_address=localhost:{http_port}
server.https.enabled=false
server.memory.pagecache.size=1g
db.tx_log.rotation.retention_policy=256M size
dbms.usage_report.enabled=false
client.allow_telemetry=false
# Once its databases are closed there is nobody to wait for.
internal.dbms.bolt.netty_server_shutdown_quiet_period{no_quiet_period}
# What `hlg browse` serves while it runs.
browser.post_connect_cmd=style http://localhost:{guide_port}/style.grass; \
guide http://localhost:{guide_port}/guide.md
"""

logger = logging.getLogger(__name__)
_children: list[subprocess.Popen[bytes]] = []
"""Servers started by this process, kept so that the system can be asked about them."""


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """A running server: where it answers, who may log in, and which process it is."""

    bolt: str
    browser: str
    user: str
    password_file: Path
    version: str
    pid: int

    def password(self) -> str:
        """The password of :attr:`user`."""
        return self.password_file.read_text("ascii").strip()


@dataclass(frozen=True, slots=True)
class _Record:
    """What a home remembers of its server. ``started`` tells its process from a later one."""

    version: str = DEFAULT_VERSION
    bolt_port: int = DEFAULT_BOLT_PORT
    http_port: int = 7474
    pid: int = 0
    started: float = 0.0


def start(
    home: Path,
    *,
    bolt_port: int | None = None,
    http_port: int | None = None,
    version: str | None = None,
    report: Callable[[str], None] = logger.info,
) -> ServerInfo:
    """Start the server of a home and wait until Bolt answers; a running one is left as it is.

    Ports and version are those of the last start where not given, and Neo4j's usual ones
    at first. ``report`` is told of steps that take long.

    :raises StoreError: Java or Maven is missing, a port is taken, the server ends, or one
        with other ports or of another version is running already.
    :raises StoreUnreachable: Bolt does not answer within :data:`START_SECONDS`.
    """
    home = home.absolute()
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _lock(home, START_SECONDS):
        record = _read_record(home)
        if record and _process(record):
            _require_as_asked(record, bolt_port, http_port, version)
        else:
            last = record or _Record()
            wanted = _Record(
                version or last.version, bolt_port or last.bolt_port, http_port or last.http_port
            )
            record = _launch(home, wanted, report)
        info = _info(home, record)
        _wait_for_bolt(home, record, info)
    return info


def stop(home: Path, *, deadline: float = STOP_SECONDS) -> bool:
    """Stop the server of a home and wait for its end; False where none was running.

    The server is asked to close its files; after ``deadline`` seconds it is killed, which
    loses nothing that was committed.
    """
    home = home.absolute()
    if not home.is_dir():
        return False
    with _lock(home, deadline):
        record = _read_record(home)
        process = _process(record)
        if process is None or record is None:
            return False
        process.terminate()
        try:
            process.wait(deadline)
        except psutil.TimeoutExpired:
            logger.warning("Neo4j (process %d) did not stop in %g s: killed", record.pid, deadline)
            process.kill()
            process.wait()
        _write_record(home, replace(record, pid=0))
    return True


def status(home: Path) -> ServerInfo | None:
    """The server of a home, None where its process is not running."""
    home = home.absolute()
    record = _read_record(home)
    if record is None or _process(record) is None:
        return None
    return _info(home, record)


def answers(info: ServerInfo) -> bool:
    """Whether a query gets its answer over Bolt.

    :raises StoreDenied: the password file does not hold the server's password.
    """
    from neo4j import GraphDatabase
    from neo4j.exceptions import AuthError, DriverError, Neo4jError

    try:
        with GraphDatabase.driver(
            info.bolt, auth=(info.user, info.password()), connection_timeout=5.0
        ) as driver:
            driver.execute_query("RETURN 1")
    except AuthError as error:
        raise StoreDenied(
            f"Neo4j at {info.bolt} does not accept the password in {info.password_file}: "
            "it was changed; write the new one into that file"
        ) from error
    except (DriverError, Neo4jError):
        return False
    return True


def saved_password(address: str) -> str | None:
    """The password kept for the server at ``address``, from whichever folder it was started.

    None unless a server that this user started runs there.
    """
    parts = urlsplit(address)
    if parts.hostname not in _LOOPBACK:
        return None
    for home in _running_homes():
        info = status(home)
        if info and urlsplit(info.bolt).port == (parts.port or DEFAULT_BOLT_PORT):
            return info.password()
    return None


def _running_homes() -> Iterator[Path]:
    """The homes of all servers that this user's processes are, as their commands name them."""
    own = psutil.Process().username()
    for process in psutil.process_iter(["cmdline", "username"]):
        if process.info["username"] == own:
            for word in process.info["cmdline"] or ():
                if word.startswith(_HOME_OPTION):
                    yield Path(word.removeprefix(_HOME_OPTION))


def _launch(home: Path, wanted: _Record, report: Callable[[str], None]) -> _Record:
    java = find_java(wanted.version)
    class_path = f"{jars(wanted.version, report)}{os.sep}*"
    for port in (wanted.bolt_port, wanted.http_port):
        if _listens(port):
            raise StoreError(
                f"port {port} is in use on this machine: "
                "stop what listens there, or choose others with --bolt-port and --http-port"
            )
    for name in ("conf", "logs"):
        (home / name).mkdir(exist_ok=True)
    no_quiet_period = "=0" if wanted.version.startswith("5.") else "_duration=0s"
    text = _CONFIGURATION.format(
        **asdict(wanted), guide_port=wanted.http_port + 1, no_quiet_period=no_quiet_period
    )
    (home / "conf" / "neo4j.conf").write_text(text, "utf-8")
    if not _password_file(home).exists():
        _set_password(home, java, class_path)
    command = [str(java.program), *_HEAP, "-cp", class_path, *java.options()]
    command.append(main_class(wanted.version))
    command += [f"{_HOME_OPTION}{home}", f"--config-dir={home / 'conf'}"]
    report(f"starting Neo4j {wanted.version}")
    with _console_log(home).open("wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
        )
    _children.append(process)
    started = psutil.Process(process.pid).create_time()
    record = replace(wanted, pid=process.pid, started=started)
    _write_record(home, record)
    return record


def _set_password(home: Path, java: Java, class_path: str) -> None:
    """Make the first password; Java reads it from a file, as others see a process's arguments."""
    if (home / "data" / "databases").exists():
        raise StoreError(
            f"{home} holds a database but not its password: write it into {_password_file(home)}"
        )
    password = secrets.token_hex(16)
    words = ("-cp", class_path, "org.neo4j.cli.AdminTool", "dbms", "set-initial-password")
    arguments = home / "set-password.args"
    arguments.unlink(missing_ok=True)
    quoted = ('"' + word.replace("\\", "\\\\") + '"\n' for word in (*words, password))
    _write_private(arguments, "".join(quoted))
    environment = os.environ | {"NEO4J_HOME": str(home), "NEO4J_CONF": str(home / "conf")}
    try:
        done = subprocess.run(
            [str(java.program), f"@{arguments}"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        arguments.unlink()
    if done.returncode != 0:
        raise StoreError(f"Neo4j did not take its first password: {_last_line(done.stderr)}")
    _write_private(_password_file(home), password + "\n")


def _wait_for_bolt(home: Path, record: _Record, info: ServerInfo) -> None:
    log = _console_log(home)
    end = time.monotonic() + START_SECONDS
    while True:
        if _process(record) is None:
            line = _last_line(log.read_text("utf-8", "replace"))
            raise StoreError(f"Neo4j ended while starting: {line} (log: {log})")
        if _listens(record.bolt_port) and answers(info):
            return
        if time.monotonic() > end:
            raise StoreUnreachable(
                f"Neo4j does not answer at {info.bolt} after {START_SECONDS:g} s (log: {log})"
            )
        time.sleep(_POLL_SECONDS)


def _process(record: _Record | None) -> psutil.Process | None:
    """The home's running server; a process that only got its number is not it."""
    if record is None or not record.pid:
        return None
    for child in _children:
        child.poll()
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(record.pid)
        same = abs(process.create_time() - record.started) < 1.0
        if same and process.is_running() and process.status() != psutil.STATUS_ZOMBIE:
            return process
    return None


def _info(home: Path, record: _Record) -> ServerInfo:
    return ServerInfo(
        bolt=f"neo4j://localhost:{record.bolt_port}",
        browser=f"http://localhost:{record.http_port}/browser/",
        user=_USER,
        password_file=_password_file(home),
        version=record.version,
        pid=record.pid,
    )


def _read_record(home: Path) -> _Record | None:
    try:
        return _Record(**json.loads((home / "server.json").read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (ValueError, TypeError) as error:
        raise StoreError(f"{home / 'server.json'} is damaged: delete it") from error


def _write_record(home: Path, record: _Record) -> None:
    write_whole_text(home / "server.json", json.dumps(asdict(record)))


@contextmanager
def _lock(home: Path, seconds: float) -> Iterator[None]:
    lock = FileLock(home / "hlg.lock")
    try:
        lock.acquire(seconds)
    except Timeout as error:
        raise StoreError(f"another process is starting or stopping Neo4j in {home}") from error
    try:
        yield
    finally:
        lock.release()


def _require_as_asked(
    record: _Record, bolt_port: int | None, http_port: int | None, version: str | None
) -> None:
    """See that a running server is the one that was asked for."""
    for what, asked, has in (
        ("Bolt port", bolt_port, record.bolt_port),
        ("HTTP port", http_port, record.http_port),
        ("version", version, record.version),
    ):
        if asked not in (None, has):
            raise StoreError(
                f"Neo4j is running already, with {what} {has}, not {asked}: "
                "hlg neo4j stop, then start it anew",
                address=f"neo4j://localhost:{record.bolt_port}",
            )


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _write_private(path: Path, text: str) -> None:
    """Create a file that only its owner can read from its first moment on."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)


def _password_file(home: Path) -> Path:
    return home / "password"


def _console_log(home: Path) -> Path:
    return home / "logs" / "console.log"


def _last_line(log: str) -> str:
    """The last line that says something: no frame of a Java stack trace."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith(("at ", "... "))]
    return said[-1] if said else "it wrote nothing"
