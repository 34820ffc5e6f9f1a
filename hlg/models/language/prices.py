"""What a call costs: list prices by model, and those that a person adds in ``hlg.toml``.

::

    [prices."my-model"]
    input = 0.25       # US dollars a million tokens
    output = 1.00

A model that answers on this machine costs nothing.
"""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field

_MILLION = 1_000_000


class Price(BaseModel):
    """US dollars for a million tokens in, and out."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: float = Field(ge=0)
    output: float = Field(ge=0)

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """What so many tokens cost."""
        return (tokens_in * self.input + tokens_out * self.output) / _MILLION


def _price(input_: float, output: float) -> Price:
    return Price(input=input_, output=output)


# As of October 2025; providers change them.
LIST_PRICES: Mapping[str, Price] = {
    "claude-haiku-4-5": _price(1.00, 5.00),
    "claude-opus-4-1": _price(15.00, 75.00),
    "claude-sonnet-4-5": _price(3.00, 15.00),
    "gemini-2.5-flash": _price(0.30, 2.50),
    "gemini-2.5-flash-lite": _price(0.10, 0.40),
    "gemini-2.5-pro": _price(1.25, 10.00),
    "gpt-4.1": _price(2.00, 8.00),
    "gpt-4.1-mini": _price(0.40, 1.60),
    "gpt-4.1-nano": _price(0.10, 0.40),
    "gpt-4o": _price(2.50, 10.00),
    "gpt-4o-mini": _price(0.15, 0.60),
    "gpt-5": _price(1.25, 10.00),
    "gpt-5-mini": _price(0.25, 2.00),
    "gpt-5-nano": _price(0.05, 0.40),
}


def price_of(model: str, own: Mapping[str, Price], endpoint: str = "") -> Price | None:
    """The price of a model: one's own, nothing on this machine, else the list's; None where
    none is known.

    In the list a version's date is passed over (``gpt-4o-2024-08-06``), and a provider before
    the name (``openai/gpt-4o``).
    """
    if model in own:
        return own[model]
    if _is_here(endpoint):
        return _price(0, 0)
    name = model.rpartition("/")[2]
    known = [each for each in LIST_PRICES if name == each or _is_dated(name, each)]
    return LIST_PRICES[known[0]] if known else None


def _is_dated(name: str, known: str) -> bool:
    rest = name.removeprefix(known)
    return rest != name and rest[0] in "-@" and rest[1:].replace("-", "").isdigit()


def _is_here(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
