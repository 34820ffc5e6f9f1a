"""The Neo4j driver: named statements in transactions, tried again, and errors made hlg's."""

import logging
import time
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, Unpack
from urllib.parse import urlsplit

from neo4j import READ_ACCESS, WRITE_ACCESS, Driver, GraphDatabase, ManagedTransaction
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    DriverError,
    Forbidden,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
    UnsupportedServerProduct,
)

from hlg import cypher
from hlg.cypher import Filled
from hlg.errors import StoreDenied, StoreError, StoreUnreachable, UsageError
from hlg.store.processes import OfOneProcess
from hlg.store.shared.kinds import EdgeKind
from hlg.store.shared.reading import Rows, batches
from hlg.store.shared.rows import Sent

Result = TypeVar("Result")
Work = Callable[["Statements"], Result]

RETRY_SECONDS = 60.0
"""How long a server that went away is waited for."""
CONNECT_SECONDS = 10.0
ACQUIRE_SECONDS = 20.0
"""How long one is waited for that takes a connection and says nothing."""
_FIRST_PAUSE = 0.2
_LONGEST_PAUSE = 5.0
_STOPPED = frozenset(
    {
        "Neo.ClientError.Transaction.Terminated",
        "Neo.ClientError.Transaction.LockClientStopped",
        "Neo.TransientError.Transaction.Terminated",
        "Neo.TransientError.Transaction.LockClientStopped",
    }
)
"""What a server that is shutting down does to running transactions."""

logger = logging.getLogger(__name__)


class Statements:
    """Sends statements about one graph in a transaction."""

    def __init__(self, transaction: ManagedTransaction, graph: str) -> None:
        self._transaction = transaction
        self._graph = graph

    def __call__(
        self, name: str, parameters: Mapping[str, Any] | None = None, /, **filled: Unpack[Filled]
    ) -> Rows:
        statement = cypher.load(name, "neo4j", self._graph, **filled)
        # The statement is a file of this package, with names of the schema filled in.
        result = self._transaction.run(statement, dict(parameters or {}))
        keys = result.keys()
        return [dict(zip(keys, values, strict=True)) for values in result]

    def send(self, name: str, rows: Sent, *, edge: EdgeKind | None = None) -> None:
        for batch in batches(rows):
            self(name, {"rows": batch}, edge=edge)


class Neo4jDatabase(OfOneProcess):
    """One graph of a Neo4j server: runs work in transactions and survives restarts.

    Work may run more than once, so it holds no state of its own; a write is all or nothing.

    :raises UsageError: the address holds a user or a password, or is no address.
    :raises StoreUnreachable: nothing answers there.
    :raises StoreDenied: the server does not accept this user and password.
    """

    def __init__(self, address: str, graph: str, user: str, password: str) -> None:
        check_address(address)
        super().__init__(address)
        self._graph = graph
        self.calls = 0
        self._retry_seconds = RETRY_SECONDS
        self._user = user
        try:
            self._driver: Driver = GraphDatabase.driver(
                address,
                auth=(user, password),
                connection_timeout=CONNECT_SECONDS,
                connection_acquisition_timeout=ACQUIRE_SECONDS,
                max_transaction_retry_time=0,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
            )
        except (ConfigurationError, ValueError) as error:
            raise _invalid(address, error) from error
        try:
            self._driver.verify_connectivity()
        except (DriverError, Neo4jError) as error:
            self._driver.close()
            raise self._translated(error) from error

    def read(self, work: Work[Result]) -> Result:
        return self._transaction(work, READ_ACCESS)

    def write(self, work: Work[Result]) -> Result:
        return self._transaction(work, WRITE_ACCESS)

    def close(self) -> None:
        """Let go of the server; a forked child leaves the connections to its parent."""
        if self.is_of_this_process():
            self._driver.close()

    def _transaction(self, work: Work[Result], access: str) -> Result:
        self.check_process()
        self.calls += 1
        deadline = time.monotonic() + self._retry_seconds
        pause = _FIRST_PAUSE
        while True:
            try:
                with self._driver.session(default_access_mode=access) as session:
                    execute = (
                        session.execute_write if access == WRITE_ACCESS else session.execute_read
                    )
                    return execute(lambda run: work(Statements(run, self._graph)))
            except (DriverError, Neo4jError) as error:
                if not _worth_another_try(error) or time.monotonic() + pause > deadline:
                    raise self._translated(error) from error
                logger.warning(
                    "%s: %s; trying again in %.1f s", self._address, _first_line(error), pause
                )
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _translated(self, error: Exception) -> StoreError:
        if isinstance(error, AuthError | Forbidden):
            return StoreDenied(
                f"Neo4j at {self._address} refuses user {self._user!r}: {_first_line(error)} "
                "(set HLG_NEO4J_USER and HLG_NEO4J_PASSWORD)",
                address=self._address,
            )
        if isinstance(error, ServiceUnavailable | SessionExpired) or _stopped(error):
            return StoreUnreachable(
                f"no Neo4j answers at {self._address}: {_first_line(error)} "
                "(is it running, and is that the port it has for Bolt? hlg neo4j start runs one "
                "on this machine)",
                address=self._address,
            )
        if isinstance(error, UnsupportedServerProduct | ConfigurationError):
            return StoreError(
                f"what answers at {self._address} is no Neo4j of 5.26 or later: "
                f"{_first_line(error)}",
                address=self._address,
            )
        return StoreError(f"Neo4j at {self._address}: {_first_line(error)}", address=self._address)


def check_address(address: str) -> None:
    """See that an address can be one of a server (UsageError), and holds no password."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError as error:
        raise _invalid(address, error) from error
    if "@" in parts.netloc:
        raise UsageError(
            "the store's address holds a user or a password, which others could read: "
            "set HLG_NEO4J_USER and HLG_NEO4J_PASSWORD",
            option="store",
        )


def _invalid(address: str, error: Exception) -> UsageError:
    return UsageError(f"store {address!r} is not valid: {_first_line(error)}", option="store")


def _worth_another_try(error: DriverError | Neo4jError) -> bool:
    if "OutOfMemory" in (getattr(error, "code", None) or ""):
        return False
    # Whether an interrupted commit took place is unknown, but writing twice is writing once.
    return error.is_retryable() or isinstance(error, IncompleteCommit) or _stopped(error)


def _stopped(error: Exception) -> bool:
    return isinstance(error, Neo4jError) and error.code in _STOPPED


def _first_line(error: Exception) -> str:
    message = error.message if isinstance(error, Neo4jError) else str(error)
    lines = [line.strip() for line in (message or "").splitlines() if line.strip()]
    return lines[0].rstrip(".:") if lines else type(error).__name__
