"""A way to a server that can be cut and joined again: what its clients see when it is away."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread


class Relay:
    """Hands on what comes to a port of this machine to a server's, both ways, while it is open."""

    def __init__(self, host: str, port: int) -> None:
        self._server = host, port
        self._joined: list[socket.socket] = []
        self._listening = self._opened(0)
        self.port: int = self._listening.getsockname()[1]

    def cut(self) -> None:
        """As when the server stops: nobody listens, and who is connected is thrown out."""
        for each in (self._listening, *self._joined):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._joined.clear()

    def join(self) -> None:
        """As when it is back."""
        self._listening = self._opened(self.port)

    def _opened(self, port: int) -> socket.socket:
        listening = socket.create_server(("127.0.0.1", port))
        Thread(target=self._accept, args=(listening,), daemon=True).start()
        return listening

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                server = socket.create_connection(self._server)
                self._joined += client, server
                for one, other in ((client, server), (server, client)):
                    Thread(target=_hand_on, args=(one, other), daemon=True).start()


def _hand_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while piece := one.recv(2**16):
            other.sendall(piece)
        other.shutdown(socket.SHUT_WR)


@contextmanager
def relayed(host: str, port: int) -> Iterator[Relay]:
    """A relay to a server, as long as the block runs."""
    relay = Relay(host, port)
    try:
        yield relay
    finally:
        relay.cut()
