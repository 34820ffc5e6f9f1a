"""What an endpoint of the OpenAI protocol may send: so many bytes, for so long, from its host.

Every answer passes here, a whole one, a stream's and a batch's. What is wrong with it is a
:class:`.failures.EndpointFault`, which the provider's package hands on as the cause of its error.
"""

import json
import socket
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import httpx

from hlg.models.language.failures import MASK, NO_KEY, EndpointFault

ANSWER_BYTES = 32 * 2**20
"""Of an answer, unpacked; a stream has some 250 bytes a token."""
FILE_BYTES = 2**29
"""Of the answers of a batch."""
FILE_SECONDS = 600.0
"""For a batch's file, which is larger than an answer."""
WRONG_URL = "is llm_url right?"


class BoundedClient(httpx.Client):
    """A client whose answers are bounded; each request has its connection, which its end closes.

    :param key: taken out of what comes back.
    :param seconds: from sending a request to the last byte of its answer.
    """

    def __init__(self, key: str, seconds: float) -> None:
        super().__init__(
            timeout=seconds,
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=0),
            follow_redirects=True,
            event_hooks={"response": [self._check_redirect]},
        )
        self._key = b"" if key == NO_KEY else key.encode()
        self._seconds = seconds

    def send(self, request: httpx.Request, *, stream: bool = False, **how: Any) -> httpx.Response:
        """The answer to a request.

        :raises EndpointFault: it is too long, too slow, from another host, or none.
        """
        is_file = "/files" in request.url.path
        seconds = max(self._seconds, FILE_SECONDS) if is_file else self._seconds
        request.headers["Accept-Encoding"] = "identity"
        watch = _Watch(seconds, FILE_BYTES if is_file else ANSWER_BYTES)
        request.extensions["trace"] = watch.note
        try:
            response = super().send(request, stream=True, **how)
        except BaseException as error:
            watch.cancel()
            if watch.ended_by(error):
                raise watch.fault() from error
            raise
        encoding = response.headers.get("content-encoding", "identity").strip().lower()
        if encoding not in ("", "identity", "gzip", "deflate"):
            watch.cancel()
            response.close()
            raise EndpointFault(f"its answer is packed as {encoding[:20]}, which was not asked for")
        body = _Body(response, watch, self._key)
        headers = {
            name: value
            for name, value in response.headers.items()
            if name not in ("content-encoding", "content-length", "transfer-encoding")
        }
        bounded = httpx.Response(
            response.status_code, headers=headers, stream=body, request=response.request
        )
        if response.is_success and stream:
            body.check_is_stream()
        else:
            bounded.read()
            if response.is_success and not is_file:
                _check_answer(bounded)
        return bounded

    def _check_redirect(self, response: httpx.Response) -> None:
        if not response.has_redirect_location:
            return
        here = response.request.url
        there = here.join(response.headers["location"])
        if (there.host, there.scheme) != (here.host, here.scheme):
            raise EndpointFault(
                f"{here.scheme}://{here.host} sends the call on to "
                f"{there.scheme}://{there.host}, which is not asked; set llm_url to it if that is "
                "right"
            )


class _Watch:
    """Ends a request when its time is over, whatever its connection waits for then."""

    def __init__(self, seconds: float, most: int) -> None:
        self._seconds = seconds
        self.most = most
        self.is_over = False
        self._stream: Any = None
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True
        self._timer.start()

    def note(self, event: str, info: Mapping[str, Any]) -> None:
        """Told by the client of all that it does."""
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._stream = info["return_value"]

    def ended_by(self, error: BaseException) -> bool:
        """Whether an error comes of too long a time."""
        is_late = self.is_over or isinstance(error, httpx.ReadTimeout)
        return is_late and isinstance(error, httpx.TransportError)

    def fault(self) -> EndpointFault:
        """What is said of that."""
        return EndpointFault(
            f"there is no whole answer after {self._seconds:g} s (llm_seconds)", is_transient=True
        )

    def cancel(self) -> None:
        """The answer is there."""
        self._timer.cancel()

    def _end(self) -> None:
        self.is_over = True
        connection = self._stream and self._stream.get_extra_info("socket")
        if connection is not None:
            # Of an SSL socket too: it only wakes whoever reads. It may be closed already.
            with suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)


class _Body(httpx.SyncByteStream):
    """An answer's bytes, unpacked, within bounds and without the key."""

    def __init__(self, response: httpx.Response, watch: _Watch, key: bytes) -> None:
        self._response = response
        self._watch = watch
        self._key = key

    def __iter__(self) -> Iterator[bytes]:
        total = 0
        try:
            for data in self._response.iter_bytes():  # what comes at once unpacks to 64 MB at most
                total += len(data)
                if self._watch.is_over:  # whoever reads may be slow, too
                    raise self._watch.fault()
                if total > self._watch.most:
                    raise EndpointFault(f"its answer is larger than {self._watch.most // 2**20} MB")
                yield data.replace(self._key, MASK.encode()) if self._key else data
            if self._watch.is_over:  # a body of no told length just ends
                raise self._watch.fault()
        except httpx.TransportError as error:
            if self._watch.ended_by(error):
                raise self._watch.fault() from error
            raise
        except httpx.DecodingError as error:
            raise EndpointFault(f"its answer can't be unpacked: {error}") from error
        finally:
            self.close()
        if not total and self._response.is_success:
            raise EndpointFault(f"what came is empty; {WRONG_URL}")

    def check_is_stream(self) -> None:
        """See that a stream's answer is one.

        :raises EndpointFault: it is a page, or a document.
        """
        kind = self._response.headers.get("content-type", "").partition(";")[0].strip()
        if kind in ("text/html", "application/json"):
            self.close()
            raise EndpointFault(f"what came is {kind} and no stream; {WRONG_URL}")

    def close(self) -> None:
        self._watch.cancel()
        self._response.close()


def _check_answer(response: httpx.Response) -> None:
    """See that a document of the protocol came.

    :raises EndpointFault: it is none.
    """
    kind = response.headers.get("content-type", "").partition(";")[0].strip() or "nothing known"
    try:
        document = json.loads(response.content)
    except (ValueError, RecursionError):
        document = None
    if not isinstance(document, dict):
        raise EndpointFault(f"what came is no answer of the OpenAI protocol ({kind}); {WRONG_URL}")
    asked = response.request.url.path
    if asked.endswith("/chat/completions") and not _has_choices(document):
        raise EndpointFault(f"what came has no choices; {WRONG_URL}")


def _has_choices(document: Mapping[str, Any]) -> bool:
    choices = document.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return isinstance(first, dict) and isinstance(first.get("message"), dict)
