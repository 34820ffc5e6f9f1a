"""What stands before an application: whose requests are let in.

A page of another site must neither read nor ask here: a name that was bent to this address is
refused by the ``Host`` header, a request out of another page by ``Origin`` and
``Sec-Fetch-Site``. Whoever is on another machine has to show a token.
"""

import json
import secrets
from collections.abc import Mapping
from ipaddress import ip_address
from socket import gethostname
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hlg.errors import UsageError

SHORTEST_TOKEN = 16
SHOW_IT = "show the token: Authorization: Bearer TOKEN"


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """Lets in what programs and pages of ours ask for; refuses in JSON, of one line.

    :param host: what is listened on; a name that leads here counts, an address always does.
    :param token: what everybody has to show; empty lets everybody in.
    :raises UsageError: others than this machine could ask, and there is no token, or a short one.
    """

    headers: Mapping[str, str] = {"x-content-type-options": "nosniff"}
    """What every answer has."""

    def __init__(self, app: ASGIApp, host: str, token: str) -> None:
        if not is_loopback(host) and not token:
            raise UsageError(
                f"who reaches {host} could read the graph: give --token-file a file with a token "
                f"of {SHORTEST_TOKEN} characters or more, or listen on 127.0.0.1",
                option="token_file",
            )
        if token and len(token) < SHORTEST_TOKEN:
            raise UsageError(
                f"the token has {len(token)} characters; it needs {SHORTEST_TOKEN} or more",
                option="token_file",
            )
        self.app = app
        self._is_local = is_loopback(host)
        self._names = {"localhost", host} | (set() if self._is_local else {gethostname()})
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        app = await self._let_in(scope, receive)
        await app(scope, receive, send_guarded)

    async def _let_in(self, scope: Scope, receive: Receive) -> ASGIApp:
        """What answers: the application, or a refusal."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_known(host):
            told = f"{host!r} is no name of this server; ask it by its address"
            return self.refused(scope, 421, told)
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        if site not in ("same-origin", "none") or (
            origin is not None and urlsplit(origin).netloc != host
        ):
            told = "a page of another site asked; open this address yourself"
            return self.refused(scope, 403, told)
        if not self._token or self.is_shown(headers):
            return self.app
        return await self.stranger(scope, receive)

    def refused(self, scope: Scope, status: int, message: str) -> Response:
        """What answers a request that nothing is done for."""
        return Response(json.dumps({"error": message}), status, media_type="application/json")

    async def stranger(self, scope: Scope, receive: Receive) -> ASGIApp:
        """What answers a request that shows no token."""
        answer = self.refused(scope, 401, SHOW_IT)
        answer.headers["www-authenticate"] = "Bearer"
        return answer

    def is_shown(self, headers: Headers) -> bool:
        """Whether a request shows the token."""
        kind, _, shown = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self.is_token(shown.strip())

    def is_token(self, shown: str) -> bool:
        """Whether a text is the token, found out in the same time whatever it is."""
        return secrets.compare_digest(shown.encode("utf-8", "replace"), self._token.encode())

    def _is_known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in self._names:
                return True
            address = ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self._is_local
