"""What went wrong at a provider, whichever it is: whether to try again, and when.

Each provider's package raises errors of its own; what they share are an HTTP status, headers,
and names.
"""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isnan
from typing import Any

FIRST_DELAY = 0.5
LONGEST_DELAY = 30.0
"""Seconds between two tries, where the provider names none."""
LONGEST_REASON = 200

_TRANSIENT = frozenset((408, 409, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529))
_LOST = frozenset(
    ("APIConnectionError", "ConnectionError", "TimeoutError", "TransportError", "HTTPClientError")
)
"""Names of classes whose errors say that no answer came over the network."""
_FORMAT_REFUSED = frozenset((400, 404, 415, 422, 501))
_NO_MONEY = "insufficient_quota"
_ADVICE = {
    401: "; set its key as HLG_LLM_API_KEY",
    403: "; is the key (HLG_LLM_API_KEY) allowed to use this model?",
    404: "; are llm and llm_url right?",
}


NO_KEY = "none"
"""What a client that insists on a key is given."""
MASK = "********"
"""What stands where an endpoint repeats the key."""


class EndpointFault(Exception):
    """What came is no answer. ``is_transient`` says whether it may be one another time."""

    def __init__(self, message: str, *, is_transient: bool = False) -> None:
        super().__init__(message)
        self.is_transient = is_transient


@dataclass(frozen=True, slots=True)
class CallFailure:
    """Why a call failed. ``retry_after`` is in seconds, where the provider names them."""

    reason: str
    status: int | None
    is_transient: bool
    retry_after: float | None

    @property
    def may_be_the_format(self) -> bool:
        """Whether an endpoint that knows no answers by schema would fail like this."""
        return self.status in _FORMAT_REFUSED


def call_failure(error: Exception, key: str = "") -> CallFailure:
    """What an error of a provider's package says.

    :param key: not to be shown.
    """
    chain = list(_chain(error))
    fault = next((each for each in chain if isinstance(each, EndpointFault)), None)
    if fault is not None:
        return CallFailure(hide_key(str(fault), key), None, fault.is_transient, None)
    status = next((told for each in chain if (told := _status(each))), None)
    delay = next((wait for each in chain if (wait := _retry_after(each)) is not None), None)
    lost = any(kind.__name__ in _LOST for each in chain for kind in type(each).__mro__)
    transient = status in _TRANSIENT if status else lost
    if getattr(error, "code", None) == _NO_MONEY:
        transient = False
    said = hide_key(str(error).strip(), key) or type(error).__name__
    reason = said.partition("\n")[0][:LONGEST_REASON]
    return CallFailure(f"{reason}{_ADVICE.get(status or 0, '')}", status, transient, delay)


def hide_key(text: str, key: str) -> str:
    """A text in which a key that an endpoint repeats can't be read."""
    return text.replace(key, MASK) if key not in ("", NO_KEY) else text


def backoff(tries: int) -> float:
    """Seconds to wait after so many tries: exponential with full jitter, half of it at least."""
    delay = min(FIRST_DELAY * 2.0 ** (tries - 1), LONGEST_DELAY)
    return delay * random.uniform(0.5, 1.0)


def _chain(error: BaseException | None) -> Any:
    """An error and what it came of."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        seen.append(error)
        yield error
        error = error.__cause__ or error.__context__


def _status(error: BaseException) -> int | None:
    response = getattr(error, "response", None)
    told = [getattr(error, "status_code", None), getattr(error, "code", None)]
    told.append(getattr(response, "status_code", None))
    if isinstance(response, Mapping):  # botocore
        told.append(response.get("ResponseMetadata", {}).get("HTTPStatusCode"))
    return next((each for each in told if isinstance(each, int) and 400 <= each < 600), None)


def _retry_after(error: BaseException) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None)
    if headers is None or not hasattr(headers, "get"):
        return None
    if milliseconds := _number(headers.get("retry-after-ms")):
        return milliseconds / 1000
    told = headers.get("retry-after") or ""
    seconds = _number(told)
    if seconds is not None:
        return seconds
    try:
        until = parsedate_to_datetime(told).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0.0, (until - datetime.now(UTC)).total_seconds())


def _number(text: str | None) -> float | None:
    """A number that is not below 0."""
    try:
        number = float(text or "")
    except ValueError:
        return None
    return None if isnan(number) else max(0.0, number)
