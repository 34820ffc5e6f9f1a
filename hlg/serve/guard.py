"""What stands before the pages: a person shows the token once, and what a page loads is ours.

What a browser loads for our pages comes from here alone, by policy.
"""

import secrets
from http.cookies import SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope

from hlg.serve.answers import API, login, refusal
from hlg.serve.assets import ASSETS
from hlg.serving.guard import Guard

COOKIE = "hlg"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_MOST_LOGIN_BYTES = 4096


class PageGuard(Guard):
    """As :class:`hlg.serving.guard.Guard`; a person is asked for the token, and gets a cookie."""

    headers = {  # noqa: RUF012
        **Guard.headers,
        "content-security-policy": _POLICY,
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    }

    def __init__(self, app: ASGIApp, host: str, token: str) -> None:
        super().__init__(app, host, token)
        self._session = secrets.token_urlsafe(32)

    def refused(self, scope: Scope, status: int, message: str) -> Response:
        return refusal(scope, status, message)

    async def stranger(self, scope: Scope, receive: Receive) -> ASGIApp:
        if scope["path"] == "/login" and scope["method"] == "POST":
            return await self._logged_in(scope, receive)
        if scope["path"].startswith(API):
            return await super().stranger(scope, receive)
        if scope["path"].startswith(f"{ASSETS}/"):
            return self.app
        return login()

    def is_shown(self, headers: Headers) -> bool:
        """Whether a request shows the token, or the cookie that was given for it."""
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        return super().is_shown(headers) or (
            cookie is not None
            and secrets.compare_digest(cookie.value.encode(), self._session.encode())
        )

    async def _logged_in(self, scope: Scope, receive: Receive) -> ASGIApp:
        body = b""
        async for piece in Request(scope, receive).stream():
            body += piece
            if len(body) > _MOST_LOGIN_BYTES:
                return refusal(scope, 413, "that is no token")
        shown = parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0].strip()
        if not self.is_token(shown):
            return login("that is not the token")
        cookie = f"{COOKIE}={self._session}; HttpOnly; SameSite=Strict; Path=/"
        return RedirectResponse("/", 303, {"set-cookie": cookie})
