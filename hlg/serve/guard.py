"""What stands before the application: whose requests are let in, and what answers may do.

A page of another site must neither read nor ask here: a name that was bent to this address is
refused by the ``Host`` header, a request out of another page by ``Origin`` and
``Sec-Fetch-Site``. What a browser loads for our pages comes from here alone, by policy.
"""

import secrets
from http.cookies import SimpleCookie
from ipaddress import ip_address
from socket import gethostname
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hlg.errors import UsageError
from hlg.serve.answers import login, refusal

SHORTEST_TOKEN = 16
COOKIE = "hlg"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_MOST_LOGIN_BYTES = 4096


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Guard:
    """Lets in what is asked for by our own pages, by programs, or by a person who typed it.

    :param host: what is listened on; a name that leads here counts, an address always does.
    :param token: what everybody has to show; empty lets everybody in.
    :raises UsageError: others than this machine could ask, and there is no token, or a short one.
    """

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
        self._app = app
        self._is_local = is_loopback(host)
        self._names = {"localhost", host} | (set() if self._is_local else {gethostname()})
        self._token = token
        self._session = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
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
            return refusal(scope, 421, f"{host!r} is no name of this server; ask it by its address")
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        if site not in ("same-origin", "none") or (
            origin is not None and urlsplit(origin).netloc != host
        ):
            return refusal(scope, 403, "a page of another site asked; open this address yourself")
        if not self._token or self._is_shown(headers):
            return self._app
        if scope["path"] == "/login" and scope["method"] == "POST":
            return await self._logged_in(scope, receive)
        if scope["path"].startswith("/static/"):
            return self._app
        return login(scope, "")

    def _is_known(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in self._names:
                return True
            address = ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self._is_local

    def _is_shown(self, headers: Headers) -> bool:
        """Whether a request shows the token, or the cookie that was given for it."""
        kind, _, shown = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and secrets.compare_digest(
            shown.strip().encode(), self._token.encode()
        ):
            return True
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        return cookie is not None and secrets.compare_digest(
            cookie.value.encode(), self._session.encode()
        )

    async def _logged_in(self, scope: Scope, receive: Receive) -> ASGIApp:
        body = b""
        async for piece in Request(scope, receive).stream():
            body += piece
            if len(body) > _MOST_LOGIN_BYTES:
                return refusal(scope, 413, "that is no token")
        shown = parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0].strip()
        if not secrets.compare_digest(shown.encode("utf-8", "replace"), self._token.encode()):
            return login(scope, "that is not the token")
        cookie = f"{COOKIE}={self._session}; HttpOnly; SameSite=Strict; Path=/"
        return login(scope, "", session=cookie)
